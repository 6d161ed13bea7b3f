"""Why a document is in the Context Pack, or why not: answered from what decided it."""

from __future__ import annotations

from collections.abc import Mapping

from knit_tui.engine.library import Library
from knit_tui.find.passages import TermFinder
from knit_tui.model import (
    RELATIONS_INSPECTED,
    Access,
    Controls,
    Inspection,
    Item,
    Kind,
    Mode,
    Query,
    Relation,
    Scan,
    Tab,
    Tier,
    View,
)
from knit_tui.organise.relations import Relations
from knit_tui.workspace.text import TEXT_LIMIT

_TERMS = 6

Facts = tuple[tuple[str, str], ...]


class Inspector:
    """Answers about the documents of one workspace."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __call__(
        self,
        rel: str | None,
        views: Mapping[Tab, View],
        query: Query,
        controls: Controls,
        relations: Relations,
        scan: Scan,
    ) -> Inspection | None:
        """What is so about ``rel`` now; None when nothing is asked about."""
        if rel is None or Tab.CONTEXT not in views:
            return None
        view = views[Tab.CONTEXT]
        item = next((each for each in view.items if each.rel == rel), None)
        code, facts = self._standing(rel, view, item, query, controls, scan)
        related: tuple[Relation, ...] = relations.of(rel)
        card = self._library.cards.get(rel)
        return Inspection(
            rel,
            code,
            facts,
            TEXT_LIMIT if card is not None and card.cut else 0,
            item,
            related[:RELATIONS_INSPECTED],
            len(related),
        )

    def _standing(
        self, rel: str, view: View, item: Item | None, query: Query, controls: Controls, scan: Scan
    ) -> tuple[str, Facts]:
        if rel in controls.excluded:
            return "excluded", ()
        if item is not None and item.tier is Tier.PINNED:
            return "pinned", ()
        if item is not None and item.number is not None:
            return "pack", (("tier", item.tier.value), ("number", str(item.number)))
        return self._outside(rel, scan) or self._unmatched(rel, view, item, query)

    def _outside(self, rel: str, scan: Scan) -> tuple[str, Facts] | None:
        """What keeps a file from being searched at all."""
        entry = self._library.entries.get(rel)
        if entry is None:
            skip = next((each for each in scan.skips if each.rel == rel), None)
            return ("missing", ()) if skip is None else ("skipped", (("why", skip.reason),))
        card = self._library.cards.get(rel)
        if entry.access is Access.WITHHELD or (card is not None and card.problem == "secret"):
            return "secret", ()
        if entry.access is Access.GENERATED:
            return "generated", ()
        if entry.kind in (Kind.IMAGE, Kind.VIDEO) or entry.access is Access.NAME:
            return "media", ()
        if card is None:
            return "waiting", ()
        return ("unreadable", (("why", card.problem),)) if card.problem else None

    def _unmatched(self, rel: str, view: View, item: Item | None, query: Query) -> tuple[str, Facts]:
        if view.mode is Mode.NEWEST:
            return "no-query", ()
        if item is not None:
            placed = [each for each in view.items if each.tier is not Tier.OTHER]
            ranked = [each for each in view.items if each.tier is not Tier.PINNED]
            facts = [("rank", str(ranked.index(item) + 1)), ("matched", str(view.matched))]
            facts.append(("places", str(sum(each.number is not None for each in placed))))
            return "beaten", (*facts, ("last", placed[-1].rel if placed else ""))
        text = self._library.body(rel)
        held = [found.term for found in TermFinder(query.terms).find(text[0])] if text else []
        wanted = [term.term for term in query.terms]
        words = [term for term in wanted if term in held]
        if words:
            return "weak", (("terms", ", ".join(words[:_TERMS])),)
        return "no-hit", (("terms", ", ".join(wanted[:_TERMS])),)
