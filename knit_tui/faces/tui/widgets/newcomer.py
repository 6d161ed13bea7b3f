"""Three lines for somebody who sees the panel for the first time."""

from __future__ import annotations

from string import Formatter
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import key_of
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.pieces import Piece, to_width, width_of

LINES = 3
_LEAST_HEIGHT = 24
"""Lines of a panel from which on it has three to spare."""


class Newcomer(Inked, can_focus=False):
    """What the hint line cannot tell: why the list moves, and where to ask."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"newcomer--key"}

    def fits(self, size: Size) -> bool:
        """Whether a panel of that size has room for all that the lines say."""
        return size.height >= _LEAST_HEIGHT and all(width_of(line) <= size.width for line in lines())

    def render_line(self, y: int) -> Strip:
        base, width = self.rich_style, self.size.width
        pieces = to_width(lines()[y] if y < LINES else (), width)
        key = base + self.get_component_rich_style("newcomer--key", partial=True)
        return Strip([Segment(text, key if style else base) for text, style, *_rest in pieces], width)


def lines() -> list[list[Piece]]:
    """Each with a blank at both ends."""
    texts: tuple[tuple[str, dict[str, str]], ...] = (
        (_("The order follows the talk with your agent, by itself."), {}),
        (
            _("{why} tells why a document is here, {usage} what your agent read."),
            {"why": "item.evidence", "usage": "usage.lens"},
        ),
        (
            _("{help} finds every action. {back} puts these lines away for good."),
            {"help": "panel.help", "back": "panel.back"},
        ),
    )
    return [[Piece(" "), *_with_keys(text, actions), Piece(" ")] for text, actions in texts]


def _with_keys(text: str, actions: dict[str, str]) -> list[Piece]:
    """``text`` with the keys of ``actions`` in place of their fields."""
    pieces = []
    for before, field, _spec, _conversion in Formatter().parse(text):
        pieces.append(Piece(plain(before)))
        if field:
            pieces.append(Piece(plain(key_of(actions[field])), "key"))
    return pieces
