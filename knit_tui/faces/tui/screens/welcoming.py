"""The first lines for a newcomer, and how they go."""

from __future__ import annotations

from textual import events

from knit_tui.faces.tui.screens.choosing import ChoosingScreen
from knit_tui.faces.tui.widgets.newcomer import Newcomer
from knit_tui.panel_state import NEWCOMER, dismiss


class WelcomingScreen(ChoosingScreen, inherit_bindings=False):
    """A screen with hints that are gone for good once the user has sent them away."""

    welcoming = False
    """Whether the hints are wanted; they are there where there is room."""

    def on_resize(self, event: events.Resize) -> None:
        self._place_hints()

    def _place_hints(self) -> None:
        newcomer = self.query_one(Newcomer)
        newcomer.display = self.welcoming and newcomer.fits(self.size)

    def close_hints(self) -> None:
        """Send the hints away for good, if they are there."""
        if self.query_one(Newcomer).display:
            self.action_panel_hints()

    def action_panel_hints(self) -> None:
        """Send the hints away for good, or bring them back."""
        self.welcoming = again = not self.welcoming
        self._place_hints()
        self.run_worker(lambda: dismiss(NEWCOMER, again=again), thread=True)
