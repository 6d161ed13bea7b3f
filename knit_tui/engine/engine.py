"""State and changes to the next Snapshot.

Everything goes one way: scan difference, index, query, ranking and packs, snapshot. A step whose
inputs are the same objects as before gives the same object as before, and does no work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from knit_tui.engine.asking import Asked, located, mentions_of, query_of, wanted_terms
from knit_tui.engine.changes import (
    Ask,
    Change,
    Exclude,
    Follow,
    Inspect,
    Pin,
    Redo,
    Restore,
    SessionChanged,
    Track,
    Undo,
    Unpin,
    WorkspaceChanged,
)
from knit_tui.engine.conversation import told
from knit_tui.engine.inspecting import Inspector
from knit_tui.engine.keeper import Keeper
from knit_tui.engine.library import Library
from knit_tui.engine.past import Past
from knit_tui.engine.pools import Pool, Pools
from knit_tui.engine.relating import Relating
from knit_tui.engine.step import Step
from knit_tui.engine.tracker import Tracker
from knit_tui.engine.usage import Usage, used
from knit_tui.engine.views import Examiner, Speaking, newest_view, ranked, ranked_view
from knit_tui.find.history import CommitIndex, Located
from knit_tui.find.index import Index
from knit_tui.find.label import label
from knit_tui.find.session import Names
from knit_tui.find.topic import texts
from knit_tui.model import (
    Controls,
    Message,
    Notice,
    Query,
    Scan,
    SessionOffer,
    SessionStatus,
    Snapshot,
    Tab,
    View,
)
from knit_tui.organise.relations import Relations
from knit_tui.organise.tree import Tree
from knit_tui.sessions.events import Event
from knit_tui.workspace.text import read_text

if TYPE_CHECKING:
    from knit_tui.engine.classic import ClassicOrder
    from knit_tui.find.classic_keywords import Keyword

_NO_COMMITS = CommitIndex()

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
    def offers(self) -> tuple[SessionOffer, ...]:
        """The sessions that could be followed."""
        ...

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Limits that bite on the log."""
        ...

    def choose(self, key: str | None) -> None:
        """Follow the offered session with this key from the next poll on; None: find one again."""
        ...


class Engine:
    """The state of one workspace and its session. Not safe for use by two threads at once.

    ``scan`` lists the workspace, ``session`` gives its conversation, ``library`` holds the documents; one
    that forgets all at the end when not given. ``past`` is the history that takes part, if any does;
    ``keeper`` keeps what the user sets; ``classic`` ranks as ``find.classic`` does, without history.
    ``tabs`` are those a Snapshot has. The first ``apply`` scans and reads the session whatever the changes
    are.
    """

    def __init__(
        self,
        root: Path,
        scan: Callable[[], Scan],
        session: Conversation,
        *,
        library: Library | None = None,
        past: Past | None = None,
        keeper: Keeper | None = None,
        classic: bool = False,
        tabs: Collection[Tab] = tuple(Tab),
    ) -> None:
        self._root = root
        self._scan_root = scan
        self._session = session
        self._library = library or Library(lambda rel: read_text(root, rel))
        self._scan: Scan | None = None
        self._past = past
        self._classic: ClassicOrder | None = None
        if classic:
            from knit_tui.engine.classic import ClassicOrder, classic_query

            self._classic = ClassicOrder(self._library)
            self._classic_query = Step(classic_query)
        self._messages: tuple[Message, ...] = ()
        self._usage = Usage()
        self._tracker = Tracker(root)
        self._asked: str | None = None
        self._keeper = keeper or Keeper()
        self._keywords = Step(wanted_terms)
        self._prefer = Step(self._library.prefer)
        self._query = Step(query_of)
        self._located = Step(located)
        self._names = Step(Names)
        self._mentions = Step(mentions_of)
        self._tabs = frozenset(tabs)
        self._pools = Step(Pools(tabs))
        self._chosen = Step(_chosen)
        self._relations = Step(Relating())
        self._related = Relations(Tree(()), {}, {})
        self._inspected: str | None = None
        self._inspection = Step(Inspector(self._library, root))
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
        """Apply ``changes`` with every document indexed and the history read."""
        self._take(list(changes))
        if self._past:
            self._past.look(patient=True)
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

    def show(self, *tabs: Tab) -> None:
        """Have no other ones of its tabs in each Snapshot from the next apply on."""
        self._tabs = frozenset(tabs)

    def tend(self) -> bool:
        """Upkeep for when there is time: see ``Library.tend``. True if another apply gives another order."""
        moved = self._past is not None and self._past.look(patient=True)
        return self._library.tend() or moved

    def close(self) -> tuple[Notice, ...]:
        """Keep what is known of the workspace for the next time; returns what is to be told of that."""
        told = self._snapshot.notices if self._snapshot else ()
        self._library.close()
        return tuple(notice for notice in self._library.notices if notice not in told)

    def _take(self, changes: list[Change]) -> None:
        if self._scan is None or any(isinstance(change, WorkspaceChanged) for change in changes):
            self._take_scan()
        self._keeper.look()
        for change in changes:
            self._act(change)
        self._tracker.turn(self._keeper.tracking)
        if self._snapshot is None or any(isinstance(change, (SessionChanged, Follow)) for change in changes):
            events = tuple(self._session.poll())
            self._messages = told(self._messages, events)
            self._usage = used(self._usage, events)
            self._tracker.take(events, self._library.entries, past=self._snapshot is None)
        if self._library.pending:
            self._prefer(self._keywords(self._messages, self._asked))

    def _take_scan(self) -> None:
        scan = self._scan_root()
        if not scan.present and self._scan is not None:
            # The last list stays on screen; a scan that finds the folder again replaces it.
            self._scan = Scan(scan.root, False, self._scan.entries, self._scan.skips, (), scan.notices)
            return
        self._scan = scan
        self._tracker.scanned()
        self._library.compare(scan)
        if self._past:
            self._past.look(patient=False)

    def _act(self, change: Change) -> None:
        match change:
            case Pin(rel):
                self._keeper.act("pin", rel)
            case Unpin(rel):
                self._keeper.act("unpin", rel)
            case Exclude(rel):
                self._keeper.act("exclude", rel)
            case Restore(rel):
                self._keeper.act("restore", rel)
            case Undo():
                self._keeper.undo()
            case Redo():
                self._keeper.redo()
            case Ask(text):
                self._asked = text
            case Track(on):
                self._keeper.track(on)
            case Inspect(rel):
                self._inspected = rel
            case Follow(key):
                self._session.choose(key)
            case WorkspaceChanged() | SessionChanged():
                pass

    def _snap(self, outside: tuple[Notice, ...]) -> Snapshot:
        index = self._shown_index()
        commits = self._past.commits if self._past else _NO_COMMITS
        query, keywords = self._asked_for(index, commits)
        history = self._located(commits, index)
        controls = self._keeper.history.now
        pools = self._pools(self._library.entries, self._library.cards, index, controls.excluded)
        sources = self._chosen(pools, self._tabs)
        usage, mentions = None, None
        if self._asked is None:
            usage = self._usage
            mentions = self._mentions(self._messages, self._names(self._library.entries))
        if not self._library.pending:
            # While documents come in, what they say of one another waits: it would be worked out for each.
            self._related = self._relations(self._library.entries, self._library.cards)
        relations = self._related
        views, topic = self._views(sources, query, keywords, history, usage, mentions, controls, relations)
        if self._asked is None and not self._library.pending and Tab.CONTEXT in views:
            self._tracker.see(views[Tab.CONTEXT], query.task, topic)
        scan, status = self.scan, self._session.status
        snapshot = Snapshot(
            generation=self._snapshot.generation if self._snapshot else 1,
            root=scan.root,
            present=scan.present,
            query=replace(query, topic=topic),
            signals=self._signals(commits),
            views=views,
            session=status,
            sessions=self._session.offers,
            usage=self._tracker.usage(self._library.entries),
            inspection=self._inspection(self._inspected, views, query, controls, relations, scan, index),
            controls=controls,
            undoable=self._keeper.history.undoable,
            redoable=self._keeper.history.redoable,
            persisted=self._keeper.persisted,
            skipped=len(scan.skips) + self._library.unread,
            notices=(*self._notices(query), *outside),
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

    def _asked_for(self, index: Index, commits: CommitIndex) -> tuple[Query, tuple[Keyword, ...]]:
        """The query, and the keywords it is made of if the ranking is ``classic``."""
        if self._classic is not None:
            return self._classic_query(self._messages, self._asked)
        wanted = self._keywords(self._messages, self._asked)
        return self._query(wanted, self._messages, self._asked, index, commits), ()

    def _signals(self, commits: CommitIndex) -> tuple[str, ...]:
        """What takes part in the order, as `Snapshot.signals` has it."""
        if self._classic is not None:
            return ("classic",)
        return ("words", "history") if commits.commits else ("words",)

    def _make_views(
        self,
        sources: Mapping[Tab, Pool],
        query: Query,
        keywords: tuple[Keyword, ...],
        history: Located,
        usage: Usage | None,
        mentions: Mapping[str, float] | None,
        controls: Controls,
        relations: Relations,
    ) -> tuple[Mapping[Tab, View], tuple[str, ...]]:
        """Every tab, and what the terms they are ordered by are called in the texts."""
        missing = [rel for rel in controls.pinned if rel not in self._library.entries]
        asked = Asked(query, history, usage.uses() if usage else None, mentions)
        examiner, speaking = Examiner(self._library, query), Speaking(relations, controls)
        views = {}
        for tab, source in sources.items():
            if query.terms:
                ranking = self._classic.ranked(source, keywords) if self._classic else ranked(source, asked)
                views[tab] = ranked_view(source, ranking, controls, missing, examiner, speaking)
            else:
                views[tab] = newest_view(source, controls, missing)
        said = texts(self._messages) if self._asked is None else (self._asked,)
        return views, label(said, query.terms, examiner.occurs)

    def _notices(self, query: Query) -> tuple[Notice, ...]:
        scan, library = self.scan, self._library
        notices = [*scan.notices, *library.notices, *(self._past.notices if self._past else ())]
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
        return (*notices, *self._keeper.notices, *self._tracker.notices, *self._session.notices)


def _chosen(pools: Mapping[Tab, Pool], tabs: Collection[Tab]) -> Mapping[Tab, Pool]:
    return {tab: pool for tab, pool in pools.items() if tab in tabs}
