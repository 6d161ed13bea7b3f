"""Cursor CLI: one transcript a session, of what was said and asked for.

The records have no ids, no times and no results of tools. So nothing tells what came of a read: each is
told as attempted, those of shell commands too, and an edit is not told at all. A record's id is its
place. Only the prompts may say when they were written, to the minute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from knit_tui.sessions.calls import shell_reads
from knit_tui.sessions.events import AssistantText, Event, ReadDone, SessionInfo, UserMessage
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats.cursor_folders import CursorLocator, folder
from knit_tui.sessions.formats.cursor_messages import PATHS, calls, shown, texts, typed
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import parse

_READERS = ("Read", "ReadFile", "read_file")
_SHELLS = ("Shell", "Bash", "run_terminal_cmd")
_WRITTEN = re.compile(
    r"<timestamp>[^<]*?([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}),?\s(?:at\s)?(\d{1,2}):(\d\d)(?::\d\d)?"
    r"\s?([AP])M \((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)"
)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class CursorDecoder:
    """One transcript's records to events. See `knit_tui.sessions.format.Decoder`."""

    foreign = False

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self._place = place
        self._session = SessionInfo("cursor", name, cwd)
        self._count = 0

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        events: list[Event] = [self._session] if self._count == 1 else []
        role = record.get("role")
        if role == "user":
            text = "\n".join(filter(None, map(typed, texts(record))))
            if text:
                events.append(UserMessage(f"record-{self._count}", text))
        elif role == "assistant":
            events += self._answer(record)
        elif record.get("type") != "turn_ended":
            self.unknown += 1
        return events

    def _answer(self, record: Record) -> Iterator[Event]:
        for number, text in enumerate(filter(None, map(shown, texts(record)))):
            name = f"record-{self._count}"
            yield AssistantText(f"{name}#{number}" if number else name, text)
        for call in calls(record):
            yield from self._asked(call["name"], call["input"], scrub(call.get("id")))

    def _asked(self, tool: Any, given: dict[str, Any], call_id: str) -> Iterator[ReadDone]:
        cwd = self._session.cwd or None
        if tool in _READERS:
            path = next((given[name] for name in PATHS if name in given), None)
            name = self._place.name(cwd, scrub(path))
            if name is not None:
                yield ReadDone(name, False, "attempted", call_id=call_id)
        elif tool in _SHELLS:
            base = scrub(given.get("working_directory"))
            bases = [self._place.join(cwd, base) if base else None, cwd]
            line = parse(scrub(given.get("command")))
            for read in shell_reads(self._place, bases, line, None, "", call_id=call_id):
                yield replace(read, ok=False, certainty="attempted")


def written(record: Record) -> object:
    """When a prompt was written, to the minute, in ISO 8601; None when it does not say."""
    found = next(filter(None, map(_WRITTEN.search, texts(record))), None)
    if found is None or found.group(1) not in _MONTHS:
        return None
    month, day, year, hour, minute, half, sign, ahead, rest = found.groups()
    hours = int(hour) % 12 + 12 * (half == "P")
    zone = f"{sign or '+'}{int(ahead or 0):02}:{rest or '00'}"
    return f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{hours:02}:{minute}:00{zone}"


def recognises(record: Record) -> bool:
    """Whether only Cursor writes such a record: a role and a message of nothing but content."""
    message = record.get("message")
    return (
        record.get("role") in ("user", "assistant")
        and isinstance(message, dict)
        and "content" in message
        and not any(name in record for name in ("type", "id", "uuid", "timestamp", "sessionId"))
    )


FORMAT = Format("cursor", CursorLocator, CursorDecoder, recognises, folder=folder, written=written)
