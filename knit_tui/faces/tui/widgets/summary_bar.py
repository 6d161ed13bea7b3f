"""A line above the hints: where the documents of this view went, in numbers that add up."""

from __future__ import annotations

from rich.cells import cell_len

from knit_tui.faces.summary_words import Summary, summary_groups
from knit_tui.faces.tui.cells import plain, shorten
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.widgets.one_line import OneLine

_BETWEEN = "  │  "


class SummaryBar(OneLine):
    """Groups of facts; those on the right leave when there is no room for them."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._summary: Summary | None = None

    def show(self, summary: Summary | None) -> None:
        """Show ``summary``; without one the line takes no room."""
        if summary != self._summary:
            self._summary = summary
            self.display = summary is not None
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        if self._summary is None:
            return []
        first, *others = map(plain, summary_groups(self._summary))
        out = [Piece(" "), Piece(shorten(first, width - 2), "dim")]
        used = 1 + cell_len(first)
        for group in others:
            used += len(_BETWEEN) + cell_len(group)
            if used + 1 > width:
                break
            out += [Piece(_BETWEEN, "rule"), Piece(group, "dim")]
        return out
