"""Where Goose keeps its sessions: one SQLite database, ``sessions/sessions.db`` in its data folder.

Older versions wrote a file for every session, which newer ones move into the database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.databases import columns
from knit_tui.sessions.formats.stores import Held, Stores, names, within
from knit_tui.sessions.listing import Address, Found
from knit_tui.sessions.sqlite import Rows, Shape, SqlitePoll

ALONE = frozenset(("sub_agent", "subagent", "hidden", "scheduled"))
"""Types of sessions that no person leads."""
_MOST = 2000

SHAPE = Shape(
    sessions=Rows(
        "sessions",
        ("id", "working_dir", "updated_at"),
        ("session_type", "parent_session_id", "created_at"),
        stamp="updated_at",
        body="working_dir",
    ),
    messages=Rows(
        "messages",
        ("id", "session_id", "role", "content_json", "created_timestamp"),
        ("message_id", "metadata_json"),
        stamp="created_timestamp",
        body="content_json",
    ),
    parts=None,
    parent="parent_session_id",
    order=("id",),
)


def sessions(database: sqlite3.Connection) -> list[Held]:
    """Those that people lead, the newest first."""
    there = columns(database, "sessions")
    if not there.issuperset(SHAPE.sessions.columns) or not columns(database, "messages"):
        return []
    kind = "session_type" if "session_type" in there else "'user'"
    sql = (
        f"SELECT id, working_dir, updated_at, {kind},"
        " (SELECT max(id) FROM messages WHERE session_id = sessions.id) FROM sessions"
        f" ORDER BY updated_at DESC LIMIT {_MOST}"
    )
    return [
        Held(*names(row), row[2], row[4] if isinstance(row[4], int) else 0)
        for row in database.execute(sql).fetchall()
        if isinstance(row[0], str) and row[3] not in ALONE
    ]


def source(address: Address, window: int) -> SqlitePoll:
    return SqlitePoll(address, window, SHAPE)


def logs_in(path: str) -> list[Found]:
    return within(path, sessions)


class GooseLocator:
    """The sessions of a workspace in the database."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        root = environ.get("GOOSE_PATH_ROOT", "")
        if os.path.isabs(root):
            data = os.path.join(root, "data")
        elif os.name == "nt" and environ.get("APPDATA"):
            data = os.path.join(environ["APPDATA"], "Block", "goose", "data")
        else:
            data = os.path.join(environ.get("XDG_DATA_HOME") or home / ".local" / "share", "goose")
        self._path = os.path.join(data, "sessions", "sessions.db")
        self._stores = Stores(sessions)

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        yield from self._stores.logs(self._path, roots)
