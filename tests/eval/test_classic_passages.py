"""Passages of the ranking ``classic``, by worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.classic_passages import (
    MAX_CHARACTERS,
    MAX_PASSAGES,
    passages,
    snippet,
    split,
)
from knit_tui.find.classic_keywords import keywords
from knit_tui.model import Kind

W = "w" * 99


@pytest.mark.parametrize(
    ("lines", "kind", "expected"),
    [
        (["xxxxx"] * 100, Kind.CODE, [(1, 80, 0, 479), (81, 100, 480, 599)]),
        (["# T", "", "a" * 350, "", "## S", "", "short"], Kind.DOCS, [(1, 3, 0, 355), (5, 7, 357, 368)]),
        (["b" * 3000], Kind.DOCS, [(1, 1, 0, 1200), (1, 1, 1136, 2336), (1, 1, 2272, 3000)]),
        ([W] * 30, Kind.DOCS, [(1, 12, 0, 1199), (13, 24, 1200, 2399), (25, 30, 2400, 2999)]),
        (
            [W] * 5 + [""] + [W] * 20,
            Kind.DOCS,
            [(1, 5, 0, 499), (7, 18, 501, 1700), (19, 26, 1701, 2500)],
        ),
        (["b" * 2336], Kind.DOCS, [(1, 1, 0, 1200), (1, 1, 1136, 2336)]),
        (["a" * 299, "# b"], Kind.DOCS, [(1, 2, 0, 303)]),
        (["a" * 300, "# b", "# c"], Kind.DOCS, [(1, 1, 0, 300), (2, 3, 301, 308)]),
        (["a" * 300, "#b", "####### c"], Kind.DOCS, [(1, 3, 0, 313)]),
        (["# a", "", "", "", "", "# b", "", "c" * 290], Kind.DOCS, [(1, 8, 0, 303)]),
    ],
)
def test_the_worked_examples(lines: list[str], kind: Kind, expected: list[tuple[int, int, int, int]]) -> None:
    pieces = split("\n".join(lines), kind)
    assert [(piece.start, piece.end, piece.first, piece.last) for piece in pieces] == expected


def test_code_is_cut_at_definitions() -> None:
    body = "\n".join(
        ["import os", "x" * 320, "export default async function a() {", "y" * 320, "}", "class B:"]
    )
    assert [piece.start for piece in split(body, Kind.CODE)] == [1, 3, 6]
    assert [piece.start for piece in split(body, Kind.DOCS)] == [1]


def test_code_with_less_than_two_definitions_below_its_first_line_is_cut_every_forty_lines() -> None:
    few = "\n".join(["import os", *["x" * 20] * 59, "class A:", *["x" * 20] * 59])
    assert [piece.start for piece in split(few, Kind.CODE)] == [1, 41, 81]
    two = "\n".join(["x" * 20] * 59 + ["class A:"] + ["x" * 20] * 19 + ["class B:"] + ["x" * 20] * 19)
    assert [piece.start for piece in split(two, Kind.CODE)] == [1, 58, 80]


def test_a_word_that_only_begins_like_a_definition_cuts_nothing() -> None:
    body = "\n".join(["a" * 320, "defend", "b" * 320, "  def inner", "classy = 1"])
    assert len(split(body, Kind.CODE)) == 1


@pytest.mark.parametrize("body", ["", "   \n \n\t"])
def test_a_blank_body_has_no_passages(body: str) -> None:
    assert split(body, Kind.DOCS) == []
    assert passages(body, Kind.DOCS, keywords(["marble"])) == ()


@given(
    st.lists(
        st.one_of(st.just(""), st.just("# heading"), st.integers(1, 2600).map(lambda size: "x" * size)),
        max_size=30,
    ),
    st.sampled_from([Kind.DOCS, Kind.CODE]),
)
def test_pieces_cover_all_text_and_are_bounded(lines: list[str], kind: Kind) -> None:
    body = "\n".join(lines)
    covered = 0
    for piece in split(body, kind):
        assert body[covered : piece.first].strip("\n") == ""
        covered = max(covered, piece.last)
        text = body[piece.first : piece.last]
        assert len(text.rstrip("\n")) == piece.length
        assert body.count("\n", 0, piece.first) + 1 == piece.start
        assert body.count("\n", 0, piece.last) + 1 == piece.end
        blanks = text.count("\n\n")
        assert piece.length <= MAX_CHARACTERS + blanks
    assert body[covered:].strip("\n") == ""


def test_the_best_two_are_shown_in_the_order_of_the_text() -> None:
    weak = "# One\n\nmarble " + "filler " * 60
    strong = "# Two\n\nmarble kiln " + "filler " * 60
    nothing = "# Three\n\n" + "filler " * 60
    body = "\n\n".join([nothing, weak, nothing, strong, weak])
    shown = passages(body, Kind.DOCS, keywords(["marble kiln"]))
    assert [(p.start, p.end, p.terms) for p in shown] == [
        (5, 7, ("marble",)),
        (13, 15, ("marble", "kiln")),
    ]


def test_a_piece_beyond_the_first_two_hundred_is_not_looked_at() -> None:
    sections = ["# heading\n\n" + "x" * 400] * MAX_PASSAGES
    inside = "\n\n".join([*sections[1:], "# end\n\nmarble"])
    beyond = "\n\n".join([*sections, "# end\n\nmarble"])
    assert len(passages(inside, Kind.DOCS, keywords(["marble"]))) == 1
    assert passages(beyond, Kind.DOCS, keywords(["marble"])) == ()


def test_a_snippet_begins_a_little_before_the_first_term() -> None:
    text = "a" * 100 + "  Marble\n" + "b" * 300
    line = "a" * 39 + " Marble " + "b" * 153
    assert snippet(text, ["absent", "marble"]) == f"…{line}…"
    assert snippet("short marble", ["marble"]) == "short marble"
    assert snippet("a" * 200, ["a"]) == "a" * 200
