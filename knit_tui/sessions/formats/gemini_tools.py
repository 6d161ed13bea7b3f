"""What a tool call of the Gemini CLI, or of its fork Qwen Code, did to files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from knit_tui.sessions.calls import shell_reads
from knit_tui.sessions.events import Actor, EditDone, Event, ReadDone
from knit_tui.sessions.paths import Place, scrub
from knit_tui.sessions.shell import ShellLine, parse

_READER = "read_file"
_READER_OF_MANY = "read_many_files"
_EDITORS = ("replace", "write_file", "edit", "notebook_edit")
_SHELL = "run_shell_command"
_PATHS = ("file_path", "absolute_path", "notebook_path", "path")
_OUTPUT = "Output: "
_BEFORE = (_OUTPUT, "Command: ", "Directory: ")
_TAIL = re.compile(r"(Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)")
_TAIL_LINES = 8
_KILLED = 128
_LISTED = re.compile(r"- `([^`\n]+)`")
_NO_LINE = ShellLine()
_MOST = 1000
"""Files that one call reads; more are not told."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a call asked for, as far as it matters."""

    tool: str
    path: str = ""
    folder: str = ""
    line: ShellLine = _NO_LINE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call."""

    ok: bool
    said: str = ""
    """What the model was shown."""
    display: Any = None
    """What the person was shown."""


def call(name: object, given: object) -> Call | None:
    """A call that concerns files; None for any other."""
    if not (isinstance(name, str) and isinstance(given, dict)):
        return None
    if name == _SHELL:
        folder = scrub(given.get("dir_path")) or scrub(given.get("directory"))
        return Call(name, folder=folder, line=parse(scrub(given.get("command"))))
    if name == _READER or name in _EDITORS:
        return Call(name, next((path for key in _PATHS if (path := scrub(given.get(key)))), ""))
    return Call(name) if name == _READER_OF_MANY else None


def said(responses: list[dict[str, Any]]) -> tuple[str, bool]:
    """The text of a call's results, and whether one of them is an error."""
    found: list[str] = []
    failed = False
    for one in responses:
        response = one.get("response")
        if isinstance(response, dict):
            failed |= bool(response.get("error"))
            found += [text for key in ("output", "error") if (text := scrub(response.get(key)))]
    return "\n".join(found), failed


def events(
    place: Place, cwd: str, asked: Call, outcome: Outcome, by: Actor = "main", call_id: str = ""
) -> list[Event]:
    """The reads and edits of a call that ended."""
    if asked.tool == _SHELL:
        return _shell(place, cwd, asked, outcome, by, call_id)
    if asked.tool == _READER_OF_MANY:
        names = (place.name(cwd, path) for path in _files(outcome.display)) if outcome.ok else ()
        return [ReadDone(name, True, "confirmed", by, call_id) for name in names if name is not None]
    name = place.name(cwd, asked.path)
    if name is None:
        return []
    if asked.tool == _READER:
        return [ReadDone(name, outcome.ok, "confirmed", by, call_id)]
    return [EditDone(name, outcome.ok, by, call_id)]


def _files(display: Any) -> list[str]:
    """The files that were read, from what the person was shown: all of them, or the first ten in text."""
    if isinstance(display, dict):
        listed = display.get("files")
        return [scrub(path) for path in listed[:_MOST]] if isinstance(listed, list) else []
    _, _, listing = scrub(display).partition("**Processed Files")
    return [match.group(1) for match in _LISTED.finditer(listing.partition("\n\n")[0])]


def _shell(place: Place, cwd: str, asked: Call, outcome: Outcome, by: Actor, call_id: str) -> list[Event]:
    if not asked.line.reads:
        return []
    bases = [place.join(cwd, asked.folder) if asked.folder else cwd, cwd]
    ended = _told(outcome.display) or _status(outcome.said)
    if ended is None:
        return []
    status, output = ended
    return list(shell_reads(place, bases, asked.line, status, output, by, call_id))


def _told(display: Any) -> tuple[int | None, str] | None:
    """The exit status and the output of a command that ran to its end, as the log has them."""
    if not (isinstance(display, dict) and display.get("type") == "shell_result"):
        return None
    if display.get("outcome") not in ("completed", "failed"):
        return None
    code = display.get("exitCode")
    return (code if type(code) is int else _KILLED), scrub(display.get("output"))


def _status(text: str) -> tuple[int | None, str] | None:
    """The exit status and the output of a command, from what the model was shown.

    None when it did not run to its end. The lines behind the output tell; newer versions leave them
    out where there is nothing to tell, so a command without an exit code there ended with 0.
    """
    text = text.strip().removeprefix("<untrusted_context>").removesuffix("</untrusted_context>").strip()
    start = 0 if text.startswith(_OUTPUT) else text.find(f"\n{_OUTPUT}") + 1
    if not text.startswith(_BEFORE) or not text.startswith(_OUTPUT, start):
        return None
    tail: dict[str, str] = {}
    for line in reversed(text.rsplit("\n", _TAIL_LINES)[1:]):
        match = _TAIL.fullmatch(line)
        if match is None:
            break
        tail[match.group(1)] = match.group(2)
    output = text[start + len(_OUTPUT) :]
    code = tail.get("Exit Code", "")
    if code.isdecimal() and len(code) < 10:
        return int(code), output
    if tail.get("Signal", "(none)") != "(none)":
        return _KILLED, output
    return (None if code or "Error" in tail else 0), output
