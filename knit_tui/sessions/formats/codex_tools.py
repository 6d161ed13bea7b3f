"""What Codex' calls ask for and what their outputs tell; strings in, values out.

Codex has no tool that reads a file: it runs commands, as a call of its own or from a cell of
JavaScript, and how a command ended stands in a few lines before its output, in JSON around it, or
nowhere. File contents can imitate those lines, so they count only where the program writes them.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from dataclasses import dataclass
from typing import Any

from knit_tui.sessions.paths import scrub

_SHELLS = {"bash", "sh", "zsh", "dash", "ksh"}
_STATUS = re.compile(r"(?:Exit code:|Process exited with code) (-?\d{1,9})\s*$")
_HEADER = re.compile(
    r"(?:Exit code:|Chunk ID:|Wall time|Process |Original token count:|Total output lines:|Script )"
)
_OUTPUT = "Output:"
_HEADER_LINES = 12
_PATCH_FILE = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE)
_EXEC = re.compile(r"\b(?:exec_command|shell_command|shell)\s*\(\s*\{")
_KEY = re.compile(r"""["']?\b(cmd|command|workdir)["']?\s*:\s*(["'`])""")
_LITERAL = {
    '"': re.compile(r'([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL),
    "'": re.compile(r"([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL),
    "`": re.compile(r"([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL),
}
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


@dataclass(frozen=True, slots=True)
class Command:
    text: str
    workdir: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a call ended, as far as its output tells."""

    status: int | None
    """Exit status; None when it is not told."""
    output: str
    running: bool = False
    """It has not ended yet."""


def script(command: Any) -> str:
    """A command as one line for the shell, from a string or an argument list."""
    if isinstance(command, str):
        return scrub(command)
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        return ""
    if len(command) >= 3 and posixpath.basename(command[0]) in _SHELLS and re.fullmatch(r"-\w*c", command[1]):
        return scrub(command[2])
    return scrub(shlex.join(command))


def call_commands(arguments: Any) -> list[Command]:
    """The command of a function call's arguments (JSON text or its value)."""
    given = _loads(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(given, dict):
        return []
    text = script(given.get("cmd") or given.get("command"))
    workdir = scrub(given.get("workdir") or given.get("working_directory")) or None
    return [Command(text, workdir)] if text else []


def call_path(arguments: Any) -> str:
    """The file a function call's arguments name; ``""`` when none."""
    given = _loads(arguments) if isinstance(arguments, str) else arguments
    return scrub(given.get("path")) if isinstance(given, dict) else ""


def cell_commands(source: str) -> list[Command]:
    """The commands a cell of JavaScript runs, as far as they are plain strings in it, in order."""
    commands: list[Command] = []
    starts = [match.end() for match in _EXEC.finditer(source)]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(source)
        given: dict[str, str | None] = {}
        at = start
        while len(given) < 2 and (key := _KEY.search(source, at, end)):
            literal = _LITERAL[key.group(2)].match(source, key.end(), end)
            if literal is None:
                break
            at = literal.end()
            name = "workdir" if key.group(1) == "workdir" else "cmd"
            moving = key.group(2) == "`" and "${" in literal.group(1)
            given.setdefault(name, None if moving else _unescaped(literal.group(1)))
        text = given.get("cmd")
        if text:
            commands.append(Command(scrub(text), scrub(given.get("workdir")) or None))
    return commands


def patched(text: str) -> list[str]:
    """The files an ``apply_patch`` text names, in order, each once."""
    if "*** Begin Patch" not in text:
        return []
    return list(dict.fromkeys(scrub(name).strip() for name in _PATCH_FILE.findall(text)))


def cell_patched(source: str) -> list[str]:
    """The files the patches in a cell of JavaScript name."""
    if "*** Begin Patch" not in source:
        return []
    return patched(_unescaped(source))


def result(output: Any) -> Result:
    """The result of a call that ran one command or patch."""
    text = "\n".join(_parts(output))
    if text.startswith("{"):
        value = _loads(text)
        if isinstance(value, dict) and ("output" in value or "metadata" in value):
            metadata = value.get("metadata")
            status = metadata.get("exit_code") if isinstance(metadata, dict) else value.get("exit_code")
            return Result(_status(status), scrub(value.get("output")))
    header, body = _header(text)
    if header is None:
        return Result(None, text)
    found = [match for match in map(_STATUS.match, header) if match]
    running = any(line.startswith(("Process running", "Script running")) for line in header)
    failed = any(line.startswith("Script failed") for line in header)
    return Result(int(found[0].group(1)) if found else 1 if failed else None, body, running and not found)


def cell_results(output: Any, count: int) -> tuple[list[Result], bool]:
    """The results of a cell that ran ``count`` commands, and whether the whole cell failed.

    Empty when the cell is still running. A cell prints what its script says: results as JSON, or
    only outputs, in order, or anything.
    """
    parts = _parts(output)
    whole = result(output)
    if whole.running:
        return [], False
    failed = bool(parts) and parts[0].startswith("Script failed")
    rest = parts[1:] if parts and _header(parts[0])[0] is not None else parts
    told = [value for part in rest if isinstance(value := _json_object(part), dict) and "exit_code" in value]
    if len(told) == count:
        return [Result(_status(value.get("exit_code")), scrub(value.get("output"))) for value in told], failed
    if len(rest) == count and not failed:
        return [Result(None, part) for part in rest], failed
    status = 1 if failed and count == 1 else None
    return [Result(status, "\n".join(rest)) for _ in range(count)], failed


def _parts(output: Any) -> list[str]:
    if isinstance(output, str):
        return [scrub(output)]
    if isinstance(output, dict):
        return _parts(output.get("content", output.get("output")))
    if isinstance(output, list):
        return [scrub(part.get("text")) for part in output if isinstance(part, dict) and part.get("text")]
    return []


def _header(text: str) -> tuple[list[str] | None, str]:
    """The lines the program puts before an output, and the output; no lines when it put none."""
    if not _HEADER.match(text):
        return None, text
    lines: list[str] = []
    at = 0
    while len(lines) < _HEADER_LINES and at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        at = end + 1
        if line == _OUTPUT:
            return lines, text[at:]
        lines.append(line)
    return None, text


def _json_object(text: str) -> Any:
    return _loads(text) if text.startswith("{") else None


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _status(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _unescaped(literal: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match.group(1) or match.group(2) or match.group(3)
        if code is None:
            return _ESCAPED.get(match.group(4), match.group(4))
        return chr(min(int(code, 16), 0x10FFFF))

    return _ESCAPE.sub(one, literal)
