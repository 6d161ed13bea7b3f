"""From a ranking to the rows of a tab."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knit_tui.engine.library import Card, Library
from knit_tui.find.index import Index, Mask
from knit_tui.find.passages import Occurrence, TermFinder, best_passages, window_counts
from knit_tui.find.ranking import Ranking, Times, rank
from knit_tui.find.signals import Wish, factors, path_class
from knit_tui.model import (
    Access,
    Controls,
    Entry,
    Item,
    Kind,
    Mode,
    Outline,
    Passage,
    Provenance,
    Query,
    Reason,
    Tab,
    Tier,
    View,
)
from knit_tui.organise.pack import Placement, arrange
from knit_tui.organise.reasons import reason
from knit_tui.organise.roles import role

EXAMINED = 24
"""Best hits whose text is read for passages and for how densely they use each term."""

POOLS: Mapping[Tab, frozenset[Kind]] = {
    Tab.CONTEXT: frozenset((Kind.DOCS, Kind.CODE)),
    Tab.DOCS: frozenset((Kind.DOCS,)),
    Tab.CODE: frozenset((Kind.CODE,)),
    Tab.MEDIA: frozenset((Kind.IMAGE, Kind.VIDEO)),
}


@dataclass(frozen=True, eq=False)
class Pool:
    """The documents of one tab, exclusions gone. ``mask``, ``mtimes`` and ``classes``
    (``PathClass``) go by position in the index."""

    tab: Tab
    entries: Mapping[str, Entry]
    mask: Mask
    mtimes: Times
    classes: npt.NDArray[np.uint8]
    excluded: int


@dataclass(frozen=True, slots=True)
class Examined:
    """A document that was read for the query: where its terms stand."""

    body: str
    outline: Outline
    found: Sequence[Occurrence]


def pools(entries: Mapping[str, Entry], index: Index, excluded: Collection[str]) -> Mapping[Tab, Pool]:
    """The pool of every tab."""
    return {tab: pool(tab, entries, index, excluded) for tab in Tab}


def pool(tab: Tab, entries: Mapping[str, Entry], index: Index, excluded: Collection[str]) -> Pool:
    """The documents that take part in ``tab``. The context pool holds only what may enter a pack."""
    kinds = POOLS[tab]
    members = {
        rel: entry
        for rel, entry in entries.items()
        if entry.kind in kinds and (tab is not Tab.CONTEXT or entry.access is Access.TEXT)
    }
    left = {rel: entry for rel, entry in members.items() if rel not in excluded}
    mask = np.zeros(index.size, np.bool_)
    mtimes = np.zeros(index.size, np.int64)
    classes = np.zeros(index.size, np.uint8)
    for rel, entry in left.items():
        place = index.positions.get(rel)
        if place is not None and entry.access is not Access.WITHHELD:
            mask[place] = True
            mtimes[place] = entry.stamp.mtime_ns
            classes[place] = path_class(rel, entry.kind, role(rel, entry.kind))
    return Pool(tab, left, mask, mtimes, classes, len(members) - len(left))


class Examiner:
    """Reads the best hits of a query once, however many tabs show them."""

    def __init__(self, library: Library, query: Query) -> None:
        self._library = library
        self._finder = TermFinder(term.term for term in query.terms)
        self._done: dict[str, Examined | None] = {}

    def examine(self, rel: str) -> Examined | None:
        """The text of ``rel`` and its query terms; None when it has no text that may be read."""
        if rel not in self._done:
            text = self._library.body(rel)
            self._done[rel] = text and Examined(*text, self._finder.find(text[0]))
        return self._done[rel]


def ranked_view(
    source: Pool,
    query: Query,
    wanted: Wish,
    controls: Controls,
    library: Library,
    examiner: Examiner,
    pinned_missing: Collection[str] = (),
) -> View:
    """The tab in order of relevance: pinned, then the tiers, then all other hits."""
    ranking = rank(library.index, query, source.mask, source.mtimes, factors(wanted, source.classes))
    pinned = pinned_items(source, controls, library.cards, pinned_missing)
    held = {item.rel for item in pinned}
    placements = _placements(source, ranking, held, examiner)
    shown = pinned + [_item(place, source, library.cards, query, examiner) for place in placements]
    return View(
        source.tab,
        Mode.RELEVANCE,
        tuple(shown),
        newest(source, library.cards, shown),
        len(ranking),
        len(source.entries),
        source.excluded,
    )


def newest_view(
    source: Pool, controls: Controls, library: Library, pinned_missing: Collection[str] = ()
) -> View:
    """The tab when there is nothing to rank by: pinned, then newest first."""
    pinned = pinned_items(source, controls, library.cards, pinned_missing)
    held = {item.rel for item in pinned}
    rows = newest(source, library.cards, pinned)
    items = (*pinned, *(item for item in rows if item.rel not in held))
    return View(source.tab, Mode.NEWEST, items, rows, 0, len(source.entries), source.excluded)


def pinned_items(
    source: Pool, controls: Controls, cards: Mapping[str, Card], missing: Collection[str]
) -> list[Item]:
    """What the user pinned, oldest pin first, hit or not; a pin whose file is gone stays, and says so."""
    items = []
    for rel in controls.pinned:
        entry = source.entries.get(rel)
        if entry is not None:
            items.append(_row(entry, cards.get(rel), Tier.PINNED, Reason("pinned"), pinned=True))
        elif rel in missing and source.tab is Tab.CONTEXT:
            name = rel.rpartition("/")[2]
            items.append(
                Item(rel, Kind.DOCS, None, Access.TEXT, name, "", 0, 0, Tier.PINNED, None, Reason("pinned"),
                     provenance=Provenance.MANUAL, pinned=True, missing=True)
            )  # fmt: skip
    return items


def newest(source: Pool, cards: Mapping[str, Card], known: Sequence[Item]) -> tuple[Item, ...]:
    """All documents of the pool, newest first; rows that are shown already are the same objects."""
    rows = {item.rel: item for item in known if not item.missing}
    items = [rows.get(rel) or _row(entry, cards.get(rel)) for rel, entry in source.entries.items()]
    items.sort(key=lambda item: (-item.mtime_ns, item.rel))
    return tuple(items)


def _placements(source: Pool, ranking: Ranking, held: Collection[str], examiner: Examiner) -> list[Placement]:
    hits = [hit for hit in ranking.hits() if hit.rel not in held]
    if source.tab is Tab.MEDIA:
        return [Placement(hit, Tier.OTHER, None) for hit in hits]
    packable = [hit for hit in hits if source.entries[hit.rel].access is Access.TEXT]
    named_only = [hit for hit in hits if source.entries[hit.rel].access is not Access.TEXT]
    windows = {}
    for hit in packable[:EXAMINED]:
        examined = examiner.examine(hit.rel)
        if examined is not None:
            windows[hit.rel] = window_counts(examined.found)
    return arrange(packable, windows) + [Placement(hit, Tier.OTHER, None) for hit in named_only]


def _item(
    place: Placement, source: Pool, cards: Mapping[str, Card], query: Query, examiner: Examiner
) -> Item:
    entry = source.entries[place.hit.rel]
    return _row(
        entry,
        cards.get(entry.rel),
        place.tier,
        reason(place.hit, entry.kind),
        number=place.number,
        passages=_passages(entry, query, examiner) if place.number is not None else (),
    )


def _passages(entry: Entry, query: Query, examiner: Examiner) -> tuple[Passage, ...]:
    examined = examiner.examine(entry.rel)
    if examined is None:
        return ()
    cuts = [line for line, _ in examined.outline.headings]
    return best_passages(examined.body, cuts, examined.found, query.terms)


def _row(
    entry: Entry,
    card: Card | None,
    tier: Tier = Tier.OTHER,
    why: Reason | None = None,
    *,
    number: int | None = None,
    passages: tuple[Passage, ...] = (),
    pinned: bool = False,
) -> Item:
    name = entry.rel.rpartition("/")[2]
    return Item(
        entry.rel,
        entry.kind,
        entry.language,
        Access.WITHHELD if card and card.problem == "secret" else entry.access,
        card.title if card else name,
        card.summary if card else "",
        entry.stamp.size,
        entry.stamp.mtime_ns,
        tier,
        number,
        why,
        role(entry.rel, entry.kind),
        Provenance.MANUAL if pinned else Provenance.RETRIEVAL,
        passages,
        pinned,
    )
