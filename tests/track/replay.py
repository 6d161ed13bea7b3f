"""A session told piece by piece, as an engine tells it to the room: files on a disk that edits change."""

from __future__ import annotations

from collections.abc import Iterable

from knit_tui.model import PackItem, Tier, Usage
from knit_tui.sessions.events import EditDone, Event, ReadDone, Reset, SessionInfo
from knit_tui.track.epochs import Pack
from knit_tui.track.lens import report
from knit_tui.track.reads import Evidence
from knit_tui.track.state import Tracking, advanced, following, restarted

NOW = 1_700_000_000_000_000_000


def pack(
    task: str,
    *,
    pinned: str = "",
    primary: str = "",
    supporting: str = "",
    related: str = "",
) -> Pack:
    """A pack; documents are separated by blanks."""
    tiers = {
        Tier.PINNED: pinned,
        Tier.PRIMARY: primary,
        Tier.SUPPORTING: supporting,
        Tier.RELATED: related,
    }
    items = [
        PackItem(rel, tier, number)
        for tier, rels in tiers.items()
        for number, rel in enumerate(rels.split(), 1)
    ]
    return Pack(task, (), tuple(items))


class Replay:
    """One workspace and what the room remembers of it. Every document exists, and an edit raises its time."""

    def __init__(self) -> None:
        self.state = Tracking()
        self.mtimes: dict[str, int] = {}
        self.gone: set[str] = set()
        self.now = NOW
        self.seq = 0

    def save(self, rel: str) -> None:
        """Something changes the file."""
        self.now += 1_000_000_000
        self.mtimes[rel] = self.now

    def tell(self, events: Iterable[Event], at_hand: Pack, *, backlog: bool = False) -> None:
        """One poll, and the pack that is at hand after it."""
        told = list(events)
        for event in told:
            if isinstance(event, EditDone) and event.ok and not backlog:
                self.save(event.path)
        evidence: list[Evidence] = []
        for event in told:
            self.seq += 1
            if isinstance(event, Reset):
                self.state, evidence = restarted(self.state), []
            elif isinstance(event, SessionInfo):
                self.state = following(self.state, event.session_id)
            elif isinstance(event, ReadDone | EditDone):
                evidence.append(self._evidence(event, backlog))
        self.seq += 1
        self.state = advanced(self.state, evidence, at_hand, self.seq, self.now)

    def _evidence(self, event: ReadDone | EditDone, backlog: bool) -> Evidence:
        edited = isinstance(event, EditDone)
        return Evidence(
            event.path,
            self.seq,
            edited,
            event.ok,
            "confirmed" if isinstance(event, EditDone) else event.certainty,
            event.by,
            event.call_id,
            at=None if backlog else self.now,
            mtime_ns=None if backlog else self.mtimes.setdefault(event.path, NOW),
            listed=True,
        )

    def usage(self) -> Usage:
        return report(self.state, self.mtimes, self)

    def __contains__(self, rel: object) -> bool:
        return rel not in self.gone
