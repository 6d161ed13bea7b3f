"""The last line while title and tabs are hidden: what they would say of importance, then the hints."""

from __future__ import annotations

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import BY_ID
from knit_tui.faces.tui.cells import plain, shorten
from knit_tui.faces.tui.pieces import Piece, to_width, width_of
from knit_tui.faces.tui.widgets.hint_bar import HintBar
from knit_tui.faces.tui.widgets.tab_bar import Tabs, found_text
from knit_tui.faces.tui.widgets.title_bar import Standing, facts
from knit_tui.model import Tab

_WIDEST_FILTER = 24


class NotedHints(HintBar):
    """Hints that give way to notes."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._noted: tuple[Standing, Tabs] | None = None

    def note(self, standing: Standing, tabs: Tabs, *, hidden: bool) -> None:
        """What title and tabs say; only while they are ``hidden`` it is said here."""
        noted = (standing, tabs) if hidden else None
        if noted != self._noted:
            self._noted = noted
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        if self._noted is None:
            return super().pieces(width)
        left = notes(*self._noted, width)
        room = width - width_of(left)
        return [*left, *super().pieces(room)] if room > 0 else to_width(left, width)


def notes(standing: Standing, tabs: Tabs, width: int) -> list[Piece]:
    """What is new, what is filtered, and which tab it is if not the usual one; most important first."""
    out: list[Piece] = []
    for piece in facts(standing, width):
        if piece.style == "accent":
            out += [Piece(" "), piece, Piece("  ")]
    if tabs.filter:
        text = shorten("/" + plain(tabs.filter), _WIDEST_FILTER)
        found = f" {found_text(*tabs.found)}  "
        out += [Piece(" "), Piece(text, "accent", "filter.open"), Piece(found, "dim", "filter.open")]
    if tabs.active is not Tab.CONTEXT:
        name = _(BY_ID[f"tab.{tabs.active.value}"].label)
        out += [Piece(f" {name} ", "active", "view.header"), Piece(" ")]
    return out
