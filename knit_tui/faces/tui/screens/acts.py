"""What the user does to documents: pin, exclude, take back."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from knit_tui.engine.changes import Change, Exclude, Pin, Redo, Restore, Undo, Unpin
from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.state import PanelState
from knit_tui.faces.tui.widgets.result_list import ResultList
from knit_tui.faces.tui.widgets.title_bar import undone_text
from knit_tui.model import Item


class ActingScreen(Screen[None], inherit_bindings=False):
    """A screen over a list of documents whose keys act on the one under the cursor."""

    state: PanelState
    _send: Callable[[Change], None]

    @property
    def results(self) -> ResultList:
        return self.query_one(ResultList)

    def say(self, message: str) -> None:
        """Tell the user what came of an action; ``message`` is safe text."""
        raise NotImplementedError

    def _act(self, item: Item, change: Change, wanted: str, message: str) -> None:
        self.state.acted()
        self.results.want(item.rel, wanted)
        self._send(change)
        self.say(message.format(name=plain(item.rel.rpartition("/")[2])))

    def action_item_pin(self) -> None:
        item = self.results.item
        if item is None:
            return
        wanted = self.results.wanted(item.rel)
        if wanted == "pinned" or (item.pinned and wanted != "unpinned"):
            self._act(item, Unpin(item.rel), "unpinned", _("unpinned {name}, u undoes"))
        else:
            self._act(item, Pin(item.rel), "pinned", _("pinned {name}, u undoes"))

    def action_item_exclude(self) -> None:
        item = self.results.item
        if item is None:
            return
        if self.results.wanted(item.rel) == "excluded":
            self._act(item, Restore(item.rel), "shown", _("{name} is back"))
        else:
            self._act(item, Exclude(item.rel), "excluded", _("excluded {name}, u undoes"))

    def action_edit_undo(self) -> None:
        latest = self.state.latest
        undoable = "" if latest is None else latest.undoable
        if not undoable and not self.state.acting:
            self.say(_("nothing to undo"))
            return
        self.state.acted()
        self._send(Undo())
        self.say(undone_text(undoable))

    def action_edit_redo(self) -> None:
        self.state.acted()
        self._send(Redo())
        self.say(_("done again"))
