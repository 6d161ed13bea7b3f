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
    RELATIONS_KEPT,
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
    Relation,
    Tab,
    Tier,
    View,
    Wish,
)
from knit_tui.organise.pack import Neighbours, Placement, arrange
from knit_tui.organise.reasons import reason
from knit_tui.organise.relations import Relations


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


class Speaking:
    """What documents say of one another, as far as the user lets them take part."""

    def __init__(self, relations: Relations, controls: Controls) -> None:
        self._relations = relations
        self._excluded = frozenset(controls.excluded)

    def of(self, rel: str) -> list[Relation]:
        """The relations of ``rel``, the most telling first."""
        found = self._relations.of(rel)
        return [each for each in found if each.other not in self._excluded] if self._excluded else list(found)

    def said_of(self, item: Item) -> Item:
        """A row of a pack with its relations."""
        found = self.of(item.rel)
        if not found:
            return item
        return replace(item, relations=tuple(found[:RELATIONS_KEPT]), related=len(found))


def ranked_view(
    pool: Pool,
    ranking: Ordered,
    controls: Controls,
    missing: Collection[str],
    examiner: Examiner,
    speaking: Speaking,
) -> View:
    """The tab in order of relevance: pinned, then the tiers, then all other hits.

    ``missing`` are pins whose files are gone.
    """
    found = ranking.hits()
    pins = {hit.rel: hit for hit in found if hit.rel in controls.pinned}
    pinned = [
        speaking.said_of(_found(item, pins.get(item.rel), examiner))
        for item in _pinned(pool, controls, missing)
    ]
    held = {item.rel for item in pinned}
    hits = [hit for hit in found if hit.rel not in held]

    def neighbours(rel: str) -> list[str]:
        others = [relation.other for relation in speaking.of(rel)]
        return [each for each in others if each not in held and _packable(pool, each)]

    placed = _placements(pool, hits, neighbours)
    primary = next((place.rel for place in placed if place.tier is Tier.PRIMARY), "")
    items = (*pinned, *(_item(place, pool, examiner, speaking, primary) for place in placed))
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


def _found(pin: Item, hit: Hit | None, examiner: Examiner) -> Item:
    """A pinned row with what matches in it."""
    if hit is None or pin.missing:
        return pin
    passages = examiner.passages(pin.rel) if pin.access is Access.TEXT else ()
    return replace(_as_pinned(examiner.matched(pin, hit)), passages=passages)


def _newest(pool: Pool, shown: Sequence[Item]) -> tuple[Item, ...]:
    """All documents of the pool, newest first; rows that are shown already are the same objects."""
    rows = {item.rel: item for item in shown}
    return tuple(rows.get(rel) or pool.rows[rel] for rel in pool.newest)


def _placements(pool: Pool, hits: Sequence[Hit], neighbours: Neighbours) -> list[Placement]:
    if pool.tab is Tab.MEDIA:
        return [Placement(hit.rel, Tier.OTHER, None, hit) for hit in hits]
    named_only = [hit for hit in hits if not _packable(pool, hit.rel)]
    packable = [hit for hit in hits if _packable(pool, hit.rel)] if named_only else hits
    others = [Placement(hit.rel, Tier.OTHER, None, hit) for hit in named_only]
    return arrange(packable, neighbours) + others


def _packable(pool: Pool, rel: str) -> bool:
    return rel in pool.rows and pool.rows[rel].access is Access.TEXT


def _item(place: Placement, pool: Pool, examiner: Examiner, speaking: Speaking, primary: str) -> Item:
    plain = pool.rows[place.rel]
    if place.hit is None:
        relation = next((each for each in speaking.of(place.rel) if each.other == primary), None)
        item = replace(plain, reason=Reason("related", relation=relation), provenance=Provenance.RELATION)
    else:
        item = examiner.matched(plain, place.hit)
        if place.number is None:
            return item
    passages = examiner.passages(item.rel)
    return speaking.said_of(replace(item, tier=place.tier, number=place.number, passages=passages))
