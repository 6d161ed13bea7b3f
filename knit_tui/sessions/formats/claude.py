"""Claude Code: one JSONL file a session, its records linked by ``parentUuid``.

The decoder reads records in file order and each ``uuid`` once: after a compaction or a resume old
records are appended again, with old times. A person who goes back leaves both branches in the file:
the next prompt's parent is then an older message than the last one told. One answer of the model is
spread over several records, parallel calls end in any order, so a result belongs to the call whose
``tool_use_id`` it has, and to nothing else.
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
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats.claude_folders import ClaudeLocator, companions, live
from knit_tui.sessions.formats.claude_prompts import INTERRUPTED, SUMMARY, blocks, texts, written
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import join, parse

_READERS = {"Read": "file_path", "NotebookRead": "notebook_path"}
_EDITORS = {
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}
_BOOKKEEPING = frozenset(
    "agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-shape"
    " atis-latch cost-state custom-title file-history-delta file-history-snapshot last-prompt mode"
    " permission-mode pr-link progress queue-operation summary system tag tools-used".split()
)
_MENTIONS = ("file", "already_read_file")
_RESET = "Shell cwd was reset to"
_COMMAND = re.compile(
    r"\s*(?:<command-message>[^<]*</command-message>\s*)?<command-name>\s*/?([^<\s]*)\s*</command-name>"
)
_CLEARING = frozenset(("clear", "reset", "new"))
_LOCAL = _CLEARING | frozenset(
    "add-dir agents branch cd color compact config continue copy cost diff effort exit export fast"
    " feedback fork goto help hooks ide keybindings login logout mcp memory mode model output-style"
    " permissions plugin privacy-settings rename resume rewind sandbox statusline tag theme vim".split()
)
"""Commands of the program itself: what is typed after them (a name, a model) is no prompt."""


class ClaudeDecoder:
    """One session file's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._own = False
        """Records with this file's own session id have come: those of others do not belong here."""
        self._session_id = ""
        self._cwd = ""
        self._shell_cwd: str | None = None
        self._anchors: dict[str, str | None] = {}
        """For each record, the last message told on the way to it, None when that is not known."""
        self._tip: str | None = None
        self._pending: Pending[ToolCall] = Pending()
        self._queued: list[str] = []
        self._prompted = False
        self._compacting = False
        self._count = 0

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        session_id = scrub(record.get("sessionId"))
        if session_id and session_id == self._stem:
            self._own = True
        elif session_id and self._own:
            return []
        uuid = scrub(record.get("uuid"))
        if uuid:
            if uuid in self._anchors:
                return []
            parent = scrub(record.get("parentUuid"))
            self._anchors[uuid] = self._anchors.get(parent) if parent else None
        events = self._session(record, session_id)
        kind = record.get("type")
        if kind == "user":
            events += self._user(record, uuid)
        elif kind == "assistant":
            events += self._assistant(record, uuid)
        elif kind == "attachment":
            events += self._attachment(record)
        elif kind == "system" and record.get("subtype") == "compact_boundary":
            if uuid:
                self._anchors[uuid] = self._tip
            if record.get("isSidechain") is not True:  # what a subagent forgets the agent still has
                self._compacting = True
                events.append(Compacted())
        elif kind == "last-prompt":
            events += self._last_prompt(record)
        elif not (isinstance(kind, str) and kind in _BOOKKEEPING):
            self.unknown += 1
        return events

    def _session(self, record: Record, session_id: str) -> list[Event]:
        cwd = scrub(record.get("cwd"))
        if self._cwd or not cwd:
            return []
        self._cwd = self._shell_cwd = cwd
        self._session_id = session_id or self._stem
        return [SessionInfo("claude", self._session_id, cwd, scrub(record.get("version")))]

    # Prompts.

    def _user(self, record: Record, uuid: str) -> list[Event]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        results = blocks(content, "tool_result")
        if results:
            events: list[Event] = []
            for block in results:
                events += self._result(record, block, alone=len(results) == 1)
            return events
        if any(record.get(flag) is True for flag in ("isMeta", "isSidechain", "isCompactSummary")):
            return []
        if record.get("isVisibleInTranscriptOnly") is True or record.get("toolUseResult") is not None:
            return []
        origin = record.get("origin")
        if isinstance(origin, dict) and origin.get("kind") == "task-notification":
            return []
        source = record.get("promptSource")
        if source == "system":
            return []
        if any(text.lstrip().startswith(INTERRUPTED) for text in texts(content)):
            self._pending.clear()
        text = "" if _command(content) in _LOCAL else written(content)
        if not text:
            return []
        if source != "queued":
            self._pending.clear()
            self._shell_cwd = scrub(record.get("cwd")) or self._shell_cwd
        self._compacting = False
        queued, self._queued = self._queued, []
        if text in queued:
            return []
        return self._prompt(uuid, text)

    def _prompt(self, uuid: str, text: str) -> list[Event]:
        self._prompted = True
        name = uuid or f"record-{self._count}"
        events: list[Event] = []
        anchor = self._anchors.get(uuid)
        if anchor is not None and anchor != self._tip:
            events.append(Rewind(keep_until_id=anchor))
        events.append(UserMessage(name, text))
        if uuid:
            self._anchors[uuid] = self._tip = uuid
        return events

    def _last_prompt(self, record: Record) -> list[Event]:
        """The newest prompt, told again: worth something only where its own record was not seen."""
        if self._prompted:
            return []
        text = written(record.get("lastPrompt"))
        if not text or text.startswith(("/", "! ")):
            return []
        self._prompted = True
        return [UserMessage(f"record-{self._count}", text)]

    def _attachment(self, record: Record) -> list[Event]:
        attachment = record.get("attachment")
        if not isinstance(attachment, dict) or record.get("isSidechain") is True:
            return []
        kind = attachment.get("type")
        if kind == "queued_command":
            return self._queue(record, attachment)
        if kind == "environment":
            snapshot = attachment.get("snapshot")
            if isinstance(snapshot, dict):
                self._shell_cwd = scrub(snapshot.get("workingDirectory")) or self._shell_cwd
        elif kind in _MENTIONS and not self._compacting:
            name = self._place.name(self._cwd, scrub(attachment.get("filename")))
            if name is not None:
                return [ReadDone(name, True, "mention")]
        return []

    def _queue(self, record: Record, attachment: dict[str, Any]) -> list[Event]:
        """A prompt that was typed while a call ran; often there is no other record of it."""
        origin = attachment.get("origin")
        human = not isinstance(origin, dict) or origin.get("kind") in (None, "human")
        if attachment.get("commandMode") not in (None, "prompt") or not human:
            return []
        text = written(attachment.get("prompt"))
        if not text:
            return []
        self._prompted = True
        self._queued.append(text)
        return [UserMessage(scrub(record.get("uuid")) or f"record-{self._count}", text)]

    # Answers and calls.

    def _assistant(self, record: Record, uuid: str) -> list[Event]:
        message = record.get("message")
        if not isinstance(message, dict):
            return []
        content = message.get("content")
        by: Actor = "subagent" if record.get("isSidechain") is True else "main"
        events: list[Event] = []
        if by == "main" and message.get("model") != "<synthetic>":
            name = uuid or f"record-{self._count}"
            for number, text in enumerate(t.strip(" \t\r\n\0") for t in texts(content)):
                if text and not text.startswith(SUMMARY):
                    events.append(AssistantText(f"{name}#{number}" if number else name, text))
            if events and uuid:
                self._anchors[uuid] = self._tip = (
                    events[-1].id if isinstance(events[-1], AssistantText) else uuid
                )
        for block in blocks(content, "tool_use"):
            self._call(record, block, by)
        return events

    def _call(self, record: Record, block: dict[str, Any], by: Actor) -> None:
        call_id, tool, given = block.get("id"), block.get("name"), block.get("input")
        if not (isinstance(call_id, str) and isinstance(tool, str) and isinstance(given, dict)):
            return
        cwd = scrub(record.get("cwd")) or self._cwd
        if tool in _READERS:
            path = given.get(_READERS[tool]) or given.get("file_path")
            self._pending.add(call_id, ToolCall("read", scrub(path), folder=cwd, by=by))
        elif tool in _EDITORS:
            self._pending.add(call_id, ToolCall("edit", scrub(given.get(_EDITORS[tool])), folder=cwd, by=by))
        elif tool == "Bash":
            line = parse(scrub(given.get("command")))
            self._pending.add(call_id, ToolCall("shell", line=line, folder=cwd, by=by))

    def _result(self, record: Record, block: dict[str, Any], alone: bool) -> list[Event]:
        call_id = scrub(block.get("tool_use_id"))
        call = self._pending.take(call_id)
        if call is None:
            return []
        detail = record.get("toolUseResult") if alone else None
        said = "\n".join(texts(block.get("content")))
        failed = (
            block.get("is_error") is True or said.startswith("<tool_use_error>") or isinstance(detail, str)
        )
        if call.kind == "shell":
            return self._shell(call, call_id, detail if isinstance(detail, dict) else {}, said, failed)
        name = self._place.name(call.folder, call.path)
        if name is None:
            return []
        if call.kind == "edit":
            return [EditDone(name, not failed, call.by, call_id)]
        return [ReadDone(name, not failed, "confirmed", call.by, call_id)]

    def _shell(self, call: ToolCall, call_id: str, detail: Record, said: str, failed: bool) -> list[Event]:
        if detail.get("interrupted") is True or detail.get("backgroundTaskId"):
            return []
        errors = scrub(detail.get("stderr"))
        # Records are written after the calls ran, so their cwd may be the one a later `cd` led to.
        told = [call.folder, self._cwd]
        bases = told if call.by == "subagent" else [self._shell_cwd, *told]
        output = said if errors in said else f"{said}\n{errors}"
        events = shell_reads(self._place, bases, call.line, int(failed), output, call.by, call_id)
        if call.by == "main" and not failed and call.line.folder != "":
            here = join(call.line.folder, ".") if call.line.folder is not None else None
            self._shell_cwd = self._place.join(self._shell_cwd, here) if here else None
            if _RESET in errors or _RESET in said:
                self._shell_cwd = self._cwd
        return list(events)


def _command(content: Any) -> str:
    """The name of the command that a user record is of; ``""`` when of none."""
    found = (_COMMAND.match(text) for text in texts(content)[:1])
    return next((match.group(1) for match in found if match is not None), "")


def clears(record: Record) -> bool:
    """Whether the record is of the command that begins a new session; it is among the first of its log."""
    if record.get("type") != "user" or record.get("isSidechain") is True:
        return False
    message = record.get("message")
    return isinstance(message, dict) and _command(message.get("content")) in _CLEARING


def recognises(record: Record) -> bool:
    """Whether only Claude Code writes such a record."""
    if isinstance(record.get("payload"), dict):
        return False
    message = record.get("message")
    if "systemPayload" in record or (isinstance(message, dict) and "parts" in message):
        return False  # Qwen Code links its records in the same way
    if "parentUuid" in record and isinstance(record.get("uuid"), str):
        return True
    kind = record.get("type")
    return (
        isinstance(record.get("sessionId"), str)
        and isinstance(kind, str)
        and (kind in _BOOKKEEPING or kind in ("user", "assistant", "attachment"))
    )


FORMAT = Format(
    "claude",
    ClaudeLocator,
    ClaudeDecoder,
    recognises,
    variables=("CLAUDE_CODE_SESSION_ID",),
    clears=clears,
    live=live,
    companions=companions,
)
