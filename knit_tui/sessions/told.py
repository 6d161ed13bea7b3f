"""What agents' own hooks told knit of their sessions: which log is whose, and since when.

A hook writes one small file a session into a folder that only its user can read. Each is a JSON object
``{"agent", "session_id", "transcript_path", "cwd", "at"}``; ``at`` is in seconds since the epoch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knit_tui.sessions.listing import entries
from knit_tui.sessions.paths import scrub

_LONGEST = 64 * 1024
_MOST = 200


@dataclass(frozen=True, slots=True)
class Told:
    agent: str
    session_id: str
    path: str
    cwd: str
    at: float


def folder(home: Path, environ: Mapping[str, str]) -> str:
    """Where hooks write: below the user's run-time folder where there is one, else below the state."""
    running = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(running):
        return os.path.join(running, "knit", "sessions")
    state = environ.get("XDG_STATE_HOME", "")
    base = state if os.path.isabs(state) else os.path.join(home, ".local", "state")
    return os.path.join(base, "knit", "sessions")


class Board:
    """The files in ``folder``, read again only when the folder or a file in it changed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int], Told | None]] = {}

    def read(self) -> dict[str, Told]:
        """By the path of the log; the newest word on each counts. Never raises."""
        known: dict[str, tuple[tuple[int, int], Told | None]] = {}
        for entry in entries(self._folder)[:_MOST]:
            try:
                state = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            stamp = (state.st_mtime_ns, state.st_size)
            before = self._known.get(entry.path)
            known[entry.path] = before if before and before[0] == stamp else (stamp, _read(entry.path))
        self._known = known
        told = sorted((one for _, one in known.values() if one is not None), key=lambda one: one.at)
        return {one.path: one for one in told}


def _read(path: str) -> Told | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            said = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    at, log = said.get("at"), scrub(said.get("transcript_path"))
    if not (isinstance(at, (int, float)) and not isinstance(at, bool) and os.path.isabs(log)):
        return None
    return Told(scrub(said.get("agent")), scrub(said.get("session_id")), log, scrub(said.get("cwd")), at)
