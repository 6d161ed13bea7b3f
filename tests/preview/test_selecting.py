"""What the mouse takes from the preview."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.loader import document_of
from knit_tui.faces.tui.preview.selecting import Extract, SelectingView, Selection, chosen, passage_text
from knit_tui.model import Access, Item, Kind, Passage, Text
from tests.preview.bench import Bench
from tests.preview.conftest import OpenBench


def a_document(body: str) -> Document:
    item = Item("a.txt", Kind.CODE, None, Access.TEXT, "", "", 1, 1)
    return document_of(item, Text(body, "utf-8", len(body), len(body)))


@pytest.mark.parametrize(
    ("body", "first", "last", "text"),
    [
        ("abcdef", (0, 1), (0, 3), "bcd"),
        ("one\ntwo\nthree", (0, 2), (2, 1), "e\ntwo\nth"),
        ("a\tb", (0, 0), (0, 4), "a\tb"),
        ("a\tb", (0, 4), (0, 4), "b"),
        ("漢字x", (0, 1), (0, 9), "字x"),
        ("👨\u200d👩 x", (0, 0), (0, 0), "👨"),
        ("👨\u200d👩 x", (0, 0), (0, 9), "👨\u200d👩 x"),
        ("❤\ufe0f!", (0, 0), (0, 0), "❤\ufe0f"),
        ("a\x1b]0;x\x07\u202e", (0, 0), (0, 99), "a␛]0;x␇\ufffd"),
        ("", (0, 0), (0, 5), ""),
    ],
)
def test_what_is_seen_is_taken(body: str, first: tuple[int, int], last: tuple[int, int], text: str) -> None:
    extract = chosen(a_document(body), Selection(first, last))
    assert extract == Extract(text, first[0] + 1, last[0] + 1)


def test_the_note_at_a_cut_line_is_not_taken_and_the_cut_is_told() -> None:
    document = a_document("x" * 5000 + "\nshort")
    extract = chosen(document, Selection((0, 1990), (1, 2)))
    assert extract == Extract("x" * 10 + "\nsho", 1, 2, cut=True)
    assert not chosen(document, Selection((0, 0), (0, 1999))).cut
    assert passage_text(document, 1, 2).cut and not passage_text(document, 2, 2).cut


def test_two_points_in_any_order_are_a_selection() -> None:
    assert Selection.between((3, 1), (2, 9)) == Selection((2, 9), (3, 1))
    assert Selection.between((2, 5), (2, 1)) == Selection((2, 1), (2, 5))


def selected(b: Bench) -> str:
    """The text in sight on the ground of the selection, the rows joined."""
    ground = b.view._inks.style(ground="selection").bgcolor
    rows = (b.view.render_line(y) for y in range(b.view.size.height))
    return "|".join(
        "".join(
            segment.text for segment in row if segment.style is not None and segment.style.bgcolor == ground
        )
        for row in rows
    ).strip("|")


async def test_dragging_marks_and_letting_go_hands_over(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("first line\n\tindented\nthird\n" + "more\n" * 30)
    async with bench(size=(40, 12)) as b:
        await b.open("a.txt", Passage(1, 2, (), ""))
        taken = b.taken
        left = 6
        await b.pilot.mouse_down(b.view, offset=(left + 6, 0))
        await b.pilot.hover(b.view, offset=(left + 5, 1))
        assert selected(b) == "line|    in"
        await b.pilot.mouse_up(b.view, offset=(left + 5, 1))
        await b.until(lambda: taken)
        assert taken == [Extract("line\n\tin", 1, 2)]
        assert selected(b) == "line|    in", "it stays in sight"
        # A click takes nothing, and ends what was selected.
        await b.pilot.click(b.view, offset=(left + 1, 2))
        assert selected(b) == "" and len(taken) == 1
        # Backwards, from behind the end of a line, and from the line numbers.
        await b.pilot.mouse_down(b.view, offset=(30, 2))
        await b.pilot.hover(b.view, offset=(0, 2))
        await b.pilot.mouse_up(b.view, offset=(0, 2))
        await b.until(lambda: len(taken) == 2)
        assert taken[1] == Extract("third", 3, 3)
        # Below the view the text comes to the pointer.
        await b.pilot.mouse_down(b.view, offset=(left, 5))
        b.view._pointer = (left, 14)
        await b.pilot.hover(b.view, offset=(left, 10))
        b.view._pointer = (left, 14)
        b.view._drag_on()
        assert b.view.top == 4
        await b.pilot.mouse_up(b.view, offset=(left, 10))
        await b.until(lambda: len(taken) == 3)
        assert taken[2].start == 6 and taken[2].end == 15
        # Another text has no selection.
        (ws / "a.txt").write_text("other\n" * 40)
        b.pane.reload()
        await b.until_screen_has("other")
        assert selected(b) == ""
        assert not isinstance(b.app.mouse_captured, SelectingView)
