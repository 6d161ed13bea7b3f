"""The terminal the panel runs in: whether it will do, and whether it is still there."""

from __future__ import annotations

import codecs
import contextlib
import math
import os
import select
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import cells
from knit_tui.faces.usage_words import lacks_signs, use_ascii

_CELLS = "knit.cells"
"""Name of a way to treat what an encoding lacks."""
_LOOK_SECONDS = 1.0
_GRACE_SECONDS = 2.0
_MODES = b"?2026l ?1000l ?1003l ?1015l ?1006l ?1016l ?2004l ?2048l ?1004l ?7h <u ?1049l ?25h 0m"
_GIVE_BACK = b"".join(b"\x1b[" + each for each in _MODES.split())
"""Ends all that the terminal library begins; the keyboard's own state is of the screen that is left then."""
HANGUP = 129
"""Exit code of a process that ended because its terminal went away."""


def terminal_problem() -> str | None:
    """Why the panel cannot run here, as one line; None when it can."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return _("the panel needs a terminal; in a pipe use: knit --query TEXT")
    if os.environ.get("TERM", "") == "dumb":
        return _(
            "the panel needs a terminal that can move the cursor, and TERM is dumb; use: knit --query TEXT"
        )
    return None


def prepare_terminal() -> None:
    """Let characters the terminal's encoding lacks show as ``?``, and the terminal alone say its size.

    ``COLUMNS`` and ``LINES`` are what the size was when something exported them; a panel that
    believed them would never follow a resize.
    """
    reconfigure = getattr(sys.__stderr__, "reconfigure", None)
    if reconfigure is not None:
        # A stream that cannot be changed keeps its own way of showing them.
        with contextlib.suppress(OSError, ValueError):
            reconfigure(errors=_CELLS)
    use_ascii(lacks_signs(os.environ, getattr(sys.__stderr__, "encoding", None)))
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    heed_no_colour(os.environ)


def heed_no_colour(environ: MutableMapping[str, str]) -> None:
    """Let ``NO_COLOR`` be there if it says something, or if the terminal has no colours.

    Programs that are started from here see it too.
    """
    if not environ.get("NO_COLOR", "set"):
        del environ["NO_COLOR"]
    if lacks_colours(environ):
        environ["NO_COLOR"] = "1"


def _as_marks(error: UnicodeError) -> tuple[str, int]:
    """A question mark for each cell of what cannot be written, so that nothing beside it moves."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "?" * cells(error.object[error.start : error.end]), error.end


codecs.register_error(_CELLS, _as_marks)


def lacks_colours(environ: Mapping[str, str]) -> bool:
    """Whether the system's database knows the kind of terminal, and that it has no colours."""
    if environ.get("COLORTERM"):
        return False
    try:
        import curses
    except ImportError:
        return False
    try:
        curses.setupterm(environ.get("TERM", ""), 2)
    except curses.error:
        return False
    return curses.tigetnum("colors") < 1


class Lifeline(threading.Thread):
    """Sees to it that the process ends: when its terminal or its parent does, and soon once it is told to.

    The terminal library reads on at the end of input, busily and for ever, a write to a terminal that is
    gone may block, and Python waits at its end for every thread. So this watches from a thread of its own:
    it calls ``on_gone`` once, and ends the process itself when that has not ended within a grace period.
    """

    def __init__(
        self,
        on_gone: Callable[[], object],
        *,
        fd: int = 0,
        look: float = _LOOK_SECONDS,
        grace: float = _GRACE_SECONDS,
        end: Callable[[int], None] = os._exit,
    ) -> None:
        super().__init__(name="knit-lifeline", daemon=True)
        self._look = look
        self._grace = grace
        self._on_gone = on_gone
        self._fd = fd
        self._end = end
        self._parent = os.getppid()
        self._ending = threading.Event()
        self._code = HANGUP
        self._until = math.inf
        self._before = _attributes(fd)

    def run(self) -> None:
        while not self._ending.is_set():
            if self._gone():
                self.end_soon(HANGUP)
                self._on_gone()
        while (left := self._until - time.monotonic()) > 0:
            time.sleep(min(left, self._grace))
        self._give_back()
        self._end(self._code)

    def _gone(self) -> bool:
        if os.getppid() != self._parent:
            return True
        poll = select.poll()
        poll.register(self._fd, 0)
        return bool(poll.poll(self._look * 1000))

    def end_soon(self, code: int, grace: float | None = None) -> None:
        """The process is to end with ``code``, by itself within the grace period; the earliest end counts."""
        self._code = code
        self._until = min(self._until, time.monotonic() + (self._grace if grace is None else grace))
        self._ending.set()

    def _give_back(self) -> None:
        """Make the terminal what it was, where nobody did and this cannot block."""
        if self._before is None or _attributes(self._fd) == self._before:
            return
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        with contextlib.suppress(termios.error, OSError):
            termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
            if poll.poll(0) == [(self._fd, select.POLLOUT)]:
                os.write(self._fd, _GIVE_BACK)


def _attributes(fd: int) -> list[Any] | None:
    try:
        return termios.tcgetattr(fd)
    except termios.error:
        return None
