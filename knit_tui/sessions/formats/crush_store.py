"""Where Crush keeps its sessions: ``crush.db`` in a folder ``.crush`` of the project.

That is the nearest such folder upwards from where Crush was started, or one that the configuration
names. ``projects.json`` in its data folder lists the projects and those folders, last used first.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.databases import columns
from knit_tui.sessions.formats.stores import Held, Stores, objects, within
from knit_tui.sessions.listing import Address, Found, look
from knit_tui.sessions.paths import scrub
from knit_tui.sessions.sources import open_regular
from knit_tui.sessions.sqlite import Rows, Shape, SqlitePoll

_FOLDER = ".crush"
_DATABASE = "crush.db"
_MOST = 500
_LONGEST = 4 * 1024 * 1024

SHAPE = Shape(
    sessions=Rows(
        "sessions",
        ("id", "parent_session_id", "message_count", "updated_at"),
        ("created_at", "summary_message_id"),
        stamp="updated_at",
        body="summary_message_id",
    ),
    messages=Rows(
        "messages",
        ("id", "session_id", "role", "parts", "created_at", "updated_at"),
        ("is_summary_message",),
        stamp="updated_at",
        body="parts",
    ),
    parts=None,
    parent="parent_session_id",
    order=("rowid",),
)


def sessions(database: sqlite3.Connection) -> list[Held]:
    """Those that people lead, the newest first."""
    if not columns(database, "sessions").issuperset(SHAPE.sessions.columns):
        return []
    sql = (
        "SELECT id, updated_at, message_count FROM sessions WHERE parent_session_id IS NULL"
        f" ORDER BY updated_at DESC LIMIT {_MOST}"
    )
    return [
        Held(scrub(name), "", updated, count if isinstance(count, int) else 0)
        for name, updated, count in database.execute(sql).fetchall()
        if isinstance(name, str)
    ]


def source(address: Address, window: int) -> SqlitePoll:
    return SqlitePoll(address, window, SHAPE)


def logs_in(path: str) -> list[Found]:
    return within(path, sessions)


def folder(address: Address) -> str:
    """The project whose database it is: what holds its ``.crush``, else what ``projects.json`` says."""
    data = os.path.dirname(os.path.abspath(address.path))
    if os.path.basename(data) == _FOLDER:
        return scrub(os.path.dirname(data))
    listed_in = _projects_file(os.path.expanduser("~"), os.environ)
    return next((path for path, kept in _projects(listed_in) if kept == data), "")


def _projects_file(home: str, environ: Mapping[str, str]) -> str:
    base = environ.get("CRUSH_GLOBAL_DATA", "")
    if not base:
        local = environ.get("LOCALAPPDATA", "") if os.name == "nt" else ""
        data = environ.get("XDG_DATA_HOME") or local or os.path.join(home, ".local", "share")
        base = os.path.join(data, "crush")
    return os.path.join(base, "projects.json")


def _projects(path: str) -> list[tuple[str, str]]:
    """The folder of each project, and the one its data is in."""
    try:
        with open_regular(path) as file:
            told = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return []
    projects = objects(told.get("projects")) if isinstance(told, dict) else []
    pairs = [(scrub(project.get("path")), scrub(project.get("data_dir"))) for project in projects]
    return [
        (path, os.path.normpath(os.path.join(path, data)))
        for path, data in pairs
        if os.path.isabs(path) and data and "\0" not in path + data
    ]


class CrushLocator:
    """The sessions in the workspace's own database, in those above it, and in those of listed projects."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._listed_in = _projects_file(str(home), environ)
        self._stores = Stores(sessions)
        self._stamp: tuple[int, ...] | None = None
        self._projects: list[tuple[str, str]] = []

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        self._refresh()
        folders = [
            os.path.join(place, _FOLDER) for root in roots for place in (root, *map(str, Path(root).parents))
        ]
        folders += [data for path, data in self._projects if self._stores.related(path, roots)]
        told: set[tuple[int, str]] = set()
        for data in dict.fromkeys(folders):
            found = look(os.path.join(data, _DATABASE))
            if found is None:
                continue
            for log in self._stores.logs(found.path):
                if (log.inode, log.session) not in told:  # the folder in another spelling
                    told.add((log.inode, log.session))
                    yield log

    def _refresh(self) -> None:
        found = look(self._listed_in)
        stamp = None if found is None else (found.mtime_ns, found.size, found.inode)
        if stamp != self._stamp:
            self._stamp = stamp
            self._projects = _projects(self._listed_in)
