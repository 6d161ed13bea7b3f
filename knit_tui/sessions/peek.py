"""What a log says of itself, from its first and its last part: whose it is, and its newest prompt."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import PurePath

from knit_tui.sessions.events import Event, SessionInfo, UserMessage
from knit_tui.sessions.format import Decoder, Format
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.sources import ByteTail, open_regular

_WINDOWS = (256 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024)
"""Bytes from the end in which the newest prompt is looked for, one after the other."""
_SNIFFED = 256 * 1024


@dataclass(frozen=True, slots=True)
class Peek:
    session_id: str
    cwd: str
    """Where the agent runs; ``""`` when the parts that were read do not tell."""
    prompt: tuple[float, str, str] | None
    """The newest real prompt: when, its own id, its text; None when there is none."""


def stem(path: str) -> str:
    """The name of a log without its ending; it often is the session's id."""
    return scrub(PurePath(path).stem)


def moment(record: Record, latest: float) -> float:
    """When a record was written, in seconds since the epoch, at most ``latest``.

    ``latest`` when the record tells nothing usable: a log is written to after what it tells.
    """
    value = record.get("timestamp")
    try:
        if isinstance(value, str):
            when = datetime.fromisoformat(value)
            seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
        elif isinstance(value, int) and not isinstance(value, bool):
            seconds = value / 1000 if value > 10**11 else float(value)
        else:
            return latest
    except (ValueError, OverflowError, OSError):
        return latest
    return min(seconds, latest) if seconds > 0 else latest


def peek(path: str, form: Format, roots: tuple[str, ...]) -> Peek | None:
    """What the log at ``path`` says of itself.

    None when it cannot be read, or is of no session that a person leads.
    """
    session_id, cwd = stem(path), ""
    first: tuple[float, str, str] | None = None
    for window in _WINDOWS:
        tail = form.source(path, window)
        if tail.check() not in ("grown", "same"):
            return None
        decoder = form.decoder(Place(roots), stem(path))
        for event, record in _decoded(decoder, tail.head()):
            if isinstance(event, SessionInfo):
                session_id, cwd = event.session_id, event.cwd
            elif isinstance(event, UserMessage):
                first = first or (moment(record, tail.mtime), event.id, event.text)
        prompt: tuple[float, str, str] | None = None
        for event, record in _decoded(decoder, tail.records()):
            if isinstance(event, SessionInfo):
                session_id, cwd = event.session_id, event.cwd
            elif isinstance(event, UserMessage):
                name = "" if event.id.startswith("record-") else event.id
                prompt = (moment(record, tail.mtime), name, event.text)
        if decoder.foreign:
            return None
        if prompt is not None or not tail.started:
            return Peek(session_id, cwd, prompt)
    return Peek(session_id, cwd, first)


def _decoded(decoder: Decoder, records: Iterable[Record]) -> Iterator[tuple[Event, Record]]:
    record: Record = {}
    for record in records:
        for event in decoder.decode(record):
            yield event, record
    for event in decoder.settle():
        yield event, record


def identify(path: str, forms: Iterable[Format]) -> tuple[str, Format | None]:
    """Whose log a file is: (``following``, its format), or why it is none.

    ``none`` means that there is nothing to judge by yet (an empty file, or one unfinished line).
    """
    tail = ByteTail(path, _SNIFFED)
    state = tail.check()
    if state == "special":
        return "not-a-log", None
    if state in ("missing", "unreadable"):
        return state, None
    for record in chain(tail.head(), tail.records()):
        for form in forms:
            if form.recognises(record):
                return "following", form
    return ("not-a-log" if tail.started or tail.damaged or _whole_line(path) else "none"), None


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
