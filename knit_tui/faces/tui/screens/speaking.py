"""Another language, while the panel runs."""

from __future__ import annotations

from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.screens.commanding import CommandingScreen
from knit_tui.faces.tui.screens.peeking import PeekingScreen
from knit_tui.faces.tui.screens.welcoming import WelcomingScreen
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.newcomer import Newcomer
from knit_tui.faces.tui.widgets.one_line import OneLine


class SpeakingScreen(PeekingScreen, CommandingScreen, WelcomingScreen, inherit_bindings=False):
    """A screen that says everything anew when the user wants another language."""

    def action_language(self, name: str) -> None:
        self.language = name
        use_language(None if name == "auto" else name)
        self.state.reword()
        with self.app.batch_update():
            self._show_list()
            for widget in self.query("*"):
                if isinstance(widget, OneLine):
                    widget.changed()
                elif isinstance(widget, LineList):
                    widget.forget()
                    widget.redraw()
            self.task_bar.reword()
            self.query_one(Newcomer).refresh()
            self._place_hints()
            self.preview.reload()
            if self.close_peek():
                self._peek(opened=True)
            self.say("")
