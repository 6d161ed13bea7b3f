"""Where Claude Code keeps its logs: ``<config>/projects/<slug>/<session>.jsonl``.

The slug is the folder the session was started in, with every character outside ``[A-Za-z0-9-]``
made a ``-`` (older versions left ``.`` and ``_`` alone), cut at 200. Two folders can share one, so
a slug only says where to look.

Sub-agents log beside their session: into ``<session>/subagents/agent-<id>.jsonl``, those of a workflow
a level further down, and in older versions into ``agent-<id>.jsonl`` next to the log of the session
whose id their records have. Who runs now is in ``<config>/sessions/<pid>.json``.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from knit_tui.sessions.format import Live
from knit_tui.sessions.formats.slugs import SlugFolders
from knit_tui.sessions.listing import Address, Found, entries, files, look
from knit_tui.sessions.paths import scrub
from knit_tui.sessions.sources import open_regular

_LONGEST_SLUG = 200
_NEW = re.compile(r"[^A-Za-z0-9-]")
_OLD = re.compile(r"[^A-Za-z0-9._-]")
_SESSION = re.compile(rb'"sessionId":\s*"([^"\\]+)"')
_START = 64 * 1024
"""Bytes in which a sub-agent's log names its session, and of a file in the registry."""
_FLAT = 64
"""Logs of sub-agents that lie beside those of the sessions, whose sessions are looked up."""
_RUNNING = 256
"""Files of the registry that are read."""


def slugs(path: str) -> set[str]:
    """The names Claude Code may give the folder of ``path``, in lower case, cut at the longest."""
    units = re.sub(r"[\U00010000-\U0010ffff]", "--", path)
    return {rule.sub("-", units)[:_LONGEST_SLUG].lower() for rule in (_NEW, _OLD)}


def _config(home: Path, environ: Mapping[str, str]) -> str:
    moved = environ.get("CLAUDE_CONFIG_DIR", "")
    return os.path.expanduser(moved) if moved else os.path.join(home, ".claude")


def _names(path: str) -> Iterator[tuple[str, str]]:
    for slug in sorted(slugs(path)):
        cut = slug.endswith("-") or len(slug) == _LONGEST_SLUG
        yield slug, slug if cut else slug + "-"


class ClaudeLocator:
    """The session files of the folders whose slug may be the workspace's, one below it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        projects = os.path.join(_config(home, environ), "projects")
        named = environ.get("CLAUDE_CODE_PROJECT_DIR_NAME", "")
        self._projects = SlugFolders(projects, _names, cut=_LONGEST_SLUG, also=named)

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        for folder in self._projects.matching(roots, now):
            for found in files(folder, ".jsonl"):
                if not os.path.basename(found.path).startswith("agent-"):
                    yield found


def companions(address: Address) -> list[Address]:
    """The logs of a session's sub-agents, the newest first."""
    folder, name = os.path.split(address.path)
    own = os.path.join(folder, name.removesuffix(".jsonl"), "subagents")
    found = _agents(own)
    for entry in entries(os.path.join(own, "workflows")):
        found += _agents(entry.path)
    found += [one for one in _newest(_agents(folder))[:_FLAT] if _session(one) == address.name]
    return [one.address for one in _newest(found)]


def _agents(folder: str) -> list[Found]:
    names = (one for one in entries(folder) if one.name.startswith("agent-") and one.name.endswith(".jsonl"))
    return [found for one in names if (found := look(one.path)) is not None]


def _newest(found: list[Found]) -> list[Found]:
    return sorted(found, key=lambda one: (-one.mtime_ns, one.path))


def _session(log: Found) -> str:
    return _session_at(log.path, log.inode, min(log.size, _START))


@lru_cache(maxsize=1024)
def _session_at(path: str, inode: int, size: int) -> str:
    """Whose a sub-agent's log is, by its first bytes; they are the same as long as file and size are."""
    try:
        with open_regular(path) as file:
            named = _SESSION.search(file.read(size))
    except OSError:
        return ""
    return named.group(1).decode("utf-8", "replace") if named else ""


def live(home: Path, environ: Mapping[str, str]) -> list[Live] | None:
    """The sessions that running processes registered as theirs; None when there is no registry.

    A process that is killed leaves its file behind, and its number may come to be another's: then it
    began at another time than the file says.
    """
    folder = os.path.join(_config(home, environ), "sessions")
    if sys.platform == "win32" or not os.path.isdir(folder):
        return None
    found: list[Live] = []
    for entry in [entry for entry in entries(folder) if entry.name.endswith(".json")][:_RUNNING]:
        said = _registered(entry.path)
        pid, session_id, cwd = said.get("pid"), scrub(said.get("sessionId")), scrub(said.get("cwd"))
        if session_id and isinstance(pid, int) and _runs(pid, said.get("procStart")):
            found.append(Live(session_id, cwd))
    return found


def _registered(path: str) -> dict[str, object]:
    try:
        with open_regular(path) as file:
            said = json.loads(file.read(_START))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _runs(pid: int, began: object) -> bool:
    """Whether the process is there. ``began`` is its start in the clock ticks of Linux, where it is told."""
    if isinstance(pid, bool) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return False
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            after_name = file.read().rpartition(b")")[2].split()
    except OSError:
        return True
    return not (isinstance(began, str) and began.isdigit()) or after_name[19:20] == [began.encode()]
