"""What the agent read and what changed since: one line, or a list below it that leads to each document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget

from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.usage_rows import (
    Columns,
    Heading,
    Shape,
    heading_pieces,
    line_height,
    line_rows,
    panel_height,
    parted,
    tells_particulars,
)
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.faces.tui.widgets.rows import BAR
from knit_tui.faces.usage_lines import OUTSIDE, Line, Section, lines
from knit_tui.model import Usage

_FEW, _MANY = 3, 5
"""Documents of one section across the bottom, and in a column."""


class LensLine(OneLine):
    """The sums."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._heading = Heading()

    def show(self, heading: Heading) -> None:
        if heading != self._heading:
            self._heading = heading
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        return heading_pieces(self._heading, width)


class LensList(LineList):
    """One line a tier, document or fact."""

    PREFIX = "lens"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lens--{name}"
        for name in "cursor cursor-blur bar match label name folder fact more read unread count".split()
    }

    @dataclass
    class Led(Message):
        """The user wants to go where a line leads."""

        line: Line

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._columns = (0, Columns(0, 0, {}))

    @property
    def line(self) -> Line | None:
        """The line under the cursor."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        return row if isinstance(row, Line) else None

    def show(self, rows: Sequence[Line | None]) -> None:
        """Show ``rows``; cursor and view stay with the line they are on, else where they are."""
        before = self.line
        keys = [row.key if row is not None else None for row in rows]
        cursor = keys.index(before.key) if before is not None and before.key in keys else -1
        offset = self.line_of(self._cursor) - self.top if before is not None else 0
        top = self.top
        self._columns = (0, Columns(0, 0, {}))
        if cursor < 0:
            near = [index for index, row in enumerate(rows) if row is not None and row.leads]
            cursor = min(near, key=lambda index: abs(index - max(0, self._cursor)), default=-1)
            offset = cursor - top
        self.set_rows(rows, cursor, cursor, offset)

    def selectable(self, row: object) -> bool:
        return isinstance(row, Line) and row.leads

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        width = self.content_width - 1
        return [line_height(row if isinstance(row, Line) else None, width) for row in rows]

    @property
    def shape(self) -> int:
        return self.content_width

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        if not isinstance(row, Line):
            return [[]]
        if self._columns[0] != width:
            rows = (each for each in self._rows if isinstance(each, Line))
            self._columns = (width, Columns.of(rows, width - 1))
        bar = Piece(BAR, "bar") if cursor and self.has_focus else Piece(" ")
        return [[bar, *pieces] for pieces in line_rows(row, self._columns[1], max(0, width - 1))]

    def to_top(self) -> None:
        self.move_to_end(-1)
        self.scroll_lines_to(0)

    def move_section(self, direction: int) -> None:
        """Put the cursor on the first line of the next or the previous section."""
        starts = [
            index
            for index, row in enumerate(self._rows)
            if isinstance(row, Line) and row.label and self.selectable(row)
        ]
        before = [start for start in starts if start < self._cursor]
        after = [start for start in starts if start > self._cursor]
        target = after[:1] if direction > 0 else before[-1:]
        if target:
            self.select(target[0])

    def lead(self) -> None:
        """Go where the line under the cursor leads."""
        if self.line is not None:
            self.post_message(self.Led(self.line))

    def on_click(self, event: events.Click) -> None:
        # A click leads at once, so a double click has nothing more to do than the click before it.
        event.stop()
        index = self.row_at(self.top + event.y)
        if self.top + event.y < self.line_count and self.selectable(self._rows[index]):
            self.select(index)
            if event.chain == 1:
                self.lead()


class UsageLens(Widget):
    """The line of sums, and the list below it when there is room and the user wants it."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now
        self._heading = Heading()
        self._pane = (0, 0)
        self._opened: frozenset[Section] = frozenset()
        self.shape = Shape.HIDDEN

    def compose(self) -> ComposeResult:
        yield LensLine(id="lens-line")
        yield LensList(id="lens-list")

    @property
    def rows(self) -> LensList:
        return self.query_one(LensList)

    def show(self, heading: Heading, size: tuple[int, int], *, hidden: bool = False) -> None:
        """Show ``heading`` and what it is about in a panel of ``size`` cells; nothing when ``hidden``."""
        shape = Shape.at(*size, on=heading.on, wide=heading.wide)
        self.shape = Shape.HIDDEN if hidden else shape
        self._heading, self._pane = heading, size
        open_below = self.shape in (Shape.PANEL, Shape.COLUMN)
        self.display = self.shape is not Shape.HIDDEN
        self.set_class(self.shape is Shape.COLUMN, "-column")
        self.query_one(LensLine).show(replace(heading, wide=open_below))
        if open_below:
            self._fill()
        else:
            self.rows.display = False

    def open(self, section: Section) -> None:
        """List every document of a section."""
        self._opened |= {section}
        self._fill()

    def tick(self) -> None:
        """Let relative times go on; only lines whose text changes are painted."""
        if self.rows.display:
            self._fill()

    def _fill(self) -> None:
        usage = self._heading.usage or Usage()
        column = self.shape is Shape.COLUMN
        groups = lines(
            usage,
            self._now(),
            per_group=_MANY if column else _FEW,
            outside=OUTSIDE if column else _FEW,
            opened=self._opened,
            particulars=column or not tells_particulars(self._heading, self._pane[0]),
        )
        rows = parted(groups, airy=column)
        if not column:
            self.rows.styles.height = max(1, min(len(rows), panel_height(self._pane[1]) - 1))
        else:
            self.rows.styles.height = "1fr"
        self.rows.display = bool(rows)
        self.rows.show(rows)
