"""Where in a text the preview stands: the row, the column, the match; and its long lines, wrapped or not."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len
from textual import events, on
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp
from textual.strip import Strip

from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.drawing import gutter_width
from knit_tui.faces.tui.preview.layout import Layout, shown_line
from knit_tui.faces.tui.preview.lines import index_at
from knit_tui.faces.tui.preview.marks import marks
from knit_tui.faces.tui.preview.selecting import Point, SelectingView
from knit_tui.faces.tui.preview.stops import Stop
from knit_tui.faces.tui.scrolled import scroll_over

_LEAST_WRAP = 8
NOTHING = Document([], {}, 0, 0, 0, 0, "", None)


class MovingView(SelectingView, inherit_bindings=False):
    """A view of a text, or of none, that knows its rows. It has no keys: those are the screen's."""

    class Changed(Message):
        """What the title says is no longer true: another stop is current, or colours failed."""

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._strips: LRUCache[int, Strip] = LRUCache(1024)
        self._placed_size = Size(0, 0)
        self._layout = Layout(NOTHING)
        self._wraps = {True: True, False: False}
        """Whether long lines are wrapped, by whether they are prose: a paragraph may be one line."""
        self._column = 0
        self._stop: Stop | None = None
        self._place: Callable[[], None] | None = None
        """Puts the wanted line in place; kept until the user scrolls, as a new size needs it again."""
        self._stepped = False

    @property
    def document(self) -> Document | None:
        return self._document

    @property
    def stop(self) -> Stop | None:
        """The one of the document's stops that the user is at, or was before scrolling."""
        return self._stop

    @property
    def top(self) -> int:
        """Index of the first line in sight."""
        return self._first_in_sight[0]

    @property
    def scrolled(self) -> bool:
        """Whether the user has scrolled away from where the content was opened, or from its stop."""
        return self._place is None

    @property
    def moved(self) -> bool:
        """Whether what is in sight is what the user chose to see."""
        return self.scrolled or self._stepped

    # Rows

    def _lay_out(self, document: Document) -> None:
        self._layout = Layout(document, self._wrap_width(document))
        self._set_rows(self._layout.rows + document.truncated)

    def _text_width(self, document: Document) -> int:
        return max(1, self._width - self._gutter(document))

    @property
    def _width(self) -> int:
        """The cells of a row that can be seen: the scroll bar always has its place."""
        return max(0, self.size.width - self.scrollbar_size_vertical)

    def _gutter(self, document: Document) -> int:
        return gutter_width(document, self._width)

    def _wrap_width(self, document: Document) -> int | None:
        """The cells that long lines are wrapped to, if they are; never while there is no room for a word."""
        width = self._text_width(document)
        return width if self._wraps[document.prose] and width >= _LEAST_WRAP else None

    def _set_rows(self, rows: int) -> None:
        self._strips.clear()
        self._placed_size = self.size
        scroll_over(self, Size(1, rows))
        self.refresh()

    # Moving

    def _jump(self, row: int) -> None:
        self.scroll_to(y=row, animate=False, force=True)

    @property
    def _top_row(self) -> int:
        return round(self.scroll_y)

    @property
    def _first_in_sight(self) -> Point:
        part = self._layout.at(min(self._top_row, max(0, self._layout.rows - 1)))
        return part.line, part.start

    def _place_stop(self) -> None:
        """Bring the stop into sight a third of the way down: the start of its passage, or where that would
        leave the matching line out of sight, the line."""
        document, stop = self._document, self._stop
        if document is None or stop is None:
            return
        third = self.size.height // 3
        row = self._layout.row_of(stop.line, _match_in(document, stop.line))
        if stop.passage is not None:
            start = self._layout.row_of(document.passages[stop.passage].start - 1)
            if row - start < self.size.height - third:
                row = start
        self._jump(max(0, row - third))

    def scroll_lines(self, lines: int) -> None:
        """Move by so many rows; negative is up."""
        self._place = None
        self._jump(self._top_row + lines)

    def next_match(self, direction: int) -> None:
        """Go ``direction`` stops on, round the end, and put that one a third of the way down."""
        if self._document is None or not self._document.stops:
            return
        stops = self._document.stops
        if self._stop is None:
            self._stop = stops[0 if direction > 0 else -1]
        else:
            self._stop = stops[(stops.index(self._stop) + direction) % len(stops)]
        self._strips.clear()
        self._show_column(self._document, self._stop)
        self._place, self._stepped = self._place_stop, True
        self._place_stop()
        self.refresh()
        self.post_message(self.Changed())

    def _show_column(self, document: Document, stop: Stop) -> None:
        """Go as far sideways as the match needs."""
        text = shown_line(document, stop.line).text if stop.line < len(document.lines) else ""
        cell = cell_len(text[: _match_in(document, stop.line)])
        seen = range(self._column, self._column + self._text_width(document))
        if cell not in seen:
            self._column = max(0, min(cell - len(seen) // 3, self._last_column))

    @property
    def wraps(self) -> bool | None:
        """Whether long lines of texts like this one are wrapped; None while there is no text."""
        return None if self._document is None else self._wraps[self._document.prose]

    def toggle_wrap(self) -> tuple[bool, bool] | None:
        """Wrap long lines of texts like this one, or no longer; what is in sight stays.

        Whether it is prose and whether that is wrapped now; None while there is no text.
        """
        if self._document is None:
            return None
        prose = self._document.prose
        self._wraps[prose] = not self._wraps[prose]
        self._column = 0
        self.lay_out_again()
        return prose, self._wraps[prose]

    def lay_out_again(self) -> None:
        """Find the rows anew, and keep the line at the top, or the stop in its place."""
        if self._document is None:
            return
        top = self._first_in_sight
        self._lay_out(self._document)
        if self._place is not None:
            self._place()
        else:
            self._jump(self._layout.row_of(*top))

    def scroll_columns(self, direction: int) -> bool:
        """Move sideways by a quarter of the width; whether there was anything in that direction."""
        step = max(1, self.size.width // 4)
        column = max(0, min(self._column + direction * step, self._last_column))
        moved = column != self._column
        if moved:
            self._column = column
            self._strips.clear()
            self.refresh()
        return moved

    @property
    def _last_column(self) -> int:
        """How far sideways there is anything to see."""
        if self._document is None or self._layout.width is not None:
            return 0
        return max(0, self._document.widest - self._text_width(self._document))

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    @on(events.MouseScrollLeft)
    @on(events.MouseScrollRight)
    def _wheel(self, event: events.MouseEvent) -> None:
        """Sideways with a wheel for that, or with shift."""
        forward = isinstance(event, events.MouseScrollDown | events.MouseScrollRight)
        if event.shift or isinstance(event, events.MouseScrollLeft | events.MouseScrollRight):
            self.scroll_columns(1 if forward else -1)
        else:
            self._place = None

    @on(ScrollTo)
    @on(ScrollUp)
    @on(ScrollDown)
    def _scrolled_by_mouse(self) -> None:
        self._place = None

    # Cells

    def point_at(self, x: int, y: int) -> Point:
        row = max(0, min(self._top_row + y, self._layout.rows - 1))
        part = self._layout.at(row)
        if self._document is None:
            return part.line, 0
        text = shown_line(self._document, part.line).text[part.start : part.end]
        cell = x - self._gutter(self._document) - part.hang + self._column
        return part.line, part.start + index_at(text, cell)

    def redraw_lines(self, lines: range) -> None:
        rows = range(self._layout.row_of(lines.start), self._layout.row_of(lines.stop))
        seen = range(max(rows.start, self._top_row), min(rows.stop, self._top_row + self.size.height))
        for row in set(self._strips.keys()).intersection(rows):
            self._strips.discard(row)
        if seen:
            self.refresh_lines(seen.start, len(seen))


def _match_in(document: Document, line: int) -> int:
    """Where in the displayed text of ``line`` the first match is; 0 where there is none."""
    if line >= len(document.lines):
        return 0
    found = marks(document.lines[line], document.terms, document.words)
    return shown_line(document, line).shown_at(found[0][0]) if found else 0


def kept(stop: Stop | None, document: Document) -> Stop | None:
    """What ``stop`` is in ``document``: its line, or the passage of its number, else the first passage."""
    if stop in document.stops:
        return stop
    if not document.passages:
        return None
    number = stop.passage if stop is not None else None
    return document.stops[min(number or 0, len(document.passages) - 1)]
