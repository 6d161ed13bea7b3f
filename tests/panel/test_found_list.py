"""What a demanding user found wrong with the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from knit_tui.model import Controls
from tests.panel.sample import numbered, snapshot

Open = Callable[..., Any]


async def test_an_undone_exclusion_brings_the_cursor_back(open_panel: Open) -> None:
    items = numbered(40)
    rel = items[5].rel
    out = Controls(excluded=(rel,))
    first = snapshot(1, items, controls=Controls(), undoable="")
    async with open_panel(first) as panel:
        await panel.move("down", 5)
        assert panel.rel == rel
        await panel.press("x")
        await panel.publish(
            replace(snapshot(2, (*items[:5], *items[6:])), controls=out, undoable=f"exclude {rel}")
        )
        assert panel.rel != rel
        await panel.move("bottom")
        await panel.press("u")
        await panel.publish(replace(first, generation=3))
        assert panel.rel == rel and panel.results.is_visible(panel.results.cursor)
        await panel.move("down")
        await panel.publish(replace(first, generation=4, undoable="pin x"))
        assert panel.rel == items[6].rel, "only once"
