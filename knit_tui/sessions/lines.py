"""From the bytes of a JSONL log to its records; pure, and linear in the bytes whatever they are.

What must be borne: a last line that is only half written, a line of many megabytes, runs of NUL, a
byte order mark, bytes that are no UTF-8, two records on one line (``}{``), a record that begins in
the middle of a torn one, JSON that is too deep or holds numbers Python refuses. Each costs its own
line at most. Line ends are looked for in bytes, so a chunk may end inside a character.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]

MAX_LINE = 2 * 1024 * 1024
"""Bytes. A longer line (an image, a snapshot of a whole history) is passed over without being held."""

_BLANK = b"\x00 \t\r\n"
_MARK = b"\xef\xbb\xbf"
_DECODER = json.JSONDecoder()


class LineBuffer:
    """Chunks in, whole lines out; keeps the unfinished line until its end comes."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self.oversized = 0
        """Lines that were passed over because they are longer than ``limit``."""
        self._parts: list[bytes] = []
        self._held = 0
        self._skipping = False

    def start_inside(self) -> None:
        """The next chunk begins in the middle of a line: drop what is left of it."""
        self._parts, self._held, self._skipping = [], 0, True

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that ``chunk`` ends, without their line ends, in order."""
        if not chunk:
            return []
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes] = []
        for piece in ended:
            self._take(piece)
            if self._skipping:
                self._skipping = False
            else:
                lines.append(b"".join(self._parts))
            self._parts, self._held = [], 0
        self._take(rest)
        return lines

    def _take(self, piece: bytes) -> None:
        if self._skipping or not piece:
            return
        self._held += len(piece)
        if self._held > self.limit:
            self.oversized += 1
            self._skipping = True
            self._parts = []
        else:
            self._parts.append(piece)


def records(line: bytes) -> tuple[list[Record], bool]:
    """The records on one line, and whether something on it could not be used."""
    if line.startswith(_MARK):
        line = line[len(_MARK) :]
    line = line.strip(_BLANK)
    if not line:
        return [], False
    text = line.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _salvage(text)
    return ([value], False) if isinstance(value, dict) else ([], True)


def _salvage(text: str) -> tuple[list[Record], bool]:
    """The whole records in a line that is no JSON.

    Each ``{"`` may be where one begins. A piece counts only when the line ends after it or the next
    record begins there: an object that a torn record holds is followed by ``,``, ``]`` or ``}``.
    Characters looked at are charged, so that no line costs more than a few passes over it.
    """
    found: list[Record] = []
    damaged = False
    budget = 4 * len(text) + 4096
    at = text.find('{"')
    damaged = at != 0
    while at >= 0 and budget > 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            damaged = True
            # The exception itself counts the line ends before it, a fast pass over all of that.
            budget -= max(error.pos - at, 0) + error.pos // 16 + 16
            at = text.find('{"', at + 1)
            continue
        except (ValueError, RecursionError):  # tells no position: charge a quarter of the line
            damaged = True
            budget -= len(text) // 4 + 16
            at = text.find('{"', at + 1)
            continue
        budget -= end - at
        rest = _next(text, end)
        if rest == len(text) or text[rest] == "{":
            found.append(value)
        else:
            damaged = True
        at = text.find('{"', end)
    return found, damaged or at >= 0


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] in "\0 \t\r":
        at += 1
    return at
