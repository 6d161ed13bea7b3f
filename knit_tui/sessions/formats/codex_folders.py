"""Where Codex keeps its logs: ``<home>/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl``.

The date is the one the thread began on, in local time; a resumed thread goes on in its old file. So
the folders of the last days are looked at every time, the files already found by name, and all the
others once a minute, of which those written to within a month are told.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.listing import Found, entries, files, look

_MONTH = 30 * 86400.0
_SWEEP = 60.0
_RECENT_DAYS = (1, 0, -1, -2)


class CodexLocator:
    """The rollout files of the last month, whatever folder they were started in."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("CODEX_HOME", "")
        self._sessions = os.path.join(os.path.expanduser(moved) if moved else home / ".codex", "sessions")
        self._swept: float | None = None
        self._resumed: dict[str, None] = {}
        """Files of older folders that were written to within the month, in order of finding."""

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        recent = self._days(now)
        if self._swept is None or not 0 <= now - self._swept < _SWEEP:
            self._swept = now
            self._resumed = {
                found.path: None
                for folder in self._folders()
                if folder not in recent
                for found in files(folder, ".jsonl")
                if now - found.mtime_ns / 1e9 < _MONTH
            }
        for folder in recent:
            yield from files(folder, ".jsonl")
        for path in self._resumed:
            found = look(path)
            if found is not None:
                yield found

    def _days(self, now: float) -> list[str]:
        days = [time.localtime(now + shift * 86400) for shift in _RECENT_DAYS]
        return [
            os.path.join(self._sessions, f"{day.tm_year:04}", f"{day.tm_mon:02}", f"{day.tm_mday:02}")
            for day in days
        ]

    def _folders(self) -> Iterator[str]:
        """The day folders: three levels of digits."""
        level = [self._sessions]
        for _ in range(3):
            level = [
                entry.path
                for folder in level
                for entry in entries(folder)
                if entry.name.isdigit() and _is_folder(entry)
            ]
        yield from level


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
