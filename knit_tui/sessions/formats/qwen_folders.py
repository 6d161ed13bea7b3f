"""Where Qwen Code keeps its logs (``<base>/projects/<slug>/chats/<session>.jsonl``), and which of its
sessions run.

The slug is the folder the session runs in, with everything but ASCII letters and digits made a ``-``.
Two folders can share one, so it only says where to look. Each interactive process tells which session
it serves: in a register of them all, and older ones beside the log, where it is never removed. A
process is the one meant when it lives, on this host and since the same start.
"""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from knit_tui.sessions.format import Live
from knit_tui.sessions.formats.slugs import SlugFolders
from knit_tui.sessions.listing import Found, entries, files
from knit_tui.sessions.paths import scrub
from knit_tui.sessions.sources import open_regular

_SESSION = re.compile(r"[0-9a-fA-F-]{32,36}\.jsonl")
_OTHER = re.compile(r"[^A-Za-z0-9]")
_LARGEST = 64 * 1024
_SETTINGS = 1024 * 1024


def slug(path: str) -> str:
    """The name Qwen Code gives the folder of ``path``, in lower case."""
    units = re.sub(r"[\U00010000-\U0010ffff]", "--", path)
    return _OTHER.sub("-", units).lower()


def _config(home: Path, environ: Mapping[str, str]) -> str:
    moved = environ.get("QWEN_HOME", "")
    return os.path.expanduser(moved) if moved else os.path.join(home, ".qwen")


def _base(home: Path, environ: Mapping[str, str]) -> str:
    """The folder that holds the logs: as the environment says, the person's settings, or the default."""
    moved = environ.get("QWEN_RUNTIME_DIR", "")
    config = _config(home, environ)
    if not moved:
        advanced = _json(os.path.join(config, "settings.json"), _SETTINGS).get("advanced")
        moved = scrub(advanced.get("runtimeOutputDir")) if isinstance(advanced, dict) else ""
    moved = os.path.expanduser(moved)
    return moved if os.path.isabs(moved) else config


def _names(path: str) -> Iterator[tuple[str, str]]:
    name = slug(path)
    yield name, name if name.endswith("-") else name + "-"


class QwenLocator:
    """The session files of the folders whose slug may be the workspace's, one below it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._projects = SlugFolders(os.path.join(_base(home, environ), "projects"), _names)

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        for folder in self._projects.matching(roots, now):
            for found in files(os.path.join(folder, "chats"), ".jsonl"):
                if _SESSION.fullmatch(os.path.basename(found.path)):
                    yield found


def live(home: Path, environ: Mapping[str, str]) -> list[Live] | None:
    """The sessions whose process runs on this host; None when nothing was told by any."""
    register = os.path.join(_config(home, environ), "sessions")
    if os.path.isdir(register):
        return [one for found in files(register, ".json") if (one := _registered(found.path))]
    told = [
        found.path
        for project in entries(os.path.join(_base(home, environ), "projects"))
        for found in files(os.path.join(project.path, "chats"), ".runtime.json")
    ]
    return [one for path in told if (one := _beside_log(path))] if told else None


def _registered(path: str) -> Live | None:
    told = _json(path)
    if told.get("schemaVersion") != 1 or told.get("pidNs") not in (None, _namespace()):
        return None
    start = told.get("procStart")
    if not _runs(told.get("pid"), start if isinstance(start, str) else ""):
        return None
    return _live(told.get("sessionId"), told.get("cwd"))


def _beside_log(path: str) -> Live | None:
    told = _json(path)
    if told.get("schema_version") != 1 or told.get("hostname") != socket.gethostname():
        return None
    return _live(told.get("session_id"), told.get("work_dir")) if _runs(told.get("pid")) else None


def _live(session_id: object, cwd: object) -> Live | None:
    one = Live(scrub(session_id), scrub(cwd))
    return one if one.session_id and one.cwd else None


def _runs(pid: object, start: str = "") -> bool:
    """Whether the process lives, and began at ``start`` where that is told and can be asked."""
    if type(pid) is not int or pid <= 0:
        return False
    if os.name != "nt":  # there, signal 0 is Ctrl-C
        try:
            os.kill(pid, 0)
        except PermissionError:
            pass
        except (OSError, OverflowError):
            return False
    now = _start(pid)
    return not (start and now) or start == now


def _start(pid: int) -> str:
    """When a process began, as Qwen Code spells it; ``""`` where that cannot be asked."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read(64).strip()
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read(4096).rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return f"{boot}:{fields[19]}" if len(fields) > 19 else ""


def _namespace() -> int | None:
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return None


def _json(path: str, most: int = _LARGEST) -> dict[str, Any]:
    """The object in a small file; an empty one when there is none."""
    try:
        with open_regular(path) as file:
            value = json.loads(file.read(most))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
