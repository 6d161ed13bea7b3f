"""What the user sets, done at once and kept for the next time.

An act counts at once, whether it can be kept or not. What could not be written is tried again with the
next act, on top of what the file says then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from knit_tui.model import Notice
from knit_tui.organise.controls import LIMIT, Act, Full, History, act_on, acted, put, redone, undone
from knit_tui.workspace.keeping import Kept, Unsaved

Step = Callable[[Kept], Kept]


class Place(Protocol):
    """Where it is kept; see ``workspace.keeping.Keeping``."""

    trouble: str

    def changed(self) -> Kept | None: ...

    def change(self, how: Step) -> Kept: ...


class Keeper:
    """Pins, exclusions and whether use is tracked; in memory only when there is no ``place``."""

    def __init__(self, place: Place | None = None) -> None:
        self._place = place
        self._kept = Kept()
        self._waiting: list[Step] = []
        self._why = ""
        self._full = ""
        self.history = History()
        self.persisted = False
        """What is set now is proven to be kept."""

    @property
    def tracking(self) -> bool:
        return self._kept.tracking

    @property
    def notices(self) -> tuple[Notice, ...]:
        """``unsaved`` (why), ``state-unused`` (why a file was set aside), ``full-pinned`` and
        ``full-excluded`` (count)."""
        notices = []
        if self._waiting and self._why != "off":
            notices.append(Notice("unsaved", (("why", self._why),)))
        if self._place is not None and self._place.trouble:
            notices.append(Notice("state-unused", (("why", self._place.trouble),)))
        if self._full == "pinned":
            notices.append(Notice("full-pinned", (("count", str(LIMIT)),)))
        elif self._full:
            notices.append(Notice("full-excluded", (("count", str(LIMIT)),)))
        return tuple(notices)

    def look(self) -> None:
        """Take in what another process set."""
        kept = self._place.changed() if self._place is not None else None
        if kept is None or self._place is None:
            return
        self.persisted = not self._place.trouble
        for step in self._waiting:
            kept = step(kept)
        self._take(kept)

    def act(self, action: str, rel: str) -> None:
        """``pin``, ``unpin``, ``exclude`` or ``restore`` ``rel``."""
        self.look()
        act = act_on(self.history.now, action, rel)
        self._full = ""
        if act is not None:
            self._try(lambda: acted(self.history, act), act, back=False)

    def undo(self) -> None:
        """Take the newest act back."""
        self.look()
        self._full = ""
        if self.history.past:
            self._try(lambda: undone(self.history), self.history.past[-1], back=True)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self.look()
        self._full = ""
        if self.history.future:
            self._try(lambda: redone(self.history), self.history.future[-1], back=False)

    def track(self, on: bool) -> None:
        """Remember whether use is tracked."""
        self._write(lambda kept: replace(kept, tracking=on))

    def _try(self, after: Callable[[], History], act: Act, back: bool) -> None:
        try:
            history = after()
            where = act.before if back else act.after
            self._write(lambda kept: replace(kept, controls=put(kept.controls, act.rel, where)))
        except Full as error:
            self._full = error.list
        else:
            self.history = replace(history, now=self._kept.controls)

    def _write(self, step: Step) -> None:
        def all_of_it(kept: Kept) -> Kept:
            for each in (*self._waiting, step):
                kept = each(kept)
            return kept

        try:
            if self._place is None:
                raise Unsaved("off")
            self._take(self._place.change(all_of_it))
        except Unsaved as error:
            self._take(step(self._kept))
            self._waiting.append(step)
            self._why, self.persisted = error.why, False
        else:
            self._waiting, self._why, self.persisted = [], "", True

    def _take(self, kept: Kept) -> None:
        self._kept = kept
        if kept.controls != self.history.now:
            self.history = replace(self.history, now=kept.controls)
