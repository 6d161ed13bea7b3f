"""A session in an agent's SQLite database, read as it grows.

Rows change in place and go away. Each poll lists the newest messages of the session without their
texts, and fetches what is new or changed since; a row that went makes the log another one. Sizes are
asked of blob handles, so a huge value is passed over without being loaded. How the database is opened
is told in `databases`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from knit_tui.sessions.databases import Closed, Stamp, columns, opened, settled, stand, written
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import moment

PER_MESSAGE = 16 * 1024
"""Bytes for which a message counts where a window is given in bytes."""
MAX_VALUE = 8 * 1024 * 1024
"""Bytes. A longer value (images in a prompt) is left out of its row."""
MAX_BYTES = 16 * 1024 * 1024
MAX_ROWS = 4096
"""The most that one call takes; the rest comes with the next."""
TAIL = 64
"""Messages that are looked at for changes once the start was read."""
_WIDEST = 4096
_OLDEST = 4
_BATCH = 400
_PATIENCE = 8
"""Failures in a row that may be passing."""


@dataclass(frozen=True, slots=True)
class Rows:
    """One kind of rows that a format wants. A record is ``{"table": name, "row": {column: value}}``."""

    table: str
    columns: tuple[str, ...]
    """Those without which nothing can be read. One is called ``id``."""
    optional: tuple[str, ...]
    """Those that other versions of the database may lack; they are None then."""
    stamp: str
    """The column that changes whenever a row does."""
    body: str
    """The column that may be long."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a database keeps sessions, their messages, and perhaps the parts of messages.

    Messages name their session in ``session_id``, parts their message in ``message_id``.
    """

    sessions: Rows
    messages: Rows
    parts: Rows | None
    parent: str
    """The column of a session that names the one it works for."""
    order: tuple[str, ...]
    """The columns by which messages are ordered."""
    lasting: str = ""
    """A column of the session that is NULL at first: once it is set, another value means that what was
    read before no longer counts."""


@dataclass(frozen=True, slots=True)
class _Entry:
    rows: Rows
    rowid: int
    name: Any
    stamp: Any

    @property
    def key(self) -> tuple[str, Any]:
        return self.rows.table, self.name


@dataclass(frozen=True, slots=True)
class _Known:
    """How far a session was read."""

    limit: int
    """Messages to list."""
    floor: list[tuple[int, Any]] | None = None
    """Where the order of messages begins, if some were left out at the start."""
    seen: dict[tuple[str, Any], tuple[Any, int]] = field(default_factory=dict)
    """Stamps and sizes of the rows that were listed last, as far as they were taken."""
    ready: list[Record] = field(default_factory=list)
    more: bool = False
    """Some of the listed rows were not taken yet."""
    lasting: Any = None
    started: int = 0
    oversized: int = 0
    mtime: float = 0.0


class SqlitePoll:
    """The rows of one session and of those that work for it. See `knit_tui.sessions.format.Source`."""

    def __init__(self, address: Address, window: int, shape: Shape) -> None:
        self._path, self._session = address.path, address.session
        self._shape = shape
        self._begin(window)

    def _begin(self, window: int) -> None:
        self.window = window
        self.damaged = 0
        self.started = 0
        """About the bytes that were left out at the start."""
        self._known = _Known(max(1, window // PER_MESSAGE))
        self._inode: tuple[int, ...] | None = None
        self._stamp: Stamp | None = None
        self._failures = 0
        self._columns: dict[str, list[str]] = {}

    @property
    def oversized(self) -> int:
        """Values that were left out because of their length."""
        return self._known.oversized

    @property
    def mtime(self) -> float:
        """Seconds since the epoch at which the session was last written, as far as known; else 0."""
        return self._known.mtime

    def restart(self, window: int | None = None) -> None:
        """Begin as if the session had never been read."""
        self._begin(self.window if window is None else window)

    def check(self) -> str:
        """``same``, ``grown``, ``missing``, ``unreadable``, ``special`` (no database), ``replaced``."""
        if self._known.ready:
            return "grown"
        try:
            stamp = stand(self._path)
            if self._inode not in (None, stamp[0][:2]):
                return "replaced"
            if stamp == self._stamp and not self._known.more:
                return "same"
            with opened(self._path, stamp) as database:
                state, known = self._look(database, stamp)
        except Closed as closed:
            self._stamp = None
            return self._patient(closed.state)
        self._failures = 0
        self._inode, self._known, self.started = stamp[0][:2], known, known.started
        self._stamp = stamp if state in ("same", "grown") and settled(stamp) else None
        return state

    def _patient(self, state: str) -> str:
        if state != "unreadable" or self._inode is None:
            return state
        self._failures += 1
        return "same" if self._failures < _PATIENCE else state

    def records(self) -> Iterator[Record]:
        """The rows that the last check found, in order. To be run through to its end."""
        ready, self._known = self._known.ready, replace(self._known, ready=[])
        yield from ready

    def head(self) -> Iterator[Record]:
        """The session and its oldest messages, where reading does not begin with them."""
        if not self.started:
            return
        try:
            with opened(self._path, stand(self._path)) as database:
                entries = self._own(database) + self._oldest(database)
                records = [self._fetch(database, entry, self._size(database, entry)) for entry in entries]
        except Closed:
            return
        yield from records

    # One look, inside a transaction.

    def _look(self, database: sqlite3.Connection, stamp: Stamp) -> tuple[str, _Known]:
        known, shape = self._known, self._shape
        if not self._session or not self._readable(database):
            return "same", known
        own = self._own(database)
        if not own:
            return "missing", known
        lasting = self._value(database, shape.lasting) if shape.lasting else None
        if known.lasting is not None and lasting != known.lasting:
            return "replaced", known
        found = self._newest(database, known.limit)
        if not known.seen and len(found) == known.limit:
            started = self._left_out(database, known.limit)
            known = replace(known, started=started, floor=_place(found[-1]) if started else None)
        entries = own + self._entries(database, found + self._kin(database), known.floor)
        if self._went(database, entries):
            return "replaced", known
        latest = written(stamp) / 1e9
        mtime = max(moment(entry.stamp, latest) for entry in entries)
        known = self._take(database, entries, replace(known, lasting=lasting, mtime=mtime))
        return "grown" if known.ready else "same", known

    def _take(self, database: sqlite3.Connection, entries: list[_Entry], known: _Known) -> _Known:
        """``known``, with as many of the entries that are new or changed as one call may take."""
        seen = dict(known.seen)
        ready: list[Record] = []
        held = oversized = 0
        for entry in entries:
            if known.more and entry.key in seen:  # taken a moment ago
                continue
            size = self._size(database, entry)
            if seen.get(entry.key) == (entry.stamp, size):
                continue
            if held > MAX_BYTES or len(ready) >= MAX_ROWS:
                oversized += known.oversized
                return replace(known, seen=seen, ready=ready, more=True, oversized=oversized)
            ready.append(self._fetch(database, entry, size))
            seen[entry.key] = (entry.stamp, size)
            if size > MAX_VALUE:
                oversized += 1
            else:
                held += size
        seen = {entry.key: seen[entry.key] for entry in entries}
        oversized += known.oversized
        return replace(known, limit=TAIL, seen=seen, ready=ready, more=False, oversized=oversized)

    def _went(self, database: sqlite3.Connection, entries: list[_Entry]) -> bool:
        """Whether a row that was read is gone, and not only older than those that are listed."""
        listed = {entry.key for entry in entries}
        return any(
            database.execute(f'SELECT 1 FROM "{table}" WHERE id = ?', (name,)).fetchone() is None
            for table, name in self._known.seen
            if (table, name) not in listed
        )

    def _readable(self, database: sqlite3.Connection) -> bool:
        """Whether the tables and columns are there; notes which can be asked for."""
        shape = self._shape
        for rows in (shape.sessions, shape.messages, shape.parts):
            if rows is None:
                continue
            there = columns(database, rows.table)
            if not there.issuperset(rows.columns):
                return False
            self._columns[rows.table] = [*rows.columns, *(name for name in rows.optional if name in there)]
        return True

    def _value(self, database: sqlite3.Connection, column: str) -> Any:
        table = self._shape.sessions.table
        if column not in self._columns[table]:
            return None
        sql = f'SELECT "{column}" FROM "{table}" WHERE id = ?'
        found = database.execute(sql, (self._session,)).fetchone()
        return found[0] if found else None

    def _left_out(self, database: sqlite3.Connection, limit: int) -> int:
        sql = f'SELECT count(*) FROM "{self._shape.messages.table}" WHERE session_id = ?'
        total = int(database.execute(sql, (self._session,)).fetchone()[0])
        return max(0, total - limit) * PER_MESSAGE

    def _own(self, database: sqlite3.Connection) -> list[_Entry]:
        rows = self._shape.sessions
        sql = f'SELECT rowid, id, "{rows.stamp}" FROM "{rows.table}" WHERE id = ?'
        found = database.execute(sql, (self._session,)).fetchall()
        return [_Entry(rows, *row) for row in found]

    def _messages(self, where: str, way: str) -> str:
        order, rows = self._shape.order, self._shape.messages
        return (
            f'SELECT rowid, id, "{rows.stamp}", {", ".join(order)} FROM "{rows.table}"'
            f" WHERE session_id {where} ORDER BY {', '.join(f'{column} {way}' for column in order)} LIMIT ?"
        )

    def _oldest(self, database: sqlite3.Connection) -> list[_Entry]:
        return self._entries(database, self._ordered(database, "ASC", _OLDEST), None)

    def _newest(self, database: sqlite3.Connection, limit: int) -> list[tuple[Any, ...]]:
        """The newest messages, newest first; more than asked for when even those are all new."""
        table, seen = self._shape.messages.table, self._known.seen
        found = self._ordered(database, "DESC", limit)
        if not seen or len(found) < limit:
            return found
        while len(found) == limit <= _WIDEST and (table, found[-1][1]) not in seen:
            limit *= 8
            found = self._ordered(database, "DESC", limit)
        # What is older than the oldest that is remembered was told before it was forgotten.
        known = [place for place, row in enumerate(found) if (table, row[1]) in seen]
        return found[: known[-1] + 1] if known else found

    def _ordered(self, database: sqlite3.Connection, way: str, limit: int) -> list[tuple[Any, ...]]:
        return database.execute(self._messages("= ?", way), (self._session, limit)).fetchall()

    def _kin(self, database: sqlite3.Connection) -> list[tuple[Any, ...]]:
        """The newest messages of the sessions that work for this one."""
        table, parent = self._shape.sessions.table, self._shape.parent
        if parent not in self._columns[table]:
            return []
        kin = (
            f'WITH RECURSIVE kin(id) AS (SELECT id FROM "{table}" WHERE "{parent}" = ?'
            f' UNION SELECT s.id FROM "{table}" s JOIN kin ON s."{parent}" = kin.id) '
        )
        sql = kin + self._messages("IN (SELECT id FROM kin)", "DESC")
        return database.execute(sql, (self._session, TAIL)).fetchall()

    def _entries(
        self, database: sqlite3.Connection, found: list[tuple[Any, ...]], floor: list[Any] | None
    ) -> list[_Entry]:
        """The messages, in order, each with its parts; without those before the floor."""
        found = sorted((row for row in found if floor is None or _place(row) >= floor), key=_place)
        parts = self._parts(database, [row[1] for row in found])
        entries: list[_Entry] = []
        for row in found:
            entries.append(_Entry(self._shape.messages, *row[:3]))
            entries += parts.get(row[1], ())
        return entries

    def _parts(self, database: sqlite3.Connection, messages: list[Any]) -> dict[Any, list[_Entry]]:
        rows = self._shape.parts
        found: dict[Any, list[_Entry]] = {}
        for batch in _batches(messages) if rows is not None else ():
            assert rows is not None
            sql = (
                f'SELECT rowid, id, "{rows.stamp}", message_id FROM "{rows.table}"'
                f" WHERE message_id IN ({','.join('?' * len(batch))}) ORDER BY message_id, id"
            )
            for row in database.execute(sql, batch).fetchall():
                found.setdefault(row[3], []).append(_Entry(rows, *row[:3]))
        return found

    def _size(self, database: sqlite3.Connection, entry: _Entry) -> int:
        rows = entry.rows
        if rows.body not in self._columns[rows.table]:
            return 0
        try:
            with database.blobopen(rows.table, rows.body, entry.rowid, readonly=True) as value:
                return len(value)
        except sqlite3.OperationalError:  # it is NULL
            return 0

    def _fetch(self, database: sqlite3.Connection, entry: _Entry, size: int) -> Record:
        rows, names = entry.rows, self._columns[entry.rows.table]
        long = size > MAX_VALUE
        asked = ", ".join("NULL" if long and name == rows.body else f'"{name}"' for name in names)
        sql = f'SELECT {asked} FROM "{rows.table}" WHERE rowid = ?'
        values = database.execute(sql, (entry.rowid,)).fetchone() or ()
        row: dict[str, Any] = dict.fromkeys(rows.optional)
        row |= dict(zip(names, values, strict=False))
        return {"table": rows.table, "row": row}


def _batches(items: list[Any]) -> Iterable[list[Any]]:
    return (items[start : start + _BATCH] for start in range(0, len(items), _BATCH))


def _place(row: tuple[Any, ...]) -> list[tuple[int, Any]]:
    """Where a listed message stands."""
    return [_rank(value) for value in row[3:]]


def _rank(value: Any) -> tuple[int, Any]:
    """Orders what SQLite holds as SQLite does: NULL, numbers, texts, blobs."""
    if value is None:
        return 0, 0
    if isinstance(value, (int, float)):
        return 1, value
    return (2, value) if isinstance(value, str) else (3, bytes(value))
