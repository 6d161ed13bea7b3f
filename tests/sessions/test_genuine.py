"""Logs that real agents wrote, against what was read in them by hand. Needs ``shared/``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.events import (
    AssistantText,
    EditDone,
    Event,
    ReadDone,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.lines import LineBuffer, Record, records
from knit_tui.sessions.paths import Place

AGENTS = {form.agent: form for form in FORMATS}
FOLDERS = [
    "claude-2.1.0",
    "claude-2.1.328",
    "claude-2.1.328-tui",
    "claude-2.1.328-extra",
    "codex-0.98.0",
    "codex-0.169.0",
    "codex-0.169.0-gpt6",
    "codex-0.169.0-extra",
]


def rows(path: Path) -> tuple[list[Record], int]:
    found: list[Record] = []
    damaged = 0
    for line in LineBuffer().feed(path.read_bytes()):
        here, bad = records(line)
        found += here
        damaged += bad
    return found, damaged


def decoded(path: Path, agent: str, items: Iterable[Record], root: str = "/home/dev/project") -> list[Event]:
    decoder = AGENTS[agent].decoder(Place((root,)), path.stem)
    events = [event for record in items for event in decoder.decode(record)] + decoder.settle()
    assert agent != "claude" or decoder.unknown <= 1
    return events


def as_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, UserMessage):
            told.append({"type": "user", "text": event.text})
        elif isinstance(event, AssistantText):
            told.append({"type": "assistant", "text": event.text})
        elif isinstance(event, ReadDone):
            told.append(
                {
                    "type": "read",
                    "path": event.path,
                    "ok": event.ok,
                    "certainty": event.certainty,
                    "by": event.by,
                }
            )
        elif isinstance(event, EditDone):
            told.append({"type": "edit", "path": event.path, "ok": event.ok})
    return told


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_genuine_log_gives_what_was_read_in_it(shared: Path, tmp_path: Path, folder: str) -> None:
    expected = shared / "sessions/expected" / f"{folder}.json"
    facts = json.loads(expected.read_text(encoding="utf-8"))
    base = shared / "sessions/genuine" / folder
    items, damaged = rows(base / facts["log"])
    events = decoded(base / facts["log"], facts["agent"], items)
    info = [event for event in events if isinstance(event, SessionInfo)]
    assert [(one.session_id, one.cwd) for one in info] == [(facts["session_id"], facts["cwd"])]
    assert damaged == 0
    actual = tmp_path / "actual.json"
    actual.write_text(
        json.dumps({"agent": facts["agent"], "cwd": info[0].cwd, "events": as_json(events)}), encoding="utf-8"
    )
    checked = subprocess.run(
        [sys.executable, str(shared / "sessions/check_events.py"), str(expected), str(actual)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert not [event for event in events if isinstance(event, Rewind)]
    for name in facts.get("silent", []):
        assert as_json(decoded(base / name, facts["agent"], rows(base / name)[0])) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_genuine_log_cut_after_any_line_gives_a_beginning(shared: Path, folder: str) -> None:
    facts = json.loads((shared / "sessions/expected" / f"{folder}.json").read_text(encoding="utf-8"))
    path = shared / "sessions/genuine" / folder / facts["log"]
    items, _ = rows(path)
    whole = decoded(path, facts["agent"], items)
    for end in range(len(items)):
        part = decoded(path, facts["agent"], items[:end])
        assert part == whole[: len(part)], f"cut after record {end}"


def test_bytes_of_a_genuine_log_one_by_one(shared: Path) -> None:
    for name in ("claude-2.1.0", "codex-0.98.0"):
        path = next(
            (shared / "sessions/genuine" / name).rglob("9d59*.jsonl" if "claude" in name else "rollout*")
        )
        data = path.read_bytes()
        for size in (1, 7):
            buffer = LineBuffer()
            lines = [line for at in range(0, len(data), size) for line in buffer.feed(data[at : at + size])]
            assert lines == LineBuffer().feed(data)


# The invented samples against their list.


def sections(shared: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (shared / "sessions/samples/EXPECTED.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            found[line[3:]] = []
        else:
            found[line_of(found)].append(line.strip())
    return found


def line_of(found: dict[str, list[str]]) -> str:
    return list(found)[-1]


def listed(events: Iterable[Event], root: str) -> list[str]:
    told: list[str] = []
    for event in events:
        if isinstance(event, UserMessage):
            told.append(f"user {event.text}")
        elif isinstance(event, AssistantText):
            told.append(f"assistant {event.text[:60]}".strip())
        elif isinstance(event, ReadDone) and event.certainty == "mention":
            told.append(f"read-mention {root}/{event.path}")
        elif isinstance(event, ReadDone):
            told.append(f"read-{'ok' if event.ok else 'failed'} {root}/{event.path}")
        elif isinstance(event, Rewind) and event.turns:
            told.append(f"rewind {event.turns}")
    return told


SAMPLES = [
    "claude/01-read-ok-error-rejected",
    "claude/02-slash-command-skill-local",
    "claude/03-windows-sdk-cli",
    "claude/04-rewind-then-compact",
    "claude/05-queued-steering-notifications",
    "claude/06-subagent-sidechain",
    "claude/07-damaged-lines",
    "codex/01-g0-legacy-2025-09",
    "codex/02-g1-function-calls-2026-01",
    "codex/03-g2-item-completed-2026-09",
    "codex/04-g3-unified-exec-no-outcome",
    "codex/05-subagent-thread",
]
ROOT = "/home/dev/project"


def wanted(name: str, lines: list[str]) -> list[str]:
    """The list's lines, without what its reference decoder prints and no event is."""
    outcome = {
        "exit=0": "read-ok",
        "exit=1": "read-failed",
        "exit=failed": "read-failed",
        "exit=unknown": "read-ok",
    }
    told: list[str] = []
    for line in lines:
        words = line.split(" ", 2)
        if words[0] in ("user?", "skip") and "g0" not in name:
            continue
        if words[0] == "cmd-read":
            line = f"{outcome[words[1]]} {words[2]}"
        if line.startswith("read-") and "/home" not in line:
            line = f"{line.split(' ')[0]} {ROOT}/{line.split(' ', 1)[1]}"
        told.append(line.replace("user? ", "user "))
    # A command is listed once for its item and once for its call.
    return [line for at, line in enumerate(told) if not (line.startswith("read-") and line in told[:at][-1:])]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_gives_what_is_listed(shared: Path, name: str) -> None:
    path = shared / "sessions/samples" / f"{name}.jsonl"
    agent = name.partition("/")[0]
    items, damaged = rows(path)
    assert damaged == (1 if "damaged" in name else 0)
    told = listed(decoded(path, agent, items), ROOT)
    expected = wanted(name, sections(shared)[f"{name}.jsonl"])
    if name.startswith("claude/01"):  # the list leaves out the shell read
        told.remove(f"read-ok {ROOT}/src/billing/tax.py")
    if name.startswith("claude/06"):  # a sub-agent's talk is no conversation
        expected = [line for line in expected if line.startswith("read-")]
    if "g0" in name:  # the list leaves out this generation's answers
        told = [line for line in told if not line.startswith("assistant")]
    if "g3" in name:  # it calls unknown what the output tells
        expected = [line.replace("ok", "failed") if "gone.py" in line else line for line in expected]
    assert told == expected
