"""One line of text in exactly the cells of a row: made safe, tabs placed, cut at both edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from knit_tui.faces.safe import safe_text

TAB = 4
"""A tab goes to the next column that is a multiple of this."""

# Terminals disagree on the width of joined emoji and agree on that of each sign alone; without these
# characters the width of a text is the sum of the widths of its characters, wherever it is cut.
_JOINERS = "\u200d\ufe0e\ufe0f"
_UNEVEN = frozenset("\t" + _JOINERS)


def displayed(raw: str) -> tuple[str, Sequence[int] | None]:
    """What is shown for ``raw``, and for each index into ``raw`` (and its end) the one into that.

    The indexes are None when they are the same.
    """
    safe = safe_text(raw, tab=1)
    if _UNEVEN.isdisjoint(raw):
        return safe, None
    out: list[str] = []
    places: list[int] = []
    place = column = 0
    for before, char in zip(raw, safe, strict=True):
        places.append(place)
        if before == "\t":
            shown = " " * (TAB - column % TAB)
            column += len(shown)
        elif char in _JOINERS:
            continue
        else:
            shown = char
            column += get_character_cell_size(char)
        out.append(shown)
        place += len(shown)
    places.append(place)
    return "".join(out), places


def strip_of(
    text: str, styles: Iterable[tuple[int, Style]], width: int, fill: Style, *, left: int = 0
) -> Strip:
    """Cells ``left`` to ``left + width`` of ``text``, a displayed line, exactly ``width`` cells.

    ``styles`` are (end, style) in order: the style of the characters up to the index ``end``. The
    rest is in the style ``fill``. A wide character that an edge would split is left blank.
    """
    if width <= 0:
        return Strip([], 0)
    first, last, before, after = _visible(text, left, width)
    segments = [Segment(" " * before, fill)] if before else []
    at = first
    for end, style in styles:
        if end <= at:
            continue
        if at >= last:
            break
        segments.append(Segment(text[at : min(end, last)], style))
        at = min(end, last)
    if at < last:
        segments.append(Segment(text[at:last], fill))
    if after:
        segments.append(Segment(" " * after, fill))
    return Strip(segments, width)


def _visible(text: str, left: int, width: int) -> tuple[int, int, int, int]:
    """The slice of ``text`` in the window, and the blank cells before and after it."""
    if text.isascii():
        first, last = min(left, len(text)), min(left + width, len(text))
        return first, last, 0, width - (last - first)
    size_of = get_character_cell_size
    cells = first = 0
    while first < len(text) and (cells < left or (left and not size_of(text[first]))):
        cells += size_of(text[first])
        first += 1
    before = max(0, min(cells - left, width))
    used, last = before, first
    while last < len(text) and used + (size := size_of(text[last])) <= width:
        used += size
        last += 1
    return first, last, before, width - used


def joined(strips: Sequence[Strip]) -> Strip:
    """Strips side by side."""
    return Strip([segment for strip in strips for segment in strip], sum(s.cell_length for s in strips))


def index_at(text: str, cell: int) -> int:
    """Index of the character of ``text``, a displayed line, at ``cell``; its length behind the end."""
    if text.isascii():
        return max(0, min(cell, len(text)))
    cells = 0
    for index, char in enumerate(text):
        cells += get_character_cell_size(char)
        if cells > cell:
            return index
    return len(text)
