"""A list over the panel: what all of them share."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from knit_tui.faces.tui.actions import actions_now
from knit_tui.faces.tui.keymap import key_name
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.one_line import OneLine

T = TypeVar("T")

MOVES: tuple[BindingType, ...] = (
    Binding("down,j", "move(1)", show=False),
    Binding("up,k", "move(-1)", show=False),
    Binding("pagedown", "page(1)", show=False),
    Binding("pageup", "page(-1)", show=False),
)
"""Keys that move in the list, for a dialog in which nothing is typed."""


class ListDialog(ModalScreen[T], inherit_bindings=False):
    """Closes with what was chosen in its one list, or with None. Its movements are not the panel's."""

    @property
    def rows(self) -> LineList:
        """The list."""
        raise NotImplementedError

    @on(LineList.Touched)
    def _keep_movement(self, event: LineList.Touched) -> None:
        event.stop()

    @on(OneLine.Pressed)
    def _press_key(self, event: OneLine.Pressed) -> None:
        """A key that is named on a line was clicked."""
        event.stop()
        key = key_name(event.action)
        if key is not None:
            # A key that a screen sends is not offered to the bindings of that screen.
            self.app.call_later(self.app.simulate_key, key)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_move(self, step: int) -> None:
        self.rows.move(step)

    def action_page(self, direction: int) -> None:
        self.rows.move_page(direction)


class SearchDialog(ListDialog[str | None], inherit_bindings=False):
    """Actions that are found by what is typed; closes with the id of one, or with None."""

    AUTO_FOCUS = "LineInput"
    OPENED_BY: ClassVar[str] = ""
    """The action that opens it: its keys close it too, but those that type something."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def search(self, text: str) -> None:
        """Show what ``text`` finds."""
        raise NotImplementedError

    def choose(self) -> None:
        """Close with what is under the cursor."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        if any(event.key in action.keys for action in actions_now() if action.id == self.OPENED_BY):
            event.stop()
            self.action_close()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.search(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.choose()

    @on(LineList.Activated)
    def _clicked(self, event: LineList.Activated) -> None:
        event.stop()
        self.choose()
