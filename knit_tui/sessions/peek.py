"""What a log says of itself, from its first and its last part: whose it is, and its newest prompt."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TypeAlias

from knit_tui.sessions.events import Event, SessionInfo, UserMessage
from knit_tui.sessions.format import Decoder, Format, Source
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from knit_tui.sessions.pipe import is_pipe
from knit_tui.sessions.sources import ByteTail, open_regular

_WINDOWS = (256 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024)
"""Bytes from the end in which the newest prompt is looked for, one after the other."""
_SNIFFED = 256 * 1024
_KEPT = 2000
"""Characters of a prompt that are kept: it is shown in one line, and there may be thousands."""


Prompt: TypeAlias = tuple[float, str, str]
"""When it was written (seconds since the epoch), its own id, its text as far as `_KEPT`."""


@dataclass(frozen=True, slots=True)
class Peek:
    session_id: str
    cwd: str
    """Where the agent runs; ``""`` when the parts that were read do not tell."""
    first: Prompt | None
    """The first real prompt in the parts that were read; None when there is none."""
    prompt: Prompt | None
    """The newest one. With an empty text: the session has none yet, but took another's place then."""
    replaces: bool = False
    """It took another session's place, see `Format.clears`."""


def moment(told: object, latest: float) -> float:
    """When a record was written, in seconds since the epoch, at most ``latest``.

    ``told`` is what the record says, see `Format.written`. ``latest`` when that is nothing usable: a
    log is written to after what it tells.
    """
    try:
        if isinstance(told, str):
            when = datetime.fromisoformat(told)
            seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
        elif isinstance(told, (int, float)) and not isinstance(told, bool):
            seconds = told / 1000 if told > 10**11 else float(told)
        else:
            return latest
    except (ValueError, OverflowError, OSError):
        return latest
    return min(seconds, latest) if seconds > 0 else latest


def peek(address: Address, form: Format, roots: tuple[str, ...]) -> Peek | None:
    """What the log at ``address`` says of itself.

    None when it cannot be read, or is of no session that a person leads.
    """
    place, told = Place(roots), form.folder(address)
    session_id, cwd = address.name, told
    first: Prompt | None = None
    replaces = False
    for window in _WINDOWS:
        source = form.source(address, window)
        if source.check() not in ("grown", "same"):
            return None
        decoder = form.decoder(place, address.name, told)
        newest: Prompt | None = None
        for record, event in _decoded(decoder, source.head()):
            if isinstance(event, SessionInfo):
                session_id, cwd = event.session_id, event.cwd
            elif event is None:
                replaces = replaces or (first is None and form.clears(record))
            elif isinstance(event, UserMessage):
                first = first or _prompt(form, record, source, event)
        for record, event in _decoded(decoder, source.records()):
            if isinstance(event, SessionInfo):
                session_id, cwd = event.session_id, event.cwd
            elif isinstance(event, UserMessage):
                newest = _prompt(form, record, source, event)
                first = first or newest
            elif event is None and first is None and form.clears(record):
                newest, replaces = (moment(form.written(record), source.mtime), "", ""), True
        if decoder.foreign:
            return None
        if newest is not None or not source.started:
            return Peek(session_id, cwd, first, newest, replaces)
    return Peek(session_id, cwd, first, first, replaces)


def _prompt(form: Format, record: Record, source: Source, event: UserMessage) -> Prompt:
    name = "" if event.id.startswith("record-") else event.id
    return moment(form.written(record), source.mtime), name, event.text[:_KEPT]


def _decoded(decoder: Decoder, records: Iterable[Record]) -> Iterator[tuple[Record, Event | None]]:
    """Each record with each of its events, once with None before them."""
    record: Record = {}
    for record in records:
        yield record, None
        for event in decoder.decode(record):
            yield record, event
    for event in decoder.settle():
        yield record, event


def identify(path: str, forms: Iterable[Format]) -> tuple[str, Address | None, Format | None]:
    """Whose log a file is: (``following``, the log in it, its format), or why it is none.

    ``none`` means that there is nothing to judge by yet (an empty file, or one unfinished line). Of a
    file that holds many sessions the newest is meant, unless ``path`` goes on with ``#`` and its id.
    """
    path, wanted = split(path)
    state = ByteTail(path, _SNIFFED).check()
    if state in ("missing", "unreadable"):
        return state, None, None
    for form in forms:
        for found in form.within(path):
            if wanted and found.session != wanted:
                continue
            # A pipe is not read to be judged: what is taken out of it is gone.
            if is_pipe(path) or any(form.recognises(record) for record in _first(form, found.address)):
                return "following", found.address, form
    if state == "special":
        return "not-a-log", None, None
    return ("not-a-log" if _whole_line(path) else "none"), None, None


def split(path: str) -> tuple[str, str]:
    """The file that is named, and the session in it that is asked for."""
    if not os.path.lexists(path):
        before, mark, after = path.rpartition("#")
        if mark and os.path.lexists(before):
            return before, after
    return path, ""


def _first(form: Format, address: Address) -> Iterator[Record]:
    source = form.source(address, _SNIFFED)
    if source.check() in ("grown", "same"):
        yield from chain(source.head(), source.records())


def _whole_line(path: str) -> bool:
    """Whether the file holds anything that will stay as it is: a line with its end, or no JSON at all."""
    try:
        with open_regular(path) as file:
            start = file.read(_SNIFFED)
    except OSError:
        return False
    content = start.lstrip(b" \t\r\n\0")
    return bool(content) and (content[:1] != b"{" or b"\n" in content or len(start) == _SNIFFED)


def is_file(root: str, name: str) -> bool:
    """Whether the workspace-relative ``name`` is a file in ``root`` now."""
    try:
        return os.path.isfile(os.path.join(root, name))
    except ValueError:
        return False
