"""Copilot CLI: one JSONL file a session, its events a chain in the order they happened.

A call is told when it starts and when it ends, parallel ones end in any order. Sub-agents write into
the same file, under an ``agentId``. A person who goes back shortens the file, so what was there is
read anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from knit_tui.sessions.calls import Pending, shell_reads
from knit_tui.sessions.events import (
    Actor,
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
from knit_tui.sessions.formats.codex_tools import patched
from knit_tui.sessions.formats.copilot_folders import CopilotLocator, folder
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import ShellLine, parse

_FAMILIES = frozenset(
    "abort assistant command external_tool hook model permission session skill subagent system tool"
    " tool_search user user_input".split()
)
"""What stands before the ``.`` in the type of an event."""
_EDITORS = frozenset(("edit", "create", "str_replace", "insert"))
_EDITOR = "str_replace_editor"
_SPACE = " \t\r\n\0"
_EXIT = re.compile(r"<[^<>\n]*\bexit code (-?\d{1,9})>\s*\Z")
_MADE = "\ncreate file mode "
"""In the difference that a look shows: of a folder, which has no content, this one is made up."""


@dataclass(frozen=True, slots=True)
class _Call:
    kind: Literal["read", "edit", "shell"]
    paths: tuple[str, ...]
    line: ShellLine
    by: Actor


class CopilotDecoder:
    """One session's events to ours. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._beside = cwd
        self._session_id = ""
        self._version = ""
        self._cwd = ""
        self._told = ""
        """The id of the message told last."""
        self._prompts = 0
        self._before: dict[str, tuple[str, int]] = {}
        """For each event, the last message told before it, and how many prompts."""
        self._pending: Pending[_Call] = Pending()

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        kind, data = record.get("type"), record.get("data")
        if not isinstance(kind, str) or not isinstance(data, dict):
            self.unknown += 1
            return []
        family, _, rest = kind.partition(".")
        if family not in _FAMILIES:
            self.unknown += 1
        name = scrub(record.get("id"))
        if self.foreign or (name and name in self._before):
            return []
        if name:
            self._before[name] = (self._told, self._prompts)
        if family == "session":
            return self._session(rest, data)
        sub = bool(record.get("agentId") or data.get("parentToolCallId"))
        if kind == "user.message":
            return [] if sub else self._user(name, data)
        if kind == "assistant.message":
            return self._assistant(name, data, "subagent" if sub else "main")
        if kind == "tool.execution_start":
            self._call(data.get("toolName"), data, "subagent" if sub else "main")
        elif kind == "tool.execution_complete":
            return self._done(data)
        return []

    # The session.

    def _session(self, kind: str, data: Record) -> list[Event]:
        context = data.get("context")
        cwd = scrub(context.get("cwd")) if isinstance(context, dict) else ""
        if kind == "start":
            if data.get("detachedFromSpawningParentSessionId"):
                self.foreign = True
                return []
            self._session_id = scrub(data.get("sessionId")) or self._stem
            self._version = scrub(data.get("copilotVersion"))
            self._cwd = cwd or self._beside
            return [SessionInfo("copilot", self._session_id, self._cwd, self._version)]
        if kind == "resume":
            return self._move(cwd)
        if kind == "context_changed":
            return self._move(scrub(data.get("cwd")))
        if kind == "compaction_complete" and data.get("success") is not False:
            return [Compacted()]
        if kind == "context_cleared":
            return self._back("", 0)
        if kind == "snapshot_rewind":
            return self._back(*self._before.get(scrub(data.get("upToEventId")), (self._told, 0)))
        return []

    def _move(self, cwd: str) -> list[Event]:
        if not cwd or cwd == self._cwd:
            return []
        self._cwd = cwd
        return [SessionInfo("copilot", self._session_id or self._stem, cwd, self._version)]

    def _back(self, last: str, prompts: int) -> list[Event]:
        """Drop the messages after ``last``, all of them when it is empty."""
        if last == self._told:
            return []
        back = Rewind(keep_until_id=last) if last else Rewind(turns=self._prompts)
        self._told, self._prompts = last, prompts
        return [back] if back != Rewind() else []

    # Messages.

    def _user(self, name: str, data: Record) -> list[Event]:
        text = scrub(data.get("content")).strip(_SPACE)
        # What was typed has no source; what the program says in the person's name has one.
        typed = data.get("source") in (None, "", "user") and data.get("isAutopilotContinuation") is not True
        if not typed or not text or text.startswith("<skill-context"):
            return []
        self._told, self._prompts = name, self._prompts + 1
        events: list[Event] = [UserMessage(name, text)]
        attached = data.get("attachments")
        for item in attached if isinstance(attached, list) else []:
            if isinstance(item, dict) and item.get("type") in ("file", "selection"):
                path = self._place.name(self._cwd, scrub(item.get("path") or item.get("filePath")))
                if path is not None:
                    events.append(ReadDone(path, True, "mention"))
        return events

    def _assistant(self, name: str, data: Record, by: Actor) -> list[Event]:
        asked = data.get("toolRequests")
        for request in asked if isinstance(asked, list) else []:
            if isinstance(request, dict):
                self._call(request.get("name"), request, by)
        text = scrub(data.get("content")).strip(_SPACE)
        if by != "main" or not text:
            return []
        self._told = name
        return [AssistantText(name, text)]

    # Calls.

    def _call(self, tool: Any, data: Record, by: Actor) -> None:
        call_id, given = data.get("toolCallId"), _arguments(data.get("arguments"))
        if not isinstance(tool, str) or not isinstance(call_id, str):
            return
        if tool == _EDITOR:
            tool = "view" if given.get("command") == "view" else "edit"
        paths: tuple[str, ...] = (scrub(given.get("path")),)
        line = ShellLine()
        kind: Literal["read", "edit", "shell"] = "read"
        if tool == "apply_patch":
            text = data.get("arguments") if not given else given.get("input") or given.get("patch")
            kind, paths = "edit", tuple(patched(scrub(text)))
        elif tool in _EDITORS:
            kind = "edit"
        elif tool == "bash":
            shown = given.get("mode") != "async" and given.get("detach") is not True
            kind, paths = "shell", ()
            line = parse(scrub(given.get("command"))) if shown else line
        elif tool != "view":
            return
        self._pending.add(call_id, _Call(kind, paths, line, by))

    def _done(self, data: Record) -> list[Event]:
        call_id = scrub(data.get("toolCallId"))
        call = self._pending.take(call_id)
        if call is None or data.get("isUserRequested") is True:
            return []
        ok = data.get("success") is True
        result = data["result"] if isinstance(data.get("result"), dict) else {}
        edited = data.get("fileEdits")
        edits = edited if isinstance(edited, list) else []
        changed = [scrub(edit.get("path")) for edit in edits if isinstance(edit, dict)]
        if call.kind == "edit":
            changed = changed or list(call.paths)
        named = dict.fromkeys(self._place.name(self._cwd, path) for path in changed)
        events: list[Event] = [EditDone(path, ok, call.by, call_id) for path in named if path is not None]
        if call.kind == "shell":
            return [*self._shell(call, call_id, ok, data, scrub(result.get("content"))), *events]
        path = self._place.name(self._cwd, call.paths[0]) if call.kind == "read" else None
        if path is not None and not _folder(scrub(result.get("detailedContent"))):
            events.append(ReadDone(path, ok, "confirmed", call.by, call_id))
        return events

    def _shell(self, call: _Call, call_id: str, ok: bool, data: Record, output: str) -> list[Event]:
        ran = data.get("shellExecution")
        status = ran.get("exitCode") if isinstance(ran, dict) else None
        if not isinstance(status, int):
            told = _EXIT.search(output[-200:])
            status = int(told.group(1)) if told else None
        if not ok and status is None:  # not allowed, or it could not be started
            return []
        return list(shell_reads(self._place, [self._cwd], call.line, status, output, call.by, call_id))


def _folder(shown: str) -> bool:
    return _MADE in shown.partition("\n@@")[0]


def _arguments(given: Any) -> Record:
    """A call's arguments: an object, in older logs a text of JSON."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, dict) else {}


def recognises(record: Record) -> bool:
    """Whether only Copilot CLI writes such a record."""
    kind = record.get("type")
    return (
        isinstance(kind, str)
        and kind.partition(".")[0] in _FAMILIES
        and isinstance(record.get("data"), dict)
        and isinstance(record.get("id"), str)
        and isinstance(record.get("timestamp"), str)
        and "parentId" in record
        and "uuid" not in record
    )


FORMAT = Format(
    "copilot",
    CopilotLocator,
    CopilotDecoder,
    recognises,
    folder=folder,
    variables=("COPILOT_AGENT_SESSION_ID",),
)
