"""Every action in a list that can be searched and run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import GROUPS, Action, actions_now, key_text
from knit_tui.faces.tui.cells import pad, shorten
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.one_line import OneLine, spread
from knit_tui.faces.tui.widgets.rows import BAR

_KEYS_WIDTH = 16


class ActionList(LineList, can_focus=False):
    """Actions under the headings of their groups."""

    PREFIX = "action-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"action-list--{name}"
        for name in ("cursor", "cursor-blur", "bar", "key", "help", "group", "rule", "match", "none")
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._terms: tuple[str, ...] = ()

    @property
    def action(self) -> Action | None:
        """The action under the cursor."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        return row if isinstance(row, Action) else None

    def search(self, text: str) -> None:
        """Show the actions whose keys, label or help hold every word of ``text``."""
        self._terms = tuple(text.lower().split())
        rows: list[object] = []
        for group in GROUPS:
            found = [each for each in actions_now() if each.group == group and matches(each, self._terms)]
            rows += [group, *found] if found else []
        first = next((index for index, row in enumerate(rows) if isinstance(row, Action)), -1)
        self.set_rows(rows, first)

    def selectable(self, row: object) -> bool:
        return isinstance(row, Action)

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        return [1] * len(rows)

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        if not isinstance(row, Action):
            pieces = [Piece(" "), Piece(_(str(row)), "group"), Piece(" ")]
            return [to_width([*pieces, Piece("─" * max(0, width - width_of(pieces)), "rule")], width)]
        keys = pad(keys_text(row), min(_KEYS_WIDTH, max(0, width // 3)))
        bar = Piece(BAR, "bar") if cursor else Piece(" ")
        room = width - 3 - cell_len(keys)
        text = with_matches(shorten(_(row.help), room), "help", self._terms)
        return [to_width([bar, Piece(" "), Piece(keys, "key"), Piece(" "), *text], width)]

    def blank_line(self, y: int, width: int) -> list[Piece]:
        if self._rows or y:
            return []
        return [Piece("  "), Piece(_("No action like that"), "none")]


def keys_text(action: Action) -> str:
    return " ".join(key_text(key) for key in action.keys)


def matches(action: Action, terms: Sequence[str]) -> bool:
    text = f"{keys_text(action)}\n{_(action.label)}\n{_(action.help)}\n{_(action.group)}".lower()
    return all(term in text for term in terms)


class _HelpLine(OneLine):
    """What the keys do in the help itself."""

    def pieces(self, width: int) -> list[Piece]:
        left = [Piece(" "), Piece("enter", "key"), Piece(" " + _("run it")), Piece("  ")]
        left += [Piece("esc", "key"), Piece(" " + _("close"))]
        return spread(left, [], width)


class _HelpTitle(OneLine):
    def pieces(self, width: int) -> list[Piece]:
        text = _("Type to search")
        right = [Piece(text, "dim"), Piece(" ")] if width > 20 + cell_len(text) else []
        return spread([Piece(" "), Piece(_("Help"), "strong")], right, width)


class HelpScreen(ListDialog[str | None], inherit_bindings=False):
    """Closes with the id of the action to run, or with None."""

    AUTO_FOCUS = "LineInput"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "close", show=False),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="help"):
            yield _HelpTitle()
            yield LineInput(id="help-input")
            yield ActionList(id="help-actions")
            yield _HelpLine()

    @property
    def rows(self) -> ActionList:
        return self.query_one(ActionList)

    def on_mount(self) -> None:
        self.rows.search("")

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        event.stop()
        self.rows.search(event.value)

    @on(Input.Submitted)
    def _run(self, event: Input.Submitted) -> None:
        event.stop()
        action = self.rows.action
        if action is not None:
            self.dismiss(action.id)

    @on(LineList.Activated)
    def _run_clicked(self, event: LineList.Activated) -> None:
        event.stop()
        action = self.rows.action
        if action is not None:
            self.dismiss(action.id)
