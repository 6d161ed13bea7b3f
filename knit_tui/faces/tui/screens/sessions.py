"""The sessions of the workspace, to choose which one is followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from knit_tui.faces.i18n import _
from knit_tui.faces.session_words import offer_facts, prompts_text
from knit_tui.faces.tui.cells import plain, shorten
from knit_tui.faces.tui.pieces import Piece, to_width, width_of
from knit_tui.faces.tui.screens.dialog import ListDialog
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine, TitleLine
from knit_tui.faces.tui.widgets.line_list import LineList
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.faces.tui.widgets.rows import BAR
from knit_tui.model import SessionOffer

_ID_LETTERS = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person chose: the key of a session, or None to let knit find it."""

    key: str | None


class SessionList(LineList):
    """Two lines a session; the first row lets knit choose."""

    PREFIX = "session-list"
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"session-list--{name}"
        for name in ("cursor", "cursor-blur", "bar", "mark", "agent", "id", "fact", "prompt", "none")
    }

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now

    def show(self, offers: Sequence[SessionOffer]) -> None:
        """List ``offers``; the cursor stays on its session and its line, at first on the followed one."""
        before = self.choice
        line = self.line_of(self._cursor) - self.top if before is not None else 0
        keys = [None, *(offer.key for offer in offers)]
        followed = next((offer.key for offer in offers if offer.followed), None)
        wanted = before.key if before is not None and before.key in keys else followed
        self.set_rows([None, *offers], keys.index(wanted), keys.index(wanted), line)

    def selectable(self, row: object) -> bool:
        return True

    @property
    def choice(self) -> Choice | None:
        """What is under the cursor."""
        if not 0 <= self._cursor < len(self._rows):
            return None
        row = self._rows[self._cursor]
        return Choice(row.key if isinstance(row, SessionOffer) else None)

    def row_heights(self, rows: Sequence[object]) -> Iterable[int]:
        return [2] * len(rows)

    def row_lines(self, index: int, width: int, cursor: bool) -> list[list[Piece]]:
        row = self._rows[index]
        bar = Piece(BAR, "bar") if cursor else Piece(" ")
        if not isinstance(row, SessionOffer):
            first = [bar, Piece("  "), Piece(_("automatic"), "agent")]
            text = _("the newest prompt written in this folder decides")
            return [to_width(first, width), to_width([bar, Piece("  "), Piece(text, "fact")], width)]
        mark = Piece("● ", "mark") if row.followed else Piece("  ")
        head = [bar, mark, Piece(plain(row.agent), "agent"), Piece(" ")]
        head += [Piece(plain(row.session_id)[:_ID_LETTERS], "id"), Piece("  ")]
        facts = plain(_(", ").join(offer_facts(row, self._now())))
        head.append(Piece(shorten(facts, max(0, width - width_of(head))), "fact"))
        said = [bar, Piece("  "), Piece(shorten(plain(prompts_text(row)), max(0, width - 4)), "prompt")]
        return [to_width(head, width), to_width(said, width)]


class _Nothing(OneLine):
    """What to do when there is none to choose."""

    def pieces(self, width: int) -> list[Piece]:
        text = _("none yet: start your agent in this folder, and it appears here")
        return [Piece("   "), Piece(shorten(text, max(0, width - 4)), "dim")]


class SessionScreen(ListDialog[Choice | None]):
    """Closes with what was chosen, or with None."""

    AUTO_FOCUS = "SessionList"
    ACTS: ClassVar[Mapping[str, str]] = {"session.choose": "close"}

    def __init__(self, offers: Sequence[SessionOffer], now: Callable[[], int]) -> None:
        super().__init__()
        self._offers = offers
        self._now = now
        self._drawn = False

    def compose(self) -> ComposeResult:
        with Vertical(id="sessions"):
            yield TitleLine(_("Sessions of this folder"))
            yield SessionList(self._now, id="session-rows")
            yield _Nothing(id="session-none")
            yield KeyLine()

    @property
    def rows(self) -> SessionList:
        return self.query_one(SessionList)

    def on_mount(self) -> None:
        self._drawn = True
        self.tell_keys(("enter", _("follow")), ("escape", _("close")))
        self.show(self._offers)

    def show(self, offers: Sequence[SessionOffer]) -> None:
        """List the sessions there are now; nothing happens once it is closed."""
        self._offers = offers
        if self._drawn and self.is_attached:
            self.rows.show(offers)
            self.query_one(_Nothing).display = not offers

    def action_choose(self) -> None:
        self.dismiss(self.rows.choice)
