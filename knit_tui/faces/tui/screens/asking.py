"""What the user asks himself: a task of his own to rank for, in place of the session's."""

from __future__ import annotations

import time

from textual import on

from knit_tui.engine.changes import Ask
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.screens.choosing import ChoosingScreen
from knit_tui.faces.tui.widgets.task_bar import TaskBar


class AskingScreen(ChoosingScreen, inherit_bindings=False):
    """A screen with a line for a task over its list."""

    @property
    def task_bar(self) -> TaskBar:
        return self.query_one(TaskBar)

    def action_task_ask(self) -> None:
        self.remove_class("-reading", "-filtering")
        self.add_class("-asking")
        self.task_bar.input.begin(self.state.task)
        self.turn_to(self.task_bar.input)

    def action_task_follow(self) -> None:
        if self.state.task:
            self._ask("")
        else:
            self.say(_("no task was typed"))

    async def action_task_keep(self) -> None:
        await self.task_bar.input.action_submit()

    @on(TaskBar.Typed)
    def _typing(self, event: TaskBar.Typed) -> None:
        event.stop()
        self._touched = time.monotonic()

    @on(TaskBar.Given)
    def _given(self, event: TaskBar.Given) -> None:
        event.stop()
        self.leave_task()
        self._ask(event.text)

    def leave_task(self) -> bool:
        """Close the line and go to the list; whether it was open. What was typed is not lost."""
        if not self.has_class("-asking"):
            return False
        self._close_task()
        self.turn_to(self.results)
        return True

    def _close_task(self) -> None:
        self.task_bar.input.keep(self.task_bar.input.value.strip())
        self.remove_class("-asking")

    def on_descendant_focus(self) -> None:
        if self.has_class("-asking") and self.focused is not self.task_bar.input:
            self._close_task()

    def _ask(self, text: str) -> None:
        """Rank for ``text``, or for the session again when it is empty."""
        state = self.state
        if not state.ask(text):
            return
        self._places.clear()
        if state.by_time:
            self._choose(state.tab, False)
        self._send(Ask(text or None))
        following = state.latest is not None and state.latest.session.state == "following"
        if not text:
            self.say(_("following the session again") if following else _("the typed task is dropped"))
        elif following:
            self.say(_("what the agent's tool ranks stays with its session"))
