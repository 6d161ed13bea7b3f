"""The sessions of a workspace, and which of them to follow.

A folder's or a file's name only says where to look; a log belongs here when the folder recorded inside
it does. Listing is cheap and done often; a file is looked into only when its stat changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from knit_tui.sessions.format import Format, Live, Locator
from knit_tui.sessions.listing import Address, Found, look
from knit_tui.sessions.peek import Prompt, peek
from knit_tui.sessions.told import Board, Told, folder
from knit_tui.sessions.workspace import Match, Workspace

FRESH = 12 * 3600.0
"""Seconds since the last write within which a session may be the one a person sits at."""
LIVE = 600.0
"""Seconds since the last write within which a session counts as live."""
_PEEKS = 64
"""Files that are looked into in one refresh; the rest waits for the next."""
_OLD_PEEKS = 4
_PEEKED_BYTES = 128 * 1024 * 1024


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
    replaces: bool
    mtime: float


class Finder:
    """The sessions of one workspace, kept up to date by `refresh`. Never raises for anything on disk."""

    def __init__(
        self, workspace: Workspace, forms: tuple[Format, ...], home: Path, environ: Mapping[str, str]
    ) -> None:
        self._workspace = workspace
        self._home, self._environ = home, environ
        self._forms = {form.agent: form for form in forms}
        self._locators: list[tuple[Format, Locator]] = [(form, form.locator(home, environ)) for form in forms]
        self._known: dict[Address, tuple[tuple[Found, Told | None], Candidate | None]] = {}
        """What was looked into as it then was, with the word on it, and what came of it."""
        self._board = Board(folder(home, environ))
        self._told: dict[str, Told] = {}
        self._listed: frozenset[Address] = frozenset()
        self._live: dict[str, list[Live] | None] = {}
        self._named = {
            (form.agent, environ[name]) for form in forms for name in form.variables if environ.get(name)
        }
        self.complete = False
        """Every file that may matter for the choice was looked into."""
        self.settled = False
        """Every file was."""

    @property
    def candidates(self) -> list[Candidate]:
        return [candidate for _, candidate in self._known.values() if candidate is not None]

    @property
    def listed(self) -> frozenset[Address]:
        """All logs that may be of this workspace, looked into or not."""
        return self._listed

    def refresh(self, now: float) -> None:
        """List the logs; look into those that changed, the newest first, as many as one call may."""
        self._refresh(now, patient=False)

    def settle(self, now: float) -> None:
        """List the logs and look into all that changed, however long it takes."""
        self._refresh(now, patient=True)

    def _refresh(self, now: float, patient: bool) -> None:
        self._told = self._board.read(now)
        self._live = {
            form.agent: form.live(self._home, self._environ) if form.live else None
            for form in self._forms.values()
        }
        found = list(self._list(now))
        self._listed = frozenset(log.address for _, log in found)
        for address in [address for address in self._known if address not in self._listed]:
            del self._known[address]
        changed = [(self._turned(log), form, log) for form, log in found if self._stale(log)]
        changed.sort(key=lambda one: -one[0])
        budget, old_ones = _PEEKED_BYTES, 0
        self.complete = self.settled = True
        for number, (turned, form, log) in enumerate(changed):
            if patient:
                pass
            elif not _fresh(turned, now) and self._at_hand(now):
                old_ones += 1  # to be offered only: they are looked into a few at a time
                if old_ones > _OLD_PEEKS:
                    self.settled = False
                    break
            elif number >= _PEEKS or budget <= 0:
                self.complete = self.settled = False
                break
            budget -= min(log.size, 20 * 1024 * 1024)
            self._known[log.address] = (self._state(log), self._candidate(form, log))

    def _turned(self, log: Found) -> float:
        told = self._word(log.address)
        return max(log.mtime_ns / 1e9, told.at if told is not None else 0.0)

    def _at_hand(self, now: float) -> bool:
        """Whether there is a fresh session that may be chosen."""
        return any(self.fresh(c, now) and c.match is not Match.WORKTREE for c in self.candidates)

    def choose(self, now: float) -> Candidate | None:
        """The session a person who opens this folder now means: the one that the environment names, else
        the fresh ones first, then the nearest folder, then one whose agent still runs, then the newest
        prompt."""
        candidates = [each for each in self.candidates if each.match is not Match.WORKTREE]
        named = [each for each in candidates if self.how(each) == "environment"]
        fresh = [each for each in candidates if self.fresh(each, now)]
        return min(
            named or fresh or candidates,
            key=lambda c: (c.match, self.live(c) is False, -self.moment(c), -c.mtime, str(c.address)),
            default=None,
        )

    def identified(self, session_id: str) -> Candidate | None:
        """The session with this id, or the only one whose id begins so."""
        exact = [each for each in self.candidates if each.session_id == session_id]
        begun = [each for each in self.candidates if each.session_id.startswith(session_id)]
        return exact[0] if exact else begun[0] if len(begun) == 1 else None

    def moment(self, candidate: Candidate) -> float:
        """When the session was last turned to: its newest prompt, or the word of a hook if that is newer."""
        return max(candidate.prompt[0], self._told_at(candidate))

    def fresh(self, candidate: Candidate, now: float) -> bool:
        """Whether a person may be sitting at it."""
        return _fresh(max(candidate.mtime, self._told_at(candidate)), now)

    def how(self, candidate: Candidate) -> str:
        """What led to the session: ``environment``, ``hook`` or ``directory``."""
        if (candidate.form.agent, candidate.session_id) in self._named:
            return "environment"
        return "hook" if self._word(candidate.address) is not None else "directory"

    def live(self, candidate: Candidate) -> bool | None:
        """Whether its agent runs now; None where that agent does not tell.

        An agent may go on under another session's id than it told, so one in the same folder counts.
        """
        live = self._live.get(candidate.form.agent)
        if live is None:
            return None
        return any(one.session_id == candidate.session_id or one.cwd == candidate.cwd for one in live)

    def _told_at(self, candidate: Candidate) -> float:
        told = self._word(candidate.address)
        return told.at if told is not None else 0.0

    def _word(self, address: Address) -> Told | None:
        """What a hook said of a log."""
        told = self._told.get(address.path)
        return told if told is not None and address.session in ("", told.session_id) else None

    def _list(self, now: float) -> Iterable[tuple[Format, Found]]:
        roots = (*self._workspace.roots, *self._workspace.others())
        paths = set()
        for form, locator in self._locators:
            for log in locator.logs(roots, now):
                paths.add(log.path)
                yield form, log
        for told in self._told.values():
            named = self._forms.get(told.agent)
            if named is None or told.path in paths or self._workspace.match(told.cwd) is None:
                continue
            file = look(told.path)
            if file is not None:
                yield named, file

    def _stale(self, log: Found) -> bool:
        known = self._known.get(log.address)
        return known is None or known[0] != self._state(log)

    def _state(self, log: Found) -> tuple[Found, Told | None]:
        return log, self._word(log.address)

    def _candidate(self, form: Format, log: Found) -> Candidate | None:
        said = peek(log.address, form, self._workspace.roots)
        told = self._word(log.address)
        if said is None or not said.cwd:
            return None
        prompt = said.prompt or ((told.at, "", "") if told is not None else None)
        match = self._workspace.match(said.cwd)
        if match is None or prompt is None:
            return None
        known = self._known.get(log.address)
        before = known[1].prompt if known is not None and known[1] is not None else None
        if before is not None and before[1:] == prompt[1:]:
            # Where a log tells no times, its last write stands for them; the prompt was there before.
            prompt = min(before, prompt)
        return Candidate(
            form,
            log.address,
            said.session_id,
            said.cwd,
            match,
            said.first,
            prompt,
            said.replaces,
            log.mtime_ns / 1e9,
        )


def _fresh(mtime: float, now: float) -> bool:
    return now - mtime < FRESH
