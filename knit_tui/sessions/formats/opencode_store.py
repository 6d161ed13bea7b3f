"""Where OpenCode keeps its sessions: one SQLite database for all projects, below the data folder.

``opencode.db``, or ``opencode-<channel>.db`` for builds that are not released; ``OPENCODE_DB`` names
another one, relative to the data folder. Older versions kept trees of JSON files, which newer ones
move into the database when they start.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.databases import columns
from knit_tui.sessions.formats.stores import Held, Stores, names, within
from knit_tui.sessions.listing import Address, Found, entries
from knit_tui.sessions.sqlite import Rows, Shape, SqlitePoll

_MOST = 2000

SHAPE = Shape(
    sessions=Rows(
        "session",
        ("id", "directory", "time_updated"),
        ("parent_id", "version", "revert", "time_created"),
        stamp="time_updated",
        body="revert",
    ),
    messages=Rows(
        "message",
        ("id", "session_id", "time_created", "time_updated", "data"),
        (),
        stamp="time_updated",
        body="data",
    ),
    parts=Rows(
        "part",
        ("id", "message_id", "session_id", "time_created", "time_updated", "data"),
        (),
        stamp="time_updated",
        body="data",
    ),
    parent="parent_id",
    order=("time_created", "id"),
    lasting="revert",
)


def sessions(database: sqlite3.Connection) -> list[Held]:
    """Those that people lead, the newest first."""
    there = columns(database, "session")
    if not there.issuperset(SHAPE.sessions.columns):
        return []
    wanted = " AND ".join(f"{name} IS NULL" for name in ("parent_id", "time_archived") if name in there)
    sql = (
        "SELECT id, directory, time_updated FROM session"
        f" WHERE {wanted or 1} ORDER BY time_updated DESC LIMIT {_MOST}"
    )
    return [Held(*names(row), row[2]) for row in database.execute(sql).fetchall() if isinstance(row[0], str)]


def source(address: Address, window: int) -> SqlitePoll:
    return SqlitePoll(address, window, SHAPE)


def logs_in(path: str) -> list[Found]:
    return within(path, sessions)


class OpenCodeLocator:
    """The sessions of a workspace in all databases of the data folder."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        base = environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
        self._folder = os.path.join(base, "opencode")
        named = environ.get("OPENCODE_DB", "")
        self._named = os.path.join(self._folder, named) if named and named != ":memory:" else ""
        self._stores = Stores(sessions)

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        for path in self._databases():
            yield from self._stores.logs(path, roots)

    def _databases(self) -> list[str]:
        if self._named:
            return [self._named]
        return [
            entry.path
            for entry in entries(self._folder)
            if entry.name == "opencode.db"
            or (entry.name.startswith("opencode-") and entry.name.endswith(".db"))
        ]
