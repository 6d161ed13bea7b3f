"""The panel as a Textual application: themes, the engine's life, and a clean end."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from knit_tui.config import Settings
from knit_tui.engine.changes import Change
from knit_tui.faces.tui.actions import ACTIONS, Action, actions_now, bindings
from knit_tui.faces.tui.messages import EngineFailed, Host, SnapshotReady
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.screens.main import NARROW, TALL, WIDE, MainScreen
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.terminal import HANGUP, Lifeline, prepare_terminal
from knit_tui.faces.tui.theme import THEMES, own_variables
from knit_tui.faces.usage_words import use_ascii
from knit_tui.model import Notice, Snapshot

_REST_SECONDS = 1.5
_WIDTHS = [(0, "-narrow"), (NARROW, "-stacked"), (WIDE, "-wide")]
_HEIGHTS = [(0, "-short"), (TALL, "-tall")]


class KnitApp(App[None], inherit_bindings=False):
    """Shows what a host publishes and sends it what the user does.

    Args:
        host: The engine.
        now: The time for relative ages, in nanoseconds since the epoch.
        rest: Seconds without a movement after which a new order may be shown.
        theme: Name of a theme.
        preview: Makes the preview.
        services: Runs other programs.
        notices: What bites as long as the panel runs.
    """

    TITLE = "knit"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = _WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        host: Host,
        *,
        now: Callable[[], int] = time.time_ns,
        rest: float = _REST_SECONDS,
        theme: str = "knit-dark",
        preview: Callable[[], PreviewPane] = PreviewPane,
        services: Services | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        self._host = host
        self._started = False
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme if theme in self.available_themes else "knit-dark"
        self.main = _with_keys(actions_now())(self.send, now, rest, preview)
        self.main.state.lasting = notices
        self.main.services = services or Services()
        self._away = False
        self._latest: Snapshot | None = None

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return {**own_variables(variables), **variables}

    def get_default_screen(self) -> Screen[None]:
        return self.main

    def on_mount(self) -> None:
        # After Ctrl+Z and fg the terminal is blank, and Textual paints only what changes from then on.
        self.app_resume_signal.subscribe(self, lambda _app: self.refresh(layout=True))
        self.call_after_refresh(self._start_host)

    def _start_host(self) -> None:
        self._started = True
        self._host.start(self._publish, self._failed)

    def _publish(self, snapshot: Snapshot) -> None:
        self._latest = snapshot
        if not self._away:
            self.post_message(SnapshotReady(snapshot))

    def _failed(self, error: str) -> None:
        self.post_message(EngineFailed(error))

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Leave the terminal to another program; of the snapshots that come meanwhile the last counts."""
        self._away = True
        try:
            with super().suspend():
                yield
        finally:
            self._away = False
            if self._latest is not None:
                self.post_message(SnapshotReady(self._latest))

    def send(self, change: Change) -> None:
        """Tell the engine what the user did."""
        if self._started:
            self._host.send(change)

    @on(SnapshotReady)
    def _receive(self, event: SnapshotReady) -> None:
        self.main.receive(event.snapshot)

    @on(EngineFailed)
    def _fail(self, event: EngineFailed) -> None:
        self.main.fail(event.error)

    def on_unmount(self) -> None:
        if self._started:
            self._host.stop()


def _with_keys(actions: tuple[Action, ...]) -> type[MainScreen]:
    """The screen, bound to the keys of ``actions``."""
    if actions is ACTIONS:
        return MainScreen

    class ReboundScreen(MainScreen, inherit_bindings=False):
        BINDINGS = bindings(actions)

    return ReboundScreen


def run_panel(host: Host, settings: Settings | None = None, notices: tuple[Notice, ...] = ()) -> int:
    """Run the panel until the user leaves, the terminal goes away or a signal ends it.

    Args:
        host: The engine.
        settings: How it looks and listens; the keys are those of `actions_now`.
        notices: What bites as long as the panel runs.

    Returns:
        The exit code: 0, or 128 and the number of the signal.
    """
    wanted = (settings or Settings()).panel
    prepare_terminal()
    if wanted.ascii:
        use_ascii(True)
    services = Services(editor=(settings or Settings()).editor)
    app = KnitApp(host, theme=wanted.theme, notices=notices, services=services)
    return asyncio.run(_run(app, mouse=wanted.mouse))


async def _run(app: KnitApp, *, mouse: bool) -> int:
    loop = asyncio.get_running_loop()
    code = 0

    def leave(with_code: int) -> None:
        nonlocal code
        code = with_code
        app.exit()

    lifeline = Lifeline(lambda: loop.call_soon_threadsafe(leave, HANGUP))

    def leave_soon(number: int) -> None:
        leave(128 + number)
        lifeline.end_soon()

    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, leave_soon, number)
        lifeline.start()
    try:
        await app.run_async(mouse=mouse)
    finally:
        lifeline.release()
    return code or app.return_code or 0
