"""What a new order of many rows costs the panel, beside OptionList with the same rows."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

from textual.app import App, ComposeResult
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


class _NoHost:
    """A host that does nothing: the snapshots are given by hand."""

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        pass

    def send(self, change: Change) -> None:
        pass

    def stop(self) -> None:
        pass


class _Options(App[None]):
    def compose(self) -> ComposeResult:
        yield OptionList()


def apply_rows() -> list[Row]:
    """CPU seconds from a new order to a drawn screen, median of several."""
    ours = asyncio.run(_ours())
    peer = asyncio.run(_peer())
    what = f"apply and draw a new order, {ROWS:,} rows"
    return [Row(what, f"{ours * 1e3:.1f} ms", f"OptionList {peer * 1e3:.0f} ms", ratio(ours, peer), "15 ms")]


async def _ours() -> float:
    app = KnitApp(_NoHost())
    items = [_item(number) for number in range(ROWS)]
    snapshots = [_snapshot(turn + 1, items[turn:] + items[:turn]) for turn in range(_TIMES + 1)]
    async with app.run_test(size=(100, 40)) as pilot:
        app.main.receive(snapshots[0])
        await pilot.pause()

        async def step(turn: int) -> None:
            app.main.receive(snapshots[turn + 1])
            await pilot.pause()

        return await _median(step)


async def _peer() -> float:
    app = _Options()
    names = [f"{number}  src/part{number % 97}/file_{number}.py\n   text: retry" for number in range(ROWS)]
    async with app.run_test(size=(100, 40)) as pilot:
        options = app.query_one(OptionList)

        async def step(turn: int) -> None:
            options.clear_options()
            options.add_options(names[turn:] + names[:turn])
            await pilot.pause()

        await step(0)
        return await _median(step)


async def _median(step: Callable[[int], Awaitable[None]]) -> float:
    taken = []
    for turn in range(_TIMES):
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
