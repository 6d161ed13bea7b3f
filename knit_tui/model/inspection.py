"""One document under the lens: where it stands in the Context Pack, or why it is not there."""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.model.pack import Item, Relation

RELATIONS_INSPECTED = 100
"""Relations of one document that are told when it is asked for."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the user asked about ``rel``. ``facts`` go with ``code``, as name and value.

    In the pack: ``pack`` (tier, number) and ``pinned``. Not in it:

    - ``excluded`` by the user;
    - ``missing``: there is no such file; ``folder``; ``skipped`` (why, as in `Skip`, and where: the file or
      folder that is); ``ignored``: there is such a file, and ignore rules leave it out;
    - ``secret``, ``generated``, ``media``: only named, or only shown;
    - ``unreadable`` (why, as in `Unreadable`), ``waiting`` (not indexed yet);
    - ``no-query``: nothing to rank by;
    - ``no-hit`` (terms: what was looked for, none of which it holds); ``weak`` (terms: what it holds, which
      is too little beside the others);
    - ``beaten`` (rank, matched, places, last): its place among those that match and are not pinned, how many
      they are, how many the pack took in, and the last of these.

    ``excluded`` and ``pinned`` have (gone: ``yes``) when there is no such file now; what keeps a pinned one
    out of the pack all the same has (pinned: ``yes``).
    """

    rel: str
    code: str
    facts: tuple[tuple[str, str], ...] = ()
    cut_bytes: int = 0
    """How much of the file is searched, when that is not all of it; else 0."""
    item: Item | None = None
    """Its row in the pack or behind it, when there is one."""
    relations: tuple[Relation, ...] = ()
    """At most `RELATIONS_INSPECTED`, the most telling first."""
    related: int = 0
    """How many there are."""
