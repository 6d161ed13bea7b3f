"""What a new order and a new size cost the panel with many rows, beside OptionList with the same rows."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import OptionList

from eval.measure import Row, ratio
from knit_tui.engine.changes import Change
from knit_tui.faces.tui.app import KnitApp
from knit_tui.model import (
    Access,
    Item,
    Kind,
    Mode,
    Query,
    QueryTerm,
    Reason,
    SessionStatus,
    Snapshot,
    Tab,
    View,
)

ROWS = 10_000
_TIMES = 7
_SIZE = (100, 40)


class _NoHost:
    """A host that does nothing: the snapshots are given by hand."""

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        pass

    def send(self, change: Change) -> None:
        pass

    def attend(self) -> None:
        pass

    def stop(self) -> None:
        pass


class _Options(App[None]):
    def compose(self) -> ComposeResult:
        yield OptionList()


def apply_rows(rows: int = ROWS, times: int = _TIMES) -> list[Row]:
    """CPU seconds from a new order, and from a new width, to a drawn screen, median of several."""
    ours = asyncio.run(_ours(rows, times))
    peer = asyncio.run(_peer(rows, times))
    return [
        Row(
            f"{what}, {rows:,} rows", f"{a * 1e3:.1f} ms", f"OptionList {b * 1e3:.0f} ms", ratio(a, b), budget
        )
        for what, a, b, budget in zip(
            ("apply and draw a new order", "resize"), ours, peer, ("15 ms at 10,000", "25 ms"), strict=True
        )
    ]


async def _ours(rows: int, times: int) -> tuple[float, float]:
    app = KnitApp(_NoHost())
    items = [_item(number) for number in range(rows)]
    snapshots = [_snapshot(turn + 1, items[turn:] + items[:turn]) for turn in range(times + 1)]
    async with app.run_test(size=_SIZE) as pilot:
        app.main.receive(snapshots[0])
        await pilot.pause()

        async def step(turn: int) -> None:
            app.main.receive(snapshots[turn + 1])
            await pilot.pause()

        return await _median(step, times), await _resizing(pilot, times)


async def _peer(rows: int, times: int) -> tuple[float, float]:
    app = _Options()
    names = [f"{number}  src/part{number % 97}/file_{number}.py\n   text: retry" for number in range(rows)]
    async with app.run_test(size=_SIZE) as pilot:
        options = app.query_one(OptionList)

        async def step(turn: int) -> None:
            options.clear_options()
            options.add_options(names[turn:] + names[:turn])
            await pilot.pause()

        await step(0)
        return await _median(step, times), await _resizing(pilot, times)


async def _resizing(pilot: Pilot[None], times: int) -> float:
    async def step(turn: int) -> None:
        await pilot.resize_terminal(_SIZE[0] - 1 - turn % 2, _SIZE[1])

    return await _median(step, times)


async def _median(step: Callable[[int], Awaitable[None]], times: int) -> float:
    taken = []
    for turn in range(times):
        start = time.process_time()
        await step(turn)
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def _item(number: int) -> Item:
    rel = f"src/part{number % 97}/file_{number}.py"
    name = rel.rpartition("/")[2]
    return Item(
        rel, Kind.CODE, "python", Access.TEXT, name, "", 1_000, number, reason=Reason("body", ("retry",))
    )


def _snapshot(generation: int, items: Sequence[Item]) -> Snapshot:
    rows = tuple(items)
    views = {tab: View(tab, Mode.RELEVANCE, rows, rows, len(rows), len(rows)) for tab in Tab}
    query = Query((QueryTerm("retry", 1.0),), task="retry")
    return Snapshot(generation, "/", True, query, views, SessionStatus("off"))
