"""What `told` reads, written: one small file for each session, by the hook of its agent."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from knit_tui.sessions.told import Told, folder

KEPT_SECONDS = 7 * 86400.0
MOST = 200


def tell(
    word: Told, home: Path, environ: Mapping[str, str], write: Callable[[Path, str, bytes], None]
) -> None:
    """Leave ``word`` where a panel looks for it, and clear away what is old.

    Args:
        write: puts a file into a folder under a name, whole or not at all.

    Raises:
        OSError: it cannot be written, or the folder is not the user's own.
    """
    said = {
        "agent": word.agent,
        "session_id": word.session_id,
        "transcript_path": word.path,
        "cwd": word.cwd,
        "at": word.at,
    }
    name = blake2b(os.fsencode(f"{word.agent}\0{word.path}\0{word.session_id}"), digest_size=12).hexdigest()
    for place in folders(home, environ):
        _own_folder(place)
        write(place, f"{name}.json", json.dumps(said).encode())
        _clear(place, word.at)


def folders(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Where panels of this user look.

    An agent may not hand on where the run-time folder is; a panel that knows it looks nowhere else.
    """
    found = [Path(folder(home, environ))]
    usual = f"/run/user/{os.geteuid()}"
    if not environ.get("XDG_RUNTIME_DIR") and _is_own(usual):
        found.append(Path(folder(home, {"XDG_RUNTIME_DIR": usual})))
    return found


def _own_folder(place: Path) -> None:
    place.mkdir(parents=True, mode=0o700, exist_ok=True)
    if not _is_own(str(place)):
        raise PermissionError(f"not ours: {place}")
    os.chmod(place, 0o700)


def _is_own(path: str) -> bool:
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid()


def _clear(place: Path, now: float) -> None:
    """Remove words that are old, those beyond the newest ones, and what a writer that died left."""
    found: list[tuple[float, str]] = []
    with os.scandir(place) as listing:
        for entry in listing:
            with suppress(OSError):
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    found.sort(reverse=True)
    kept = [path for mtime, path in found if now - mtime < KEPT_SECONDS][:MOST]
    for _mtime, path in found:
        if path not in kept:
            with suppress(OSError):
                os.unlink(path)
