"""The documents that the user had in hand, to go back to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.screens.explaining import known_item
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.fact_list import FactList, Form, Row
from knit_tui.faces.wording import age_text
from knit_tui.model import Snapshot


class RecentScreen(ListDialog[str | None]):
    """Closes with the path of a document, or with None.

    Args:
        handled: When the user did something with each document, the newest last.
        snapshot: Tells which of them are still there.
        now: The time, in nanoseconds since the epoch.
    """

    AUTO_FOCUS = "FactList"
    ACTS: ClassVar[Mapping[str, str]] = {"recent.show": "close"}

    def __init__(self, handled: Mapping[str, int], snapshot: Snapshot, now: int) -> None:
        super().__init__()
        self._rows = recent_rows(handled, snapshot, now)

    def compose(self) -> ComposeResult:
        with Vertical(id="recent"):
            yield TitleLine(_("What you read, copied or opened"))
            yield FactList(id="recent-rows")
            yield KeyLine()

    @property
    def rows(self) -> FactList:
        return self.query_one(FactList)

    def on_mount(self) -> None:
        self.rows.show(self._rows)
        self.tell_keys(("enter", _("go there")), ("escape", _("close")))

    def action_choose(self) -> None:
        row = self.rows.row
        if row is not None:
            self.dismiss(row.key)


def recent_rows(handled: Mapping[str, int], snapshot: Snapshot, now: int) -> list[Row]:
    """The documents, the newest first; of each, how long ago that was, or that it is gone."""
    rows = []
    for rel, at in reversed(list(handled.items())):
        item = known_item(snapshot, rel)
        there = item is not None and not item.missing
        note = age_text(at, now) if there else _("no such file now")
        rows.append(Row(Form.PLACE, plain(rel), rel, note=plain(note)))
    return rows
