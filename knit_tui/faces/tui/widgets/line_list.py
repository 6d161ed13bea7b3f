"""A list drawn line by line: only the visible lines of its rows are ever laid out."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.scrolled import scroll_over


class LineList(ScrollView, Inked, can_focus=True, inherit_bindings=False):
    """Rows of one or more lines with a cursor that rests on the selectable ones.

    A subclass says how high the rows are, whether the cursor may rest on one, and what its lines are.
    """

    ALLOW_SELECT = False
    STYLES: ClassVar[frozenset[str]] = frozenset()
    """Names that pieces may use, each a component class ``PREFIX--NAME``."""
    PREFIX: ClassVar[str] = "line-list"

    class Touched(Message):
        """The user moved the cursor or the view."""

    @dataclass
    class Activated(Message):
        """The user clicked twice on a row."""

        index: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[object] = ()
        self._starts: list[int] = [0]
        self._measured: tuple[Sequence[object], object] = ((), None)
        self._cursor = -1
        self._strips: dict[int, list[Strip]] = {}
        self._drawn: dict[int, Strip] = {}
        self._styles: dict[tuple[str, bool, bool], Style] = {}
        self._placing = False
        self._last_page = 0
        self._last_width = 0

    # What a subclass says

    @abstractmethod
    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        """How many lines each row takes at the present width, at least 1."""

    @abstractmethod
    def selectable(self, row: object) -> bool:
        """Whether the cursor may rest on ``row``."""

    @abstractmethod
    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        """The lines of a row, each exactly ``width`` cells."""

    def blank_line(self, y: int, width: int) -> list[Piece]:
        """What stands on screen line ``y`` below the last row."""
        return []

    # Rows and places

    @property
    def line_count(self) -> int:
        return self._starts[-1]

    @property
    def cursor(self) -> int:
        """Index of the row the cursor is on; -1 when there is none."""
        return self._cursor

    @property
    def top(self) -> int:
        """The first visible line."""
        return int(self.scroll_offset.y)

    @property
    def page(self) -> int:
        """How many lines are visible; were visible, while the list is hidden."""
        return int(self.scrollable_content_region.height) or self._last_page

    def set_rows(self, rows: Sequence[object], cursor: int, anchor: int = -1, offset: int = 0) -> None:
        """Show ``rows`` with the cursor on one of them; redraw what differs.

        The row ``anchor`` begins on screen line ``offset`` as far as the ends of the list allow;
        without an anchor the list shows its top.
        """
        self._rows = rows
        self._cursor = cursor
        self._strips.clear()
        self._measure()
        self.scroll_lines_to(self.line_of(anchor) - offset if anchor >= 0 else 0)
        self.redraw()

    @property
    def shape(self) -> object:
        """What the heights depend on besides the rows."""
        return None

    def _measure(self) -> None:
        rows, shape = self._measured
        if rows is self._rows and shape == self.shape:
            return
        self._measured = (self._rows, self.shape)
        self._starts = [0, *accumulate(self.row_heights(self._rows))]
        self._placing = True
        scroll_over(self, Size(0, self.line_count))
        self._placing = False

    def row_at(self, line: int) -> int:
        """The index of the row that covers ``line``; the nearest one outside."""
        return max(0, min(bisect_right(self._starts, line) - 1, len(self._rows) - 1))

    def line_of(self, index: int) -> int:
        return self._starts[index]

    def end_of(self, index: int) -> int:
        """The line after the last one of a row."""
        return self._starts[index + 1]

    def scroll_lines_to(self, top: int) -> None:
        """Put line ``top`` first, as far as there are lines below it, without counting as the user's act."""
        self._placing = True
        self.scroll_to(y=max(0, min(top, self.line_count - self.page)), animate=False, force=True)
        self._placing = False

    def is_visible(self, index: int) -> bool:
        return self.top <= self.line_of(index) and self.end_of(index) <= self.top + self.page

    # The cursor

    def move(self, step: int) -> None:
        """Move the cursor by ``step`` selectable rows."""
        index = self._cursor
        for _count in range(abs(step)):
            following = self._next(index, 1 if step > 0 else -1)
            if following < 0:
                break
            index = following
        self.select(index)

    def move_page(self, direction: int) -> None:
        """Move the cursor by one screenful."""
        if self._cursor < 0:
            return
        line = self.line_of(self._cursor) + direction * max(1, self.page - 2)
        index = self.row_at(max(0, min(line, self.line_count - 1)))
        if not self.selectable(self._rows[index]):
            index = max(self._next(index, direction), self._next(index, -direction))
        if index == self._cursor:
            index = self._next(index, direction)
        self.select(index)

    def move_to_end(self, direction: int) -> None:
        """Move the cursor to the first or the last selectable row."""
        self.select(self._next(-1, 1) if direction < 0 else self._next(len(self._rows), -1))

    def _next(self, index: int, step: int) -> int:
        index += step
        while 0 <= index < len(self._rows):
            if self.selectable(self._rows[index]):
                return index
            index += step
        return -1

    def select(self, index: int) -> None:
        """Put the cursor on a row because the user wants it there, and bring the row into view."""
        self.post_message(self.Touched())
        if not 0 <= index < len(self._rows) or not self.selectable(self._rows[index]):
            return
        before, self._cursor = self._cursor, index
        self.forget(before)
        self.forget(index)
        self._reveal(index)
        self.redraw()
        self.cursor_moved()

    def cursor_moved(self) -> None:
        """Called when the user put the cursor on another row."""

    def _reveal(self, index: int) -> None:
        first, end = self.line_of(index), self.end_of(index)
        if index and not self.selectable(self._rows[index - 1]):
            first = self.line_of(index - 1)
        top = self.top
        if end > top + self.page:
            top = end - self.page
        if first < top:
            top = min(first, self.line_of(index))
        top = max(top, self.line_of(index) - self.page + 1)
        if self.line_of(index) < top:
            top = self.line_of(index)
        self.scroll_lines_to(top)

    # Drawing

    def forget(self, index: int | None = None) -> None:
        """Lay a row, or every row, out again when it is next drawn."""
        if index is None:
            self._strips.clear()
        else:
            self._strips.pop(index, None)

    def redraw(self) -> None:
        """Ask for a repaint of exactly the visible lines that look different now."""
        if not self.is_mounted or not self.size:
            return
        width = self.scrollable_content_region.width
        for y in range(self.page):
            if self._drawn.get(y) != self._strip(self.top + y, y, width):
                self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        strip = self._strip(self.top + y, y, width)
        self._drawn[y] = strip
        return strip

    def _strip(self, line: int, y: int, width: int) -> Strip:
        if width <= 0:
            return Strip([], 0)
        if line >= self.line_count:
            return self.strip(self.blank_line(y, width), width)
        index = self.row_at(line)
        strips = self._strips.get(index)
        if strips is None:
            cursor = index == self._cursor
            strips = [self.strip(pieces, width, cursor) for pieces in self.row_lines(index, width, cursor)]
            self._strips[index] = strips
        offset = line - self._starts[index]
        return strips[offset] if offset < len(strips) else self.strip([], width)

    def strip(self, pieces: Iterable[Piece], width: int, cursor: bool = False) -> Strip:
        """``pieces`` as a strip of exactly ``width`` cells."""
        segments = [
            Segment(text, self._style(style, cursor, match)) for text, style, _action, match in pieces
        ]
        base = self._style("", cursor, False)
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str, cursor: bool, match: bool) -> Style:
        key = (name, cursor, match)
        style = self._styles.get(key)
        if style is None:
            if cursor:
                focused = "cursor" if self.has_focus else "cursor-blur"
                style = self.get_component_rich_style(f"{self.PREFIX}--{focused}")
            else:
                style = self.rich_style
            for part in filter(None, (name, "match" if match else "")):
                own = self.get_component_rich_style(f"{self.PREFIX}--{part}", partial=True)
                # On a reversed cursor, colours of text would be patches of background.
                style += own.without_color if style.reverse else own
            self._styles[key] = style
        return style

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()
        self._strips.clear()

    # Events

    def on_resize(self) -> None:
        cursor_seen = self._cursor >= 0 and (
            # Textual has already moved the view to where it fits the new size.
            0 <= self.line_of(self._cursor) - self.top < max(self._last_page, self.page)
        )
        anchor = self._cursor if cursor_seen else self.row_at(self.top)
        offset = self.line_of(anchor) - self.top if self._rows else 0
        self._last_width = self.content_width
        self._strips.clear()
        self._measure()
        if self._rows:
            self.scroll_lines_to(self.line_of(anchor) - offset)
            if cursor_seen:
                self._reveal(anchor)
        self._last_page = self.page
        self.redraw()

    @property
    def content_width(self) -> int:
        """Cells of a line; those it had, while the list is hidden."""
        return int(self.scrollable_content_region.width) or self._last_width

    def on_focus(self) -> None:
        self._refocus()

    def on_blur(self) -> None:
        self._refocus()

    def _refocus(self) -> None:
        self._styles.clear()
        self.forget(self._cursor)
        self.redraw()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        # Not that of ScrollView: it paints every line, also those that look the same after a new order.
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value
        self.redraw()
        if not self._placing:
            self.post_message(self.Touched())

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """A scrollbar that was hidden has missed where the view went."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def on_click(self, event: events.Click) -> None:
        event.stop()
        line = self.top + event.y
        if line >= self.line_count:
            return
        index = self.row_at(line)
        if self.selectable(self._rows[index]):
            self.select(index)
            if event.chain == 2:
                self.post_message(self.Activated(index))
