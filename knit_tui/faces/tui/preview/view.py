"""The scrolled part of the preview: text with line numbers, band, marks and colours; or a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events, on
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp
from textual.strip import Strip
from textual.timer import Timer

from knit_tui.faces.safe import ELLIPSIS
from knit_tui.faces.tui.preview.card import card_strip
from knit_tui.faces.tui.preview.colours import Colours, carried
from knit_tui.faces.tui.preview.document import Card, Document
from knit_tui.faces.tui.preview.facts import cut_text, end_text
from knit_tui.faces.tui.preview.highlight import LIMIT, Answer, Highlighter, Job
from knit_tui.faces.tui.preview.lines import displayed, joined, strip_of
from knit_tui.faces.tui.preview.marks import layered, marks
from knit_tui.faces.tui.preview.palette import PREFIX, VIEW_CLASSES, VIEW_CSS, Inks

BAR = "▎"
_NUMBERS_FROM = 24
"""Cells of width from which there is room for line numbers."""
_LEAST_DIGITS = 3
_REST = 0.3
"""Seconds without scrolling before the whole text is highlighted."""


class PreviewView(ScrollView, can_focus=True, inherit_bindings=False):
    """One document or card. Lines are drawn as they come into sight; colours arrive later."""

    DEFAULT_CSS = VIEW_CSS
    COMPONENT_CLASSES: ClassVar[set[str]] = set(VIEW_CLASSES)
    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_lines(-1)", "Up", show=False),
        Binding("down,j", "scroll_lines(1)", "Down", show=False),
        Binding("pageup", "scroll_pages(-1)", "Page up", show=False),
        Binding("pagedown", "scroll_pages(1)", "Page down", show=False),
        Binding("home,g", "scroll_to_line(0)", "Top", show=False),
        Binding("end,G", "scroll_to_end", "Bottom", show=False),
        Binding("left", "scroll_columns(-1)", "Left", show=False),
        Binding("right", "scroll_columns(1)", "Right", show=False),
        Binding("n", "next_passage(1)", "Next passage", show=False),
        Binding("N", "next_passage(-1)", "Previous passage", show=False),
    ]

    class Changed(Message):
        """What the title says is no longer true: another passage is current, or colours failed."""

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
        self._document: Document | None = None
        self._card: Card | None = None
        self._colours: Colours | None = None
        self._file: object = None
        self._plain_files: set[object] = set()
        self._highlighter = Highlighter(self._answered, command=command, limit=limit)
        self._rest: Timer | None = None
        self._inks = Inks(self, PREFIX)
        self._strips: LRUCache[int, Strip] = LRUCache(1024)
        self._drawn_width = 0
        self._placed_size = Size(0, 0)
        self._column = 0
        self._current: int | None = None
        self._place: Callable[[], None] | None = None
        """Puts the wanted line in place; kept until the user scrolls, as a new size needs it again."""

    # What is shown

    @property
    def document(self) -> Document | None:
        return self._document

    @property
    def card(self) -> Card | None:
        return self._card

    @property
    def passage(self) -> int | None:
        """Index of the current passage."""
        return self._current

    @property
    def colours_failed(self) -> bool:
        """Whether this document has a language and yet stays plain, in part at least."""
        document, colours = self._document, self._colours
        return document is not None and document.language is not None and bool(colours and colours.failed)

    @property
    def highlighter(self) -> Highlighter:
        return self._highlighter

    @property
    def top(self) -> int:
        """Index of the first line in sight."""
        return round(self.scroll_y)

    @property
    def moved(self) -> bool:
        """Whether the user has scrolled since the content was opened."""
        return self._place is None

    def show_card(self, card: Card | None) -> None:
        """Show ``card``, or nothing at all."""
        self._document, self._colours, self._card, self._file = None, None, card, None
        self._current = self._place = None
        self._column = 0
        self._highlighter.want(())
        self._set_rows(1)
        self._jump(0)

    def open(
        self, file: object, document: Document, *, top: int | None = None, passage: int | None = None
    ) -> None:
        """Show a file from ``top`` if given, else with its current passage a third of the way down.

        ``file`` stands for the same file at any time.
        """
        self._take(file, document, Colours(document))
        self._column = 0
        self._current = None
        self._place = None
        if document.passages:
            self._current = min(passage or 0, len(document.passages) - 1)
        if top is not None:
            self._jump(top)
        elif self._current is not None:
            self._place = self._place_passage
            self._place_passage()
        else:
            self._place = lambda: None
            self._jump(0)
        self._want_colours()

    def replace(self, document: Document) -> None:
        """Show another state of the same file, from the same line and with the colours there are."""
        top, before = self.top, self._document
        if before is not None and before.passages != document.passages:
            self._place = None
        self._take(self._file, document, carried(document, self._document, self._colours))
        if not document.passages:
            self._current = None
        else:
            self._current = min(self._current or 0, len(document.passages) - 1)
        self._jump(top)
        self._want_colours()

    def _take(self, file: object, document: Document, colours: Colours) -> None:
        self._card = None
        self._file, self._document, self._colours = file, document, colours
        if file in self._plain_files:
            colours.failed = True
        self._column = min(self._column, self._last_column)
        self._set_rows(len(document.lines) + document.truncated)

    def _set_rows(self, rows: int) -> None:
        self._strips.clear()
        self._placed_size = self.size
        self.virtual_size = Size(1, rows)
        self.refresh()

    # Moving

    def _jump(self, top: int) -> None:
        self.scroll_to(y=top, animate=False, force=True)

    def _place_passage(self) -> None:
        if self._document is not None and self._current is not None:
            line = self._document.passages[self._current].start - 1
            self._jump(max(0, line - self.size.height // 3))

    def scroll_lines(self, lines: int) -> None:
        """Move by ``lines``; negative is up."""
        self._place = None
        self._jump(self.top + lines)

    def next_passage(self, direction: int) -> None:
        """Go ``direction`` passages on, round the end, and put that one a third of the way down."""
        if self._document is None or not self._document.passages or self._current is None:
            return
        self._current = (self._current + direction) % len(self._document.passages)
        self._strips.clear()
        self._place = None
        self._place_passage()
        self.refresh()
        self.post_message(self.Changed())

    def action_scroll_lines(self, lines: int) -> None:
        self.scroll_lines(lines)

    def action_scroll_pages(self, pages: int) -> None:
        self.scroll_lines(pages * max(1, self.size.height - 1))

    def action_scroll_to_line(self, line: int) -> None:
        self.scroll_lines(line - self.top)

    def action_scroll_to_end(self) -> None:
        self.scroll_lines(self.max_scroll_y - self.top)

    def action_next_passage(self, direction: int) -> None:
        self.next_passage(direction)

    def action_scroll_columns(self, direction: int) -> None:
        """Move sideways; with nothing there in that direction the key means what it means elsewhere."""
        step = max(1, self.size.width // 4)
        column = max(0, min(self._column + direction * step, self._last_column))
        if column == self._column:
            raise SkipAction
        self._column = column
        self._strips.clear()
        self.refresh()

    @property
    def _last_column(self) -> int:
        """How far sideways there is anything to see."""
        widest = self._document.widest if self._document is not None else 0
        return max(0, widest - (self.size.width - self._gutter_width))

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    @on(ScrollTo)
    @on(ScrollUp)
    @on(ScrollDown)
    def _scrolled_by_mouse(self) -> None:
        self._place = None

    @on(events.Resize)
    def _sized(self) -> None:
        self._placed_size = self.size
        if self._place is not None and self.size.height:
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
        last = min(self.top + self.size.height, len(document.lines)) - 1
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
        seen = range(max(lines.start, self.top), min(lines.stop, self.top + self.size.height))
        for line in lines:
            self._strips.discard(line)
        if seen:
            self.refresh_lines(seen.start, len(seen))

    def on_unmount(self) -> None:
        self._highlighter.stop()

    # Drawing

    def notify_style_update(self) -> None:
        self._inks.clear()
        self._strips.clear()
        super().notify_style_update()
        self.post_message(self.Reframed())

    @property
    def _gutter_width(self) -> int:
        if self._document is None or self.size.width < _NUMBERS_FROM:
            return 2
        return 3 + max(_LEAST_DIGITS, len(str(len(self._document.lines))))

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
        if self._document is None:
            if self._card is None:
                return Strip.blank(width, self._inks.style())
            return card_strip(self._card, y, width, height, self._inks)
        line = self.top + y
        strip = self._strips.get(line)
        if strip is None:
            strip = self._strips[line] = self._draw(self._document, line, width)
        return strip

    def _draw(self, document: Document, line: int, width: int) -> Strip:
        gutter_width = min(self._gutter_width, width)
        if line >= len(document.lines):
            at_end = line == len(document.lines) and document.truncated
            text = " " * gutter_width + end_text(document) if at_end else ""
            return strip_of(text, ((len(text), self._inks.style("note")),), width, self._inks.style())
        passage = self._passage_at(document, line)
        band = passage is not None
        fill = self._inks.style(band=band)
        bar = self._inks.style("bar-current" if passage == self._current else "bar", band=band)
        number = self._inks.style("gutter-band" if band else "gutter", band=band)
        lead = BAR if band else " "
        digits = gutter_width - 2
        lead += f"{line + 1:>{digits}} " if self._gutter_width > 2 else " "
        gutter = strip_of(lead, ((1, bar), (len(lead), number)), gutter_width, fill)
        text, styles = self._styled(document, line, band)
        room = width - gutter_width
        if line in document.left_out and room > 0 and len(text) > self._column + room:
            # The note at the end of the line is out of sight: say here that there is far more of it.
            mark = strip_of(ELLIPSIS, ((1, self._inks.style("note", band=band)),), 1, fill)
            return joined((gutter, strip_of(text, styles, room - 1, fill, left=self._column), mark))
        return joined((gutter, strip_of(text, styles, room, fill, left=self._column)))

    def _passage_at(self, document: Document, line: int) -> int | None:
        """The passage that holds ``line``, the current one before others."""
        holding = [i for i, p in enumerate(document.passages) if p.start <= line + 1 <= p.end]
        if self._current in holding:
            return self._current
        return holding[0] if holding else None

    def _styled(self, document: Document, line: int, band: bool) -> tuple[str, list[tuple[int, Style]]]:
        """The displayed text of a line, and (end, style) for all of it."""
        raw = document.lines[line]
        text, places = displayed(raw)
        runs = self._colours.of(line) if self._colours is not None else ()
        styles = [
            (places[end] if places is not None else end, self._inks.style(*names, band=band))
            for end, names in layered(len(raw), runs, marks(raw, document.terms))
        ]
        if left_out := document.left_out.get(line):
            text += " " + cut_text(left_out)
            styles.append((len(text), self._inks.style("note", band=band)))
        return text, styles
