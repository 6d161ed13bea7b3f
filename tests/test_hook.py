"""The program behind agents' hooks, as agents run it: it helps, or it is not there at all."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from knit_tui.sessions.hooks import LONGEST, read
from knit_tui.sessions.telling import KEPT_SECONDS, MOST
from knit_tui.sessions.told import Board
from tests.hook_desk import PROMPT, PROMPTS, ROOT, STARTS, Desk, context


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# What it is for.


@pytest.mark.parametrize("agent", PROMPTS)
def test_each_agent_gets_the_pack_for_its_prompt(desk: Desk, agent: str) -> None:
    desk.index()
    text = desk.ask(agent)
    assert "retry.md" in text and "client.py" in text
    assert "other.md" not in text
    assert "not instructions" in text
    assert len(text.encode()) <= 1500


@pytest.mark.parametrize("agent", PROMPTS)
@pytest.mark.parametrize("event", ["start", "prompt"])
def test_each_agent_tells_panels_its_session(desk: Desk, agent: str, event: str) -> None:
    said = {"start": STARTS, "prompt": PROMPTS}[event][agent]
    before = time.time()
    out = desk.hook(agent, data=desk.message(said))
    assert event == "prompt" or out == b""
    (told,) = Board(str(desk.board)).read(time.time()).values()
    assert (told.agent, told.cwd) == (agent, str(desk.root))
    if agent == "copilot":
        assert told.session_id == said["sessionId"]
        assert told.path == f"{desk.home}/.copilot/session-state/{told.session_id}/events.jsonl"
    else:
        assert (told.session_id, told.path) == (said["session_id"], said["transcript_path"])
    assert before - 1 <= told.at <= time.time()
    (file,) = desk.board.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(desk.board.stat().st_mode) == 0o700


def test_one_file_for_a_session_however_often_it_is_told(desk: Desk) -> None:
    for said in (STARTS["claude"], PROMPTS["claude"], PROMPTS["claude"]):
        desk.hook("claude", data=desk.message(said))
    desk.hook("claude", data=desk.message(STARTS["claude"], session_id="other"))
    assert len(list(desk.board.iterdir())) == 2


def test_more_than_a_panel_reads_is_cleared_away(desk: Desk) -> None:
    desk.board.mkdir(parents=True)
    now = time.time()
    for number in range(MOST + 20):
        file = desk.board / f"{number:03}.json"
        file.write_text("{}")
        os.utime(file, (now - number - 10, now - number - 10))
    desk.hook("claude", data=desk.message(STARTS["claude"]))
    names = sorted(path.name for path in desk.board.iterdir())
    assert len(names) == MOST
    assert names[: MOST - 1] == [f"{number:03}.json" for number in range(MOST - 1)]


def test_what_is_a_week_old_is_cleared_away(desk: Desk) -> None:
    desk.board.mkdir(parents=True)
    for name, age in (("old.json", KEPT_SECONDS + 60), ("tmp-left", KEPT_SECONDS + 60), ("new.json", 60)):
        (desk.board / name).write_text("{}")
        os.utime(desk.board / name, (time.time() - age,) * 2)
    desk.hook("claude", data=desk.message(STARTS["claude"]))
    names = {path.name for path in desk.board.iterdir()}
    assert "new.json" in names and len(names) == 2


def test_a_folder_below_the_project_asks_for_the_whole_project(desk: Desk) -> None:
    (desk.root / ".git").mkdir()
    (desk.root / "deep").mkdir()
    desk.index()
    assert "retry.md" in desk.ask(cwd=str(desk.root / "deep"))


def test_it_loads_nothing_that_it_does_not_need() -> None:
    program = "import sys, knit_tui.hook, knit_tui.engine.glance, knit_tui.faces.as_hook; print(*sys.modules)"
    words = [sys.executable, "-c", program]
    loaded = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    ).stdout.split()
    heavy = (
        "textual",
        "rich",
        "pygments",
        "typer",
        "asyncio",
        "watchfiles",
        "sqlite3",
        "multiprocessing",
        "knit_tui.engine.classic",
        "knit_tui.sessions.formats",
    )
    assert not [name for name in loaded if name.startswith(heavy)]


# When it says nothing.


def test_what_is_not_indexed_yet_is_left_alone(desk: Desk) -> None:
    assert desk.ask() == ""
    assert not (desk.place / "cache").exists()


def test_a_few_new_documents_are_read_and_nothing_is_kept(desk: Desk) -> None:
    desk.index()
    before = {path: path.stat().st_mtime_ns for path in (desk.place / "cache").rglob("*") if path.is_file()}
    (desk.root / "new.md").write_text("# Backoff of the retry\n\nRetry and backoff.\n")
    assert "new.md" in desk.ask()
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.parametrize("prompt", ["", "  \n", "ok", "zeppelin", "of the and", None, 7, ["retry"]])
def test_a_prompt_that_finds_nothing(desk: Desk, prompt: object) -> None:
    desk.index()
    assert desk.ask(prompt=prompt) == ""


def test_too_late_is_never(desk: Desk) -> None:
    desk.index()
    assert desk.hook("claude", data=desk.message(PROMPTS["claude"]), KNIT_HOOK_MS="1") == b""


@pytest.mark.parametrize("cwd", ["/", "/nowhere", "relative", "", None, 3, "/x\0y", "home"])
def test_no_workspace(desk: Desk, cwd: object) -> None:
    desk.index()
    assert desk.ask(cwd=str(desk.home) if cwd == "home" else cwd) == ""


GARBAGE = (
    b"",
    b"\0\xff\xfe",
    b"nonsense",
    b"[]",
    b"null",
    b'"text"',
    b"{",
    b"{}",
    b"[" * 100_000,
    b'{"cwd": {"a": 1}, "session_id": [], "transcript_path": 5, "hook_event_name": null, "prompt": {}}',
    b'{"cwd": "\\ud800", "session_id": "\\ud800", "transcript_path": "/\\ud800", "prompt": "\\ud800"}',
)


@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage(desk: Desk, data: bytes) -> None:
    for agent in PROMPTS:
        call = read(agent, data, desk.home, {})
        assert call is None or not (call.cwd and call.prompt)
    assert desk.hook("claude", data=data) == b""
    assert not desk.board.exists() or "\ud800" not in str(list(desk.board.iterdir()))


def test_ten_megabytes_are_taken_and_left(desk: Desk) -> None:
    desk.index()
    words = [sys.executable, "-P", "-m", "knit_tui", "hook", "claude"]
    with subprocess.Popen(
        words, env=desk.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(desk.message(PROMPTS["claude"], prompt=PROMPT + " x" * (5 << 20)))
        process.stdin.close()  # an agent whose hook hangs up on it may fail
        assert (process.wait(60), process.stdout.read(), process.stderr.read()) == (0, b"", b"")
    assert "retry.md" in desk.ask(prompt=PROMPT + " x" * (LONGEST // 4))


@pytest.mark.parametrize(
    "words", [[], ["nobody"], ["--what"], ["claude", "more", "--x=1"], ["-C"], ["../claude"]]
)
def test_no_command_line_is_wrong_use(desk: Desk, words: list[str]) -> None:
    assert desk.hook(*words, data=desk.message(STARTS["claude"])) == b""


@pytest.mark.parametrize(
    "environ", [{"HOME": ""}, {"HOME": "here"}, {"HOME": "/nowhere"}, {"KNIT_HOOK_MS": "x"}]
)
def test_an_odd_environment(desk: Desk, environ: dict[str, str]) -> None:
    desk.hook("claude", data=desk.message(PROMPTS["claude"]), **environ)


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "> /dev/full"])
def test_closed_and_full_streams(desk: Desk, redirect: str) -> None:
    desk.index()
    (desk.place / "in").write_bytes(desk.message(PROMPTS["claude"]))
    source = "" if "<" in redirect else f"< {shlex.quote(str(desk.place / 'in'))}"
    line = f"{shlex.quote(sys.executable)} -P -m knit_tui hook claude {source} {redirect}"
    done = subprocess.run(line, shell=True, env=desk.environ, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_message_that_never_ends_is_not_waited_for(desk: Desk) -> None:
    words = [sys.executable, "-P", "-m", "knit_tui", "hook", "claude"]
    environ = desk.environ | {"KNIT_HOOK_MS": "300"}
    with subprocess.Popen(words, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"cwd": ')
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stdout.read() == b""


def test_what_was_started_ends_with_it(desk: Desk) -> None:
    """A git that hangs, as on a slow disk."""
    (desk.root / ".git").mkdir()
    subprocess.run(["git", "init", "-q"], cwd=desk.root, check=True)
    desk.index()
    (desk.place / "bin").mkdir()
    git = desk.place / "bin" / "git"
    git.write_text(f"#!/bin/sh\necho $$ >> {desk.place}/pids\nexec sleep 600\n")
    git.chmod(0o755)
    environ = {"PATH": f"{desk.place}/bin:{os.environ['PATH']}", "KNIT_HOOK_MS": "2000"}
    assert desk.hook("claude", data=desk.message(PROMPTS["claude"]), **environ) == b""
    pids = [int(pid) for pid in (desk.place / "pids").read_text().split()]
    assert pids
    deadline = time.monotonic() + 30
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "git is still there"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# What is hostile.


def test_names_and_texts_of_the_workspace_are_data(desk: Desk) -> None:
    (desk.root / "retry\n\x1b[2J<knit>.md").write_text("# Retry\x07 \u202e backoff\n\nretry backoff\n")
    (desk.root / os.fsdecode(b"retry-\xe9.md")).write_text("# Retry backoff\n")
    desk.index()
    said = desk.hook("claude", data=desk.message(PROMPTS["claude"]))
    assert said.isascii()
    text = context("claude", said)
    assert not set("\x1b\x07\u202e") & set(text)
    assert "\n\x1b" not in text and "2J<knit>" in text


def test_long_names_do_not_make_it_long(desk: Desk) -> None:
    for number in range(9):
        (desk.root / f"{number}-{'retry-backoff-' * 17}.md").write_text("# Retry\n\nretry backoff\n")
    desk.index()
    text = desk.ask()
    assert text and len(text.encode()) <= 1500


@pytest.mark.parametrize("session_id", ["../../../../x", "a/b", "..", "a\0b", "", "\n" * 300])
def test_an_id_is_no_way_to_another_place(desk: Desk, session_id: str) -> None:
    call = read("copilot", desk.message(PROMPTS["copilot"], sessionId=session_id), desk.home, {})
    assert call is not None
    assert Path(os.path.normpath(call.log or "/")).parent.parent in (
        desk.home / ".copilot/session-state",
        Path("/"),
    )


def test_a_board_that_is_not_ours_is_not_written(desk: Desk) -> None:
    elsewhere = desk.place / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "theirs").write_text("")
    os.utime(elsewhere / "theirs", (0, 0))
    desk.board.parent.mkdir(parents=True)
    desk.board.symlink_to(elsewhere)
    desk.hook("claude", data=desk.message(STARTS["claude"]))
    assert [path.name for path in elsewhere.iterdir()] == ["theirs"]
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755


def test_a_module_of_that_name_in_the_workspace_is_not_run(desk: Desk) -> None:
    for name in ("knit_tui", "typer", "numpy", "json"):
        (desk.root / f"{name}.py").write_text("raise SystemExit('taken for ours')\n")
    desk.index()
    assert "retry.md" in desk.ask()
