"""Where DSH keeps its logs: ``<home>/sessions/--<project>--/<session>/session[.vN].jsonl[.zstd]``.

In the project's name each run of separators and ``:`` is one ``-``, a leading one is dropped, and
what is not plain ASCII is ``~XXXX`` for each UTF-16 unit. A harness that reads a log of an older
format writes it anew under the next number and leaves the old file as it is: the highest counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.formats.slugs import SlugFolders, unsettled
from knit_tui.sessions.listing import Found, entries, look

_LONGEST_SLUG = 251
_GENERATION = re.compile(r"session(?:\.v(\d{1,6}))?\.jsonl(?:\.zstd)?")
_UNIT = re.compile(r"[^A-Za-z0-9._-]")


class DshLocator:
    """The newest generation of each session of the projects that may be the workspace's, one below
    it or one above."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("DSH_HOME", "").strip()
        top = os.path.expanduser(moved) if moved else home / ".dsh"
        self._projects = SlugFolders(os.path.join(top, "sessions"), slugs)
        self._newest: dict[str, tuple[int, str]] = {}
        """For each session's folder, when it was changed and its log then (``""``: none)."""

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        seen: dict[str, tuple[int, str]] = {}
        for project in self._projects.matching(roots, now):
            for entry in entries(project):
                try:
                    changed = entry.stat().st_mtime_ns
                except OSError:
                    continue
                known = self._newest.get(entry.path)
                if known is None or known[0] != changed or unsettled(changed, now):
                    known = (changed, _newest(entry.path))
                seen[entry.path] = known
                found = look(known[1]) if known[1] else None
                if found is not None:
                    yield found
        self._newest = seen


def slugs(folder: str) -> Iterator[tuple[str, str]]:
    units = "".join(_escaped(unit) for unit in re.sub(r"[/\\:]+", "-", folder))
    slug = (units.lstrip("-") or "root")[:_LONGEST_SLUG]
    below = slug if len(slug) == _LONGEST_SLUG or not units.lstrip("-") else slug + "-"
    yield f"--{slug}--", f"--{below}" if units.lstrip("-") else "--"


def _escaped(unit: str) -> str:
    if not _UNIT.match(unit):
        return unit
    data = unit.encode("utf-16-be", "surrogatepass")
    return "".join(f"~{data[at : at + 2].hex().upper()}" for at in range(0, len(data), 2))


def _newest(folder: str) -> str:
    """The log of the highest generation in a session's folder."""
    logs = [
        (int(match.group(1) or 0), entry.path)
        for entry in entries(folder)
        if (match := _GENERATION.fullmatch(entry.name))
    ]
    return max(logs, default=(0, ""))[1]
