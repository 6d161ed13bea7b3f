"""Folders of logs that are named after the folder their sessions run in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import PurePath

from knit_tui.sessions.listing import entries

Slugs = Callable[[str], Iterable[tuple[str, str]]]
"""For a folder, each name it may have given to a folder of logs, and how the names given by the
folders below it begin."""


_SETTLED = 5.0
"""Seconds; clocks of file systems tick slower than this."""


def unsettled(mtime_ns: int, now: float) -> bool:
    """Whether a folder may have been changed again since without another time of change."""
    return abs(now - mtime_ns / 1e9) < _SETTLED


class SlugFolders:
    """The folders in ``parent`` whose name may stand for a workspace, one below it or one above.

    Names are compared in their first ``cut`` characters; the folder ``also`` is of any workspace.
    """

    def __init__(self, parent: str, slugs: Slugs, *, cut: int | None = None, also: str = "") -> None:
        self.parent = parent
        self._slugs = slugs
        self._cut = cut
        self._also = also
        self._listed: tuple[int, ...] | None = None
        self._roots: tuple[str, ...] = ()
        self._folders: list[str] = []

    def matching(self, roots: tuple[str, ...], now: float) -> list[str]:
        """The folders by name, listed again only when one was added or removed. Never raises."""
        try:
            state = os.stat(self.parent)
        except (OSError, ValueError):
            self._listed = None
            return []
        stamp = (state.st_dev, state.st_ino, state.st_mtime_ns)
        if stamp != self._listed or roots != self._roots or unsettled(state.st_mtime_ns, now):
            names: set[str] = set()
            below: set[str] = set()
            for root in roots:
                for name, start in self._slugs(root):
                    names.add(name.lower())
                    below.add(start.lower())
                for folder in PurePath(root).parents:
                    names |= {name.lower() for name, _ in self._slugs(str(folder))}
            self._folders = [
                os.path.join(self.parent, entry.name)
                for entry in entries(self.parent)
                if entry.name == self._also
                or (name := entry.name.lower()[: self._cut]) in names
                or name.startswith(tuple(below))
            ]
            self._listed, self._roots = stamp, roots
        return self._folders
