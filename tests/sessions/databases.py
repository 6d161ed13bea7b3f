"""Databases of agents, made and written to by real SQLite in another process."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knit_tui.sessions.events import Event
from knit_tui.sessions.format import Format, Source
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from knit_tui.sessions.sqlite import Rows, Shape, SqlitePoll
from tests.sessions.laws import ALL, PROJECT

_SERVE = """
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=float(sys.argv[2]))
for line in sys.stdin:
    sql, values = json.loads(line)
    try:
        found = database.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        found = str(error)
    print(json.dumps(found), flush=True)
database.close()
"""


class Owner:
    """Another process with a connection of its own."""

    def __init__(self, path: Path, wal: bool = True, timeout: float = 0.0) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(path), str(timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if wal:
            assert self("PRAGMA journal_mode=WAL") == [["wal"]]

    def __call__(self, sql: str, values: Sequence[object] = ()) -> Any:
        """What the statement gives: rows, or what went wrong as a text."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([sql, list(values)]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """Close the connection and end."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=20)
        self._process.stdout.close()

    def kill(self) -> None:
        """End without closing the connection."""
        self._process.kill()
        self.close()


@contextmanager
def owner(path: Path, wal: bool = True) -> Iterator[Owner]:
    one = Owner(path, wal)
    try:
        yield one
    finally:
        one.close()


# A store of no agent, with all that one may have.

SHAPE = Shape(
    sessions=Rows("session", ("id", "changed"), ("parent", "back", "more"), stamp="changed", body="more"),
    messages=Rows("message", ("id", "session_id", "at", "data"), (), stamp="at", body="data"),
    parts=Rows("part", ("id", "message_id", "at", "data"), ("extra",), stamp="at", body="data"),
    parent="parent",
    order=("at", "id"),
    lasting="back",
)
TABLES = (
    "CREATE TABLE session (id TEXT PRIMARY KEY, parent TEXT, back TEXT, changed INT)",
    "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, at INT, data TEXT)",
    "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, at INT, data TEXT)",
)
FIVE_MINUTES = 300 * 10**9


def create(one: Owner, session: str = "s") -> None:
    for sql in TABLES:
        assert one(sql) == []
    one("INSERT INTO session VALUES (?, NULL, NULL, 1000)", (session,))


def message(one: Owner, number: int, session: str = "s", parts: int = 1) -> None:
    name = f"m{number:04}"
    assert one("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, number, "{}")) == []
    for part in range(parts):
        one("INSERT INTO part VALUES (?, ?, ?, ?)", (f"{name}-{part}", name, number, f"text {number}"))


def poll(path: Path, window: int = 1 << 40, session: str = "s", shape: Shape = SHAPE) -> SqlitePoll:
    return SqlitePoll(Address(str(path), session), window, shape)


def ids(records: list[dict[str, Any]]) -> list[str]:
    return [record["row"]["id"] for record in records]


def beside(path: Path) -> dict[str, int]:
    return {entry.name: entry.stat().st_size for entry in path.parent.iterdir()}


def age(path: Path) -> None:
    """Make the files old, as they are when an agent has long been silent."""
    for entry in path.parent.iterdir():
        now = entry.stat()
        os.utime(entry, ns=(now.st_atime_ns - FIVE_MINUTES, now.st_mtime_ns - FIVE_MINUTES))


# Stores of agents.


def fill(path: Path, schema: str, records: Iterable[dict[str, Any]], wal: bool = False) -> None:
    """A database with these records in its tables, closed again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, isolation_level=None)
    if wal:
        database.execute("PRAGMA journal_mode=WAL")
    database.executescript(schema)
    for record in records:
        put(database.execute, record)
    database.close()


def put(execute: Any, record: dict[str, Any]) -> None:
    """Insert one record, or write it over the row with its id."""
    row = record["row"]
    columns = ", ".join(row)
    marks = ", ".join("?" * len(row))
    execute(f"INSERT OR REPLACE INTO {record['table']} ({columns}) VALUES ({marks})", list(row.values()))


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def taken(source: Source) -> list[dict[str, Any]]:
    """The records up to where nothing is new."""
    found: list[dict[str, Any]] = []
    while source.check() == "grown":
        found += source.records()
    return found


def of_source(form: Format, log: Address, window: int = ALL, root: str = PROJECT) -> list[Event]:
    source = form.source(log, window)
    decoder = form.decoder(Place((root,)), log.name, form.folder(log))
    events: list[Event] = []
    while source.check() == "grown":
        events += [event for record in source.records() for event in decoder.decode(record)]
    return events + decoder.settle()


def prefixes(form: Format, records: Sequence[dict[str, Any]], name: str, cwd: str = PROJECT) -> None:
    """Every beginning of the rows gives a beginning of the events, and rows given twice nothing more."""
    decoder = form.decoder(Place((PROJECT,)), name, cwd)
    steps = [decoder.decode(record) for record in records]
    whole = [event for step in steps for event in step]
    assert whole and not decoder.foreign
    again = [event for record in records for event in decoder.decode(record)]
    assert again == []
    for end in range(len(records)):
        part = form.decoder(Place((PROJECT,)), name, cwd)
        events = [event for record in records[:end] for event in part.decode(record)] + part.settle()
        assert events == whole[: len(events)]
        assert len(events) == sum(map(len, steps[:end]))


def only_its_own(form: Format, records: Iterable[dict[str, Any]], others: Iterable[Format]) -> None:
    """Of all formats only this one takes the records for its own, and it takes most."""
    records = list(records)
    assert sum(form.recognises(record) for record in records) * 2 > len(records)
    for other in others:
        if other.agent != form.agent:
            assert not any(map(other.recognises, records)), other.agent


def encodes(events: Iterable[Event]) -> None:
    for event in events:
        for name in event.__slots__:
            value = getattr(event, name)
            if isinstance(value, str):
                value.encode()
