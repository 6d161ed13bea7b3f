"""Aider: one Markdown file for all runs in a repository, read line by line.

| line | is |
| --- | --- |
| ``# aider chat started at <time>`` | the start of a run |
| ``#### <text>`` and two blanks | a line of a prompt |
| ``> <text>`` and two blanks | a line of the program's own |
| any other | part of an answer |

An answer may hold headings and quotations of its own. The program's are told from them by the two
blanks, and by what they follow: an empty line, or another line of their kind. There is no tool that
reads: a file is in the conversation because the person put it there or agreed to it, which is a
mention. A run begins a session of its own, unless it restored the conversation before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from knit_tui.sessions.events import (
    AssistantText,
    EditDone,
    Event,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format, Source
from knit_tui.sessions.formats.aider_folders import AiderLocator, folder
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.sources import ByteTail

_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
_PROMPT = "#### "
_BREAK = "  "
_CHOICES = " (Y)es/(N)o"
_TO_CHAT = "Add file to the chat?"
_ADDED = re.compile(r"Added (.+?) to (?:the chat(?: \(read-only\))?|read-only files)\.?$")
_NO_FILE = re.compile(r"\d+ (?:lines? of output|files from directory\b.*)$")
_EDITED = re.compile(r"(?:Applied edit to|Creating empty file) (.+)$")
_NOT_EDITED = re.compile(
    r"(?:Skipping edits to|Did not apply edit to) (.+?)(?: that matches .*| \(--dry-run\))?$"
)
_CLEARED = ("All chat history cleared.", "All files dropped and chat history cleared.")
_RESTORED = "Restored previous conversation history."
_TALKS = ("ask", "code", "architect", "context", "help", "ok")
"""Commands of which the rest is said to the model."""
_THOUGHT = re.compile(r"<(think|thinking-content-[0-9a-f]+)>.*?(?:</\1>|\Z)", re.DOTALL)


class AiderDecoder:
    """One history file's lines to events. See `knit_tui.sessions.format.Decoder`."""

    foreign = False

    def __init__(self, place: Place, name: str, cwd: str = "") -> None:
        self.unknown = 0
        self._place = place
        self._cwd = cwd
        self._session_id = name
        self._begun = False
        """A session was told."""
        self._run = ""
        """The run that has started, until something was said in it; what it tells waits in ``_held``."""
        self._restored = False
        self._held: list[Event] = []
        self._kind: Literal["", "prompt", "own", "answer"] = ""
        """What the lines before are part of; empty where reading began, inside whatever it is."""
        self._after_blank = True
        self._lines: list[str] = []
        self._subject = ""
        """The line before a question: what is asked about."""
        self._prompts = 0
        self._count = 0

    def decode(self, record: Record) -> list[Event]:
        self._count += 1
        line = record.get("line")
        if not isinstance(line, str):
            self.unknown += 1
            return []
        line = scrub(line)
        after_blank, self._after_blank = self._after_blank, not line.strip()
        start = _START.match(line) if after_blank else None
        if start is not None:
            events = self.settle()
            self._kind, self._subject = "own", ""
            self._run, self._restored, self._held = _id(start.group(1)), False, []
            return events
        if line.startswith(_PROMPT) and line.endswith(_BREAK) and (after_blank or self._kind == "prompt"):
            events = self.settle() if after_blank else []
            self._kind = "prompt"
            self._lines.append(line[len(_PROMPT) :].rstrip())
            return events
        follows = after_blank or self._kind in ("own", "prompt")
        if line.startswith(">") and line.endswith(_BREAK) and follows:
            events = self.settle()
            self._kind = "own"
            return events + self._own(line[1:].strip())
        if self._kind == "answer":
            self._lines.append(line)
        elif self._kind and not self._after_blank:
            events = self.settle()
            self._kind = "answer"
            self._lines.append(line)
            return events
        return []

    def settle(self) -> list[Event]:
        """What the lines so far give, as a prompt or an answer that has ended."""
        text, self._lines = "\n".join(self._lines).strip(), []
        if self._kind == "prompt" and text:
            return self._typed(text)
        if self._kind == "answer":
            text = _THOUGHT.sub("", text).strip()
            return self._said(AssistantText(f"record-{self._count}", text)) if text else []
        return []

    def _typed(self, text: str) -> list[Event]:
        if _question(text) is not None:  # an answer that was given for several questions, told again
            return []
        prompt = _prompt(text)
        if not prompt:
            return self._open()
        events = self._said(UserMessage(f"record-{self._count}", prompt))
        self._prompts += 1
        return events

    def _said(self, event: Event) -> list[Event]:
        return self._open() + self._told([event])

    def _open(self) -> list[Event]:
        """Something was said: what waited for it, after the session it belongs to."""
        if not self._run:
            return []
        events: list[Event] = []
        if not (self._begun and self._restored):
            events = [Reset("session")] if self._begun else []
            self._begun, self._prompts, self._session_id = False, 0, self._run
        held, self._held, self._run = self._held, [], ""
        return events + self._told(held)

    def _told(self, events: list[Event]) -> list[Event]:
        if self._run:
            self._held += events
            return []
        if not self._begun and events:
            self._begun = True
            return [SessionInfo("aider", self._session_id, self._cwd), *events]
        return events

    def _own(self, text: str) -> list[Event]:
        """What the program's own line tells."""
        subject, self._subject = self._subject, text
        question = _question(text)
        if question is not None:
            agreed = question[0] == _TO_CHAT and question[1][:1].lower() in ("y", "a")
            return self._mention(subject) if agreed else []
        if text == _RESTORED:
            self._restored = True
        elif text in _CLEARED and self._prompts:
            turns, self._prompts = self._prompts, 0
            return self._told([Rewind(turns=turns)])
        added, edited, refused = _ADDED.match(text), _EDITED.match(text), _NOT_EDITED.match(text)
        if added is not None:
            return [] if _NO_FILE.match(added.group(1)) else self._mention(added.group(1))
        changed = edited or refused
        path = self._place.name(self._cwd or None, changed.group(1)) if changed is not None else None
        return [] if path is None else self._told([EditDone(path, edited is not None)])

    def _mention(self, path: str) -> list[Event]:
        name = self._place.name(self._cwd or None, path)
        return [] if name is None else self._told([ReadDone(name, True, "mention")])


def _id(started: str) -> str:
    return started.replace(" ", "_").replace(":", "-")


def _question(text: str) -> tuple[str, str] | None:
    """A question of the program and what was answered; None for anything else."""
    question, mark, rest = text.partition(_CHOICES)
    _, closed, answer = rest.rpartition("]:")
    answer = answer.strip()
    return (question, answer) if mark and closed and "\n" not in text and " " not in answer else None


def _prompt(text: str) -> str:
    """What of a typed text is said to the model."""
    if text.startswith("!") or text == "<blank>":
        return ""
    if not text.startswith("/"):
        return text
    command, _, rest = text[1:].partition(" ")
    meant = [name for name in _TALKS if command and name.startswith(command)]
    if len(meant) != 1:  # a command that is no talk, or one cut so short that aider refuses it
        return ""
    return rest.strip() or ("ok" if meant == ["ok"] else "")


class _Lines(ByteTail):
    """The lines of a file, as records."""

    def __init__(self, path: str, window: int) -> None:
        super().__init__(path, window, _line)

    def head(self) -> Iterator[Record]:
        """Nothing: the start of the file is of other runs."""
        return iter(())


def _line(line: bytes) -> tuple[list[Record], bool]:
    return [{"line": line.removesuffix(b"\r").decode("utf-8", "replace")}], False


def source(address: Address, window: int) -> Source:
    return _Lines(address.path, window)


def written(record: Record) -> object:
    """Lines have no time."""
    return None


def recognises(record: Record) -> bool:
    """Whether the line is one that starts a run."""
    line = record.get("line")
    return isinstance(line, str) and _START.match(line) is not None


FORMAT = Format(
    "aider", AiderLocator, AiderDecoder, recognises, source=source, folder=folder, written=written
)
