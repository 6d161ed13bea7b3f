"""Goose: rows of a database, see `goose_store`.

A message is a row that is written when it is whole, its parts a JSON list in it. Results of calls are in
rows of the role ``user``. A row that is not ``userVisible`` is between the program and its model: a
summary, for one. Compacting in older versions, and going back, delete rows and write others.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from knit_tui.sessions.calls import Pending, ToolCall, shell_reads
from knit_tui.sessions.events import (
    Actor,
    AssistantText,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats.goose_store import ALONE, GooseLocator, logs_in, source
from knit_tui.sessions.formats.stores import fields, objects, parsed, table
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import parse

_EDITORS = frozenset(("write", "edit"))
_CHANGES = frozenset("write create str_replace insert edit_file diff undo_edit".split())
"""What the text editor of older versions is told to do where it changes a file."""
_BOOKKEEPING = frozenset("schema_version usage_ledger threads".split())
_STATUS = re.compile(r"(?:^|\n)Command exited with code (-?\d{1,10})\Z")
_SPACE = " \t\r\n\0"


class GooseDecoder:
    """One session's rows to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._name = name
        self._own = ""
        self._cwd = ""
        self._pending: Pending[ToolCall] = Pending()
        self._done: set[str] = set()

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        kind, row = table(record)
        if kind == "sessions":
            return self._session(row)
        if kind in _BOOKKEEPING or self.foreign:
            return []
        if kind != "messages":
            self.unknown += 1
            return []
        name = repr(row.get("id"))
        if name in self._done:
            return []
        self._done.add(name)
        own = scrub(row.get("session_id")) == self._own
        parts = objects(parsed(row.get("content_json")))
        events = self._talk(name, row, parts) if own else []
        for part in parts:
            if part.get("type") == "toolRequest":
                self._call(part, "main" if own else "subagent")
            elif part.get("type") == "toolResponse":
                events += self._result(part)
        return events

    def _session(self, row: Record) -> list[Event]:
        session, cwd = scrub(row.get("id")), scrub(row.get("working_dir"))
        if scrub(row.get("session_type")) in ALONE:
            self.foreign = self.foreign or session == self._name
            return []
        if not session or self._own not in ("", session):
            return []
        self._own = session
        if not cwd or cwd == self._cwd:
            return []
        self._cwd = cwd
        return [SessionInfo("goose", session, cwd)]

    def _talk(self, name: str, row: Record, parts: list[dict[str, Any]]) -> list[Event]:
        text = "\n".join(filter(None, map(_text, parts)))
        if not text or any(part.get("type") == "toolResponse" for part in parts):
            return []
        prompt = row.get("role") == "user"
        if fields(row.get("metadata_json")).get("userVisible") is False:
            return [Compacted()] if prompt else []
        name = scrub(row.get("message_id")) or f"record-{name}"
        return [UserMessage(name, text) if prompt else AssistantText(name, text)]

    def _call(self, part: Record, by: Actor) -> None:
        call_id, call = scrub(part.get("id")), part.get("toolCall")
        value = call.get("value") if isinstance(call, dict) else None
        given = value.get("arguments") if isinstance(value, dict) else None
        if not call_id or not isinstance(value, dict) or not isinstance(given, dict):
            return
        tool, path = scrub(value.get("name")).rpartition("__")[2], scrub(given.get("path"))
        told = scrub(given.get("command"))
        kind: Literal["read", "edit"] = "read"
        if tool == "shell":
            self._pending.add(call_id, ToolCall("shell", line=parse(told), by=by))
            return
        if tool in _EDITORS or (tool == "text_editor" and told in _CHANGES):
            kind = "edit"
        elif not (tool == "read" or (tool == "text_editor" and told == "view")):
            return
        self._pending.add(call_id, ToolCall(kind, path, by=by))

    def _result(self, part: Record) -> list[Event]:
        call_id, result = scrub(part.get("id")), part.get("toolResult")
        call = self._pending.take(call_id)
        if call is None or not isinstance(result, dict):
            return []
        value = result.get("value")
        ok = result.get("status") == "success" and not (
            isinstance(value, dict) and value.get("isError") is True
        )
        if call.kind == "shell":
            return self._shell(call, call_id, value, ok)
        name = self._place.name(self._cwd, call.path)
        if name is None:
            return []
        if call.kind == "edit":
            return [EditDone(name, ok, call.by, call_id)]
        # A folder can be read too, and nothing says that it was one.
        is_file = self._place.is_file
        if ok and is_file is not None and not is_file(name):
            return []
        return [ReadDone(name, ok, "confirmed", call.by, call_id)]

    def _shell(self, call: ToolCall, call_id: str, value: Any, ok: bool) -> list[Event]:
        told: dict[str, Any] = value if isinstance(value, dict) else {}
        content = objects(told.get("content") if told else value)
        output = "\n".join(scrub(part.get("text")) for part in content)
        more = told.get("structuredContent")
        status = more.get("exit_code") if isinstance(more, dict) else None
        if not isinstance(status, int) or isinstance(status, bool):
            said = _STATUS.search(output)
            status = int(said.group(1)) if said else None
        if status is None and ok and told.get("isError") is False:  # it is True whenever a command fails
            status = 0
        stopped = status is None and not ok
        reads = shell_reads(
            self._place, [self._cwd], call.line, -1 if stopped else status, output, call.by, call_id
        )
        if stopped:
            return [ReadDone(read.path, False, "attempted", call.by, call_id) for read in reads]
        return list(reads)


def _text(part: dict[str, Any]) -> str:
    """The text of a part, unless it is for the model alone."""
    told = part.get("annotations")
    audience = told.get("audience") if isinstance(told, dict) else None
    if part.get("type") != "text" or (isinstance(audience, list) and audience and "user" not in audience):
        return ""
    return scrub(part.get("text")).strip(_SPACE)


def recognises(record: Record) -> bool:
    """Whether only Goose writes such a record."""
    kind, row = table(record)
    if kind == "sessions":
        return "working_dir" in row
    return kind == "messages" and "content_json" in row


def written(record: Record) -> object:
    return table(record)[1].get("created_timestamp")


FORMAT = Format(
    "goose",
    GooseLocator,
    GooseDecoder,
    recognises,
    source=source,
    within=logs_in,
    written=written,
    variables=("AGENT_SESSION_ID",),
)
