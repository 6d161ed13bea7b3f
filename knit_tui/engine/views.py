"""From a ranking to the rows of a tab."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from knit_tui.engine.asking import Asked
from knit_tui.engine.library import Library
from knit_tui.engine.pools import Pool
from knit_tui.find.history import recall
from knit_tui.find.passages import Occurrence, TermFinder, best_passages
from knit_tui.find.ranking import STRENGTHS, Evidence, Ranking, Strengths, rank
from knit_tui.find.session import live
from knit_tui.find.signals import PathClass, factors
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
    Wish,
)
from knit_tui.organise.pack import Placement, arrange
from knit_tui.organise.reasons import reason


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
        self._finder = TermFinder(query.terms)
        self._examined: dict[str, Examined | None] = {}
        self._folded: dict[str, str] = {}
        self._passages: dict[str, tuple[Passage, ...]] = {}
        self._matched: dict[str, Item] = {}

    def passages(self, rel: str) -> tuple[Passage, ...]:
        """The passages of ``rel`` that answer best; none when its text cannot be read."""
        if rel not in self._passages:
            examined = self._examine(rel)
            cuts = [line for line, _ in examined.outline.headings] if examined else []
            self._passages[rel] = (
                best_passages(examined.body, cuts, examined.found, self._query.terms) if examined else ()
            )
        return self._passages[rel]

    def occurs(self, phrase: str) -> bool:
        """Whether a document that was read for the query holds ``phrase``, which is case-folded."""
        for rel, examined in self._examined.items():
            if examined and rel not in self._folded:
                self._folded[rel] = examined.body.casefold()
        return any(phrase in folded for folded in self._folded.values())

    def matched(self, plain: Item, hit: Hit) -> Item:
        """The row of a hit that stands in no tier."""
        item = self._matched.get(hit.rel)
        if item is None:
            item = self._matched[hit.rel] = _with_hit(plain, hit, reason(hit, plain.kind))
        return item

    def _examine(self, rel: str) -> Examined | None:
        if rel not in self._examined:
            text = self._library.body(rel)
            self._examined[rel] = text and Examined(*text, self._finder.find(text[0]))
        return self._examined[rel]


def _with_hit(plain: Item, hit: Hit, why: Reason) -> Item:
    # Written out: there are as many as documents, and ``replace`` takes five times as long.
    return Item(
        plain.rel,
        plain.kind,
        plain.language,
        plain.access,
        plain.title,
        plain.summary,
        plain.size,
        plain.mtime_ns,
        reason=why,
        role=plain.role,
        hit=hit,
    )


class Ordered(Protocol):
    """A ranking of a pool, whichever."""

    def __len__(self) -> int:
        """How many documents match."""
        ...

    def hits(self) -> list[Hit]:
        """They, best first."""
        ...


def ranked_view(
    pool: Pool, ranking: Ordered, controls: Controls, missing: Collection[str], examiner: Examiner
) -> View:
    """The tab in order of relevance: pinned, then the tiers, then all other hits.

    ``missing`` are pins whose files are gone.
    """
    pinned = _pinned(pool, controls, missing)
    held = {item.rel for item in pinned}
    hits = [hit for hit in ranking.hits() if hit.rel not in held]
    items = (*pinned, *(_item(place, pool, examiner) for place in _placements(pool, hits)))
    newest = _newest(pool, items)
    return View(pool.tab, Mode.RELEVANCE, items, newest, len(ranking), len(pool.rows), pool.excluded)


def ranked(pool: Pool, asked: Asked, strengths: Strengths = STRENGTHS) -> Ranking:
    """The documents of ``pool`` in the order of what speaks for them."""
    return rank(pool.index, asked.query, pool.mask, _evidence(pool, asked, strengths.form), strengths)


def _evidence(pool: Pool, asked: Asked, form: float) -> Evidence:
    commits, places = asked.history.commits, asked.history.places
    past = None
    if commits.commits and pool.mask.any():
        places = np.where(pool.mask[places], places, -1)
        if asked.query.wish is not Wish.CHANGELOG:
            # It changes with everything, so that its changes say nothing.
            places[pool.classes[places] == PathClass.CHANGELOG] = -1
        documents = int(np.count_nonzero(pool.mask))
        past = recall(commits, asked.query.terms, places, documents, pool.index.size, form)
    session = None
    if asked.uses is not None and asked.mentions is not None:
        session = live(asked.uses, asked.mentions, pool.index.positions, pool.index.size)
    return Evidence(pool.mtimes, pool.classes, factors(asked.query.wish), past, commits.commits, session)


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


def _placements(pool: Pool, hits: Sequence[Hit]) -> list[Placement]:
    if pool.tab is Tab.MEDIA:
        return [Placement(hit, Tier.OTHER, None) for hit in hits]
    rows = pool.rows
    named_only = [hit for hit in hits if rows[hit.rel].access is not Access.TEXT]
    packable = [hit for hit in hits if rows[hit.rel].access is Access.TEXT] if named_only else hits
    return arrange(packable) + [Placement(hit, Tier.OTHER, None) for hit in named_only]


def _item(place: Placement, pool: Pool, examiner: Examiner) -> Item:
    item = examiner.matched(pool.rows[place.hit.rel], place.hit)
    if place.number is None:
        return item
    return replace(item, tier=place.tier, number=place.number, passages=examiner.passages(item.rel))
