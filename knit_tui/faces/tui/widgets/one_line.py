"""A widget of one line drawn from pieces, some of which can be clicked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.pieces import Piece, to_width, width_of


class OneLine(Inked, can_focus=False):
    """One line; a subclass says what stands on it at a given width."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"bar--{name}" for name in ("strong", "dim", "accent", "error", "key", "active", "rule")
    }

    @dataclass
    class Pressed(Message):
        """A piece with an action was clicked."""

        action: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._laid: tuple[int, list[Piece]] | None = None

    def pieces(self, width: int) -> list[Piece]:
        """What stands on the line when it is ``width`` cells wide."""
        raise NotImplementedError

    def changed(self) -> None:
        """Lay the line out again, and repaint it when it looks different."""
        before, self._laid = self._laid, None
        if before is None or self._pieces() != before[1]:
            self.refresh()

    def _pieces(self) -> list[Piece]:
        width = self.size.width
        if self._laid is None or self._laid[0] != width:
            self._laid = (width, to_width(self.pieces(width), width))
        return self._laid[1]

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        base = self.rich_style
        if y or width <= 0:
            return Strip.blank(width, base)
        segments = [Segment(piece.text, base + self._style(piece.style)) for piece in self._pieces()]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"bar--{name}", partial=True) if name else Style.null()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        column = 0
        for piece in self._pieces():
            column += cell_len(piece.text)
            if event.x < column:
                if piece.action:
                    self.post_message(self.Pressed(piece.action))
                return


def spread(left: list[Piece], right: list[Piece], width: int) -> list[Piece]:
    """``left`` at the left edge and ``right`` at the right edge; the left gives way."""
    room = width - width_of(right)
    return [*to_width(left, room), *right] if room > 0 else to_width(right, width)
