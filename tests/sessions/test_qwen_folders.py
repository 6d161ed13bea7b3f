"""Qwen Code: where logs are, and which sessions run."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.format import Live
from knit_tui.sessions.formats.qwen import FORMAT
from knit_tui.sessions.formats.qwen_folders import QwenLocator, live, slug
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import peek
from tests.sessions.logs import SESSION, write
from tests.sessions.qwen_rows import Qwen


class Logs:
    """A home with logs in it, and a workspace."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = base / "lamp.v2"
        self.root.mkdir()

    def log(self, cwd: Path, name: str = f"{SESSION}.jsonl", base: Path | None = None) -> str:
        path = (base or self.home / ".qwen") / "projects" / slug(str(cwd)) / "chats" / name
        return str(write(path, [Qwen(str(cwd)).user("dim it")]))

    def found(self, home: Path | None = None, **environ: str) -> list[str]:
        locator = QwenLocator(home or self.home, environ)
        return [found.path for found in locator.logs((str(self.root),), 0)]


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path)


def test_slugs() -> None:
    assert slug("/home/dev/my_lamp.v2") == "-home-dev-my-lamp-v2"
    assert slug("C:\\Lamp") == "c--lamp"
    assert slug("/w/灯😀") == "-w----"


def test_the_workspaces_logs_and_those_below_and_above(logs: Logs, tmp_path: Path) -> None:
    ours = {
        logs.log(logs.root),
        logs.log(logs.root / "src"),
        logs.log(logs.root / ".qwen/worktrees/night"),
        logs.log(tmp_path),
    }
    logs.log(tmp_path / "lamp.v3")
    logs.log(tmp_path / "lamp.v22")
    assert set(logs.found()) == ours


def test_only_session_files(logs: Logs) -> None:
    ours = logs.log(logs.root)
    for name in (
        "x.jsonl",
        f"{SESSION}.ledger.jsonl",
        f"{SESSION}.worktree.json",
        f"archive/{SESSION}.jsonl",
    ):
        logs.log(logs.root, name)
    assert logs.found() == [ours]


def test_the_logs_can_be_moved(logs: Logs, tmp_path: Path) -> None:
    there, none = tmp_path / "there", tmp_path / "none"
    ours = logs.log(logs.root, base=there)
    assert logs.found() == []
    assert logs.found(none, QWEN_HOME=str(there)) == [ours]
    assert logs.found(none, QWEN_RUNTIME_DIR=str(there), QWEN_HOME=str(none)) == [ours]
    settings = logs.home / ".qwen/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"advanced": {"runtimeOutputDir": str(there)}}))
    assert logs.found() == [ours]
    assert logs.found(QWEN_RUNTIME_DIR=str(none)) == []
    default = logs.log(logs.root)
    for content in ('{"advanced": {"runtimeOutputDir": "relative"}}', "{", "[]", '{"advanced": 1}'):
        settings.write_text(content)
        assert logs.found() == [default]


def test_new_logs_are_seen(logs: Logs) -> None:
    locator = QwenLocator(logs.home, {})
    assert list(locator.logs((str(logs.root),), 0)) == []
    first = logs.log(logs.root)
    assert [found.path for found in locator.logs((str(logs.root),), 2)] == [first]
    second = logs.log(logs.root / "src")
    assert [found.path for found in locator.logs((str(logs.root),), 4)] == [first, second]
    assert list(QwenLocator(logs.root / "a\0b", {}).logs((str(logs.root),), 0)) == []


def test_what_a_log_says_of_itself(logs: Logs) -> None:
    said = peek(Address(logs.log(logs.root)), FORMAT, (str(logs.root),))
    assert said is not None and said.prompt is not None
    assert (said.session_id, said.cwd, said.prompt[1:]) == (SESSION, str(logs.root), ("q1", "dim it"))


def test_the_programs_it_starts_know_the_session() -> None:
    assert FORMAT.variables == ("QWEN_CODE_SESSION_ID",)
    assert FORMAT.live is live


# Sessions that run.

DEAD = 2**22 + 1
"""No process has this id: it is above the largest one."""


def stat_start(pid: int) -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}:{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"


def registered(home: Path, name: str, **more: Any) -> None:
    told = {"schemaVersion": 1, "pid": os.getpid(), "sessionId": "s1", "cwd": "/w"} | more
    path = home / ".qwen/sessions" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")


def beside(home: Path, name: str, **more: Any) -> None:
    told = {"schema_version": 1, "pid": os.getpid(), "session_id": "s1", "work_dir": "/w"}
    path = home / ".qwen/projects/-w/chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    told |= {"hostname": socket.gethostname()} | more
    path.write_text(json.dumps(told), encoding="utf-8")


def test_nothing_is_known_of_running_sessions_where_none_tells(tmp_path: Path) -> None:
    assert live(tmp_path, {}) is None
    (tmp_path / ".qwen/sessions").mkdir(parents=True)
    assert live(tmp_path, {}) == []


def test_the_register_of_running_sessions(tmp_path: Path) -> None:
    registered(tmp_path, "1.json")
    registered(tmp_path, "2.json", pid=DEAD, sessionId="dead")
    registered(tmp_path, "3.json", pidNs=1, sessionId="in a container")
    registered(tmp_path, "4.json", schemaVersion=2, sessionId="of another kind")
    registered(tmp_path, "5.json", cwd="")
    for number, pid in enumerate((0, -1, True, "1", 10**30, None)):
        registered(tmp_path, f"6-{number}.json", pid=pid, sessionId="no process")
    (tmp_path / ".qwen/sessions/7.json").write_text("[" * 100_000)
    (tmp_path / ".qwen/sessions/8.json.tmp").write_text("{}")
    assert live(tmp_path, {}) == [Live("s1", "/w")]
    assert live(tmp_path / "none", {"QWEN_HOME": str(tmp_path / ".qwen")}) == [Live("s1", "/w")]


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
def test_a_process_with_the_same_id_is_not_the_same_process(tmp_path: Path) -> None:
    here = os.stat("/proc/self/ns/pid").st_ino
    registered(tmp_path, "1.json", procStart=stat_start(os.getpid()), pidNs=here)
    registered(tmp_path, "2.json", procStart="another boot:1", sessionId="before")
    assert live(tmp_path, {}) == [Live("s1", "/w")]


def test_older_versions_tell_beside_the_log(tmp_path: Path) -> None:
    beside(tmp_path, "s1.runtime.json")
    beside(tmp_path, "s2.runtime.json", pid=DEAD)
    beside(tmp_path, "s3.runtime.json", hostname="elsewhere")
    beside(tmp_path, "s4.runtime.json", schema_version=9)
    beside(tmp_path, "s5.json")
    assert live(tmp_path, {}) == [Live("s1", "/w")]
    moved = {"QWEN_RUNTIME_DIR": str(tmp_path / ".qwen")}
    assert live(tmp_path / "none", moved) == [Live("s1", "/w")]
    (tmp_path / ".qwen/sessions").mkdir()
    assert live(tmp_path, {}) == []
