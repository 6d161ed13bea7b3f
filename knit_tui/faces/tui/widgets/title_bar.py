"""The first line: the task in the user's own words, how much matched, and how things stand."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.session_words import session_text
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import one_line, plain, shorten
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.widgets.one_line import OneLine, spread
from knit_tui.faces.wording import listed
from knit_tui.model import Mode, Query, Snapshot, View

_GAP = "   "
_WIDE = 100
_FULL_COUNTS = 60
_LEAST_TASK = 12


@dataclass(frozen=True, slots=True)
class Standing:
    """What the title says besides the snapshot."""

    snapshot: Snapshot | None = None
    view: View | None = None
    waiting: bool = False
    """A newer order is held back."""
    changes: int = 0
    """How many documents it moves; 0 when only the order among other matches differs."""
    message: str = ""
    """The result of the last action; safe text."""


class TitleBar(OneLine):
    """Task on the left, facts on the right; facts leave before the task becomes unreadable."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._standing = Standing()

    def show(self, standing: Standing) -> None:
        if standing != self._standing:
            self._standing = standing
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        standing = self._standing
        task = task_text(standing.snapshot)
        least = min(cell_len(task) + 2, 10 if standing.message else max(10, width // 2))
        right: list[Piece] = []

        def fits(piece: Piece) -> bool:
            return least + cell_len(piece.text) + len(_GAP) + width_of(right) <= width

        for piece in facts(standing, width):
            if not fits(piece):
                break
            right += [Piece(_GAP), piece]
        else:
            named = next(filter(fits, session_facts(standing, width)), None)
            right += [Piece(_GAP), named] if named else []
        if right:
            right.append(Piece(" "))
        room = width - width_of(right)
        query = standing.snapshot.query if standing.snapshot else None
        style = "strong" if query and (query.task or query.typed) else "dim"
        left = [Piece(" ")]
        if query and query.typed:
            for whose in (_("your task:"), _("yours:")):
                if room >= cell_len(whose) + _LEAST_TASK:
                    left.append(Piece(whose + " ", "accent"))
                    break
        room -= width_of(left)
        left.append(Piece(quoted(task, room) if style == "strong" else shorten(task, room), style))
        return spread(left, right, width)


def task_text(snapshot: Snapshot | None) -> str:
    """The task verbatim in quotation marks; what stands in for it when there is none."""
    if snapshot is None:
        return _("knit")
    said = snapshot.query.typed or snapshot.query.task
    if said.strip():
        return f'"{one_line(said)}"'
    return plain(snapshot.root.rstrip("/").rpartition("/")[2] or snapshot.root)


def quoted(task: str, room: int) -> str:
    """``task``, in its quotation marks, in at most ``room`` cells; a cut one keeps the closing mark."""
    if cell_len(task) <= room or room < 4:
        return shorten(task, room)
    return shorten(task[:-1], room - 1) + '"'


def terms_text(query: Query, limit: int = 6) -> str:
    """The heaviest terms of a query, comma-separated."""
    terms = [one_line(term.term) for term in query.terms[:limit]]
    return listed(terms) + (" …" if len(query.terms) > limit else "")


def facts(standing: Standing, width: int) -> list[Piece]:
    """What stands at the right, most important first."""
    snapshot, view = standing.snapshot, standing.view
    if snapshot is None or view is None:
        return [Piece(_("scanning"), "dim")]
    out: list[Piece] = []
    if standing.message:
        out.append(Piece(shorten(standing.message, max(10, width - 14)), "accent"))
    if standing.waiting:
        out.append(Piece(held_text(standing.changes), "accent", "view.refresh"))
    if snapshot.query.typed:
        out.append(Piece(way_back(snapshot, width), "accent", "task.follow"))
    if not snapshot.complete:
        progress = _("indexing {done} of {total}")
        text = progress.format(done=f"{snapshot.indexed:,}", total=f"{snapshot.documents:,}")
        out.append(Piece(text, "accent"))
    counts = counts_text(view) if width >= _FULL_COUNTS else short_counts(view)
    out.append(Piece(counts, "dim", "excluded.show" if view.excluded else ""))
    return out


def session_facts(standing: Standing, width: int) -> list[Piece]:
    """The session at the very right, the fullest form first; of these there is room for one at most."""
    snapshot, view = standing.snapshot, standing.view
    if snapshot is None or view is None or width < _WIDE:
        return []
    status = snapshot.session
    if view.mode is not Mode.RELEVANCE and status.state not in ("following", "off"):
        return []
    return [Piece(plain(session_text(status, short=short)), "dim") for short in (False, True)]


def way_back(snapshot: Snapshot, width: int) -> str:
    """How the user gets rid of the task that he typed."""
    text = _("drop it: {key}")
    if width >= _FULL_COUNTS and snapshot.session.state == "following":
        text = _("back to the session: {key}")
    return plain(text.format(key=key_of("task.follow")))


def held_text(changes: int) -> str:
    text = _("new order: {key}")
    if changes:
        text = ngettext("{count} change: {key}", "{count} changes: {key}", changes)
    return text.format(count=f"{changes:,}", key=key_of("view.refresh"))


def undone_text(undoable: str) -> str:
    """What an undo took back, from ``Snapshot.undoable``, by the name of the file alone."""
    verb, _space, path = undoable.partition(" ")
    texts = {
        "pin": _("undone: pin {name}, {key} does it again"),
        "unpin": _("undone: unpin {name}, {key} does it again"),
        "exclude": _("undone: exclude {name}, {key} does it again"),
        "restore": _("undone: restore {name}, {key} does it again"),
    }
    text = texts.get(verb, _("undone, {key} does it again"))
    return text.format(name=plain(path.rpartition("/")[2]), key=key_of("edit.redo"))


def counts_text(view: View) -> str:
    """How many documents are shown or match, of how many, and how many the user left out."""
    total = ngettext("{count} file", "{count} files", view.total).format(count=f"{view.total:,}")
    shown = len(view.items)
    if view.mode is Mode.NEWEST:
        text = total
    elif shown == view.matched:
        text = _("{matched} of {files}").format(matched=f"{view.matched:,}", files=total)
    else:
        numbers = _("{shown} shown, {matched} match of {files}")
        text = numbers.format(shown=f"{shown:,}", matched=f"{view.matched:,}", files=total)
    if view.excluded:
        text += _(", ") + _("{count} excluded").format(count=f"{view.excluded:,}")
    return text


def short_counts(view: View) -> str:
    return f"{view.total:,}" if view.mode is Mode.NEWEST else f"{view.matched:,}/{view.total:,}"
