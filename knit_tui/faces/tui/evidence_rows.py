"""The lines that open under a row of the list: everything that speaks for it, and who speaks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.relation_words import relation_text
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import pad, plain, shorten, shorten_middle
from knit_tui.faces.tui.pieces import Piece, to_width
from knit_tui.faces.wording import evidence, reason_text
from knit_tui.model import Item, Relation

FIRST = 3
"""Relations that are listed before the user wants all."""
GUIDE = "│"
_WIDEST_NAME = 16
_LEAST_TEXT = 16


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One line under ``item``."""

    item: Item
    key: str
    """What tells it from the other lines of its item, in every snapshot."""
    text: str
    name: str = ""
    """What kind of fact it is; empty for a relation."""
    column: int = 0
    """Cells that the names of this item take."""
    relation: Relation | None = None
    """Where the line leads."""
    more: bool = False
    """It lists all relations."""
    inspect: bool = False
    """It leads to all that is known."""

    @property
    def leads(self) -> bool:
        return self.relation is not None or self.more or self.inspect


@dataclass(frozen=True, slots=True)
class Destination:
    """A document to read, at a line if there is one."""

    rel: str
    line: int | None = None


def said_at(rel: str, relation: Relation) -> Destination:
    """Where a relation of ``rel`` is said: the line is in the document that mentions the other one."""
    here = relation.line is not None and not relation.incoming
    return Destination(rel if here else relation.other, relation.line)


Opened = Mapping[str, bool]
"""The items that are open, by path, and whether all their relations are listed."""


def with_evidence(rows: Sequence[object], opened: Opened) -> Sequence[object]:
    """``rows`` with the lines of those that are open; the very same when none is."""
    if not any(isinstance(row, Item) and row.rel in opened for row in rows):
        return rows
    out: list[object] = []
    for row in rows:
        out.append(row)
        if isinstance(row, Item) and row.rel in opened:
            out += evidence_rows(row, whole=opened[row.rel])
    return tuple(out)


def evidence_rows(item: Item, *, whole: bool) -> list[EvidenceRow]:
    """The lines of ``item``; with ``whole`` all relations that are known of it."""
    facts = [(plain(name), plain(text)) for name, text in evidence(item)]
    column = min(_WIDEST_NAME, max((cell_len(name) for name, _text in facts), default=0))
    rows = [
        EvidenceRow(item, f"{name}.{place}", text, name, column) for place, (name, text) in enumerate(facts)
    ]
    if not facts and item.reason is not None:
        rows.append(EvidenceRow(item, "reason", plain(reason_text(item.reason))))
    shown = item.relations if whole else item.relations[:FIRST]
    rows += [EvidenceRow(item, _key(each), plain(relation_text(each)), relation=each) for each in shown]
    left = item.related - len(shown)
    if left > 0 and len(shown) < len(item.relations):
        text = ngettext("{count} more relation", "{count} more relations", left)
        rows.append(EvidenceRow(item, "more", plain(text.format(count=f"{left:,}")), more=True))
    elif left > 0:
        text = ngettext(
            "{count} more relation: {key} lists it", "{count} more relations: {key} lists them", left
        )
        text = text.format(count=f"{left:,}", key=key_of("inspect.open"))
        rows.append(EvidenceRow(item, "rest", plain(text), inspect=True))
    if not rows:
        text = _("nothing speaks for it; {key} tells where it stands").format(key=key_of("inspect.open"))
        rows.append(EvidenceRow(item, "none", plain(text), inspect=True))
    return rows


def _key(relation: Relation) -> str:
    return f"{relation.type.value}.{relation.incoming}.{relation.other}"


def evidence_line(row: EvidenceRow, width: int, indent: int) -> list[Piece]:
    """The line, exactly ``width`` cells; names in a column of their own, where there is room."""
    lead = [Piece(" " * indent), Piece(GUIDE, "rule"), Piece(" ")]
    room = width - indent - 2
    if not row.name:
        style = "why-link" if row.leads else "why-text"
        cut = shorten_middle if row.relation is not None else shorten
        return to_width([*lead, Piece(cut(row.text, room), style)], width)
    name = _("{name}: ").format(name=row.name)
    if room - row.column - 1 >= _LEAST_TEXT:
        name = pad(row.name, row.column) + " "
    text = shorten(row.text, max(0, room - cell_len(name)))
    return to_width([*lead, Piece(name, "why-name"), Piece(text, "why-text")], width)
