"""What the agent has read and what has not changed since, told only where that is certain.

A log is looked at when the tool is called, so that a read is known to lie between two looks. The file did not
change after it if its time is older than the look before; for what was read before the first look, if it is
older than the whole session.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import chain, islice

from knit_tui.faces.usage_words import Mark, seen
from knit_tui.model import Item, SessionOffer, Snapshot, Status
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.peek import identify, moment
from knit_tui.sessions.sources import WINDOW

_LATE_NS = 5_000_000_000
"""A read is in the log this long after it was done, at the latest."""
_FIRST = 40
"""Records at the start of a log of which one tells when it began."""
_LOOKS = 4_000


class Marks:
    """Knows when it was looked at the log, and when the session began."""

    def __init__(self) -> None:
        self._looks: list[int] = []
        self._session = ""
        self._began: float | None = None

    def looking(self, now_ns: int) -> None:
        """The log is looked at from this moment on."""
        del self._looks[:-_LOOKS]
        self._looks.append(now_ns)

    def unchanged(self, snapshot: Snapshot, items: tuple[Item, ...]) -> frozenset[str]:
        """Those of ``items`` that the agent itself read, that are certain to be as they were then, and that
        are in its context still."""
        usage = snapshot.usage
        if usage is None:
            return frozenset()
        found = set()
        for item in items:
            use = usage.documents.get(item.rel)
            read = use.last_read if use is not None else None
            if use is None or read is None or use.status not in (Status.READ, Status.REREAD):
                continue
            if read.by != "main" or read.inferred or use.lost or item.missing:
                continue
            if item.mtime_ns < self._before(read.at, snapshot):
                found.add(item.rel)
        return frozenset(found)

    def _before(self, at: int | None, snapshot: Snapshot) -> int:
        """A moment that is certain to be before a read that was told at ``at``; 0 when none is known."""
        place = 0 if at is None else bisect_right(self._looks, at) - 1
        if place > 0:
            return self._looks[place - 1] - _LATE_NS
        if snapshot.session.session_id != self._session or self._began is None:
            self._session = snapshot.session.session_id
            followed = next((each for each in snapshot.sessions if each.followed), None)
            self._began = began(followed) if followed is not None else 0.0
        return int(self._began * 1e9)


def compacted(snapshot: Snapshot, items: tuple[Item, ...]) -> frozenset[str]:
    """Those of ``items`` that are told to be read before the agent compacted its context."""
    documents = snapshot.usage.documents if snapshot.usage is not None else {}
    marks = {item.rel: seen(documents.get(item.rel), tiered=False) for item in items}
    return frozenset(rel for rel, mark in marks.items() if mark and mark.mark is Mark.COMPACTED)


def began(offer: SessionOffer) -> float:
    """When a session began as its log tells, in seconds since the epoch; 0 when it does not tell."""
    _, address, form = identify(offer.key, FORMATS)
    if address is None or form is None or form.agent != offer.agent:
        return 0.0
    source = form.source(address, WINDOW)
    if source.check() not in ("grown", "same"):
        return 0.0
    first = islice(chain(source.head(), () if source.started else source.records()), _FIRST)
    told = [moment(form.written(record), math.inf) for record in first]
    return min((each for each in told if each != math.inf), default=0.0)
