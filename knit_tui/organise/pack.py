"""The Context Pack: which documents to read first, which support them, which are related.

Primary is the first hit that is grounded (a term stands in its title, name, headings, summary or folder,
not only in its text, or the agent used it, or the conversation names it) and almost as strong as the best
hit: a document that is about the task, not one that mentions it. Supporting are the next hits that are not
much weaker; one that is not grounded must be almost as strong as the best, which keeps out the archive
that mentions everything once. Related are those after them. Caps are ceilings, not quotas; an empty tier
is right when nothing qualifies.

Where hits leave places free, documents that the primary one is related to take them, whether they match or
not: Supporting takes in the first of them, Related what is left. No document loses its place to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from knit_tui.model import Hit, Lead, Tier
from knit_tui.organise.reasons import grounded

MAX_PRIMARY = 1
MAX_SUPPORTING = 3
MAX_RELATED = 5
PRIMARY_STRENGTH = 0.8
SUPPORTING_STRENGTH = 0.3
MENTIONING_STRENGTH = 0.7
"""Of a supporting document that only mentions what is asked for."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A document and the tier it stands in, numbered through the tiers; outside the pack it has no number."""

    rel: str
    tier: Tier
    number: int | None
    hit: Hit | None
    """None when it is there for its relation to the primary document alone."""


Neighbours = Callable[[str], Sequence[str]]
"""From a document to those it is related to, the most telling first."""


def alone(rel: str) -> Sequence[str]:
    """No document is related to another."""
    return ()


def arrange(hits: Iterable[Hit], neighbours: Neighbours = alone) -> list[Placement]:
    """Place every hit, best first, and what fills the places they leave: primary, supporting, related, then
    all others.

    The limits are parts of the strength of the best hit there is, which need not be 1: documents that are
    shown elsewhere may have been taken out.
    """
    ordered = list(hits)
    best = ordered[0].strength if ordered else 1.0

    def down_to(strength: float) -> Iterator[int]:
        return takewhile(lambda at: ordered[at].strength >= strength * best, range(len(ordered)))

    def supports(hit: Hit) -> bool:
        return hit.strength >= best * (SUPPORTING_STRENGTH if _about(hit) else MENTIONING_STRENGTH)

    primary = list(islice((at for at in down_to(PRIMARY_STRENGTH) if _about(ordered[at])), MAX_PRIMARY))
    rest = (at for at in down_to(SUPPORTING_STRENGTH) if at not in primary and supports(ordered[at]))
    supporting = list(islice(rest, MAX_SUPPORTING))
    taken = {*primary, *supporting}
    related = list(islice((at for at in range(len(ordered)) if at not in taken), MAX_RELATED))
    taken.update(related)
    others = [at for at in range(len(ordered)) if at not in taken]

    by_tier: list[tuple[Tier, list[tuple[str, Hit | None]]]] = [
        (tier, [(ordered[at].rel, ordered[at]) for at in members])
        for tier, members in ((Tier.PRIMARY, primary), (Tier.SUPPORTING, supporting), (Tier.RELATED, related))
    ]
    if not others:
        _fill(by_tier, neighbours)
    placements: list[Placement] = []
    for tier, rows in by_tier:
        placements += [
            Placement(rel, tier, len(placements) + 1 + i, hit) for i, (rel, hit) in enumerate(rows)
        ]
    return placements + [Placement(ordered[at].rel, Tier.OTHER, None, ordered[at]) for at in others]


def _fill(by_tier: list[tuple[Tier, list[tuple[str, Hit | None]]]], neighbours: Neighbours) -> None:
    """Put neighbours of the primary document on free places."""
    (_, primary), (_, supporting), (_, related) = by_tier
    placed = {rel for _, rows in by_tier for rel, _ in rows}
    new = iter([rel for at, _ in primary for rel in dict.fromkeys(neighbours(at)) if rel not in placed])
    for rows, most in ((supporting, MAX_SUPPORTING), (related, MAX_RELATED)):
        rows += [(rel, None) for rel in islice(new, max(0, most - len(rows)))]


def _about(hit: Hit) -> bool:
    return grounded(hit) or hit.lead in (Lead.USE, Lead.MENTION)
