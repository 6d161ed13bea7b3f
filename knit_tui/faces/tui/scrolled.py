"""How much there is to scroll over, told without laying out the whole screen each time."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def scroll_over(view: ScrollView, size: Size) -> None:
    """Let ``view`` scroll over ``size``; the caller puts it where it is to be then."""
    if size == view.virtual_size:
        return
    scrollbar = size.height > view.container_size.height
    if view.styles.is_auto_height or scrollbar != view.show_vertical_scrollbar:
        view.virtual_size = size
        return
    # Only more or fewer lines out of sight: not worth to lay out the screen and paint every line.
    view.set_reactive(ScrollView.virtual_size, size)
    if scrollbar:
        view.vertical_scrollbar.window_virtual_size = size.height
