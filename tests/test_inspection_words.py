"""Every answer about a document has a sentence, and no fact reaches the screen raw."""

from __future__ import annotations

import re

import pytest

from knit_tui.faces.inspection_words import (
    backlinks_text,
    group_text,
    grouped,
    inspection_text,
    place_text,
    searched_text,
    unlisted_text,
)
from knit_tui.model import Inspection, Relation, RelationType

CODES = re.findall(r"``([a-z-]+)``", Inspection.__doc__ or "")
SAID: tuple[tuple[str, dict[str, str], str], ...] = (
    ("pack", {"tier": "supporting", "number": "3"}, "in the pack: number 3, Supporting"),
    ("pinned", {}, "in the pack: pinned by you"),
    ("pinned", {"gone": "yes"}, "pinned by you, but there is no such file now"),
    ("excluded", {}, "left out by you (x restores)"),
    ("excluded", {"gone": "yes"}, "left out by you (x restores); there is no such file now"),
    (
        "beaten",
        {"rank": "34", "matched": "1059", "places": "9", "last": "docs/api.md"},
        "not in the pack: number 34 of 1,059 matches, and the pack holds 9; docs/api.md is the last in it",
    ),
    ("no-hit", {"terms": "retry, backoff"}, "not in the pack: it holds none of: retry, backoff"),
    ("no-hit", {"terms": "a, b, c, d, e, f, g, h"}, "not in the pack: it holds none of: a, b, c, d, e, f +2"),
    ("no-hit", {"terms": "图片, 片排, 排序"}, "not in the pack: it holds none of: 图片, 排序"),
    ("weak", {"terms": "common"}, "not in the pack: it holds common, too little beside the matches"),
    ("no-query", {}, "not in the pack: there is nothing to rank by yet, so the newest come first"),
    ("missing", {}, "not in the pack: there is no such file in this folder"),
    ("folder", {}, "not in the pack: it is a folder; documents are files"),
    ("ignored", {}, "not in the pack: ignore rules leave this file out of the workspace"),
    ("secret", {}, "not in the pack: it looks like a secret, so it is never read"),
    ("generated", {}, "not in the pack: generated files are shown, not searched"),
    (
        "media",
        {"pinned": "yes"},
        "pinned by you, but not in the pack: of pictures and films only the name is searched",
    ),
    ("skipped", {"why": "binary", "where": "d/a.md"}, "not in the pack: it is a binary file"),
    (
        "skipped",
        {"why": "folder", "where": "d"},
        "not in the pack: it is below d: folders of that name are left out",
    ),
    ("skipped", {"why": "unreadable", "where": ""}, "not in the pack: it is below .: it cannot be read"),
    ("unreadable", {"why": "gone"}, "not in the pack: there is no such file now"),
    ("waiting", {}, "not in the pack yet: it is still to be indexed"),
    ("from-the-future", {}, "not in the pack: from-the-future"),
)


def said(code: str, facts: dict[str, str]) -> str:
    return inspection_text(Inspection("d/a.md", code, tuple(facts.items())), restore="x restores")


@pytest.mark.parametrize(("code", "facts", "text"), SAID)
def test_the_sentence(code: str, facts: dict[str, str], text: str) -> None:
    assert said(code, facts) == text


def test_every_code_has_one() -> None:
    codes = set(CODES) - {"rel", "facts", "code", "yes"}
    assert codes <= {code for code, _facts, _text in SAID}
    assert {"beaten", "weak", "ignored", "waiting"} <= codes


@pytest.mark.parametrize("why", ("binary", "special", "symlink", "outside", "unreadable", "gone", "folder",
                                 "repository", "ignore-file"))  # fmt: skip
def test_every_reason_of_a_skipped_or_unreadable_file_has_words(why: str) -> None:
    assert said("skipped", {"why": why, "where": "d/a.md"}) != f"not in the pack: {why}"


def test_facts_cannot_act_on_the_terminal() -> None:
    evil = "a\x1b]0;x\x07\u202e"
    for code, facts in (
        ("beaten", {"rank": "1", "matched": "2", "places": "1", "last": evil}),
        ("weak", {"terms": evil}),
        ("no-hit", {"terms": evil}),
        ("unreadable", {"why": evil}),
        ("skipped", {"why": evil, "where": evil}),
        (evil, {}),
    ):
        assert not {"\x1b", "\x07", "\u202e"} & set(said(code, facts))
    relation = Relation(RelationType.IMPORTS, False, evil, 3)
    assert "\x1b" not in place_text(relation)


def test_what_is_searched_of_a_long_file() -> None:
    assert searched_text(Inspection("a", "pack")) == ""
    assert searched_text(Inspection("a", "pack", cut_bytes=262_144)) == "searched in its first 256 KiB only"


def test_relations_go_by_group_those_of_others_first() -> None:
    relations = [
        Relation(type_, incoming, f"{type_}{incoming}", 2)
        for type_ in RelationType
        for incoming in (False, True)
    ]
    groups = [group_text(group) for group, _rows in grouped(relations)]
    assert groups == [
        "Named in", "Imported by", "Tested by", "Described in", "Names", "Imports", "Tests", "Describes",
    ]  # fmt: skip
    assert grouped(()) == []
    assert unlisted_text(8, 8) == ""
    assert unlisted_text(100, 1_101) == "1,001 more relations are not listed"
    assert unlisted_text(100, 101) == "1 more relation is not listed"


def test_places_say_the_line_where_it_is() -> None:
    assert place_text(Relation(RelationType.TESTS, True, "t.py")) == "t.py"
    assert place_text(Relation(RelationType.IMPORTS, True, "b.py", 3)) == "b.py:3"
    assert place_text(Relation(RelationType.IMPORTS, False, "b.py", 3)) == "b.py (line 3)"


def test_backlinks_are_counted_only_when_all_are_known() -> None:
    named = Relation(RelationType.REFERENCES, True, "a.md", 1)
    used = Relation(RelationType.IMPORTS, True, "b.py", 1)
    uses = Relation(RelationType.IMPORTS, False, "c.py", 1)
    assert backlinks_text((named, named, used, uses), 4) == "named in 2, imported by 1"
    assert backlinks_text((named, named, used, uses), 4, short=True) == "3 backlinks"
    assert backlinks_text((uses,), 1) == backlinks_text((uses,), 1, short=True) == ""
    assert backlinks_text((), 0) == ""
    assert backlinks_text((named, used), 3) == "3 relations"
