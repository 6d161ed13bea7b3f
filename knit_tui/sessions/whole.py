"""A log that is one JSON document, which the agent writes anew at every change.

Its one record is the document. While it is being written it is no JSON, which is no damage: what was
read before stands until a whole document is there again. The decoder merges by the ids inside, so a
document that only grew gives what is new.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator

from knit_tui.sessions.lines import Record
from knit_tui.sessions.sources import open_regular

LARGEST = 16 * 1024 * 1024
"""Bytes. A larger document is not read: it would be parsed again at every change."""


class WholeFile:
    """The documents a file holds, one after the other. See `knit_tui.sessions.format.Source`.

    ``identity`` says of a document whose it is; a file that then holds another one's was replaced.
    """

    def __init__(self, path: str, identity: Callable[[Record], object]) -> None:
        self.path = path
        self._identity = identity
        self.damaged = 0
        self.started = 0
        self._begin()

    def _begin(self) -> None:
        self.oversized = 0
        """1 while the document is too large to be read."""
        self._stamp: tuple[int, ...] | None = None
        self._owner: object = None
        self._waiting: Record | None = None

    @property
    def mtime(self) -> float:
        """Seconds since the epoch at which the file was last written, as far as known; else 0."""
        return self._stamp[3] / 1e9 if self._stamp else 0.0

    def restart(self, window: int | None = None) -> None:
        self._begin()

    def check(self) -> str:
        """``same``, ``grown``, ``missing``, ``unreadable``, ``special``, ``replaced``."""
        try:
            now = os.stat(self.path)
        except PermissionError:
            return self._lost("unreadable")
        except (OSError, ValueError):
            return self._lost("missing")
        if not stat.S_ISREG(now.st_mode):
            return self._lost("special")
        stamp = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        if stamp != self._stamp:
            try:
                document = self._read(now.st_size)
            except PermissionError:
                return self._lost("unreadable")
            except OSError:
                return self._lost("missing")
            if document is not None:
                owner = self._identity(document)
                if self._owner is not None and owner != self._owner:
                    return "replaced"
                self._owner, self._waiting = owner, document
            # The file may have been written to since: the stamp from before makes the next check look.
            self._stamp = stamp
        return "same" if self._waiting is None else "grown"

    def _lost(self, state: str) -> str:
        self._stamp = None
        return state

    def _read(self, size: int) -> Record | None:
        """The document; None when there is no whole one. Raises OSError."""
        self.oversized = int(size > LARGEST)
        if self.oversized:
            return None
        with open_regular(self.path) as file:
            data = b""
            while len(data) <= LARGEST and (more := file.read(LARGEST + 1 - len(data))):
                data += more
        try:
            value = json.loads(data.decode("utf-8-sig", "replace").strip(" \t\r\n\0"))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def head(self) -> Iterator[Record]:
        return iter(())

    def records(self) -> Iterator[Record]:
        document, self._waiting = self._waiting, None
        if document is not None:
            yield document
