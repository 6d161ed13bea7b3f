"""What becomes of drawn lines on terminals that cannot show them as they are."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.scrollbar import ScrollBarRender

MARK = "ansi_bright_black"
"""In a theme of the terminal's own colours: as a text's colour dim, as a background the cursor."""
_MARK = Color.parse(MARK).ansi
_DEFAULT = RichColor.default()

SIGNS = {
    "─": "-",
    "│": "|",
    **dict.fromkeys("┌┐└┘", "+"),
    "▌": "|",
    "▎": "|",
    "·": "-",
    "●": "*",
    "×": "x",
    "…": "~",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
}
"""Every sign beyond ASCII that the panel itself draws, save those of `usage_words`, and one like it."""
_SIGNS = str.maketrans(SIGNS)
_BAR_ENDS = frozenset(ScrollBarRender.VERTICAL_BARS)


class Weights(LineFilter):
    """Dim text by its weight and the cursor reversed: of the terminal's 16 colours none is sure to differ.

    Which of them can be told from its background depends on the user's palette: in a common one the
    grey that most programs take for dim text is the background itself.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, None if style is None else _weighed(style), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=1024)
def _weighed(style: Style) -> Style:
    if _is_mark(style.bgcolor):
        # Reversed, a colour of text would be a patch of background.
        return style + Style(color=_DEFAULT, bgcolor=_DEFAULT, reverse=True, dim=False)
    if _is_mark(style.color) and not style.reverse:
        return style + Style(color=_DEFAULT, dim=True)
    return style


def _is_mark(color: RichColor | None) -> bool:
    return color is not None and color.is_system_defined and color.number == _MARK


class Ascii(LineFilter):
    """The panel's own signs in ASCII, cell for cell; a file that holds one of them shows that too."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [segment if segment.text.isascii() else _in_ascii(segment) for segment in segments]


def _in_ascii(segment: Segment) -> Segment:
    text, style, _control = segment
    if text in _BAR_ENDS and style is not None and "@mouse.down" in style.meta:
        return segment._replace(text=" ")  # the end of a scrollbar, in eighths of a cell
    return segment._replace(text=text.translate(_SIGNS))


WEIGHTS = Weights()
ASCII = Ascii()
