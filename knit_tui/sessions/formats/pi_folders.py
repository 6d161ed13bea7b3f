"""Where pi keeps its logs: ``<agent folder>/sessions/--<cwd>--/<time>_<id>.jsonl``.

In the folder's name a leading separator is dropped, and every other one, and ``:``, is a ``-``. A
session folder that was named by the person holds the files of all workspaces, without folders. The
fork ``omp`` has a folder of its own, and names those below the home and the temporary folder after
the rest of their path: ``-<rest>``, ``-tmp-<rest>``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

from knit_tui.sessions.formats.slugs import SlugFolders
from knit_tui.sessions.listing import Found, files

_SEPARATOR = re.compile(r"[/\\:]")


class PiLocator:
    """The session files whose folder may be the workspace's, one below it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        self._home = str(home)
        self._temporary = environ.get("TMPDIR", "") or "/tmp"
        agent = environ.get("PI_CODING_AGENT_DIR", "")
        data = environ.get("XDG_DATA_HOME", "")
        parents = [os.path.join(self._path(agent) if agent else home / ".pi/agent", "sessions")]
        parents.append(os.path.join(home, ".omp/agent/sessions"))
        if data:
            parents.append(os.path.join(data, "omp/sessions"))
        named = environ.get("PI_CODING_AGENT_SESSION_DIR", "")
        self._flat = self._path(named) if named else None
        self._folders = [SlugFolders(parent, self._slugs) for parent in parents]

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        if self._flat is not None:
            yield from files(self._flat, ".jsonl")
        for parent in self._folders:
            for folder in parent.matching(roots, now):
                yield from files(folder, ".jsonl")

    def _path(self, named: str) -> str:
        """``named`` with its ``~`` seen from the home that is asked about."""
        if named == "~" or named.startswith("~/"):
            return self._home + named[1:]
        return named

    def _slugs(self, folder: str) -> Iterator[tuple[str, str]]:
        name = "--" + _SEPARATOR.sub("-", folder[1:] if folder[:1] in ("/", "\\") else folder)
        yield name + "--", name.rstrip("-") + "-"
        for start, top in (("-", self._home), ("-tmp-", self._temporary)):
            if PurePath(folder).is_relative_to(top):
                rest = start + _SEPARATOR.sub("-", str(PurePath(folder).relative_to(top)))
                own = start if folder == top else rest
                yield (own.removesuffix("-") or "-"), own.removesuffix("-") + "-"
