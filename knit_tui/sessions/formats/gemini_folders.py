"""Where the Gemini CLI keeps its logs: ``<home>/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl``.

A log does not say where its session runs. The project folder is named by a short name of the folder
the CLI was started in, older ones by the SHA-256 of its path; a file in it, or the register of all
projects, tells that path.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.listing import Address, Found, entries, look
from knit_tui.sessions.paths import Place, absolute, scrub
from knit_tui.sessions.sources import open_regular

_MARK = ".project_root"
_REGISTER = "projects.json"
_LONGEST_MARK = 16 * 1024
_LARGEST_REGISTER = 4 * 1024 * 1024


def digest(path: str) -> str:
    """How the CLI names a project folder in a log's header, and the oldest ones on disk."""
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()


def folder(address: Address) -> str:
    """Where the session of a log runs, absolute; ``""`` when nothing beside it tells."""
    chats = os.path.dirname(address.path)
    return owner(os.path.dirname(chats)) if os.path.basename(chats) == "chats" else ""


def owner(project: str) -> str:
    """The folder that a project folder belongs to; ``""`` when that is not known."""
    told = scrub(_read(os.path.join(project, _MARK), _LONGEST_MARK).strip())
    if told and absolute(told) is not None:
        return told
    name = os.path.basename(project)
    for path, short in _register(os.path.dirname(os.path.dirname(project))):
        if short == name or digest(path) == name:
            return path
    return ""


def _register(base: str) -> Iterator[tuple[str, object]]:
    try:
        held = json.loads(_read(os.path.join(base, _REGISTER), _LARGEST_REGISTER) or "{}")
    except (ValueError, RecursionError):
        return
    projects = held.get("projects") if isinstance(held, dict) else None
    if isinstance(projects, dict):
        for path, short in projects.items():
            if scrub(path) == path and absolute(path) is not None:
                yield path, short


def _read(path: str, most: int) -> str:
    """A small file's text; ``""`` when it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""


class GeminiLocator:
    """The session files of the projects that are the workspace, lie in it, or hold it."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("GEMINI_CLI_HOME", "")
        self._tmp = os.path.join(os.path.expanduser(moved) if moved else home, ".gemini", "tmp")
        self._listed: tuple[int, ...] | None = None
        self._roots: tuple[str, ...] = ()
        self._projects: dict[str, bool | None] = {}
        """Project folders that may matter, and whether they do; None when that is not known yet."""

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        self._list(roots)
        for project, ours in self._projects.items():
            found = list(_sessions(os.path.join(project, "chats"))) if ours is not False else []
            if found and ours is None:
                ours = self._projects[project] = self._judge(project)
            if ours is not False:
                yield from found

    def _list(self, roots: tuple[str, ...]) -> None:
        """List the projects, only when one was added or removed."""
        try:
            state = os.stat(self._tmp)
        except (OSError, ValueError):
            self._listed, self._projects = None, {}
            return
        stamp = (state.st_dev, state.st_ino, state.st_mtime_ns)
        if stamp != self._listed or roots != self._roots:
            self._listed, self._roots = stamp, roots
            self._projects = {entry.path: None for entry in entries(self._tmp)}

    def _judge(self, project: str) -> bool | None:
        told = owner(project)
        if told:
            return _related(told, self._roots)
        name = os.path.basename(project)
        if len(name) == 64 and all(letter in "0123456789abcdef" for letter in name):
            return any(name == digest(path) for path in _upward(self._roots))
        return None  # its logs' headers tell, or a mark that is about to be written


def _upward(roots: Iterable[str]) -> Iterator[str]:
    """The folders and those above them."""
    for root in roots:
        yield root
        yield from map(str, Path(root).parents)


def known(told: object, roots: Iterable[str]) -> str:
    """Which of the folders, or of those above them, a log's header means; ``""`` when none."""
    return next((path for path in _upward(roots) if digest(path) == told), "") if told else ""


def _related(told: str, roots: tuple[str, ...]) -> bool:
    """Whether the folder is one of the roots, lies in one, or holds one."""
    try:
        real = os.path.realpath(told)
    except (OSError, ValueError):
        real = told
    fold = sys.platform in ("win32", "darwin")
    for spelled in (absolute(told), absolute(real)):
        if spelled is None:
            continue
        above = Place((spelled,), fold=fold)
        if Place(roots, fold=fold).inside(spelled) is not None:
            return True
        if any(above.inside(whole) is not None for root in roots if (whole := absolute(root)) is not None):
            return True
    return False


def _sessions(chats: str) -> Iterator[Found]:
    """The session files; of one that was taken over into the newer form, only that."""
    listing = [entry for entry in entries(chats) if entry.name.startswith("session-")]
    names = {entry.name for entry in listing}
    for entry in listing:
        if entry.name.endswith(".jsonl") or (entry.name.endswith(".json") and entry.name + "l" not in names):
            found = look(entry.path)
            if found is not None:
                yield found
