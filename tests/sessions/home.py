"""A home folder with logs in it, and a workspace."""

from __future__ import annotations

import os
from pathlib import Path

from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.claude_folders import slugs
from knit_tui.sessions.locate import Finder
from knit_tui.sessions.workspace import Workspace
from tests.sessions.logs import Claude, codex_meta, codex_prompt, write

NOW = 1_790_000_000.0


def age(path: Path, seconds: float) -> Path:
    os.utime(path, (NOW - seconds, NOW - seconds))
    return path


class Home:
    """A home folder with logs, and a workspace."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home"
        self.root = base / "lamp"
        self.root.mkdir(parents=True)
        self.count = 0

    def claude(
        self, cwd: Path | str, text: str = "dim it", seconds: float = 60, folder: str = "", name: str = ""
    ) -> Path:
        self.count += 1
        slug = folder or min(slugs(str(cwd)), key=len)
        session = name or f"{self.count:08}-0000-4000-8000-000000000000"
        log = Claude(str(cwd), session)
        row = log.user(text) | {"timestamp": stamp(NOW - seconds)}
        path = self.home / ".claude/projects" / slug / f"{session}.jsonl"
        return age(write(path, [row]), seconds)

    def codex(
        self,
        cwd: Path | str,
        text: str = "dim it",
        seconds: float = 60,
        day: str = "2026/09/21",
        **more: object,
    ) -> Path:
        self.count += 1
        items = [codex_meta(str(cwd), **more)]
        items += [row | {"timestamp": stamp(NOW - seconds)} for row in codex_prompt(text)]
        path = self.home / ".codex/sessions" / day / f"rollout-{self.count}.jsonl"
        return age(write(path, items), seconds)

    def finder(self, environ: dict[str, str] | None = None, root: Path | None = None) -> Finder:
        finder = Finder(Workspace(root or self.root, self.home), FORMATS, self.home, environ or {})
        finder.refresh(NOW)
        return finder

    def chosen(self, environ: dict[str, str] | None = None) -> str | None:
        candidate = self.finder(environ).choose(NOW)
        return None if candidate is None else candidate.address.path


def stamp(seconds: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
