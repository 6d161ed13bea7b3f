"""What one agent's log format consists of: how to find its logs, how to read them.

A further agent is one module in `formats` that builds a `Format`, and one line in the registry
there. A `Locator` looks at folders, a `Source` (see `sources`) at one file, a `Decoder` at nothing:
records in, events out, so that a log on disk and a list in a test are the same to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from knit_tui.sessions.events import Event
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address, Found, look
from knit_tui.sessions.paths import Place
from knit_tui.sessions.sources import ByteTail


@dataclass(frozen=True, slots=True)
class Live:
    """A session that a running agent told to be its own."""

    session_id: str
    cwd: str


class Decoder(Protocol):
    """The state of reading one log from its start (or from somewhere in it) to its end.

    ``decode`` never raises, whatever the record holds.
    """

    unknown: int
    """Records of a kind this decoder does not know."""
    foreign: bool
    """The log is of a sub-agent, not of a session a person leads: it gives no event."""

    def decode(self, record: Record) -> list[Event]:
        """The events that this record completes."""
        ...

    def settle(self) -> list[Event]:
        """Nothing more came for a while: the events that waited for a next record."""
        ...


class DecoderFactory(Protocol):
    """Makes the decoder of one log."""

    def __call__(self, place: Place, name: str, cwd: str = "") -> Decoder:
        """For a workspace, the log's own name (`Address.name`), and the folder its session runs in as
        far as the log's place tells it (`Format.folder`)."""
        ...


class Locator(Protocol):
    """Where an agent keeps logs. Remembers what makes the next look cheap. Never raises."""

    def logs(self, roots: tuple[str, ...], now: float) -> Iterable[Found]:
        """Files that may be logs of the workspace with these spellings, as they are now."""
        ...


class Source(Protocol):
    """A log that grows. Never raises for anything on disk; see `sources.ByteTail`, which most use."""

    damaged: int
    started: int

    @property
    def oversized(self) -> int: ...

    @property
    def mtime(self) -> float: ...

    def restart(self, window: int | None = None) -> None:
        """Begin as if the log had never been read, ``window`` bytes before its end."""
        ...

    def check(self) -> str:
        """How the log stands now: ``same``, ``grown``, ``missing``, ``unreadable``, ``special``
        (a folder or device), or why what was read before no longer counts (``truncated``,
        ``replaced``), until `restart`."""
        ...

    def head(self) -> Iterator[Record]:
        """The first records, where reading does not begin with them."""
        ...

    def records(self) -> Iterator[Record]:
        """The records that were added since the last call, as far as the log is whole lines."""
        ...


def _tail(address: Address, window: int) -> Source:
    return ByteTail(address.path, window)


def _alone(path: str) -> list[Found]:
    found = look(path)
    return [] if found is None else [found]


def _untold(address: Address) -> str:
    return ""


def _none(address: Address) -> list[Address]:
    return []


def _timestamp(record: Record) -> object:
    return record.get("timestamp")


def _never(record: Record) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Format:
    """One agent's way of logging."""

    agent: str
    locator: Callable[[Path, Mapping[str, str]], Locator]
    """From the home folder and the environment."""
    decoder: DecoderFactory
    recognises: Callable[[Record], bool]
    """Whether a record can only come from this agent."""
    source: Callable[[Address, int], Source] = _tail
    """From a log and the bytes before its end to begin at. Gives no record for a file of another kind."""
    within: Callable[[str], list[Found]] = _alone
    """The logs in one file, the newest first: a database holds many. Never raises."""
    folder: Callable[[Address], str] = _untold
    """Where the session runs, absolute, when the place of the log tells it and the log itself does
    not; else ``""``. Never raises."""
    written: Callable[[Record], object] = _timestamp
    """When a record was written: ISO 8601, or seconds or milliseconds since the epoch; None when it
    does not say."""
    variables: tuple[str, ...] = ()
    """Environment variables in which the agent tells the programs it starts the id of its session."""
    clears: Callable[[Record], bool] = _never
    """Whether a record at the start of a log says that its session took the place of another one."""
    live: Callable[[Path, Mapping[str, str]], list[Live] | None] | None = None
    """The sessions whose agent runs now, from the home folder and the environment; gives None, or is
    None, when the agent keeps no list of them. Never raises."""
    companions: Callable[[Address], list[Address]] = _none
    """The logs that a session's sub-agents keep beside its own, the newest first; listing them is cheap.
    Of these only reads and edits are told. Never raises."""
