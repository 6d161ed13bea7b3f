"""The panel as a Textual application: themes, the engine's life, and a clean end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from textual import events, on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen

from knit_tui.config import Settings
from knit_tui.engine.changes import Change
from knit_tui.faces.tui.actions import actions_now, bindings
from knit_tui.faces.tui.background import Question, dark_by
from knit_tui.faces.tui.filters import ASCII, WEIGHTS
from knit_tui.faces.tui.messages import EngineFailed, Host, SnapshotReady
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.registry import ACTIONS, Action
from knit_tui.faces.tui.screens.main import MainScreen
from knit_tui.faces.tui.services import Services
from knit_tui.faces.tui.terminal import HANGUP, Lifeline, prepare_terminal
from knit_tui.faces.tui.theme import THEMES, chosen, own_variables
from knit_tui.faces.usage_words import in_ascii, use_ascii
from knit_tui.model import Notice, Snapshot
from knit_tui.panel_state import load, newcomer

_REST_SECONDS = 1.5
_LEAVE_SECONDS = 5.0
"""For an orderly end of what the panel started, the engine among it."""


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
        question: What the terminal was asked about its background, for the theme ``auto``.
    """

    TITLE = "knit"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
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
        notices: Callable[[], tuple[Notice, ...]] = tuple,
        question: Question | None = None,
    ) -> None:
        # Without colours at all those of a theme are not to be had either, not even as greys.
        super().__init__(driver_class=_driver(question), ansi_color="NO_COLOR" in os.environ or None)
        self.animation_level = "none"
        self._host = host
        self._started = False
        self._early: list[Change] = []
        for each in THEMES:
            self.register_theme(each)
        self.question = question
        self._dark = dark_by(question, os.environ)
        self.use_theme(theme)
        self.main = _with_keys(actions_now())(self.send, now, rest, preview)
        self.main.state.lasting = notices
        self.main.services = services or Services()
        self._away = False
        self._latest: Snapshot | None = None
        self.leaving: Callable[[], object] = lambda: None
        """Called when the panel is told to end."""

    def use_theme(self, name: str) -> None:
        """Take on the theme ``name``, or for ``auto`` the one that fits the terminal."""
        self.wanted_theme = name
        colours = None if self.no_color else self.console.color_system
        name = chosen(name, dark=self._dark, colours=colours)
        self.theme = name if name in self.available_themes else "knit-dark"

    def know_background(self, dark: bool) -> None:
        """The terminal has said late what its background is."""
        self._dark = dark
        self.use_theme(self.wanted_theme)

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        return variables | own_variables(self.current_theme, variables)

    def refresh_css(self, animate: bool = True) -> None:
        if self.screen_stack:
            super().refresh_css(animate)
        else:  # for the theme it begins with, when nothing has been read yet: it would all be read twice
            self.stylesheet.set_variables(self.get_css_variables())

    def get_line_filters(self) -> Sequence[LineFilter]:
        own = [each for each, on in ((WEIGHTS, self.native_ansi_color), (ASCII, in_ascii())) if on]
        return [*own, *super().get_line_filters()]

    def get_default_screen(self) -> Screen[None]:
        return self.main

    def on_mount(self) -> None:
        # After Ctrl+Z and fg the terminal is blank, and Textual paints only what changes from then on.
        self.app_resume_signal.subscribe(self, lambda _app: self.refresh(layout=True))
        self.call_after_refresh(self._start_host)

    def _start_host(self) -> None:
        self._started = True
        self._host.start(self._publish, self._failed)
        for change in self._early:
            self._host.send(change)

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

    def exit(self, *args: Any, **kwargs: Any) -> None:
        self.leaving()
        super().exit(*args, **kwargs)

    def send(self, change: Change) -> None:
        """Tell the engine what the user did; it may not have begun yet."""
        if self._started:
            self._host.send(change)
        else:
            self._early.append(change)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            self._host.attend()
        await super().on_event(event)

    @on(SnapshotReady)
    def _receive(self, event: SnapshotReady) -> None:
        if self.is_running:  # at the end the widgets go first
            self.main.receive(event.snapshot)

    @on(EngineFailed)
    def _fail(self, event: EngineFailed) -> None:
        if self.is_running:
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


def _driver(question: Question | None) -> type[Driver] | None:
    """What reads the terminal, where it is not the library's own."""
    if question is None:
        return None
    from knit_tui.faces.tui.driver import AnsweredDriver

    return AnsweredDriver


def run_panel(
    host: Host,
    settings: Settings | None = None,
    notices: Callable[[], tuple[Notice, ...]] = tuple,
    question: Question | None = None,
) -> int:
    """Run the panel until the user leaves, the terminal goes away or a signal ends it.

    Args:
        host: The engine.
        settings: How it looks and listens; the keys are those of `actions_now`.
        notices: What bites as long as the panel runs.
        question: What the terminal was asked about its background.

    Returns:
        The exit code: 0, or 128 and the number of the signal.
    """
    wanted = (settings or Settings()).panel
    prepare_terminal()
    if wanted.ascii:
        use_ascii(True)
    services = Services(editor=(settings or Settings()).editor)
    app = KnitApp(host, theme=wanted.theme, notices=notices, services=services, question=question)
    app.main.restore(load(), compact=wanted.compact)
    app.main.welcoming = wanted.hints and newcomer()
    app.main.language = wanted.language
    app.main.state.newsroom.lasting = not wanted.motion
    return asyncio.run(_run(app, mouse=wanted.mouse))


async def _run(app: KnitApp, *, mouse: bool) -> int:
    """Run the panel; whatever it leaves running has two seconds then before the process is ended."""
    loop = asyncio.get_running_loop()
    code = 0

    def leave(with_code: int) -> None:
        nonlocal code
        code = with_code
        app.exit()

    def leave_soon(with_code: int) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(leave, with_code)

    lifeline = Lifeline(lambda: leave_soon(HANGUP))

    def told(number: int, _frame: object) -> None:
        # Not a handler of the loop: the process is to end also when the loop is stuck.
        lifeline.end_soon(128 + number)
        leave_soon(128 + number)

    told_by = (signal.SIGTERM, signal.SIGHUP) if sys.platform != "win32" else ()
    for number in told_by:
        signal.signal(number, told)
    if told_by:
        app.leaving = lambda: lifeline.end_soon(code, _LEAVE_SECONDS)
        lifeline.start()
    try:
        await app.run_async(mouse=mouse)
    finally:
        code = code or app.return_code or 0
        lifeline.end_soon(code)
        for number in told_by:
            signal.signal(number, signal.SIG_DFL)
    return code
