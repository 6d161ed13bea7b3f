"""OpenCode: rows of a database, see `opencode_store`.

A message is a row, and each of its parts is one. Parts change in place: a text is inserted empty when
it begins and filled when it ends, a call goes from ``pending`` over ``running`` to how it ended. Each
is told once, when it is complete. A person who goes back leaves the messages where they are until the
next prompt, and the session names the first that is hidden. The sessions of sub-agents name the session
they work for.
"""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.sessions.calls import shell_reads
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
from knit_tui.sessions.formats.opencode_store import OpenCodeLocator, logs_in, source
from knit_tui.sessions.formats.stores import fields, table
from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import parse

_EDITORS = frozenset(("edit", "write", "multiedit"))
_PATCHERS = frozenset(("patch", "apply_patch"))
_SHELLS = frozenset(("bash", "shell"))
_ENDED = ("completed", "error")
_SILENT = frozenset("reasoning step-start step-finish snapshot patch agent retry subtask".split())
_BOOKKEEPING = frozenset("project todo event session_share session_message session_input".split())
_BY_PERSON = "The following tool was executed by the user"
_SPACE = " \t\r\n\0"


@dataclass(frozen=True, slots=True)
class _Message:
    role: str
    parent: str
    cwd: str
    summary: bool


class OpenCodeDecoder:
    """One session's rows to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._name = name
        self._own = ""
        self._cwd = ""
        self._hidden = ("", "")
        """The first message that the person took back, and the first part of it, if not all."""
        self._messages: dict[str, _Message] = {}
        self._done: set[str] = set()
        """Parts that were told, or never will be."""
        self._shells: set[str] = set()
        """Prompts that stand for a command a person ran."""
        self._told: list[tuple[str, str, str, bool]] = []
        """What of the conversation stands: message, part, id of the event, whether it is a prompt."""

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        kind, row = table(record)
        if kind == "session":
            return self._session(row)
        if self.foreign:
            return []
        if kind == "message":
            self._message(row)
        elif kind == "part":
            return self._part(row)
        elif kind not in _BOOKKEEPING:
            self.unknown += 1
        return []

    def _session(self, row: Record) -> list[Event]:
        session = scrub(row.get("id"))
        if row.get("parent_id"):
            self.foreign = self.foreign or session == self._name
            return []
        if not session or self._own not in ("", session):
            return []
        self._own = session
        events: list[Event] = []
        cwd = scrub(row.get("directory"))
        if cwd and cwd != self._cwd:
            self._cwd = cwd
            events.append(SessionInfo("opencode", session, cwd, scrub(row.get("version"))))
        revert = fields(row.get("revert"))
        self._hidden = scrub(revert.get("messageID")), scrub(revert.get("partID"))
        return events + self._rewind()

    def _rewind(self) -> list[Event]:
        kept = next((at for at, one in enumerate(self._told) if self._hides(one[0], one[1])), None)
        if kept is None:
            return []
        gone, self._told = self._told[kept:], self._told[:kept]
        if self._told:
            return [Rewind(keep_until_id=self._told[-1][2])]
        turns = sum(prompt for _, _, _, prompt in gone)
        return [Rewind(turns=turns)] if turns else []

    def _hides(self, message: str, part: str) -> bool:
        first, inner = self._hidden
        if not first or message < first:
            return False
        return message != first or not inner or part >= inner

    def _message(self, row: Record) -> None:
        data = fields(row.get("data"))
        path = data.get("path")
        self._messages[scrub(row.get("id"))] = _Message(
            scrub(data.get("role")),
            scrub(data.get("parentID")),
            scrub(path.get("cwd")) if isinstance(path, dict) else "",
            data.get("summary") is True,
        )

    def _part(self, row: Record) -> list[Event]:
        part, data = scrub(row.get("id")), fields(row.get("data"))
        message = self._messages.get(scrub(row.get("message_id")))
        if part in self._done or message is None or not data:
            return []
        own = scrub(row.get("session_id")) == self._own
        kind = data.get("type")
        if kind == "tool":
            events = self._tool(data, message, "main" if own else "subagent")
        elif kind == "text":
            events = self._text(row, data, message) if own else []
        elif kind == "file":
            events = self._file(data, message) if own else []
        elif kind == "compaction":
            events = [Compacted()] if own else []
        else:
            self.unknown += not (isinstance(kind, str) and kind in _SILENT)
            events = []
        if events is not None:
            self._done.add(part)
        return events or []

    # Each gives None for a part that is not complete.

    def _text(self, row: Record, data: Record, message: _Message) -> list[Event] | None:
        name, text = scrub(row.get("message_id")), scrub(data.get("text"))
        if data.get("synthetic") is True or data.get("ignored") is True:
            if text == _BY_PERSON:
                self._shells.add(name)
            return []
        spent = data.get("time")
        if message.role == "assistant" and isinstance(spent, dict) and "end" not in spent:
            return None
        text = text.strip(_SPACE)
        part = scrub(row.get("id"))
        if not text:
            return None
        if message.summary or self._hides(name, part):
            return []
        prompt = message.role == "user"
        event: Event = UserMessage(part, _typed(text)) if prompt else AssistantText(part, text)
        self._told.append((name, part, part, prompt))
        return [event]

    def _file(self, data: Record, message: _Message) -> list[Event]:
        if message.role != "user" or data.get("mime") == "application/x-directory":
            return []
        url, origin = scrub(data.get("url")), data.get("source")
        path = ""
        if url.startswith("file:"):
            path = url.partition("?")[0]
        elif isinstance(origin, dict) and origin.get("type") in ("file", "symbol"):
            path = scrub(origin.get("path"))
        name = self._place.name(self._cwd, path)
        return [] if name is None else [ReadDone(name, True, "mention")]

    def _tool(self, data: Record, message: _Message, by: Actor) -> list[Event] | None:
        state, tool = data.get("state"), scrub(data.get("tool"))
        if not isinstance(state, dict) or state.get("status") not in _ENDED:
            return None
        given = state.get("input")
        if not isinstance(given, dict) or message.parent in self._shells:
            return []
        ok, call_id = state["status"] == "completed", scrub(data.get("callID"))
        cwd = message.cwd or self._cwd
        if tool in _SHELLS:
            return self._shell(state, given, cwd, by, call_id)
        if tool in _PATCHERS:
            files = patched(scrub(given.get("patchText")))
        elif tool in _EDITORS or (tool == "read" and not (ok and _listing(state))):
            files = [scrub(given.get("filePath"))]
        else:
            return []
        paths = dict.fromkeys(name for file in files if (name := self._place.name(cwd, file)) is not None)
        if tool == "read":
            return [ReadDone(path, ok, "confirmed", by, call_id) for path in paths]
        return [EditDone(path, ok, by, call_id) for path in paths]

    def _shell(self, state: Record, given: Record, cwd: str, by: Actor, call_id: str) -> list[Event]:
        told, failed = state.get("metadata"), state["status"] == "error"
        status = None
        if isinstance(told, dict) and "exit" in told:
            status = told["exit"]
            if not isinstance(status, int) or isinstance(status, bool):  # it was stopped
                status = -1
        folder = scrub(given.get("workdir"))
        bases = [self._place.join(cwd, folder) if folder else cwd]
        line, output = parse(scrub(given.get("command"))), scrub(state.get("output"))
        reads = shell_reads(self._place, bases, line, -1 if failed else status, output, by, call_id)
        if failed:  # it was refused or stopped
            return [ReadDone(read.path, False, "attempted", by, call_id) for read in reads]
        return list(reads)


def _listing(state: Record) -> bool:
    """Whether what was read is a folder."""
    return "<type>directory</type>" in scrub(state.get("output"))[: 2 * 4096]


def _typed(text: str) -> str:
    """A prompt as it was typed: ``opencode run`` quotes each argument in which there is a space."""
    inner = text[1:-1]
    if text[:1] == text[-1:] == '"' and " " in inner and '"' not in inner.replace('\\"', ""):
        return inner.replace('\\"', '"').strip(_SPACE) or text
    return text


def recognises(record: Record) -> bool:
    """Whether only OpenCode writes such a record."""
    kind, row = table(record)
    if kind == "session":
        return "directory" in row and "time_updated" in row
    return kind in ("message", "part") and "data" in row and "time_updated" in row


def written(record: Record) -> object:
    return table(record)[1].get("time_created")


FORMAT = Format(
    "opencode",
    OpenCodeLocator,
    OpenCodeDecoder,
    recognises,
    source=source,
    within=logs_in,
    written=written,
)
