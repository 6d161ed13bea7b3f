"""A log file that an agent writes to, read as it grows.

The file is asked about by ``stat`` on every poll, never by events (they do not come on network and
WSL mounts), opened only to read, and never kept open: agents rotate, replace and delete logs. A log
is the same as before while device, inode, its first bytes and the bytes before the place read up to
are the same; else everything read from it no longer counts. No line is held that is longer than
`lines.MAX_LINE`, and one call reads at most `SLICE` bytes, so a huge log costs time in portions.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO

from knit_tui.sessions.lines import LineBuffer, Record, records

WINDOW = 8 * 1024 * 1024
"""Bytes from the end at which reading of a longer log begins."""
HEADER = 256 * 1024
"""Bytes from the start in which a log says what it is."""
SLICE = 64 * 1024 * 1024
"""Most bytes one call of ``records`` goes through."""
_CHUNK = 1024 * 1024
_HEAD = 4096
_BEFORE = 64
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: str) -> BinaryIO:
    """``path`` opened to read, without waiting for a pipe's other end.

    Raises OSError; IsADirectoryError for anything that is no regular file.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except ValueError as error:  # a NUL in the name
        raise FileNotFoundError(str(error)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise IsADirectoryError(f"no regular file: {path!r}")
        return os.fdopen(descriptor, "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


class ByteTail:
    """The records of a log of lines, from ``window`` bytes before its end on.

    ``parse`` makes a line, without its end, to records, and says whether some of it could not be used.
    """

    def __init__(
        self, path: str, window: int = WINDOW, parse: Callable[[bytes], tuple[list[Record], bool]] = records
    ) -> None:
        self.path = path
        self._parse = parse
        self.damaged = 0
        """Lines of which something could not be used."""
        self._begin(window)

    def _begin(self, window: int) -> None:
        self.window = window
        self.started = 0
        """Bytes of the log that were left out at its start."""
        self._stamp: tuple[int, ...] | None = None
        self._identity: tuple[int, int] | None = None
        self._size = 0
        self._offset = 0
        self._head = b""
        self._before = b""
        self._lines = LineBuffer()
        self._failed = False

    @property
    def oversized(self) -> int:
        """Lines that were passed over because of their length."""
        return self._lines.oversized

    def restart(self, window: int | None = None) -> None:
        """Forget the log; the next call begins as if it had never been read."""
        self.damaged = 0
        self._begin(self.window if window is None else window)

    @property
    def mtime(self) -> float:
        """Seconds since the epoch at which the log was last written, as far as known; else 0."""
        return self._stamp[3] / 1e9 if self._stamp else 0.0

    def check(self) -> str:
        """``same``, ``grown``, ``missing``, ``unreadable``, ``special``, ``truncated``, ``replaced``."""
        if self._failed:  # told once, then tried again
            self._failed = False
            return self._lost("unreadable")
        try:
            now = os.stat(self.path)
        except PermissionError:
            return self._lost("unreadable")
        except (OSError, ValueError):
            return self._lost("missing")
        stamp = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        if stamp == self._stamp:
            return "grown" if self._offset < self._size else "same"
        if not stat.S_ISREG(now.st_mode):
            return self._lost("special")
        try:
            with open_regular(self.path) as file:
                return self._compare(file)
        except PermissionError:
            return self._lost("unreadable")
        except OSError:
            return self._lost("missing")

    def _lost(self, state: str) -> str:
        """The log is away; when it is back it is compared, whatever its stamp."""
        self._stamp = None
        return state

    def _compare(self, file: BinaryIO) -> str:
        now = os.fstat(file.fileno())
        identity = (now.st_dev, now.st_ino)
        if self._identity is not None:
            if identity != self._identity:
                return "replaced"
            if now.st_size < self._offset:
                return "truncated"
            if _at(file, 0, len(self._head)) != self._head:
                return "replaced"
            if _at(file, self._offset - len(self._before), len(self._before)) != self._before:
                return "replaced"
        elif now.st_size > self.window:
            self.started = self._offset = now.st_size - self.window
            self._lines.start_inside()
        if len(self._head) < _HEAD:
            self._head = _at(file, 0, min(_HEAD, now.st_size))
        self._identity = identity
        self._size = now.st_size
        self._stamp = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        return "grown" if self._offset < self._size else "same"

    def head(self) -> Iterator[Record]:
        """The records in the first `HEADER` bytes that lie before the window: what the log says of itself.

        Their damage is not counted: when the window covers them they come again.
        """
        if not self.started:
            return
        try:
            with open_regular(self.path) as file:
                data = _at(file, 0, min(HEADER, self.started))
        except OSError:
            return
        for line in data.split(b"\n")[:-1]:
            yield from self._parse(line)[0]

    def records(self) -> Iterator[Record]:
        """The records of the lines that ended since the last call. Ends early when the file goes.

        To be run through to its end: a record that is not taken is not told again.
        """
        end = min(self._size, self._offset + SLICE)
        if self._identity is None or self._offset >= end:
            return
        try:
            with open_regular(self.path) as file:
                found = os.fstat(file.fileno())
                if (found.st_dev, found.st_ino) != self._identity:
                    self._stamp = None  # replaced since the check: the next check sees it
                    return
                file.seek(self._offset)
                while self._offset < end:
                    chunk = file.read(min(_CHUNK, end - self._offset))
                    if not chunk:
                        self._stamp = None
                        return
                    self._offset += len(chunk)
                    self._before = (
                        (self._before + chunk)[-_BEFORE:] if len(chunk) < _BEFORE else chunk[-_BEFORE:]
                    )
                    for line in self._lines.feed(chunk):
                        found_here, damaged = self._parse(line)
                        self.damaged += damaged
                        yield from found_here
        except OSError:
            self._failed = True


def _at(file: BinaryIO, offset: int, length: int) -> bytes:
    """``length`` bytes from ``offset`` on, fewer at the end of the file."""
    file.seek(offset)
    data = b""
    while len(data) < length:
        more = file.read(length - len(data))
        if not more:
            break
        data += more
    return data
