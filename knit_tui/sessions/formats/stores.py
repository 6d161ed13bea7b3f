"""What the databases of several agents have in common: listing the sessions in one, and reading JSON
that a column holds."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from knit_tui.sessions.databases import Asked, Closed, stand, written
from knit_tui.sessions.lines import Record
from knit_tui.sessions.listing import Found
from knit_tui.sessions.paths import Place, absolute, scrub
from knit_tui.sessions.peek import moment

_MILLISECOND = 10**6


@dataclass(frozen=True, slots=True)
class Held:
    """A session in a database."""

    session: str
    folder: str
    """Where it runs, as far as the database says."""
    updated: object
    """When it was last written to, as the database says it."""
    size: int = 0
    """Something that grows with the session, where its time is too coarse to tell that it did."""


Question: TypeAlias = Callable[[sqlite3.Connection], list[Held]]
"""The sessions of a database that people lead, the newest first."""


class Stores:
    """The sessions of databases, asked for again only when a database changed."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._asked: dict[str, Asked[list[Held]]] = {}
        self._logs: dict[tuple[str, ...], tuple[list[Held], list[Found]]] = {}
        self._roots: tuple[str, ...] = ()
        self._related: dict[str, bool] = {}

    def logs(self, path: str, roots: tuple[str, ...] = ()) -> list[Found]:
        """The sessions of a database; with ``roots`` only those in a folder with one of these
        spellings, in one below it or in one above."""
        if path not in self._asked:
            self._asked[path] = Asked(path, self._question, [])
        held = self._asked[path].answer()
        asked = (path, *roots)
        if asked not in self._logs or self._logs[asked][0] is not held:
            here = [one for one in held if not roots or self.related(one.folder, roots)]
            self._logs[asked] = (held, listed(path, here))
        return self._logs[asked][1]

    def related(self, folder: str, roots: tuple[str, ...]) -> bool:
        """Whether a folder is the workspace, lies in it, or holds it."""
        if roots != self._roots:
            self._roots, self._related = roots, {}
        if folder not in self._related:
            here = Place(spellings(folder))
            tops = [top for top in map(absolute, roots) if top is not None]
            self._related[folder] = any(Place(roots).inside(one) is not None for one in here.roots) or any(
                here.inside(top) is not None for top in tops
            )
        return self._related[folder]


def spellings(folder: str) -> tuple[str, ...]:
    """A folder as it is spelled and as it is without symbolic links; none when it is no absolute path."""
    whole = absolute(folder)
    if whole is None:
        return ()
    try:
        return tuple(dict.fromkeys((whole, os.path.realpath(whole))))
    except (OSError, ValueError):
        return (whole,)


def listed(path: str, held: Iterable[Held]) -> list[Found]:
    """Sessions of a database, as a locator tells them."""
    try:
        stamp = stand(path)
    except Closed:
        return [Found(path, 0, one.size, 0, one.session) for one in held]
    latest, inode = written(stamp) / 1e9, stamp[0][1]
    return [
        Found(path, round(moment(one.updated, latest) * 1000) * _MILLISECOND, one.size, inode, one.session)
        for one in held
    ]


def within(path: str, question: Question) -> list[Found]:
    """The sessions in one database, the newest first; none when it is of another kind."""
    asked: Asked[list[Held]] = Asked(path, question, [])
    return listed(path, asked.answer())


def table(record: Record) -> tuple[str, dict[str, Any]]:
    """Which table a record is of, and its row."""
    name, row = record.get("table"), record.get("row")
    return (name if isinstance(name, str) else ""), (row if isinstance(row, dict) else {})


def parsed(value: Any) -> Any:
    """What a column with JSON holds; None when that is none."""
    if not isinstance(value, (str, bytes)):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def fields(value: Any) -> dict[str, Any]:
    """A column with a JSON object; empty when it holds something else."""
    found = parsed(value)
    return found if isinstance(found, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def names(row: tuple[Any, ...]) -> tuple[str, str]:
    """The first two columns of a row of a question: a session and its folder."""
    return scrub(row[0]), scrub(row[1])
