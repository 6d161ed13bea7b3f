"""From a ranking to the rows of a tab."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from knit_tui.engine.library import Library
from knit_tui.engine.pools import Pool
from knit_tui.find.passages import Occurrence, TermFinder, best_passages, window_counts
from knit_tui.find.ranking import rank
from knit_tui.find.signals import Wish, factors
from knit_tui.model import (
    Access,
    Controls,
    Hit,
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

EXAMINED = 24
"""Best hits whose text is read for passages and for how densely they use each term."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A document that was read for the query: where its terms stand."""

    body: str
    outline: Outline
    found: Sequence[Occurrence]


class Examiner:
    """What is found out about documents for one query, once however many tabs show them."""

    def __init__(self, library: Library, query: Query) -> None:
        self._library = library
        self._query = query
        self._finder = TermFinder(term.term for term in query.terms)
        self._examined: dict[str, Examined | None] = {}
        self._matched: dict[str, Item] = {}

    def windows(self, hits: Sequence[Hit]) -> dict[str, dict[str, int]]:
        """How densely the first ``EXAMINED`` of ``hits`` use each term."""
        found = {}
        for hit in hits[:EXAMINED]:
            examined = self._examine(hit.rel)
            if examined is not None:
                found[hit.rel] = window_counts(examined.found)
        return found

    def passages(self, rel: str) -> tuple[Passage, ...]:
        """The passages of ``rel`` that answer best; none when its text cannot be read."""
        examined = self._examine(rel)
        if examined is None:
            return ()
        cuts = [line for line, _ in examined.outline.headings]
        return best_passages(examined.body, cuts, examined.found, self._query.terms)

    def matched(self, plain: Item, hit: Hit) -> Item:
        """The row of a hit that stands in no tier."""
        item = self._matched.get(hit.rel)
        if item is None:
            item = self._matched[hit.rel] = replace(plain, reason=reason(hit, plain.kind))
        return item

    def _examine(self, rel: str) -> Examined | None:
        if rel not in self._examined:
            text = self._library.body(rel)
            self._examined[rel] = text and Examined(*text, self._finder.find(text[0]))
        return self._examined[rel]


def ranked_view(
    pool: Pool, query: Query, wanted: Wish, controls: Controls, missing: Collection[str], examiner: Examiner
) -> View:
    """The tab in order of relevance: pinned, then the tiers, then all other hits.

    ``missing`` are pins whose files are gone.
    """
    ranking = rank(pool.index, query, pool.mask, pool.mtimes, factors(wanted, pool.classes))
    pinned = _pinned(pool, controls, missing)
    held = {item.rel for item in pinned}
    hits = [hit for hit in ranking.hits() if hit.rel not in held]
    items = (*pinned, *(_item(place, pool, examiner) for place in _placements(pool, hits, examiner)))
    newest = _newest(pool, items)
    return View(pool.tab, Mode.RELEVANCE, items, newest, len(ranking), len(pool.rows), pool.excluded)


def newest_view(pool: Pool, controls: Controls, missing: Collection[str]) -> View:
    """The tab when there is nothing to rank by: pinned, then newest first."""
    pinned = _pinned(pool, controls, missing)
    held = {item.rel for item in pinned}
    newest = _newest(pool, pinned)
    items = (*pinned, *(item for item in newest if item.rel not in held))
    return View(pool.tab, Mode.NEWEST, items, newest, 0, len(pool.rows), pool.excluded)


def _pinned(pool: Pool, controls: Controls, missing: Collection[str]) -> list[Item]:
    """What the user pinned, oldest pin first, hit or not; a pin whose file is gone stays, and says so."""
    items = []
    for rel in controls.pinned:
        if rel in pool.rows:
            items.append(_as_pinned(pool.rows[rel]))
        elif rel in missing and pool.tab is Tab.CONTEXT:
            name = rel.rpartition("/")[2]
            gone = Item(rel, Kind.DOCS, None, Access.TEXT, name, "", 0, 0, missing=True)
            items.append(_as_pinned(gone))
    return items


def _as_pinned(plain: Item) -> Item:
    return replace(
        plain, tier=Tier.PINNED, reason=Reason("pinned"), provenance=Provenance.MANUAL, pinned=True
    )


def _newest(pool: Pool, shown: Sequence[Item]) -> tuple[Item, ...]:
    """All documents of the pool, newest first; rows that are shown already are the same objects."""
    rows = {item.rel: item for item in shown}
    return tuple(rows.get(rel) or pool.rows[rel] for rel in pool.newest)


def _placements(pool: Pool, hits: Sequence[Hit], examiner: Examiner) -> list[Placement]:
    if pool.tab is Tab.MEDIA:
        return [Placement(hit, Tier.OTHER, None) for hit in hits]
    packable = [hit for hit in hits if pool.rows[hit.rel].access is Access.TEXT]
    named_only = [hit for hit in hits if pool.rows[hit.rel].access is not Access.TEXT]
    others = [Placement(hit, Tier.OTHER, None) for hit in named_only]
    return arrange(packable, examiner.windows(packable)) + others


def _item(place: Placement, pool: Pool, examiner: Examiner) -> Item:
    item = examiner.matched(pool.rows[place.hit.rel], place.hit)
    if place.number is None:
        return item
    return replace(item, tier=place.tier, number=place.number, passages=examiner.passages(item.rel))
