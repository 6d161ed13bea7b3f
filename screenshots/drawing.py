"""A screen of the panel as a picture, drawn cell by cell: every character fills exactly its cells.

That needs fontconfig and the fonts DejaVu Sans Mono and Noto Sans Mono CJK (Debian: fontconfig
fonts-dejavu-core fonts-noto-cjk).
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import App

LATIN, CHINESE = "DejaVu Sans Mono", "Noto Sans Mono CJK SC"
_LATIN_WIDTH = 0.602
"""Width of a character, in sizes of the font."""
_HEIGHT, _BASELINE, _WIDE_BASELINE = 2.0, 1.54, 1.62
"""Height of a cell, and of what stands above the base line, in widths of a cell."""
_CHINESE_SIZE = 0.93
"""Of the two cells that a character has: between two of them and between lines there is some room."""
_COLOURS = 64
"""In the palette of a picture: those of a theme, and shades of them at the edges of letters."""

Line = Sequence[Segment]


@dataclass(frozen=True, slots=True)
class Pen:
    """How large a cell is, and the colours of what has none of its own."""

    width: int
    foreground: str
    background: str

    @property
    def height(self) -> int:
        return round(self.width * _HEIGHT)


def screen_of(app: App[None]) -> list[Line]:
    """What is on the screen now."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    return [[segment for strip in line for segment in strip] for line in update.strips]  # type: ignore[union-attr]


def pen_of(app: App[None], width: int) -> Pen:
    """A pen in the colours of the theme, for cells ``width`` pixels wide."""
    colours = app.theme_variables
    return Pen(width, colours["foreground"], colours["background"])


def draw(lines: Sequence[Line], pen: Pen) -> Image.Image:
    """A picture of ``lines``, with a margin of one cell's width around them."""
    columns = max(sum(segment.cell_length for segment in line) for line in lines)
    size = ((columns + 2) * pen.width, len(lines) * pen.height + 2 * pen.width)
    image = Image.new("RGB", size, pen.background)
    canvas = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        x, y = pen.width, pen.width + row * pen.height
        # All backgrounds first: the edge of a letter may reach into the next cell.
        for segment in line:
            end = x + segment.cell_length * pen.width
            back = _colours(segment.style, pen)[1]
            if back != pen.background:
                canvas.rectangle((x, y, end - 1, y + pen.height - 1), fill=back)
            x = end
        x = pen.width
        for segment in line:
            x = _write(canvas, segment, x, y, pen)
    return image


def _write(canvas: ImageDraw.ImageDraw, segment: Segment, x: int, y: int, pen: Pen) -> int:
    style = segment.style or Style.null()
    ink = _colours(style, pen)[0]
    start = x
    for character in segment.text:
        cells = cell_len(character)
        box = _block(character, x, y, pen)
        if box is not None:
            canvas.rectangle(box, fill=ink)
        elif character != " ":
            font = _font(cells == 2, bool(style.bold), bool(style.italic), pen.width)
            base = y + round(pen.width * (_WIDE_BASELINE if cells == 2 else _BASELINE))
            place = (x + cells * pen.width / 2, base)
            canvas.text(place, character, fill=ink, font=font, anchor="ms")
        x += cells * pen.width
    for on, at in ((style.underline, 1.66), (style.strike, 1.1)):
        if on:
            level = y + round(pen.width * at)
            canvas.line((start, level, x - 1, level), fill=ink, width=max(1, pen.width // 12))
    return x


def _block(character: str, x: int, y: int, pen: Pen) -> tuple[int, int, int, int] | None:
    """Where a character that is a line or a block has its ink: such ones must meet without a seam."""
    right, bottom = x + pen.width - 1, y + pen.height - 1
    middle, thin = (x + pen.width // 2, y + pen.height // 2), max(1, pen.width // 10)
    return {
        "█": (x, y, right, bottom),
        "▀": (x, y, right, middle[1] - 1),
        "▄": (x, middle[1], right, bottom),
        "▌": (x, y, middle[0] - 1, bottom),
        "▐": (middle[0], y, right, bottom),
        "▎": (x, y, x + pen.width // 4, bottom),
        "▏": (x, y, x + pen.width // 8, bottom),
        "─": (x, middle[1], right, middle[1] + thin - 1),
        "│": (middle[0], y, middle[0] + thin - 1, bottom),
    }.get(character)


def _colours(style: Style | None, pen: Pen) -> tuple[str, str]:
    """Ink and paper."""
    style = style or Style.null()
    ink, paper = _name(style.color, pen.foreground), _name(style.bgcolor, pen.background)
    return (paper, ink) if style.reverse else (ink, paper)


def _name(colour: Color | None, usual: str) -> str:
    return usual if colour is None or colour.is_default else colour.get_truecolor().hex


@cache
def _font(wide: bool, bold: bool, italic: bool, width: int) -> ImageFont.FreeTypeFont:
    name = CHINESE if wide else LATIN
    style = "Bold" if bold else "Regular" if wide else "Oblique" if italic else "Book"
    wanted = [f"{name}:style={style}", "-f", "%{family}\n%{file}\n%{index}"]
    found = subprocess.run(["fc-match", *wanted], capture_output=True, text=True, check=True).stdout
    family, file, index = found.split("\n")
    if name not in family.split(","):
        raise SystemExit(f"the font {name!r} is not installed; fc-match gives {family!r}")
    size = 2 * width * _CHINESE_SIZE if wide else width / _LATIN_WIDTH
    return ImageFont.truetype(file, size, int(index))


def save(image: Image.Image, path: Path) -> None:
    """Write a PNG file of few colours."""
    few = image.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
