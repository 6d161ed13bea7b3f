"""Where logs are, and folders listed without ever raising: what cannot be listed is empty."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from knit_tui.sessions.paths import scrub


@dataclass(frozen=True, slots=True)
class Address:
    """Which log: a file, or one session of a file that holds many."""

    path: str
    session: str = ""

    @property
    def name(self) -> str:
        """The session, or the name of the file without its ending; it often is the session's id."""
        return self.session or scrub(PurePath(self.path).stem)

    def __str__(self) -> str:
        return f"{self.path}#{self.session}" if self.session else self.path


@dataclass(frozen=True, slots=True)
class Found:
    """A file, or a session in one, that may be a log of this workspace; only its inside tells."""

    path: str
    mtime_ns: int
    """When it was last written to, as far as that can be told without reading it."""
    size: int
    inode: int
    session: str = ""
    """Which session, where the file holds many."""

    @property
    def address(self) -> Address:
        return Address(self.path, self.session)


def entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in ``folder``, by name; empty when it cannot be listed."""
    try:
        with os.scandir(folder) as listing:
            return sorted(listing, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def files(folder: str, ending: str) -> Iterator[Found]:
    """The regular files in ``folder`` whose names end so, as they are now."""
    for entry in entries(folder):
        if entry.name.endswith(ending):
            found = look(entry.path)
            if found is not None:
                yield found


def look(path: str) -> Found | None:
    """The file at ``path`` as it is now; None when there is no regular file."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    return Found(path, state.st_mtime_ns, state.st_size, state.st_ino)
