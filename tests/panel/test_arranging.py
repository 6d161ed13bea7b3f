"""How the user divides the panel: whatever is chosen at whatever size, it fits and nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from knit_tui.faces.tui import mouse
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.arrangement import (
    cells_of,
)
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.services.programs import Done
from knit_tui.panel_state import Remembered, change, load
from tests.panel.machine import TMUX, Machine
from tests.panel.sample import NOTICES, PACK, numbered, snapshot
from tests.panel.test_layout import check_lines, resize

Open = Callable[..., Any]


def check_fit(panel: Any) -> None:
    """The parts fill the panel, none lies over another, and what has the focus is in sight."""
    main, size = panel.main, panel.main.size
    bars = [widget for widget in main.children if widget.display and widget.styles.dock in (None, "none")]
    bars = [widget for widget in bars if widget.region.area and widget.layer != "overlay"]
    rows = sorted((widget.region.y, widget.region.bottom) for widget in bars)
    assert rows[0][0] == 0 and rows[-1][1] >= size.height, rows
    assert all(one[1] == other[0] for one, other in pairwise(rows)), rows
    body = main.query_one("#body")
    parts = [widget for widget in body.children if widget.display and widget.region.area]
    assert body.region.area == sum(part.region.area for part in parts), [
        (part, part.region) for part in (body, *parts)
    ]
    assert all(body.region.contains_region(part.region) for part in parts)
    assert not any(one.region.overlaps(other.region) for one in parts for other in parts if one is not other)
    focused = panel.app.focused
    assert focused is not None and focused.display and all(each.display for each in focused.ancestors)
    if body.size.height:
        assert focused.region.area, focused
    results = panel.results
    if results.display and results.size.height > 1 and results.cursor >= 0:
        line = results.line_of(results.cursor) - results.top
        assert 0 <= line < results.page, (line, results.page)


def sizes(panel: Any) -> tuple[Any, Any]:
    return panel.results.outer_size, panel.preview.outer_size


# Every size


async def test_everything_fits_at_every_size(open_panel: Open) -> None:
    async with open_panel(snapshot(notices=NOTICES), size=(300, 20)) as panel:
        await panel.press("down", "down")
        for width in (*range(300, 70, -23), 160, 159, 100, 99, *range(70, 0, -1), 120):
            await resize(panel, width, 20)
            check_fit(panel)
            check_lines(panel)
        for width, heights in ((80, (*range(1, 19), 50)), (120, (1, 2, 3, 4, 5, 6, 12))):
            for lines in heights:
                await resize(panel, width, lines)
                check_fit(panel)
                check_lines(panel)
                assert panel.results.page >= (1 if lines in (1, 3) else 2), "the list comes first"
        assert panel.rel == "docs/guide/retries.md"
        assert panel.results.is_visible(panel.results.cursor)


async def test_any_order_of_choices_and_sizes_fits(open_panel: Open) -> None:
    draw = random.Random(5)
    signs = ("less_than_sign", "greater_than_sign", "minus", "equals_sign", "percent_sign", "slash")
    keys = (*"zvcHf0GihlIa21", *signs, "escape", "enter", "tab", "down")
    async with open_panel(snapshot(1, (*PACK, *numbered(30)), notices=NOTICES), size=(120, 40)) as panel:
        for _step in range(80):
            if draw.random() < 0.3:
                done: Any = (draw.choice((1, 30, 59, 60, 80, 99, 100, 160)), draw.randint(1, 30))
                await resize(panel, *done)
                panel.results.select(panel.results.cursor)
                await panel.pilot.pause()
            else:
                done = draw.choice(keys)
                await panel.press(done)
                if done == "slash":
                    await panel.press("escape")
            try:
                check_fit(panel)
                check_lines(panel)
            except AssertionError as error:
                raise AssertionError(f"after {done}, {panel.main.size}") from error


# The divider


async def test_the_keys_move_the_divider_within_its_bounds(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        usual = sizes(panel)
        larger, smaller = ("greater_than_sign", "equals_sign"), ("less_than_sign", "minus")
        for key in (*larger, *smaller):
            before = panel.results.outer_size.width
            await panel.press(key)
            assert panel.results.outer_size.width == before + (4 if key in larger else -4), key
        await panel.press(*["minus"] * 12)
        assert panel.results.outer_size.width == 24
        await panel.press(*["equals_sign"] * 25)
        assert panel.results.outer_size.width == 96
        check_fit(panel)
        await resize(panel, 150, 40)
        assert panel.results.outer_size.width == 120, "the share stays"
        await resize(panel, 80, 40)
        lines = panel.results.outer_size.height
        await panel.press("minus")
        assert panel.results.outer_size.height == lines - 2
        await resize(panel, 120, 40)
        assert panel.results.outer_size.width == 96, "each class of width has its own"
        await panel.press("0")
        assert sizes(panel) == usual
        await panel.press("z", "less_than_sign")
        assert "nothing to divide" in panel.line("#title")


async def test_the_mouse_drags_the_divider(open_panel: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KnitApp, "CLICK_CHAIN_TIME_THRESHOLD", 60.0)  # a busy machine is no slow hand
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        usual = sizes(panel)
        divider = panel.main.query_one("#divider")
        place = divider.region.offset
        await panel.pilot.mouse_down(offset=(place.x, place.y + 3))
        await panel.pilot.mouse_up(offset=(70, 9))
        assert divider.region.x == 70
        assert panel.app.mouse_captured is None
        check_fit(panel)
        await panel.pilot.hover(offset=(30, 9))
        assert divider.region.x == 70, "it was let go"
        await panel.pilot.click(offset=(70, 5))
        await panel.pilot.mouse_up(offset=(30, 9))
        assert divider.region.x == 70, "what was pressed meanwhile has the mouse for itself"
        await panel.pilot.click(offset=(70, 12), times=2)
        assert sizes(panel) == usual
        await panel.pilot.mouse_down("#results", offset=(5, 5))
        await panel.pilot.mouse_up("#results", offset=(30, 9))
        assert sizes(panel) == usual, "only the divider moves it"
        await resize(panel, 80, 40)
        usual = sizes(panel)
        await panel.pilot.mouse_down(offset=(40, panel.preview.region.y))
        await panel.pilot.mouse_up(offset=(44, 12))
        assert panel.preview.region.y == 12, "the preview's title is the divider below the list"
        await panel.pilot.click(offset=(40, 12), times=2)
        assert sizes(panel) == usual


# Forms and zoom


async def test_v_gives_the_other_form_at_every_width(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        results, preview = panel.results, panel.preview
        await panel.press("v")
        assert preview.region.y == results.region.bottom and preview.size.width == 120
        check_fit(panel)
        await resize(panel, 80, 40)
        await panel.press("v")
        assert preview.region.y == results.region.y and preview.region.right == 80
        check_fit(panel)
        await resize(panel, 40, 40)
        assert not preview.display
        await panel.press("v")
        assert preview.display and preview.region.y == results.region.bottom
        await panel.press("v")
        assert not preview.display
        await resize(panel, 80, 12)
        assert preview.display, "a low panel has room beside the list"
        await panel.press("v")
        assert not preview.display and "needs 18 lines" in panel.line("#title")


async def test_zoom_shows_the_preview_then_the_list_then_both(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        results, preview = panel.results, panel.preview
        await panel.press("down", "z")
        assert (results.display, preview.display) == (False, True)
        assert preview.outer_size.width == 120 and panel.app.focused is preview
        await panel.wait(lambda: preview.seen[-1:] == [PACK[1]], "the document")
        await panel.press("z")
        assert (results.display, preview.display) == (True, False)
        assert panel.app.focused is results
        await panel.press("down", "enter")
        assert preview.display and preview.seen[-1] == PACK[2]
        await panel.press("z", "z")
        assert results.display and preview.display and panel.rel == PACK[2].rel
        for keys in (("z",), ("z", "z")):
            await panel.press(*keys)
            assert results.display != preview.display
            await panel.press("escape")
            assert results.display and preview.display and panel.app.focused is results
        await resize(panel, 40, 24)
        await panel.press("z")
        assert preview.display and not results.display
        await panel.press("z")
        assert results.display and not preview.display


async def test_f_lets_tmux_zoom_its_pane(open_panel: Open) -> None:
    answers = {"tmux": Done(0, b"2\n")}
    machine = Machine(("tmux",), TMUX, answers=dict(answers))
    async with open_panel(snapshot(), size=(120, 40), services=Services(machine)) as panel:
        await panel.press("f")
        await panel.wait(lambda: bool(machine.ran), "tmux")
        assert machine.ran[0][:5] == ("tmux", "resize-pane", "-Z", "-t", "%0")
        assert panel.results.display and panel.preview.display
        machine.answers["tmux"] = Done(1)
        await panel.press("f")
        await panel.wait(lambda: "does not let" in panel.line("#title"), "the refusal")
        machine.answers["tmux"] = Done(0, b"1\n")
        await panel.press("f")
        await panel.wait(lambda: not panel.results.display, "the zoom of a pane that is alone")
        machine.environ = {}
        await panel.press("f")
        assert panel.results.display and len(machine.ran) == 3


# Rows and header


async def test_compact_rows_keep_the_document_and_its_line(open_panel: Open) -> None:
    async with open_panel(snapshot(1, numbered(200)), size=(120, 40)) as panel:
        await panel.move("down", 100)
        row, rel, count = panel.cursor_row, panel.rel, panel.results.line_count
        await panel.press("c")
        assert panel.results.line_count < count / 2
        assert (panel.rel, panel.cursor_row) == (rel, row)
        check_lines(panel)
        await panel.publish(snapshot(2, numbered(200)))
        await resize(panel, 130, 30)
        assert panel.rel == rel and panel.results.is_visible(panel.results.cursor)
        await resize(panel, 120, 40)
        row = panel.cursor_row
        await panel.press("c")
        assert (panel.rel, panel.cursor_row, panel.results.line_count) == (rel, row, count)
        await panel.press("2")
        await resize(panel, 120, 15)
        await panel.press("1")
        assert panel.rel == rel and panel.results.is_visible(panel.results.cursor)


async def test_a_hidden_header_gives_two_rows_and_loses_nothing(open_panel: Open) -> None:
    async with open_panel(snapshot(1), size=(120, 20)) as panel:
        lines = panel.results.page
        top = [panel.line("#title"), panel.line("#tabs")]
        assert panel.results.region.y == 2, "two lines of header and no more"
        await panel.press("H")
        assert panel.results.region.y == 0 and panel.results.page == lines + 2
        assert "header hidden, H shows it" in panel.line("#hints")
        await panel.press("p")
        assert "unpinned " in panel.line("#hints") and "? help" in panel.line("#hints")
        panel.main._hush()
        assert panel.line("#hints").startswith(" enter open")
        await panel.press("3")
        assert panel.line("#hints").startswith(" code ")
        await panel.press("1", "slash", *"retry", "enter")
        assert "/retry" in panel.line("#hints") and " of 12" in panel.line("#hints")
        await panel.press("escape", "down")
        await panel.publish(snapshot(2, PACK[::-1]))
        assert "change" in panel.line("#hints")
        await panel.press("r", "H")
        assert panel.results.region.y == 2 and len(top) == 2
        assert "change" not in panel.line("#hints")


# The mouse


async def test_the_mouse_is_turned_off_and_on_while_the_panel_runs(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        assert mouse.listens(panel.app._driver)
        await panel.press("percent_sign")
        assert not mouse.listens(panel.app._driver)
        assert "the terminal selects text; % turns it on" in panel.line("#title")
        await panel.press("percent_sign")
        assert mouse.listens(panel.app._driver)
        assert "mouse on, %" in panel.line("#title")


# What is remembered


async def test_what_was_chosen_is_there_at_the_next_start(
    open_panel: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path))
    change(lambda _now: Remembered({"middle stacked": 300, "broad beside": 5}))
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        panel.main.restore(load(), compact=False)
        await panel.press("greater_than_sign")
        width = panel.results.outer_size.width
        await panel.wait(lambda: "wide beside" in load().splits, "the share on disk")
        change(lambda now: Remembered({**now.splits, "narrow stacked": 700}, now.layout))
        await resize(panel, 80, 40)
        assert panel.results.outer_size.height == cells_of(300, sum(each.height for each in sizes(panel)))
        await panel.press("0", "v", "H")
    kept = load()
    assert kept.layout == {"middle": "beside", "header": "hidden"}, "kept when the panel ends"
    assert set(kept.splits) == {"wide beside", "broad beside", "narrow stacked"}
    async with open_panel(snapshot(), size=(80, 40)) as panel:
        panel.main.restore(kept, compact=True)
        panel.main.share_out()
        await panel.pilot.pause()
        assert panel.preview.region.y == panel.results.region.y == 0
        await resize(panel, 120, 40)
        assert panel.results.outer_size.width == width
        await resize(panel, 200, 40)
        assert panel.results.outer_size.width == 80, "a share out of bounds counts as none"


def test_the_panel_starts_as_it_is_set_and_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knit_tui.config import Panel, Settings
    from knit_tui.faces.tui import app

    started: list[Any] = []

    def run_no_more(work: Any) -> int:
        started.append(work.cr_frame.f_locals["app"].main)
        work.close()
        return 0

    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path))
    change(lambda _now: Remembered({"wide beside": 300}, {"wide": "stacked"}))
    monkeypatch.setattr(app, "prepare_terminal", lambda: None)
    monkeypatch.setattr("knit_tui.faces.tui.app.asyncio.run", run_no_more)
    none: Any = None
    assert app.run_panel(none, Settings(panel=Panel(compact=True))) == 0
    main = started[0]
    assert (main._shares, main._layout, main._rows_compact) == (
        {"wide beside": 300},
        {"wide": "stacked"},
        True,
    )
