"""State and changes to the next Snapshot.

Everything goes one way: scan difference, index, query, ranking and packs, snapshot. A step whose
inputs are the same objects as before gives the same object as before, and does no work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from knit_tui.engine.changes import (
    Ask,
    Change,
    Exclude,
    Pin,
    Redo,
    Restore,
    SessionChanged,
    Undo,
    Unpin,
    WorkspaceChanged,
)
from knit_tui.engine.conversation import told
from knit_tui.engine.library import Library
from knit_tui.engine.pools import Pool, pools
from knit_tui.engine.step import Step
from knit_tui.engine.views import Examiner, newest_view, ranked_view
from knit_tui.find.index import Index
from knit_tui.find.keywords import choose, keywords
from knit_tui.find.signals import Wish, wish
from knit_tui.find.topic import prompt, task, texts
from knit_tui.model import (
    Controls,
    Message,
    Notice,
    Query,
    QueryTerm,
    Scan,
    SessionStatus,
    Snapshot,
    Tab,
    View,
)
from knit_tui.organise.controls import History, acted, redone, undone
from knit_tui.sessions.events import Event
from knit_tui.workspace.text import read_text

GROWTH = 1.5
"""How much a filling index grows between two partial orders."""


class Conversation(Protocol):
    """Where the events of the session come from."""

    def poll(self) -> Iterable[Event]:
        """New events since the last call, in order."""
        ...

    @property
    def status(self) -> SessionStatus:
        """Which session it is, or why there is none."""
        ...

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Limits that bite on the log."""
        ...


class Engine:
    """The state of one workspace and its session. Not safe for use by two threads at once.

    ``scan`` lists the workspace, ``session`` gives its conversation. The first ``apply`` scans and
    reads the session whatever the changes are.
    """

    def __init__(
        self,
        root: Path,
        scan: Callable[[], Scan],
        session: Conversation,
        *,
        breathe: Callable[[], None] = lambda: None,
    ) -> None:
        self._root = root
        self._scan_root = scan
        self._session = session
        self._library = Library(lambda rel: read_text(root, rel), breathe)
        self._scan: Scan | None = None
        self._messages: tuple[Message, ...] = ()
        self._asked: str | None = None
        self._history = History()
        self._keywords = Step(_all_keywords)
        self._query = Step(_query)
        self._wish = Step(_wish)
        self._pools = Step(pools)
        self._views = Step(self._make_views)
        self._ranked = Index()
        self._snapshot: Snapshot | None = None

    @property
    def pending(self) -> int:
        """Documents that wait to be indexed; apply again to go on with them."""
        return self._library.pending

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the last scan, for a watcher."""
        return self._scan.folders if self._scan else ()

    @property
    def scan(self) -> Scan:
        """The last scan.

        Raises:
            RuntimeError: nothing was applied yet.
        """
        if self._scan is None:
            raise RuntimeError("no scan before the first apply")
        return self._scan

    def settle(self, changes: Iterable[Change] = ()) -> Snapshot:
        """Apply ``changes`` with every document indexed."""
        self._take(list(changes))
        while self.pending:
            self._library.index_some()
        return self._snap(())

    def apply(self, changes: Iterable[Change], outside: tuple[Notice, ...] = ()) -> Snapshot:
        """The Snapshot after ``changes``; the very same one when they make no difference.

        At most one slice of waiting documents is indexed, so that a first order is there soon.
        ``outside`` are notices of the host, such as that watching is off.
        """
        self._take(list(changes))
        if self.pending:
            self._library.index_some()
        return self._snap(outside)

    def _take(self, changes: list[Change]) -> None:
        if self._scan is None or any(isinstance(change, WorkspaceChanged) for change in changes):
            self._take_scan()
        if self._snapshot is None or any(isinstance(change, SessionChanged) for change in changes):
            self._messages = told(self._messages, self._session.poll())
        for change in changes:
            self._act(change)

    def _take_scan(self) -> None:
        scan = self._scan_root()
        if not scan.present and self._scan is not None:
            # The last list stays on screen; a scan that finds the folder again replaces it.
            self._scan = Scan(scan.root, False, self._scan.entries, self._scan.skips, (), scan.notices)
            return
        self._scan = scan
        self._library.compare(scan)

    def _act(self, change: Change) -> None:
        match change:
            case Pin(rel):
                self._history = acted(self._history, "pin", rel)
            case Unpin(rel):
                self._history = acted(self._history, "unpin", rel)
            case Exclude(rel):
                self._history = acted(self._history, "exclude", rel)
            case Restore(rel):
                self._history = acted(self._history, "restore", rel)
            case Undo():
                self._history = undone(self._history)
            case Redo():
                self._history = redone(self._history)
            case Ask(text):
                self._asked = text
            case WorkspaceChanged() | SessionChanged():
                pass

    def _snap(self, outside: tuple[Notice, ...]) -> Snapshot:
        index = self._shown_index()
        wanted = self._keywords(self._messages, self._asked)
        query = self._query(wanted, self._messages, self._asked, index)
        controls = self._history.now
        wanted_kind = self._wish(self._messages, self._asked)
        sources = self._pools(self._library.entries, self._library.cards, index, controls.excluded)
        views = self._views(sources, query, wanted_kind, controls)
        scan, status = self.scan, self._session.status
        snapshot = Snapshot(
            generation=self._snapshot.generation if self._snapshot else 1,
            root=scan.root,
            present=scan.present,
            query=query,
            views=views,
            session=status,
            controls=controls,
            undoable=self._history.undoable,
            skipped=len(scan.skips) + self._library.unread,
            notices=(*self._notices(query), *self._session.notices, *outside),
            complete=not self._library.pending,
            indexed=len(self._library.entries) - self._library.pending,
            documents=len(self._library.entries),
        )
        if snapshot != self._snapshot:
            if self._snapshot is not None:
                snapshot = replace(snapshot, generation=self._snapshot.generation + 1)
            self._snapshot = snapshot
        return self._snapshot

    def _shown_index(self) -> Index:
        """The index the views are made from. While it fills, a new order is shown each time it has
        grown by half: ranking a large workspace for every slice would cost more than indexing it."""
        library = self._library
        if not library.pending or len(library.index.positions) >= GROWTH * len(self._ranked.positions):
            self._ranked = library.index
        return self._ranked

    def _make_views(
        self, sources: Mapping[Tab, Pool], query: Query, wanted: Wish, controls: Controls
    ) -> Mapping[Tab, View]:
        missing = [rel for rel in controls.pinned if rel not in self._library.entries]
        examiner = Examiner(self._library, query)
        views = {}
        for tab, source in sources.items():
            if query.terms:
                views[tab] = ranked_view(source, query, wanted, controls, missing, examiner)
            else:
                views[tab] = newest_view(source, controls, missing)
        return views

    def _notices(self, query: Query) -> tuple[Notice, ...]:
        scan, library = self.scan, self._library
        notices = list(scan.notices)
        if not scan.present:
            notices.append(Notice("gone", (("root", scan.root),)))
        if library.pending:
            done = len(library.entries) - library.pending
            facts = (("done", str(done)), ("total", str(len(library.entries))))
            notices.append(Notice("indexing", facts))
        if not query.terms:
            notices.append(Notice("no-conversation" if query.source == "conversation" else "no-terms"))
        for code, count in (
            ("truncated", library.cut),
            ("secret", library.secret),
            ("unreadable", library.unread),
        ):
            if count:
                notices.append(Notice(code, (("count", str(count)),)))
        return tuple(notices)


def _all_keywords(messages: tuple[Message, ...], asked: str | None) -> tuple[QueryTerm, ...]:
    return keywords(texts(messages) if asked is None else (asked,))


def _wish(messages: tuple[Message, ...], asked: str | None) -> Wish:
    return wish(prompt(messages) if asked is None else asked)


def _query(
    wanted: tuple[QueryTerm, ...], messages: tuple[Message, ...], asked: str | None, index: Index
) -> Query:
    terms = choose(wanted, index.holds)
    if asked is not None:
        return Query(terms, "typed")
    return Query(terms, "conversation", task(messages))
