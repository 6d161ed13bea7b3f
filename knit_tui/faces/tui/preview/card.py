"""A card drawn: its picture, or a few centred lines, a third of the way down."""

from __future__ import annotations

from rich.cells import cell_len
from textual.strip import Strip

from knit_tui.faces.tui.cells import wrap
from knit_tui.faces.tui.preview.document import Card
from knit_tui.faces.tui.preview.lines import strip_of
from knit_tui.faces.tui.preview.palette import Inks
from knit_tui.faces.tui.preview.raster import box_in, picture_strip

_WIDEST = 60
_MARGIN = 2
_LONGEST = 400
"""Characters of one text on a card; system messages can quote whole names."""


def card_strip(card: Card, row: int, width: int, height: int, inks: Inks) -> Strip:
    """Row ``row`` of ``card`` in a view of ``width`` by ``height`` cells."""
    if card.picture is not None and box_in(width, height) is not None:
        return picture_strip(card.picture, row, width, height, inks.style())
    room = max(1, min(_WIDEST, width - 2 * _MARGIN))
    lines = [(line, "headline") for line in wrapped(card.headline, room)]
    for detail in card.details:
        lines += [(line, "note") for line in wrapped(detail, room)]
    place = row - max(0, height // 3 - len(lines) // 2)
    if not 0 <= place < len(lines):
        return Strip.blank(max(0, width), inks.style())
    text, name = lines[place]
    indent = " " * max(0, (width - cell_len(text)) // 2)
    styles = ((len(indent), inks.style()), (len(indent) + len(text), inks.style(name)))
    return strip_of(indent + text, styles, width, inks.style())


def wrapped(text: str, room: int) -> list[str]:
    """Safe ``text`` in lines of at most ``room`` cells, 2 at least."""
    return wrap(" ".join(text[:_LONGEST].split()), max(2, room)) if text.strip() else []
