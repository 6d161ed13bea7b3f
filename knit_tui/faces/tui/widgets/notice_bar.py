"""A line for limits, fallbacks and faults that bite now; it takes no room when there are none."""

from __future__ import annotations

from rich.cells import cell_len

from knit_tui.faces.tui.cells import plain, shorten
from knit_tui.faces.tui.pieces import Piece
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.faces.wording import notice_text
from knit_tui.model import Notice

_ORDER = (
    "failed",
    "gone",
    "no-conversation",
    "no-terms",
    "session-old",
    "git-fallback",
    "watch-polling",
    "root-ignored",
    "session-partial",
    "session-long-lines",
    "secret",
    "unreadable",
    "truncated",
)
_FAULTS = ("failed", "gone")
_MINOR = ("root-ignored", "session-partial", "session-long-lines", "secret", "unreadable", "truncated")
_BETWEEN = " · "
_IN_TITLE = ("indexing",)


class NoticeBar(OneLine):
    """The notices, worst first, separated by dots."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[tuple[Notice, ...], str] = ((), "")

    def show(self, notices: tuple[Notice, ...], session: str) -> None:
        """``session`` says what is wrong with the session, as safe text; empty when nothing is."""
        hidden = (*_IN_TITLE, "no-conversation") if session else _IN_TITLE
        shown = tuple(sorted((n for n in notices if n.code not in hidden), key=_rank)), session
        if shown != self._shown:
            self._shown = shown
            self.display = bool(shown[0] or session)
            self.changed()

    def pieces(self, width: int) -> list[Piece]:
        notices, session = self._shown
        parts = [Piece(plain(notice_text(notice)), _style(notice)) for notice in notices]
        if session:
            parts.insert(sum(part.style == "error" for part in parts), Piece(plain(session), "accent"))
        room = width - 2
        out = [Piece(" ")]
        for part in parts:
            if len(out) > 1 and room > len(_BETWEEN):
                out.append(Piece(_BETWEEN, "dim"))
                room -= len(_BETWEEN)
            part = part._replace(text=shorten(part.text, room))
            room -= cell_len(part.text)
            out.append(part)
        return out


def _style(notice: Notice) -> str:
    if notice.code in _FAULTS:
        return "error"
    return "dim" if notice.code in _MINOR else "accent"


def _rank(notice: Notice) -> int:
    return _ORDER.index(notice.code) if notice.code in _ORDER else len(_ORDER)
