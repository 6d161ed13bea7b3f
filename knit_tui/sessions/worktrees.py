"""The other work trees of the repository a folder belongs to, read from git's own small files.

Nothing is run: a work tree has a file ``.git`` that names its folder inside the common repository, and
that folder says where the work tree lies.
"""

from __future__ import annotations

import os

_MOST = 256
"""Work trees that are looked at."""
_LONGEST = 4096


def common_folder(path: str) -> str | None:
    """The repository that the nearest work tree around ``path`` shares with others; None outside any."""
    here = path
    while True:
        mark = os.path.join(here, ".git")
        if os.path.isdir(mark):
            return os.path.realpath(mark)
        said = _first_line(mark)
        if said.startswith("gitdir:"):
            folder = os.path.join(here, said[7:].strip())
            common = _first_line(os.path.join(folder, "commondir"))
            return os.path.realpath(os.path.join(folder, common)) if common else None
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def worktrees(common: str) -> list[str]:
    """The folders of all work trees of the repository at ``common``, the main one first."""
    found = [os.path.dirname(common)] if os.path.basename(common) == ".git" else []
    try:
        with os.scandir(os.path.join(common, "worktrees")) as listing:
            names = sorted(entry.path for entry in listing)
    except OSError:
        return found
    for name in names[:_MOST]:
        mark = _first_line(os.path.join(name, "gitdir"))
        if mark:
            found.append(os.path.dirname(os.path.join(name, mark)))
    return found


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_LONGEST).split(b"\n")[0])
    except (OSError, ValueError):
        return ""
