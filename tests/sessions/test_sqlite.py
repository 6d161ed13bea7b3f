"""The rows of a session: what is told of them, how often, and how much at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from knit_tui.sessions import databases, sqlite
from knit_tui.sessions.databases import opened
from knit_tui.sessions.sqlite import PER_MESSAGE, TAIL
from tests.sessions.databases import Owner, age, create, ids, message, owner, poll, taken


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "a.db"


@pytest.fixture
def writer(path: Path) -> Iterator[Owner]:
    with owner(path) as one:
        create(one)
        yield one


# What is there, and what comes.


def test_the_session_then_each_message_with_its_parts(path: Path, writer: Owner) -> None:
    message(writer, 1, parts=2)
    message(writer, 2)
    source = poll(path)
    found = taken(source)
    assert ids(found) == ["s", "m0001", "m0001-0", "m0001-1", "m0002", "m0002-0"]
    assert found[0] == {
        "table": "session",
        "row": {"id": "s", "changed": 1000, "parent": None, "back": None, "more": None},
    }
    assert found[2]["row"] == {
        "id": "m0001-0",
        "message_id": "m0001",
        "at": 1,
        "data": "text 1",
        "extra": None,
    }
    assert source.started == source.oversized == source.damaged == 0
    assert source.check() == "same"


def test_what_is_new_or_changed_comes_once(path: Path, writer: Owner) -> None:
    message(writer, 1)
    source = poll(path)
    taken(source)
    message(writer, 2)
    writer("UPDATE part SET data = 'longer text', at = 5 WHERE id = 'm0001-0'")
    assert ids(taken(source)) == ["m0001-0", "m0002", "m0002-0"]
    assert taken(source) == []


def test_a_row_that_only_grew_has_changed(path: Path, writer: Owner) -> None:
    """Times may be as coarse as seconds."""
    message(writer, 1)
    source = poll(path)
    taken(source)
    writer("UPDATE part SET data = 'text 1 and more' WHERE id = 'm0001-0'")
    assert [record["row"]["data"] for record in taken(source)] == ["text 1 and more"]


def test_sessions_that_work_for_it_come_too_and_others_do_not(path: Path, writer: Owner) -> None:
    for name, parent in (("child", "s"), ("grandchild", "child"), ("other", None)):
        writer("INSERT INTO session VALUES (?, ?, NULL, 1)", (name, parent))
    for number, name in enumerate(("s", "child", "grandchild", "other", "s"), 1):
        message(writer, number, name, parts=0)
    assert ids(taken(poll(path))) == ["s", "m0001", "m0002", "m0003", "m0005"]
    assert ids(taken(poll(path, session="other"))) == ["other", "m0004"]


def test_sessions_that_work_for_each_other_end(path: Path, writer: Owner) -> None:
    writer("UPDATE session SET parent = 'child'")
    writer("INSERT INTO session VALUES ('child', 's', NULL, 1)")
    message(writer, 1)
    assert ids(taken(poll(path))) == ["s", "m0001", "m0001-0"]


def test_the_time_is_that_of_the_newest_row_of_the_session(path: Path, writer: Owner) -> None:
    writer("UPDATE session SET changed = 1700000000123")
    writer("INSERT INTO message VALUES ('m1', 's', 1700000000456, '{}')")
    writer("INSERT INTO message VALUES ('m2', 'other', 1700000000789, '{}')")
    source = poll(path)
    assert source.mtime == 0
    taken(source)
    assert source.mtime == 1700000000.456


# Where reading begins.


def test_a_window_holds_the_newest_messages(path: Path, writer: Owner) -> None:
    for number in range(1, 9):
        message(writer, number)
    source = poll(path, 3 * PER_MESSAGE)
    assert ids(taken(source)) == ["s", "m0006", "m0006-0", "m0007", "m0007-0", "m0008", "m0008-0"]
    assert source.started == 5 * PER_MESSAGE
    assert ids(list(source.head()))[:5] == ["s", "m0001", "m0001-0", "m0002", "m0002-0"]
    message(writer, 9)
    assert ids(taken(source)) == ["m0009", "m0009-0"]
    source.restart(8 * PER_MESSAGE)
    assert len(taken(source)) == 17
    assert source.started == PER_MESSAGE


def test_the_messages_of_a_sub_agent_take_no_place_in_the_window(path: Path, writer: Owner) -> None:
    writer("INSERT INTO session VALUES ('child', 's', NULL, 1)")
    for number in range(1, 4):
        message(writer, number, parts=0)
    for number in range(10, 20):
        message(writer, number, "child", parts=0)
    source = poll(path, 2 * PER_MESSAGE)
    found = ids(taken(source))
    assert found == ["s", "m0002", "m0003", *(f"m{number:04}" for number in range(10, 20))]
    message(writer, 20, "child", parts=0)
    assert ids(taken(source)) == ["m0020"]


def test_nothing_left_out_no_head(path: Path, writer: Owner) -> None:
    message(writer, 1)
    source = poll(path)
    taken(source)
    assert list(source.head()) == []


# What is too much at once.


def test_rows_come_in_portions(path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "MAX_ROWS", 3)
    for number in range(1, 5):
        message(writer, number)
    age(path)
    source = poll(path)
    portions = []
    while source.check() == "grown":
        portions.append(ids(list(source.records())))
    assert portions == [
        ["s", "m0001", "m0001-0"],
        ["m0002", "m0002-0", "m0003"],
        ["m0003-0", "m0004", "m0004-0"],
    ]


def test_bytes_come_in_portions(path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "MAX_BYTES", 1000)
    for number in range(1, 4):
        message(writer, number)
        writer("UPDATE part SET data = ? WHERE id = ?", ("x" * 900, f"m{number:04}-0"))
    source = poll(path)
    counts = []
    while source.check() == "grown":
        counts.append(len(list(source.records())))
    assert counts == [5, 2]


def test_a_value_of_50_mb_is_not_loaded(path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    message(writer, 1)
    writer("UPDATE part SET data = printf('%.*c', 50000000, 'x')")
    asked: list[str] = []
    there = opened

    @contextmanager
    def watched(where: str, stamp: databases.Stamp) -> Iterator[sqlite3.Connection]:
        with there(where, stamp) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)  # loading more would fail
            database.set_trace_callback(asked.append)
            yield database

    monkeypatch.setattr(sqlite, "opened", watched)
    source = poll(path)
    found = taken(source)
    assert [record["row"]["data"] for record in found[1:]] == ["{}", None]
    assert source.oversized == 1
    assert asked and taken(source) == []


def test_after_the_start_only_the_newest_messages_are_looked_at(path: Path, writer: Owner) -> None:
    for number in range(1, TAIL + 20):
        message(writer, number, parts=0)
    source = poll(path)
    assert len(taken(source)) == TAIL + 20
    writer("UPDATE message SET data = '{\"old\": 1}' WHERE at = 1")
    writer("UPDATE message SET data = '{\"new\": 1}' WHERE at = ?", (TAIL + 10,))
    assert ids(taken(source)) == [f"m{TAIL + 10:04}"]


def test_however_many_come_at_once_none_is_lost(path: Path, writer: Owner) -> None:
    for number in range(1, 5):
        message(writer, number, parts=0)
    source = poll(path, 2 * PER_MESSAGE)
    assert ids(taken(source)) == ["s", "m0003", "m0004"]
    for number in range(5, 3 * TAIL):
        message(writer, number, parts=0)
    assert ids(taken(source)) == [f"m{number:04}" for number in range(5, 3 * TAIL)]
    assert taken(source) == []


# Another one.


def test_a_row_that_went_makes_it_another_log(path: Path, writer: Owner) -> None:
    for number in range(1, 5):
        message(writer, number)
    source = poll(path)
    taken(source)
    writer("DELETE FROM message WHERE id = 'm0004'")
    age(path)
    assert source.check() == "replaced"
    assert source.check() == "replaced"  # until it is begun anew
    source.restart()
    assert ids(taken(source))[-1] == "m0003-0"


def test_a_part_that_went_makes_it_another_log(path: Path, writer: Owner) -> None:
    message(writer, 1, parts=2)
    source = poll(path)
    taken(source)
    writer("DELETE FROM part WHERE id = 'm0001-1'")
    assert source.check() == "replaced"


def test_rows_that_only_grow_old_did_not_go(path: Path, writer: Owner) -> None:
    source = poll(path)
    for number in range(1, 2 * TAIL):
        message(writer, number, parts=0)
        if number % 20 == 0:
            assert source.check() == "grown"
            list(source.records())
    assert source.check() == "grown"


def test_a_mark_that_is_taken_back_makes_it_another_log(path: Path, writer: Owner) -> None:
    message(writer, 1)
    source = poll(path)
    taken(source)
    writer("UPDATE session SET back = 'm0001', changed = 1001")
    assert ids(taken(source)) == ["s"]
    writer("UPDATE session SET back = NULL, changed = 1002")
    assert source.check() == "replaced"


def test_another_file_in_its_place(path: Path, writer: Owner, tmp_path: Path) -> None:
    message(writer, 1)
    source = poll(path)
    taken(source)
    writer.close()
    other = tmp_path / "other.db"
    with owner(other) as one:
        create(one)
    os.replace(other, path)
    assert source.check() == "replaced"
    source.restart()
    assert ids(taken(source)) == ["s"]


def test_the_same_rows_in_another_file(path: Path, writer: Owner, tmp_path: Path) -> None:
    """Restored from a copy, it may have been another one in between."""
    message(writer, 1)
    writer.close()
    source = poll(path)
    taken(source)
    shutil.copy(path, tmp_path / "copy.db")
    os.replace(tmp_path / "copy.db", path)
    assert source.check() == source.check() == "replaced"


def test_a_session_that_was_deleted_is_missing(path: Path, writer: Owner) -> None:
    source = poll(path)
    taken(source)
    writer("DELETE FROM session")
    age(path)
    assert source.check() == source.check() == "missing"
    assert poll(path, session="never").check() == "missing"


def test_no_session_no_rows(path: Path, writer: Owner) -> None:
    assert poll(path, session="").check() == "same"
