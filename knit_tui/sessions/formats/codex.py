"""Codex CLI: one rollout file a thread, linear, in four generations of shape.

G0 has bare items and no times; G1 wraps them (``response_item``) and adds events (``event_msg``);
G2 adds items of what a person sees (``item_completed``) and runs tools from cells of JavaScript; G3
may leave out how a command ended. The generations are not told apart: every shape is understood
wherever it stands. One command can be told three times (its call, its item, its output): the item
counts, and settles what waits for the output; without an item the output counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from knit_tui.sessions.calls import Pending, shell_reads
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
from knit_tui.sessions.formats.codex_folders import CodexLocator
from knit_tui.sessions.formats.codex_prompts import Copies, parts, written
from knit_tui.sessions.formats.codex_tools import (
    Command,
    call_commands,
    call_path,
    cell_commands,
    cell_patched,
    cell_results,
    patched,
    result,
    script,
)
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import parse

_ENVELOPES = frozenset(("session_meta", "response_item", "event_msg", "turn_context", "compacted"))
_BOOKKEEPING = frozenset(("world_state", "token_usage_record", "ghost_snapshot"))
_ITEMS = frozenset(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output"
    " local_shell_call local_shell_call_output web_search_call".split()
)
_COMMAND_TOOLS = frozenset(("shell", "shell_command", "exec_command", "container.exec", "local_shell"))
_NOT_A_LINE_BETWEEN = frozenset(("turn_context", "world_state", "session_meta", "token_usage_record"))
"""Records that may stand between the two copies of a message."""


@dataclass(slots=True)
class _Call:
    kind: Literal["command", "cell", "patch", "image"]
    commands: list[Command] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    """What a patch names, or the image."""
    settled: set[int] = field(default_factory=set)
    """Commands whose item has told them."""


class CodexDecoder:
    """One rollout's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._session_id = ""
        self._version = ""
        self._cwd = ""
        self._begun = False
        self._users = Copies(UserMessage)
        self._answers = Copies(AssistantText)
        self._pending: Pending[_Call] = Pending()
        self._seen: set[str] = set()
        self._count = 0

    def settle(self) -> list[Event]:
        return self._users.release() + self._answers.release()

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        kind, payload = record.get("type"), record.get("payload")
        if not isinstance(kind, str):
            kind = ""
        if not isinstance(payload, dict):
            if kind in _ITEMS:
                kind, payload = "response_item", record
            elif "record_type" in record or self._first(record):
                return []
            else:
                self.unknown += 1
                return []
        if self.foreign:
            return []
        events: list[Event] = []
        if kind == "session_meta":
            events += self._meta(payload)
        elif kind == "turn_context":
            events += self._move(payload.get("cwd"))
        elif kind == "response_item":
            events += self._item(record, payload)
        elif kind == "event_msg":
            events += self._event(record, payload)
        elif kind == "compacted":
            self._answers.drop()
            events += [*self.settle(), Compacted()]
        elif kind not in _BOOKKEEPING:
            self.unknown += 1
        if kind not in _NOT_A_LINE_BETWEEN:
            self._begun = True
        return events

    # The session.

    def _first(self, record: Record) -> bool:
        """G0: line 1 names the session and nothing else."""
        if self._begun or "instructions" not in record or not isinstance(record.get("id"), str):
            return False
        self._session_id = scrub(record["id"])
        return True

    def _meta(self, payload: Record) -> list[Event]:
        if self._session_id:  # a fork carries the records of the thread it came from
            return []
        source = payload.get("source")
        if payload.get("thread_source") not in (None, "user") or isinstance(source, dict):
            self.foreign = True
            return []
        self._session_id = scrub(payload.get("session_id")) or scrub(payload.get("id")) or self._stem
        self._version = scrub(payload.get("cli_version"))
        return self._move(payload.get("cwd"))

    def _move(self, cwd: Any) -> list[Event]:
        cwd = scrub(cwd)
        if not cwd or cwd == self._cwd:
            return []
        self._cwd = cwd
        self._session_id = self._session_id or self._stem
        return [SessionInfo("codex", self._session_id, cwd, self._version)]

    # What the model was sent and sent back.

    def _item(self, record: Record, payload: Record) -> list[Event]:
        kind = payload.get("type")
        if kind == "message":
            if self._again("copy", payload.get("id")):
                return []
            return self._message(record, payload)
        if kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            return [*self.settle(), *self._output(payload)]
        call_id = payload.get("call_id") or payload.get("id")
        call = self._call_of(kind, payload)
        if call is not None and isinstance(call_id, str) and not self._again("call", call_id):
            self._pending.add(call_id, call)
        return self.settle()

    def _again(self, kind: str, name: Any) -> bool:
        """Whether this id came before: a resumed thread may carry its old records once more."""
        if not isinstance(name, str):
            return False
        key = f"{kind} {name}"
        if key in self._seen:
            return True
        self._seen.add(key)
        return False

    def _message(self, record: Record, payload: Record) -> list[Event]:
        role, content = payload.get("role"), payload.get("content")
        name = scrub(payload.get("id")) or f"record-{self._count}"
        if role == "assistant":
            text = "\n".join(parts(content)).strip(" \t\r\n\0")
            return self._users.release() + self._answers.copy(name, text, sure=False)
        if role != "user":
            return self.settle()
        events = self._environment(content) + self._answers.release()
        passed = payload.get("internal_chat_message_metadata_passthrough")
        kinds = passed.get("content_item_kinds") if isinstance(passed, dict) else None
        if isinstance(kinds, list) and isinstance(content, list) and "user.text" in kinds:
            content = [part for part, kind in zip(content, kinds, strict=False) if kind == "user.text"]
            return events + self._users.copy(name, written(content), sure=True)
        if isinstance(kinds, list) and kinds:
            return events + self._users.release()
        return events + self._users.copy(name, written(content), sure=False)

    def _environment(self, content: Any) -> list[Event]:
        """Where nothing else told the folder, the context that was injected does."""
        if self._cwd:
            return []
        for text in parts(content):
            if text.lstrip().startswith("<environment_context>"):
                start, end = text.find("<cwd>"), text.find("</cwd>")
                if 0 <= start < end:
                    return self._move(text[start + 5 : end].strip())
        return []

    def _call_of(self, kind: Any, payload: Record) -> _Call | None:
        if kind == "local_shell_call":
            commands = call_commands(payload.get("action"))
            return _Call("command", commands) if commands else None
        if kind not in ("function_call", "custom_tool_call"):
            return None
        tool, given = payload.get("name"), payload.get("arguments") or payload.get("input")
        source = scrub(given)
        if not isinstance(tool, str):
            return None
        if tool == "apply_patch":
            files = patched(source) or cell_patched(source)
            return _Call("patch", files=files) if files else None
        if tool == "exec" and kind == "custom_tool_call":
            call = _Call("cell", cell_commands(source), cell_patched(source))
            return call if call.commands or call.files else None
        if tool in _COMMAND_TOOLS:
            commands = call_commands(given)
            files = patched(commands[0].text) if commands else []
            return _Call("command", commands, files) if commands else None
        if tool == "view_image":
            path = call_path(given)
            return _Call("image", files=[path]) if path else None
        return None

    def _output(self, payload: Record) -> list[Event]:
        call_id, output = scrub(payload.get("call_id")), payload.get("output")
        call = self._pending.get(call_id)
        if call is None:
            return []
        if call.kind == "cell":
            results, failed = cell_results(output, len(call.commands))
            if not results and call.commands:
                return []  # still running; items may tell
        else:
            one = result(output)
            if one.running:
                return []
            results, failed = [one] * len(call.commands), (one.status or 0) != 0
            if call.kind != "command" and one.status is None:
                failed = not one.output.lstrip().startswith(("Success", "attached"))
        self._pending.take(call_id)
        events: list[Event] = []
        for number, (command, told) in enumerate(zip(call.commands, results, strict=True)):
            if number not in call.settled:
                events += self._reads(
                    command, told.status, told.output, call_id, failed and told.status is None
                )
        if call.kind == "image":
            return events + self._named(call.files, not failed, call_id, image=True)
        return events + self._named(call.files, not failed, call_id)

    def _reads(
        self, command: Command, status: int | None, output: str, call_id: str, unclear: bool = False
    ) -> list[Event]:
        """``unclear``: the cell the command is in failed somewhere, perhaps before it."""
        base = self._place.join(self._cwd, command.workdir) if command.workdir else self._cwd
        reads = shell_reads(
            self._place, [base, self._cwd], parse(command.text), status, output, "main", call_id
        )
        if not unclear:
            return list(reads)
        return [ReadDone(r.path, False, "attempted", r.by, r.call_id) for r in reads]

    def _named(self, files: Iterable[str], ok: bool, call_id: str, image: bool = False) -> list[Event]:
        names = [name for file in files if (name := self._place.name(self._cwd, file)) is not None]
        if image:
            return [ReadDone(name, ok, "confirmed", "main", call_id) for name in names]
        return [EditDone(name, ok, "main", call_id) for name in dict.fromkeys(names)]

    # What a person sees.

    def _event(self, record: Record, payload: Record) -> list[Event]:
        kind = payload.get("type")
        if kind == "token_count":
            return []
        item = payload.get("item") if kind == "item_completed" else payload
        if not isinstance(item, dict):
            return self.settle()
        shape = scrub(item.get("type")).replace("_", "").lower()
        name = scrub(item.get("id")) or f"record-{self._count}"
        if kind == "item_completed" and self._again("item", item.get("id")):
            return []
        if shape == "usermessage":
            if item.get("kind") not in (None, "plain"):
                return []
            text = written(item.get("content") or item.get("message"))
            return self._answers.release() + (self._users.event(name, text) if text else [])
        if shape == "agentmessage":
            content = item.get("content") or item.get("message") or item.get("text")
            text = "\n".join(parts(content)).strip(" \t\r\n\0")
            return self._users.release() + (self._answers.event(name, text) if text else [])
        events = self.settle()
        if shape in ("commandexecution", "execcommandend"):
            events += self._command_item(item)
        elif shape in ("filechange", "patchapplyend"):
            events += self._change_item(item)
        elif shape in ("imageview", "viewimagetoolcall"):
            call_id = scrub(item.get("call_id") or item.get("id"))
            self._pending.take(call_id)
            events += self._named([scrub(item.get("path"))], True, call_id, image=True)
        elif shape == "threadrolledback":
            turns = item.get("num_turns")
            if isinstance(turns, int) and not isinstance(turns, bool) and turns > 0:
                events.append(Rewind(turns=turns))
        elif shape == "turnaborted":
            self._pending.clear()
        return events

    def _command_item(self, item: Record) -> list[Event]:
        if item.get("source") == "user_shell" or item.get("status") == "in_progress":
            return []
        text = script(item.get("command"))
        call_id = scrub(item.get("call_id") or item.get("id"))
        self._settle_command(call_id, text)
        status = item.get("exit_code")
        if not isinstance(status, int) or isinstance(status, bool):
            status = None if item.get("status") == "completed" else -1
        output = scrub(item.get("aggregated_output") or item.get("stdout"))
        cwd = scrub(item.get("cwd")) or None
        events = self._reads(Command(text, cwd), status, output, call_id)
        known = {event.path.rpartition("/")[2] for event in events if isinstance(event, ReadDone)}
        base = self._place.join(self._cwd, cwd) if cwd else self._cwd
        parsed = item.get("parsed_cmd")
        for command in parsed if isinstance(parsed, list) else []:
            if isinstance(command, dict) and command.get("type") == "read":
                name = self._place.name(base, scrub(command.get("path")))
                if name is not None and name.rpartition("/")[2] not in known:
                    events.append(ReadDone(name, status == 0, "confirmed", "main", call_id))
        return events

    def _settle_command(self, call_id: str, text: str) -> None:
        named = self._pending.get(call_id)
        for call in [named] if named else self._pending.waiting():
            for number, command in enumerate(call.commands):
                if number not in call.settled and (command.text == text or named):
                    call.settled.add(number)
                    return

    def _change_item(self, item: Record) -> list[Event]:
        changes = item.get("changes")
        files = [scrub(file) for file in changes] if isinstance(changes, dict) else []
        moved = [
            scrub(change.get("move_path"))
            for change in (changes.values() if isinstance(changes, dict) else [])
            if isinstance(change, dict)
        ]
        call_id = scrub(item.get("call_id") or item.get("id"))
        ok = item.get("success", item.get("status") == "completed") is True
        events = self._named([*files, *(file for file in moved if file)], ok, call_id)
        told = {event.path for event in events if isinstance(event, EditDone)}
        for call in self._pending.waiting():
            if call.kind != "image":
                call.files = [f for f in call.files if self._place.name(self._cwd, f) not in told]
        return events


def recognises(record: Record) -> bool:
    """Whether only Codex writes such a record."""
    kind = record.get("type")
    if isinstance(kind, str) and isinstance(record.get("payload"), dict):
        return kind in _ENVELOPES
    if "record_type" in record:
        return True
    if "instructions" in record and isinstance(record.get("id"), str) and "git" in record:
        return True
    return kind == "function_call" and isinstance(record.get("call_id"), str)


FORMAT = Format("codex", CodexLocator, CodexDecoder, recognises)
