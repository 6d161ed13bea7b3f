"""The engine in a thread of its own, for a face that must stay smooth.

What is heavy to import is imported by the thread: the first frame of a face does not wait for it.
"""

from __future__ import annotations

import gc
import math
import os
import queue
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from knit_tui.engine.arrays import import_numpy
from knit_tui.engine.changes import (
    Change,
    Exclude,
    Pin,
    Redo,
    Restore,
    SessionChanged,
    Track,
    Undo,
    Unpin,
    WorkspaceChanged,
)
from knit_tui.model import Notice, Snapshot, Tab
from knit_tui.paths import home_folder

if TYPE_CHECKING:
    from knit_tui.engine.engine import Engine
    from knit_tui.workspace.watch import Watcher

POLL_SECONDS = 0.15
"""Between two looks at the session log: a new line must be on screen within 0.3 s."""
QUIET_POLL_SECONDS = 0.25
QUIET_SECONDS = 10.0
"""After so long without anything new, what idling costs counts more than the first new line."""
COALESCE_SECONDS = 0.05
"""A burst of file events is waited for this long, then looked at once."""
MOVING_SECONDS = 0.25
"""A user who did something so short ago is moving."""
PATIENCE_SECONDS = 2.0
"""What happens outside waits for a moving user for no longer than this."""
_BREATH_SECONDS = 0.0005
_RETRY_SECONDS = 2.0
_STOP_SECONDS = 3.0
_KEPT = (Pin, Unpin, Exclude, Restore, Undo, Redo, Track)
"""What the user sets and finds again the next time."""


def open_engine(
    root: Path,
    session: str | None,
    breathe: Callable[[], None] = lambda: None,
    home: Path | None = None,
    *,
    git: bool = True,
    classic: bool = False,
    tabs: Collection[Tab] = tuple(Tab),
    counting: bool = False,
    agents: Collection[str] = (),
) -> Engine:
    """An Engine over the folder ``root`` and the session chosen as in ``Follower``; to be closed.

    With ``git`` the project's history takes part in the order, where there is one; with ``classic`` the
    order is that of ``find.classic``. ``tabs`` are those that a Snapshot is to have. With
    ``counting`` the agent's use is tracked whatever the user set, and nothing of that is changed.
    ``agents`` are those whose sessions are looked for, all when empty.
    """
    # Looking through all the objects of a large workspace takes longer than a new order of it.
    gc.set_threshold(200_000, 20, 100)
    import_numpy()
    from knit_tui.engine.build import Builders
    from knit_tui.engine.counted import Counted
    from knit_tui.engine.engine import Engine
    from knit_tui.engine.keeper import Keeper
    from knit_tui.engine.library import Library
    from knit_tui.engine.past import Past
    from knit_tui.engine.store import Store, fingerprint
    from knit_tui.sessions.follow import Follower
    from knit_tui.workspace.cache import Cache
    from knit_tui.workspace.keeping import Keeping
    from knit_tui.workspace.scan import Scanner
    from knit_tui.workspace.text import read_text

    store = Store(Cache(root, fingerprint()))
    library = Library(lambda rel: read_text(root, rel), breathe, store, Builders(root))
    follower = Follower(root, session, home=home or home_folder(), environ=os.environ, agents=agents)
    past = Past(root, store) if git and not classic else None
    scan = Scanner(root, library.recall).scan
    keeper = Keeper(Counted(Keeping(root)) if counting else Keeping(root))
    return Engine(root, scan, follower, library=library, past=past, keeper=keeper, classic=classic, tabs=tabs)


class Host:
    """Owns an Engine, a watcher and the clock that polls the session.

    ``home`` is where agents keep their logs, when it is not the user's home; the rest is as in `open_engine`.
    """

    def __init__(
        self,
        root: Path,
        *,
        session: str | None = None,
        home: Path | None = None,
        git: bool = True,
        classic: bool = False,
        tabs: Collection[Tab] = tuple(Tab),
        agents: Collection[str] = (),
    ) -> None:
        self._root = root
        self._git = git
        self._classic = classic
        self._tabs = tabs
        self._agents = agents
        self._session = session
        self._home = home
        self._changes: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._due: list[Change] = []
        """What was taken from the queue and not yet given to the engine."""
        self._moved = -math.inf
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knit-engine", daemon=True)
        self._publish: Callable[[Snapshot], None] = lambda snapshot: None
        self._failed: Callable[[str], None] = lambda why: None

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        """Begin. Both functions are called from the engine's thread and must not block."""
        self._publish, self._failed = publish, failed
        self._thread.start()

    def send(self, change: Change) -> None:
        """Hand over a change; safe from any thread, returns at once."""
        self._changes.put(change)

    def attend(self) -> None:
        """The user is moving: what happens outside may wait a little, as the list that comes of it would.

        So the interpreter is free for the frame that answers. Safe from any thread.
        """
        self._moved = time.monotonic()

    def stop(self) -> None:
        """End the thread and the watcher, within a few seconds at the most.

        What the user set before counts, however short before.
        """
        self._stopping.set()
        self._changes.put(None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_STOP_SECONDS)

    def _breathe(self) -> None:
        # Without a real pause this thread would hold the interpreter most of the time.
        time.sleep(_BREATH_SECONDS)
        if self._stopping.is_set():
            raise _Stopped

    def _run(self) -> None:
        from knit_tui.workspace.watch import Watcher

        watcher = Watcher(self._root, lambda: self._changes.put(WorkspaceChanged()))
        engine: Engine | None = None
        try:
            watcher.start()
            engine = open_engine(
                self._root,
                self._session,
                self._breathe,
                self._home,
                git=self._git,
                classic=self._classic,
                tabs=self._tabs,
                agents=self._agents,
            )
            self._loop(engine, watcher)
        except _Stopped:
            pass
        finally:
            if engine is not None:
                self._keep_the_rest(engine)
            watcher.stop()
            if engine is not None:
                engine.close()

    def _loop(self, engine: Engine, watcher: Watcher) -> None:
        shown: Snapshot | None = None
        watched: tuple[str, ...] | None = None
        stirred = time.monotonic()
        while not self._stopping.is_set():
            try:
                changes, self._due = self._due, []
                snapshot = engine.apply(changes, _present(watcher.notice))
                if engine.folders is not watched:
                    watched = engine.folders
                    watcher.watch(watched)
                if snapshot is not shown:
                    shown, stirred = snapshot, time.monotonic()
                    self._publish(snapshot)
                free = not engine.pending and self._changes.empty() and not self._moving
                if free and engine.tend():
                    continue
                quiet = time.monotonic() > stirred + QUIET_SECONDS
                poll = QUIET_POLL_SECONDS if quiet else POLL_SECONDS
                self._collect(0.0 if engine.pending else poll)
            except Exception as error:
                # A fault of ours must not end the panel: it is told, and the next look starts afresh.
                self._failed(f"{type(error).__name__}: {error}")
                self._collect(_RETRY_SECONDS)
                self._due.append(WorkspaceChanged())

    def _keep_the_rest(self, engine: Engine) -> None:
        """Give the engine what is left of what the user set."""
        self._collect(0.0)
        rest = [change for change in self._due if isinstance(change, _KEPT)]
        if rest:
            with suppress(_Stopped, Exception):  # nobody is left to be told
                engine.apply(rest)

    @property
    def _moving(self) -> bool:
        return time.monotonic() < self._moved + MOVING_SECONDS

    def _collect(self, wait: float) -> None:
        """Take the changes of the next ``wait`` seconds, of less: what a user does is not waited with; or of
        more, for a user who is moving, unless there is no time to ``wait`` at all."""
        self._due.append(SessionChanged())
        began = time.monotonic()
        deadline = began + wait
        patience = began + PATIENCE_SECONDS if wait else began
        hinted = False
        while True:
            try:
                change = self._changes.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                deadline = min(self._moved + MOVING_SECONDS, patience)
                if deadline <= time.monotonic():
                    return
                continue
            if change is None:
                return
            if isinstance(change, WorkspaceChanged):
                if not hinted:
                    hinted = True
                    self._due.append(change)
                    deadline = min(deadline, time.monotonic() + COALESCE_SECONDS)
            else:
                self._due.append(change)
                deadline = patience = time.monotonic()


class _Stopped(BaseException):
    """Leaves long work in the middle when the host is told to stop."""


def _present(notice: Notice | None) -> tuple[Notice, ...]:
    return (notice,) if notice else ()
