"""What one answer lists: the rows of a view, the very ones that the panel shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knit_tui.faces.mcp.arguments import MOST, Call
from knit_tui.model import Item, Mode, Snapshot, Tab, Tier, View

PACK = (Tier.PINNED, Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED)
NEWEST = 5
"""Documents that are listed when there is no pack and no limit was asked for."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed, and what it is a part of.

    ``unchanged``: paths of which no more is told than that the agent read them and they are as they were.
    ``compacted``: those that it read before it compacted its context, and not since.
    """

    call: Call
    snapshot: Snapshot
    view: View
    tiers: Mapping[Tier, tuple[Item, ...]]
    """The tiers that have rows, in the order of the panel. Without a query all that is not pinned is
    ``OTHER``, newest first."""
    left_out: int
    """Rows of the pack that the limit cut."""
    unchanged: frozenset[str] = frozenset()
    compacted: frozenset[str] = frozenset()
    how: str = ""
    """How the session that is followed was found."""
    foreign: bool = False
    """It is not the session of the agent that calls: that one was not found."""
    history_waits: bool = False
    """The project's history is still being read."""

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for items in self.tiers.values() for item in items)

    @property
    def ranked(self) -> bool:
        return self.view.mode is Mode.RELEVANCE


def rows(call: Call, snapshot: Snapshot) -> tuple[View, tuple[Item, ...], int]:
    """The view that is asked for, its rows as far as the limit goes, and how many of the pack come after.

    A typed query that holds nothing to search for selects nothing: newest files are no answer to it.
    """
    view = snapshot.views[Tab(call.kind)]
    all_rows = () if snapshot.query.source == "typed" and not snapshot.query.terms else view.items
    pack = sum(item.tier in PACK for item in all_rows)
    ranked = view.mode is Mode.RELEVANCE
    limit = call.limit or min(MOST, pack if ranked and pack else pack + NEWEST)
    return view, all_rows[:limit], max(0, pack - limit)


def by_tier(items: tuple[Item, ...]) -> Mapping[Tier, tuple[Item, ...]]:
    """``items`` by tier, in their order."""
    return {tier: found for tier in Tier if (found := tuple(item for item in items if item.tier is tier))}
