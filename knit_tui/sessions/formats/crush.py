"""Crush: a database of its own for every project, see `crush_store`.

A message is a row, its parts a JSON list in it. The row of an answer changes while the answer comes, up
to its ``finish`` part; the result of each call is a row of its own, written before that. Times are in
seconds. Nothing tells the folder a session runs in but the place of the database.
"""

from __future__ import annotations

import re
from typing import Any

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
from knit_tui.sessions.formats.crush_store import CrushLocator, folder, logs_in, source
from knit_tui.sessions.formats.stores import fields, objects, parsed, table
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import parse

_EDITORS = frozenset("edit write multiedit download lsp_replace_symbol".split())
_PARTS = frozenset("text reasoning image_url binary tool_call tool_result finish shell_command".split())
_BOOKKEEPING = frozenset(("files", "read_files"))
_PASTED = re.compile(r"paste_\d+\.\w+")
_STATUS = re.compile(r"(?:^|\n)Exit code (\d{1,3})\Z")
_STOPPED = "Command was aborted before completion"
_CWD = "\n\n<cwd>"
_SPACE = " \t\r\n\0"


class CrushDecoder:
    """One session's rows to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._name = name
        self._cwd = cwd
        self._own = ""
        self._pending: Pending[ToolCall] = Pending()
        self._calls: set[str] = set()
        self._done: set[str] = set()
        """Messages whose text was told, or never will be."""

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
        own = scrub(row.get("session_id")) == self._own
        name, parts = scrub(row.get("id")), objects(parsed(row.get("parts")))
        events: list[Event] = []
        if own and name not in self._done:
            if row.get("role") == "user":
                events += self._prompt(name, parts)
            elif row.get("role") == "assistant":
                events += self._answer(name, parts, bool(row.get("is_summary_message")))
        for part in parts:
            sort, data = part.get("type"), part.get("data")
            if not isinstance(sort, str) or sort not in _PARTS:
                self.unknown += 1
            elif sort == "tool_call" and isinstance(data, dict):
                self._call(data, "main" if own else "subagent")
            elif sort == "tool_result" and isinstance(data, dict):
                events += self._result(data)
        return events

    def _session(self, row: Record) -> list[Event]:
        session = scrub(row.get("id"))
        if row.get("parent_session_id"):
            self.foreign = self.foreign or session == self._name
            return []
        if not session or self._own:
            return []
        self._own = session
        return [SessionInfo("crush", session, self._cwd)] if self._cwd else []

    def _prompt(self, name: str, parts: list[dict[str, Any]]) -> list[Event]:
        self._done.add(name)
        text = "\n".join(filter(None, _texts(parts)))
        events: list[Event] = [UserMessage(name, text)] if text else []
        for part in parts:
            data = part.get("data")
            if part.get("type") == "binary" and isinstance(data, dict):
                events += self._mention(scrub(data.get("Path")))
        return events

    def _mention(self, path: str) -> list[Event]:
        """A file that was attached; what was pasted, and skills, have only names."""
        name = None if _PASTED.fullmatch(path) else self._place.name(self._cwd, path)
        bare = "/" not in path and "\\" not in path
        if name is None or (bare and self._place.is_file is not None and not self._place.is_file(name)):
            return []
        return [ReadDone(name, True, "mention")]

    def _answer(self, name: str, parts: list[dict[str, Any]], summary: bool) -> list[Event]:
        if not any(part.get("type") == "finish" for part in parts):
            return []
        self._done.add(name)
        if summary:
            return [Compacted()]
        text = "\n".join(filter(None, _texts(parts)))
        return [AssistantText(name, text)] if text else []

    def _call(self, data: Record, by: Actor) -> None:
        call_id, tool, given = scrub(data.get("id")), scrub(data.get("name")), fields(data.get("input"))
        if data.get("finished") is not True or not call_id or call_id in self._calls:
            return
        self._calls.add(call_id)
        path = scrub(given.get("file_path"))
        if tool == "view":
            self._pending.add(call_id, ToolCall("read", path, by=by))
        elif tool in _EDITORS:
            self._pending.add(call_id, ToolCall("edit", path, by=by))
        elif tool == "bash":
            line = parse(scrub(given.get("command")))
            where = scrub(given.get("working_dir"))
            self._pending.add(call_id, ToolCall("shell", line=line, folder=where, by=by))

    def _result(self, data: Record) -> list[Event]:
        call_id = scrub(data.get("tool_call_id"))
        call = self._pending.take(call_id)
        if call is None:
            return []
        ok = data.get("is_error") is not True
        if call.kind == "shell":
            return self._shell(call, call_id, data, ok)
        name = self._place.name(self._cwd, call.path)
        if name is None:
            return []
        if call.kind == "edit":
            return [EditDone(name, ok, call.by, call_id)]
        return [ReadDone(name, ok, "confirmed", call.by, call_id)]

    def _shell(self, call: ToolCall, call_id: str, data: Record, ok: bool) -> list[Event]:
        told, said = fields(data.get("metadata")), scrub(data.get("content"))
        if told.get("shell_id"):  # it went on in the background
            return []
        output = said.rpartition(_CWD)[0] or said
        status = _STATUS.search(output)
        stopped = not ok or output.endswith(_STOPPED)
        code = int(status.group(1)) if status else 0
        base = self._place.join(self._cwd, call.folder) if call.folder else self._cwd
        reads = shell_reads(self._place, [base], call.line, -1 if stopped else code, output, call.by, call_id)
        if stopped:
            return [ReadDone(read.path, False, "attempted", call.by, call_id) for read in reads]
        return list(reads)


def _texts(parts: list[dict[str, Any]]) -> list[str]:
    found = (part.get("data") for part in parts if part.get("type") == "text")
    return [scrub(data.get("text")).strip(_SPACE) for data in found if isinstance(data, dict)]


def recognises(record: Record) -> bool:
    """Whether only Crush writes such a record."""
    kind, row = table(record)
    if kind == "sessions":
        return "message_count" in row and "parent_session_id" in row
    return (kind == "messages" and "parts" in row) or (kind == "read_files" and "read_at" in row)


def written(record: Record) -> object:
    return table(record)[1].get("created_at")


FORMAT = Format(
    "crush",
    CrushLocator,
    CrushDecoder,
    recognises,
    source=source,
    within=logs_in,
    folder=folder,
    written=written,
)
