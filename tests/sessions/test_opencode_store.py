"""Where OpenCode's databases are, and which sessions in them are of a workspace."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.events import Reset
from knit_tui.sessions.formats.opencode import FORMAT
from knit_tui.sessions.listing import Address
from knit_tui.sessions.log import Log
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import identify, peek
from tests.sessions.databases import fill, of_source, put
from tests.sessions.laws import PROJECT, short
from tests.sessions.opencode_rows import SCHEMA, Rows, conversation


def store(path: Path, *sessions: tuple[str, str], **more: Any) -> None:
    records = []
    for number, (name, folder) in enumerate(sessions):
        rows = Rows(name, folder)
        rows.count = 1000 * number
        records.append(rows.head(**more))
    fill(path, SCHEMA, records)


def found(home: Path, environ: dict[str, str], root: Path) -> list[str]:
    locator = FORMAT.locator(home, environ)
    return sorted(log.session for log in locator.logs((str(root),), 0.0))


def test_the_sessions_of_the_workspace_of_folders_below_and_above(tmp_path: Path) -> None:
    root = tmp_path / "work" / "lamp"
    (root / "src").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root)
    path = tmp_path / ".local/share/opencode/opencode.db"
    folders = {"same": root, "below": root / "src", "above": root.parent, "link": tmp_path / "link"}
    others = {"beside": root.parent / "lamppost", "else": tmp_path / "other"}
    store(path, *((name, str(folder)) for name, folder in (folders | others).items()))
    assert found(tmp_path, {}, root) == sorted(folders)
    assert found(tmp_path, {}, tmp_path / "nothing") == []


def test_channels_and_moved_stores(tmp_path: Path) -> None:
    data = tmp_path / "data"
    store(data / "opencode/opencode.db", ("main", "/w"))
    store(data / "opencode/opencode-dev.db", ("dev", "/w"))
    store(data / "opencode/mine.db", ("mine", "/w"))
    store(data / "opencode/opencode-x.db.bak", ("old", "/w"))
    store(tmp_path / "abs.db", ("abs", "/w"))
    moved = {"XDG_DATA_HOME": str(data)}
    assert found(tmp_path, moved, Path("/w")) == ["dev", "main"]
    assert found(tmp_path, moved | {"OPENCODE_DB": "mine.db"}, Path("/w")) == ["mine"]
    assert found(tmp_path, moved | {"OPENCODE_DB": str(tmp_path / "abs.db")}, Path("/w")) == ["abs"]
    assert found(tmp_path, {}, Path("/w")) == []


def test_sub_agents_and_archived_sessions_are_not_listed(tmp_path: Path) -> None:
    path = tmp_path / ".local/share/opencode/opencode.db"
    records = [Rows("a").head(), Rows("b").head(parent_id="a"), Rows("c").head(time_archived=1)]
    fill(path, SCHEMA, records)
    assert found(tmp_path, {}, Path(PROJECT)) == ["a"]
    assert [log.session for log in FORMAT.within(str(path))] == ["a"]


def test_within_a_file_the_newest_session_is_first(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    store(path, ("old", "/a"), ("new", "/b"))
    logs = FORMAT.within(str(path))
    assert [(log.session, log.path, log.inode) for log in logs] == [
        (name, str(path), path.stat().st_ino) for name in ("new", "old")
    ]
    (tmp_path / "text").write_text("{}\n")
    assert FORMAT.within(str(tmp_path / "text")) == FORMAT.within(str(tmp_path / "none")) == []


def test_a_session_that_went_on_is_told_anew_and_others_as_before(tmp_path: Path) -> None:
    path = tmp_path / ".local/share/opencode/opencode.db"
    store(path, ("a", "/w"), ("b", "/w"))
    locator = FORMAT.locator(tmp_path, {})
    before = {log.session: log for log in locator.logs(("/w",), 0.0)}
    assert before["b"].mtime_ns == 1_790_000_001_001 * 10**6
    with sqlite3.connect(path) as database:
        database.execute("UPDATE session SET time_updated = 1790000009000 WHERE id = 'a'")
    after = {log.session: log for log in locator.logs(("/w",), 0.0)}
    assert after["b"] == before["b"] and after["a"].mtime_ns == 1_790_000_009_000 * 10**6


def test_a_store_at_rest_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".local/share/opencode/opencode.db"
    store(path, ("a", "/w"))
    os.utime(path, (1_790_000_000, 1_790_000_000))
    locator = FORMAT.locator(tmp_path, {})
    assert len(list(locator.logs(("/w",), 0.0))) == 1
    monkeypatch.setattr(sqlite3, "connect", None)
    assert len(list(locator.logs(("/w",), 2.0))) == 1


def test_of_source_begins_where_the_window_does(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    _, records = conversation()
    fill(path, SCHEMA, records)
    events = of_source(FORMAT, Address(str(path), "ses_1"), window=2 * 16 * 1024)
    assert [short(event) for event in events][1:] == ["user two", "agent two done", "confirmed two.py ok"]


def test_what_a_session_says_of_itself(tmp_path: Path) -> None:
    """The first and the newest of many prompts, though not all are read."""
    path = tmp_path / "any.db"
    rows = Rows()
    records = [rows.head()]
    for number in range(100):
        records += [rows.user(), rows.part("text", text=f"prompt {number}"), rows.answer(), rows.says("ok")]
    fill(path, SCHEMA, records)
    said = peek(Address(str(path), "ses_1"), FORMAT, ("/w",))
    assert said is not None and said.first is not None and said.prompt is not None
    assert (said.session_id, said.cwd) == ("ses_1", PROJECT)
    assert (said.first[2], said.prompt[2]) == ("prompt 0", "prompt 99")
    assert said.prompt[0] == records[-3]["row"]["time_created"] / 1000


def test_a_database_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    store(path, ("old", "/a"), ("new", "/b"))
    assert identify(str(path), [FORMAT]) == ("following", Address(str(path), "new"), FORMAT)
    assert identify(f"{path}#old", [FORMAT]) == ("following", Address(str(path), "old"), FORMAT)
    assert identify(f"{path}#none", [FORMAT])[0] == "not-a-log"


def test_a_log_is_followed_and_begun_anew_when_the_person_takes_back(tmp_path: Path) -> None:
    path = tmp_path / "any.db"
    rows, records = conversation()
    fill(path, SCHEMA, records, wal=True)
    log = Log(Address(str(path), "ses_1"), FORMAT, lambda cwd: Place((PROJECT,)), "", lambda cwd: True)
    assert [short(event) for event in log.start(0.0)][1:4] == [
        "user one",
        "agent one done",
        "confirmed one.py ok",
    ]
    assert log.prompted == records[7]["row"]["time_created"] / 1000
    database = sqlite3.connect(path, isolation_level=None)
    for record in (rows.user(), rows.part("text", text="three")):
        put(database.execute, record)
    assert [short(event) for event in log.poll(1.0)] == ["user three"]
    database.execute("DELETE FROM message WHERE id = ?", (rows.message,))
    again = log.poll(2.0)
    assert again[0] == Reset("replaced") and short(again[-1]) == "confirmed two.py ok"
    database.execute("DELETE FROM session")
    assert log.poll(3.0) == [] and log.state == "missing"
    database.close()
