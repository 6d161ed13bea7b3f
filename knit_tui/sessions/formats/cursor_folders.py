"""Where the Cursor CLI keeps its logs: ``<data>/projects/<slug>/agent-transcripts/<id>/<id>.jsonl``.

The slug is the folder the session was started in, with every run of other characters than letters and
digits made one ``-``, and the end of a long one made a checksum. So folders share slugs, and a log does
not say where its session ran: `folder` looks for something that does.

| what | tells |
| --- | --- |
| ``<data>/chats/*/<id>/meta.json`` | ``cwd`` of this session, and whether a sub-agent ran it |
| ``<data>/chats/<MD5 of the folder>/<id>`` | that this session ran in a folder that is known otherwise |
| absolute paths in the log itself | folders above them; the one with the slug is meant |
| ``.workspace-trusted``, ``worker.log`` beside the logs | a folder that has the slug |
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from knit_tui.sessions.formats.cursor_messages import asked_paths
from knit_tui.sessions.formats.slugs import SlugFolders
from knit_tui.sessions.lines import records
from knit_tui.sessions.listing import Address, Found, entries, look
from knit_tui.sessions.paths import absolute, scrub
from knit_tui.sessions.sources import open_regular

_TRANSCRIPTS = "agent-transcripts"
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_ONE_OTHER = re.compile(r"[^A-Za-z0-9]")
_WORKER = re.compile(rb"workspacePath=([^\r\n]+)")
_KEPT = 80
"""Characters of a long slug that are there for certain."""
_START = 256 * 1024
"""Bytes of a file that are looked into."""
_LISTED = 64
"""Folders that are listed in search of those a slug may stand for."""


def slug(path: str) -> str:
    """What Cursor makes of a path, in lower case and without a checksum at its end."""
    return _OTHER.sub("-", path).strip("-").lower()


def _fits(path: str, name: str) -> bool:
    """Whether ``name`` may be what became of the folder ``path``."""
    own = slug(path)
    return own == name or (len(own) > _KEPT and own[:_KEPT] == name[:_KEPT])


def _names(path: str) -> list[tuple[str, str]]:
    """The names the folder of ``path`` may have here, in older versions too, and how those below it begin."""
    found = []
    for rule in (_OTHER, _ONE_OTHER):
        name = rule.sub("-", path).strip("-").lower()
        found.append((name, name[:_KEPT] if len(name) > _KEPT else name + "-"))
    return found


class CursorLocator:
    """The transcripts in the folders whose name may stand for the workspace, one below it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("CURSOR_DATA_DIR", "")
        data = os.path.expanduser(moved) if moved else os.path.join(home, ".cursor")
        self._projects = SlugFolders(os.path.join(data, "projects"), _names)

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        for project in self._projects.matching(roots, now):
            for entry in entries(os.path.join(project, _TRANSCRIPTS)):
                nested = os.path.join(entry.path, entry.name + ".jsonl")
                found = look(entry.path if entry.name.endswith(".jsonl") else nested)
                if found is not None:
                    yield found


def folder(address: Address) -> str:
    """Where the session ran, when something tells it for certain; else ``""``."""
    project, session = _parts(address.path)
    if not session:
        return ""
    name = slug(os.path.basename(project))
    chats = os.path.join(os.path.dirname(os.path.dirname(project)), "chats")
    told = _told(chats, session)
    if told is not None:
        return told
    named = [path for path in _named(project) if _fits(path, name)]
    inside = list(_above(address.path, name))
    for path in dict.fromkeys([*named, *inside, *_spelled(name)]):
        digest = hashlib.md5(path.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
        if os.path.isdir(os.path.join(chats, digest, session)):
            return scrub(path)
    return scrub(next(iter([*inside, *named]), ""))


def _parts(path: str) -> tuple[str, str]:
    """The project's folder in Cursor's and the session's id; two empty strings for any other path."""
    above, session = os.path.dirname(path), Path(path).stem
    if os.path.basename(above) == session:
        above = os.path.dirname(above)
    if os.path.basename(above) != _TRANSCRIPTS:
        return "", ""
    project = os.path.dirname(above)
    return (project, session) if os.path.basename(os.path.dirname(project)) == "projects" else ("", "")


def _told(chats: str, session: str) -> str | None:
    """The folder in the session's own notes; ``""`` when a sub-agent ran it, None when there are none."""
    for entry in entries(chats):
        notes = _json(os.path.join(entry.path, session, "meta.json"))
        cwd = scrub(notes.get("cwd"))
        if notes.get("isSubagent") is True:
            return ""
        if absolute(cwd) is not None:
            return cwd
    return None


def _named(project: str) -> Iterator[str]:
    """The folders that files beside the transcripts name."""
    yield scrub(_json(os.path.join(project, ".workspace-trusted")).get("workspacePath"))
    for match in _WORKER.finditer(_start(os.path.join(project, "worker.log"))):
        yield match.group(1).decode("utf-8", "replace").strip()


def _above(transcript: str, name: str) -> Iterator[str]:
    """The folders with this slug above the files that are named in a transcript."""
    for line in _start(transcript).split(b"\n")[:-1]:
        for record in records(line)[0]:
            for path in asked_paths(record):
                whole = PurePosixPath(path) if path.startswith("/") else PureWindowsPath(path)
                if whole.is_absolute():
                    yield from (str(one) for one in (whole, *whole.parents) if _fits(str(one), name))


def _spelled(name: str) -> list[str]:
    """Folders on disk with this slug, of which there may be several."""
    found: list[str] = []
    waiting = [(os.sep, name)]
    for _ in range(_LISTED):
        if not waiting or len(name) > _KEPT:
            break
        here, rest = waiting.pop()
        for entry in entries(here):
            own = slug(entry.name)
            if own == rest:
                found.append(entry.path)
                waiting.append((entry.path, ""))
            elif not own or rest.startswith(own + "-"):
                waiting.append((entry.path, rest[len(own) :].lstrip("-")))
    return found


def _start(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(_START)
    except OSError:
        return b""


def _json(path: str) -> dict[str, Any]:
    try:
        said = json.loads(_start(path))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
