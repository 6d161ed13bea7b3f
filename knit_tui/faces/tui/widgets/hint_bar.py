"""The last line: the most useful keys for what has the focus."""

from __future__ import annotations

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import Action, actions_now, key_of, key_text
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.widgets.one_line import OneLine, spread

_LAST = ("panel.help", "panel.quit")


class HintBar(OneLine):
    """Hints that leave from the right as the line gets narrower; help stays."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._where = "list"
        self._hidden: frozenset[str] = frozenset()

    def show(self, where: str, hidden: frozenset[str]) -> None:
        """Show the hints of ``where`` (``list``, ``preview``, ``filter``) without the ``hidden`` actions."""
        if (where, hidden) != (self._where, self._hidden):
            self._where, self._hidden = where, hidden
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        shown = (a for a in actions_now() if self._where in a.hints and a.id not in self._hidden)
        actions = [action for action in shown if action.keys]
        last = [hint(action) for id in _LAST for action in actions if action.id == id]
        while last and sum(map(width_of, last)) > width // 2:
            last.pop()
        if not last and self._where != "filter":
            last = [[Piece(" "), Piece(key_of("panel.help"), "key", "panel.help"), Piece(" ")]]
        right = [piece for pieces in last for piece in pieces]
        left: list[Piece] = []
        for action in actions:
            pieces = hint(action)
            if action.id not in _LAST and width_of(left) + width_of(pieces) + width_of(right) <= width:
                left += pieces
        return spread(left, right, width)


def hint(action: Action) -> list[Piece]:
    """A key and what it does."""
    return [
        Piece(" "),
        Piece(key_text(action.keys[0]), "key", action.id),
        Piece(" " + _(action.label), "", action.id),
        Piece(" "),
    ]
