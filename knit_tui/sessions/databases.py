"""SQLite databases of other programs, read so that their owners never notice.

A database is opened only when ``stat`` says that it, its write-ahead log or the index of that log
changed. It is read in one short transaction and closed again, so no checkpoint, VACUUM or write of the
owner waits for a reader. Nothing is created beside it: a write-ahead log is read through the index that
the owner made (``readonly_shm``), and where there is no log or no index, the database is read as a file
that does not change (``immutable``), which counts only when it did not change meanwhile. What is locked
now is read the next time. The schema is as hostile as the rows: nothing in it may run, or run for long.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Generic, TypeAlias, TypeVar
from urllib.parse import quote

from knit_tui.sessions.sources import open_regular

_UNSURE = 2 * 10**9
"""Nanoseconds. A file written to so shortly ago may be written to again without a newer time."""
_SECONDS = 1.0
"""Longest time for the questions of one opening."""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_ROLLBACK = b"\x01\x01"
"""What the header holds at 18 where there is no write-ahead log: readers take locks in the file alone."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

T = TypeVar("T")
Stamp: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The database, its write-ahead log, its index; the latter two empty when there are none."""


class Closed(Exception):
    """The database cannot be read now.

    ``state`` is ``missing``, ``unreadable``, ``special`` (no database), or ``same`` (not yet: it is
    locked, empty, or changed while it was read).
    """

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state


def stand(path: str) -> Stamp:
    """How the files of a database are now. Raises Closed."""
    try:
        now = os.stat(path)
    except PermissionError as error:
        raise Closed("unreadable") from error
    except (OSError, ValueError) as error:
        raise Closed("missing") from error
    if not stat.S_ISREG(now.st_mode):
        raise Closed("special")
    log, index = _beside(path + "-wal"), _beside(path + "-shm")
    # Readers write to the index too.
    return (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns), log, index[:1]


def _beside(path: str) -> tuple[int, ...]:
    try:
        now = os.stat(path)
    except (OSError, ValueError):
        return ()
    return now.st_ino, now.st_size, now.st_mtime_ns


def written(stamp: Stamp) -> int:
    """When the database was last written to, in nanoseconds since the epoch."""
    return max(part[-1] for part in stamp[:2] if part)


def settled(stamp: Stamp) -> bool:
    """Whether a later write surely changes the stamp."""
    return not 0 <= time.time_ns() - written(stamp) < _UNSURE


@contextmanager
def opened(path: str, stamp: Stamp) -> Iterator[sqlite3.Connection]:
    """The database that stood as ``stamp``, in a read transaction.

    Raises Closed when it cannot be read; at the end too, when what was read does not count.
    """
    how = _how(path, stamp)
    name = f"file:{quote(os.fsencode(os.path.abspath(path)))}?{how}"
    try:
        with closing(sqlite3.connect(name, uri=True, timeout=0.0, isolation_level=None)) as database:
            end = time.monotonic() + _SECONDS
            database.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            database.execute("PRAGMA query_only=1")
            database.execute("PRAGMA trusted_schema=0")
            database.execute("BEGIN")
            yield database
    except sqlite3.Error as error:
        code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
        if code in _BUSY or stand(path) != stamp:
            raise Closed("same") from error
        raise Closed("special" if code == sqlite3.SQLITE_NOTADB else "unreadable") from error
    except (OverflowError, MemoryError) as error:
        raise Closed("unreadable") from error
    if how == "immutable=1" and stand(path) != stamp:
        raise Closed("same")


def _how(path: str, stamp: Stamp) -> str:
    try:
        with open_regular(path) as file:
            header = file.read(_HEADER)
    except PermissionError as error:
        raise Closed("unreadable") from error
    except OSError as error:
        raise Closed("missing") from error
    if not header:
        raise Closed("same")
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise Closed("special")
    if header[18:20] == _ROLLBACK:
        return "mode=ro"
    return "mode=ro&readonly_shm=1" if stamp[1] and stamp[2] else "immutable=1"


def columns(database: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none when there is no such table."""
    found = database.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
    return frozenset(name for (name,) in found if isinstance(name, str))


class Asked(Generic[T]):
    """The answer to a question of one database, asked again only when the database changed."""

    def __init__(self, path: str, ask: Callable[[sqlite3.Connection], T], unknown: T) -> None:
        self._path = path
        self._ask = ask
        self._answer = self._unknown = unknown
        self._stamp: Stamp | None = None

    def answer(self) -> T:
        """As it is now; as it was while the database is locked; ``unknown`` when there is none."""
        try:
            stamp = stand(self._path)
            if stamp != self._stamp:
                self._stamp = None
                with opened(self._path, stamp) as database:
                    answer = self._ask(database)
                self._answer = answer
                self._stamp = stamp if settled(stamp) else None
        except Closed as closed:
            if closed.state != "same":
                self._answer, self._stamp = self._unknown, None
        return self._answer
