"""Events of the system for a set of folders, through the backend of watchfiles.

Folders are watched in groups, so that a change of the set sets up only a part of them again: while
one group is set up, about 35 microseconds a folder, no other thread runs.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

GROUP = 1_000
"""Folders of one group."""
_DEBOUNCE_MS = 50
_ATTEMPTS = 3
_PATH_LIMIT = 4_000
"""Bytes of a path; the system takes no longer one."""
_DELETED = 3
_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


class Refused(Exception):
    """The system gives no events. ``why``: ``limit`` (too many watches) or ``error``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Events:
    """The folders that are watched, and what happened in them."""

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        self._where: dict[str, _Group] = {}

    def arrange(self, folders: frozenset[str]) -> int:
        """Watch these absolute paths, as far as they are folders, and no others.

        Returns:
            How many of them cannot be watched because of what they are called.

        Raises:
            Refused: no events are to be had.
        """
        touched: list[_Group] = []
        for path in self._where.keys() - folders:
            group = self._where.pop(path)
            group.folders.discard(path)
            # A folder that is gone took its watch along; one that is only not wanted still has it.
            if _is_folder(path):
                touched.append(group)
        unfit = 0
        for path in sorted(folders - self._where.keys()):
            if not _can_be_named(path):
                unfit += 1
            elif _is_folder(path):
                group = self._group_with_room()
                group.folders.add(path)
                self._where[path] = group
                touched.append(group)
        for group in dict.fromkeys(touched):
            self._renew(group)
        self._groups = [group for group in self._groups if group.folders]
        return unfit

    def poll(self) -> set[str]:
        """The paths where something happened since the last call; takes a few milliseconds.

        A watched folder that was deleted or moved is forgotten with all below it: ``arrange`` watches
        what stands there now.

        Raises:
            Refused: no events are to be had any more.
        """
        paths: set[str] = set()
        for group in self._groups:
            try:
                changes = group.poll()
            except (OSError, RuntimeError):
                # A file name that is not UTF-8 ends a native watcher: it did tell that something happened.
                paths.update(group.folders)
                self._renew(group)
                continue
            for kind, path in changes:
                paths.add(path)
                if kind == _DELETED and path in self._where:
                    self._forget(path)
        return paths

    def close(self) -> None:
        """Watch nothing."""
        for group in self._groups:
            group.close()
        self._groups.clear()
        self._where.clear()

    def _forget(self, path: str) -> None:
        below = f"{path}/"
        for known in [known for known in self._where if known == path or known.startswith(below)]:
            self._where.pop(known).folders.discard(known)

    def _group_with_room(self) -> _Group:
        if not self._groups or len(self._groups[-1].folders) >= GROUP:
            self._groups.append(_Group())
        return self._groups[-1]

    def _renew(self, group: _Group) -> None:
        """Set up the watcher of a group for the folders it has now."""
        for _ in range(_ATTEMPTS):
            try:
                group.renew()
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                for path in [path for path in group.folders if not _is_folder(path)]:
                    group.folders.discard(path)
                    self._where.pop(path, None)
            except (OSError, RuntimeError) as error:
                raise Refused(_reason(error)) from error
            else:
                return
        raise Refused("error")


class _Group:
    """Folders that one native watcher watches."""

    def __init__(self) -> None:
        self.folders: set[str] = set()
        self._watcher: RustNotify | None = None

    def renew(self) -> None:
        from watchfiles._rust_notify import RustNotify

        old, self._watcher = self._watcher, None
        try:
            if self.folders:
                # Ignoring missing permissions would ignore every other error too, the limit included.
                self._watcher = RustNotify(sorted(self.folders), False, False, 0, False, False)
        finally:
            if old:
                old.close()

    def poll(self) -> Iterable[tuple[int, str]]:
        if self._watcher is None:
            return ()
        changes = self._watcher.watch(_DEBOUNCE_MS, 1, 1, None)
        return () if isinstance(changes, str) else changes

    def close(self) -> None:
        if self._watcher:
            self._watcher.close()
        self._watcher = None


def _is_folder(path: str) -> bool:
    """Whether a path is a folder that may be watched, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode) and os.access(path, os.R_OK)
    except (OSError, ValueError):
        return False


def _can_be_named(path: str) -> bool:
    """Whether the native watcher can take a path: UTF-8, and not too long."""
    try:
        return len(path.encode()) < _PATH_LIMIT
    except UnicodeEncodeError:
        return False


def _reason(error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    text = str(error).lower()
    return "limit" if number in _LIMITS or "limit" in text or "too many open files" in text else "error"
