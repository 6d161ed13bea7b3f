"""Whether a workspace can be watched, tried for once; and how much the system lets anyone watch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from knit_tui.model import Notice
from knit_tui.workspace.watch import Watcher

_LIMITS = "/proc/sys/fs/inotify"


class Late(Exception):
    """The system took too long."""


def obstacle(root: Path, folders: Sequence[str], patience: float) -> Notice | None:
    """What keeps events from being used for these folders of the workspace, as `Watcher.notice` has it.

    They are watched for a moment, and let go again.

    Raises:
        Late: it is not known after ``patience`` seconds.
    """
    ready = threading.Event()
    watcher = Watcher(root, ready.set)
    watcher.watch(folders)
    watcher.start()
    try:
        if not ready.wait(patience):
            raise Late
        return watcher.notice
    finally:
        watcher.stop()


def limits(place: str = _LIMITS) -> dict[str, int]:
    """The system's limits for a user by name, ``watches`` and ``instances``; empty where there are none."""
    found = {}
    for name in ("watches", "instances"):
        with suppress(OSError, ValueError):
            found[name] = int(Path(place, f"max_user_{name}").read_text("ascii"))
    return found
