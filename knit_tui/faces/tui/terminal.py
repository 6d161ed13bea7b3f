"""The terminal the panel runs in: whether it will do, and whether it is still there."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable

from knit_tui.faces.i18n import _
from knit_tui.faces.usage_words import lacks_signs, use_ascii

_LOOK_SECONDS = 1.0
_GRACE_SECONDS = 2.0
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
            reconfigure(errors="replace")
    use_ascii(lacks_signs(os.environ, getattr(sys.__stderr__, "encoding", None)))
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


class Lifeline(threading.Thread):
    """Sees to it that the panel ends when its terminal or its parent process does.

    The terminal library reads on at the end of input, busily and for ever, and a write to a terminal
    that is gone may block. So this watches from a thread of its own: it calls ``on_gone`` once, and
    ends the process itself when that has not led to ``release`` within a grace period.
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
        self._released = threading.Event()

    def run(self) -> None:
        while not self._gone():
            if self._released.is_set():
                return
            if self._ending.is_set():
                break
        else:
            self._on_gone()
        if not self._released.wait(self._grace):
            self._end(HANGUP)

    def _gone(self) -> bool:
        if os.getppid() != self._parent:
            return True
        poll = select.poll()
        poll.register(self._fd, 0)
        return bool(poll.poll(self._look * 1000))

    def end_soon(self) -> None:
        """The panel was asked to end: no more watching, only the grace period."""
        self._ending.set()

    def release(self) -> None:
        """The panel has ended in an orderly way."""
        self._released.set()
