"""Why a document is in the Context Pack or not, what is known of it, and who speaks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from knit_tui.faces.i18n import _
from knit_tui.faces.inspection_words import (
    group_text,
    grouped,
    inspection_text,
    place_text,
    searched_text,
    unlisted_text,
)
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.evidence_rows import Destination, said_at
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.fact_list import FactList, Form, Row
from knit_tui.faces.tui.widgets.filter_bar import LineInput
from knit_tui.faces.wording import evidence
from knit_tui.model import Controls, Inspection, Relation, Snapshot, Tab, View

_MATCHES = 100


class Acts(Protocol):
    """What the screen below does for this one."""

    def inspect(self, rel: str) -> None: ...

    def toggle_pin(self, rel: str, *, pinned: bool) -> None: ...

    def toggle_exclusion(self, rel: str, *, excluded: bool) -> None: ...

    def action_edit_undo(self) -> None: ...

    def action_edit_redo(self) -> None: ...


class WhyScreen(ListDialog[Destination | None]):
    """Closes with where to go, or with None.

    Args:
        acts: Does what the keys ask for.
        snapshot: The newest one; later ones come by ``show``.
        rel: The document it is about; empty to let the user type one.
        backlinks: Begin at those who speak of it.
    """

    AUTO_FOCUS = ""
    ACTS: ClassVar[Mapping[str, str]] = {
        "inspect.open": "leave",
        "inspect.backlinks": "leave",
        "panel.quit": "leave",
        "item.pin": "pin",
        "item.exclude": "exclude",
        "edit.undo": "undo",
        "edit.redo": "redo",
        "filter.open": "type",
    }

    def __init__(self, acts: Acts, snapshot: Snapshot, rel: str, *, backlinks: bool = False) -> None:
        super().__init__()
        self._acts = acts
        self._snapshot = snapshot
        self._rel = rel
        self._backlinks = backlinks
        self._message = ""
        self._drawn = False
        self._known: tuple[Mapping[Tab, View], Controls, list[tuple[str, str]]] | None = None
        self._leads: dict[str, Destination] = {}

    def compose(self) -> ComposeResult:
        with Vertical(id="why"):
            yield TitleLine(_("Why it is in the pack, or not"))
            yield FactList(id="why-rows")
            path = LineInput(id="why-path")
            path.placeholder = _("{key} and a part of a path").format(key=key_of("filter.open"))
            yield path
            yield KeyLine()

    @property
    def rows(self) -> FactList:
        return self.query_one(FactList)

    @property
    def path(self) -> LineInput:
        return self.query_one(LineInput)

    def on_mount(self) -> None:
        self._drawn = True
        (self.rows if self._rel else self.path).focus()
        self._draw()

    def show(self, snapshot: Snapshot, message: str) -> None:
        """What is so now, and what came of the last action."""
        self._snapshot, self._message = snapshot, message
        if self._drawn:
            self._draw()

    # What it says

    def _draw(self, *, typed: bool = False) -> None:
        self.query_one(TitleLine).show(self._message)
        controls = self._snapshot.controls
        typing = bool(self.path.value.strip())
        if typing:
            self._draw_matches(typed)
        else:
            self._draw_answer()
        keys = [("enter", _("show") if typing else _("open"))] if typing or self._rel else []
        if self._rel and not self.typing:
            keys.append(("item.pin", _("unpin") if self._rel in controls.pinned else _("pin")))
            keys.append(("item.exclude", _("restore") if self._rel in controls.excluded else _("exclude")))
            keys.append(("filter.open", _("other path")))
        self.tell_keys(*keys, ("escape", _("back") if self.typing and self._rel else _("close")))

    def _draw_answer(self) -> None:
        inspection = self._snapshot.inspection
        self._leads = {}
        if not self._rel:
            self.rows.show((Row(Form.SENTENCE, _("Type a part of a path.")),))
            return
        top = self._place(self._rel, Destination(self._rel), strong=True)
        if inspection is None or inspection.rel != self._rel:
            self.rows.show((top, Row(Form.SENTENCE, _("looking"))))
            return
        rows = (top, *_answer_rows(inspection))
        for group, relations in grouped(inspection.relations):
            rows += (Row(Form.HEADING, plain(group_text(group)), note=f"{len(relations):,}"),)
            rows += tuple(self._relation(each) for each in relations)
        unlisted = unlisted_text(len(inspection.relations), inspection.related)
        if unlisted:
            rows += (Row(Form.SENTENCE, plain(unlisted)),)
        incoming = [each for each in inspection.relations if each.incoming]
        key = ""
        if self._backlinks:
            self._backlinks = False
            first = next((rows for _group, rows in grouped(incoming)), ())
            key = _relation_key(first[0]) if first else ""
        self.rows.show(rows, key)

    def _relation(self, relation: Relation) -> Row:
        note = _("excluded") if relation.other in self._snapshot.controls.excluded else ""
        goal = said_at(self._rel, relation)
        return self._place(place_text(relation), goal, key=_relation_key(relation), note=note)

    def _place(
        self, text: str, goal: Destination, *, key: str = "", note: str = "", strong: bool = False
    ) -> Row:
        key = key or goal.rel
        self._leads[key] = goal
        return Row(Form.PLACE, plain(text), key, note=note, strong=strong)

    def _draw_matches(self, typed: bool) -> None:
        terms = tuple(self.path.value.lower().split())
        found = matching(self._documents(), terms)
        self._leads = {}
        rows = tuple(self._place(rel, Destination(rel)) for rel in found)
        if not rows:
            rows = (Row(Form.SENTENCE, _("no document like that; enter asks about this very path")),)
        self.rows.show(rows, rows[0].key if typed else "", terms)

    def _documents(self) -> list[tuple[str, str]]:
        """The paths of every view and of what the user set, the newest first, each in lower case too."""
        views, controls = self._snapshot.views, self._snapshot.controls
        if self._known is None or self._known[0] is not views or self._known[1] is not controls:
            shown = (item.rel for view in views.values() for item in view.newest)
            known = list(dict.fromkeys((*shown, *controls.pinned, *controls.excluded)))
            self._known = views, controls, [(rel.lower(), rel) for rel in known]
        return self._known[2]

    # What the user does

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._draw(typed=True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()

    def on_descendant_focus(self) -> None:
        if self._drawn:
            self._draw()

    def action_choose(self) -> None:
        row, typed = self.rows.row, self.path.value.strip()
        goal = self._leads.get(row.key) if row is not None else None
        if typed:
            self._turn_to(goal.rel if goal is not None else _as_rel(typed, self._snapshot.root))
        elif goal is not None:
            self.dismiss(goal)

    def _turn_to(self, rel: str) -> None:
        self._rel = rel
        self._acts.inspect(rel)
        self.rows.focus()
        self.path.value = ""
        self._draw()

    def action_type(self) -> None:
        self.path.focus()

    def action_close(self) -> None:
        if self.typing and self._rel:
            self.rows.focus()
            self.path.value = ""
        else:
            self.action_leave()

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_pin(self) -> None:
        if self._rel:
            self._acts.toggle_pin(self._rel, pinned=self._rel in self._snapshot.controls.pinned)

    def action_exclude(self) -> None:
        if self._rel:
            excluded = self._rel in self._snapshot.controls.excluded
            self._acts.toggle_exclusion(self._rel, excluded=excluded)

    def action_undo(self) -> None:
        self._acts.action_edit_undo()

    def action_redo(self) -> None:
        self._acts.action_edit_redo()


def _answer_rows(inspection: Inspection) -> tuple[Row, ...]:
    """The sentence, what is searched, and what speaks for the document."""
    said = inspection_text(inspection, restore=_("{key} restores").format(key=key_of("item.exclude")))
    rows = [Row(Form.SENTENCE, plain(said), strong=True)]
    searched = searched_text(inspection)
    if searched:
        rows.append(Row(Form.SENTENCE, plain(searched)))
    facts = evidence(inspection.item) if inspection.item is not None else []
    rows += [Row(Form.FACT, plain(text), name=plain(name)) for name, text in facts]
    return tuple(rows)


def _relation_key(relation: Relation) -> str:
    return f"{relation.type.value}\0{relation.incoming}\0{relation.other}"


def matching(paths: Sequence[tuple[str, str]], terms: Sequence[str], limit: int = _MATCHES) -> list[str]:
    """The first paths, of (in lower case, as it is), that hold every lower-case term: one that is the term,
    then those that hold all in the name of the file."""
    found = list(paths)
    for term in terms:
        found = [each for each in found if term in each[0]]
    named = [each for each in found if all(term in each[0].rpartition("/")[2] for term in terms)]
    same = [each for each in found if [each[0]] == list(terms)]
    return [rel for _lower, rel in dict.fromkeys((*same, *named[:limit], *found[:limit]))][:limit]


def _as_rel(typed: str, root: str) -> str:
    """A typed path as the workspace has it."""
    return typed.removeprefix(f"{root}/").removeprefix("./")
