"""A database whose owner writes, tidies up, locks, replaces and closes it while it is followed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions import databases, sqlite
from knit_tui.sessions.databases import Asked, Closed, columns, opened, stand
from knit_tui.sessions.sqlite import SqlitePoll
from tests.sessions.databases import Owner, age, beside, create, ids, message, owner, poll, taken


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "a.db"


@pytest.fixture
def writer(path: Path) -> Iterator[Owner]:
    with owner(path) as one:
        create(one)
        yield one


# The owner does what it wants.


def test_it_writes_tidies_up_and_checkpoints_while_followed(path: Path, writer: Owner) -> None:
    source = poll(path)
    for number in range(1, 30):
        message(writer, number)
        assert ids(taken(source))[-1] == f"m{number:04}-0"
        assert writer("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0
        assert taken(source) == []
        if number % 5 == 0:
            writer("DELETE FROM session WHERE id <> 's'")
            assert writer("VACUUM") == []
            assert taken(source) == []


def test_many_at_once_after_many_one_by_one_are_told_once(path: Path, writer: Owner) -> None:
    source = poll(path)
    seen = ids(taken(source))
    for number in range(1, 71):
        message(writer, number)
        seen += ids(taken(source))
    for number in range(71, 146):
        message(writer, number)
    seen += ids(taken(source))
    assert seen == ["s", *(name for number in range(1, 146) for name in (f"m{number:04}", f"m{number:04}-0"))]


def test_it_never_waits_for_a_follower(path: Path, writer: Owner) -> None:
    """With no patience at all, while another thread polls without a pause."""
    source, seen, stop, states = poll(path), [], threading.Event(), set()

    def follow() -> None:
        while not stop.is_set():
            state = source.check()
            states.add(state)
            seen.extend(ids(list(source.records())))

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        for number in range(1, 250):
            message(writer, number)  # an error would fail here
            if number % 50 == 0:
                writer("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        stop.set()
        thread.join()
    seen += ids(taken(source))
    wanted = ["s", *(name for number in range(1, 250) for name in (f"m{number:04}", f"m{number:04}-0"))]
    assert sorted(seen) == sorted(wanted)
    assert states <= {"same", "grown"}


def test_a_write_that_is_not_committed_is_not_seen_and_hides_nothing(path: Path, writer: Owner) -> None:
    message(writer, 1)
    source = poll(path)
    writer("BEGIN IMMEDIATE")
    message(writer, 2)
    assert ids(taken(source)) == ["s", "m0001", "m0001-0"]
    writer("COMMIT")
    assert ids(taken(source)) == ["m0002", "m0002-0"]


def test_a_lock_is_waited_out(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with owner(path, wal=False) as one:
        create(one)
        message(one, 1)
        source = poll(path)
        taken(source)
        message(one, 2)
        assert one("BEGIN EXCLUSIVE") == []
        assert [source.check() for _ in range(20)] == ["same"] * 20
        one("COMMIT")
        assert ids(taken(source)) == ["m0002", "m0002-0"]


def test_a_database_without_a_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with owner(path, wal=False) as one:
        create(one)
        source = poll(path)
        for number in range(1, 4):
            message(one, number)
            assert ids(taken(source))[-1] == f"m{number:04}-0"
        assert set(beside(path)) == {"a.db"}


# Nothing is left behind.


def test_a_database_that_was_closed_is_left_as_it_is(path: Path, writer: Owner) -> None:
    message(writer, 1)
    writer.close()
    before = beside(path)
    assert set(before) == {"a.db"}
    source = poll(path)
    assert len(taken(source)) == 3
    assert beside(path) == before


def test_a_write_ahead_log_that_its_owner_left_is_read_and_left_as_it_is(path: Path, writer: Owner) -> None:
    message(writer, 1)
    writer.kill()
    before = beside(path)
    assert set(before) == {"a.db", "a.db-shm", "a.db-wal"} and before["a.db-wal"]
    index = (path.parent / "a.db-shm").read_bytes()
    assert ids(taken(poll(path))) == ["s", "m0001", "m0001-0"]
    assert beside(path) == before
    assert (path.parent / "a.db-shm").read_bytes() == index


def test_without_the_index_only_the_database_itself_is_read(path: Path, writer: Owner) -> None:
    message(writer, 1)
    writer("PRAGMA wal_checkpoint(TRUNCATE)")
    message(writer, 2)
    writer.kill()
    (path.parent / "a.db-shm").unlink()
    before = beside(path)
    source = poll(path)
    assert ids(taken(source)) == ["s", "m0001", "m0001-0"]
    assert beside(path) == before
    with owner(path) as again:  # it makes the index anew
        assert again("SELECT count(*) FROM message") == [[2]]
        assert ids(taken(source)) == ["m0002", "m0002-0"]


def test_the_owner_comes_and_goes(path: Path, writer: Owner) -> None:
    source = poll(path)
    taken(source)
    writer.close()
    assert taken(source) == []
    for number in range(1, 4):
        with owner(path) as again:
            message(again, number)
            if number == 2:
                assert ids(taken(source)) == ["m0002", "m0002-0"]
        if number != 2:
            assert ids(taken(source)) == [f"m{number:04}", f"m{number:04}-0"]
    assert set(beside(path)) == {"a.db"}


def test_a_database_that_changes_while_it_is_read_without_locks_does_not_count(
    path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    message(writer, 1)
    writer.close()
    look = SqlitePoll._look

    def meddled(self: SqlitePoll, database: sqlite3.Connection, stamp: databases.Stamp) -> Any:
        told = look(self, database, stamp)
        with owner(path) as again:
            message(again, 2)
        return told

    source = poll(path)
    with monkeypatch.context() as patch:
        patch.setattr(SqlitePoll, "_look", meddled)
        assert source.check() == "same"
        assert list(source.records()) == []
    assert ids(taken(source)) == ["s", "m0001", "m0001-0", "m0002", "m0002-0"]


def test_a_folder_that_cannot_be_written_to() -> None:
    """Read by a user who may only read, while the owner writes."""
    base = Path(tempfile.mkdtemp(prefix="knit-"))
    path, user = base / "a.db", os.geteuid()
    try:
        with owner(path) as one:
            create(one)
            message(one, 1)
            for entry in base.iterdir():
                entry.chmod(0o444)
            base.chmod(0o555)
            before = beside(path)
            try:
                if user == 0:
                    os.seteuid(65534)
                with pytest.raises(PermissionError):
                    (base / "new").touch()
                assert ids(taken(poll(path))) == ["s", "m0001", "m0001-0"]
            finally:
                os.seteuid(user)
            assert beside(path) == before
            path.chmod(0o000)
            base.chmod(0o755)
            try:
                if user == 0:
                    os.seteuid(65534)
                assert poll(path).check() == "unreadable"
            finally:
                os.seteuid(user)
            path.chmod(0o644)
    finally:
        shutil.rmtree(base, ignore_errors=True)


# Opened only when something changed.


def test_a_database_at_rest_is_not_opened(path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    message(writer, 1)
    age(path)
    source = poll(path)
    taken(source)
    opens: list[str] = []

    def counted(where: str, stamp: databases.Stamp) -> Any:
        opens.append(where)
        return opened(where, stamp)

    monkeypatch.setattr(sqlite, "opened", counted)
    assert [source.check() for _ in range(5)] == ["same"] * 5
    assert opens == []
    message(writer, 2)
    assert source.check() == "grown" and len(opens) == 1


def test_a_change_within_one_tick_of_the_clock_is_not_missed(path: Path, writer: Owner) -> None:
    """Same sizes, same times: the files were written to just now, so they may be written to again."""
    for number in range(1, 9):
        message(writer, number)
    writer("PRAGMA wal_checkpoint(PASSIVE)")  # the next write goes to the beginning of the log
    source = poll(path)
    taken(source)
    before, log = stand(str(path)), path.parent / "a.db-wal"
    writer("UPDATE part SET at = 77 WHERE id = 'm0002-0'")
    os.utime(log, ns=(0, before[1][2]))
    assert stand(str(path)) == before
    assert [record["row"]["at"] for record in taken(source)] == [77]


# No database, or none yet.


def test_what_is_no_database(tmp_path: Path) -> None:
    text = tmp_path / "a.db"
    assert poll(text).check() == "missing"
    text.write_bytes(b"")
    assert poll(text).check() == "same"
    text.write_bytes(b'{"type": "user"}\n' * 100)
    assert poll(text).check() == "special"
    text.write_bytes(b"SQLite format 3\0")
    assert poll(text).check() == "special"
    assert poll(tmp_path).check() == "special"
    assert poll(tmp_path / "a\0b").check() == "missing"
    os.mkfifo(tmp_path / "pipe")
    assert poll(tmp_path / "pipe").check() == "special"


def test_an_empty_file_that_becomes_a_database(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    source = poll(path)
    assert source.check() == "same"
    with owner(path) as one:
        create(one)
        assert ids(taken(source)) == ["s"]


def test_a_database_that_is_torn(path: Path, writer: Owner) -> None:
    for number in range(1, 100):
        message(writer, number)
    writer.close()
    whole = path.read_bytes()
    for at in (100, 1000, 5000, 9000, len(whole) - 3000):
        path.write_bytes(whole[:at])
        assert poll(path).check() in ("same", "unreadable", "special", "grown", "missing")
        path.write_bytes(whole[:at] + b"\xa5" * 500 + whole[at + 500 :])
        source = poll(path)
        source.check()
        list(source.records())
        list(source.head())


def test_trouble_that_stays_is_told_at_last(path: Path, writer: Owner) -> None:
    message(writer, 1)
    writer.close()
    source = poll(path)
    taken(source)
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xa5" * (len(whole) - 100))
    states = [source.check() for _ in range(12)]
    assert states[0] == "same" and states[-1] == "unreadable"
    path.write_bytes(whole)
    assert source.check() == "same"


def test_other_tables_and_missing_columns_give_nothing(path: Path, writer: Owner) -> None:
    writer("ALTER TABLE part DROP COLUMN data")
    message_less = poll(path)
    assert message_less.check() == "same"
    writer("ALTER TABLE part ADD COLUMN data TEXT")
    assert ids(taken(message_less)) == ["s"]
    writer("DROP TABLE message")
    assert poll(path).check() == "same"


def test_a_schema_that_would_run_for_ever(path: Path, writer: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_SECONDS", 0.05)
    writer("DROP TABLE part")
    writer(
        "CREATE VIEW part AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
        " SELECT id, 'm0001' AS message_id, id AS at, '' AS data FROM n"
    )
    writer("INSERT INTO message VALUES ('m0001', 's', 1, '{}')")
    assert poll(path).check() == "unreadable"


def test_values_of_any_kind(path: Path, writer: Owner) -> None:
    for name, at in (("1", None), ("2", 2.5), ("3", "later"), ("4", 2)):
        writer("INSERT INTO message VALUES (?, 's', ?, NULL)", (name, at))
    writer("INSERT INTO message VALUES (x'ff', 's', x'00', x'c328')")
    writer("INSERT INTO message VALUES (NULL, 's', 1, CAST(x'22c3' AS TEXT))")
    found = taken(poll(path))
    assert [record["row"]["id"] for record in found[1:]] == ["1", None, "4", "2", "3", b"\xff"]
    assert found[2]["row"]["data"] == '"�'


# Questions of a database.


def test_a_question_is_asked_again_when_the_database_changed(path: Path, writer: Owner) -> None:
    asked: list[int] = []

    def count(database: sqlite3.Connection) -> int:
        asked.append(1)
        return int(database.execute("SELECT count(*) FROM message").fetchone()[0])

    question = Asked(str(path), count, -1)
    age(path)
    assert [question.answer() for _ in range(3)] == [0, 0, 0]
    assert len(asked) == 1
    message(writer, 1)
    assert question.answer() == 1
    writer.close()
    path.unlink()
    assert question.answer() == -1


def test_an_answer_stays_while_the_database_is_locked(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with owner(path, wal=False) as one:
        create(one)
        question = Asked(str(path), lambda database: len(columns(database, "session")), 0)
        assert question.answer() == 4
        one("BEGIN EXCLUSIVE")
        assert question.answer() == 4
        one("COMMIT")


def test_names_that_mean_something_in_an_address(tmp_path: Path) -> None:
    for name in ("a?mode=rwc.db", "b#c.db", "d%41.db", "é 你.db", os.fsdecode(b"\xff.db")):
        path = tmp_path / name
        with owner(path) as one:
            create(one)
        with opened(str(path), stand(str(path))) as database:
            assert columns(database, "session") == {"id", "parent", "back", "changed"}
    with pytest.raises(Closed):
        stand(str(tmp_path / "none.db"))
