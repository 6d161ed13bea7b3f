"""The first and the last line of an overlay: what it is, and which keys it knows."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from knit_tui.faces.tui.cells import shorten
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.widgets.one_line import OneLine, spread


class TitleLine(OneLine):
    """What the overlay is about, and what came of the last action."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self._heading = heading
        self._message = ""

    def show(self, message: str) -> None:
        """``message`` is safe text; empty when there is nothing to tell."""
        if message != self._message:
            self._message = message
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        message = shorten(self._message, max(0, width - 2))
        if message and cell_len(self._heading) + cell_len(message) + 5 > width:
            return [Piece(" "), Piece(message, "accent")]
        right = [Piece(message, "accent"), Piece(" ")] if message else []
        return spread([Piece(" "), Piece(self._heading, "strong")], right, width)


class NoteLine(OneLine):
    """A remark that gives way to the width."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def pieces(self, width: int) -> list[Piece]:
        return [Piece(" "), Piece(shorten(self._text, max(0, width - 2)), "dim")]


class KeyLine(OneLine):
    """Keys and what they do, the most useful first; the last one always stays. A click presses the key."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[tuple[str, str], ...] = ()

    def show(self, keys: Sequence[tuple[str, str]]) -> None:
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        parts = [
            [Piece(" "), Piece(key, "key", key), Piece(f" {text}", "", key), Piece(" ")]
            for key, text in self._keys
        ]
        out: list[Piece] = []
        for part in parts[:-1]:
            if width_of(out) + width_of(part) + width_of(parts[-1]) <= width:
                out += part
        return [*out, *(parts[-1] if parts else [])]
