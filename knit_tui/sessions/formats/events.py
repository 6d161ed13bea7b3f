"""The event stream: what any other tool can tell knit, one JSON object a line, in a file or a named pipe.

    {"type": "session", "cwd": "/abs", "session_id": "…", "agent": "…"}
    {"type": "user", "text": "…", "id": "…"}
    {"type": "assistant", "text": "…", "id": "…"}
    {"type": "read", "path": "…", "ok": true, "certainty": "confirmed", "by": "main", "id": "…"}
    {"type": "edit", "path": "…", "ok": true, "by": "main", "id": "…"}
    {"type": "rewind", "turns": 1}  or  {"type": "rewind", "keep_until_id": "…"}
    {"type": "compacted"}

Only ``type``, ``text`` and ``path`` must be there. A field that is not known is passed over; a record
whose type is not known, or one of whose fields holds what it may not, is counted and tells nothing. A
record with an ``id`` that was told before tells nothing either, so a stream may be sent again. Another
``session_id`` begins another session: what was told before is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from knit_tui.sessions.events import (
    Actor,
    AssistantText,
    Certainty,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format, Source
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address, Found, look
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.pipe import PipeTail, is_pipe
from knit_tui.sessions.sources import ByteTail

_TEXTS = ("user", "assistant")
_FILES = ("read", "edit")
_OF_OTHERS = ("message", "content", "payload", "uuid", "sessionId")
"""Fields that records of the same types have in the logs of agents."""
_STRINGS = ("id", "text", "path", "cwd", "session_id", "agent", "keep_until_id")


class EventsDecoder:
    """The records of one stream to events. See `knit_tui.sessions.format.Decoder`."""

    foreign = False

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self._place = place
        self._session = SessionInfo("events", name, cwd)
        self._begun = False
        self._seen: set[tuple[bool, str]] = set()
        """Ids that were told: of messages, and of reads and edits."""
        self._count = 0

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        kind = record.get("type")
        if not _sound(record):
            self.unknown += 1
            return []
        if kind == "session":
            return self._begin(record)
        if kind in _TEXTS:
            events = self._text(record, kind == "user")
        elif kind in _FILES:
            events = self._file(record, kind == "read")
        elif kind == "rewind":
            turns = record.get("turns") or 0
            events = [Rewind(turns=turns) if turns else Rewind(scrub(record.get("keep_until_id")))]
        else:
            events = [Compacted()]
        if events and not self._begun:
            self._begun = True
            events.insert(0, self._session)
        return events

    def _begin(self, record: Record) -> list[Event]:
        before, begun = self._session, self._begun
        session_id = scrub(record.get("session_id")) or before.session_id
        agent, cwd = scrub(record.get("agent")), scrub(record.get("cwd"))
        if session_id != before.session_id and begun:
            self._seen.clear()
            self._session = SessionInfo(agent or "events", session_id, cwd)
            return [Reset("session"), self._session]
        self._session = SessionInfo(agent or before.agent, session_id, cwd or before.cwd)
        self._begun = True
        return [] if begun and self._session == before else [self._session]

    def _text(self, record: Record, by_person: bool) -> list[Event]:
        text, name = scrub(record["text"]).strip(), scrub(record.get("id"))
        if not text or record.get("by") == "subagent" or self._repeated(True, name):
            return []
        name = name or f"record-{self._count}"
        return [UserMessage(name, text) if by_person else AssistantText(name, text)]

    def _file(self, record: Record, read: bool) -> list[Event]:
        base = self._session.cwd or next(iter(self._place.roots), None)
        path = self._place.name(base, scrub(record["path"]))
        call_id = scrub(record.get("id"))
        if path is None or self._repeated(False, call_id):
            return []
        ok: bool = record.get("ok", True)
        by: Actor = record.get("by", "main")
        if not read:
            return [EditDone(path, ok, by, call_id)]
        certainty: Certainty = record.get("certainty", "confirmed")
        return [ReadDone(path, ok and certainty != "attempted", certainty, by, call_id)]

    def _repeated(self, message: bool, name: str) -> bool:
        if not name:
            return False
        seen = (message, name) in self._seen
        self._seen.add((message, name))
        return seen


def _sound(record: Record) -> bool:
    """Whether the record is of a known type and every known field holds what it may."""
    kind = record.get("type")
    needed = "text" if kind in _TEXTS else "path" if kind in _FILES else None
    if needed is None and kind not in ("session", "rewind", "compacted"):
        return False
    if needed is not None and not isinstance(record.get(needed), str):
        return False
    if any(not isinstance(record.get(name, ""), str) for name in _STRINGS):
        return False
    turns = record.get("turns", 0)
    return (
        isinstance(record.get("ok", True), bool)
        and _one_of(record.get("certainty", "confirmed"), get_args(Certainty))
        and _one_of(record.get("by", "main"), get_args(Actor))
        and (isinstance(turns, int) and not isinstance(turns, bool) and turns >= 0)
        and (kind != "rewind" or turns > 0 or bool(record.get("keep_until_id")))
    )


def _one_of(value: Any, allowed: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in allowed


def recognises(record: Record) -> bool:
    """Whether the record is one of this stream and of no agent's log."""
    if not _sound(record) or any(name in record for name in _OF_OTHERS):
        return False
    return record["type"] != "session" or "session_id" in record or "agent" in record


def source(address: Address, window: int) -> Source:
    return PipeTail(address.path) if is_pipe(address.path) else ByteTail(address.path, window)


def within(path: str) -> list[Found]:
    """The stream in a file, or the one that comes through a named pipe, which is not opened."""
    found = look(path)
    if found is not None:
        return [found]
    return [Found(path, 0, 0, 0)] if is_pipe(path) else []


class EventsLocator:
    """No place: a stream is followed only when it is named. One that lies in a workspace may be anybody's."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        pass

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        return iter(())


FORMAT = Format("events", EventsLocator, EventsDecoder, recognises, source=source, within=within)
