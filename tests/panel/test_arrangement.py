"""What the layout is made of, without an app: forms and shares, compact rows, notes, whose the mouse is."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual.drivers.linux_driver import LinuxDriver

from knit_tui.faces.tui import mouse
from knit_tui.faces.tui.arrangement import (
    LEAST,
    MOST,
    Form,
    cells_of,
    form_of,
    forms,
    percent_of,
    share_of,
    width_class,
)
from knit_tui.faces.tui.pieces import width_of
from knit_tui.faces.tui.widgets.noted_hints import NotedHints
from knit_tui.faces.tui.widgets.rows import Density, Look, height, item_lines
from knit_tui.faces.tui.widgets.tab_bar import Tabs
from knit_tui.faces.tui.widgets.title_bar import Standing
from knit_tui.model import Tab
from tests.panel.sample import NOW, PACK, PICTURES, SECRET, snapshot


def test_forms_and_classes_follow_the_size() -> None:
    classes = {59: "narrow", 60: "middle", 99: "middle", 100: "wide", 159: "wide", 160: "broad", 300: "broad"}
    for width, name in classes.items():
        assert width_class(width) == name
        usual, other = forms(width)
        assert usual is not other
        assert form_of(width, 18, {}) is usual
        assert form_of(width, 18, {name: other.value}) is other
        assert form_of(width, 18, {name: "a form of the future", "x": "y"}) is usual
    assert form_of(99, 17, {}) is Form.ONE
    assert form_of(100, 1, {}) is Form.BESIDE, "a low panel has room for a preview beside the list"
    assert form_of(300, 17, {"broad": "stacked"}) is Form.ONE


def test_a_share_gives_the_cells_it_was_made_from() -> None:
    for room in range(1, 301):
        for cells in range(-5, room + 6):
            share = share_of(cells, room)
            assert LEAST <= share <= MOST
            if LEAST * room <= cells * 1000 <= MOST * room:
                assert cells_of(share, room) == cells
                assert int(float(percent_of(share)[:-1]) * room / 100) == cells
    assert share_of(10, 0) == LEAST


@pytest.mark.parametrize("each", (*PACK, *PICTURES, SECRET))
def test_a_compact_row_is_one_line_of_every_width(each: Any) -> None:
    for width in range(201):
        look = Look(width, NOW, compact=True)
        lines = item_lines(each, look, pinned=each.pinned, out=False)
        assert len(lines) == 1 == height(each, Density.at(width, compact=True))
        assert width_of(lines[0]) == max(0, width - 1)
    assert each.rel.rpartition("/")[2] in "".join(piece.text for piece in lines[0])


def test_the_notes_fill_every_width_and_leave_the_help() -> None:
    bar = NotedHints()
    bar.note(
        Standing(snapshot(), snapshot().views[Tab.CONTEXT], True, 3, "pinned 重试.md, u undoes"),
        Tabs(active=Tab.CODE, filter="re 试", found=(3, 12)),
        hidden=True,
    )
    for width in range(1, 301):
        assert sum(cell_len(piece.text) for piece in bar.pieces(width)) <= width
    text = "".join(piece.text for piece in bar.pieces(160))
    for part in ("pinned 重试.md", "3 changes: r", "/re 试 3 of 12", " code ", "? help"):
        assert part in text


def test_the_mouse_is_given_to_the_terminal_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    driver = LinuxDriver.__new__(LinuxDriver)
    driver._mouse, driver._mouse_pixels = True, True
    monkeypatch.setattr(driver, "write", written.append)
    monkeypatch.setattr(driver, "flush", lambda: None)
    mouse.listen(driver, False)
    assert not mouse.listens(driver)
    assert {"\x1b[?1000l", "\x1b[?1003l", "\x1b[?1006l"} <= set(written)
    written.clear()
    driver._enable_mouse_support()  # as after a suspension
    assert written == []
    mouse.listen(driver, True)
    assert mouse.listens(driver)
    assert {"\x1b[?1000h", "\x1b[?1003h", "\x1b[?1006h"} <= set(written)
    assert written[-1] == "\x1b[?1016h", "positions in pixels, as the parser expects them"
