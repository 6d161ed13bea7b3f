"""The panel on the demo's workspace, without a terminal and without a clock that runs."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from textual.pilot import Pilot

from knit_tui.demo import Demo
from knit_tui.engine.changes import Change, SessionChanged, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.arrivals import Newsroom
from knit_tui.model import Snapshot
from screenshots.drawing import Line, screen_of

_LATER = 60 * 10**9
"""Nanoseconds since the files of the workspace got their ages, so that these are whole."""


class DirectHost:
    """An engine that answers in the caller's thread, so that a picture is of a known state."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._publish: Callable[[Snapshot], None] = lambda snapshot: None
        self.snapshot: Snapshot | None = None
        """What it published last."""

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        self._publish = publish
        self.send(SessionChanged())

    def send(self, *changes: Change) -> None:
        self.snapshot = self._engine.settle(changes)
        self._publish(self.snapshot)

    def attend(self) -> None:
        pass

    def stop(self) -> None:
        pass


@dataclass(slots=True)
class Stage:
    """A panel that runs, and the session beside it."""

    demo: Demo
    host: DirectHost
    app: KnitApp
    pilot: Pilot[Any]
    seconds: float = 0.0
    """The panel's clock, by which a change is news for some time. It is told what time it is."""

    async def play(self, records: int) -> None:
        """Go on with the session; the panel sees these records all at once."""
        for _ in range(records):
            self.demo.step()
        self.host.send(SessionChanged(), WorkspaceChanged())
        while self.host.snapshot is None or self.host.snapshot.session.state != "following":
            # A new session is looked for twice a second.
            await self.pilot.pause(0.1)
            self.host.send(SessionChanged())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def screen(self) -> list[Line]:
        """What is on the screen when it has come to rest: the preview and its colours arrive on their own."""
        self.app.main.say("")
        last, same = screen_of(self.app), 0
        for _ in range(300):
            await self.pilot.pause(0.02)
            now = screen_of(self.app)
            same = same + 1 if now == last else 0
            last = now
            if same == 20:
                return now
        raise SystemExit("the panel does not come to rest")


@asynccontextmanager
async def stage(
    size: tuple[int, int], theme: str = "knit-dark", language: str = "en"
) -> AsyncIterator[Stage]:
    """Open the panel on a workspace of its own, before the first record of the session."""
    os.environ |= {"KNIT_STATE_DIR": "off", "KNIT_CACHE_DIR": "off", "KNIT_CONFIG_DIR": "off"}
    use_language(language)
    now = time.time()
    with Demo(lambda: now) as demo:
        host = DirectHost(open_engine(demo.root, None, home=demo.home))
        app = KnitApp(host, now=lambda: int(now * 1e9) + _LATER, rest=0.0, theme=theme)
        async with app.run_test(size=size) as pilot:
            panel = Stage(demo, host, app, pilot)
            newsroom = app.main.state.newsroom = Newsroom(lambda: panel.seconds)
            newsroom.lasting = True
            yield panel
