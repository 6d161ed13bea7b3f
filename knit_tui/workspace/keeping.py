"""What the user set for one workspace, in one small file that several processes share.

The file holds pins, exclusions and whether use is tracked. A change is made to what the file says at that
moment, under a lock, and written whole or not at all: no process overwrites what another one did.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knit_tui.model import Controls
from knit_tui.paths import NoFolder, state_folder
from knit_tui.workspace.own import Damaged, folder_name, read_whole, words_of, write_whole

FORMAT = 1
LARGEST = 4 << 20
"""Bytes of the file; far more than the rows it may have can take."""
_LONGEST = 4096
_PATIENCE = 0.5
"""Seconds to wait for another process that is writing."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the file holds."""

    controls: Controls = field(default_factory=Controls)
    tracking: bool = False


class Unsaved(Exception):
    """It could not be written: ``why`` is a code or the words of the system."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Keeping:
    """The file of the workspace ``root`` in ``folder``, the user's folder for states when not given."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        self._root = os.fsencode(os.path.abspath(root)).decode("utf-8", "surrogateescape")
        self._why = ""
        self._folder: Path | None = None
        try:
            self._folder = (folder or state_folder()) / "workspaces"
        except NoFolder as error:
            self._why = error.reason
        self._name = f"{folder_name(root)}.json"
        self._stamp: tuple[int, ...] | None = None
        self.trouble = ""
        """Why the file that is there was not used: ``damaged``, ``foreign``, ``version``, ``unreadable``; it
        is set aside by the next write. Empty when all is well."""

    def changed(self) -> Kept | None:
        """What the file holds, when it is not as it was at the last call or change; else None."""
        stamp = self._now()
        if stamp == self._stamp:
            return None
        self._stamp = stamp
        return self._read()

    def change(self, how: Callable[[Kept], Kept]) -> Kept:
        """Make a change to what the file holds now; returns what it holds then.

        Raises:
            Unsaved: it cannot be written. What ``how`` raises goes through.
        """
        if self._folder is None:
            raise Unsaved(self._why)
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with self._locked(self._folder):
                before = self._read()
                after = how(before)
                if after != before or self.trouble:
                    self._set_aside(self._folder)
                    write_whole(self._folder, self._name, self._written(after))
                    self.trouble = ""
                self._stamp = self._now()
                return after
        except OSError as error:
            raise Unsaved(words_of(error)) from None

    def _now(self) -> tuple[int, ...] | None:
        if self._folder is None:
            return None
        try:
            facts = os.lstat(self._folder / self._name)
        except OSError:
            return None
        return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns

    @contextmanager
    def _locked(self, folder: Path) -> Iterator[None]:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(folder / f"{self._name}.lock", flags, 0o600)
        try:
            deadline = time.monotonic() + _PATIENCE
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise Unsaved("busy") from None
                    time.sleep(0.01)
            yield
        finally:
            os.close(descriptor)

    def _read(self) -> Kept:
        self.trouble = ""
        if self._folder is None:
            return Kept()
        try:
            said = json.loads(read_whole(self._folder / self._name, LARGEST))
        except FileNotFoundError:
            return Kept()
        except OSError:
            self.trouble = "unreadable"
            return Kept()
        except (Damaged, ValueError, RecursionError):
            self.trouble = "damaged"
            return Kept()
        if not isinstance(said, dict):
            self.trouble = "damaged"
        elif said.get("format") != FORMAT:
            self.trouble = "version"
        elif said.get("root") != self._root:
            self.trouble = "foreign"
        else:
            pinned = _rows(said.get("pinned"))
            excluded = tuple(rel for rel in _rows(said.get("excluded")) if rel not in pinned)
            return Kept(Controls(pinned, excluded), said.get("tracking") is True)
        return Kept()

    def _set_aside(self, folder: Path) -> None:
        """Keep a file that cannot be used under another name: nothing the user set is thrown away."""
        if self.trouble:
            with suppress(OSError):
                os.replace(folder / self._name, folder / f"{self._name}.{self.trouble}")

    def _written(self, kept: Kept) -> bytes:
        said = {
            "format": FORMAT,
            "root": self._root,
            "pinned": list(kept.controls.pinned),
            "excluded": list(kept.controls.excluded),
            "tracking": kept.tracking,
        }
        return (json.dumps(said, indent=1) + "\n").encode("ascii")


def _rows(value: Any) -> tuple[str, ...]:
    """The paths in a list from the file, each once; what could lead out of the workspace is left out."""
    if not isinstance(value, list):
        return ()
    found: dict[str, None] = {}
    for rel in value:
        if isinstance(rel, str) and 0 < len(rel) <= _LONGEST and _inside(rel):
            found[rel] = None
    return tuple(found)


def _inside(rel: str) -> bool:
    parts = rel.split("/")
    return "\0" not in rel and not any(part in ("", ".", "..") for part in parts)
