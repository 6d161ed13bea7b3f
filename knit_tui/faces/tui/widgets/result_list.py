"""The ranked list: it follows the item under the cursor through every new order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from textual.message import Message
from textual.timer import Timer

from knit_tui.faces.tui.arrivals import NO_NEWS, News
from knit_tui.faces.tui.cells import wrap
from knit_tui.faces.tui.evidence_rows import EvidenceRow, evidence_line, with_evidence
from knit_tui.faces.tui.listing import Heading, Listing
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.preview.pictures import Sizes, is_picture
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.rows import BAR, Density, Look, heading_line, heights, item_lines
from knit_tui.model import DocumentUsage, Item, Tier


class Place(NamedTuple):
    """Where the user was: the row under the cursor and what stood where on the screen.

    Rows are told by the path of their item; a line below one, by the path, NUL and its own key.
    """

    row_key: str = ""
    """The row under the cursor; empty when the user has chosen none and the list is at its top."""
    anchor: str = ""
    """The row whose line on the screen is to stay."""
    row: int = 0
    """That line on the screen."""


class ResultList(LineList):
    """The items of one view, by tier or by time; under those that are open, why they are there."""

    PREFIX = "result-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"result-list--{name}"
        for name in (
            "cursor cursor-blur bar bar-blur pin out number name-first name name-later gone title folder age"
            " new arrival fact seen changed unseen lines snippet term tier count rule match empty-title"
            " empty-text why-name why-text why-link"
        ).split()
    }

    @dataclass
    class Highlighted(Message):
        """Another item, or the same one with other facts, is under the cursor."""

        item: Item | None

    @dataclass
    class Unmeasured(Message):
        """Pictures in sight whose pixel sizes are not known."""

        items: tuple[Item, ...]

    class Aged(Message):
        """Some of what is told of the last orders is no news any more."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now
        self._drawn_at = now()
        self._listing = Listing()
        self._chosen = False
        self._wanted: dict[str, str] = {}
        self._fresh: dict[str, Item] = {}
        self._usage: Mapping[str, DocumentUsage] | None = None
        self._sizes = Sizes()
        self._unmeasured: dict[str, Item] = {}
        self._notice: tuple[str, ...] = ()
        self._opened: dict[str, bool] = {}
        self._compact = False
        self._news = NO_NEWS
        self._news_timer: Timer | None = None

    @property
    def listing(self) -> Listing:
        return self._listing

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        if isinstance(row, EvidenceRow):
            return row.item
        return row if isinstance(row, Item) else None

    @property
    def evidence(self) -> EvidenceRow | None:
        """The line under an item that the cursor is on."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        return row if isinstance(row, EvidenceRow) else None

    # Showing an order

    def place(self) -> Place:
        """Where the user is now, to come back to it after another order or another view."""
        item = self.item
        if item is None or (not self._chosen and self.top == 0):
            return Place()
        here = _key(self._rows[self._cursor])
        if self.is_visible(self._cursor):
            return Place(here, here, self.line_of(self._cursor) - self.top)
        first = self.row_at(self.top)
        index = self._next(first if self.line_of(first) < self.top else first - 1, 1)
        if index < 0:
            return Place(here, here, self.line_of(self._cursor) - self.top)
        return Place(here, _key(self._rows[index]), self.line_of(index) - self.top)

    def show(self, listing: Listing, place: Place | None = None, news: News = NO_NEWS) -> None:
        """Show ``listing`` with cursor and view where the user is, or where ``place`` says.

        ``news`` is told by the rows and headings it is about.
        """
        back = self._back(listing) if place is None else ""
        place = self.place() if place is None else place
        if back:
            place = place._replace(row_key=back)
        before = self.item
        old, self._listing = self._listing, listing
        self._wanted = {}
        self._fresh = {}
        self._take(news)
        rows = with_evidence(listing.rows, self._opened)
        cursor = self._find(place.row_key, rows, old) if place.row_key else _first(rows)
        self._chosen = bool(place.row_key) and cursor >= 0
        self._drawn_at = self._now()
        anchor = self._find(place.anchor, rows, old) if place.anchor else -1
        self.set_rows(rows, cursor, anchor, place.row)
        if back or (0 < self.page <= place.row and place.anchor == place.row_key):  # the list was higher then
            self._reveal(cursor)
        if self.item is not before:
            self.post_message(self.Highlighted(self.item))

    def _back(self, listing: Listing) -> str:
        """The document that the user has just let in again, if ``listing`` is the first to have it."""
        back = [rel for rel, state in self._wanted.items() if state == "shown"]
        if len(back) != 1 or any(item.rel == back[0] for item in self._listing.items):
            return ""
        return next((item.rel for item in listing.items if item.rel == back[0]), "")

    def tell(self, news: News) -> None:
        """Tell ``news`` of the order in place of what is told now; nothing moves for that."""
        self._take(news)
        self.forget()
        self.redraw()

    def _take(self, news: News) -> None:
        if news is self._news:
            return
        if self._news_timer is not None:
            self._news_timer.stop()
        self._news_timer = None if news.seconds is None else self.set_timer(news.seconds, self._tell_aged)
        self._news = news

    def _tell_aged(self) -> None:
        self.post_message(self.Aged())

    def _find(self, key: str, rows: Sequence[object], old: Listing) -> int:
        """The row of ``key``; of its item, or the nearest neighbour of that in ``old``, when it is gone."""
        rel = key.partition("\0")[0]
        for wanted in (key, rel):
            found = next((index for index, row in enumerate(rows) if _key(row) == wanted), -1)
            if found >= 0:
                return found
        keys = {_key(row): index for index, row in enumerate(rows)}
        order = [item.rel for item in old.items]
        position = order.index(rel) if rel in order else 0
        for step in range(1, len(order)):
            for neighbour in (position + step, position - step):
                if 0 <= neighbour < len(order) and order[neighbour] in keys:
                    return keys[order[neighbour]]
        return _first(rows)

    def condense(self, compact: bool) -> None:
        """One line for each item, or all of it; the row under the cursor stays on its line of the screen."""
        seen = bool(self._rows) and self._cursor >= 0 and self.is_visible(self._cursor)
        anchor = self._cursor if seen else self.row_at(self.top)
        row = max(0, self.line_of(anchor) - self.top) if self._rows else 0
        self._compact = compact
        if self._rows:
            self.set_rows(self._rows, self._cursor, anchor, row)
        if seen:
            self._reveal(anchor)
            self.redraw()

    # Why a row is there

    def toggle_evidence(self) -> None:
        """Open the item under the cursor, or close it again."""
        item = self.item
        if item is None:
            return
        if item.rel in self._opened:
            del self._opened[item.rel]
        else:
            self._opened[item.rel] = False
        self._spread(item.rel)

    def list_relations(self, row: EvidenceRow) -> None:
        """List all relations of an open item, with the cursor on the first that was not there before."""
        self._opened[row.item.rel] = True
        self._spread(row.item.rel)

    def _spread(self, rel: str) -> None:
        """Open or close ``rel``: its own line stays where it is, as far as it is in sight."""
        rows = with_evidence(self._listing.rows, self._opened)
        owner = next(i for i, row in enumerate(rows) if isinstance(row, Item) and row.rel == rel)
        still = isinstance(self._rows[self._cursor], EvidenceRow) and rel in self._opened
        cursor = self._cursor if still else owner
        top = self.line_of(owner) - self.top  # rows above it are the same before and after
        self._chosen = True
        self.set_rows(rows, cursor, owner, top)
        self._reveal_evidence(owner)

    def _reveal_evidence(self, owner: int) -> None:
        """Bring the lines under an item into sight, as far as it stays itself."""
        last = owner
        while last + 1 < len(self._rows) and isinstance(self._rows[last + 1], EvidenceRow):
            last += 1
        lowest = min(self.end_of(last) - self.page, self.line_of(owner))
        if self.top < lowest:
            self.scroll_lines_to(lowest)
        self._reveal(self._cursor)
        self.redraw()

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
        before, self._fresh = self._fresh, {item.rel: item for item in items}
        for index in tuple(self._strips):
            row = self._rows[index]
            if isinstance(row, Item) and _facts(row, before) != _facts(row, self._fresh):
                self.forget(index)
        self.redraw()

    def mark(self, usage: Mapping[str, DocumentUsage] | None) -> None:
        """Say of each document what the agent did with it; of none when it is not tracked."""
        if usage != self._usage:
            self._usage = usage
            self.forget()
            self.redraw()

    def measured(self, sizes: Sizes) -> None:
        """Say of each picture how large it is, as far as that is known by now."""
        self._sizes = sizes
        self.forget()
        self.redraw()

    def _tell_unmeasured(self) -> None:
        items, self._unmeasured = tuple(self._unmeasured.values()), {}
        self.post_message(self.Unmeasured(items))

    def tick(self) -> None:
        """Let relative times go on; only lines whose text changes are painted."""
        self._drawn_at = self._now()
        self.forget()
        self.redraw()

    def say(self, lines: Sequence[str]) -> None:
        """What stands in place of the rows when there are none: a title and what to do next."""
        if tuple(lines) != self._notice:
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
        starts = [i + 1 for i, row in enumerate(self._rows) if isinstance(row, Heading)]
        if direction > 0:
            target = next((start for start in starts if start > self._cursor), -1)
        else:
            target = next((start for start in reversed(starts) if start < self._cursor), -1)
        self.select(target)

    def select_tier(self, tier: Tier) -> bool:
        """Put the cursor on the first item of a tier; whether there is one."""
        starts = (i for i, row in enumerate(self._rows) if isinstance(row, Heading) and row.tier is tier)
        return self._select_row(next(starts, -2) + 1)

    def select_document(self, rel: str) -> bool:
        """Put the cursor on a document; whether the list has it."""
        rows = enumerate(self._rows)
        return self._select_row(next((i for i, row in rows if isinstance(row, Item) and row.rel == rel), -1))

    def _select_row(self, index: int) -> bool:
        if index >= 0:
            self.select(index)
        return index >= 0

    def cursor_moved(self) -> None:
        self._chosen = True
        self.post_message(self.Highlighted(self.item))

    # Drawing

    def selectable(self, row: object) -> bool:
        return isinstance(row, (Item, EvidenceRow))

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        return heights(rows, self.shape)

    @property
    def shape(self) -> Density:
        return Density.at(self.content_width, self._compact)

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        bar = Piece(BAR, "bar" if self.has_focus else "bar-blur") if cursor else Piece(" ")
        listing = self._listing
        if isinstance(row, EvidenceRow):
            return [[bar, *evidence_line(row, max(0, width - 1), 2 + listing.digits)]]
        if not isinstance(row, Item):
            return [self._heading(row, width)] if isinstance(row, Heading) else [[]]
        look = Look(
            width,
            self._drawn_at,
            listing.by_time,
            listing.digits,
            listing.terms,
            self._usage,
            compact=self._compact,
            arrival=self._news.rows.get(row.rel),
        )
        if is_picture(row):
            look = replace(look, pixels=self._sizes.get(row))
            if row not in self._sizes:
                self._unmeasured[row.rel] = row
                if len(self._unmeasured) == 1:
                    self.call_later(self._tell_unmeasured)
        mtime_ns, pinned = _facts(row, self._fresh)
        row = replace(row, mtime_ns=mtime_ns, pinned=pinned)
        wanted = self._wanted.get(row.rel, "")
        pinned = wanted == "pinned" or (row.pinned and wanted != "unpinned")
        lines = item_lines(row, look, pinned=pinned, out=wanted == "excluded")
        return [[bar, *line] for line in lines]

    def _heading(self, row: Heading, width: int) -> list[Piece]:
        # With a filter the list holds a part of the pack, and what left it may be none of that part.
        return heading_line(row, width, () if self._listing.terms else self._news.notes(row.tier))

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


def _facts(row: Item, fresh: Mapping[str, Item]) -> tuple[int, bool]:
    """What of ``row`` may change while its order waits."""
    item = fresh.get(row.rel, row)
    return item.mtime_ns, item.pinned


def _key(row: object) -> str:
    """What tells a row from the others, in every order; empty for a heading."""
    if isinstance(row, Item):
        return row.rel
    return f"{row.item.rel}\0{row.key}" if isinstance(row, EvidenceRow) else ""


def _first(rows: Sequence[object]) -> int:
    return next((index for index, row in enumerate(rows) if isinstance(row, Item)), -1)
