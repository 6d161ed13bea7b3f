"""The line in which a filter is typed; it stands where the tabs are, so that nothing moves."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.faces.tui.widgets.tab_bar import found_text


class LineInput(Input):
    """An input of one line, without blinking, that holds no control character."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        return safe_text(value)


class Label(OneLine):
    """A fixed text as wide as it is."""

    def __init__(self, text: str, style: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = text
        self._text_style = style
        self.styles.width = cell_len(text)

    def show(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.styles.width = cell_len(text)
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        return [Piece(self._text, self._text_style)]


class FilterBar(Horizontal):
    """The typed filter and how much it leaves."""

    def compose(self) -> ComposeResult:
        yield Label(" /", "key", id="filter-mark")
        yield LineInput(id="filter-input")
        yield Label("", "dim", id="filter-found")

    @property
    def input(self) -> LineInput:
        return self.query_one(LineInput)

    def show(self, found: int, total: int) -> None:
        """Say how many items are left, of how many."""
        self.query_one("#filter-found", Label).show(f" {found_text(found, total)} ")
