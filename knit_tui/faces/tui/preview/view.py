"""The scrolled part of the preview: text with line numbers, band, marks and colours; or a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.preview.card import card_strip
from knit_tui.faces.tui.preview.colours import Colours, carried
from knit_tui.faces.tui.preview.document import Card, Document
from knit_tui.faces.tui.preview.drawing import Drawing
from knit_tui.faces.tui.preview.highlight import LIMIT, Answer, Highlighter, Job
from knit_tui.faces.tui.preview.layout import Layout
from knit_tui.faces.tui.preview.moving import NOTHING, MovingView, kept
from knit_tui.faces.tui.preview.palette import PREFIX, VIEW_CLASSES, VIEW_CSS, Inks
from knit_tui.faces.tui.preview.stops import Stop

_REST = 0.3
"""Seconds without scrolling before the whole text is highlighted."""


class PreviewView(MovingView, Inked):
    """One document or card. Lines are drawn as they come into sight; colours arrive later."""

    DEFAULT_CSS = VIEW_CSS
    COMPONENT_CLASSES: ClassVar[set[str]] = set(VIEW_CLASSES)
    ALLOW_SELECT = False

    class Reframed(Message):
        """The size or the colours of the content are others, so that a picture must be made anew."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PreviewView.Reframed)

    class Coloured(Message):
        """Colours, or a fault, for a job of this view."""

        def __init__(self, answer: Answer) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, *, command: Sequence[str] | None = None, limit: float = LIMIT) -> None:
        """``command`` runs the highlighter's process instead of the usual one; ``limit`` is in seconds."""
        super().__init__()
        self._card: Card | None = None
        self._colours: Colours | None = None
        self._file: object = None
        self._plain_files: set[object] = set()
        self._highlighter = Highlighter(self._answered, command=command, limit=limit)
        self._rest: Timer | None = None
        self._inks = Inks(self, PREFIX)
        self._drawn_width = 0

    # What is shown

    @property
    def card(self) -> Card | None:
        return self._card

    @property
    def colours_failed(self) -> bool:
        """Whether this document has a language and yet stays plain, in part at least."""
        document, colours = self._document, self._colours
        return document is not None and document.language is not None and bool(colours and colours.failed)

    @property
    def highlighter(self) -> Highlighter:
        return self._highlighter

    def show_card(self, card: Card | None) -> None:
        """Show ``card``, or nothing at all."""
        self._document, self._colours, self._card, self._file = None, None, card, None
        self._stop = self._place = None
        self._column = 0
        self.unselect()
        self._layout = Layout(NOTHING)
        self._highlighter.want(())
        self._set_rows(1)
        self._jump(0)

    def open(
        self, file: object, document: Document, *, top: int | None = None, stop: Stop | None = None
    ) -> None:
        """Show a file from line ``top`` if given, else with its first passage a third of the way down.

        ``file`` stands for the same file at any time. ``stop`` is the one of its stops to go on from.
        """
        self._take(file, document, Colours(document))
        self._column = 0
        self._place, self._stepped = None, False
        self._stop = kept(stop, document)
        if top is not None:
            self._jump(self._layout.row_of(top))
        elif self._stop is not None:
            self._place = self._place_stop
            self._place_stop()
        else:
            self._place = lambda: None
            self._jump(0)
        self._want_colours()

    def replace(self, document: Document) -> None:
        """Show another state of the same file, with the colours there are.

        What is in sight stays, unless there is another passage and the user has neither the focus here nor
        gone anywhere in the text.
        """
        top, before = self._first_in_sight, self._document
        self._take(self._file, document, carried(document, self._document, self._colours))
        if before is not None and before.spans != document.spans:
            reading = self.moved or self.has_focus
            self._place = None if reading or not document.passages else self._place_stop
        self._stop = kept(self._stop, document)
        self._jump(self._layout.row_of(*top))
        if self._place is not None:
            self._place()
        self._want_colours()

    def _take(self, file: object, document: Document, colours: Colours) -> None:
        self._card = None
        if self._document is None or self._document.lines != document.lines:
            self.unselect()
        self._file, self._document, self._colours = file, document, colours
        if file in self._plain_files:
            colours.failed = True
        self._lay_out(document)
        self._column = min(self._column, self._last_column)

    def lay_out_again(self) -> None:
        super().lay_out_again()
        self._want_colours()

    @on(events.Resize)
    def _sized(self) -> None:
        self._placed_size = self.size
        document = self._document
        if document is not None and self._layout.width != self._wrap_width(document):
            self.lay_out_again()
        elif self._place is not None and self.size.height:
            self._place()
        self._want_colours()
        self.post_message(self.Reframed())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._want_colours()

    # Colours

    def _want_colours(self) -> None:
        colours = self._colours
        if colours is None or self._document is None or not self.size.height:
            return
        self._highlighter.want(self._wanted_in_sight(self._document, colours))
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_REST, self._want_whole) if colours.whole() is not None else None

    def _want_whole(self) -> None:
        self._rest = None
        if self._document is None or self._colours is None:
            return
        whole = self._colours.whole()
        if whole is not None:
            self._highlighter.want([*self._wanted_in_sight(self._document, self._colours), whole])

    def _wanted_in_sight(self, document: Document, colours: Colours) -> list[Job]:
        last_row = min(self._top_row + self.size.height, self._layout.rows) - 1
        last = self._layout.at(max(0, last_row)).line
        return colours.wanted(min(self.top, last), last)

    def _answered(self, answer: Answer) -> None:
        self.post_message(self.Coloured(answer))

    def on_preview_view_coloured(self, message: Coloured) -> None:
        message.stop()
        colours = self._colours
        if colours is None or message.answer.job.document is not colours:
            return
        lines = colours.take(message.answer)
        if colours.failed:
            self._plain_files.add(self._file)
            self.post_message(self.Changed())
        self.redraw_lines(lines)

    def on_unmount(self) -> None:
        self._highlighter.stop()

    # Drawing

    def notify_style_update(self) -> None:
        self._inks.clear()
        self._strips.clear()
        super().notify_style_update()
        self.post_message(self.Reframed())

    def render_line(self, y: int) -> Strip:
        width, height = size = self.size
        if width != self._drawn_width:
            self._strips.clear()
            self._drawn_width = width
        if size != self._placed_size:
            # Not every change of size comes as an event: a widget whose size is asked for before the
            # layout that shows it gets none.
            self._placed_size = size
            self.call_later(self._sized)
        if self._document is None or self._colours is None:
            if self._card is None:
                return Strip.blank(width, self._inks.style())
            return card_strip(self._card, y, width, height, self._inks)
        row = self._top_row + y
        strip = self._strips.get(row)
        if strip is None:
            drawing = Drawing(
                self._document,
                self._layout,
                self._colours,
                self._inks,
                self._column,
                self._stop,
                self.selection,
                self.scrollbar_size_vertical,
            )
            strip = self._strips[row] = drawing.row(row, width)
        return strip
