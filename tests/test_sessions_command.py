"""``knit sessions``: the list of sessions, and the events of one log."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import time
import unicodedata
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knit_tui.faces.sessions import events_json, events_text
from knit_tui.sessions.events_of import NoLog, events_of
from knit_tui.sessions.formats import FORMATS
from tests.sessions.choosing import of_many
from tests.sessions.logs import Claude, append, write
from tests.test_cli import knit, one_line, schema

HOSTILE = "完 dim\x1b[2J \x9b31m it\x07\r\nnow\u202etxt.exe\u2066 \x00\x7f\u200b\u2028 🏮"
AGENTS = {form.agent for form in FORMATS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "lamp"
    root.mkdir()
    return root


def session(folder: Path, name: str, *texts: str, cwd: Path | None = None, ago: float = 0) -> Path:
    """A session of Claude Code in the home that `knit` runs with."""
    cwd = cwd or folder
    log = Claude(str(cwd), name)
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - ago))
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(cwd))
    path = folder.parent / "home/.claude/projects" / slug / f"{name}.jsonl"
    write(path, [log.user(text) | {"timestamp": when} for text in texts])
    os.utime(path, (time.time() - ago, time.time() - ago))
    return path


def clean(data: bytes) -> str:
    """The lines of a terminal, in which nothing but text and line ends may be."""
    text = data.decode()
    bad = {char for char in text if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")}
    assert not bad, bad
    return text


# The list.


def test_the_sessions_of_a_folder(folder: Path) -> None:
    (folder / "web").mkdir()
    session(folder, "5b0c7a10-1", "dim it", "red it", ago=7300)
    session(folder, "77aa-2", "dim the web", cwd=folder / "web", ago=90)
    session(folder, "99bb-3", "elsewhere", cwd=folder.parent / "other")
    result = knit("sessions", cwd=folder)
    assert (result.returncode, result.stderr) == (0, b"")
    assert clean(result.stdout).splitlines() == [
        "● claude   5b0c7a10-1  2h",
        "           “dim it” … “red it”",
        f"  claude   77aa-2  1m, in {folder}/web",
        "           “dim the web”",
    ]
    for more in (["sessions", "-C", str(folder)], ["-C", str(folder), "sessions"]):
        assert knit(*more, cwd=folder.parent / "lamp").stdout == result.stdout


def test_the_sessions_as_json(folder: Path) -> None:
    path = session(folder, "5b0c7a10-1", "dim it", "red it", ago=7300)
    result = knit("sessions", "--format", "json", cwd=folder)
    assert result.returncode == 0
    told = json.loads(result.stdout)
    jsonschema.validate(told, schema("sessions"))
    (row,) = told["sessions"]
    assert told["workspace"] == str(folder)
    assert abs(row.pop("prompted") - (time.time() - 7300)) < 60
    assert row == {
        "agent": "claude",
        "session_id": "5b0c7a10-1",
        "log": str(path),
        "cwd": str(folder),
        "where": "same",
        "how": "directory",
        "first_prompt": "dim it",
        "last_prompt": "red it",
        "running": None,
        "followed": True,
    }


def test_the_session_that_knit_runs_in(folder: Path) -> None:
    session(folder, "s1", "dim it")
    session(folder, "s2", "red it", ago=50)
    told = clean(knit("sessions", cwd=folder, CLAUDE_CODE_SESSION_ID="s2").stdout)
    assert "● claude   s2  now, the one knit runs in\n" in told
    assert "  claude   s1  now\n" in told


@pytest.mark.parametrize("output", ["text", "json"])
def test_where_there_is_none(folder: Path, output: str) -> None:
    result = knit("sessions", "--format", output, cwd=folder)
    assert result.returncode == 1
    assert str(folder) in one_line(result)
    assert result.stdout == b"" if output == "text" else json.loads(result.stdout)["sessions"] == []


def test_all_are_listed_however_many_there_are(folder: Path) -> None:
    session(folder, "s0", "dim it")
    for number in range(1, 90):
        session(folder, f"s{number}", "old", ago=86400 + number)
    result = knit("sessions", cwd=folder)
    assert clean(result.stdout).count("\n") == 180


@pytest.mark.parametrize("arguments", [["--format", "paths"], ["--events"], ["extra"], ["--nonsense"]])
def test_wrong_use(folder: Path, arguments: list[str]) -> None:
    result = knit("sessions", *arguments, cwd=folder)
    assert (result.returncode, result.stdout) == (2, b"")
    one_line(result)


def test_a_folder_that_is_none(folder: Path) -> None:
    result = knit("sessions", "-C", "nowhere", cwd=folder)
    assert result.returncode == 2
    assert "nowhere" in one_line(result)


# Texts that want to act on the terminal.


def test_hostile_prompts_print_clean(folder: Path) -> None:
    path = session(folder, "s1", HOSTILE, HOSTILE + "x" * (1 << 20))
    text = clean(knit("sessions", cwd=folder).stdout)
    assert "now" in text and "完" in text
    assert len(text.splitlines()) == 2
    assert all(len(line) < 100 for line in text.splitlines())
    told = knit("sessions", "--format", "json", cwd=folder).stdout
    assert len(told) < 10_000 and clean(told).isascii()
    assert json.loads(told)["sessions"][0]["first_prompt"] == HOSTILE
    events = clean(knit("sessions", "--events", str(path), cwd=folder).stdout)
    assert [line[:4] for line in events.splitlines()] == ["clau", "user", "user", "0 re"]
    events = clean(knit("sessions", "--events", str(path), "--format", "json", cwd=folder).stdout)
    assert events.isascii()
    jsonschema.validate(json.loads(events), schema("events"))
    assert len(json.loads(events)["events"][1]["text"]) == len(HOSTILE) + (1 << 20)


def test_a_hostile_id_a_hostile_folder_and_hostile_paths_print_clean(tmp_path: Path) -> None:
    folder = tmp_path / "la\x1b[2Jmp\u202e\udcff"
    folder.mkdir()
    result = knit("sessions", cwd=folder)
    assert result.returncode == 1
    clean(result.stderr)
    log = Claude("/w\x1b[31m", "s\x1b]0;x\x07")
    rows = [
        log.user("dim it"),
        log.call("Read", "c1", file_path="a\x1b[2J\n.md"),
        log.done("c1", "x", {}),
        log.call("Edit", "c2", file_path="b\u202e.md"),
        log.done("c2", "x", "no", failed=True),
    ]
    path = write(tmp_path / "x\x1b[2J.jsonl", rows)
    for output in ("text", "json"):
        result = knit("sessions", "--events", str(path), "--format", output, cwd=tmp_path)
        assert result.returncode == 0
        assert "dim it" in clean(result.stdout)
    path.write_bytes(b"not a log\n")
    result = knit("sessions", "--events", str(path), cwd=tmp_path)
    clean(result.stderr)
    one_line(result)


# The events of a log.


def test_the_events_of_a_log(tmp_path: Path) -> None:
    log = Claude("/w", "s1")
    path = write(
        tmp_path / "s1.jsonl",
        [
            log.user("dim it"),
            log.says("on it"),
            log.call("Read", "c1", file_path="/w/a.md"),
            log.done("c1", "x", {}),
            log.call("Read", "c2", file_path="/w/gone.md"),
            log.done("c2", "no such file", failed=True),
            log.call("Edit", "c3", file_path="/x/b.md"),
            log.done("c3", "x", {}),
            {"type": "future"},
        ],
    )
    append(path, "no record")
    result = knit("sessions", "--events", "s1.jsonl", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, b"")
    assert clean(result.stdout).splitlines() == [
        "claude s1 /w",
        "user       dim it",
        "assistant  on it",
        "read       a.md  (confirmed)",
        "read       gone.md  (confirmed, failed)",
        "edit       /x/b.md",
        "1 records of a kind not known, 1 damaged lines",
    ]
    told = json.loads(knit("sessions", "--events", "s1.jsonl", "--format", "json", cwd=tmp_path).stdout)
    jsonschema.validate(told, schema("events"))
    assert (told["agent"], told["session_id"], told["cwd"]) == ("claude", "s1", "/w")
    assert (told["unknown"], told["damaged"]) == (1, 1)
    assert told["events"][2:4] == [
        {"type": "read", "path": "a.md", "ok": True, "certainty": "confirmed", "by": "main"},
        {"type": "read", "path": "gone.md", "ok": False, "certainty": "confirmed", "by": "main"},
    ]


def test_a_log_without_an_event(tmp_path: Path) -> None:
    path = write(tmp_path / "s1.jsonl", [{"type": "mode", "sessionId": "s1"}])
    result = knit("sessions", "--events", str(path), cwd=tmp_path)
    assert result.returncode == 1
    assert clean(result.stdout).splitlines() == [
        "claude s1 ",
        "0 records of a kind not known, 0 damaged lines",
    ]


def wrong(tmp_path: Path, kind: str) -> Path:
    path = tmp_path / "x.jsonl"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 50)
    elif kind == "empty":
        path.touch()
    elif kind == "unfinished":
        path.write_bytes(b'{"type": "user", "uu')
    elif kind == "json":
        path.write_bytes(b'{"name": "lamp"}\n')
    elif kind == "database":
        import sqlite3

        database = sqlite3.connect(path)
        database.execute("CREATE TABLE lamp (x)")
        database.commit()
        database.close()
    return path


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("missing", "no such file"),
        ("folder", "not a session log"),
        ("pipe", "not a session log"),
        ("device", "not a session log"),
        ("binary", "not a session log"),
        ("json", "not a session log"),
        ("database", "not a session log"),
        ("empty", "nothing in this log yet"),
        ("unfinished", "nothing in this log yet"),
    ],
)
def test_what_is_no_log(tmp_path: Path, kind: str, says: str) -> None:
    path = wrong(tmp_path, kind)
    result = knit("sessions", "--events", str(path), cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, b"")
    assert says in one_line(result)


def test_a_log_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "s1.jsonl", [Claude().user("dim it")])
    real = os.open

    def refuse(name: Any, *more: Any, **rest: Any) -> int:
        if name == str(path):
            raise PermissionError(13, "no")
        return real(name, *more, **rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(NoLog) as raised:
        events_of(str(path), tmp_path)
    assert raised.value.state == "unreadable"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_the_command_says_that_a_log_may_not_be_read(tmp_path: Path) -> None:
    path = write(tmp_path / "s1.jsonl", [Claude().user("dim it")])
    path.chmod(0)
    result = knit("sessions", "--events", str(path), cwd=tmp_path)
    assert result.returncode == 2
    assert "cannot read" in one_line(result)


def test_one_session_of_many_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.events_of.FORMATS", (of_many(),))
    rows = [Claude(session=name).user(f"in {name}", uuid=name) for name in ("s1", "s2")]
    path = write(tmp_path / "all.jsonl", rows)

    def texts(name: str) -> list[str]:
        return [getattr(event, "text", "") for event in events_of(name, tmp_path).events]

    assert texts(str(path)) == ["in s2"], "the newest"
    assert texts(f"{path}#s1") == ["in s1"]
    with pytest.raises(NoLog) as raised:
        events_of(f"{path}#s3", tmp_path)
    assert raised.value.state == "not-a-log"
    path.rename(tmp_path / "all.jsonl#s1")
    assert texts(f"{path}#s1") == ["in s2"], "a file of that very name"


# Genuine logs.


def checker(shared: Path) -> Any:
    spec = importlib.util.spec_from_file_location("check_events", shared / "sessions/check_events.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected(shared: Path) -> list[tuple[Path, dict[str, Any]]]:
    """What was read by hand in the genuine logs of the agents that are known."""
    files = sorted((shared / "sessions/expected").glob("*.json"))
    facts = [(file, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return [(file, fact) for file, fact in facts if fact["agent"] in AGENTS]


def genuine(shared: Path, file: Path, fact: dict[str, Any], scratch: Path) -> Path:
    log = shared / "sessions/genuine" / file.stem / fact["log"]
    if log.suffix != ".gz":
        return log
    unpacked = scratch / log.stem
    unpacked.write_bytes(gzip.decompress(log.read_bytes()))
    return unpacked


def test_genuine_logs_give_what_was_read_in_them(shared: Path, tmp_path: Path) -> None:
    check, seen = checker(shared), set()
    for file, fact in expected(shared):
        decoded = events_of(str(genuine(shared, file, fact, tmp_path)), tmp_path)
        actual = tmp_path / "actual.json"
        actual.write_text(events_json(decoded), encoding="utf-8")
        jsonschema.validate(json.loads(events_json(decoded)), schema("events"))
        lines, summary, agree = check.compare(check.load(str(file)), check.load(str(actual)))
        assert agree, (file.stem, summary, lines)
        assert decoded.agent == fact["agent"]
        assert decoded.session_id == fact["session_id"] or fact["session_id"] is None, file.stem
        assert decoded.damaged == 0
        clean(events_text(decoded).encode())
        seen.add(fact["agent"])
    assert seen >= {"claude", "codex"}


@pytest.mark.parametrize("name", ["claude-2.1.328", "opencode-1.18.33"])
def test_the_command_on_a_genuine_log(shared: Path, tmp_path: Path, name: str) -> None:
    file, fact = next((pair for pair in expected(shared) if pair[0].stem == name), (Path(), {}))
    if not fact:
        pytest.skip("not an agent that is known")
    log = f"{genuine(shared, file, fact, tmp_path)}"
    check = checker(shared)
    result = knit("sessions", "--events", log, "--format", "json", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, b"")
    (tmp_path / "actual.json").write_bytes(result.stdout)
    told = check.load(str(tmp_path / "actual.json"))
    assert check.compare(check.load(str(file)), told)[2]
    text = clean(knit("sessions", "--events", log, cwd=tmp_path).stdout).splitlines()
    assert text[0] == f"{fact['agent']} {fact['session_id']} {fact['cwd']}"
    assert [line.split()[0] for line in text[1:-1]] == [event["type"] for event in told]
    if name.startswith("opencode"):
        one = knit("sessions", "--events", f"{log}#{fact['session_id']}", cwd=tmp_path)
        assert one.stdout.decode().splitlines() == text
        assert knit("sessions", "--events", f"{log}#ses_none", cwd=tmp_path).returncode == 2
