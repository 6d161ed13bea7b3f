"""The one screen of the panel: bars, list and preview, and what the keys do to them."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer
from textual.widget import Widget

from knit_tui.engine.changes import Change
from knit_tui.faces.tui.actions import bindings
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.screens.moves import MOVES, SCROLLS
from knit_tui.faces.tui.screens.speaking import SpeakingScreen
from knit_tui.faces.tui.state import PanelState, Verdict
from knit_tui.faces.tui.widgets.divider import Divider
from knit_tui.faces.tui.widgets.filter_bar import FilterBar, LineInput
from knit_tui.faces.tui.widgets.hint_bar import HintBar
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.newcomer import Newcomer
from knit_tui.faces.tui.widgets.noted_hints import NotedHints
from knit_tui.faces.tui.widgets.notice_bar import NoticeBar
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.faces.tui.widgets.peek import Peek
from knit_tui.faces.tui.widgets.result_list import Place, ResultList
from knit_tui.faces.tui.widgets.summary_bar import SummaryBar
from knit_tui.faces.tui.widgets.tab_bar import TabBar
from knit_tui.faces.tui.widgets.task_bar import TaskBar
from knit_tui.faces.tui.widgets.title_bar import TitleBar
from knit_tui.faces.tui.widgets.usage_lens import UsageLens
from knit_tui.model import Snapshot

_PREVIEW_DELAY = 0.03
_PREVIEW_PAUSE = 0.1
"""From one document in the preview to the next while the cursor runs on."""
_MESSAGE_SECONDS = 4.0
_AGES_SECONDS = 30.0


class MainScreen(SpeakingScreen, inherit_bindings=False):
    """Shows what ``PanelState`` says and turns keys and clicks into changes of it."""

    AUTO_FOCUS = "ResultList"
    BINDINGS = bindings()

    def __init__(
        self,
        send: Callable[[Change], None],
        now: Callable[[], int],
        rest: float,
        preview: Callable[[], PreviewPane],
    ) -> None:
        super().__init__()
        self.state = PanelState()
        self._send = send
        self._now = now
        self._rest = rest
        self._make_preview = preview
        self._where = "list"
        self._rest_timer: Timer | None = None
        self._message_timer: Timer | None = None
        self._preview_timer: Timer | None = None
        self._previewed_at = float("-inf")

    def compose(self) -> ComposeResult:
        self.classify(update=False)
        yield TitleBar(id="title")
        yield TabBar(id="tabs")
        yield FilterBar(id="filter")
        yield TaskBar(id="task")
        yield NoticeBar(id="notices")
        with Container(id="body"):
            yield ResultList(self._now, id="results")
            yield Divider(id="divider")
            pane = self._make_preview()
            pane.id = "preview"
            yield pane
            yield UsageLens(self._now, id="usage")
            yield Peek(id="peek")
        yield Newcomer(id="newcomer")
        yield SummaryBar(id="summary")
        yield NotedHints(id="hints")

    def on_mount(self) -> None:
        self.set_interval(_AGES_SECONDS, self.results.tick)
        self.update_bars()

    @property
    def preview(self) -> PreviewPane:
        return self.query_one(PreviewPane)

    # Snapshots

    def receive(self, snapshot: Snapshot) -> None:
        """Show a snapshot, or hold its order back while the user moves or reads."""
        verdict = self.state.offer(snapshot, busy=self._busy())
        if verdict is Verdict.IGNORED:
            return
        if snapshot.present:
            self.state.failure = ""
        if self._picker is not None:
            self._picker.show(snapshot.sessions)
        with self.app.batch_update():
            if verdict in (Verdict.SHOWN, Verdict.ANSWERED):
                self._show_list(Place() if verdict is Verdict.ANSWERED else None)
            elif verdict is Verdict.HELD:
                self.results.freshen(self.state.coming().items)
                self._await_rest()
            self.results.set_class(self.state.gone, "-gone")
            self.update_bars()

    def fail(self, error: str) -> None:
        """Say that the engine could not go on; the list stays."""
        self.state.failure = error
        self.update_bars()

    def update_bars(self) -> None:
        """Bring every line around the list up to date."""
        state = self.state
        self.query_one(TitleBar).show(state.standing(self._message))
        tabs = state.tabs()
        self.query_one(TabBar).show(tabs)
        self.query_one(FilterBar).show(*tabs.found)
        self.query_one(NoticeBar).show(state.notices(), state.session_trouble())
        self.results.say(state.empty())
        self.show_usage()
        self.show_facts()
        self._update_hints()

    def _show_list(self, place: Place | None = None) -> None:
        self.results.show(self.state.listing(), place, self.state.news())

    def _busy(self) -> bool:
        return self._reading() or self.peeking or time.monotonic() - self._touched < self._rest

    def _reading(self) -> bool:
        focused = self.focused
        return focused is not None and self.preview in focused.ancestors_with_self

    def _await_rest(self) -> None:
        if self._rest_timer is None:
            left = max(0.0, self._touched + self._rest - time.monotonic())
            self._rest_timer = self.set_timer(left + 0.01, self._rested)

    def _rested(self) -> None:
        self._rest_timer = None
        if not self.state.holding or self._reading() or self.peeking:
            return
        if self._busy():
            self._await_rest()
        else:
            self._release()

    def _release(self) -> bool:
        released = self.state.release()
        if released:
            with self.app.batch_update():
                self._show_list()
                self.update_bars()
        return released

    def say(self, message: str) -> None:
        """Show the result of an action in the title for a few seconds; ``message`` is safe text."""
        if self._message_timer is not None:
            self._message_timer.stop()
        self._message = message
        self._message_timer = self.set_timer(_MESSAGE_SECONDS, self._hush)
        self.update_bars()

    def _hush(self) -> None:
        self._message = ""
        self._message_timer = None
        self.update_bars()

    # Events

    @on(LineList.Touched)
    def _note_touch(self, event: LineList.Touched) -> None:
        event.stop()
        self._touched = time.monotonic()
        if self.in_lens:
            self._update_hints()

    @on(ResultList.Highlighted)
    def _preview_soon(self, event: ResultList.Highlighted) -> None:
        event.stop()
        if self._preview_timer is None:
            wait = max(_PREVIEW_DELAY, self._previewed_at + _PREVIEW_PAUSE - time.monotonic())
            self._preview_timer = self.set_timer(wait, self._show_preview)
        self._update_hints()

    def _show_preview(self) -> None:
        self._preview_timer = None
        self._previewed_at = time.monotonic()
        shown = self.state.shown
        if shown is not None and (not self.compact or self.has_class("-reading")):
            self.preview.mapped = bool(self.source_map())
            self.preview.show(shown.root, self.previewed)

    @on(ResultList.Aged)
    def _tell_news(self, event: ResultList.Aged) -> None:
        event.stop()
        self.results.tell(self.state.news())

    @on(LineList.Activated)
    def _open(self, event: LineList.Activated) -> None:
        event.stop()
        self.action_preview_open()

    @on(OneLine.Pressed)
    async def _press(self, event: OneLine.Pressed) -> None:
        event.stop()
        await self.do(event.action)

    def turn_to(self, widget: Widget) -> None:
        super().turn_to(widget)
        self._note_where()

    def _note_where(self) -> None:
        focused = self.focused
        if isinstance(focused, LineInput):
            self._where = "task" if focused is self.task_bar.input else "filter"
        elif focused is not None:
            self._where = "preview" if self._reading() else "lens" if self.in_lens else "list"

    def on_descendant_focus(self) -> None:
        self._note_where()
        if self.state.holding and not self._reading():
            self._await_rest()
        self._update_hints()

    def on_descendant_blur(self) -> None:
        if self.state.holding:
            self._await_rest()

    def _update_hints(self) -> None:
        self.query_one(HintBar).show(self._where, frozenset(self._useless()))
        self.show_notes()

    # Movement

    def action_move(self, where: str) -> None:
        """Move in whatever has the focus; while a filter is typed, in the list."""
        self._touched = time.monotonic()
        on_list, on_preview = MOVES[where]
        if self.move_in_lens(where):
            return
        if self._reading():
            on_preview(self.preview)
        else:
            on_list(self.results)

    def action_scroll(self, where: str) -> None:
        """Move in the preview, wherever the focus is."""
        self._touched = time.monotonic()
        SCROLLS[where](self.preview)
        if self.previewed is not None:
            self.remember(self.previewed.rel)

    # List and preview

    def action_preview_open(self) -> None:
        if self.in_lens:
            self.lens.rows.lead()
            return
        if self.results.item is None or self.follow_evidence():
            return
        if self.compact:
            self.add_class("-reading")
            self._show_preview()
        self.focus_preview()

    def action_focus_preview(self) -> None:
        if self._reading():
            self.preview.scroll_columns(1)
        elif self._where not in ("filter", "task"):
            self.action_preview_open()

    def action_focus_list(self) -> None:
        if not (self._reading() and self.preview.scroll_columns(-1)):
            self.go_to_list()

    def go_to_list(self) -> None:
        self.remove_class("-reading")
        self.turn_to(self.results)

    def action_focus_next(self) -> None:
        if self.focused is self.results:
            self.action_preview_open()
        elif not (self._reading() and self.focus_lens()):
            self._leave_filter()
            self.go_to_list()

    def action_panel_back(self) -> None:
        if self.leave_task() or self.close_peek():
            return
        if self._where == "filter":
            value = self.query_one(LineInput)
            if value.value:
                value.value = ""
            else:
                self._leave_filter()
        elif self.leave_zoom():
            return
        elif self._where in ("preview", "lens"):
            self.go_to_list()
        elif self.state.filter:
            self.query_one(LineInput).value = ""
        else:
            self.close_hints()

    # The panel

    def action_panel_suspend(self) -> None:
        self.app.action_suspend_process()

    def action_panel_quit(self) -> None:
        self.app.exit()
