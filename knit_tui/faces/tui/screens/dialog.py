"""A list over the panel: what all of them share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from knit_tui.faces.tui.actions import actions_now, key_text
from knit_tui.faces.tui.keymap import key_name
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.one_line import OneLine

T = TypeVar("T")

_MOVES = {
    "move.down": "move(1)",
    "move.up": "move(-1)",
    "move.page_down": "page(1)",
    "move.page_up": "page(-1)",
}
_ENDS = {"move.top": "end(-1)", "move.bottom": "end(1)"}
_LEAVES = {"panel.back": "close", "panel.quit": "close", "panel.suspend": "app.suspend_process"}


class ListDialog(ModalScreen[T], inherit_bindings=False):
    """Closes with what was chosen in its one list, or with None. Its movements are not the panel's.

    ``escape`` always closes it and ``enter`` always chooses; other keys are those of the panel's actions.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("enter", "choose", show=False),
    ]
    ACTS: ClassVar[Mapping[str, str]] = {}
    """What the keys of the panel's actions do here, besides moving and closing, by the id of the action."""

    async def on_key(self, event: events.Key) -> None:
        if not self.is_current:  # closed by the key before
            return
        acts = {**_MOVES, **({} if self.typing else _ENDS), **_LEAVES, **self.ACTS}
        for action in actions_now():
            if action.id in acts and event.key in action.keys:
                event.stop()
                await self.run_action(acts[action.id])
                return

    @property
    def typing(self) -> bool:
        """Whether keys write something."""
        return isinstance(self.focused, Input)

    def tell_keys(self, *keys: tuple[str, str]) -> None:
        """Say in the last line which keys do what; of each the id of its action, or a key that is its own."""
        now = {action.id: action.keys[:1] for action in actions_now()}
        told = [(key, text) for each, text in keys for key in now.get(each, (each,))]
        self.query_one(KeyLine).show([(key_text(key), text) for key, text in told])

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

    def action_end(self, direction: int) -> None:
        self.rows.move_to_end(direction)

    def action_choose(self) -> None:
        """Do what the row under the cursor is for."""
        raise NotImplementedError

    @on(LineList.Activated)
    def _clicked(self, event: LineList.Activated) -> None:
        event.stop()
        self.action_choose()


class SearchDialog(ListDialog[str | None]):
    """Actions that are found by what is typed; closes with the id of one, or with None."""

    AUTO_FOCUS = "LineInput"

    def search(self, text: str) -> None:
        """Show what ``text`` finds."""
        raise NotImplementedError

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.search(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()
