"""What the user chooses to see: the tab, the order, the filter, the session."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.widgets import Input

from knit_tui.engine.changes import Follow
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.screens.picturing import PicturingScreen
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.faces.tui.widgets.result_list import Place
from knit_tui.model import Mode, Tab

if TYPE_CHECKING:
    from knit_tui.faces.tui.screens.sessions import Choice, SessionScreen

_TABS = tuple(Tab)


class ChoosingScreen(PicturingScreen, inherit_bindings=False):
    """A screen over one of several views of the same snapshot."""

    _now: Callable[[], int]

    def __init__(self) -> None:
        super().__init__()
        self._touched = float("-inf")
        """When the user last moved, by the monotonic clock."""
        self._places: dict[tuple[Tab, bool], Place] = {}
        self._picker: SessionScreen | None = None

    # What the screen over it has

    def update_bars(self) -> None:
        raise NotImplementedError

    def _show_list(self, place: Place | None = None) -> None:
        raise NotImplementedError

    def _release(self) -> bool:
        raise NotImplementedError

    # The filter

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        event.stop()
        if event.value == self.state.filter:
            return
        self._touched = time.monotonic()
        self.state.release()
        self.state.filter = event.value
        self._show_list()
        self.update_bars()

    @on(Input.Submitted)
    def _keep_filter(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_filter_keep()

    def action_filter_open(self) -> None:
        self.remove_class("-reading")
        self.add_class("-filtering")
        self.turn_to(self.query_one(LineInput))

    def action_filter_keep(self) -> None:
        self._leave_filter()

    def _leave_filter(self) -> None:
        self.remove_class("-filtering")
        self.turn_to(self.results)

    def on_descendant_focus(self) -> None:
        if self.focused not in (None, self.query_one(LineInput)):
            self.remove_class("-filtering")

    # Views

    def _choose(self, tab: Tab, by_time: bool) -> None:
        state = self.state
        self._places[state.tab, state.by_time] = self.results.place()
        state.release()
        state.tab, state.by_time = tab, by_time
        self._show_list(self._places.get((tab, by_time), Place()))
        self.update_bars()

    def action_tab(self, name: str) -> None:
        step = {"next": 1, "previous": -1}.get(name)
        if step is None:
            self._choose(Tab(name), self.state.by_time)
        else:
            self._choose(_TABS[(_TABS.index(self.state.tab) + step) % len(_TABS)], self.state.by_time)

    def action_view_sort(self) -> None:
        view = self.state.view(self.state.shown)
        if view is not None and view.mode is Mode.RELEVANCE:
            self._choose(self.state.tab, not self.state.by_time)

    def action_view_refresh(self) -> None:
        if not self._release():
            self.action_view_rescan()

    # The session

    def action_session_choose(self) -> None:
        from knit_tui.faces.tui.screens.sessions import SessionScreen

        latest = self.state.latest
        if latest is None:
            return
        if latest.session.state == "off" or (latest.session.how == "option" and not latest.sessions):
            self.say(_("the session was set by --session"))
            return
        screen = SessionScreen(latest.sessions, self._now)
        self._picker = screen
        self.app.push_screen(screen, self._follow_chosen)

    def _follow_chosen(self, choice: Choice | None) -> None:
        self._picker = None
        if choice is not None:
            self._send(Follow(choice.key))
