"""What a new pack changed: which documents entered it, left it or moved, for as long as that is news."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.cells import plain
from knit_tui.faces.tui.listing import Places, places
from knit_tui.faces.usage_words import in_ascii
from knit_tui.model import Controls, Item, Mode, Snapshot, Tab, Tier, View

NEWS_SECONDS = 6.0
"""How long a change is news."""
_SLACK = 0.05
"""Timers and clocks do not agree to the millisecond."""


class Way(Enum):
    """What became of a document."""

    ENTERED = "entered"
    UP = "up"
    DOWN = "down"
    """Further down in the pack, or out of it and among the other matches."""


_GLYPHS = {Way.ENTERED: ("+", "+"), Way.UP: ("▴", "^"), Way.DOWN: ("▾", "v")}


@dataclass(frozen=True, slots=True)
class Arrival:
    """What became of one document, and the number it had."""

    way: Way
    before: int = 0

    @property
    def glyph(self) -> str:
        return _GLYPHS[self.way][in_ascii()]

    @property
    def text(self) -> str:
        text = _("entered") if self.way is Way.ENTERED else _("was {number}")
        return plain(text.format(number=self.before))


@dataclass(frozen=True, slots=True)
class News:
    """What is to be told of a change of the pack."""

    rows: Mapping[str, Arrival] = field(default_factory=dict)
    """The documents that entered or moved, by path."""
    left: Mapping[Tier, tuple[str, ...]] = field(default_factory=dict)
    """The documents that left the pack, by the tier under whose heading that is told."""
    renewed: Tier | None = None
    """Nothing of the pack before stayed: told under this heading instead of at every row."""
    seconds: float | None = None
    """When some of it will be no news any more; None when it stays until there is other news."""

    def __bool__(self) -> bool:
        return bool(self.rows or self.left or self.renewed)

    def notes(self, tier: Tier) -> tuple[str, ...]:
        """What to say beside the heading of ``tier``, the longest first; nothing when it concerns no one."""
        if tier is self.renewed:
            return (plain(_("all new")),)
        names = [plain(rel.rpartition("/")[2]) for rel in self.left.get(tier, ())]
        if not names:
            return ()
        some = [f"{', '.join(names[:few])} +{len(names) - few}" for few in range(len(names) - 1, 0, -1)]
        return tuple(
            plain(_("left: {names}").format(names=text)) for text in (", ".join(names), *some, len(names))
        )


NO_NEWS = News()


def news(old: Places, view: View, seconds: float | None = None) -> News:
    """What the pack of ``view`` changed against the places ``old``.

    Only what overtook others counts as moved: where one document enters or leaves, those below it have
    other numbers, and that is no news of theirs. Another tier is, whatever the reason.
    """
    new = places(view.items)
    old_numbers = {rel: number for rel, (_tier, number) in old.items() if number is not None}
    new_numbers = {rel: number for rel, (_tier, number) in new.items() if number is not None}
    tiers = _headed(view.items)
    if new_numbers and not old_numbers.keys() & new_numbers.keys():
        first = new[next(iter(new_numbers))][0]
        return News(renewed=first, seconds=seconds) if old_numbers else NO_NEWS
    rows = {rel: Arrival(Way.ENTERED) for rel in new if rel not in old}
    kept = [rel for rel in new_numbers if rel in old_numbers]
    numbers = [(old_numbers[rel], new_numbers[rel]) for rel in kept]
    still = _unmoved(numbers)
    for position, (rel, (was, now)) in enumerate(zip(kept, numbers, strict=True)):
        if position not in still or old[rel][0] is not new[rel][0]:
            rows[rel] = Arrival(Way.UP if now < was else Way.DOWN, was)
    left: dict[Tier, tuple[str, ...]] = {}
    for rel, (tier, number) in old.items():
        if rel in new:
            continue
        if number is not None:
            rows[rel] = Arrival(Way.DOWN, number)
        told = next((each for each in tiers if _ORDER[each] >= _ORDER[tier]), tiers[-1] if tiers else tier)
        left[told] = (*left.get(told, ()), rel)
    return News(rows, left, seconds=seconds)


_ORDER = {tier: position for position, tier in enumerate(Tier)}


def _headed(items: tuple[Item, ...]) -> list[Tier]:
    """The tiers that have a heading, in their order."""
    found = dict.fromkeys(tier for tier, _number in places(items).values())
    return [*found, Tier.OTHER] if items and items[-1].tier is Tier.OTHER else [*found]


def _unmoved(numbers: Sequence[tuple[int, int]]) -> set[int]:
    """Positions of the documents, told by their numbers before and now, that need not have moved.

    They rise in both numbers: all whose number is the same, and as many others as can be. A pack is short,
    so all are compared with all.
    """
    chains: list[tuple[int, int, int]] = []  # that end here: with the same number, length, one before
    for position, (was, now) in enumerate(numbers):
        same, length, before = max(
            ((*chains[each][:2], each) for each in range(position) if numbers[each][0] <= was),
            default=(0, 0, -1),
        )
        chains.append((same + (was == now), length + 1, before))
    last = max(range(len(chains)), key=chains.__getitem__, default=-1)
    found: set[int] = set()
    while last >= 0:
        found.add(last)
        last = chains[last][2]
    return found


class Newsroom:
    """Compares the pack that a view shows with the one it showed a few seconds ago."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.lasting = False
        """News stays until there is other news: nothing vanishes by itself."""
        self._clock = clock
        self._view: View | None = None
        self._past: list[tuple[float, Places]] = []
        """The packs before that of the view, and when each gave way to the next."""
        self._news = NO_NEWS

    def turn(self, before: Snapshot, after: Snapshot, tab: Tab, *, acted: bool = False) -> None:
        """What is shown of ``tab`` changes from one snapshot to another.

        With ``acted`` the documents that were pinned or excluded were so by the user, and are no news.
        """
        old, new = before.views.get(tab), after.views.get(tab)
        # What is filled in at the start (documents, the history) is no change of anything.
        whole = before.present and before.complete and after.complete and before.signals == after.signals
        if not whole or old is None or new is None or {old.mode, new.mode} != {Mode.RELEVANCE}:
            self.clear()
            return
        if self._view is not old:
            self.clear()
        self._view = new
        if old is new or places(old.items) == places(new.items):
            return
        self._past.append((self._clock(), places(old.items)))
        if acted:
            own, now = _handled(before.controls, after.controls), places(new.items)
            self._past = [(at, _as_now(own, then, now)) for at, then in self._past]
        self._compare()

    def clear(self) -> None:
        """What came before is no news, and nothing to compare with."""
        self._view, self._past, self._news = None, [], NO_NEWS

    def of(self, view: View) -> News:
        """What there is to tell of ``view`` now."""
        if view is not self._view:
            return NO_NEWS
        if not self.lasting and len(self._past) != len(self._recent()):
            told = self._news
            self._compare()
            self._news = _still(told, self._news)
        return self._news

    def _recent(self) -> list[tuple[float, Places]]:
        since = self._clock() - NEWS_SECONDS + _SLACK
        return [each for each in self._past if each[0] > since]

    def _compare(self) -> None:
        self._past = self._recent()
        if self._view is None or not self._past:
            self._news = NO_NEWS
            return
        at, then = self._past[0]
        seconds = None if self.lasting else at + NEWS_SECONDS - self._clock()
        self._news = news(then, self._view, seconds)


def _still(told: News, news: News) -> News:
    """What of ``told`` is still news: nothing appears, and no word changes, because time goes by."""
    return News(
        {rel: arrival for rel, arrival in told.rows.items() if rel in news.rows},
        {
            tier: kept
            for tier, rels in told.left.items()
            if (kept := tuple(rel for rel in rels if rel in news.left.get(tier, ())))
        },
        news.renewed if told.renewed else None,
        news.seconds,
    )


def _handled(before: Controls, after: Controls) -> set[str]:
    """The documents that are pinned or excluded in one of the two and not in the other."""
    return {*before.pinned} ^ {*after.pinned} | {*before.excluded} ^ {*after.excluded}


def _as_now(own: set[str], then: Places, now: Places) -> Places:
    """``then`` as if the documents ``own`` had stood where they stand ``now``."""
    return {rel: place for rel, place in then.items() if rel not in own} | {
        rel: now[rel] for rel in own if rel in now
    }
