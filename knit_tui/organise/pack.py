"""The Context Pack: which documents to read first, which support them, which are related.

Primary is the first hit that is grounded (a term stands in its title, name, headings, summary or
folder, not only in its text) and at least ``PRIMARY_STRENGTH`` as strong as the best hit: a document
that is about the task, not one that mentions it. Supporting are deep hits: documents that use some
term at least twice within one window of text and as densely as any document examined, which keeps
out the archive that mentions everything once. Related are the next hits in rank order. Caps are
ceilings, not quotas; empty tiers are right when nothing qualifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from knit_tui.model import Hit, Tier
from knit_tui.organise.reasons import grounded

MAX_PRIMARY = 1
MAX_SUPPORTING = 3
MAX_RELATED = 5
PRIMARY_STRENGTH = 0.3
DEEP_COUNT = 2
"""Occurrences of a term within one window from which a document is about it."""

Windows = Mapping[str, Mapping[str, int]]
"""Path to term to the most occurrences of the term within one window of the document's text."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A hit and the tier it stands in, numbered through the tiers; hits outside the pack have no number."""

    hit: Hit
    tier: Tier
    number: int | None


def arrange(hits: Iterable[Hit], windows: Windows) -> list[Placement]:
    """Place every hit: primary, supporting, related, then all others, each in rank order.

    ``hits`` are best first. ``windows`` has the examined documents; one that is not in it cannot be
    a deep hit.
    """
    rest = list(hits)
    about = (hit for hit in rest if hit.strength >= PRIMARY_STRENGTH and grounded(hit))
    primary = list(islice(about, MAX_PRIMARY))
    rest = _without(rest, primary)
    densest = _densest(windows)
    deep = (hit for hit in rest if hit.rel in windows and _deep(windows[hit.rel], densest))
    supporting = list(islice(deep, MAX_SUPPORTING))
    rest = _without(rest, supporting)
    placements: list[Placement] = []
    for tier, members in (
        (Tier.PRIMARY, primary),
        (Tier.SUPPORTING, supporting),
        (Tier.RELATED, rest[:MAX_RELATED]),
    ):
        placements += [Placement(hit, tier, len(placements) + 1 + i) for i, hit in enumerate(members)]
    return placements + [Placement(hit, Tier.OTHER, None) for hit in rest[MAX_RELATED:]]


def _without(hits: list[Hit], taken: list[Hit]) -> list[Hit]:
    paths = {hit.rel for hit in taken}
    return [hit for hit in hits if hit.rel not in paths]


def _densest(windows: Windows) -> dict[str, int]:
    densest: dict[str, int] = {}
    for counts in windows.values():
        for term, count in counts.items():
            densest[term] = max(count, densest.get(term, 0))
    return densest


def _deep(counts: Mapping[str, int], densest: Mapping[str, int]) -> bool:
    return any(count >= DEEP_COUNT and count >= densest[term] for term, count in counts.items())
