"""The work trees of the repository a folder belongs to, read from git's own small files.

Nothing is run: a linked work tree has a file ``.git`` that names its folder inside the common
repository, and that folder says where the work tree lies.
"""

from __future__ import annotations

import os

from knit_tui.sessions.sources import open_regular

_MOST = 256
"""Work trees that are looked at."""
_LONGEST = 4096


def work_tree(path: str) -> tuple[str, str] | None:
    """The nearest work tree around ``path``, and the repository it may share with others, links
    resolved; None outside any."""
    here = path
    while True:
        mark = os.path.join(here, ".git")
        if os.path.isdir(mark):
            return here, real(mark)
        said = first_line(mark)
        if said.startswith("gitdir:"):
            folder = os.path.join(here, said[7:].strip())
            return here, real(os.path.join(folder, first_line(os.path.join(folder, "commondir"))))
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
    except (OSError, ValueError):
        return found
    for name in names[:_MOST]:
        mark = first_line(os.path.join(name, "gitdir"))
        if mark:
            found.append(real(os.path.dirname(os.path.join(name, mark))))
    return found


def first_line(path: str) -> str:
    """The first line of a small file; empty when there is none."""
    try:
        with open_regular(path) as file:
            return os.fsdecode(file.read(_LONGEST).split(b"\n")[0])
    except OSError:
        return ""


def real(path: str) -> str:
    """``path`` with links resolved, as far as it can be; itself when it is no path."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
