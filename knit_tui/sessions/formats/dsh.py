"""DSH: one log a session, a header and then numbered events, plain or in Zstandard frames.

Formats 0 to 4 are read alike: a tool's result is a block in a user message (0 to 3) or a message of
its own (4), of the oldest the message is the event's data itself. ``seq`` rises by one an event, so
an event with a number that has passed came before. A fork begins with the events it was made from:
they are its conversation too. Sub-agents have logs of their own.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from knit_tui.sessions.calls import Pending, ToolCall, shell_reads
from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format, Source
from knit_tui.sessions.formats.dsh_folders import DshLocator
from knit_tui.sessions.frames import MAGIC, FrameTail
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import ShellLine, parse
from knit_tui.sessions.sources import ByteTail, open_regular

_TOOLS: dict[str, Literal["read", "edit", "shell"]] = {
    "read": "read",
    "read_image": "read",
    "edit": "edit",
    "write": "edit",
    "bash": "shell",
}
_EDITOR = "str_replace_editor"
_CHUNKS = frozenset(("text-chunks", "reasoning-chunks", "tool-call-chunks"))
_FAMILIES = frozenset(
    "agent agent-preset approval assistant command compact compaction developer feedback fs goal hook llm"
    " mode permission plan request sandbox schedule session session-log-deepseek skill step steering"
    " subagent system team todo tool tool-workflow turn user web".split()
)
"""What stands before the ``/`` in the type of an event."""
_SPACE = " \t\r\n\0"
_EXIT = re.compile(r"\[exit code: (-?\d{1,9})\]\s*\Z")
_CUT_SHORT = re.compile(r"\[(?:timed out after|(?:shell )?killed by signal|shell exited)\b[^\]\n]*\]")
_TIMED_OUT = "Your command timed out"
_BACKGROUND = "started background job "
_LISTING = "Here're the files and directories"
_NOT_RUN = ("TOOL_NOT_STARTED", "TOOL_OUTCOME_UNKNOWN")
"""Errors of results that a harness makes up for calls that a crash left without one."""


class DshDecoder:
    """One session's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._begun = False
        self._cwd = ""
        self._seq = -1
        self._pending: Pending[ToolCall] = Pending()

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        kind, data = record.get("type"), record.get("data")
        if kind == "session":
            return self._session(record)
        if not isinstance(kind, str) or not isinstance(data, dict):
            self.unknown += 1
            return []
        if kind in _CHUNKS or self.foreign:
            return []
        if kind.partition("/")[0] not in _FAMILIES:
            self.unknown += 1
        seq = record.get("seq")
        if isinstance(seq, int):
            if seq <= self._seq:
                return []
            self._seq = seq
        if kind in ("user/message", "steering/message"):
            return self._user(record, data)
        if kind == "assistant/message":
            return self._assistant(record, data)
        if kind == "tool/call":
            self._call(data.get("callId"), data.get("name"), _arguments(data.get("arguments")))
        elif kind == "tool/result":
            return self._result(data)
        elif kind in ("tool/code-dispatch", "tool/ptc-dispatch"):
            return self._dispatched(data)
        return []

    def _session(self, record: Record) -> list[Event]:
        if self._begun:
            return []
        self._begun = True
        depth = record.get("delegationDepth")
        if record.get("origin") == "subagent" or (isinstance(depth, int) and depth > 0):
            self.foreign = True
            return []
        self._cwd = scrub(record.get("cwd"))
        return [SessionInfo("dsh", scrub(record.get("id")) or self._stem, self._cwd)]

    # Messages.

    def _user(self, record: Record, data: Record) -> list[Event]:
        message = data["message"] if isinstance(data.get("message"), dict) else data
        source = message.get("source")
        human = isinstance(source, dict) and source.get("kind") == "user"
        replaced = _replaced(record)
        if replaced:
            return [Compacted()] if not human and replaced > 1 else []
        text = _text(message.get("content")).strip(_SPACE)
        return [UserMessage(_id(record, message), text)] if human and text else []

    def _assistant(self, record: Record, data: Record) -> list[Event]:
        message = data["message"] if isinstance(data.get("message"), dict) else data
        text = _text(message.get("content")).strip(_SPACE)
        return [AssistantText(_id(record, message), text)] if text and not _replaced(record) else []

    # Calls.

    def _call(self, call_id: Any, tool: Any, given: Record) -> None:
        if not isinstance(tool, str) or not isinstance(call_id, str):
            return
        kind = _TOOLS.get(tool)
        if tool == _EDITOR:
            kind = "read" if given.get("command") == "view" else "edit"
        if kind is None:
            return
        path = scrub(given.get("file_path") or given.get("path") or given.get("filePath"))
        line = parse(scrub(given.get("command"))) if kind == "shell" else ShellLine()
        self._pending.add(call_id, ToolCall(kind, path, line, scrub(given.get("workdir"))))

    def _result(self, data: Record) -> list[Event]:
        message = data["message"] if isinstance(data.get("message"), dict) else data
        content = message.get("content")
        inner = content[0] if isinstance(content, list) and content and isinstance(content[0], dict) else {}
        inner = inner if inner.get("type") == "tool-result" else {}
        source = message.get("source")
        call_id = message.get("toolCallId") or inner.get("toolCallId") or message.get("callId")
        if call_id is None and isinstance(source, dict):
            call_id = source.get("callId")
        error = data.get("error")
        if isinstance(error, dict) and error.get("code") in _NOT_RUN:
            self._pending.take(call_id)
            return []
        ok = message.get("isError") is not True and inner.get("isError") is not True and not error
        return self._done(scrub(call_id), ok, _text(inner.get("content", content)))

    def _dispatched(self, data: Record) -> list[Event]:
        """A tool that a program of the agent's ran, told with its outcome."""
        call_id = scrub(data.get("subCallId"))
        self._call(call_id, data.get("name"), _arguments(data.get("arguments")))
        return self._done(call_id, data.get("isError") is not True, _text(data.get("content")))

    def _done(self, call_id: str, ok: bool, said: str) -> list[Event]:
        call = self._pending.take(call_id)
        if call is None:
            return []
        if call.kind == "shell":
            return self._shell(call, call_id, ok, said)
        path = self._place.name(self._cwd, call.path)
        if path is None:
            return []
        if call.kind == "edit":
            return [EditDone(path, ok, "main", call_id)]
        if said.startswith(_LISTING):
            return []
        return [ReadDone(path, ok, "confirmed", "main", call_id)]

    def _shell(self, call: ToolCall, call_id: str, ok: bool, said: str) -> list[Event]:
        if not ok or said.startswith(_BACKGROUND):  # it was not run, or its output did not come back
            return []
        told = _EXIT.search(said[-200:])
        cut_short = said.startswith(_TIMED_OUT) or _CUT_SHORT.search(said[-400:])
        status = int(told.group(1)) if told else None if cut_short else 0
        base = self._place.join(self._cwd, call.folder) if call.folder else self._cwd
        return list(shell_reads(self._place, [base], call.line, status, said, "main", call_id))


def _id(record: Record, message: Record) -> str:
    return scrub(message.get("id")) or f"record-{scrub(str(record.get('seq')))}"


def _replaced(record: Record) -> int:
    """How many messages this one stands for since; 0 for one that is added, 1 for one at least."""
    operation = record.get("surfaceOp")
    if not isinstance(operation, dict):
        return 0
    start = operation.get("startSeq", operation.get("start"))
    end = operation.get("endSeq", operation.get("end"))
    return abs(end - start) + 1 if isinstance(start, int) and isinstance(end, int) else 1


def _text(content: Any) -> str:
    if isinstance(content, str):
        return scrub(content)
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        scrub(b.get("text"))
        for b in blocks
        if isinstance(b, dict) and b.get("type") == "text" and b.get("text")
    )


def _arguments(given: Any) -> Record:
    """A call's arguments, which are written as a text of JSON."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, dict) else {}


def recognises(record: Record) -> bool:
    """Whether only DSH writes such a record."""
    kind = record.get("type")
    if kind == "session":
        return "createdAt" in record and "delegationDepth" in record
    if not isinstance(kind, str) or not isinstance(record.get("data"), dict):
        return False
    family, slash, _ = kind.partition("/")
    return bool(slash) and family in _FAMILIES and isinstance(record.get("seq"), int)


def source(address: Address, window: int) -> Source:
    """The log's frames, or its lines: as the file's name says, else as it begins."""
    if address.path.endswith(".zstd") or _begins(address.path) == MAGIC:
        return FrameTail(address.path, window)
    return ByteTail(address.path, window)


def _begins(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(len(MAGIC))
    except OSError:
        return b""


FORMAT = Format("dsh", DshLocator, DshDecoder, recognises, source, written=lambda r: r.get("time"))
