"""What a picture may be drawn in: the size, the background and the colours of a widget's terminal."""

from __future__ import annotations

from textual.widget import Widget

from knit_tui.faces.tui.preview.document import Frame
from knit_tui.faces.tui.preview.raster import box_in
from knit_tui.faces.usage_words import in_ascii

_STEP = 4
"""Colours of pictures come in steps of this."""
_DARK, _LIGHT = (0, 0, 0), (252, 252, 252)
"""What is taken for the background where only the terminal knows it."""


def frame_of(widget: Widget) -> Frame | None:
    """The frame of a picture in ``widget``; None while its size is not known."""
    if not widget.size:
        return None
    app = widget.app
    colours = app.console.color_system
    drawable = colours in ("truecolor", "256") and not app.no_color and not in_ascii()
    color = widget.rich_style.bgcolor
    if color is None or color.triplet is None:
        ground = _DARK if app.current_theme.dark else _LIGHT
    else:
        red, green, blue = (value - value % _STEP for value in color.triplet)
        ground = (red, green, blue)
    return Frame(box_in(*widget.size) if drawable else None, ground, colours == "256")
