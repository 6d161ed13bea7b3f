"""What is kept of a workspace, for a look at what the agent read: tracked, and changed by nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from knit_tui.engine.keeper import Place
from knit_tui.workspace.keeping import Kept, Unsaved


class Counted:
    """A keeper's place that says what ``place`` says, but that use is tracked; nothing is written to it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._told = False
        self.trouble = ""

    def changed(self) -> Kept | None:
        kept = self._place.changed()
        self.trouble = self._place.trouble
        if kept is None and self._told:
            return None
        self._told = True
        return replace(kept or Kept(), tracking=True)

    def change(self, how: Callable[[Kept], Kept]) -> Kept:
        raise Unsaved("off")
