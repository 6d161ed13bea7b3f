"""Gemini CLI: where logs are, and whose."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from knit_tui.sessions.formats.gemini import FORMAT
from knit_tui.sessions.formats.gemini_folders import GeminiLocator, folder, owner
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import peek
from tests.sessions.gemini_rows import CONTEXT, Row, begun, header, replaced, user
from tests.sessions.logs import write


class Tmp:
    """The folder of projects in a home."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.tmp = self.home / ".gemini/tmp"
        self.root = str(base / "lamp")
        Path(self.root).mkdir()

    def log(
        self, project: str, mark: str = "", name: str = "session-1.jsonl", rows: Iterable[Row] = ()
    ) -> str:
        folder = self.tmp / project
        if mark:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".project_root").write_text(mark, encoding="utf-8")
        return str(write(folder / "chats" / name, rows))

    def register(self, **projects: str) -> None:
        self.tmp.mkdir(parents=True, exist_ok=True)
        told = {"projects": {path: short for short, path in projects.items()}}
        (self.home / ".gemini/projects.json").write_text(json.dumps(told), encoding="utf-8")

    def found(self, environ: dict[str, str] | None = None, home: Path | None = None) -> list[str]:
        locator = GeminiLocator(home or self.home, environ or {})
        return [found.path for found in locator.logs((self.root,), 0)]


@pytest.fixture
def tmp(tmp_path: Path) -> Tmp:
    return Tmp(tmp_path)


def test_the_workspaces_logs_and_those_below_and_above(tmp: Tmp, tmp_path: Path) -> None:
    ours = [
        tmp.log("lamp", tmp.root),
        tmp.log("lamp-1", f"{tmp.root}/src\n"),
        tmp.log("up", str(tmp_path)),
    ]
    tmp.log("other", f"{tmp.root}-2")
    assert tmp.found() == ours
    assert [folder(Address(path)) for path in ours] == [tmp.root, f"{tmp.root}/src", str(tmp_path)]


def test_only_session_files_and_each_session_once(tmp: Tmp) -> None:
    old = tmp.log("lamp", tmp.root, "session-0.json")
    moved = tmp.log("lamp", name="session-1.jsonl")
    tmp.log("lamp", name="session-1.json")
    for name in ("session-2.jsonl.tmp-5", "session-2.jsonl.unreadable-5", "logs.json", "parent/x.jsonl"):
        tmp.log("lamp", name=name)
    assert tmp.found() == [old, moved]


def test_the_register_tells_where_no_mark_does(tmp: Tmp) -> None:
    ours, other = tmp.log("lamp"), tmp.log("other")
    assert tmp.found() == [ours, other]  # neither says whose it is: their headers may
    tmp.register(lamp=tmp.root, other="/w")
    assert tmp.found() == [ours]
    assert (folder(Address(ours)), folder(Address(other))) == (tmp.root, "/w")


def test_old_folders_are_named_by_a_hash(tmp: Tmp, tmp_path: Path) -> None:
    def named(path: str) -> str:
        return hashlib.sha256(path.encode()).hexdigest()

    ours = sorted([tmp.log(named(tmp.root)), tmp.log(named(str(tmp_path)))])
    below = tmp.log(named(f"{tmp.root}/src"))
    tmp.log(named("/w"))
    assert tmp.found() == ours
    tmp.register(src=f"{tmp.root}/src")
    assert sorted(tmp.found()) == sorted([*ours, below])
    assert folder(Address(below)) == f"{tmp.root}/src"
    assert folder(Address(ours[0])) == ""


def test_the_home_can_be_moved(tmp: Tmp, tmp_path: Path) -> None:
    ours = tmp.log("lamp", tmp.root)
    assert tmp.found(home=tmp_path / "none") == []
    assert tmp.found({"GEMINI_CLI_HOME": str(tmp.home)}, tmp_path / "none") == [ours]


def test_a_linked_workspace_is_known_by_both_names(tmp: Tmp, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp.root)
    ours = tmp.log("link", str(tmp_path / "link"))
    assert tmp.found() == [ours]


def test_new_logs_are_seen_and_a_folder_is_asked_once_whose_it_is(
    tmp: Tmp, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp.log("other", "/w")
    tmp.log("lamp", tmp.root)
    locator = GeminiLocator(tmp.home, {})
    asked: list[str] = []

    def counted(project: str) -> str:
        asked.append(project)
        return owner(project)

    monkeypatch.setattr("knit_tui.sessions.formats.gemini_folders.owner", counted)
    assert len(list(locator.logs((tmp.root,), 0))) == 1
    late = tmp.log("lamp", name="session-2.jsonl")
    assert late in [found.path for found in locator.logs((tmp.root,), 2)]
    assert len(asked) == 2
    tmp.log("lamp-2", f"{tmp.root}/src")
    assert len(list(locator.logs((tmp.root,), 4))) == 3


def test_looking_never_raises(tmp: Tmp, tmp_path: Path) -> None:
    assert tmp.found() == []
    tmp.log("lamp", "not a path")
    (tmp.tmp / "file").write_text("x")
    (tmp.home / ".gemini/projects.json").write_text("[" * 100_000)
    assert len(tmp.found()) == 1
    (tmp.home / ".gemini/projects.json").write_text('{"projects": {"relative": "lamp", "\\ud800": "lamp"}}')
    assert folder(Address(str(tmp.tmp / "lamp/chats/session-1.jsonl"))) == ""
    assert folder(Address("a\0b/chats/x.jsonl")) == ""
    assert folder(Address(str(tmp_path / "x.jsonl"))) == ""


def test_what_a_log_says_of_itself(tmp: Tmp) -> None:
    path = tmp.log("lamp", tmp.root, rows=[header(), replaced(user("env", CONTEXT)), user("u1", "dim it")])
    said = peek(Address(path), FORMAT, (tmp.root,))
    assert said is not None and said.prompt is not None
    assert (said.session_id, said.cwd, said.prompt[1:]) == ("8fb3c9a6", tmp.root, ("u1", "dim it"))
    stub = tmp.log("lamp", name="session-2.jsonl", rows=begun())
    said = peek(Address(stub), FORMAT, (tmp.root,))
    assert said is not None and said.prompt is None
