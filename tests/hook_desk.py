"""What agents send to their hooks, and a workspace to ask about."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from knit_tui.sessions.told import folder

ROOT = Path(__file__).resolve().parent.parent
PROMPT = "why is the retry without backoff?"
# As Claude Code 2.1.328, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4 and Copilot CLI 1.0.102 send it.
PROMPTS: dict[str, dict[str, Any]] = {
    "claude": {
        "session_id": "5634d286-9bf0-4db3-8983-0713d5c247b0",
        "transcript_path": "/home/dev/.claude/projects/-home-dev-project/5634d286.jsonl",
        "prompt_id": "91968b24-e864-49c2-926e-165d520a77e5",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": PROMPT,
    },
    "codex": {
        "session_id": "01a22c65-1a61-7b60-ac73-f535d9c0c360",
        "turn_id": "01a22c65-1aae-7ba3-bb1f-4fd8763e43f0",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T12-19-13-01a22c65.jsonl",
        "hook_event_name": "UserPromptSubmit",
        "model": "gpt-5.5",
        "permission_mode": "bypassPermissions",
        "prompt": PROMPT,
    },
    "gemini": {
        "session_id": "4f8801ee-5a4e-46ef-8248-339bea93ba6a",
        "transcript_path": "/home/dev/.gemini/tmp/ws/chats/session-2026-11-30T12-19-4f8801ee.jsonl",
        "hook_event_name": "BeforeAgent",
        "timestamp": "2026-11-30T12:19:27.302Z",
        "prompt": PROMPT,
    },
    "qwen": {
        "session_id": "99e483fc-238b-4a07-802f-aa6c7872d6af",
        "transcript_path": "/home/dev/.qwen/projects/-home-dev-project/chats/99e483fc.jsonl",
        "hook_event_name": "UserPromptSubmit",
        "timestamp": "2026-11-30T12:19:40.599Z",
        "permission_mode": "yolo",
        "prompt_id": "99e483fc########0",
        "prompt": PROMPT,
        "submitted_prompt": PROMPT,
    },
    "copilot": {
        "sessionId": "bab9f906-a0d3-40ec-b303-3015a9d35eea",
        "timestamp": 1796041193533,
        "prompt": PROMPT,
    },
}
STARTS: dict[str, dict[str, Any]] = {
    agent: {key: value for key, value in said.items() if key not in ("prompt", "turn_id", "submitted_prompt")}
    | {"source": "startup"}
    | ({} if agent == "copilot" else {"hook_event_name": "SessionStart"})
    for agent, said in PROMPTS.items()
}
PATIENT = "4000"


class Desk:
    """A workspace that was indexed, and the home of its user."""

    def __init__(self, place: Path) -> None:
        self.place, self.home, self.root = place, place / "home", place / "ws"
        self.home.mkdir()
        self.root.mkdir()
        (self.root / "retry.md").write_text("# Retry\n\nRetry with backoff, then retry again.\n")
        (self.root / "client.py").write_text("def backoff():\n    retry()\n")
        (self.root / "other.md").write_text("# Other\n\nNothing of the kind.\n")
        self.environ = {
            **{
                key: value
                for key, value in os.environ.items()
                if not key.startswith(("CLAUDE", "KNIT", "XDG"))
            },
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "KNIT_CACHE_DIR": str(place / "cache"),
            "KNIT_STATE_DIR": str(place / "state"),
            "KNIT_HOOK_MS": PATIENT,
        }

    def index(self, query: str = "x") -> None:
        """Let another knit index the workspace."""
        words = [sys.executable, "-m", "knit_tui", "-C", str(self.root), "--query", query]
        subprocess.run(words, env=self.environ, capture_output=True, timeout=60, check=False)

    def hook(self, *words: str, data: bytes = b"", **environ: str) -> bytes:
        """Run the hook; it must end well whatever it is given. Returns what it says."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "knit_tui", "hook", *words],
            cwd=self.root if self.root.is_dir() else self.place,
            env=self.environ | environ,
            input=data,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    def message(self, said: dict[str, Any], **more: Any) -> bytes:
        return json.dumps({"cwd": str(self.root)} | said | more).encode()

    def ask(self, agent: str = "claude", **more: Any) -> str:
        """The text that the agent hands its model; empty for none."""
        said = self.hook(agent, data=self.message(PROMPTS[agent], **more))
        return context(agent, said) if said else ""

    @property
    def board(self) -> Path:
        return Path(folder(self.home, {}))


def context(agent: str, said: bytes) -> str:
    answer = json.loads(said)
    if agent == "copilot":
        assert set(answer) == {"additionalContext"}
        return str(answer["additionalContext"])
    assert set(answer) == {"hookSpecificOutput"}
    inner = answer["hookSpecificOutput"]
    assert inner["hookEventName"] == PROMPTS[agent]["hook_event_name"]
    return str(inner["additionalContext"])
