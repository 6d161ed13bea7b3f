"""The second line: the four views with how much each holds, and how they are sorted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from rich.cells import cell_len

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain, shorten
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.widgets.one_line import OneLine, spread
from knit_tui.model import Tab

_WIDEST_TOPIC = 40


class Order(Enum):
    """How the list is sorted."""

    NONE = "none"
    RELEVANCE = "relevance"
    NEWEST = "newest"
    ONLY_NEWEST = "only-newest"
    """Newest first, because nothing says what is relevant."""


@dataclass(frozen=True, slots=True)
class Tabs:
    """What the tab line shows."""

    active: Tab = Tab.CONTEXT
    counts: Mapping[Tab, int] = field(default_factory=dict)
    order: Order = Order.NONE
    filter: str = ""
    """The filter that is kept; empty when there is none."""
    found: tuple[int, int] = (0, 0)
    """How many items the filter leaves, of how many."""
    topic: str = ""
    """What relevance is relevance to, in the words of the person; safe text."""


class TabBar(OneLine):
    """Tabs on the left; filter and sort order on the right. Each can be clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tabs = Tabs()

    def show(self, tabs: Tabs) -> None:
        if tabs != self._tabs:
            self._tabs = tabs
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        tabs = self._tabs
        full, short = self._names(counts=True), self._names(counts=False)
        right = self._right(width - width_of(full))
        if width_of(full) + width_of(right) <= width:
            return spread(full, right, width)
        right = self._right(width - width_of(short))
        if width_of(short) + width_of(right) <= width:
            return spread(short, right, width)
        if width_of(short) <= width:
            return spread(short, [], width)
        one = [Piece(f" {_tab_text(tabs.active)} ", "active")]
        return spread(one, self._right(width - width_of(one)), width)

    def _names(self, *, counts: bool) -> list[Piece]:
        tabs = self._tabs
        pieces: list[Piece] = []
        for tab in Tab:
            action = f"tab.{tab.value}"
            active = tab is tabs.active
            pieces.append(Piece(f" {_tab_text(tab)}", "active" if active else "", action))
            if counts and tab in tabs.counts:
                pieces.append(Piece(f" {tabs.counts[tab]:,}", "active" if active else "dim", action))
            pieces.append(Piece(" ", "active" if active else "", action))
            pieces.append(Piece(" "))
        return pieces

    def _right(self, room: int) -> list[Piece]:
        """The filter, and the sort order, as far as there is room."""
        tabs = self._tabs
        sort: list[Piece] = []
        if tabs.order is Order.ONLY_NEWEST:
            sort = [Piece(_("newest first"), "dim"), Piece(" ")]
        elif tabs.order is not Order.NONE:
            sort = self._sort(room)
        if not tabs.filter:
            return sort if width_of(sort) + 1 <= room else []
        found = " " + found_text(*tabs.found)
        text = shorten("/" + plain(tabs.filter), max(6, room - cell_len(found) - width_of(sort) - 4))
        chip = [Piece(text, "accent", "filter.open"), Piece(found, "dim", "filter.open"), Piece("  ")]
        if width_of(chip) + width_of(sort) + 1 <= room:
            return chip + sort
        return chip if width_of(chip) + 1 <= room else [Piece(text, "accent", "filter.open"), Piece(" ")]

    def _sort(self, room: int) -> list[Piece]:
        """The order; with what it goes by, where there is room and no filter wants it."""
        tabs = self._tabs
        order = _("newest") if tabs.order is Order.NEWEST else _("relevance")
        word = _("sort") + " "
        if tabs.order is Order.RELEVANCE and tabs.topic and not tabs.filter:
            topic = shorten(plain(_("by {topic}").format(topic=tabs.topic)), _WIDEST_TOPIC)
            if cell_len(word + topic) + 2 <= room:
                order = topic
        return [Piece(word, "dim", "view.sort"), Piece(order, "", "view.sort"), Piece(" ")]


def found_text(found: int, total: int) -> str:
    return _("{found} of {total}").format(found=f"{found:,}", total=f"{total:,}")


def _tab_text(tab: Tab) -> str:
    return {
        Tab.CONTEXT: _("Context"),
        Tab.DOCS: _("Docs"),
        Tab.CODE: _("Code"),
        Tab.MEDIA: _("Media"),
    }[tab]
