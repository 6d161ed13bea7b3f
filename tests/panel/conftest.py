"""A panel driven without a terminal, an engine or a clock."""

from __future__ import annotations

import platform
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot
import textual
from textual.pilot import Pilot

from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.services import Services
from knit_tui.model import Item, Snapshot
from tests.panel import sample
from tests.panel.machine import Machine
from tests.textual_once import parse_styles_once

BASELINE = ((3, 11), "8.2.8")
"""Python and Textual the committed pictures were made with."""
_ROUNDS = 400

parse_styles_once()


class FakePreview(PreviewPane, can_focus=True):
    """A preview that reads no file and remembers what it was asked."""

    DEFAULT_CSS = "FakePreview { background: $background; }"

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Item | None] = []
        self.asked: list[tuple[str, int]] = []

    def compose(self) -> Iterator[Any]:
        return iter(())

    def show(self, root: str, item: Item | None) -> None:
        self.seen.append(item)

    def scroll_lines(self, lines: int) -> None:
        self.asked.append(("lines", lines))

    def scroll_half_page(self, direction: int) -> None:
        self.asked.append(("half", direction))

    def scroll_page(self, direction: int) -> None:
        self.asked.append(("page", direction))

    def next_match(self, direction: int) -> None:
        self.asked.append(("passage", direction))


async def wait_for(pilot: Pilot[Any], predicate: Callable[[], bool], what: str) -> None:
    """Let the app run until ``predicate`` holds; fails with ``what`` after a bounded number of rounds."""
    for _round in range(_ROUNDS):
        if predicate():
            return
        await pilot.pause(0.005)
    raise AssertionError(f"never came: {what}")


@dataclass
class Panel:
    """A running panel and what a test needs of it."""

    app: KnitApp
    host: sample.FakeHost
    pilot: Pilot[Any]
    generation: int = field(default=1)

    @property
    def main(self) -> Any:
        return self.app.main

    @property
    def results(self) -> Any:
        return self.app.main.results

    @property
    def preview(self) -> Any:
        return self.app.main.preview

    @property
    def rel(self) -> str:
        """The item under the cursor."""
        item = self.results.item
        return item.rel if item is not None else ""

    @property
    def cursor_row(self) -> int:
        """The screen line of the cursor, within the list."""
        return int(self.results.line_of(self.results.cursor)) - int(self.results.top)

    def line(self, selector: str) -> str:
        """What a one-line widget says."""
        return self.app.main.query_one(selector).render_line(0).text

    def list_lines(self) -> list[str]:
        """The visible lines of the list."""
        return [self.results.render_line(y).text for y in range(self.results.page)]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def move(self, where: str, times: int = 1) -> None:
        """What the key of a movement does, without the pauses of a pressed key."""
        for _time in range(times):
            await self.main.run_action(f"move({where!r})")
        await self.pilot.pause(0.005)

    async def wait(self, predicate: Callable[[], bool], what: str) -> None:
        await wait_for(self.pilot, predicate, what)

    async def publish(self, snapshot: Snapshot) -> None:
        """Publish, and wait until the panel has taken it in."""
        self.host.publish(snapshot)
        await self.wait(lambda: self.main.state.latest is snapshot, "the snapshot")
        await self.pilot.pause(0.005)


@pytest.fixture
def open_panel() -> Callable[..., Any]:
    """``async with open_panel(snapshot, size=…, rest=…) as panel``."""

    @asynccontextmanager
    async def opened(
        snapshot: Snapshot | None = None,
        *,
        size: tuple[int, int] = (120, 40),
        rest: float = 60.0,
        theme: str = "knit-dark",
        services: Services | None = None,
    ) -> AsyncIterator[Panel]:
        host = sample.FakeHost(snapshot)
        services = services or Services(Machine())
        app = KnitApp(host, now=sample.now, rest=rest, theme=theme, preview=FakePreview, services=services)
        async with app.run_test(size=size, notifications=True) as pilot:
            panel = Panel(app, host, pilot)
            await panel.wait(lambda: host.started == 1, "the start of the engine")
            if snapshot is not None:
                await panel.wait(lambda: app.main.state.latest is snapshot, "the first snapshot")
                await pilot.pause()
            yield panel

    return opened


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "COLUMNS", "LINES", "TEXTUAL_THEME", "TEXTUAL_FILTERS", "LANGUAGE", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class _Pictures(pytest_textual_snapshot.SVGImageExtension):
    """Pictures lie in the folder ``snapshots`` at the top, by file and name of their test."""

    @classmethod
    def dirname(cls, *, test_location: Any) -> str:
        return str(Path(__file__).resolve().parents[2] / "snapshots" / test_location.basename)


@pytest.fixture
def picture(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """``snap_compare`` for the pictures of the panel; only the baseline may compare or refresh them."""
    here = (sys.version_info[:2], textual.__version__)
    if here != BASELINE:
        reason = f"pictures belong to Python {BASELINE[0]} and Textual {BASELINE[1]}, this is {here}"
        if request.config.option.update_snapshots:
            pytest.fail(reason)
        pytest.skip(reason)
    if platform.system() != "Linux":
        pytest.skip("pictures are compared on Linux")
    monkeypatch.setattr(pytest_textual_snapshot, "SVGImageExtension", _Pictures)
    compare: Callable[..., bool] = request.getfixturevalue("snap_compare")
    return compare
