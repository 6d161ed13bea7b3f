"""The documents that the user had in hand, and the folder of the workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.faces.tui.screens.recent import RecentScreen, recent_rows
from knit_tui.faces.tui.services import Services
from knit_tui.model import Controls
from tests.panel.machine import SHOWN, Machine
from tests.panel.sample import GUIDE, HOUR, MINUTE, NOW, PACK, PINNED, RETRY, ROOT, TEST, snapshot

Open = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path / "state"))


def test_the_newest_first_and_what_became_of_them() -> None:
    shot = snapshot(1, (GUIDE, replace(TEST, missing=True)), controls=Controls(excluded=("src/out.py",)))
    handled = {
        GUIDE.rel: NOW - 2 * HOUR,
        TEST.rel: NOW - HOUR,
        "src/gone\x1b.py": NOW - 5 * MINUTE,
        "src/out.py": NOW - 3 * MINUTE,
    }
    rows = recent_rows(handled, shot, NOW)
    assert [(row.text, row.note) for row in rows] == [
        ("src/out.py", "3m"),
        ("src/gone␛.py", "no such file now"),
        (TEST.rel, "no such file now"),
        (GUIDE.rel, "2h"),
    ]
    assert [row.key for row in rows] == list(reversed(handled))


async def test_what_was_in_hand_and_the_way_back(open_panel: Open) -> None:
    machine = Machine(("tmux", "wl-copy", "vim", "xdg-open"), {"WAYLAND_DISPLAY": "w", **SHOWN})
    async with open_panel(snapshot(), services=Services(machine)) as panel:
        main = panel.main

        async def handled(*rels: str) -> None:
            await panel.wait(lambda: list(main._handled) == [*rels], f"{rels} in {list(main._handled)}")

        await panel.press("B")
        assert "no document was read, copied or opened" in panel.line("#title")
        # Passing over a document is nothing; copying, reading and peeking is.
        await panel.press("down", "y")
        await handled(RETRY.rel)
        await panel.press("down", "J", "down", "space", "space")
        await handled(RETRY.rel, GUIDE.rel, TEST.rel)
        await panel.press("up", "enter", "escape")
        await handled(RETRY.rel, TEST.rel, GUIDE.rel)
        # What is refused was not done, and what is done with the workspace is not done with a document.
        await panel.press("down", "down", "o")
        await panel.wait(lambda: "outside" in panel.line("#title") or "no such" in panel.line("#title"), "no")
        await panel.press("W")
        await panel.wait(lambda: "no such folder now" in panel.line("#title"), "the refusal")
        await panel.press("P")
        await panel.wait(lambda: f"copied by wl-copy: {ROOT}" in panel.line("#title"), "the copied path")
        assert machine.fed[-1:] == [ROOT.encode()]
        await handled(RETRY.rel, TEST.rel, GUIDE.rel)
        # Back to one that is in the list.
        await panel.press("B")
        await panel.wait(lambda: isinstance(panel.app.screen, RecentScreen), "the dialog")
        rows = panel.app.screen.rows
        assert [rows.render_line(y).text.split()[-2:] for y in range(3)] == [
            [GUIDE.rel, "now"],
            [TEST.rel, "now"],
            [RETRY.rel, "now"],
        ]
        await panel.press("j", "j", "enter")
        await panel.wait(lambda: panel.app.screen is main and panel.rel == RETRY.rel, "the way back")
        assert panel.app.focused is panel.results
        # One that is in another tab is shown in the preview; the list stays.
        await panel.press("2", "B", "down", "down", "enter")
        await panel.wait(lambda: panel.app.focused is panel.preview, "the preview")
        assert main.previewed.rel == RETRY.rel and panel.rel == PINNED.rel
        assert list(main._handled)[-1] == RETRY.rel
        # One that is gone says so.
        await panel.press("escape")
        await panel.publish(snapshot(2, [each for each in PACK if each is not TEST]))
        await panel.press("B", "down", "down", "enter")
        await panel.wait(lambda: "not among the files" in panel.line("#title"), "that it is gone")
        await panel.press("B", "B")
        await panel.wait(lambda: panel.app.screen is main, "the list")
