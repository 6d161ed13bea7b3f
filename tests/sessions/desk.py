"""A person's home with session logs, a workspace, a clock, and knit beside them."""

from __future__ import annotations

import os
from pathlib import Path

from knit_tui.sessions.events import Event
from knit_tui.sessions.follow import Follower
from tests.sessions.logs import (
    Claude,
    append,
)

START = 1_790_000_000.0


class Desk:
    """A person's home, a workspace in it, a clock, and knit beside them."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = base / "lamp"
        self.root.mkdir()
        self.clock = START
        self.logs: dict[str, Claude] = {}

    def path(self, name: str, cwd: Path | None = None) -> Path:
        slug = str(cwd or self.root).replace("/", "-").replace("_", "-").replace(".", "-")
        return self.home / ".claude/projects" / slug / f"{name}.jsonl"

    def say(self, name: str, text: str, cwd: Path | None = None) -> Path:
        """A person writes into a session, now."""
        path = self.path(name, cwd)
        log = self.logs.setdefault(name, Claude(str(cwd or self.root), name))
        row = log.user(text) | {"timestamp": self.stamp()}
        path.parent.mkdir(parents=True, exist_ok=True)
        append(path, row)
        os.utime(path, (self.clock, self.clock))
        return path

    def stamp(self) -> str:
        from datetime import UTC, datetime

        return datetime.fromtimestamp(self.clock, UTC).isoformat()

    def follower(self, choice: str | None = None) -> Follower:
        return Follower(self.root, choice, home=self.home, environ={}, now=lambda: self.clock)

    def later(self, follower: Follower, seconds: float = 2.5) -> tuple[Event, ...]:
        self.clock += seconds
        return follower.poll()
