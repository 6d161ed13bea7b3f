"""The command palette: everything that can be done or set, by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import keys_text
from knit_tui.faces.tui.cells import shorten
from knit_tui.faces.tui.commands import Command, search
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.screens.dialog import SearchDialog
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.rows import BAR

_LEAST = 10
"""Cells from which a part of a sentence tells anything."""
_THEME = "theme."


class CommandList(LineList, can_focus=False):
    """One line a command: its name, what holds now, what it does or why it would do nothing, its keys."""

    PREFIX = "command-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"command-list--{name}"
        for name in "cursor cursor-blur bar name value help useless key match none".split()
    }

    def __init__(self, commands: Sequence[Command], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._column = max((width_of(_called(each, ())) for each in commands), default=0)
        self._terms: tuple[str, ...] = ()

    @property
    def command(self) -> Command | None:
        """The command under the cursor."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        return row if isinstance(row, Command) else None

    def show(self, commands: Sequence[Command], terms: tuple[str, ...]) -> None:
        """Show ``commands``, the lower-case ``terms`` marked, with the cursor on the first."""
        self._terms = terms
        self.set_rows(commands, 0 if commands else -1)

    def selectable(self, row: object) -> bool:
        return True

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        return [1] * len(rows)

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        if not isinstance(row, Command):
            return [[]]
        keys = keys_text(row.action)
        called = _called(row, self._terms)
        left = [Piece(BAR, "bar") if cursor else Piece(" "), Piece(" "), *called]
        if width_of(left) + cell_len(keys) + 2 > width:
            keys = keys.partition(" ")[0]
        room = width - cell_len(keys) - 2
        left += [Piece(" " * (self._column - width_of(called) + 2))]
        rest = room - width_of(left)
        if rest >= _LEAST:
            style = "useless" if row.why_not else "help"
            left.append(Piece(shorten(row.why_not or row.help, rest), style))
        return [to_width([*to_width(left, room), Piece(" "), Piece(keys, "key"), Piece(" ")], width)]

    def blank_line(self, y: int, width: int) -> list[Piece]:
        if self._rows or y:
            return []
        return [Piece("  "), Piece(_("No command like that"), "none")]


def _called(command: Command, terms: Sequence[str]) -> list[Piece]:
    name = with_matches(command.name, "useless" if command.why_not else "name", terms)
    return [*name, Piece(f"  {command.value}", "value")] if command.value else name


class PaletteScreen(SearchDialog):
    """Closes with the id of the command to run, or with None.

    Args:
        offer: Tells all of them as they are now.
        recent: The ids of those that were used last.
        glance: Shows a theme while the cursor is on it; without a name, the one that was there before.
    """

    ACTS: ClassVar[Mapping[str, str]] = {"panel.commands": "close"}

    def __init__(
        self,
        offer: Callable[[], Sequence[Command]],
        recent: Sequence[str],
        glance: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._look_at = glance
        self._offer = offer
        self._recent = recent

    def compose(self) -> ComposeResult:
        with Vertical(id="palette"):
            yield TitleLine(_("Commands"))
            words = LineInput(id="palette-input")
            words.placeholder = _("what you want to do, or to set")
            yield words
            yield CommandList(self._offer(), id="palette-commands")
            yield KeyLine()

    @property
    def rows(self) -> CommandList:
        return self.query_one(CommandList)

    def on_mount(self) -> None:
        self.tell_keys(("enter", _("run it")), ("escape", _("close")))
        self.search("")

    def search(self, text: str) -> None:
        self.rows.show(search(self._offer(), text, self._recent), tuple(text.lower().split()))
        self._glance()

    @on(LineList.Touched)
    def _glance(self) -> None:
        command = self.rows.command
        action_id = command.action.id if command is not None else ""
        on_theme = action_id.startswith(_THEME)
        self.set_class(on_theme, "-glance")
        self._look_at(action_id.removeprefix(_THEME) if on_theme else "")
        self.query_one(TitleLine).show("")

    def action_choose(self) -> None:
        chosen = self.rows.command
        command = next((each for each in self._offer() if chosen and each.action == chosen.action), None)
        if command is None:
            return
        if command.why_not:
            self.query_one(TitleLine).show(command.why_not)
        else:
            self.dismiss(command.action.id)

    def action_close(self) -> None:
        self._look_at("")
        super().action_close()
