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
from knit_tui.sessions.paths import Place
from knit_tui.sessions.sources import ByteTail


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


@dataclass(frozen=True, slots=True)
class Found:
    """A file that may be a log of this workspace; only its inside tells."""

    path: str
    mtime_ns: int
    size: int
    inode: int


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


@dataclass(frozen=True, slots=True)
class Format:
    """One agent's way of logging."""

    agent: str
    locator: Callable[[Path, Mapping[str, str]], Locator]
    """From the home folder and the environment."""
    decoder: Callable[[Place, str], Decoder]
    """From the workspace and the name of the log without its ending."""
    recognises: Callable[[Record], bool]
    """Whether a record can only come from this agent."""
    source: Callable[[str, int], Source] = ByteTail
    """From the path of a log and the bytes before its end to begin at."""
