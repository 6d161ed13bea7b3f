"""The line in which the user types a task of his own; it stands where the tabs are, so that nothing moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.widgets.filter_bar import Label, LineInput

LONGEST = 8_000
"""Characters of a task: far more words than any query uses."""


class TaskInput(LineInput):
    """A line with a history: up and down bring back what was typed before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._past: list[str] = []
        self._draft = ""
        self._place = 0
        """Which text of the past stands in the line; behind the last one the draft does."""

    def validate_value(self, value: str) -> str:
        return super().validate_value(value)[:LONGEST]

    def begin(self, text: str) -> None:
        """Start with ``text``, after all of the past."""
        self._place = len(self._past)
        self._put(text)

    def keep(self, text: str) -> None:
        """Remember ``text`` as the newest; an empty one is nothing to come back to."""
        if text:
            self._past = [*(each for each in self._past if each != text), text]

    def action_recall(self, step: int) -> None:
        place = max(0, min(self._place + step, len(self._past)))
        if place == self._place:
            return
        if self._place == len(self._past):
            self._draft = self.value
        self._place = place
        self._put(self._past[place] if place < len(self._past) else self._draft)

    def _put(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(self.value)

    def _on_paste(self, event: events.Paste) -> None:
        """Take all lines of a text, side by side; without this only the first would come."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)


class TaskBar(Horizontal):
    """The typed task, and whether all of it counts."""

    class Typed(Message):
        """The text is another one."""

    @dataclass
    class Given(Message):
        """The user is done."""

        text: str

    def compose(self) -> ComposeResult:
        yield Label(_mark(), "key", id="task-mark")
        yield TaskInput(id="task-input")
        yield Label("", "accent", id="task-cut")

    def reword(self) -> None:
        """Say what the line is in the language that is spoken now."""
        self.query_one("#task-mark", Label).show(_mark())

    @property
    def input(self) -> TaskInput:
        return self.query_one(TaskInput)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        full = _("full: {count} characters").format(count=f"{LONGEST:,}")
        self.query_one("#task-cut", Label).show(f" {full} " if len(event.value) >= LONGEST else "")
        self.post_message(self.Typed())

    @on(Input.Submitted)
    def _given(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Given(event.value.strip()))


def _mark() -> str:
    return " " + _("task:") + " "
