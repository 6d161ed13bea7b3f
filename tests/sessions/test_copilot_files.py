"""Copilot CLI: whole logs, and where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.copilot import FORMAT
from knit_tui.sessions.formats.copilot_folders import CopilotLocator, cwd_in
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import peek
from tests.sessions.home import NOW, age
from tests.sessions.laws import PROJECT, agrees, cut_anywhere, grown_in_chunks, of_file, short
from tests.sessions.logs import write
from tests.sessions.test_copilot import start, user


def sample(shared: Path) -> Path:
    return shared / "sessions/samples/copilot/01-events.jsonl"


def genuine(shared: Path) -> Path:
    return next((shared / "sessions/genuine/copilot-1.0.102/session-state").glob("*/events.jsonl"))


def test_the_sample(shared: Path) -> None:
    # The shared list leaves out what sub-agents read, compactions and moves.
    session = "session copilot b1c02b71-7c94-4d42-a3e8-3b5e98ba37fb"
    assert [short(one) for one in of_file(FORMAT, sample(shared))] == [
        f"{session} {PROJECT}",
        "user explain the config loader",
        "confirmed config.json ok",
        "confirmed none.json failed",
        "confirmed docs/a.md ok by subagent",
        "agent It reads one JSON file.",
        "Compacted",
        f"{session} {PROJECT}/packages/web",
        f"{session} {PROJECT}",
    ]


def test_a_genuine_log(shared: Path, tmp_path: Path) -> None:
    agrees(shared, "copilot-1.0.102", of_file(FORMAT, genuine(shared)), tmp_path)
    decoder = FORMAT.decoder(Place((PROJECT,)), "events")
    for row in genuine(shared).read_text(encoding="utf-8").splitlines():
        decoder.decode(json.loads(row))
    assert decoder.unknown == 0


def test_cut_anywhere(shared: Path, tmp_path: Path) -> None:
    cut_anywhere(FORMAT, sample(shared).read_bytes(), tmp_path / "s/events.jsonl", step=5)
    cut_anywhere(FORMAT, genuine(shared).read_bytes(), tmp_path / "g/events.jsonl", step=997)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks(shared: Path, tmp_path: Path, size: int) -> None:
    grown_in_chunks(FORMAT, sample(shared).read_bytes(), tmp_path / "events.jsonl", size)


def test_read_twice(shared: Path, tmp_path: Path) -> None:
    data = genuine(shared).read_bytes()
    (tmp_path / "events.jsonl").write_bytes(data + data)
    assert of_file(FORMAT, tmp_path / "events.jsonl") == of_file(FORMAT, genuine(shared))


def test_only_copilot_recognises_it(shared: Path) -> None:
    for path in (sample(shared), genuine(shared)):
        for row in path.read_text(encoding="utf-8").splitlines():
            assert FORMAT.recognises(json.loads(row))
            assert [one.agent for one in FORMATS if one.recognises(json.loads(row))] in ([], ["copilot"])
    for other in ("claude", "codex", "qwen", "pi", "dsh", "cursor"):
        for path in (shared / "sessions/samples" / other).glob("*.jsonl"):
            for raw in path.read_bytes().splitlines():
                try:
                    record = json.loads(raw)
                except ValueError:
                    continue
                assert not (isinstance(record, dict) and FORMAT.recognises(record))


# Where logs are.


def put(home: Path, name: str, about: str = "", top: str = ".copilot") -> str:
    session = home / top / "session-state" / name
    path = write(session / "events.jsonl", [start(None), user("hello")])
    if about:
        (session / "workspace.yaml").write_text(about, encoding="utf-8")
    return str(path)


def found(home: Path, root: str, environ: dict[str, str] | None = None) -> list[str]:
    return [log.path for log in CopilotLocator(home, environ or {}).logs((root,), NOW)]


def test_the_sessions_of_the_workspace(tmp_path: Path) -> None:
    mine = [
        put(tmp_path, "a", "id: a\ncwd: /w/lamp\nname: x\n"),
        put(tmp_path, "b", "cwd: /w/lamp/lib\n"),
        put(tmp_path, "c", "cwd: /w\n"),
        put(tmp_path, "d"),
        put(tmp_path, "e", "name: 'cwd: /w/other'\n"),
    ]
    put(tmp_path, "f", "cwd: /w/lamps\n")
    put(tmp_path, "g", "cwd: /w/other\n")
    (tmp_path / ".copilot/session-state/h").mkdir()
    assert found(tmp_path, "/w/lamp") == mine


def test_a_workspace_that_is_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    path = put(tmp_path, "a", f"cwd: {tmp_path}/link\n")
    assert found(tmp_path, str(tmp_path / "real")) == [path]


def test_sessions_of_older_versions_lie_flat(tmp_path: Path) -> None:
    top = tmp_path / ".copilot/session-state"
    path = age(write(top / "b1c0.jsonl", [start()]), 3600)
    age(write(top / "old.jsonl", [start()]), 31 * 86400)
    assert found(tmp_path, "/w/lamp") == [str(path)]


def test_a_session_that_moves_here_is_seen(tmp_path: Path) -> None:
    path = put(tmp_path, "a", "cwd: /w/other\n")
    locator = CopilotLocator(tmp_path, {})
    assert list(locator.logs(("/w/lamp",), NOW)) == []
    (Path(path).parent / "workspace.yaml").write_text("cwd: /w/lamp\n")
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [path]
    other = put(tmp_path, "b", "cwd: /w/lamp\n")
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [path, other]


def test_what_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a", "cwd: /w/lamp\n")
    locator = CopilotLocator(tmp_path, {})
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [path]
    opened: list[str] = []
    monkeypatch.setattr(os, "scandir", opened.append)
    monkeypatch.setattr(os, "open", lambda path, *_: opened.append(path))
    assert [log.path for log in locator.logs(("/w/lamp",), NOW)] == [path]
    assert opened == []


def test_the_home_can_be_moved(tmp_path: Path) -> None:
    moved = put(tmp_path, "a", top="moved")
    state = put(tmp_path, "b", top="state/.copilot")
    put(tmp_path, "c")
    environ = {"COPILOT_HOME": str(tmp_path / "moved"), "XDG_STATE_HOME": str(tmp_path / "state")}
    assert found(tmp_path, "/w/lamp", environ) == [moved, state]


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("id: x\ncwd: /home/dev/my lamp\n", "/home/dev/my lamp"),
        ("cwd: 'C:\\dev\\it''s'\r\nid: x\r\n", "C:\\dev\\it's"),
        ('cwd: "/home/\\u706f"\n', "/home/灯"),
        ('cwd: "\\x41"\n', ""),
        ("git_root: /x\n  cwd: /y\n", ""),
        ("cwd:\n", ""),
    ],
)
def test_the_folder_in_a_workspace_file(tmp_path: Path, text: str, cwd: str) -> None:
    path = tmp_path / "workspace.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    assert cwd_in(str(path)) == cwd


def test_a_peek_knows_the_folder_from_beside(tmp_path: Path) -> None:
    path = put(tmp_path, "a", "cwd: /w/lamp\n")
    said = peek(Address(path), FORMAT, ("/w/lamp",))
    assert said is not None and said.prompt is not None
    assert (said.session_id, said.cwd, said.prompt[2]) == ("b1c0", "/w/lamp", "hello")


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    assert found(tmp_path, "/w/lamp", {"COPILOT_HOME": "a\0b"}) == []
    assert cwd_in("a\0b") == ""
    assert FORMAT.variables == ("COPILOT_AGENT_SESSION_ID",)
