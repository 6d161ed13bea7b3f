"""The hints for newcomers: where there is room, in the first runs, and gone for good when sent away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knit_tui.config import Panel, Settings
from knit_tui.faces.tui import app
from knit_tui.faces.tui.widgets.newcomer import LINES, Newcomer, lines
from knit_tui.panel_state import NAME, NEWCOMER, Remembered, change, dismiss, load, newcomer
from tests.panel.sample import FakeHost, snapshot

Open = Callable[..., Any]


def test_two_runs_show_them_unless_they_are_dismissed(tmp_path: Path) -> None:
    assert [newcomer(tmp_path) for _run in range(4)] == [True, True, False, False]
    assert load(tmp_path).runs == 2
    change(lambda _before: Remembered(), tmp_path)
    assert newcomer(tmp_path) and dismiss(NEWCOMER, tmp_path) and not newcomer(tmp_path)
    assert load(tmp_path).dismissed == (NEWCOMER,)
    assert dismiss(NEWCOMER, tmp_path, again=True) and newcomer(tmp_path)


@pytest.mark.parametrize("runs", ("-1", "true", '"2"', "1e99", "null"))
def test_a_strange_count_is_none(tmp_path: Path, runs: str) -> None:
    (tmp_path / NAME).write_text(f'{{"format": 1, "runs": {runs}}}')
    assert load(tmp_path).runs == 0


def test_where_nothing_is_kept_they_are_never_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", "off")
    assert not newcomer()
    (tmp_path / "file").write_text("")
    assert not newcomer(tmp_path / "file")


@pytest.mark.parametrize("hints", (True, False))
def test_a_run_shows_them_as_it_is_set(hints: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path))
    ran: list[Any] = []

    def run_no_more(work: Any) -> int:
        ran.append(work.cr_frame.f_locals["app"])
        work.close()
        return 0

    monkeypatch.setattr(asyncio, "run", run_no_more)
    app.run_panel(FakeHost(), Settings(panel=Panel(hints=hints, theme="nord")))
    assert ran[0].main.welcoming is hints
    assert load(tmp_path).runs == int(hints)


async def test_they_stand_where_there_is_room_and_go_for_good(
    open_panel: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path))
    async with open_panel(snapshot(), size=(100, 24)) as panel:
        hints = panel.main.query_one(Newcomer)
        assert not hints.display
        await panel.main.run_action("panel_hints")
        await panel.wait(lambda: hints.display and hints.size.height == LINES, "the hints")
        assert [hints.render_line(y).text.strip() for y in range(LINES)] == [
            "The order follows the talk with your agent, by itself.",
            "i tells why a document is here, a what your agent read.",
            "? finds every action. esc puts these lines away for good.",
        ]
        for size, there in (((100, 23), False), ((60, 24), True), ((40, 30), False), ((100, 24), True)):
            await panel.pilot.resize_terminal(*size)
            await panel.wait(lambda: hints.display is there, "their place")  # noqa: B023
        # Esc clears the filter first.
        await panel.press("slash", *"re", "enter", "escape")
        assert hints.display and not panel.main.state.filter
        await panel.press("escape")
        assert not hints.display
        await panel.wait(lambda: NEWCOMER in load(tmp_path).dismissed, "what is kept")
        await panel.press("escape")
        assert not hints.display


def test_every_line_fits_a_panel_of_sixty_columns() -> None:
    for line in lines():
        assert sum(len(piece.text) for piece in line) <= 60
