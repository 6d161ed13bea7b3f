"""Long lines in rows: nothing lost, nothing split, no row too wide, and the way from a row to its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.layout import Layout, Part, shown_line, wrapped_at
from knit_tui.faces.tui.preview.lines import displayed, index_at
from knit_tui.faces.tui.preview.loader import document_of
from knit_tui.model import Access, Item, Kind, Text

AWKWARD = "ab é\t漢字가ｱ\u0301\u20dd\u200d\ufe0f👨❤🏳\u200b\u202e\x1b\ud800"
texts = (
    st.text(st.sampled_from("a漢 \u0301"), max_size=40)
    | st.text(st.sampled_from(AWKWARD), max_size=60)
    | st.text(st.sampled_from("ab  c-"), max_size=60)
)


def rows_of(text: str, width: int, hang: int = 0) -> list[str]:
    starts = wrapped_at(text, width, hang)
    return [text[start:end] for start, end in zip(starts, (*starts[1:], None), strict=True)]


def a_document(body: str) -> Document:
    item = Item("a.md", Kind.DOCS, None, Access.TEXT, "", "", 1, 1)
    return document_of(item, Text(body, "utf-8", len(body), len(body)))


@given(texts, st.integers(2, 24), st.integers(0, 8))
def test_rows_hold_every_character_once_and_fit(raw: str, width: int, hang: int) -> None:
    text, _ = displayed(raw)
    hang = min(hang, width // 3)
    rows = rows_of(text, width, hang)
    assert "".join(rows) == text
    for number, row in enumerate(rows):
        room = width - (hang if number else 0)
        assert row or not text
        assert cell_len(row.rstrip(" \u0301\u20dd")) <= room
        # A mark is never parted from the character it stands on.
        assert not number or not row or cell_len(row[0])


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three four", 9, ["one two ", "three ", "four"]),
        ("one two three", 7, ["one two ", "three"]),
        ("a" * 10, 4, ["aaaa", "aaaa", "aa"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("漢字word漢字", 7, ["漢字", "word漢", "字"]),
        ("a漢", 1, ["a", "漢"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("", 5, [""]),
        ("ends here ", 9, ["ends here "]),
    ],
)
def test_rows_end_at_words_and_beside_wide_characters(text: str, width: int, rows: list[str]) -> None:
    assert rows_of(text, width) == rows


def test_a_wrapped_line_goes_on_below_its_start() -> None:
    for raw, hang in (
        ("    indented " + "x " * 40, 4),
        ("- an item " + "x " * 40, 2),
        ("  12. an item " + "x " * 40, 6),
        ("> said " + "x " * 40, 2),
        ("\tindented " + "x " * 40, 4),
        ("plain " + "x " * 40, 0),
        (" " * 60 + "x " * 40, 10),
    ):
        layout = Layout(a_document(raw), 30)
        assert layout.at(0).hang == 0 and layout.at(1).hang == hang, raw


@given(st.lists(texts.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=8), st.integers(4, 30))
def test_every_row_knows_its_line_and_every_line_its_rows(lines: list[str], width: int) -> None:
    document = a_document("\n".join(lines))
    layout = Layout(document, width)
    seen = [layout.at(row) for row in range(layout.rows)]
    assert [part.line for part in seen if part.number == 0] == list(range(len(document.lines)))
    for row, part in enumerate(seen):
        assert layout.row_of(part.line, part.start) == row
    assert layout.row_of(len(document.lines)) == layout.row_of(len(document.lines) + 7) == layout.rows


def test_unwrapped_every_line_is_a_row() -> None:
    document = a_document("x" * 500 + "\nshort")
    layout = Layout(document)
    assert layout.rows == 2 and layout.at(1) == Part(1) and layout.row_of(1, 99) == 1


def test_what_is_left_out_of_a_line_is_told_in_its_last_row() -> None:
    document = a_document("x" * 5000)
    layout = Layout(document, 60)
    last = layout.at(layout.rows - 1)
    assert "3,000 more characters" in shown_line(document, 0).text[last.start : last.end]


@pytest.mark.parametrize(("cell", "index"), [(-3, 0), (0, 0), (1, 1), (2, 1), (3, 2), (4, 4), (99, 5)])
def test_a_cell_leads_to_its_character(cell: int, index: int) -> None:
    assert index_at("a漢e\u0301b", cell) == index
