"""Where Claude Code keeps its logs: ``<config>/projects/<slug>/<session>.jsonl``.

The slug is the folder the session was started in, with every character outside ``[A-Za-z0-9-]``
made a ``-`` (older versions left ``.`` and ``_`` alone), cut at 200. Two folders can share one, so
a slug only says where to look.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.listing import Found, entries, files

_LONGEST_SLUG = 200
_NEW = re.compile(r"[^A-Za-z0-9-]")
_OLD = re.compile(r"[^A-Za-z0-9._-]")


def slugs(path: str) -> set[str]:
    """The names Claude Code may give the folder of ``path``, in lower case, cut at the longest."""
    units = re.sub(r"[\U00010000-\U0010ffff]", "--", path)
    return {rule.sub("-", units)[:_LONGEST_SLUG].lower() for rule in (_NEW, _OLD)}


class ClaudeLocator:
    """The session files of the folders whose slug may be the workspace's, one below it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("CLAUDE_CONFIG_DIR", "")
        self._projects = os.path.join(os.path.expanduser(moved) if moved else home / ".claude", "projects")
        self._named = environ.get("CLAUDE_CODE_PROJECT_DIR_NAME", "")
        self._listed: tuple[int, ...] | None = None
        self._folders: list[str] = []
        self._roots: tuple[str, ...] = ()

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        for folder in self._matching(roots):
            for found in files(folder, ".jsonl"):
                if not os.path.basename(found.path).startswith("agent-"):
                    yield found

    def _matching(self, roots: tuple[str, ...]) -> list[str]:
        """The folders, listed again only when one was added or removed."""
        try:
            state = os.stat(self._projects)
        except (OSError, ValueError):
            self._listed = None
            return []
        stamp = (state.st_dev, state.st_ino, state.st_mtime_ns)
        if stamp != self._listed or roots != self._roots:
            own = {slug for root in roots for slug in slugs(root)}
            above = {slug for root in roots for parent in Path(root).parents for slug in slugs(str(parent))}
            below = tuple(
                slug if slug.endswith("-") or len(slug) == _LONGEST_SLUG else slug + "-" for slug in own
            )
            self._folders = [
                os.path.join(self._projects, entry.name)
                for entry in entries(self._projects)
                if entry.name == self._named
                or (name := entry.name.lower()[:_LONGEST_SLUG]) in own
                or name in above
                or name.startswith(below)
            ]
            self._listed, self._roots = stamp, roots
        return self._folders
