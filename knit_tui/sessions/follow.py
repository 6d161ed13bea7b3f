"""The session of a workspace, found and followed.

`Follower.poll` is called a few times a second by one thread. When nothing changed it costs one
``stat`` of the followed log and, every two seconds, a listing of the folders where others may
appear. It keeps to its session and leaves it only for a prompt that a person wrote later into
another one of this workspace, or when its log is gone; one that was chosen by hand is left only for
the session that took its place in the same agent. It never raises for anything on disk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from knit_tui.model import Notice, SessionOffer, SessionStatus
from knit_tui.sessions.events import Event, Reset
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.listing import Address, look
from knit_tui.sessions.locate import FRESH, LIVE, Candidate, Finder
from knit_tui.sessions.log import Log
from knit_tui.sessions.peek import Prompt, identify, peek, split
from knit_tui.sessions.workspace import Match, Workspace

_LOOK = 2.0
"""Seconds between two looks for other sessions."""
_LOOK_LOST = 0.5
"""The same, while there is none to follow."""


class Follower:
    """Follows the session of ``workspace``.

    ``choice`` is None to find it, ``"none"`` to follow none, else the id of a session (or how it begins)
    of this workspace, or the path of a log, which is followed as soon as it is there, wherever its
    session runs. ``now`` gives seconds since the epoch. With ``agents`` the sessions of no other agent are
    looked for; a log that is named by its path may be of any.
    """

    def __init__(
        self,
        workspace: Path,
        choice: str | None = None,
        *,
        home: Path,
        environ: Mapping[str, str],
        now: Callable[[], float] = time.time,
        agents: Collection[str] = (),
    ) -> None:
        self._workspace = Workspace(workspace, home)
        self._now = now
        self._off = choice == "none"
        self._option: str | None = None
        """The path of the log that was named."""
        self._wanted = ""
        """The id of the session that was named."""
        self._picked: Address | None = None
        """The session that was chosen by hand, and then what took its place."""
        if choice is not None and not self._off:
            if _is_id(choice):
                self._wanted = choice
            else:
                self._option = os.path.abspath(os.path.expanduser(choice))
        forms = tuple(form for form in FORMATS if not agents or form.agent in agents)
        self._finder = Finder(self._workspace, forms, home, environ)
        self._log: Log | None = None
        self._state = "off" if self._off else "none"
        self._judged: tuple[int, ...] | None = None
        self._looked: float | None = None
        self._told = False
        """A session was followed before."""
        self._turns: dict[Address, tuple[Prompt, float]] = {}
        """The newest prompt of each session at the last look, and when it was last turned to."""
        self._prompted = 0.0
        """When our own newest prompt was written."""
        self._before: frozenset[Address] = frozenset()
        """The logs there were when ours was chosen."""
        self._others = 0
        self._again = False
        """Which session to follow is to be decided afresh."""
        self._how = "directory" if self._option is None and not self._wanted else "option"
        self._offers: tuple[SessionOffer, ...] = ()

    @property
    def status(self) -> SessionStatus:
        """Which session is followed, or why none is."""
        how = self._how
        log = self._log
        if log is None:
            state = "no-such-session" if self._wanted and not self._off else self._state
            return SessionStatus(state, path=self._option or self._wanted, how="" if self._off else how)
        return SessionStatus(
            log.state,
            log.form.agent,
            log.session_id,
            log.address.path,
            how,
            log.unknown,
            log.damaged,
            self._others,
        )

    @property
    def offers(self) -> tuple[SessionOffer, ...]:
        """The sessions of the workspace, the nearest and the newest first."""
        return self._offers

    def all_offers(self) -> tuple[SessionOffer, ...]:
        """`offers`, with every log looked into."""
        self._finder.settle(self._now())
        followed = self._log.address if self._log is not None else None
        return self._offered(self._finder.candidates, followed)

    def choose(self, key: str | None) -> None:
        """Follow the offered session with this key from the next poll on; None: find one again."""
        if self._off or self._option is not None:
            return
        chosen = None
        if key is not None:
            chosen = next((c.address for c in self._finder.candidates if str(c.address) == key), None)
            if chosen is None:  # its log went away after it was offered
                return
        self._wanted, self._looked, self._how = "", None, "directory"
        self._picked, self._again = chosen, True

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The limits that bite now: ``session-partial`` (``bytes`` of the log's start not read),
        ``session-long-lines`` (``count`` passed over), ``session-old`` (``hours`` since its last write)."""
        log = self._log
        if log is None:
            return ()
        notices: list[Notice] = []
        if log.skipped:
            notices.append(Notice("session-partial", (("bytes", str(log.skipped)),)))
        if log.oversized:
            notices.append(Notice("session-long-lines", (("count", str(log.oversized)),)))
        age = self._now() - log.mtime
        if log.mtime and age >= FRESH:
            notices.append(Notice("session-old", (("hours", str(int(age // 3600))),)))
        return tuple(notices)

    def poll(self) -> tuple[Event, ...]:
        """The events since the last poll, in the order of the log.

        ``Reset`` comes first when what was told before no longer counts, and then everything again.
        """
        if self._off:
            return ()
        now = self._now()
        if self._option is not None:
            return tuple(self._poll_option(self._option, now))
        return tuple(self._poll_directory(now))

    # A log that was named.

    def _poll_option(self, path: str, now: float) -> list[Event]:
        events: list[Event] = []
        if self._log is not None:
            events = self._log.poll(now)
            reset = events[0] if events else None
            if not isinstance(reset, Reset) or reset.reason == "session":
                return events
            # Another file under the same name may be another agent's log.
            self._log, self._judged = None, None
            events = events[:1]
        stamp = _stamp(split(path)[0])
        if stamp is not None and stamp == self._judged and self._state != "unreadable":
            return events
        self._judged = stamp
        self._state, address, form = identify(path, FORMATS)
        if form is None or address is None:
            return events
        said = peek(address, form, self._workspace.roots)
        self._log = Log(address, form, self._workspace.place, said.cwd if said else "", lambda cwd: True)
        return events + self._log.start(now)

    # The workspace's own.

    def _poll_directory(self, now: float) -> list[Event]:
        events = self._log.poll(now) if self._log is not None else []
        if self._log is not None and self._log.state == "moved":
            self._log = None
        lost = self._log is None or self._log.state != "following" or self._again
        pause = _LOOK_LOST if lost else _LOOK
        waiting = lost and not self._finder.complete
        if self._looked is not None and not waiting and 0 <= now - self._looked < pause:
            return events
        self._looked = now
        if self._wanted and self._picked is None:  # what is asked for by its id may be the oldest of all
            self._finder.settle(now)
        else:
            self._finder.refresh(now)
        if self._again:
            self._before = self._finder.listed
        candidates = self._finder.candidates
        chosen = self._decide(candidates, now, lost)
        if chosen is not None and (self._log is None or chosen.address != self._log.address):
            events = [Reset("session")] if self._told else []
            events += self._follow(chosen, now)
        elif chosen is None and self._again and self._picked is None and self._log is not None:
            events, self._log = [Reset("session")], None
        self._again = False
        self._turns = {c.address: (c.prompt, self._finder.moment(c)) for c in candidates}
        self._prompted = self._log.prompted if self._log is not None else 0.0
        followed = self._log.address if self._log is not None else None
        self._others = sum(
            c.address != followed and c.match is not Match.WORKTREE and now - c.mtime < LIVE
            for c in candidates
        )
        self._offers = self._offered(candidates, followed)
        return events

    def _decide(self, candidates: list[Candidate], now: float, lost: bool) -> Candidate | None:
        """The session to go over to; None to stay."""
        if self._wanted and self._picked is None:
            named = self._finder.identified(self._wanted)
            self._picked = named.address if named is not None else None
        if self._picked is not None:
            successor = self._successor(candidates)
            if successor is not None:
                self._picked = successor.address
            self._how = "option" if self._wanted else "chosen"
            return next((c for c in candidates if c.address == self._picked), None)
        if self._wanted:
            return None
        chosen = self._finder.choose(now) if lost else self._newcomer(candidates, now)
        if chosen is not None:
            self._how = self._finder.how(chosen)
        return chosen

    def _successor(self, candidates: list[Candidate]) -> Candidate | None:
        """The session that took the place of the chosen one, as far as can be told: its log began since."""
        log = self._log
        ours = next((c for c in candidates if log is not None and c.address == log.address), None)
        if log is None or ours is None or ours.address != self._picked:
            return None
        heirs = [
            c
            for c in candidates
            if c.replaces
            and c.address not in self._before
            and (c.form.agent, c.cwd) == (ours.form.agent, ours.cwd)
            and self._finder.moment(c) >= log.prompted
        ]
        return max(heirs, key=self._finder.moment, default=None)

    def _offered(self, candidates: list[Candidate], followed: Address | None) -> tuple[SessionOffer, ...]:
        finder = self._finder
        ordered = sorted(candidates, key=lambda c: (c.match, -finder.moment(c), str(c.address)))
        return tuple(
            SessionOffer(
                key=str(c.address),
                agent=c.form.agent,
                session_id=c.session_id,
                cwd=c.cwd,
                match=c.match.name.lower(),
                how=finder.how(c),
                first=c.first[2] if c.first else "",
                last=c.prompt[2],
                prompted=finder.moment(c),
                live=finder.live(c),
                followed=c.address == followed,
            )
            for c in ordered
        )

    def _newcomer(self, candidates: list[Candidate], now: float) -> Candidate | None:
        """A session that a person turned to since the last look, and later than to our own."""
        log, finder = self._log, self._finder
        assert log is not None
        ours = next((c for c in candidates if c.address == log.address), None)
        since = max(log.prompted, finder.moment(ours) if ours is not None else 0.0)
        silent = log.prompted == self._prompted
        turned: list[Candidate] = []
        for candidate in candidates:
            if candidate.address == log.address or candidate.match is Match.WORKTREE:
                continue
            # A session above the workspace is about other folders too; it takes over from its like only.
            if candidate.match is Match.ABOVE and (ours is None or ours.match is not Match.ABOVE):
                continue
            before = self._turns.get(candidate.address)
            if before == (candidate.prompt, finder.moment(candidate)):
                continue
            # A prompt that was seen to come is new, whatever its clock says; a file seen first may be old.
            came = before is not None and before[0] != candidate.prompt
            recent = before is not None or finder.fresh(candidate, now)
            if (came and silent) or (recent and finder.moment(candidate) > since):
                turned.append(candidate)
        return max(turned, key=lambda c: (finder.moment(c), c.mtime), default=None)

    def _follow(self, chosen: Candidate, now: float) -> list[Event]:
        self._told, self._before = True, self._finder.listed
        match = self._workspace.match
        allowed = {chosen.match} if chosen.match is Match.WORKTREE else {Match.SAME, Match.BELOW, Match.ABOVE}
        self._log = Log(
            chosen.address,
            chosen.form,
            self._workspace.place,
            chosen.cwd,
            lambda cwd: match(cwd) in allowed,
        )
        events = self._log.start(now)
        self._log.prompted = self._log.prompted or self._finder.moment(chosen)
        return events


def _is_id(choice: str) -> bool:
    """Whether a choice is the id of a session and not a path: letters and digits, no such file."""
    named = choice.replace("-", "").replace("_", "")
    return named.isalnum() and any(map(str.isdigit, named)) and not os.path.lexists(choice)


def _stamp(path: str) -> tuple[int, ...] | None:
    """How a named log stands; the rows of a young database lie only in the file beside it."""
    found, beside = look(path), look(f"{path}-wal")
    if found is None:
        return None
    stamp = (found.mtime_ns, found.size, found.inode)
    return stamp if beside is None else (*stamp, beside.mtime_ns, beside.size)
