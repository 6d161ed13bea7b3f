"""Folders listed without ever raising: what cannot be listed is empty."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from knit_tui.sessions.format import Found


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
