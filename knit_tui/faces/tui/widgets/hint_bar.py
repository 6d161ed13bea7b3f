"""The last line: the most useful keys for what has the focus."""

from __future__ import annotations

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.actions import actions_now, key_of, key_text
from knit_tui.faces.tui.keymap import types
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.registry import Action
from knit_tui.faces.tui.widgets.one_line import OneLine, spread

_HELP = "panel.help"
_LAST = (("panel.back", 0, 0.6), ("panel.quit", 9, 0.35), ("panel.commands", 1, 0.35))
"""What stands beside the help at the right: its place there, and how much of the line both may take."""
_PLACES = ("list", "preview", "lens")
"""Where letters are keys; elsewhere they are typed."""
_MOST = 6
"""Hints beside these, however wide the line is."""


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
        typing = self._where not in _PLACES
        shown = (a for a in actions_now() if self._where in a.hints and a.id not in self._hidden)
        keys = {action: [key for key in action.keys if not (typing and types(key))] for action in shown}
        known = {action.id: hint(action, found[0]) for action, found in keys.items() if found}
        last = [known.pop(_HELP, None) or [Piece(" "), Piece(key_of(_HELP), "key", _HELP), Piece(" ")]]
        for action_id, place, share in _LAST:
            pieces = known.pop(action_id, [])
            if pieces and sum(map(width_of, (*last, pieces))) <= width * share:
                last.insert(place, pieces)
        right = [piece for pieces in last for piece in pieces]
        left: list[Piece] = []
        for pieces in list(known.values())[:_MOST]:
            if width_of(left) + width_of(pieces) + width_of(right) > width:
                break
            left += pieces
        return spread(left, right, width)


def hint(action: Action, key: str) -> list[Piece]:
    """A key and what it does."""
    return [
        Piece(" "),
        Piece(key_text(key), "key", action.id),
        Piece(" " + _(action.label), "", action.id),
        Piece(" "),
    ]
