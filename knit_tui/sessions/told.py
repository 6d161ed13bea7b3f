"""What agents' own hooks told knit of their sessions: which log is whose, and since when.

A hook writes one small file a session into a folder that only its user can read. Each is a JSON object
``{"agent", "session_id", "transcript_path", "cwd", "at"}``; ``at`` is in seconds since the epoch.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knit_tui.sessions.listing import entries
from knit_tui.sessions.paths import scrub
from knit_tui.sessions.peek import moment
from knit_tui.sessions.sources import open_regular

_LONGEST = 64 * 1024
_MOST = 200
"""Files that are read: those written last."""


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
    """The files in ``folder``, read again only when one of them changed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, ...], Told | None]] = {}

    def read(self, now: float) -> dict[str, Told]:
        """By the path of the log; the newest word on each counts. Never raises."""
        known: dict[str, tuple[tuple[int, ...], Told | None]] = {}
        for path, state in self._newest():
            stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
            before = self._known.get(path)
            if before is None or before[0] != stamp:
                before = stamp, _read(path, min(now, state.st_mtime))
            known[path] = before
        self._known = known
        told = sorted((one for _, one in known.values() if one is not None), key=lambda one: one.at)
        return {one.path: one for one in told}

    def _newest(self) -> list[tuple[str, os.stat_result]]:
        found: list[tuple[str, os.stat_result]] = []
        for entry in entries(self._folder):
            with suppress(OSError):
                found.append((entry.path, entry.stat(follow_symlinks=False)))
        regular = [one for one in found if stat.S_ISREG(one[1].st_mode)]
        return sorted(regular, key=lambda one: -one[1].st_mtime_ns)[:_MOST]


def _read(path: str, latest: float) -> Told | None:
    """What a file says. A time after ``latest``, when it was written, is none, and then that one counts."""
    try:
        with open_regular(path) as file:
            said = json.loads(file.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    log = scrub(said.get("transcript_path"))
    if not os.path.isabs(log):
        return None
    agent, session_id, cwd = (scrub(said.get(name)) for name in ("agent", "session_id", "cwd"))
    return Told(agent, session_id, log, cwd, moment(said.get("at"), latest))
