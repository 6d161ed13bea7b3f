"""One look at a workspace that an earlier process has indexed, for who cannot wait.

Nothing is started, nothing is kept: what is not known yet is left to those who have time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from knit_tui.engine.changes import Ask
from knit_tui.engine.engine import Engine
from knit_tui.engine.keeper import Keeper
from knit_tui.engine.library import Library
from knit_tui.engine.past import Past
from knit_tui.engine.store import Store, fingerprint
from knit_tui.model import Notice, SessionOffer, SessionStatus, Snapshot, Tab
from knit_tui.sessions.events import Event
from knit_tui.workspace.cache import Cache
from knit_tui.workspace.keeping import Keeping
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import read_text


class _NoSession:
    """A text is asked for, so there is none to follow."""

    status = SessionStatus("off")
    offers: tuple[SessionOffer, ...] = ()
    notices: tuple[Notice, ...] = ()

    def poll(self) -> Iterable[Event]:
        return ()

    def choose(self, key: str | None) -> None:
        pass


def glance(root: Path, text: str, until: float) -> Snapshot | None:
    """The Context tab for a typed text, if all documents are indexed or can be by ``until``.

    Args:
        until: a moment of ``time.monotonic``.
    """
    store = Store(Cache(root, fingerprint()))
    library = Library(lambda rel: read_text(root, rel), store=store)
    if not library.recall():
        return None
    engine = Engine(
        root,
        Scanner(root, library.recall).scan,
        _NoSession(),
        library=library,
        past=Past(root, store),
        keeper=Keeper(Keeping(root)),
        tabs=(Tab.CONTEXT,),
    )
    snapshot = engine.apply([Ask(text)])
    while engine.pending and time.monotonic() < until:
        snapshot = engine.apply([])
    return snapshot if not engine.pending and time.monotonic() < until else None
