"""Claude Code: how sessions begin, what in them is a command, and which of them run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.format import Live
from knit_tui.sessions.formats.claude import FORMAT, clears
from knit_tui.sessions.formats.claude_folders import live
from knit_tui.sessions.lines import records
from tests.sessions.logs import ROOT, Claude, claude_events, prompts


@pytest.fixture
def log() -> Claude:
    return Claude()


def command(name: str, args: str = "") -> str:
    message = name.removeprefix("/")
    return (
        f"<command-name>{name}</command-name>\n            <command-message>{message}</command-message>\n"
        f"            <command-args>{args}</command-args>"
    )


def test_a_log_that_begins_with_the_command_to_clear(shared: Path) -> None:
    path = shared / "sessions/samples/claude/02-slash-command-skill-local.jsonl"
    said = [record for line in path.read_bytes().splitlines() for record in records(line)[0]]
    assert [number for number, record in enumerate(said) if clears(record)] == [2]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (command("/clear"), True),
        (command("/clear", "a name"), True),
        (command("/new"), True),
        (command("/reset"), True),
        ("<command-message>clear</command-message>\n<command-name>/clear</command-name>", True),
        ([{"type": "text", "text": command("/clear")}], True),
        (command("/compact"), False),
        (command("/clear-cache"), False),
        (f"what does {command('/clear')} mean", False),
        ("/clear", False),
        (None, False),
        ([], False),
    ],
)
def test_what_clears(log: Claude, content: Any, expected: bool) -> None:
    assert clears(log.user(content)) is expected
    assert FORMAT.clears is clears


def test_what_cannot_clear(log: Claude) -> None:
    assert not clears(log.user(command("/clear"), isSidechain=True))
    assert not clears(log.says(command("/clear")))
    assert not clears({"type": "user", "message": "x"})
    assert not clears({})


@pytest.mark.parametrize("name", ["/clear", "/model", "/compact", "/rename", "/add-dir"])
def test_what_is_typed_after_a_command_of_the_program_is_no_prompt(log: Claude, name: str) -> None:
    events = claude_events(log.user(command(name, "a name")), log.user("dim it"))
    assert prompts(events) == ["dim it"]


def test_what_is_typed_after_another_command_is_the_prompt(log: Claude) -> None:
    assert prompts(claude_events(log.user(command("/review", "the dimmer")))) == ["the dimmer"]


@pytest.mark.parametrize(
    ("said", "expected"), [("dim it", ["dim it"]), ("! cat a.md", []), ("/clear a name", [])]
)
def test_a_last_prompt_that_was_a_command_is_none(log: Claude, said: str, expected: list[str]) -> None:
    record = {"type": "last-prompt", "lastPrompt": said, "sessionId": log.session}
    assert prompts(claude_events(log.says("on it"), record)) == expected


def test_a_session_that_was_interrupted_and_compacted_by_hand(log: Claude) -> None:
    """The records of version 2.1.328, in their order."""
    events = claude_events(
        log.user("Explain the loader.", origin={"kind": "human"}, promptSource="typed"),
        log.says("The loader walks the"),
        log.user([{"type": "text", "text": "[Request interrupted by user]"}]),
        log.user("<bash-input>cat README.md</bash-input>"),
        log.user("<bash-stdout># picload</bash-stdout><bash-stderr></bash-stderr>"),
        log.says("Done."),
        log.row("system", subtype="compact_boundary", parent=None),
        log.user("This session is being continued from a previous conversation", isCompactSummary=True),
        log.user(
            "<local-command-caveat>The command below was run directly</local-command-caveat>", isMeta=True
        ),
        log.user(command("/compact")),
        log.user("<local-command-stdout>Compacted</local-command-stdout>"),
        log.attached("file", filename=f"{ROOT}/README.md"),
        log.user("Where were we?", origin={"kind": "human"}, promptSource="typed"),
    )
    assert [getattr(event, "text", type(event).__name__) for event in events[1:]] == [
        "Explain the loader.",
        "The loader walks the",
        "Done.",
        "Compacted",
        "Where were we?",
    ]


def test_the_variable_in_which_the_session_is_told() -> None:
    assert FORMAT.variables == ("CLAUDE_CODE_SESSION_ID",)


def started(pid: int) -> str:
    """When a process began, as the registry has it."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[19].decode()


def register(folder: Path, name: str, **said: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(timeout=10)
    return ended.pid


def test_the_sessions_that_run(tmp_path: Path, gone: int) -> None:
    folder, mine = tmp_path / ".claude/sessions", os.getpid()
    register(folder, "1", pid=mine, sessionId="s1", cwd=ROOT, status="busy")
    register(folder, "2", pid=gone, sessionId="s2", cwd=ROOT)
    register(folder, "3", pid=1, sessionId="s3")
    assert live(tmp_path, {}) == [Live("s1", ROOT), Live("s3", "")]


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the start of a process is told by Linux")
def test_another_process_with_the_number_of_one_that_is_gone(tmp_path: Path) -> None:
    folder, mine = tmp_path / ".claude/sessions", os.getpid()
    register(folder, "1", pid=mine, sessionId="s1", cwd=ROOT, procStart=started(mine))
    register(folder, "2", pid=mine, sessionId="s2", cwd=ROOT, procStart="1")
    register(folder, "3", pid=mine, sessionId="s3", cwd=ROOT, procStart="Mon Nov 30 2026")
    assert live(tmp_path, {}) == [Live("s1", ROOT), Live("s3", ROOT)]


def test_a_registry_that_was_moved_or_is_not_there(tmp_path: Path) -> None:
    assert live(tmp_path, {}) is None
    register(tmp_path / "moved/sessions", "1", pid=os.getpid(), sessionId="s1", cwd=ROOT)
    assert live(tmp_path, {"CLAUDE_CONFIG_DIR": str(tmp_path / "moved")}) == [Live("s1", ROOT)]
    assert FORMAT.live is live


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"pid": true, "sessionId": "s"}', '{"pid": -1, "sessionId": "s"}',
     '{"pid": 0, "sessionId": "s"}', '{"pid": "1", "sessionId": "s"}', '{"pid": 1, "sessionId": ["s"]}',
     '{"pid": 1}', '{"pid": 100000000000000000000000, "sessionId": "s"}', "[" * 40_000],
)  # fmt: skip
def test_a_registered_file_that_says_nothing_usable(tmp_path: Path, content: str) -> None:
    folder = tmp_path / ".claude/sessions"
    folder.mkdir(parents=True)
    (folder / "1.json").write_text(content, encoding="utf-8")
    os.mkfifo(folder / "2.json")
    (folder / "3.json").mkdir()
    (folder / "4.key").write_text("{}")
    assert live(tmp_path, {}) == []
