"""The panes of tmux, to choose the one that the agent runs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import one_line, plain
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.services.panes import Pane
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.fact_list import FactList, Form, Row


class PaneScreen(ListDialog[Pane | None]):
    """Closes with the pane that was chosen, or with None."""

    AUTO_FOCUS = "FactList"
    ACTS: ClassVar[Mapping[str, str]] = {"pane.choose": "close"}

    def __init__(self, panes: Sequence[Pane], guess: Pane | None) -> None:
        super().__init__()
        self._panes = {pane.id: pane for pane in panes}
        self._guess = guess

    def compose(self) -> ComposeResult:
        with Vertical(id="panes"):
            yield TitleLine(_("Which pane does the agent run in?"))
            yield FactList(id="pane-rows")
            yield KeyLine()

    @property
    def rows(self) -> FactList:
        return self.query_one(FactList)

    def on_mount(self) -> None:
        rows: list[Row] = []
        for here, heading in ((True, _("In this window")), (False, _("In other windows"))):
            found = [pane for pane in self._panes.values() if pane.here is here]
            if found:
                rows.append(Row(Form.HEADING, heading))
                rows += [_row(pane) for pane in found]
        rows.append(
            Row(Form.SENTENCE, _("It is remembered, {key} asks again.").format(key=key_of("pane.choose")))
        )
        self.rows.show(rows, self._guess.id if self._guess is not None else "")
        self.tell_keys(("enter", _("send there")), ("escape", _("close")))

    def action_choose(self) -> None:
        row = self.rows.row
        if row is not None:
            self.dismiss(self._panes.get(row.key))


def _row(pane: Pane) -> Row:
    text = f"{place_text(pane)}  {plain(pane.program)}"
    return Row(Form.PLACE, text, pane.id, note=one_line(pane.title), strong=bool(pane.agent))


def place_text(pane: Pane) -> str:
    """Which pane it is, by the numbers that tmux shows."""
    if pane.here:
        return _("pane {pane}").format(pane=plain(pane.index))
    return _("window {window}, pane {pane}").format(window=plain(pane.window), pane=plain(pane.index))
