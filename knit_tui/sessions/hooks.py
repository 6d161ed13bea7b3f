"""What agents' hooks are given on standard input, read with distrust: which session, where, which prompt."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST = 1 << 20
"""Bytes of a message that is read."""
PROMPT = 20_000
"""Characters of a prompt that are looked at."""
_PATH = 4096
AGENTS = ("claude", "codex", "gemini", "qwen", "copilot")


@dataclass(frozen=True, slots=True)
class Call:
    """A hook of ``agent`` was called. ``log`` is absolute, or empty where the agent does not say."""

    agent: str
    event: str
    """As the agent calls it."""
    session_id: str
    log: str
    cwd: str
    prompt: str
    """What the user has just asked; empty at other events."""


def read(agent: str, data: bytes, home: Path, environ: Mapping[str, str]) -> Call | None:
    """The call that ``data`` describes; None when it describes none."""
    if agent not in AGENTS or len(data) > LONGEST:
        return None
    try:
        said = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    cwd = _path(said.get("cwd"))
    prompt = _text(said.get("prompt"), PROMPT)
    if agent == "copilot":
        session_id = _text(said.get("sessionId"), 200)
        event = "userPromptSubmitted" if "prompt" in said else "sessionStart"
        return Call(agent, event, session_id, _copilot_log(session_id, home, environ), cwd, prompt)
    session_id, event = _text(said.get("session_id"), 200), _text(said.get("hook_event_name"), 100)
    return Call(agent, event, session_id, _path(said.get("transcript_path")), cwd, prompt)


def answer(call: Call, text: str) -> str:
    """``text`` for the model, as the agent takes it from its hook's standard output."""
    said: dict[str, Any] = {"hookEventName": call.event, "additionalContext": text}
    return json.dumps(
        {"additionalContext": text} if call.agent == "copilot" else {"hookSpecificOutput": said}
    )


def _copilot_log(session_id: str, home: Path, environ: Mapping[str, str]) -> str:
    # An id is one name, and no way to another place.
    if not session_id or session_id in (".", "..") or "/" in session_id or "\0" in session_id:
        return ""
    moved = environ.get("COPILOT_HOME", "")
    base = os.path.abspath(moved) if moved else os.path.join(home, ".copilot")
    return os.path.join(base, "session-state", session_id, "events.jsonl")


def _path(said: object) -> str:
    path = _text(said, _PATH + 1)
    return path if os.path.isabs(path) and len(path) <= _PATH and "\0" not in path else ""


def _text(said: object, longest: int) -> str:
    """A text that can be written and printed: lone surrogates are replaced."""
    return said[:longest].encode("utf-8", "replace").decode() if isinstance(said, str) else ""
