"""What the list holds: a view sorted, filtered and parted into tiers, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from knit_tui.faces.i18n import _
from knit_tui.faces.wording import tier_text
from knit_tui.model import Item, Mode, Tier, View


@dataclass(frozen=True, slots=True)
class Heading:
    """The line above the items of one tier."""

    tier: Tier
    text: str
    count: int


Row = Heading | Item


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows of the list, and how they are to be drawn."""

    rows: tuple[Row, ...] = ()
    items: tuple[Item, ...] = ()
    """The items among ``rows``, in the same order."""
    total: int = 0
    """How many items there are without the filter."""
    by_time: bool = False
    terms: tuple[str, ...] = ()
    """The terms of the filter, lower-case."""
    digits: int = 1
    """Width of the widest number."""


def filter_terms(text: str) -> tuple[str, ...]:
    """The terms of a typed filter: all must be found."""
    return tuple(text.lower().split())


class Finder:
    """Finds the items that hold every term in title, name, folder or summary.

    Remembers the searched text of the items it saw last, so that each further key only compares.
    """

    def __init__(self) -> None:
        self._items: tuple[Item, ...] = ()
        self._texts: list[str] = []

    def matching(self, items: tuple[Item, ...], terms: Sequence[str]) -> tuple[Item, ...]:
        if not terms:
            return items
        if items is not self._items:
            self._items = items
            self._texts = [f"{item.rel}\n{item.title}\n{item.summary}".lower() for item in items]
        found: Iterable[int] = range(len(items))
        for term in terms:
            found = [index for index in found if term in self._texts[index]]
        return tuple([items[index] for index in found])


def build(view: View, *, by_time: bool, terms: tuple[str, ...] = (), finder: Finder) -> Listing:
    """The rows of ``view``, newest first without tiers when ``by_time``, else tier by tier."""
    everything = view.newest if by_time else view.items
    items = finder.matching(everything, terms)
    rows: tuple[Row, ...] = items if by_time else tuple(_with_headings(items, view.mode))
    ranked = takewhile(lambda item: item.tier is not Tier.OTHER, items)
    return Listing(
        rows=rows,
        items=items,
        total=len(everything),
        by_time=by_time,
        terms=terms,
        digits=1 if by_time else len(str(max((item.number or 0 for item in ranked), default=0))),
    )


def _with_headings(items: tuple[Item, ...], mode: Mode) -> list[Row]:
    rows: list[Row] = []
    start = 0
    while start < len(items):
        tier = items[start].tier
        end = len(items) if tier is Tier.OTHER else start + 1
        while end < len(items) and items[end].tier is tier:
            end += 1
        newest = mode is Mode.NEWEST and tier is Tier.OTHER
        text = _("Newest first") if newest else tier_text(tier)
        rows.append(Heading(tier, text, end - start))
        rows += items[start:end]
        start = end
    return rows


def same_order(old: Sequence[Row], new: Sequence[Row]) -> bool:
    """Whether showing ``new`` in place of ``old`` moves nothing."""
    if len(old) != len(new):
        return False
    for before, after in zip(old, new, strict=True):
        if before is after:
            continue
        if isinstance(before, Heading) or isinstance(after, Heading):
            if before != after:
                return False
        elif before.rel != after.rel or has_passage(before) != has_passage(after):
            return False
    return True


def has_passage(item: Item) -> bool:
    return bool(item.passages)


def changes(old: Sequence[Item], new: Sequence[Item]) -> int:
    """How many documents enter, leave, or change their tier or number between two orders."""
    crossing = {item.rel for item in old} ^ {item.rel for item in new}
    before, after = places(old), places(new)
    moved = {rel for rel in before.keys() | after.keys() if before.get(rel) != after.get(rel)}
    return len(crossing | moved)


Places = dict[str, tuple[Tier, int | None]]
"""Tier and number of documents, by their path."""


def places(items: Sequence[Item]) -> Places:
    """Where the items stand that are in a tier of the pack; these come first."""
    ranked = takewhile(lambda item: item.tier is not Tier.OTHER, items)
    return {item.rel: (item.tier, item.number) for item in ranked}
