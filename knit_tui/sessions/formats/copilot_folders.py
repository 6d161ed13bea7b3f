"""Where Copilot CLI keeps its logs: ``<home>/session-state/<session>/events.jsonl``.

All workspaces share the folder; a session's ``workspace.yaml`` says where it runs. Older versions
wrote ``session-state/<session>.jsonl`` and nothing beside it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from knit_tui.sessions.formats.slugs import unsettled
from knit_tui.sessions.listing import Address, Found, entries, look
from knit_tui.sessions.paths import Place, absolute, scrub
from knit_tui.sessions.sources import open_regular

_LOG = "events.jsonl"
_ABOUT = "workspace.yaml"
_MONTH = 30 * 86400.0
_LONGEST = 64 * 1024
"""Bytes of a ``workspace.yaml`` that are looked into."""


@dataclass(frozen=True, slots=True)
class _About:
    """What a session's ``workspace.yaml`` told when it was last changed."""

    stamp: tuple[int, ...]
    folders: tuple[str, ...]
    """Spellings of the folder the session runs in; none when that is not told."""


class CopilotLocator:
    """The logs of the sessions that run in the workspace, below it, above it, or who knows where."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved, state = environ.get("COPILOT_HOME", ""), environ.get("XDG_STATE_HOME", "")
        tops = [os.path.expanduser(moved) if moved else os.path.join(home, ".copilot")]
        if state:
            tops.append(os.path.join(state, ".copilot"))
        self._parents = [os.path.join(top, "session-state") for top in tops]
        self._listed: dict[str, tuple[int, list[str]]] = {}
        self._about: dict[str, _About] = {}

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        there: dict[str, _About] = {}
        for parent in self._parents:
            for path in self._sessions(parent, now):
                if path.endswith(".jsonl"):
                    found = look(path)
                    if found is not None and now - found.mtime_ns / 1e9 < _MONTH:
                        yield found
                    continue
                there[path] = about = self._told(path)
                if _related(about.folders, roots):
                    found = look(os.path.join(path, _LOG))
                    if found is not None:
                        yield found
        self._about = there

    def _sessions(self, parent: str, now: float) -> list[str]:
        """What is in ``parent``, listed again only when something was added or removed."""
        try:
            changed = os.stat(parent).st_mtime_ns
        except (OSError, ValueError):
            return []
        known = self._listed.get(parent)
        if known is None or known[0] != changed or unsettled(changed, now):
            known = (changed, [entry.path for entry in entries(parent)])
            self._listed[parent] = known
        return known[1]

    def _told(self, session: str) -> _About:
        path = os.path.join(session, _ABOUT)
        found = look(path)
        stamp = (found.mtime_ns, found.size, found.inode) if found else ()
        known = self._about.get(session)
        if known is not None and known.stamp == stamp:
            return known
        cwd = absolute(cwd_in(path)) if found else None
        return _About(stamp, () if cwd is None else (cwd, os.path.realpath(cwd)))


def _related(folders: tuple[str, ...], roots: tuple[str, ...]) -> bool:
    tops = tuple(whole for root in roots if (whole := absolute(root)) is not None)
    return not folders or any(
        Place(tops, fold=True).inside(folder) is not None
        or any(Place((folder,), fold=True).inside(top) is not None for top in tops)
        for folder in folders
    )


def folder(address: Address) -> str:
    """Where the session of a log runs, as the file beside it says; ``""`` when it does not."""
    return cwd_in(os.path.join(os.path.dirname(address.path), _ABOUT))


def cwd_in(path: str) -> str:
    """The ``cwd`` of a ``workspace.yaml``: one line at its left edge, plain or in quotes."""
    try:
        with open_regular(path) as file:
            text = file.read(_LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
    for line in text.splitlines():
        if line.startswith("cwd:"):
            value = line[4:].strip()
            if len(value) > 1 and value[0] == value[-1] == "'":
                return scrub(value[1:-1].replace("''", "'"))
            if len(value) > 1 and value[0] == value[-1] == '"':
                try:
                    return scrub(json.loads(value))
                except ValueError:
                    return ""
            return scrub(value)
    return ""
