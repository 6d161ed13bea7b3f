"""A list of what is known of something: sentences, facts under headings, and places to go to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from rich.cells import cell_len

from knit_tui.faces.tui.cells import pad, shorten, shorten_middle, wrap
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.rows import BAR

_INDENT = 2
_WIDEST_NAME = 16


class Form(Enum):
    """How a row is drawn."""

    SENTENCE = "sentence"
    """As many lines as it needs."""
    FACT = "fact"
    """A name and what it says."""
    HEADING = "heading"
    PLACE = "place"
    """A document to go to, and a remark: the cursor may rest on it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row; every text is safe."""

    form: Form
    text: str
    key: str = ""
    """What tells a place from the others."""
    name: str = ""
    """Of a fact."""
    note: str = ""
    """Of a heading or a place, less important."""
    strong: bool = False


class FactList(LineList):
    """Rows of these forms; the cursor stays on its place when they change."""

    PREFIX = "fact-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"fact-list--{name}"
        for name in (
            "cursor cursor-blur bar match sentence strong name fact heading count rule place note"
        ).split()
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._terms: tuple[str, ...] = ()
        self._column = 0

    @property
    def row(self) -> Row | None:
        """The place under the cursor."""
        row = self._rows[self._cursor] if 0 <= self._cursor < len(self._rows) else None
        return row if isinstance(row, Row) else None

    def show(self, rows: Sequence[Row], key: str = "", terms: tuple[str, ...] = ()) -> None:
        """Show ``rows``, the lower-case ``terms`` in places marked.

        The cursor goes to the place ``key``; without one it stays where it is, else on the first place.
        """
        if tuple(rows) == tuple(self._rows) and terms == self._terms and not key:
            return
        self._terms = terms
        self._column = min(_WIDEST_NAME, max((cell_len(row.name) for row in rows), default=0))
        before = self.row
        offset = self.line_of(self._cursor) - self.top if before is not None else 0
        keys = [row.key for row in rows]
        wanted = key or (before.key if before is not None else "")
        if wanted and wanted in keys:
            cursor = keys.index(wanted)
            self.set_rows(tuple(rows), cursor, -1 if key else cursor, offset)
        else:
            self.set_rows(tuple(rows), next((at for at, each in enumerate(keys) if each), -1))
        if key and self._cursor >= 0:
            self._reveal(self._cursor)
            self.redraw()

    def selectable(self, row: object) -> bool:
        return isinstance(row, Row) and bool(row.key)

    @property
    def shape(self) -> int:
        return self.content_width

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        width = self.content_width
        return [
            max(1, len(_sentence(row.text, width)))
            if isinstance(row, Row) and row.form is Form.SENTENCE
            else 1
            for row in rows
        ]

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        if not isinstance(row, Row):
            return [[]]
        room = max(0, width - _INDENT)
        lead = [Piece(BAR, "bar") if cursor else Piece(" "), Piece(" ")]
        if row.form is Form.SENTENCE:
            style = "strong" if row.strong else "sentence"
            return [to_width([*lead, Piece(line, style)], width) for line in _sentence(row.text, width)]
        if row.form is Form.HEADING:
            pieces = [Piece(" "), Piece(shorten(row.text, room), "heading"), Piece(" ")]
            if row.note:
                pieces += [Piece(row.note, "count"), Piece(" ")]
            return [to_width([*pieces, Piece("─" * max(0, width - width_of(pieces)), "rule")], width)]
        if row.form is Form.FACT:
            name = pad(row.name, min(self._column, room // 3)) + " "
            text = shorten(row.text, max(0, room - cell_len(name)))
            return [to_width([*lead, Piece(name, "name"), Piece(text, "fact")], width)]
        note = f"  {row.note}" if row.note and room - cell_len(row.note) - 2 >= room // 3 else ""
        text = shorten_middle(row.text, room - cell_len(note))
        place = with_matches(text, "strong" if row.strong else "place", self._terms)
        return [to_width([*lead, *place, Piece(note, "note")], width)]


def _sentence(text: str, width: int) -> list[str]:
    return wrap(text, width - _INDENT - 1)
