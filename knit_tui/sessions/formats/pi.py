"""pi: one JSONL file a session, its entries a tree by ``parentId``.

Whatever is appended becomes the child of the entry where the person stands, bookkeeping too, so an
entry whose way from the root has another last message than the one told last is where a person went
back. The first files had neither ids nor parents: there the order of the file is the way. The fork
``omp`` writes the same, with some kinds of entries and messages more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from knit_tui.sessions.calls import Pending, ToolCall, shell_reads
from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats.pi_folders import PiLocator
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import ShellLine, parse

_ENTRIES = frozenset(
    "message model_change thinking_level_change compaction branch_summary custom custom_message label"
    " session_info mode_change model_usage service_tier_change session_init ttsr_injection title_change"
    " credential_pin archive reset_boundary mcp_tool_selection".split()
)
_ROLES = frozenset(
    "user assistant toolResult bashExecution custom hookMessage branchSummary compactionSummary developer"
    " fileMention pythonExecution".split()
)
_TOOLS: dict[str, Literal["read", "edit", "shell"]] = {
    "read": "read",
    "edit": "edit",
    "write": "edit",
    "bash": "shell",
}
_SPACE = " \t\r\n\0"
_EXIT = re.compile(r"Command exited with code (\d{1,9})\s*\Z")
_ABORTED = "Command aborted"


@dataclass(frozen=True, slots=True)
class _Way:
    """What was told on the way from the root to an entry."""

    last: str = ""
    """The id of the last message; ``""`` when there was none."""
    prompts: int = 0


class PiDecoder:
    """One session file's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._cwd = ""
        self._ways: dict[str, _Way | None] = {}
        """For each entry the way to it, None when that is not known."""
        self._here = _Way()
        """The way to the message told last."""
        self._pending: Pending[ToolCall] = Pending()
        self._count = 0

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        kind = record.get("type")
        if kind == "session":
            return self._session(record)
        if kind == "title":
            return []
        if not (isinstance(kind, str) and kind in _ENTRIES):
            self.unknown += 1
        if kind == "session_init":  # what a sub-agent was given
            self.foreign = True
        if self.foreign:
            return []
        name = scrub(record.get("id"))
        if name:
            if name in self._ways:
                return []
            parent = scrub(record.get("parentId"))
            self._ways[name] = self._ways.get(parent) if parent else _Way()
        if kind == "message":
            return self._message(record, name)
        return [Compacted()] if kind == "compaction" else []

    def _session(self, record: Record) -> list[Event]:
        cwd = scrub(record.get("cwd"))
        if self._cwd or not cwd:
            return []
        self._cwd = cwd
        return [SessionInfo("pi", scrub(record.get("id")) or self._stem, cwd)]

    # Messages.

    def _message(self, record: Record, name: str) -> list[Event]:
        message = record.get("message")
        if not isinstance(message, dict):
            return []
        role, content = message.get("role"), message.get("content")
        if role == "user":
            text, files = _typed("\n".join(_texts(content)))
            events = [ReadDone(path, True, "mention") for path in map(self._name, files) if path is not None]
            return [*self._told(name, text, UserMessage), *events]
        if role == "assistant":
            for block in content if isinstance(content, list) else []:
                self._call(block)
            return self._told(name, "\n".join(_texts(content)).strip(_SPACE), AssistantText)
        if role == "toolResult":
            return self._result(message)
        if role == "fileMention":
            given = message.get("files")
            named = [f.get("path") for f in given if isinstance(f, dict)] if isinstance(given, list) else []
            return [ReadDone(p, True, "mention") for p in map(self._name, map(scrub, named)) if p is not None]
        return []

    def _told(self, name: str, text: str, shape: type[UserMessage] | type[AssistantText]) -> list[Event]:
        """The message with this text, and before it that the person went back, when they did."""
        if not text:
            return []
        way = self._ways.get(name) if name else self._here
        events: list[Event] = []
        if way is not None and way.last != self._here.last:
            back = Rewind(keep_until_id=way.last) if way.last else Rewind(turns=self._here.prompts)
            events = [back] if back != Rewind() else []
        way = way or self._here
        told = name or f"record-{self._count}"
        self._here = _Way(told, way.prompts + (shape is UserMessage))
        if name:
            self._ways[name] = self._here
        return [*events, shape(told, text)]

    # Calls.

    def _call(self, block: Any) -> None:
        if not isinstance(block, dict) or block.get("type") != "toolCall":
            return
        call_id, tool, given = block.get("id"), block.get("name"), block.get("arguments")
        kind = _TOOLS.get(tool) if isinstance(tool, str) else None
        if kind is None or not isinstance(call_id, str) or not isinstance(given, dict):
            return
        path = scrub(given.get("path") or given.get("file_path")).removeprefix("@")
        line = parse(scrub(given.get("command"))) if kind == "shell" else ShellLine()
        self._pending.add(call_id, ToolCall(kind, path, line))

    def _result(self, message: Record) -> list[Event]:
        call_id = scrub(message.get("toolCallId"))
        call = self._pending.take(call_id)
        if call is None:
            return []
        ok = message.get("isError") is not True
        if call.kind == "shell":
            return self._shell(call, call_id, ok, "\n".join(_texts(message.get("content"))))
        path = self._name(call.path)
        if path is None:
            return []
        if call.kind == "edit":
            return [EditDone(path, ok, "main", call_id)]
        return [ReadDone(path, ok, "confirmed", "main", call_id)]

    def _shell(self, call: ToolCall, call_id: str, ok: bool, output: str) -> list[Event]:
        told = _EXIT.search(output[-200:])
        if not ok and told is None and output.rstrip().endswith(_ABORTED):
            return []
        status = 0 if ok else int(told.group(1)) if told else None
        return list(shell_reads(self._place, [self._cwd], call.line, status, output, "main", call_id))

    def _name(self, path: str) -> str | None:
        return self._place.name(self._cwd, path)


def _texts(content: Any) -> list[str]:
    """The texts of a message's content, which is one string or a list of blocks."""
    if isinstance(content, str):
        return [scrub(content)]
    blocks = content if isinstance(content, list) else []
    return [scrub(b.get("text")) for b in blocks if isinstance(b, dict) and b.get("type") == "text"]


def _typed(text: str) -> tuple[str, list[str]]:
    """What a person wrote of a user message, and the files that were put before it."""
    files: list[str] = []
    while text.startswith('<file name="'):
        name, _, rest = text[len('<file name="') :].partition('">')
        text = rest.partition("</file>\n")[2]
        files.append(name)
    if text.startswith('<skill name="'):
        text = text.partition("\n</skill>")[2]
    return text.strip(_SPACE), files


def recognises(record: Record) -> bool:
    """Whether only pi writes such a record."""
    kind = record.get("type")
    if not isinstance(kind, str) or not isinstance(record.get("timestamp"), str):
        return False
    if kind == "session":
        return isinstance(record.get("id"), str) and isinstance(record.get("cwd"), str)
    message = record.get("message")
    if kind == "message" and isinstance(message, dict):
        return isinstance(role := message.get("role"), str) and role in _ROLES
    return kind in _ENTRIES and "parentId" in record


FORMAT = Format("pi", PiLocator, PiDecoder, recognises)
