"""Qwen Code: one JSONL file a session, its records linked by ``parentUuid``.

Each ``uuid`` is read once. A person who goes back leaves both branches in the file: a ``rewind``
record, or the next prompt, has an older record as its parent. Calls and their results are parts of
messages in the shape of the Gemini API, of which this is a fork; a result belongs to the call whose
id it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knit_tui.sessions.calls import Pending
from knit_tui.sessions.events import (
    Actor,
    AssistantText,
    Compacted,
    Event,
    ReadDone,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import gemini_tools as tools
from knit_tui.sessions.formats.gemini_prompts import SPACE, calls, joined, responses, texts, written
from knit_tui.sessions.formats.qwen_folders import QwenLocator, live
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub

_PROMPTS = (None, "mid_turn_user_message", "realtime_message")
_NOT_A_PERSON = (
    "agent_launch_prompt",
    "cron",
    "goal_runtime",
    "notification",
)
_BOOKKEEPING = frozenset(
    "agent_bootstrap agent_launch_prompt agent_retry agent_session_ready attribution_snapshot"
    " background_task_completed branch_checkpoint custom_title file_history_snapshot goal_state"
    " goal_turn_end omni_recall parent_session session_approval_mode session_artifact_event"
    " session_artifact_snapshot session_execution_engine session_model session_notes session_source"
    " session_sources_snapshot slash_command turn_result ui_telemetry user_text_elements".split()
)


@dataclass(frozen=True, slots=True)
class _Branch:
    """Where a record stands in the tree."""

    tip: str = ""
    """The last message told on the way to it."""
    prompts: int = 0
    """How many prompts were."""


@dataclass(frozen=True, slots=True)
class _Call:
    asked: tools.Call
    cwd: str
    by: Actor


class QwenDecoder:
    """One session file's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._stem = name
        self._own = False
        """Records with this file's own session id have come: those of others do not belong here."""
        self._main = False
        """A record that is no sub-agent's has come."""
        self._cwd = ""
        self._branches: dict[str, _Branch] = {}
        self._now = _Branch()
        self._pending: Pending[_Call] = Pending()
        self._typed = ("", "")
        """A record that has what a person typed, and that; its child has it with the files it names."""
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
        by: Actor = "subagent" if record.get("isSidechain") is True or record.get("agentId") else "main"
        self._main |= by == "main"
        self.foreign = not self._main
        uuid = scrub(record.get("uuid"))
        if self.foreign or (uuid and uuid in self._branches):
            return []
        if uuid:
            parent = record.get("parentUuid")
            # A parent that was never written, or lies before what was read, breaks no branch.
            self._branches[uuid] = (
                _Branch() if parent is None else self._branches.get(scrub(parent), self._now)
            )
        events = self._session(record, session_id) if by == "main" else []
        kind, message = record.get("type"), record.get("message")
        content = message.get("parts") if isinstance(message, dict) else None
        if kind == "tool_result" or (kind == "user" and responses(content)):
            events += self._results(record, content)
        elif kind == "user":
            events += self._user(record, uuid, content) if by == "main" else []
        elif kind == "assistant":
            events += self._assistant(record, uuid, content, by)
        elif kind == "system":
            events += self._system(record, uuid) if by == "main" else []
        else:
            self.unknown += 1
        return events

    def _session(self, record: Record, session_id: str) -> list[Event]:
        cwd = scrub(record.get("cwd"))
        if not cwd or cwd == self._cwd:
            return []
        self._cwd = cwd
        return [SessionInfo("qwen", session_id or self._stem, cwd, scrub(record.get("version")))]

    def _name(self, uuid: str) -> str:
        return uuid or f"record-{self._count}"

    # Prompts.

    def _user(self, record: Record, uuid: str, content: Any) -> list[Event]:
        kind = record.get("subtype")
        if record.get("provenance") not in (None, "real_user") or kind not in _PROMPTS:
            self.unknown += kind not in (*_PROMPTS, *_NOT_A_PERSON)
            return []
        payload = record.get("systemPayload")
        shown = payload.get("displayText") if isinstance(payload, dict) else None
        source, typed = self._typed
        text = typed if typed and record.get("parentUuid") == source else written(content)[0]
        if isinstance(shown, str):
            text = written(shown)[0]
        if not text:
            return []
        if kind is None:
            self._pending.clear()
        events = self._back_to(uuid)
        self._now = _Branch(self._name(uuid), self._now.prompts + 1)
        if uuid:
            self._branches[uuid] = self._now
        return [*events, UserMessage(self._now.tip, text)]

    def _back_to(self, uuid: str) -> list[Event]:
        """What goes when the conversation goes on with that record."""
        branch = self._branches.get(uuid, self._now)
        if branch.tip == self._now.tip:
            return []
        turns = self._now.prompts - branch.prompts
        self._now = branch
        if branch.tip:
            return [Rewind(keep_until_id=branch.tip)]
        return [Rewind(turns=turns)] if turns > 0 else []

    def _system(self, record: Record, uuid: str) -> list[Event]:
        kind, payload = record.get("subtype"), record.get("systemPayload")
        if kind == "rewind":
            return self._back_to(uuid)
        if kind == "chat_compression":
            return [Compacted()]
        if kind == "at_command":
            return self._mentions(uuid, payload) if isinstance(payload, dict) else []
        if not (isinstance(kind, str) and (kind in _BOOKKEEPING or kind.startswith("managed_session_"))):
            self.unknown += 1
        return []

    def _mentions(self, uuid: str, payload: dict[str, Any]) -> list[Event]:
        """The files a person named in the prompt that follows. Folders and servers stand there too:
        where the workspace can be asked, only what is a file there counts."""
        named = payload.get("filesRead")
        if payload.get("status") != "success" or not isinstance(named, list):
            return []
        self._typed = (uuid, scrub(payload.get("userText")).strip(SPACE))
        names = (self._place.name(self._cwd, path) for path in map(scrub, named))
        asked = self._place.is_file
        return [
            ReadDone(name, True, "mention")
            for name in names
            if name is not None and (asked is None or asked(name))
        ]

    # Answers and calls.

    def _assistant(self, record: Record, uuid: str, content: Any, by: Actor) -> list[Event]:
        for one in calls(content):
            asked = tools.call(one.get("name"), one.get("args"))
            if asked is not None and isinstance(one.get("id"), str):
                self._pending.add(one["id"], _Call(asked, scrub(record.get("cwd")) or self._cwd, by))
        text = joined(texts(content))
        if by != "main" or not text:
            return []
        self._now = _Branch(self._name(uuid), self._now.prompts)
        if uuid:
            self._branches[uuid] = self._now
        return [AssistantText(self._now.tip, text)]

    def _results(self, record: Record, content: Any) -> list[Event]:
        found = responses(content)
        detail = record.get("toolCallResult")
        detail = detail if isinstance(detail, dict) else {}
        events: list[Event] = []
        for one in found:
            call_id = one.get("id") or (detail.get("callId") if len(found) == 1 else None)
            call = self._pending.take(call_id)
            if call is None:
                continue
            said, failed = tools.said([one])
            told = detail if detail.get("callId", call_id) == call_id else {}
            ok = told["status"] == "success" if isinstance(told.get("status"), str) else not failed
            outcome = tools.Outcome(ok, said, told.get("resultDisplay"))
            events += tools.events(self._place, call.cwd, call.asked, outcome, call.by, scrub(call_id))
        return events


def recognises(record: Record) -> bool:
    """Whether only Qwen Code writes such a record."""
    message = record.get("message")
    return (
        "parentUuid" in record
        and isinstance(record.get("uuid"), str)
        and (
            (isinstance(message, dict) and isinstance(message.get("parts"), list))
            or isinstance(record.get("systemPayload"), dict)
        )
    )


FORMAT = Format("qwen", QwenLocator, QwenDecoder, recognises, variables=("QWEN_CODE_SESSION_ID",), live=live)
