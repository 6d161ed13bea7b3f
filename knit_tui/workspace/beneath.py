"""Opening things below a folder, and never anything else.

Every folder on the way is opened by itself and may be no symbolic link, so that no name and no race
leads outside. Paths are as deep as the file system lets them be: none is ever handed over whole.
"""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from pathlib import Path
from types import TracebackType

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_KEPT = 32
"""Folders kept open: a walk that goes deep first finds the parent of nearly every folder among them."""


class NotRegular(OSError):
    """What has this name is no regular file."""

    def __init__(self, mode: int) -> None:
        super().__init__("not a regular file")
        self.mode = mode


_NO_NAMES = frozenset(("", ".", ".."))


def parts_of(rel: str) -> list[str] | None:
    """The segments of a relative path, or None when it is not plainly one below its root."""
    parts = rel.split("/")
    return None if "\0" in rel or not _NO_NAMES.isdisjoint(parts) else parts


class Beneath:
    """A root folder held open, and ways to what is below it."""

    def __init__(self, root: Path) -> None:
        """Open the root, which may itself be reached through a link.

        Raises:
            OSError: there is no such folder, or it cannot be read.
        """
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._open: OrderedDict[str, int] = OrderedDict()

    def __enter__(self) -> Beneath:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._open:
            os.close(self._open.popitem()[1])
        os.close(self._root)

    def folder(self, rel: str) -> int:
        """A file descriptor of the folder ``rel`` (empty: the root); valid until the next call.

        Raises:
            OSError: gone, unreadable, or a link or a file stands in the way.
        """
        if not rel:
            return self._root
        known = self._open.get(rel)
        if known is not None:
            self._open.move_to_end(rel)
            return known
        parts = rel.split("/")
        count, descriptor = len(parts) - 1, self._root
        while count:
            prefix = "/".join(parts[:count])
            if prefix in self._open:
                self._open.move_to_end(prefix)
                descriptor = self._open[prefix]
                break
            count -= 1
        for end in range(count, len(parts)):
            descriptor = os.open(parts[end], _FOLDER, dir_fd=descriptor)
            self._open["/".join(parts[: end + 1])] = descriptor
            if len(self._open) > _KEPT:
                os.close(self._open.popitem(last=False)[1])
        return descriptor


def open_regular(name: str, folder: int) -> int:
    """Open a regular file by its name in an open folder, without following or waiting for anything.

    Raises:
        NotRegular: a link, folder, FIFO, socket or device has this name.
        OSError: gone or unreadable.
    """
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISREG(mode):
        raise NotRegular(mode)
    descriptor = os.open(name, _FILE, dir_fd=folder)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotRegular(mode)
    return descriptor


def read_head(descriptor: int, limit: int) -> bytes:
    """At most ``limit`` bytes from where the file stands; fewer only at its end."""
    pieces: list[bytes] = []
    while limit > 0:
        piece = os.read(descriptor, limit)
        if not piece:
            break
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)
