"""Which documents take part in a tab, and their rows before anything is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knit_tui.engine.library import Card
from knit_tui.find.index import Index, Mask
from knit_tui.find.ranking import Times
from knit_tui.find.signals import path_class
from knit_tui.model import Access, Entry, Item, Kind, Tab
from knit_tui.organise.roles import role

KINDS: Mapping[Tab, frozenset[Kind]] = {
    Tab.CONTEXT: frozenset((Kind.DOCS, Kind.CODE)),
    Tab.DOCS: frozenset((Kind.DOCS,)),
    Tab.CODE: frozenset((Kind.CODE,)),
    Tab.MEDIA: frozenset((Kind.IMAGE, Kind.VIDEO)),
}


@dataclass(frozen=True, eq=False)
class Pool:
    """The documents of one tab, exclusions gone.

    ``rows`` has their plain rows by path, ``newest`` the paths, newest first. ``mask``, ``mtimes`` (ns)
    and ``classes`` (``PathClass``) go by position in ``index``.
    """

    tab: Tab
    index: Index
    rows: Mapping[str, Item]
    newest: tuple[str, ...]
    mask: Mask
    mtimes: Times
    classes: npt.NDArray[np.uint8]
    excluded: int


def pools(
    entries: Mapping[str, Entry], cards: Mapping[str, Card], index: Index, excluded: Collection[str]
) -> Mapping[Tab, Pool]:
    """The pool of every tab. The context pool holds only what may enter a pack."""
    by_time = sorted(entries.values(), key=lambda entry: (-entry.stamp.mtime_ns, entry.rel))
    rows = {entry.rel: _row(entry, cards.get(entry.rel)) for entry in by_time}
    return {tab: _pool(tab, rows, index, frozenset(excluded)) for tab in Tab}


def _pool(tab: Tab, rows: Mapping[str, Item], index: Index, excluded: frozenset[str]) -> Pool:
    kinds = KINDS[tab]
    members = [
        item
        for item in rows.values()
        if item.kind in kinds and (tab is not Tab.CONTEXT or item.access is Access.TEXT)
    ]
    left = {item.rel: item for item in members if item.rel not in excluded}
    mask = np.zeros(index.size, np.bool_)
    mtimes = np.zeros(index.size, np.int64)
    classes = np.zeros(index.size, np.uint8)
    for rel, item in left.items():
        place = index.positions.get(rel)
        if place is not None and item.access is not Access.WITHHELD:
            mask[place] = True
            mtimes[place] = item.mtime_ns
            classes[place] = path_class(rel, item.kind, item.role)
    return Pool(tab, index, left, tuple(left), mask, mtimes, classes, len(members) - len(left))


def _row(entry: Entry, card: Card | None) -> Item:
    return Item(
        rel=entry.rel,
        kind=entry.kind,
        language=entry.language,
        access=Access.WITHHELD if card and card.problem == "secret" else entry.access,
        title=card.title if card else entry.rel.rpartition("/")[2],
        summary=card.summary if card else "",
        size=entry.stamp.size,
        mtime_ns=entry.stamp.mtime_ns,
        role=role(entry.rel, entry.kind),
    )
