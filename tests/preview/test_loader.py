"""From an item to a document or a card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from knit_tui.faces.tui.preview.document import CHUNK, LEAD_IN, LONGEST_LINE, Card, Document
from knit_tui.faces.tui.preview.facts import cut_text, end_text, facts
from knit_tui.faces.tui.preview.lines import displayed
from knit_tui.faces.tui.preview.loader import READ_LIMIT, document_of, load
from knit_tui.faces.tui.preview.title import fitting
from knit_tui.faces.wording import size_text
from knit_tui.model import Access, Item, Kind, Passage, Text
from knit_tui.workspace.text import Unreadable


def an_item(rel: str = "a.py", **fields: Any) -> Item:
    given = {"kind": Kind.CODE, "language": "python", "access": Access.TEXT, "title": "", "summary": ""}
    return Item(rel, **{**given, "size": 10, "mtime_ns": 1, **fields})


def a_text(body: str, **fields: Any) -> Text:
    size = len(body.encode("utf-8", "surrogatepass"))
    return Text(body, **{"encoding": "utf-8", "total_bytes": size, "read_bytes": size, **fields})


def loaded(body: str, item: Item | None = None, **fields: Any) -> Document:
    document = load("/", item or an_item(), lambda root, rel, limit: a_text(body, **fields))
    assert isinstance(document, Document)
    return document


def carded(error: Exception, **fields: Any) -> Card:
    def read(root: Path, rel: str, limit: int) -> Text:
        raise error

    card = load("/", an_item(**fields), read)
    assert isinstance(card, Card)
    return card


def unread(root: Path, rel: str, limit: int) -> Text:
    raise AssertionError("must not be read")


def test_it_reads_the_asked_file_up_to_the_limit() -> None:
    asked = []

    def read(root: Path, rel: str, limit: int) -> Text:
        asked.append((root, rel, limit))
        return a_text("x")

    load("/w", an_item("src/a.py"), read)
    assert asked == [(Path("/w"), "src/a.py", READ_LIMIT)]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("\n", [""]),
        ("\u2028a\x0bb\x0cc\x85d", ["\u2028a\x0bb\x0cc\x85d"]),
    ],
)
def test_lines_end_at_line_feeds_only(body: str, lines: list[str]) -> None:
    assert list(loaded(body).lines) == lines


def test_long_lines_are_cut_and_the_rest_is_counted() -> None:
    document = loaded("short\n" + "x" * 32_000_000)
    assert [len(line) for line in document.lines] == [5, LONGEST_LINE]
    assert document.left_out == {1: 31_998_000}
    assert cut_text(document.left_out[1]) == "… 31,998,000 more characters"
    assert loaded("x" * LONGEST_LINE).left_out == {}
    assert cut_text(1) == "… 1 more character"


def test_texts_that_would_take_a_lexer_long_stay_plain() -> None:
    assert loaded("x = 1\n" * 100).language == "python"
    long_lines = loaded(("x" * 600 + "\n") * 50)
    assert long_lines.language is None and long_lines.plain_reason == "long-lines"
    large = loaded("x = 1\n", total_bytes=(1 << 20) + 1)
    assert large.language is None and large.plain_reason == "large"
    for language in (None, "text"):
        plain = loaded("x" * 1000, an_item(language=language))
        assert plain.language is None and plain.plain_reason == ""


@given(st.lists(st.text(st.sampled_from("a\t漢\u200b\x1b\u0301"), max_size=12), min_size=1, max_size=6))
def test_the_widest_line_is_not_underestimated(lines: list[str]) -> None:
    widest = document_of(an_item(), a_text("\n".join(lines))).widest
    assert widest >= max(cell_len(displayed(line)[0]) for line in lines)


@pytest.mark.parametrize(
    ("body", "hidden"),
    [
        ("plain\ttext\n", False),
        ("日本語 مرحبا שלום 👍🏽 ❤\ufe0f 👨\u200d👩\u200d👧 é \ufffd\n", False),
        ("a\u202eb", True),
        ("a\u200bb", True),
        ("a\x1b[31m", True),
        ("a\U000e0041", True),
        ("a\u200db", True),
        ("\ufffd\nab\ufe0f", True),
        ("\ud800", True),
    ],
)
def test_hidden_characters_are_noticed(body: str, hidden: bool) -> None:
    assert loaded(body).hidden is hidden


def test_a_secret_is_never_read() -> None:
    card = load("/", an_item(".env", access=Access.WITHHELD), unread)
    assert card == Card("looks like a secret: content withheld", ("10 bytes",))
    assert carded(Unreadable("secret", "")).headline == "looks like a secret: content withheld"


@pytest.mark.parametrize(
    ("rel", "kind", "headline"),
    [
        ("i/flow.PNG", Kind.IMAGE, "PNG image"),
        ("clip.mp4", Kind.VIDEO, "MP4 video"),
        ("x", Kind.IMAGE, "image"),
    ],
)
def test_media_is_told_not_read(rel: str, kind: Kind, headline: str) -> None:
    card = load("/", an_item(rel, kind=kind, language=None, access=Access.NAME, size=1_300_000), unread)
    assert card == Card(headline, ("1.2 MiB",))


def test_a_picture_that_is_text_is_shown_as_text() -> None:
    item = an_item("a.svg", kind=Kind.IMAGE, language="xml", access=Access.NAME)
    assert loaded("<svg/>", item).language == "xml"


@pytest.mark.parametrize(
    ("reason", "headline"),
    [
        ("binary", "binary file: not shown"),
        ("special", "not a regular file"),
        ("symlink", "symbolic link: not followed"),
        ("gone", "no such file now"),
        ("outside", "outside the workspace: not shown"),
        ("unreadable", "cannot be read"),
        ("something new", "cannot be read"),
    ],
)
def test_every_reason_has_its_card(reason: str, headline: str) -> None:
    card = carded(Unreadable(reason, "because \x1b[31m"))
    assert card.headline == headline
    assert "\x1b" not in "".join(card.details)


def test_an_error_number_is_told_in_words() -> None:
    assert carded(Unreadable("unreadable", "EACCES")).details == ("Permission denied",)
    assert carded(Unreadable("special", "fifo")).details == ("named pipe",)
    assert carded(Unreadable("unreadable", "__doc__")).details == ("__doc__",)


@pytest.mark.parametrize(
    "error", [OSError(5, "Input/output error"), ValueError("\x1b]0;x\x07"), MemoryError()]
)
def test_any_other_failure_is_a_card_too(error: Exception) -> None:
    card = carded(error)
    assert card.headline == "cannot be read"
    assert card.details and card.details[0].isprintable()


def test_a_pinned_file_that_is_gone_and_an_empty_file_have_cards() -> None:
    assert load("/", an_item(missing=True), unread) == Card("no such file now")
    assert load("/", an_item(), lambda root, rel, limit: a_text("")) == Card("empty file")
    assert loaded("", total_bytes=9, read_bytes=5).truncated


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (512 * 1024, "512 KiB"),
        (3 << 20, "3.0 MiB"),
        ((1 << 20) - 1, "1.0 MiB"),
        (150 << 20, "150 MiB"),
        (1 << 40, "1.0 TiB"),
        (5000 << 40, "5000 TiB"),
    ],
)
def test_sizes_are_short(size: int, text: str) -> None:
    assert size_text(size) == text


def test_the_facts_say_which_limits_bite() -> None:
    passages = (Passage(1, 1, ("x",), ""), Passage(2, 2, ("x",), ""))
    item = an_item(access=Access.GENERATED, passages=passages)
    document = loaded("x\u200b\n" * 9, item, encoding="gb18030", total_bytes=3 << 20, read_bytes=512 * 1024)
    texts = [fact.text for fact in facts(document, document.stops[1], colours_failed=False)]
    assert texts == [
        "hidden characters",
        "generated",
        "no colours",
        "gb18030",
        "match 2/9",
        "first 512 KiB of 3.0 MiB",
    ]
    assert end_text(document) == "2.5 MiB of this file not read"
    whole = facts(loaded("x\n" * 1310), None, colours_failed=False)
    assert [fact.text for fact in whole] == ["1,310 lines"]


def test_facts_give_way_the_light_ones_first() -> None:
    document = loaded("x\n" * 310, an_item(access=Access.GENERATED, passages=(Passage(1, 1, (), ""),)))
    found = facts(document, document.stops[0], colours_failed=False)
    assert fitting(found, 60) == ["generated", "match 1/1", "310 lines"]
    assert fitting(found, 25) == ["generated", "1/1", "310 lines"]
    assert fitting(found, 20) == ["generated", "1/1"]
    assert fitting(found, 9) == ["generated"]
    assert fitting(found, 3) == fitting(found, -5) == []


def test_a_lexer_begins_at_an_outermost_line() -> None:
    body = ["x"] * CHUNK + ["    y"] * CHUNK
    body[CHUNK - LEAD_IN + 3] = ""
    document = loaded("\n".join(body))
    assert document.window(0) == (0, 0, CHUNK)
    assert document.window(1) == (CHUNK - LEAD_IN + 4, CHUNK, 2 * CHUNK)
    indented = loaded("\n".join(["    x"] * (2 * CHUNK + 5)))
    assert indented.window(1) == (CHUNK, CHUNK, 2 * CHUNK)
    assert indented.window(2) == (2 * CHUNK, 2 * CHUNK, 2 * CHUNK + 5)


def test_only_a_small_whole_text_is_highlighted_at_once() -> None:
    assert loaded("x\n" * 4000).small
    assert not loaded("x\n" * 6000).small
    assert not loaded("x\n" * 40, total_bytes=100, read_bytes=80).small
    assert not loaded("x\n" * 4000 + "y" * 3000).small
    assert not loaded("x" * 100 + "\n" + ("y" * 99 + "\n") * 3000).small
