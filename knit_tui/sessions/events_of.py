"""All events of one log, read from its start to its end: for a look at it, not for following it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from knit_tui.sessions.events import Event, SessionInfo
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import identify, peek
from knit_tui.sessions.pipe import is_pipe
from knit_tui.sessions.unsupported import is_thread
from knit_tui.sessions.workspace import Workspace

_WHOLE = 1 << 62


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a log tells, and how much of it could not be used."""

    agent: str
    session_id: str
    cwd: str
    events: tuple[Event, ...]
    """Without `SessionInfo` that only repeats the above."""
    unknown: int
    damaged: int


class NoLog(Exception):
    """``state``: ``missing``, ``unreadable``, ``not-a-log``, ``amp`` (its thread), ``none`` (empty)."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state


def events_of(path: str, home: Path) -> Decoded:
    """The events of the log at ``path`` (``PATH#ID`` for one session of a database).

    Paths are told relative to the folder the session runs in.

    Raises:
        NoLog: it is none, or cannot be read.
    """
    state, address, form = identify(os.path.abspath(os.path.expanduser(path)), FORMATS)
    if address is None or form is None:
        raise NoLog("amp" if state == "not-a-log" and is_thread(path) else state)
    if is_pipe(address.path):  # what is taken out of it would be gone for who follows it
        raise NoLog("not-a-log")
    said = peek(address, form, ())
    cwd = said.cwd if said is not None else ""
    place = Place((cwd,) if cwd else ())
    if os.path.isabs(cwd) and os.path.isdir(cwd):
        place = Workspace(Path(cwd), home).place(cwd)
    source = form.source(address, _WHOLE)
    decoder = form.decoder(place, address.name, form.folder(address))
    events: list[Event] = []
    while source.check() == "grown":
        for record in source.records():
            events += decoder.decode(record)
    events += decoder.settle()
    infos = [event for event in events if isinstance(event, SessionInfo)]
    first = infos[0] if infos else SessionInfo(form.agent, address.name, cwd)
    told = tuple(event for event in events if event != first)
    damaged = source.damaged + source.oversized
    return Decoded(form.agent, first.session_id, first.cwd, told, decoder.unknown, damaged)
