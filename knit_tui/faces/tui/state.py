"""What the panel shows and what it holds back; knows no widget."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.arrivals import NO_NEWS, News, Newsroom
from knit_tui.faces.tui.empty import empty_text, waiting_text
from knit_tui.faces.tui.listing import Finder, Listing, build, changes, filter_terms, same_order
from knit_tui.faces.tui.widgets.tab_bar import Order, Tabs
from knit_tui.faces.tui.widgets.title_bar import Standing
from knit_tui.faces.wording import topic_text
from knit_tui.model import Item, Mode, Notice, Snapshot, Tab, View

_ACT_SECONDS = 10.0
_ON_A_DOCUMENT = (
    *("preview.open", "item.pin", "item.exclude", "item.evidence", "inspect.backlinks", "item.edit"),
    *("item.send", "item.open", "item.reveal", "item.peek", "pane.choose"),
    *("copy.path", "copy.line", "copy.absolute", "copy.link", "copy.passage"),
)
_BETWEEN_MATCHES = ("scroll.next_match", "scroll.previous_match")
_SORTS = ("view.sort", "sort.relevance", "sort.newest")


class Verdict(Enum):
    """What becomes of a snapshot that arrived."""

    IGNORED = "ignored"
    """Not newer than the last one."""
    SHOWN = "shown"
    HELD = "held"
    """Its order waits; facts that move nothing are shown."""
    ANSWERED = "answered"
    """Shown, from its top: it is for the task that the user has just given."""
    KEPT = "kept"
    """It has no list of its own: the last one stays."""


class PanelState:
    """The newest snapshot, the one whose order is on screen, and the user's choice of view."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.latest: Snapshot | None = None
        self.shown: Snapshot | None = None
        self.tab = Tab.CONTEXT
        self.by_time = False
        self.filter = ""
        self.failure = ""
        self.lasting: Callable[[], tuple[Notice, ...]] = tuple
        """What bites as long as the panel runs, whatever the engine says."""
        self.newsroom = Newsroom(clock)
        self._clock = clock
        self._acted_at = float("-inf")
        self._answered = True
        self._awaited: str | None = None
        """The task that the user gave and that no snapshot was for so far; empty for the session's."""
        self._finder = Finder()
        self._changes = 0
        self._built: list[tuple[View, bool, str, Listing]] = []

    # Snapshots

    def offer(self, snapshot: Snapshot, *, busy: bool) -> Verdict:
        """Take a snapshot in; with ``busy`` a different order is held back unless the user caused it."""
        if self.latest is not None and snapshot.generation <= self.latest.generation:
            return Verdict.IGNORED
        held = self.holding
        self.latest = snapshot
        if self.shown is None or not self.shown.present:
            if snapshot.query.typed == self._awaited:
                self._awaited = None
            self._turn_to(snapshot)
            return Verdict.SHOWN
        if not snapshot.present:
            return Verdict.KEPT
        if snapshot.query.typed == self._awaited:
            self._awaited = None
            self._turn_to(snapshot, acted=True)
            return Verdict.ANSWERED
        acted = self._lately_acted() and snapshot.controls != self.shown.controls
        if acted:
            self._answered = True
        elif busy and not same_order(self.listing().rows, self._build(snapshot).rows):
            self._changes = changes(self.listing().items, self._build(snapshot).items)
            return Verdict.HELD
        self._turn_to(snapshot, acted=acted, held=held)
        return Verdict.SHOWN

    def _turn_to(self, snapshot: Snapshot, *, acted: bool = False, held: bool = False) -> None:
        """Show a snapshot; what differs is news, unless an act of the user brought it all about."""
        before, self.shown = self.shown, snapshot
        if before is None or (acted and not held):
            self.newsroom.clear()
        else:
            self.newsroom.turn(before, snapshot, self.tab, acted=acted)

    def news(self) -> News:
        """What there is to tell of the list that ``listing`` gives."""
        view = self.view(self.shown)
        return NO_NEWS if view is None or self.by_time else self.newsroom.of(view)

    @property
    def task(self) -> str:
        """The task that the user typed; empty while it is the session's."""
        if self._awaited is not None or self.latest is None:
            return self._awaited or ""
        return self.latest.query.typed

    def ask(self, text: str) -> bool:
        """The user wants to see what ``text`` finds, or the session's task when it is empty.

        Returns:
            Whether that is another task; its order is shown as soon as it comes.
        """
        if text == self.task:
            return False
        self._awaited = text
        return True

    def acted(self) -> None:
        """The user changed pins or exclusions: what comes of it is shown as soon as it comes.

        The engine may answer several acts at once, or one act after another, so the answers are not
        counted; changes of pins and exclusions within a few seconds are taken for the user's own.
        """
        self._acted_at = self._clock()
        self._answered = False

    @property
    def acting(self) -> bool:
        """Whether an act of the user still waits for its answer."""
        return not self._answered and self._lately_acted()

    def _lately_acted(self) -> bool:
        return self._clock() - self._acted_at < _ACT_SECONDS

    @property
    def holding(self) -> bool:
        return self.latest is not self.shown and self.latest is not None and self.latest.present

    def release(self) -> bool:
        """Let the held order be shown; tells whether there was one."""
        if self.latest is None or not self.holding:
            return False
        self._turn_to(self.latest)
        return True

    # What stands on screen

    @property
    def gone(self) -> bool:
        return self.latest is not None and not self.latest.present

    def view(self, snapshot: Snapshot | None) -> View | None:
        return None if snapshot is None else snapshot.views.get(self.tab, View(self.tab, Mode.RELEVANCE))

    def listing(self) -> Listing:
        """The rows for the tab, order and filter chosen."""
        return Listing() if self.shown is None else self._build(self.shown)

    def reword(self) -> None:
        """Word everything anew: the language is another one."""
        self._built = []

    def coming(self) -> Listing:
        """The rows as the newest snapshot has them."""
        return Listing() if self.latest is None else self._build(self.latest)

    def _build(self, snapshot: Snapshot) -> Listing:
        view = snapshot.views.get(self.tab, View(self.tab, Mode.RELEVANCE))
        by_time = self.by_time and view.mode is Mode.RELEVANCE
        for known, *choice, listing in self._built:
            if known is view and choice == [by_time, self.filter]:
                return listing
        listing = build(view, by_time=by_time, terms=filter_terms(self.filter), finder=self._finder)
        self._built = [*self._built[-1:], (view, by_time, self.filter, listing)]
        return listing

    def standing(self, message: str) -> Standing:
        """What the title says."""
        return Standing(
            snapshot=self.latest,
            view=self.view(self.shown if self.gone else self.latest),
            waiting=self.holding,
            changes=self._changes if self.holding else 0,
            message=message,
        )

    def tabs(self) -> Tabs:
        """What the tab line says."""
        snapshot = self.shown if self.gone else self.latest
        views = {} if snapshot is None else snapshot.views
        listing = self.listing()
        return Tabs(
            active=self.tab,
            counts={tab: len(view.newest if self.by_time else view.items) for tab, view in views.items()},
            order=self._order(),
            filter=" ".join(filter_terms(self.filter)),
            found=(len(listing.items), listing.total),
            topic=topic_text(snapshot.query) if snapshot else "",
        )

    def useless(self, item: Item | None) -> dict[str, str]:
        """The actions that would do nothing now, with ``item`` under the cursor, and why."""
        latest = self.latest
        out: dict[str, str] = {}
        if not self.acting and (latest is None or not latest.undoable):
            out["edit.undo"] = _("nothing to undo")
        if not self.acting and (latest is None or not latest.redoable):
            out["edit.redo"] = _("nothing to redo")
        if item is None or not (item.passages or self.filter.strip()):
            out |= dict.fromkeys(_BETWEEN_MATCHES, _("nothing in it matches"))
        if item is None:
            out |= dict.fromkeys((*_ON_A_DOCUMENT, *_BETWEEN_MATCHES), _("no document is chosen"))
        if not self.task:
            out["task.follow"] = _("no task was typed")
        if self._order() in (Order.NONE, Order.ONLY_NEWEST):
            out |= dict.fromkeys(_SORTS, _("newest first, as long as there is no task"))
        return out

    def _order(self) -> Order:
        view = self.view(self.shown)
        if view is None:
            return Order.NONE
        if view.mode is Mode.NEWEST:
            return Order.ONLY_NEWEST
        return Order.NEWEST if self.by_time else Order.RELEVANCE

    def session_trouble(self) -> str:
        """What to do while nothing gives a query: about a session that is not followed, or without one."""
        latest, view = self.latest, self.view(self.latest)
        if latest is None or view is None or view.mode is not Mode.NEWEST or latest.query.source == "typed":
            return ""
        return waiting_text(latest.session)

    def notices(self) -> tuple[Notice, ...]:
        """What bites now."""
        out = self.lasting() if self.latest is None else (*self.latest.notices, *self.lasting())
        if self.failure:
            out = (Notice("failed", (("why", self.failure),)), *out)
        if self.gone and self.latest is not None and all(notice.code != "gone" for notice in out):
            out = (Notice("gone", (("root", self.latest.root),)), *out)
        return out

    def empty(self) -> tuple[str, ...]:
        """What stands in the list when it has no rows: what is so, and what to do next."""
        return empty_text(
            self.shown, self.tab, by_time=self.by_time, filter=self.filter, failure=self.failure
        )
