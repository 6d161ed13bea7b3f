"""Gemini CLI: one JSONL file a session, a log of updates to the messages the agent has.

A message is written again, under its id, whenever something was added to it. ``$rewindTo`` takes
messages away, ``$set.messages`` puts others in their place: at a resume the same ones in another
shape, after a cancelled prompt the ones before it, after a compression a summary and copies of the
newest under new ids. Before such a replacement the copies may come one by one, as messages do; the
context the program begins every history with comes first then. The older form, one JSON document
that is rewritten, holds the same messages.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    Event,
    ReadDone,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format, Source
from knit_tui.sessions.formats import gemini_tools as tools
from knit_tui.sessions.formats.gemini_folders import GeminiLocator, folder, known
from knit_tui.sessions.formats.gemini_prompts import (
    SPACE,
    SUMMARY,
    joined,
    parts,
    responses,
    steering,
    texts,
    typed,
    written,
)
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.sources import ByteTail
from knit_tui.sessions.whole import WholeFile

_CONTEXT = "<session_context>"
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"
_FOLDER = re.compile(r"\*\*Workspace Directories:\*\*\n *- ([^\n]+)")
_ENDED = ("success", "error", "cancelled")
_NOTICES = ("info", "warning", "error")


@dataclass(frozen=True, slots=True)
class _Said:
    """What a message says."""

    name: str
    prompt: bool
    text: str
    key: int
    """The same for the same words; a copy has no more than them."""
    live: bool = True
    """It was written as it was said, not put together later from a history."""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    prompt: bool
    key: int


class GeminiDecoder:
    """One session file's records to events. See `knit_tui.sessions.format.Decoder`."""

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self.foreign = False
        self._place = place
        self._name = name
        self._cwd = cwd
        self._session_id = ""
        self._informed = False
        self._messages: dict[str, str] = {}
        """The messages the agent has, in their order, and which told one each is; ``""`` for none."""
        self._alive: dict[str, _Told] = {}
        """The told messages that were not taken back, in the order they were told."""
        self._seen: set[str] = set()
        self._copies: dict[str, str] = {}
        self._summaries: set[int] = set()
        self._calls: set[tuple[str, str]] = set()
        self._restarted = False
        """A header came, and no message since: the history is about to be put in place again."""
        self._copying: set[int] | None = None
        """The history is being written again, message by message: the keys of what was told."""

    def settle(self) -> list[Event]:
        return []

    def decode(self, record: Record) -> list[Event]:
        events = self._decode(record)
        if self.foreign:
            return []
        if not self._informed and (events or (self._session_id and self._cwd)):
            self._informed = True
            events.insert(0, SessionInfo("gemini", self._session_id or self._name, self._cwd))
        return events

    def _decode(self, record: Record) -> list[Event]:
        update = record.get("$set")
        if isinstance(record.get("$rewindTo"), str):
            return self._rewind(scrub(record["$rewindTo"]))
        if isinstance(update, dict):
            messages = update.get("messages")
            return self._replaced(messages) if isinstance(messages, list) else []
        if isinstance(record.get("sessionId"), str):
            return self._header(record)
        if isinstance(record.get("id"), str) and isinstance(record.get("type"), str):
            return self._message(record)
        self.unknown += 1
        return []

    def _header(self, record: Record) -> list[Event]:
        if record.get("kind") == "subagent":
            self.foreign = True
            return []
        self._session_id = self._session_id or scrub(record["sessionId"])
        if not self._cwd:
            self._cwd = known(record.get("projectHash"), self._place.roots)
        messages = record.get("messages")
        if isinstance(messages, list):
            return self._document(messages)
        self._restarted = True
        return []

    # One message.

    def _said(self, record: Record) -> _Said | None:
        """What a record says; None when it says nothing that belongs to the conversation."""
        name, kind, content = scrub(record.get("id")), record.get("type"), record.get("content")
        if kind == "user":
            text, files = (steering(content), []) if responses(content) else written(content)
            text = steering(content) or typed(text)
            if not text:
                return None
            shown = typed(written(record.get("displayContent"))[0])
            return _Said(name, True, shown or text, hash((True, text)), files=tuple(files))
        if kind == "gemini":
            text = joined(texts(content))
            live = isinstance(content, str) or "model" in record
            return _Said(name, False, text, hash((False, text)), live) if text else None
        if kind not in _NOTICES:
            self.unknown += 1
        return None

    def _message(self, record: Record) -> list[Event]:
        name, said = scrub(record["id"]), self._said(record)
        kind = record.get("type")
        if kind == "user" and self._context(record):
            self._copying = {told.key for told in self._alive.values()} if self._seen else None
        elif kind in ("user", "gemini"):
            self._restarted = False
            if kind == "gemini" and isinstance(record.get("model"), str):
                self._copying = None
        events: list[Event] = []
        if said is not None and said.live and said.key not in (self._copying or ()):
            events += self._tell(said)
        self._messages[name] = self._told(name)
        return events + self._tools(record)

    def _context(self, record: Record) -> bool:
        """Whether the record is the context that begins every history; learns the folder from it."""
        first = next(iter(texts(record.get("content"))), "")
        if not first.lstrip(SPACE).startswith(_CONTEXT):
            return False
        found = _FOLDER.search(first)
        if found and not self._cwd:
            self._cwd = found.group(1).strip()
        return True

    def _tell(self, said: _Said) -> list[Event]:
        if said.name in self._seen:
            return []
        self._seen.add(said.name)
        self._alive[said.name] = _Told(said.prompt, said.key)
        if not said.prompt:
            return [AssistantText(said.name, said.text)]
        names = (self._place.name(self._cwd, file) for file in said.files)
        mentions = [ReadDone(name, True, "mention") for name in names if name is not None]
        return [UserMessage(said.name, said.text), *mentions]

    def _told(self, name: str) -> str:
        """The told message that the one called ``name`` is."""
        name = self._copies.get(name, name)
        return name if name in self._alive else ""

    def _tools(self, record: Record) -> list[Event]:
        given = record.get("toolCalls")
        if record.get("type") != "gemini" or not isinstance(given, list):
            return []
        message = scrub(record.get("id"))
        events: list[Event] = []
        for one in given:
            if not isinstance(one, dict) or one.get("status") not in _ENDED:
                continue
            call_id = scrub(one.get("id"))
            if (message, call_id) in self._calls:
                continue
            self._calls.add((message, call_id))
            asked = tools.call(one.get("name"), one.get("args"))
            if asked is not None:
                said, _ = tools.said(responses(parts(one.get("result"))))
                outcome = tools.Outcome(one["status"] == "success", said, one.get("resultDisplay"))
                events += tools.events(self._place, self._cwd, asked, outcome, "main", call_id)
        return events

    # All messages.

    def _document(self, messages: list[Any]) -> list[Event]:
        """The older form: every message, again at every change."""
        records = [one for one in messages if isinstance(one, dict) and isinstance(one.get("id"), str)]
        names = {scrub(one["id"]) for one in records}
        events = self._drop({told for name, told in self._messages.items() if told and name not in names})
        self._messages = {}
        for one in records:
            said = self._said(one)
            if said is not None:
                events += self._tell(said)
            self._messages[scrub(one["id"])] = self._told(scrub(one["id"]))
            events += self._tools(one)
        return events

    def _replaced(self, messages: list[Any]) -> list[Event]:
        """``$set.messages``. One that was not seen before is a copy of one that was, or was put
        together by the program; it is told only where nothing was, in the middle of a log."""
        records = [one for one in messages if isinstance(one, dict) and isinstance(one.get("id"), str)]
        fresh, self._copying = not self._seen, None
        said = [None if self._context(one) else self._said(one) for one in records]
        summary, compacted = self._summary(records)
        events: list[Event] = [Compacted()] if compacted else []
        self._align([one for one in said if one is not None], backwards=compacted)
        before = {told for told in self._messages.values() if told}
        self._messages = {}
        for record, one in zip(records, said, strict=True):
            name = scrub(record["id"])
            if fresh and one is not None and name not in summary:
                events += self._tell(one)
            self._messages[name] = self._told(name)
            events += self._tools(record)
        after = set(self._messages.values()) - {""}
        if not (compacted or (self._restarted and not after)):
            events += self._drop(before - after)
        self._restarted = self._restarted and not after
        return events

    def _summary(self, records: list[Record]) -> tuple[set[str], bool]:
        """The summary that a history begins with and its acknowledgement, if it does; whether they
        are new."""
        at = next((n for n, one in enumerate(records) if not self._context(one)), len(records))
        if at >= len(records) or self._told(scrub(records[at]["id"])):
            return set(), False
        text = joined(texts(records[at].get("content")))
        follows = records[at + 1] if at + 1 < len(records) else {}
        if SUMMARY not in text and joined(texts(follows.get("content"))) != _ACKNOWLEDGED:
            return set(), False
        new = hash(text) not in self._summaries
        self._summaries.add(hash(text))
        return {scrub(records[at]["id"]), scrub(follows.get("id"))}, new

    def _align(self, said: list[_Said], backwards: bool) -> None:
        """Find of each message under a new id which told one it is a copy of: the same words, in the
        same order. After a compression the newest were kept, so the search begins at the end."""
        step = -1 if backwards else 1
        names = list(self._alive)[::step]
        places: dict[int, deque[int]] = {}
        at = {name: number for number, name in enumerate(names)}
        for name in names:
            places.setdefault(self._alive[name].key, deque()).append(at[name])
        reached = -1
        for one in said[::step]:
            told = self._told(one.name)
            if told:
                reached = max(reached, at[told])
                continue
            same = places.get(one.key, deque())
            while same and same[0] <= reached:
                same.popleft()
            if same:
                reached = same.popleft()
                self._copies[one.name] = names[reached]

    def _rewind(self, target: str) -> list[Event]:
        """That message and all after it are gone; all of them when it is none of them."""
        names = list(self._messages)
        gone = names[names.index(target) :] if target in self._messages else names
        return self._drop({self._messages.pop(name) for name in gone})

    def _drop(self, gone: Iterable[str]) -> list[Event]:
        """Take told messages back, if nothing was told after them that stays."""
        dropped = {name for name in gone if name in self._alive}
        names = list(self._alive)
        first = next((place for place, name in enumerate(names) if name in dropped), len(names))
        rest = names[first:]
        if not rest or len(rest) != len(dropped):
            return []
        turns = sum(self._alive.pop(name).prompt for name in rest)
        if first:
            return [Rewind(keep_until_id=names[first - 1])]
        return [Rewind(turns=turns)] if turns else []


def recognises(record: Record) -> bool:
    """Whether only the Gemini CLI writes such a record."""
    if isinstance(record.get("$rewindTo"), str) or isinstance(record.get("$set"), dict):
        return True
    if isinstance(record.get("sessionId"), str) and isinstance(record.get("projectHash"), str):
        return True
    return record.get("type") == "gemini" and isinstance(record.get("id"), str) and "content" in record


def source(address: Address, window: int) -> Source:
    """The newer form is lines, the older one a document."""
    if address.path.endswith(".json"):
        return WholeFile(address.path, lambda document: document.get("sessionId"))
    return ByteTail(address.path, window)


def written_at(record: Record) -> object:
    """When the newest prompt of a record was written."""
    update = record.get("$set")
    held: Any = update if isinstance(update, dict) else record
    messages = held.get("messages")
    if isinstance(messages, list):
        for one in reversed(messages):
            if isinstance(one, dict) and one.get("type") == "user" and one.get("timestamp"):
                return one["timestamp"]
    return held.get("timestamp") or held.get("lastUpdated")


FORMAT = Format(
    "gemini", GeminiLocator, GeminiDecoder, recognises, source=source, folder=folder, written=written_at
)
