"""The line between the list and the preview beside it."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget


class Divider(Widget, can_focus=False):
    """One column of rule, which the screen lets the mouse drag."""

    ALLOW_SELECT = False

    def render_line(self, y: int) -> Strip:
        return Strip([Segment("│" * self.size.width, self.rich_style)], self.size.width)
