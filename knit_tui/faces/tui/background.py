"""Whether the terminal's background is dark: the terminal is asked, and what it answers is not trusted.

The question goes out before the terminal library is loaded, which takes longer than an answer, so that
nobody waits. What comes in meanwhile and is no answer has been typed: it is kept for the panel.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

if sys.platform != "win32":
    import termios

ASK = b"\x1b]11;?\x1b\\\x1b[c"
"""The background's colour, and what every terminal tells at once: an answer to that one alone is "none"."""
_LONGEST = 64
"""Bytes of an answer; no terminal sends more, and of a longer one only the end is looked for."""
_ANSWER = re.compile(rb"\x1b\]11;([ -~]*)(?:\x07|\x1b\\)")
_BROKEN_OFF = re.compile(rb"\x1b\]11;[ -~]*")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]*c")
_BEGUN = re.compile(rb"\x1b(?:\](?:1(?:1(?:;[ -~]*\x1b?)?)?)?|\[(?:\?[\d;]*)?)?\Z")
_COLOUR = re.compile(
    rb"rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})(?:/[0-9a-f]{1,4})?", re.IGNORECASE
)
_MIDDLE = 0.5
_PATIENCE, _FAR_PATIENCE = 0.15, 0.5
"""Seconds from the question in which an answer changes the first frame; the second over a network."""
_LONGEST_WAY = 5.0
"""Seconds from the question after which no answer comes any more."""


class Answer:
    """Picks the answers out of what a terminal sends."""

    def __init__(self) -> None:
        self.dark: bool | None = None
        """None while it is not known."""
        self.complete = False
        """Nothing more will come."""
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Take in what came; returns what of it is no answer."""
        data = self._held + data
        self._held = b""
        out = b""
        while data:
            start = data.find(b"\x1b")
            if start < 0:
                return out + data
            out, data = out + data[:start], data[start:]
            if found := _ANSWER.match(data):
                if self.dark is None:
                    self.dark = is_dark(found[1])
                data = data[found.end() :]
            elif found := _ATTRIBUTES.match(data):
                self.complete = True
                data = data[found.end() :]
            elif _BEGUN.match(data):
                self._held = _shortened(data)
                return out
            elif found := _BROKEN_OFF.match(data):
                data = data[found.end() :]
            else:
                out, data = out + data[:1], data[1:]
        return out

    def pressed(self) -> bytes:
        """What is kept back when nothing follows it: the Escape key, unless an answer has begun."""
        held = self._held
        if held != b"\x1b":
            return b""
        self._held = b""
        return held

    def rest(self) -> bytes:
        """Give up on what is kept back; returns it, unless it was meant to be an answer."""
        held, self._held = self._held, b""
        return b"" if held.startswith((b"\x1b]11;", b"\x1b[?")) else held


def _shortened(data: bytes) -> bytes:
    if len(data) <= _LONGEST or not data.startswith(b"\x1b]11;"):
        return data
    return data[:_LONGEST] + (b"\x1b" if data.endswith(b"\x1b") else b"")


def is_dark(colour: bytes) -> bool | None:
    """Whether a colour as X11 writes it, ``rgb:1e1e/1e1e/2e2e``, is dark; None when it is not one."""
    found = _COLOUR.fullmatch(colour)
    if found is None:
        return None
    parts: list[bytes] = list(found.groups())
    red, green, blue = (int(part, 16) / (16.0 ** len(part) - 1) for part in parts)
    return 0.299 * red + 0.587 * green + 0.114 * blue < _MIDDLE


def said_by(environ: Mapping[str, str]) -> bool | None:
    """What ``COLORFGBG`` says of the background, as ``15;0``; None when it says nothing."""
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    # As vim has it: of the 16 colours white and the bright ones but grey are light.
    return int(number) in (*range(7), 8) if re.fullmatch(r"1[0-5]|\d", number, re.ASCII) else None


class Question:
    """A question to a terminal whose answer may be late.

    While it is open the terminal neither echoes nor waits for the end of a line.

    Args:
        source: Where the terminal is read.
        target: Where it is written.
        clock: Seconds.

    Raises:
        OSError: It cannot be asked.
    """

    def __init__(
        self, source: int = 0, target: int = 2, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.answer = Answer()
        self.typed = b""
        """What came in and is no answer."""
        self._source = source
        self._clock = clock
        self._asked = clock()
        self._modes: list[Any] | None = _set_raw(source)
        try:
            os.write(target, ASK)
        except OSError:
            self.close()
            raise

    @property
    def over(self) -> bool:
        """Whether nothing of an answer can come any more."""
        return self.answer.complete or self._clock() > self._asked + _LONGEST_WAY

    def wait(self, environ: Mapping[str, str]) -> bool | None:
        """The answer, as soon as it is here; None when it is late or there is none."""
        patience = _FAR_PATIENCE if "SSH_CONNECTION" in environ else _PATIENCE
        while not self.answer.complete:
            left = max(0.0, self._asked + patience - self._clock())
            if not select.select([self._source], [], [], left)[0]:
                break
            data = os.read(self._source, 4096)
            if not data:
                break
            self.typed += self.answer.feed(data)
        return self.answer.dark

    def close(self) -> None:
        """Leave the terminal as it was."""
        modes, self._modes = self._modes, None
        if modes is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._source, termios.TCSANOW, modes)


def _set_raw(source: int) -> list[Any]:
    """Change the modes of a terminal, signals apart; returns those it had."""
    try:
        before, modes = termios.tcgetattr(source), termios.tcgetattr(source)
        modes[3] &= ~(termios.ECHO | termios.ICANON)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(source, termios.TCSANOW, modes)
    except termios.error as error:
        raise OSError(*error.args) from error
    return before


def ask() -> Question | None:
    """Ask the terminal the panel is going to run in; None where there is nobody to ask."""
    if sys.platform == "win32":
        return None
    source, target = sys.__stdin__, sys.__stderr__
    try:
        if source is None or target is None or not source.isatty() or not target.isatty():
            return None
        if os.tcgetpgrp(source.fileno()) != os.getpgrp():
            return None  # in the background: to touch the terminal would stop us
        return Question(source.fileno(), target.fileno())
    except (OSError, ValueError):
        return None


def dark_by(question: Question | None, environ: Mapping[str, str]) -> bool:
    """Whether the background is dark, by the terminal, else by ``COLORFGBG``; dark when nobody knows.

    The question is closed then.
    """
    dark = None
    if question is not None:
        dark = question.wait(environ)
        question.close()
    if dark is None:
        dark = said_by(environ)
    return dark is not False
