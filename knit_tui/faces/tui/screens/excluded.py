"""What the user left out, and pins whose files are gone: to be let in again, or taken off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.fact_list import FactList, Form, Row
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.model import Snapshot, Tab


class Acts(Protocol):
    """What the screen below does for this one."""

    def toggle_pin(self, rel: str, *, pinned: bool) -> None: ...

    def toggle_exclusion(self, rel: str, *, excluded: bool) -> None: ...

    def restore_all(self, rels: Sequence[str]) -> None: ...

    def action_edit_undo(self) -> None: ...

    def action_edit_redo(self) -> None: ...


class ExcludedScreen(ListDialog[None]):
    """Closes by itself only when the user wants it: what is empty now may be filled by an undo."""

    AUTO_FOCUS = "FactList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("A", "let_all_in", show=False),
    ]
    ACTS: ClassVar[Mapping[str, str]] = {
        "excluded.show": "close",
        "item.exclude": "choose",
        "edit.undo": "undo",
        "edit.redo": "redo",
    }

    def __init__(self, acts: Acts, snapshot: Snapshot) -> None:
        super().__init__()
        self._acts = acts
        self._snapshot = snapshot
        self._message = ""
        self._drawn = False

    def compose(self) -> ComposeResult:
        with Vertical(id="excluded"):
            yield TitleLine(_("Left out by you"))
            yield FactList(id="excluded-rows")
            yield KeyLine()

    @property
    def rows(self) -> FactList:
        return self.query_one(FactList)

    def on_mount(self) -> None:
        self._drawn = True
        self._draw()

    def show(self, snapshot: Snapshot, message: str) -> None:
        """What is so now, and what came of the last action."""
        self._snapshot, self._message = snapshot, message
        if self._drawn:
            self._draw()

    def _draw(self) -> None:
        controls = self._snapshot.controls
        gone = gone_pins(self._snapshot)
        rows: list[Row] = []
        if not controls.excluded:
            text = _("Nothing is excluded. In the list, {key} leaves a document out.")
            rows.append(Row(Form.SENTENCE, plain(text.format(key=key_of("item.exclude")))))
        rows += [_row("excluded", rel) for rel in reversed(controls.excluded)]
        if gone:
            rows.append(Row(Form.HEADING, _("Pinned, no such file now"), note=f"{len(gone):,}"))
            rows += [_row("pinned", rel) for rel in gone]
        self.query_one(TitleLine).show(self._message)
        self.rows.show(rows)
        row = self.rows.row
        keys = []
        if row is not None:
            keys.append(("enter", _("restore") if row.key.startswith("excluded") else _("unpin")))
        if controls.excluded:
            keys.append(("A", _("restore all")))
        if self._snapshot.undoable:
            keys.append(("edit.undo", _("undo")))
        self.tell_keys(*keys, ("escape", _("close")))

    @on(LineList.Touched)
    def _moved(self, event: LineList.Touched) -> None:
        event.stop()
        self._draw()

    def action_choose(self) -> None:
        row = self.rows.row
        if row is None:
            return
        kind, _nul, rel = row.key.partition("\0")
        if kind == "excluded":
            self._acts.toggle_exclusion(rel, excluded=True)
        else:
            self._acts.toggle_pin(rel, pinned=True)

    def action_let_all_in(self) -> None:
        self._acts.restore_all(self._snapshot.controls.excluded)

    def action_undo(self) -> None:
        self._acts.action_edit_undo()

    def action_redo(self) -> None:
        self._acts.action_edit_redo()


def _row(kind: str, rel: str) -> Row:
    folder, _slash, name = rel.rpartition("/")
    return Row(Form.PLACE, plain(name), f"{kind}\0{rel}", note=plain(folder))


def gone_pins(snapshot: Snapshot) -> tuple[str, ...]:
    """The pinned documents whose files are gone, in their order."""
    view = snapshot.views.get(Tab.CONTEXT)
    return tuple(item.rel for item in view.items if item.pinned and item.missing) if view else ()
