"""All caches of the user at once: what there is, and away with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knit_tui.workspace.cache import LARGEST_MANIFEST, LOCK, MANIFEST, PASSING
from knit_tui.workspace.manifest import read_manifest
from knit_tui.workspace.own import Damaged, read_whole

_FOLDER_NAME = re.compile(r"[0-9a-f]{24}")
_OWN = re.compile(rf"{MANIFEST}|{LOCK}|note-[a-z]+|{PASSING.pattern}")
"""Names that files of a cache have; nothing else is ever removed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One workspace's cache. ``root`` is empty when its manifest cannot be read."""

    folder: Path
    root: str
    size: int
    """Bytes."""
    saved_ns: int


def info(base: Path) -> list[Facts]:
    """What is stored below ``base``, ordered by root."""
    found = []
    for folder in _folders(base):
        root, saved_ns = "", 0
        with suppress(OSError, Damaged):
            root = os.fsdecode(read_manifest(read_whole(folder / MANIFEST, LARGEST_MANIFEST)).root)
            saved_ns = os.lstat(folder / MANIFEST).st_mtime_ns
        size = 0
        for path in _own_files(folder):
            with suppress(FileNotFoundError):  # a writer may have removed it
                size += os.lstat(path).st_size
        found.append(Facts(folder, root, size, saved_ns))
    return sorted(found, key=lambda facts: (facts.root, facts.folder))


def cleared(base: Path, name: str | None) -> int:
    """Remove the cache in the folder ``name`` below ``base``, or all; returns how many there were.

    Raises:
        OSError: one cannot be removed.
    """
    count = 0
    for folder in _folders(base):
        if name in (None, folder.name):
            # Without its manifest all the rest is nothing.
            for path in sorted(_own_files(folder), key=lambda path: path.name != MANIFEST):
                with suppress(FileNotFoundError):
                    os.unlink(path)
            with suppress(OSError):  # something that is not ours is in it: that stays
                os.rmdir(folder)
            count += 1
    return count


def _folders(base: Path) -> Iterator[Path]:
    try:
        with os.scandir(base) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return
    yield from (base / name for name in sorted(names) if _FOLDER_NAME.fullmatch(name))


def _own_files(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        return [folder / entry.name for entry in entries if _OWN.fullmatch(entry.name)]
