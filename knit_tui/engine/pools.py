"""Which documents take part in a tab, and their rows before anything is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from knit_tui.engine.reading import Card
from knit_tui.find.index import Index
from knit_tui.find.ranking import Times
from knit_tui.find.segment import Mask
from knit_tui.find.signals import PathClass, path_class
from knit_tui.model import Access, Entry, Item, Kind, Tab
from knit_tui.organise.roles import role

KINDS: Mapping[Tab, frozenset[Kind]] = {
    Tab.CONTEXT: frozenset((Kind.DOCS, Kind.CODE)),
    Tab.DOCS: frozenset((Kind.DOCS,)),
    Tab.CODE: frozenset((Kind.CODE,)),
    Tab.MEDIA: frozenset((Kind.IMAGE, Kind.VIDEO)),
}
_MTIME = attrgetter("stamp.mtime_ns")


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


class Pools:
    """Makes the pools of some tabs. It remembers the rows of documents that are as they were."""

    def __init__(self, tabs: Collection[Tab] = tuple(Tab)) -> None:
        self._tabs = tuple(tabs)
        self._known: dict[str, tuple[Entry, Card | None, Item, PathClass]] = {}

    def __call__(
        self, entries: Mapping[str, Entry], cards: Mapping[str, Card], index: Index, excluded: Collection[str]
    ) -> Mapping[Tab, Pool]:
        """The pool of each tab; ``entries`` are ordered by path. The context pool holds only what may enter
        a pack."""
        known = {rel: self._row(entry, cards.get(rel)) for rel, entry in entries.items()}
        self._known = known
        newest = sorted(entries.values(), key=_MTIME, reverse=True)  # equal ones stay in the order of paths
        rows = {entry.rel: known[entry.rel][2] for entry in newest}
        mtimes = np.zeros(index.size, np.int64)
        classes = np.zeros(index.size, np.uint8)
        searched = {
            rel: place
            for rel, place in index.positions.items()
            if rel in known and known[rel][2].access is not Access.WITHHELD
        }
        places = list(searched.values())
        mtimes[places] = [known[rel][2].mtime_ns for rel in searched]
        classes[places] = [known[rel][3] for rel in searched]
        return {
            tab: _pool(tab, rows, index, searched, mtimes, classes, frozenset(excluded)) for tab in self._tabs
        }

    def _row(self, entry: Entry, card: Card | None) -> tuple[Entry, Card | None, Item, PathClass]:
        found = self._known.get(entry.rel)
        if found is not None and found[0] is entry and found[1] is card:
            return found
        item = _row(entry, card)
        return entry, card, item, path_class(item.rel, item.kind, item.role)


def _pool(
    tab: Tab,
    rows: Mapping[str, Item],
    index: Index,
    searched: Mapping[str, int],
    mtimes: Times,
    classes: npt.NDArray[np.uint8],
    excluded: frozenset[str],
) -> Pool:
    kinds = KINDS[tab]
    members = {
        rel: item
        for rel, item in rows.items()
        if item.kind in kinds and (tab is not Tab.CONTEXT or item.access is Access.TEXT)
    }
    left = {rel: item for rel, item in members.items() if rel not in excluded} if excluded else members
    mask = np.zeros(index.size, np.bool_)
    mask[[searched[rel] for rel in left if rel in searched]] = True
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
