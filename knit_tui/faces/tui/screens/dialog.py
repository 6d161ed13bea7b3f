"""A list over the panel: what all of them share."""

from __future__ import annotations

from typing import TypeVar

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from knit_tui.faces.tui.widgets.line_list import LineList

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

    def action_close(self) -> None:
        self.dismiss(None)

    def action_move(self, step: int) -> None:
        self.rows.move(step)

    def action_page(self, direction: int) -> None:
        self.rows.move_page(direction)
