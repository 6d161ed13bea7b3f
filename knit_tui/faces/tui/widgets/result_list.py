"""The ranked list: it follows the item under the cursor through every new order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from textual.message import Message

from knit_tui.faces.tui.cells import wrap
from knit_tui.faces.tui.listing import Heading, Listing
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.rows import BAR, Density, Look, heading_line, heights, item_lines
from knit_tui.model import Item


class Place(NamedTuple):
    """Where the user was: the item under the cursor and what stood where on the screen."""

    rel: str = ""
    """The item under the cursor; empty when the user has chosen none and the list is at its top."""
    anchor: str = ""
    """The item whose line on the screen is to stay."""
    row: int = 0
    """That line on the screen."""


class ResultList(LineList):
    """The items of one view, by tier or by time."""

    PREFIX = "result-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"result-list--{name}"
        for name in (
            "cursor cursor-blur bar bar-blur pin out number name-first name name-later gone title folder age"
            " new fact lines snippet term tier count rule match empty-title empty-text"
        ).split()
    }

    @dataclass
    class Highlighted(Message):
        """Another item, or the same one with other facts, is under the cursor."""

        item: Item | None

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now
        self._drawn_at = now()
        self._listing = Listing()
        self._chosen = False
        self._wanted: dict[str, str] = {}
        self._fresh: dict[str, Item] = {}
        self._notice: tuple[str, ...] = ()

    @property
    def listing(self) -> Listing:
        return self._listing

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        if not 0 <= self._cursor < len(self._listing.rows):
            return None
        row = self._listing.rows[self._cursor]
        return None if isinstance(row, Heading) else row

    # Showing an order

    def place(self) -> Place:
        """Where the user is now, to come back to it after another order or another view."""
        item = self.item
        if item is None or (not self._chosen and self.top == 0):
            return Place()
        if self.is_visible(self._cursor):
            return Place(item.rel, item.rel, self.line_of(self._cursor) - self.top)
        first = self.row_at(self.top)
        index = self._next(first if self.line_of(first) < self.top else first - 1, 1)
        if index < 0:
            return Place(item.rel, item.rel, self.line_of(self._cursor) - self.top)
        row = self._listing.rows[index]
        return Place(item.rel, "" if isinstance(row, Heading) else row.rel, self.line_of(index) - self.top)

    def show(self, listing: Listing, place: Place | None = None) -> None:
        """Show ``listing`` with cursor and view where the user is, or where ``place`` says."""
        place = self.place() if place is None else place
        before = self.item
        old, self._listing = self._listing, listing
        self._wanted = {}
        self._fresh = {}
        cursor = self._find(place.rel, old) if place.rel else self._first()
        self._chosen = bool(place.rel) and cursor >= 0
        self._drawn_at = self._now()
        anchor = self._find(place.anchor, old) if place.anchor else -1
        self.set_rows(listing.rows, cursor, anchor, place.row)
        if self.item is not before:
            self.post_message(self.Highlighted(self.item))

    def _first(self) -> int:
        return next((i for i, row in enumerate(self._listing.rows) if not isinstance(row, Heading)), -1)

    def _find(self, rel: str, old: Listing) -> int:
        """The row of ``rel``; of its nearest neighbour in ``old`` that is still there when it is gone."""
        rows = self._listing.rows
        for index, row in enumerate(rows):
            if not isinstance(row, Heading) and row.rel == rel:
                return index
        here = {row.rel: index for index, row in enumerate(rows) if not isinstance(row, Heading)}
        order = [item.rel for item in old.items]
        position = order.index(rel) if rel in order else 0
        for step in range(1, len(order)):
            for neighbour in (position + step, position - step):
                if 0 <= neighbour < len(order) and order[neighbour] in here:
                    return here[order[neighbour]]
        return self._first()

    # Marks that may change while the order waits

    def want(self, rel: str, state: str) -> None:
        """Show what the user asked for at once: ``pinned``, ``unpinned``, ``excluded`` or ``shown``."""
        self._wanted[rel] = state
        self.forget()
        self.redraw()

    def wanted(self, rel: str) -> str:
        return self._wanted.get(rel, "")

    def freshen(self, items: Iterable[Item]) -> None:
        """Take pins and times from ``items`` without moving anything."""
        self._fresh = {item.rel: item for item in items}
        self.forget()
        self.redraw()

    def tick(self) -> None:
        """Let relative times go on; only lines whose text changes are painted."""
        self._drawn_at = self._now()
        self.forget()
        self.redraw()

    def say(self, lines: Sequence[str]) -> None:
        """What stands in place of the rows when there are none: a title and what to do next."""
        self._notice = tuple(lines)
        self.redraw()

    # Movement

    def to_top(self) -> None:
        """Back to the first item, and let the list show its top from now on."""
        self.move_to_end(-1)
        self.scroll_lines_to(0)
        self._chosen = False

    def move_tier(self, direction: int) -> None:
        """Put the cursor on the first item of the next or the previous tier."""
        rows = self._listing.rows
        starts = [i + 1 for i, row in enumerate(rows) if isinstance(row, Heading)]
        if direction > 0:
            target = next((start for start in starts if start > self._cursor), -1)
        else:
            target = next((start for start in reversed(starts) if start < self._cursor), -1)
        self.select(target)

    def cursor_moved(self) -> None:
        self._chosen = True
        self.post_message(self.Highlighted(self.item))

    # Drawing

    def selectable(self, row: object) -> bool:
        return isinstance(row, Item)

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        return heights(rows, self.shape)

    @property
    def shape(self) -> Density:
        return Density.at(self.content_width)

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._listing.rows[index]
        if isinstance(row, Heading):
            return [heading_line(row, width)]
        listing = self._listing
        look = Look(width, self._drawn_at, listing.by_time, listing.digits, listing.terms)
        known = self._fresh.get(row.rel)
        if known is not None:
            row = replace(row, mtime_ns=known.mtime_ns, pinned=known.pinned)
        wanted = self._wanted.get(row.rel, "")
        pinned = wanted == "pinned" or (row.pinned and wanted != "unpinned")
        lines = item_lines(row, look, pinned=pinned, out=wanted == "excluded")
        bar = Piece(BAR, "bar" if self.has_focus else "bar-blur") if cursor else Piece(" ")
        return [[bar, *line] for line in lines]

    def blank_line(self, y: int, width: int) -> list[Piece]:
        if self._listing.rows or not self._notice:
            return []
        y -= 1 if self.page > 4 else 0
        for position, text in enumerate(self._notice):
            style = "empty-text" if position else "empty-title"
            lines = wrap(text, width - 4)
            if 0 <= y < len(lines):
                return [Piece("  "), Piece(lines[y], style)]
            y -= len(lines)
        return []
