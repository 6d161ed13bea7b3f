"""Which files the workspace holds now. Cheap to ask again: only what changed is looked into."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from knit_tui.model import Entry, Notice, Scan, Skip
from knit_tui.workspace.beneath import Beneath
from knit_tui.workspace.ground import GitMemory, Grounds
from knit_tui.workspace.walk import Found, Walk


class Scanner:
    """Scans one workspace again and again; not to be used by two threads at once.

    ``known`` is asked before the first scan for entries of an earlier process: files that still have the
    same stamp are not looked into.
    """

    def __init__(self, root: Path, known: Callable[[], Mapping[str, Entry]] = dict) -> None:
        self._root = root
        self._memory = GitMemory()
        self._known: Callable[[], Mapping[str, Entry]] | None = known
        self._before = Found()

    def scan(self) -> Scan:
        """Look at the whole workspace. What cannot be read is skipped and told; nothing is raised for it."""
        if self._known is not None:
            self._before = Found(dict(self._known()))
            self._known = None
        try:
            beneath = Beneath(self._root)
        except PermissionError:
            return Scan(str(self._root), True, skips=(Skip("", "unreadable"),))
        except (OSError, ValueError):
            self._before = Found()
            return Scan(str(self._root), False)
        with beneath:
            found, grounds = self._pass(beneath)
            if self._memory.settle(frozenset(found.ignore_files)):
                found, grounds = self._pass(beneath)
        self._before = found
        return Scan(
            root=str(self._root),
            present=True,
            entries=tuple(sorted(found.entries.values(), key=lambda entry: entry.rel)),
            skips=tuple(sorted(found.skips, key=lambda skip: (skip.rel, skip.reason))),
            folders=tuple(sorted(found.folders)),
            notices=_notices(grounds),
        )

    def _pass(self, beneath: Beneath) -> tuple[Found, Grounds]:
        grounds = Grounds(os.path.abspath(self._root), self._memory)
        return Walk(beneath, grounds, self._memory, self._before).run(), grounds


def _notices(grounds: Grounds) -> tuple[Notice, ...]:
    notices = [
        Notice(
            "git-fallback", (("why", why), ("folder", min(folders) or "."), ("folders", str(len(folders))))
        )
        for why, folders in sorted(grounds.failures.items())
    ]
    if grounds.ignored_root:
        notices.append(Notice("root-ignored"))
    return tuple(notices)
