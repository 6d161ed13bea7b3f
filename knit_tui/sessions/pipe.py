"""A pipe that writers send records through, read as they come.

The pipe stays open for reading while it is followed, so that no writer waits for a reader to come, and
is read without waiting. Writers may come, go and be several at once; the pipe itself may be deleted and
made again. What was taken out of a pipe is in it no more: so nothing is taken before `PipeTail.restart`,
which only those call who follow it, and a look at what a log is finds nothing in a pipe.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from knit_tui.sessions.lines import LineBuffer, Record, records

SLICE = 4 * 1024 * 1024
"""Most bytes one call of ``check`` takes out of the pipe."""
_CHUNK = 64 * 1024
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def is_pipe(path: str) -> bool:
    """Whether there is a named pipe at ``path``; it is not opened."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


class PipeTail:
    """The records of the lines that come out of a named pipe. See `knit_tui.sessions.format.Source`.

    A line whose writer closed the pipe ends there, so that a writer that was stopped in the middle of one
    spoils no line of the next.
    """

    started = 0

    def __init__(self, path: str) -> None:
        self.path = path
        self.damaged = 0
        """Lines of which something could not be used."""
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None
        self._written = 0.0
        self._taking = False
        self._lines = LineBuffer()
        self._ready: list[bytes] = []

    def __del__(self) -> None:
        self._close()

    @property
    def oversized(self) -> int:
        """Lines that were passed over because of their length."""
        return self._lines.oversized

    @property
    def mtime(self) -> float:
        """Seconds since the epoch at which the pipe was last written to, as far as known; else 0."""
        return self._written

    def restart(self, window: int | None = None) -> None:
        """From now on, take what comes. What was taken before is not told again."""
        self._taking = True

    def check(self) -> str:
        """``grown``, ``same``, ``missing``, ``unreadable``, or ``replaced`` by something that is no pipe."""
        if not self._taking:
            return "same" if is_pipe(self.path) else "missing"
        state = self._take() if not self._ready else "same"
        return "grown" if self._ready else state

    def head(self) -> Iterator[Record]:
        return iter(())

    def records(self) -> Iterator[Record]:
        """The records of the lines that ended up to the last `check`."""
        ready, self._ready = self._ready, []
        for line in ready:
            found, damaged = records(line)
            self.damaged += damaged
            yield from found

    def _take(self) -> str:
        """Read what is there, first out of a pipe that has since been deleted or made again."""
        try:
            now = os.stat(self.path)
        except (OSError, ValueError):
            self._read()
            return "missing"
        self._written = now.st_mtime
        if self._descriptor is not None and (now.st_dev, now.st_ino) != self._identity:
            self._read()
            self._end_line()
            self._close()
        if not stat.S_ISFIFO(now.st_mode):
            return "replaced"
        if self._descriptor is None and not self._open():
            return "unreadable"
        self._read()
        return "same"

    def _open(self) -> bool:
        try:
            descriptor = os.open(self.path, _FLAGS)
        except (OSError, ValueError):
            return False
        found = os.fstat(descriptor)
        if not stat.S_ISFIFO(found.st_mode):
            os.close(descriptor)
            return False
        self._descriptor, self._identity = descriptor, (found.st_dev, found.st_ino)
        return True

    def _read(self) -> None:
        taken = 0
        while self._descriptor is not None and taken < SLICE:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except BlockingIOError:  # nothing now, but somebody has it open to write
                return
            except OSError:
                self._close()
                return
            if not chunk:  # nobody has it open to write
                self._end_line()
                return
            taken += len(chunk)
            self._ready += self._lines.feed(chunk)

    def _end_line(self) -> None:
        self._ready += [line for line in self._lines.feed(b"\n") if line]

    def _close(self) -> None:
        descriptor, self._descriptor, self._identity = self._descriptor, None, None
        if descriptor is not None:
            os.close(descriptor)
