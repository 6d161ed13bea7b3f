"""A picture drawn in half cells: two pixels a cell, one above the other."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from knit_tui.faces.tui.preview.document import Picture

_UPPER, _LOWER = "▀", "▄"
_LEAST = (4, 2)
"""Columns and rows of a view in which a picture can be told from noise."""
_MARGIN_FROM = (20, 8)
"""Columns and rows of a view from which a picture has a margin."""


def box_in(width: int, height: int) -> tuple[int, int] | None:
    """The most pixels a picture may take in a view of so many cells; None where there is no room."""
    if width < _LEAST[0] or height < _LEAST[1]:
        return None
    margins = 2 if width >= _MARGIN_FROM[0] and height >= _MARGIN_FROM[1] else 0
    return width - margins, 2 * (height - margins)


def picture_strip(picture: Picture, row: int, width: int, height: int, fill: Style) -> Strip:
    """Row ``row`` of ``picture`` in the middle of a view of ``width`` by ``height`` cells.

    One made for another frame is cut at the right and at the bottom.
    """
    columns, lines = min(picture.drawn[0], width), min(-(-picture.drawn[1] // 2), height)
    line = row - (height - lines) // 2
    if width <= 0 or not 0 <= line < lines:
        return Strip.blank(max(0, width), fill)
    left = (width - columns) // 2
    segments = [Segment(" " * left, fill)] if left else []
    ground = bytes(picture.frame.ground)
    upper, lower = (_pixels(picture, y, columns, ground) for y in (2 * line, 2 * line + 1))
    start = 0
    for end in range(1, columns + 1):
        if end == columns or upper[end] != upper[start] or lower[end] != lower[start]:
            segments.append(_run(end - start, upper[start], lower[start], fill))
            start = end
    if right := width - left - columns:
        segments.append(Segment(" " * right, fill))
    return Strip(segments, width)


def _pixels(picture: Picture, y: int, columns: int, ground: bytes) -> list[bytes | None]:
    """The pixels of a line, None where the background shows; below the last line it does."""
    start = 3 * picture.drawn[0] * y
    line = picture.pixels[start : start + 3 * columns]
    found: list[bytes | None] = [line[place : place + 3] for place in range(0, len(line), 3)]
    return [None if pixel == ground else pixel for pixel in found] or [None] * columns


def _run(count: int, upper: bytes | None, lower: bytes | None, fill: Style) -> Segment:
    """So many cells of the same two pixels."""
    if upper == lower:
        return Segment(" " * count, fill if upper is None else _style(None, upper))
    if upper is None:
        return Segment(_LOWER * count, fill + _style(lower, None))
    return Segment(_UPPER * count, _style(upper, lower) if lower is not None else fill + _style(upper, None))


@lru_cache(maxsize=1 << 13)
def _style(ink: bytes | None, paper: bytes | None) -> Style:
    return Style.from_color(_color(ink), _color(paper))


@lru_cache(maxsize=1 << 12)
def _color(pixel: bytes | None) -> Color | None:
    return None if pixel is None else Color.from_rgb(*pixel)
