"""Every action in a list that can be searched and run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import actions_now, key_text, keys_text
from knit_tui.faces.tui.cells import pad, shorten
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.registry import GROUPS, Action
from knit_tui.faces.tui.screens.dialog import SearchDialog
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, NoteLine, TitleLine
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.rows import BAR

_KEYS_WIDTH = 18


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
        """Show the actions whose keys, label or help hold every word of ``text``; the cursor goes to the one
        whose key it is, else to the first."""
        self._terms = tuple(text.lower().split())
        rows: list[object] = []
        for group in GROUPS:
            found = [each for each in actions_now() if each.group == group and matches(each, self._terms)]
            rows += [group, *found] if found else []
        places = [index for index, row in enumerate(rows) if isinstance(row, Action)]
        typed = [index for index in places if has_key(rows[index], text.strip())]
        cursor = next(iter(typed or places), -1)
        self.set_rows(rows, cursor)
        if typed:
            self._reveal(cursor)
            self.redraw()

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


def has_key(row: object, written: str) -> bool:
    """Whether ``row`` is an action with a key that is written so."""
    return isinstance(row, Action) and written in map(key_text, row.keys)


def matches(action: Action, terms: Sequence[str]) -> bool:
    """Whether every lower-case term is somewhere in what is known of an action."""
    text = f"{keys_text(action)}\n{_(action.label)}\n{_(action.help)}\n{_(action.group)}".lower()
    return all(term in text for term in terms)


class HelpScreen(SearchDialog):
    """Closes with the id of the action to run, or with None."""

    ACTS: ClassVar[Mapping[str, str]] = {"panel.help": "close"}

    def compose(self) -> ComposeResult:
        with Vertical(id="help"):
            yield TitleLine(_("Help"))
            words = LineInput(id="help-input")
            words.placeholder = _("a key, or words of what you want")
            yield words
            yield ActionList(id="help-actions")
            yield NoteLine(_("Keys can be set: knit config --path says where, docs/settings.md how"))
            yield KeyLine()

    @property
    def rows(self) -> ActionList:
        return self.query_one(ActionList)

    def on_mount(self) -> None:
        self.tell_keys(("enter", _("run it")), ("escape", _("close")))
        self.search("")

    def search(self, text: str) -> None:
        self.rows.search(text)

    def action_choose(self) -> None:
        if self.rows.action is not None:
            self.dismiss(self.rows.action.id)
