"""One log that is followed: its source, its decoder, and what has been told of it.

The logs that sub-agents keep beside it are read along with it, as far as they tell reads and edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from knit_tui.sessions.events import (
    AssistantText,
    EditDone,
    Event,
    ReadDone,
    Reset,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Decoder, Format, Source
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import moment
from knit_tui.sessions.sources import WINDOW

_WINDOWS = (WINDOW, 3 * WINDOW, 8 * WINDOW)
"""Bytes from the end that are tried in turn until they hold enough of a conversation."""
_ENOUGH = 6
"""Texts, one of them a prompt: as many as a query is drawn from."""
_QUIET = 1.0
"""Seconds without a new record after which one that waits for a next is told."""
_LOOK = 2.0
"""Seconds between two looks for further logs of sub-agents."""
_COMPANIONS = 16
"""Logs of sub-agents that are followed at a time: those written to last."""
_COMPANION_WINDOW = 2 * 1024 * 1024
"""Bytes from the end at which reading of such a log begins."""


class Log:
    """Reads one log. ``belongs`` says whether a session in a folder may be told; nothing is told
    before it has said so."""

    def __init__(
        self,
        address: Address,
        form: Format,
        place: Callable[[str], Place],
        cwd: str,
        belongs: Callable[[str], bool],
    ) -> None:
        self.address = address
        self.form = form
        self.session_id = address.name
        self.state = "following"
        """``following``, ``missing``, ``unreadable``, ``not-a-log``, or ``moved``: the session is
        not of this workspace any more, and this log is not to be read on."""
        self.prompted = 0.0
        """When the newest prompt was written, in seconds since the epoch; 0 when there is none."""
        self._place = place
        self._cwd = cwd
        self._belongs = belongs
        self._tail = form.source(address, WINDOW)
        self._decoder = self._fresh()
        self._companions = Companions(address, form, lambda: place(self._cwd))
        self._told = False
        self._waiting: list[Event] = []
        self._active: float | None = None

    def _fresh(self) -> Decoder:
        return self.form.decoder(self._place(self._cwd), self.address.name, self.form.folder(self.address))

    @property
    def unknown(self) -> int:
        return self._decoder.unknown

    @property
    def damaged(self) -> int:
        return self._tail.damaged

    @property
    def oversized(self) -> int:
        return self._tail.oversized

    @property
    def skipped(self) -> int:
        """Bytes at the start of the log that were not read."""
        return self._tail.started

    @property
    def mtime(self) -> float:
        return self._tail.mtime

    def start(self, now: float) -> list[Event]:
        """The events of the log as it is, from far enough before its end on."""
        events: list[Event] = []
        for window in _WINDOWS:
            self._tail.restart(window)
            self._decoder = self._fresh()
            self._told, self._waiting, self.prompted = False, [], 0.0
            events = []
            state = self._tail.check()
            if state not in ("grown", "same"):
                self._away(state)
                return []
            self.state = "following"
            heading = (event for record in self._tail.head() for event in self._decoder.decode(record))
            events += self._pass([event for event in heading if isinstance(event, SessionInfo)])
            while self._tail.check() == "grown":
                events += self._read(self._tail.records())
            texts = [event for event in events if isinstance(event, (UserMessage, AssistantText))]
            enough = len(texts) >= _ENOUGH and any(isinstance(event, UserMessage) for event in texts)
            if (enough and self.state == "following") or not self._tail.started:
                break
        self._active = now
        self._companions.restart()
        return events + self._aside(now)

    def poll(self, now: float) -> list[Event]:
        """What is new. Begins with Reset when what was told before no longer counts."""
        return self._poll(now) + self._aside(now)

    def _aside(self, now: float) -> list[Event]:
        """What sub-agents read and edited, after what the log itself tells."""
        return self._companions.poll(now) if self._told and self.state == "following" else []

    def _poll(self, now: float) -> list[Event]:
        state = self._tail.check()
        if state == "grown":
            self.state = "following"
            self._active = now
            return self._read(self._tail.records())
        if state == "same":
            self.state = "following"
            if self._active is not None and not 0 <= now - self._active < _QUIET:
                self._active = None
                return self._pass(self._decoder.settle())
            return []
        if state in ("truncated", "replaced"):
            return [Reset(state), *self.start(now)]
        self._away(state)
        return []

    def _away(self, state: str) -> None:
        self.state = "not-a-log" if state == "special" else state

    def _read(self, records: Iterable[Record]) -> list[Event]:
        events: list[Event] = []
        for record in records:
            told = self._decoder.decode(record)
            if told:
                if any(isinstance(event, UserMessage) for event in told):
                    self.prompted = moment(self.form.written(record), self._tail.mtime)
                events += self._pass(told)
        return events

    def _pass(self, events: list[Event]) -> list[Event]:
        """``events``, as far as the session is known to belong here."""
        passed: list[Event] = []
        for event in events:
            if isinstance(event, SessionInfo):
                if not self._belongs(event.cwd):
                    if self._told:
                        passed.append(Reset("moved"))
                    self.state, self._told, self._waiting = "moved", False, []
                    continue
                self.state, self.session_id, self._told = "following", event.session_id, True
                passed += [event, *self._waiting]
                self._waiting = []
            elif self._told:
                passed.append(event)
            elif self.state != "moved":
                self._waiting.append(event)
        return passed


class Companions:
    """The newest logs of the sub-agents of a session, each read in its own order."""

    def __init__(self, address: Address, form: Format, place: Callable[[], Place]) -> None:
        self._address = address
        self._form = form
        self._place = place
        self.restart()

    def restart(self) -> None:
        """Begin as if none had been read."""
        self._looked: float | None = None
        self._known: dict[Address, tuple[Source, Decoder]] = {}
        """All that were ever read: one that comes back goes on where it was."""
        self._newest: list[Address] = []
        """The one written to last comes last."""

    def poll(self, now: float) -> list[Event]:
        """The reads and edits that are new in them."""
        if self._looked is None or not 0 <= now - self._looked < _LOOK:
            self._looked = now
            self._newest = self._form.companions(self._address)[:_COMPANIONS][::-1]
            for address in self._newest:
                if address not in self._known:
                    self._known[address] = self._opened(address)
        return [event for address in self._newest for event in _read(*self._known[address])]

    def _opened(self, address: Address) -> tuple[Source, Decoder]:
        source = self._form.source(address, _COMPANION_WINDOW)
        return source, self._form.decoder(self._place(), address.name, self._form.folder(address))


def _read(source: Source, decoder: Decoder) -> list[Event]:
    events: list[Event] = []
    state = source.check()
    if state in ("truncated", "replaced"):  # what was told of it did happen, and stays
        source.restart()
        state = source.check()
    while state == "grown":
        for record in source.records():
            events += [
                replace(event, by="subagent")
                for event in decoder.decode(record)
                if isinstance(event, (ReadDone, EditDone))
            ]
        state = source.check()
    return events
