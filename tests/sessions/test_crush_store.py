"""Where Crush's databases are, and which folder their sessions run in."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from knit_tui.sessions.formats.crush import FORMAT
from knit_tui.sessions.listing import Address
from tests.sessions.crush_rows import FINISH, SCHEMA, head, message, text
from tests.sessions.databases import fill, of_source
from tests.sessions.laws import short


def store(path: Path, *names: str) -> Path:
    rows = [head(name, updated_at=1_790_000_000 + number) for number, name in enumerate(names)]
    fill(path, SCHEMA, rows)
    return path


def found(home: Path, environ: dict[str, str], *roots: Path) -> list[str]:
    locator = FORMAT.locator(home, environ)
    return sorted(log.session for log in locator.logs(tuple(map(str, roots)), 0.0))


def projects(path: Path, *pairs: tuple[Path, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = [
        {"path": str(folder), "data_dir": data, "last_accessed": "2026-08-21T10:00:00Z"}
        for folder, data in pairs
    ]
    path.write_text(json.dumps({"projects": listed}))


def test_the_databases_of_the_workspace_and_above_it(tmp_path: Path) -> None:
    root = tmp_path / "work/lamp"
    store(root / ".crush/crush.db", "own")
    store(tmp_path / "work/.crush/crush.db", "above")
    store(tmp_path / "work/other/.crush/crush.db", "other")
    store(root / "src/.crush/crush.db", "below")
    (tmp_path / "link").symlink_to(root)
    assert found(tmp_path, {}, root) == ["above", "own"]
    assert found(tmp_path, {}, tmp_path / "link", root) == ["above", "own"]
    data = tmp_path / ".local/share/crush/projects.json"
    projects(
        data, (root / "src", str(root / "src/.crush")), (tmp_path / "x", str(tmp_path / "work/other/.crush"))
    )
    assert found(tmp_path, {}, root) == ["above", "below", "own"]


def test_a_data_folder_that_the_configuration_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "lamp"
    root.mkdir()
    path = store(tmp_path / "state/lamp/crush.db", "moved")
    relative = store(root / "var/crush.db", "relative")
    for variable, folder in (("CRUSH_GLOBAL_DATA", "g"), ("XDG_DATA_HOME", "x/crush")):
        listed = tmp_path / folder / "projects.json"
        projects(listed, (root, str(path.parent)), (root, "var"))
        environ = {variable: str(tmp_path / folder.partition("/")[0])}
        assert found(tmp_path, environ, root) == ["moved", "relative"]
        with monkeypatch.context() as patch:
            patch.delenv("CRUSH_GLOBAL_DATA", raising=False)
            patch.setenv(variable, environ[variable])
            assert FORMAT.folder(Address(str(path), "moved")) == str(root)
            assert FORMAT.folder(Address(str(relative), "relative")) == str(root)
            assert FORMAT.folder(Address(str(tmp_path / "nowhere/crush.db"))) == ""
    assert FORMAT.folder(Address(str(root / ".crush/crush.db"), "s")) == str(root)


def test_a_list_of_projects_that_is_damaged(tmp_path: Path) -> None:
    listed = tmp_path / ".local/share/crush/projects.json"
    listed.parent.mkdir(parents=True)
    store(tmp_path / "w/.crush/crush.db", "own")
    for damaged in (
        "",
        "[]",
        '{"projects": 3}',
        '{"projects": [1, {"path": 1}, {"path": "\\u0000/x", "data_dir": "y"}]}',
    ):
        listed.write_text(damaged)
        assert found(tmp_path, {}, tmp_path / "w") == ["own"]


def test_sub_agents_are_not_listed_and_the_newest_is_first(tmp_path: Path) -> None:
    path = store(tmp_path / ".crush/crush.db", "a", "b")
    with sqlite3.connect(path) as database:
        database.execute(
            "INSERT INTO sessions SELECT 'c', 'a', title, 0, 0, 0, 0, 1, 1, NULL, NULL FROM sessions LIMIT 1"
        )
    assert [log.session for log in FORMAT.within(str(path))] == ["b", "a"]
    assert found(tmp_path, {}, tmp_path) == ["a", "b"]


def test_a_message_within_the_same_second_makes_it_another_find(tmp_path: Path) -> None:
    path = store(tmp_path / ".crush/crush.db", "a")
    locator = FORMAT.locator(tmp_path, {})
    before = list(locator.logs((str(tmp_path),), 0.0))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE sessions SET message_count = 7")
    after = list(locator.logs((str(tmp_path),), 0.0))
    assert before != after and before[0].address == after[0].address


def test_a_store_at_rest_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = store(tmp_path / ".crush/crush.db", "a")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    locator = FORMAT.locator(tmp_path, {})
    assert len(list(locator.logs((str(tmp_path),), 0.0))) == 1
    monkeypatch.setattr(sqlite3, "connect", None)
    assert len(list(locator.logs((str(tmp_path),), 2.0))) == 1


def test_a_database_of_an_older_version(tmp_path: Path) -> None:
    path = tmp_path / ".crush/crush.db"
    fill(path, SCHEMA, [head(), message("q", "user", text("why?"), FINISH)])
    with sqlite3.connect(path) as database:
        for table, column in (("messages", "is_summary_message"), ("sessions", "summary_message_id")):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    assert [short(event) for event in of_source(FORMAT, Address(str(path), "s"))][1:] == ["user why?"]
