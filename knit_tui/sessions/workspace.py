"""How the folder of a session lies to the workspace.

A session belongs here when its agent runs in this very folder, in one below it, or in one above it.
Another worktree of the same repository is another place for the same names: its sessions are offered,
never chosen.
"""

from __future__ import annotations

import os
import sys
from enum import IntEnum
from pathlib import Path

from knit_tui.sessions.paths import Place, absolute
from knit_tui.sessions.peek import is_file
from knit_tui.sessions.worktrees import first_line, real, work_tree, worktrees


class Match(IntEnum):
    """How a session's folder lies to the workspace, best first."""

    SAME = 0
    BELOW = 1
    ABOVE = 2
    WORKTREE = 3
    """In another worktree of the same repository."""


class Workspace:
    """The folder knit looks at, in every spelling that is known."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = os.path.abspath(root)
        self.real = real(self.root)
        self.home = str(home)
        self.roots = tuple(dict.fromkeys((self.root, self.real)))
        self._fold = sys.platform in ("win32", "darwin")
        self._matches: dict[str, Match | None] = {}
        self._tree = work_tree(self.real)
        self._listed: tuple[int, ...] | None = None
        self._others: tuple[str, ...] = ()

    def others(self) -> tuple[str, ...]:
        """The folders of the other worktrees, listed again when one was added or removed."""
        if self._tree is None:
            return ()
        common = self._tree[1]
        try:
            state = os.stat(os.path.join(common, "worktrees"))
            stamp: tuple[int, ...] = (state.st_mtime_ns, state.st_ino)
        except (OSError, ValueError):
            stamp = (0,)
        if stamp != self._listed:
            self._listed = stamp
            places = dict.fromkeys(worktrees(common))
            self._others = tuple(path for path in places if self._place(path) is None)
        return self._others

    def match(self, cwd: str) -> Match | None:
        """How the folder ``cwd`` lies to this one; None when it is elsewhere."""
        if cwd not in self._matches:
            self._matches[cwd] = self._match(cwd)
        return self._matches[cwd]

    def _match(self, cwd: str) -> Match | None:
        whole = absolute(cwd)
        if whole is None:
            return None
        place = self._place(whole)
        if place is None and self._tree is not None:
            top, common = self._tree
            theirs = work_tree(real(whole))
            # Another folder of our own work tree is just another folder.
            if theirs is not None and theirs[1] == common and theirs[0] != top:
                return Match.WORKTREE
        return place

    def _place(self, whole: str) -> Match | None:
        spellings = dict.fromkeys((whole, real(whole)))
        place = Place(self.roots, fold=self._fold)
        for spelled in spellings:
            inner = place.inside(spelled)
            if inner == ".":
                return Match.SAME
            if inner is not None:
                return None if _other_tree(self.root, inner) else Match.BELOW
        above = Place(tuple(spellings), fold=self._fold)
        for root in self.roots:
            inner = above.inside(root)
            if inner is not None:
                return None if _other_tree(whole, inner) else Match.ABOVE
        return None

    def place(self, cwd: str) -> Place:
        """This workspace for a decoder, with the spelling that a session in ``cwd`` uses for it."""
        roots = list(self.roots)
        whole = absolute(cwd)
        if whole is not None:
            resolved = real(whole)
            inner = Place((self.real,)).inside(resolved)
            if inner == ".":
                roots.append(whole)
            elif inner is not None and whole.endswith("/" + inner):
                roots.append(whole[: -len(inner) - 1] or "/")
            elif inner is None:
                rest = Place((resolved,)).inside(self.real)
                if rest is not None:
                    roots.append(f"{whole}/{rest}")
        root = self.root
        return Place(tuple(dict.fromkeys(roots)), self.home, self._fold, lambda name: is_file(root, name))


def _other_tree(top: str, inner: str) -> bool:
    """Whether a folder on the way from ``top`` down to ``inner`` is a linked worktree of its own."""
    if any(f".{agent}/worktrees/" in f"{inner}/" for agent in ("claude", "qwen", "gemini")):
        return True
    here = top
    for name in inner.split("/"):
        here = os.path.join(here, name)
        if "/worktrees/" in first_line(os.path.join(here, ".git")):
            return True
    return False
