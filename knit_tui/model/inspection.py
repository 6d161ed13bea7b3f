"""One document under the lens: where it stands in the Context Pack, or why it is not there."""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.model.pack import Item, Relation

RELATIONS_INSPECTED = 100
"""Relations of one document that are told when it is asked for."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the user asked about ``rel``. ``facts`` go with ``code``, as name and value.

    In the pack: ``pack`` (tier, number), ``pinned``. Not in it: ``excluded``; ``missing``; ``skipped`` (why:
    as in `Skip`); ``secret``; ``generated``; ``media``; ``unreadable`` (why); ``waiting`` (not indexed yet);
    ``no-query`` (nothing to rank by); ``no-hit`` (terms: what was looked for); ``weak`` (terms: what it
    holds; too little beside the others); ``beaten`` (rank, matched, places, last: the last document of
    the pack).
    """

    rel: str
    code: str
    facts: tuple[tuple[str, str], ...] = ()
    cut_bytes: int = 0
    """How much of the file is searched, when that is not all of it; else 0."""
    item: Item | None = None
    """Its row, when there is one."""
    relations: tuple[Relation, ...] = ()
    """At most `RELATIONS_INSPECTED`, the most telling first."""
    related: int = 0
    """How many there are."""
