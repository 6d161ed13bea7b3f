"""A glance at the document under the cursor, while the list keeps the focus."""

from __future__ import annotations

from textual import events, on
from textual.containers import Container

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.screens.asking import AskingScreen
from knit_tui.faces.tui.widgets.hint_bar import HintBar
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.peek import Peek
from knit_tui.faces.tui.widgets.result_list import ResultList

_LEAST = 2
"""Lines from which a glance tells anything."""


class PeekingScreen(AskingScreen, inherit_bindings=False):
    """A screen with a box over its list that follows the cursor."""

    def _await_rest(self) -> None:
        raise NotImplementedError

    @property
    def peek(self) -> Peek:
        return self.query_one(Peek)

    @property
    def peeking(self) -> bool:
        """Whether the user looks at a document in the box: the order waits for that as for reading."""
        return self.peek.item is not None

    def action_item_peek(self) -> None:
        if self.close_peek():
            return
        if self.focused is not self.results:
            self.say(_("only a document of the list can be peeked at"))
        else:
            self._peek(opened=True)
            if self.peeking and not self._placed():
                self.close_peek()
                self.say(_("the list is too low to peek over it"))

    def close_peek(self) -> bool:
        """Close the box; whether it was open."""
        if not self.peeking:
            return False
        self.peek.forget()
        self.peek.display = False
        if self.state.holding:
            self._await_rest()
        return True

    def _peek(self, *, opened: bool = False) -> None:
        """Show what is under the cursor now, if the box is open."""
        latest, item, before = self.state.latest, self.results.item, self.peek.item
        if before is None and not opened:
            return
        if latest is None or item is None:
            self.close_peek()
            return
        if before is None or before.rel != item.rel:
            self.remember(item.rel)
        self.peek.show(latest.root, item, self.preview.sizes.get(item))

    @on(ResultList.Highlighted)
    def _peek_at_another(self, event: ResultList.Highlighted) -> None:
        event.stop()
        self._peek()

    @on(PreviewPane.Measured)
    def _peek_at_its_size(self, event: PreviewPane.Measured) -> None:
        event.stop()
        self._peek()

    @on(Peek.Grown)
    def _fit_peek(self, event: Peek.Grown) -> None:
        event.stop()
        self._placed()

    @on(LineList.Touched)
    def _move_peek(self, event: LineList.Touched) -> None:
        event.stop()
        self._placed()

    def on_mount(self) -> None:
        self.screen_layout_refresh_signal.subscribe(self, lambda _screen: self._placed())

    def on_descendant_focus(self) -> None:
        if self.focused is not self.results:
            self.close_peek()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self.peeking:
            widget, _region = self.get_widget_at(event.screen_x, event.screen_y)
            if not isinstance(widget, (Peek, HintBar)):
                self.close_peek()

    def _placed(self) -> bool:
        """Put the box at the edge of the list where it leaves the cursor in sight; whether it has room."""
        if not self.peeking:
            return False
        peek, results = self.peek, self.results
        page, row = results.page, results.cursor
        first, end = results.line_of(row) - results.top, results.end_of(row) - results.top
        below, above = page - max(0, end), min(page, first)
        if not 0 <= first < page:
            below, above = page, page
        room = {False: below, True: above}
        if room[peek.above] < min(peek.wanted_height, room[not peek.above]):
            peek.above = not peek.above
        height = min(peek.wanted_height, room[peek.above])
        peek.display = bool(results.region) and height >= _LEAST + peek.above
        body = self.query_one("#body", Container).region.offset
        corner = results.region.offset - body
        peek.styles.width, peek.styles.height = results.region.width, max(1, height)
        peek.styles.offset = (corner.x, corner.y + (0 if peek.above else page - height))
        return peek.display
