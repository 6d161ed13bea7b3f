"""The history of a workspace: read once for each HEAD, kept between runs."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from knit_tui.find.history import CommitIndex, index_commits
from knit_tui.model import Notice
from knit_tui.workspace.git import work_tree
from knit_tui.workspace.history import History, commits
from knit_tui.workspace.refs import head

_DIGEST = 16


class Notes(Protocol):
    """Where the history outlives the process; what comes back may be anything."""

    def history(self) -> bytes:
        """What was kept last; empty when there is nothing."""
        ...

    def keep_history(self, data: bytes) -> None:
        """Keep ``data`` for the next process, if that can be done."""
        ...


class Past:
    """What the project's own history says, for as long as HEAD stands where it does."""

    def __init__(self, root: Path, notes: Notes | None = None) -> None:
        self._folder = os.path.realpath(root)
        self._notes = notes
        self._head = ""
        self.commits = CommitIndex()
        self.notices: tuple[Notice, ...] = ()

    def look(self, *, patient: bool) -> bool:
        """See where HEAD stands, and take over the history up to it.

        One that is not known yet is read only if ``patient``: a long history takes git a while. True when
        ``commits`` has become another.
        """
        top = work_tree(self._folder)
        now = (head(self._folder, top) if top else None) or ""
        if now == self._head:
            return False
        history = self._kept(now) if now else History()
        if history is None:
            if not patient or top is None:
                return False
            history = commits(self._folder, top)
            self._keep(history)
        self._head = now
        self.commits = index_commits(history.commits)
        self.notices = history.notices
        return True

    def _kept(self, now: str) -> History | None:
        data = self._notes.history() if self._notes else b""
        stored = data[_DIGEST:]
        if data[:_DIGEST] != _digest(stored):
            return None
        try:
            history = History.from_bytes(stored)
        except ValueError:
            return None
        return history if history.head == now else None

    def _keep(self, history: History) -> None:
        if self._notes and history.head and not history.notices:  # what a limit cut may be read whole later
            stored = history.to_bytes()
            self._notes.keep_history(_digest(stored) + stored)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
