"""knit itself over a folder: the whole way from files and messages to the rows of the Context tab."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from eval.pages import Page, lay
from knit_tui.engine.changes import SessionChanged
from knit_tui.engine.engine import Engine
from knit_tui.model import Item, Notice, SessionOffer, SessionStatus, Tab
from knit_tui.sessions.events import Event, Reset, UserMessage
from knit_tui.workspace.scan import Scanner


class _Told:
    """A session that says what it is told to."""

    notices: tuple[Notice, ...] = ()
    offers: tuple[SessionOffer, ...] = ()
    status = SessionStatus("following", "eval", "eval")

    def __init__(self) -> None:
        self.waiting: list[Event] = []

    def poll(self) -> Iterable[Event]:
        events, self.waiting = self.waiting, []
        return events

    def choose(self, key: str | None) -> None:
        """There is no other session."""


class Ours:
    """The pages in a temporary folder, and an engine over it; the folder goes at the end of the context."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._folder = TemporaryDirectory(prefix="knit-eval-")
        root = Path(self._folder.name)
        lay(root, pages)
        self._session = _Told()
        self._engine = Engine(root, Scanner(root).scan, self._session)

    def __enter__(self) -> Ours:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def rows(self, texts: Sequence[str]) -> tuple[Item, ...]:
        """The rows for a new conversation of ``texts``, newest first: the tiers, then all other matches."""
        said = [UserMessage(str(number), text) for number, text in enumerate(reversed(texts))]
        self._session.waiting = [Reset("session"), *said]
        view = self._engine.settle([SessionChanged()]).views[Tab.CONTEXT]
        return view.items if view.matched else ()
