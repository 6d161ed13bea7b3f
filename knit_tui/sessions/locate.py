"""Which logs belong to this workspace, and which of them to follow.

A folder's or a file's name only says where to look; a log belongs here when the folder recorded
inside it does: this very folder, one below it, or one above it, and never another worktree of the
same repository, which is another place for the same names. Listing is cheap and done often; a file
is looked into only when its stat changed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from knit_tui.sessions.format import Format, Locator
from knit_tui.sessions.listing import Address, Found
from knit_tui.sessions.paths import Place, absolute
from knit_tui.sessions.peek import Peek, Prompt, is_file, peek

FRESH = 12 * 3600.0
"""Seconds since the last write within which a session may be the one a person sits at."""
LIVE = 600.0
"""Seconds since the last write within which a session counts as live."""
_PEEKS = 64
"""Files that are looked into in one refresh; the rest waits for the next."""
_PEEKED_BYTES = 128 * 1024 * 1024


class Match(IntEnum):
    """How a session's folder lies to the workspace, best first."""

    SAME = 0
    BELOW = 1
    ABOVE = 2


class Workspace:
    """The folder knit looks at, in every spelling that is known."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = os.path.abspath(root)
        self.real = _real(self.root)
        self.home = str(home)
        self.roots = tuple(dict.fromkeys((self.root, self.real)))
        self._fold = sys.platform in ("win32", "darwin")
        self._matches: dict[str, Match | None] = {}

    def match(self, cwd: str) -> Match | None:
        """How the folder ``cwd`` lies to this one; None when it is elsewhere or another worktree."""
        if cwd not in self._matches:
            self._matches[cwd] = self._match(cwd)
        return self._matches[cwd]

    def _match(self, cwd: str) -> Match | None:
        whole = absolute(cwd)
        if whole is None:
            return None
        spellings = dict.fromkeys((whole, _real(whole)))
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
            real = _real(whole)
            inner = Place((self.real,)).inside(real)
            if inner == ".":
                roots.append(whole)
            elif inner is not None and whole.endswith("/" + inner):
                roots.append(whole[: -len(inner) - 1] or "/")
            elif inner is None:
                rest = Place((real,)).inside(self.real)
                if rest is not None:
                    roots.append(f"{whole}/{rest}")
        root = self.root
        return Place(tuple(dict.fromkeys(roots)), self.home, self._fold, lambda name: is_file(root, name))


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _other_tree(top: str, inner: str) -> bool:
    """Whether a folder on the way from ``top`` down to ``inner`` is a linked worktree of its own."""
    if ".claude/worktrees/" in inner + "/":
        return True
    here = top
    for name in inner.split("/"):
        here = os.path.join(here, name)
        try:
            with open(os.path.join(here, ".git"), "rb") as file:
                if b"/worktrees/" in file.read(4096):
                    return True
        except (OSError, ValueError):
            continue
    return False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session of this workspace."""

    form: Format
    address: Address
    session_id: str
    cwd: str
    match: Match
    first: Prompt | None
    prompt: Prompt
    """The newest prompt, as in `Peek`."""
    mtime: float


class Finder:
    """The sessions of one workspace, kept up to date by `refresh`. Never raises for anything on disk."""

    def __init__(
        self, workspace: Workspace, forms: tuple[Format, ...], home: Path, environ: Mapping[str, str]
    ) -> None:
        self._workspace = workspace
        self._locators: list[tuple[Format, Locator]] = [(form, form.locator(home, environ)) for form in forms]
        self._known: dict[Address, tuple[Found, Candidate | None]] = {}
        self.complete = False
        """Every file that may matter was looked into."""

    @property
    def candidates(self) -> list[Candidate]:
        return [candidate for _, candidate in self._known.values() if candidate is not None]

    def refresh(self, now: float) -> None:
        """List the logs; look into those that changed, the newest first, as many as one call may."""
        found = [
            (form, log)
            for form, locator in self._locators
            for log in locator.logs(self._workspace.roots, now)
        ]
        there = {log.address for _, log in found}
        for address in [address for address in self._known if address not in there]:
            del self._known[address]
        changed = [(form, log) for form, log in found if self._stale(log)]
        changed.sort(key=lambda pair: -pair[1].mtime_ns)
        budget = _PEEKED_BYTES
        self.complete = True
        for number, (form, log) in enumerate(changed):
            old = not _fresh(log.mtime_ns / 1e9, now)
            if old and any(_fresh(c.mtime, now) for c in self.candidates):
                break  # an old session is of interest only when there is no fresh one
            if number >= _PEEKS or budget <= 0:
                self.complete = False
                break
            budget -= min(log.size, 20 * 1024 * 1024)
            self._known[log.address] = (log, self._candidate(form, log))

    def choose(self, now: float) -> Candidate | None:
        """The session a person who opens this folder now means: the fresh ones first, then the
        nearest folder, then the newest prompt."""
        candidates = self.candidates
        fresh = [candidate for candidate in candidates if _fresh(candidate.mtime, now)]
        return min(
            fresh or candidates, key=lambda c: (c.match, -c.prompt[0], -c.mtime, str(c.address)), default=None
        )

    def _stale(self, log: Found) -> bool:
        known = self._known.get(log.address)
        return known is None or known[0] != log

    def _candidate(self, form: Format, log: Found) -> Candidate | None:
        said: Peek | None = peek(log.address, form, self._workspace.roots)
        if said is None or said.prompt is None or not said.cwd:
            return None
        match = self._workspace.match(said.cwd)
        if match is None:
            return None
        return Candidate(
            form,
            log.address,
            said.session_id,
            said.cwd,
            match,
            said.first,
            said.prompt,
            log.mtime_ns / 1e9,
        )


def _fresh(mtime: float, now: float) -> bool:
    return now - mtime < FRESH
