"""What the user does to documents: pin, exclude, take back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.screen import Screen
from textual.widget import Widget

from knit_tui.engine.changes import Change, Exclude, Pin, Redo, Restore, Undo, Unpin
from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.state import PanelState
from knit_tui.faces.tui.widgets.result_list import ResultList
from knit_tui.faces.tui.widgets.title_bar import undone_text
from knit_tui.model import Item


class ActingScreen(Screen[None], inherit_bindings=False):
    """A screen over a list of documents whose keys act on the one under the cursor."""

    state: PanelState
    _send: Callable[[Change], None]
    _message: str
    _asked = ("", "")
    """What was asked about, and the question."""

    @property
    def results(self) -> ResultList:
        return self.query_one(ResultList)

    @property
    def item(self) -> Item | None:
        """The document that the keys act on."""
        return self.results.item

    def turn_to(self, widget: Widget) -> None:
        """Give ``widget`` the focus at once, so that no key of a fast typist goes where the focus was."""
        self.set_focus(widget, scroll_visible=False)

    def say(self, message: str) -> None:
        """Tell the user what came of an action; ``message`` is safe text."""
        raise NotImplementedError

    def sure(self, what: str, question: str) -> bool:
        """Whether the user did ``what`` a second time while the question was on screen; asks it if not."""
        if self._asked == (what, question) and self._message == question:
            self._asked = ("", "")
            return True
        self._asked = (what, question)
        self.say(question)
        return False

    def _act(self, rel: str, change: Change, wanted: str, message: str) -> None:
        self.state.acted()
        self.results.want(rel, wanted)
        self._send(change)
        self.say(message.format(name=plain(rel.rpartition("/")[2]), key=key_of("edit.undo")))

    def toggle_pin(self, rel: str, *, pinned: bool) -> None:
        """Pin a document that is not ``pinned``, or take the pin off; what the user did last counts more."""
        wanted = self.results.wanted(rel)
        if wanted == "pinned" or (pinned and wanted not in ("unpinned", "excluded")):
            self._act(rel, Unpin(rel), "unpinned", _("unpinned {name}, {key} undoes"))
        else:
            self._act(rel, Pin(rel), "pinned", _("pinned {name}, {key} undoes"))

    def toggle_exclusion(self, rel: str, *, excluded: bool) -> None:
        """Leave a document out that is not ``excluded``, or let it in again; what the user did last counts
        more."""
        wanted = self.results.wanted(rel)
        if wanted == "excluded" or (excluded and wanted not in ("shown", "pinned")):
            self._act(rel, Restore(rel), "shown", _("{name} is back"))
        else:
            self._act(rel, Exclude(rel), "excluded", _("excluded {name}, {key} undoes"))

    def restore_all(self, rels: Sequence[str]) -> None:
        """Let all of these documents in again."""
        for rel in rels:
            self.state.acted()
            self.results.want(rel, "shown")
            self._send(Restore(rel))
        if rels:
            text = ngettext("{count} document is back", "{count} documents are back", len(rels))
            self.say(text.format(count=f"{len(rels):,}"))

    def action_item_pin(self) -> None:
        if self.item is not None:
            self.toggle_pin(self.item.rel, pinned=self.item.pinned)

    def action_item_exclude(self) -> None:
        if self.item is not None:
            latest = self.state.latest
            left_out = latest is not None and self.item.rel in latest.controls.excluded
            self.toggle_exclusion(self.item.rel, excluded=left_out)

    def action_edit_undo(self) -> None:
        latest = self.state.latest
        self._again(Undo(), "" if latest is None else latest.undoable, undone_text, _("nothing to undo"))

    def action_edit_redo(self) -> None:
        latest = self.state.latest
        self._again(Redo(), "" if latest is None else latest.redoable, redone_text, _("nothing to redo"))

    def _again(self, change: Change, what: str, text: Callable[[str], str], nothing: str) -> None:
        if not what and not self.state.acting:
            self.say(nothing)
            return
        if self.state.acting:  # what it is about is only known when the act before it is answered
            what = ""
        verb, _space, rel = what.partition(" ")
        if (verb, type(change)) in (("exclude", Undo), ("restore", Redo)):
            self.results.want(rel, "shown")
        self.state.acted()
        self._send(change)
        self.say(text(what))


def redone_text(redoable: str) -> str:
    """What a redo did again, from ``Snapshot.redoable``, by the name of the file alone."""
    verb, _space, path = redoable.partition(" ")
    texts = {
        "pin": _("done again: pin {name}"),
        "unpin": _("done again: unpin {name}"),
        "exclude": _("done again: exclude {name}"),
        "restore": _("done again: restore {name}"),
    }
    return texts.get(verb, _("done again")).format(name=plain(path.rpartition("/")[2]))
