"""The evidence of the followed session, handed to ``track`` in the order it came, while the user wants it."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from knit_tui.engine.step import Step
from knit_tui.model import Entry, Lost, Notice, Usage, View
from knit_tui.sessions.events import Compacted, EditDone, Event, ReadDone, Reset, Rewind, SessionInfo
from knit_tui.track.epochs import packed
from knit_tui.track.lens import report
from knit_tui.track.reads import Evidence, Loss, document
from knit_tui.track.state import Tracking, advanced, following, noted, restarted, sighted

KEPT = 20_000
"""Reads and edits of the session that are remembered for when tracking is turned on, and what parts them."""

_Told = ReadDone | EditDone | Compacted | Rewind


class Tracker:
    """What the agent did, counted while it is on. Turned on, it begins with what the log told before."""

    def __init__(self, root: Path, now: Callable[[], int] = time.time_ns) -> None:
        self._root = root
        self._now = now
        self.on = False
        self._state = Tracking()
        self._seq = 0
        self._session_id = ""
        self._told: deque[_Told] = deque(maxlen=KEPT)
        self._forgotten = 0
        self._missed = 0
        """Reads and edits that were forgotten before tracking was turned on."""
        self._evidence: list[Evidence | Loss] = []
        self._scanned = 0
        self._usage: Usage | None = None
        self._report = Step(self._reported)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """``usage-partial``: ``count`` reads and edits were too long ago to be counted."""
        if not (self.on and self._missed):
            return ()
        return (Notice("usage-partial", (("count", str(self._missed)),)),)

    def turn(self, on: bool) -> None:
        """Begin to count, or forget what was counted."""
        if on == self.on:
            return
        self.on = on
        self._state, self._evidence, self._usage = Tracking(), [], None
        self._missed = self._forgotten
        if on and self._session_id:
            self._state = following(self._state, self._session_id)
            for event in self._told:
                self._note(event, (), past=True)

    def scanned(self) -> None:
        """The workspace was looked at: its times are of now."""
        self._scanned = self._seq

    def take(self, events: Iterable[Event], listed: Collection[str], *, past: bool) -> None:
        """What the session told; ``past`` when that was before anyone looked.

        A session that is told for the first time, or anew, is told from its start: all of that is past.
        """
        for event in events:
            if isinstance(event, Reset):
                self._told.clear()
                self._forgotten = self._missed = 0
                self._evidence = []
                self._session_id = ""
                self._state = restarted(self._state)
            elif isinstance(event, SessionInfo):
                past = past or not self._session_id
                self._session_id = event.session_id
                if self.on:
                    self._state = following(self._state, event.session_id)
            elif isinstance(event, _Told):
                oldest = self._told[0] if len(self._told) == KEPT else None
                self._forgotten += isinstance(oldest, (ReadDone, EditDone))
                self._told.append(event)
                if self.on:
                    self._note(event, listed, past=past)

    def see(self, view: View, task: str, topic: tuple[str, ...]) -> None:
        """The pack that is at hand now."""
        if not self.on:
            return
        evidence, self._evidence = self._evidence, []
        self._seq += 1
        after = advanced(self._state, evidence, packed(view, task, topic), self._seq, self._now())
        if after is self._state:
            self._seq -= 1
        self._state = after

    def usage(self, entries: Mapping[str, Entry]) -> Usage | None:
        """What is known of the agent and the documents; None while off.

        What was told while no pack was seen, as during a typed query, belongs to the one in force.
        """
        if not self.on:
            return None
        session = self._state.session
        if self._evidence and session is not None and session.epochs.newest is not None:
            evidence, self._evidence = self._evidence, []
            self._state = noted(self._state, evidence)
        self._state = sighted(self._state, entries)
        self._usage = self._report(self._state, entries, self._scanned)
        return self._usage

    def _note(self, event: _Told, listed: Collection[str], *, past: bool) -> None:
        self._seq += 1
        if isinstance(event, (Compacted, Rewind)):
            why = Lost.COMPACTED if isinstance(event, Compacted) else Lost.REWOUND
            self._evidence.append(Loss(self._seq, why))
            return
        rel = document(event.path)
        self._evidence.append(
            Evidence(
                event.path,
                self._seq,
                edited=isinstance(event, EditDone),
                ok=event.ok,
                certainty="confirmed" if isinstance(event, EditDone) else event.certainty,
                by=event.by,
                call_id=event.call_id,
                at=None if past else self._now(),
                mtime_ns=None if past or rel is None else self._mtime(rel),
                listed=rel in listed,
            )
        )

    def _mtime(self, rel: str) -> int | None:
        try:
            return os.lstat(self._root / rel).st_mtime_ns
        except (OSError, ValueError):
            return None

    def _reported(self, state: Tracking, entries: Mapping[str, Entry], scanned: int) -> Usage:
        used = state.session.lives if state.session else {}
        mtimes = {rel: entries[rel].stamp.mtime_ns for rel in used if rel in entries}
        present = {rel for rel in used if rel in entries or self._mtime(rel) is not None}
        return report(state, mtimes, present, scanned=scanned, before=self._usage)
