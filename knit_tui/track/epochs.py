"""Packs, the epochs they make, and what each changed.

An epoch is one distinct pack of a session: another task, or other documents, tiers or numbers. The same
pack again makes none, however often it comes. An empty pack makes no first epoch: nothing was in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knit_tui.model import Churn, Delta, PackItem, Tab, Tier, View

TIERS = (Tier.PINNED, Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED)
"""The tiers of a pack, in order."""
PACKS_KEPT = 20


@dataclass(frozen=True, slots=True)
class Pack:
    """What the agent gets at one moment; ``items`` by tier, each document once."""

    task: str
    topic: tuple[str, ...]
    items: tuple[PackItem, ...]


@dataclass(frozen=True, slots=True)
class Epoch:
    """A pack and since when it is in force; ``number`` counts from 1."""

    number: int
    seq: int
    at: int | None
    pack: Pack
    places: Mapping[str, PackItem]


@dataclass(frozen=True, slots=True)
class Epochs:
    """The newest packs of a session, oldest first, and what the changes were."""

    kept: tuple[Epoch, ...] = ()
    delta: Delta | None = None
    churn: Churn = field(default_factory=Churn)

    @property
    def newest(self) -> Epoch | None:
        return self.kept[-1] if self.kept else None

    @property
    def forgotten(self) -> int:
        return self.kept[0].number - 1 if self.kept else 0


def packed(view: View, task: str, topic: tuple[str, ...] = ()) -> Pack:
    """The pack that the context tab shows; pinned documents are its first tier, unless they are missing.

    Raises:
        ValueError: the view is of another tab.
    """
    if view.tab is not Tab.CONTEXT:
        raise ValueError(f"no pack: {view.tab}")
    by_tier: dict[Tier, list[str]] = {tier: [] for tier in TIERS}
    for rel, tier in {item.rel: item.tier for item in reversed(view.items) if not item.missing}.items():
        if tier in by_tier:
            by_tier[tier].append(rel)
    items = tuple(
        PackItem(rel, tier, number)
        for tier, rels in by_tier.items()
        for number, rel in enumerate(reversed(rels), 1)
    )
    return Pack(task, topic, items)


def succeeded(epochs: Epochs, pack: Pack, seq: int, at: int | None) -> Epochs:
    """``epochs`` with ``pack`` in force from ``seq`` on; the same object when it is in force already."""
    newest = epochs.newest
    if newest is None:
        return Epochs((_epoch(1, seq, at, pack),)) if pack.items else epochs
    if (pack.task, pack.items) == (newest.pack.task, newest.pack.items):
        return epochs
    epoch = _epoch(newest.number + 1, seq, at, pack)
    delta = _delta(newest, epoch)
    sums = epochs.churn
    churn = Churn(
        sums.entered + len(delta.entered),
        sums.left + len(delta.left),
        sums.moved + len(delta.moved),
        sums.tasks + delta.task_changed,
    )
    return Epochs((*epochs.kept, epoch)[-PACKS_KEPT:], delta, churn)


def _epoch(number: int, seq: int, at: int | None, pack: Pack) -> Epoch:
    return Epoch(number, seq, at, pack, {item.rel: item for item in pack.items})


def _delta(before: Epoch, after: Epoch) -> Delta:
    pairs = [(before.places[item.rel], item) for item in after.pack.items if item.rel in before.places]
    moved = tuple((old, new) for old, new in pairs if old != new)
    return Delta(
        before.number,
        after.number,
        after.seq,
        after.at,
        tuple(item for item in after.pack.items if item.rel not in before.places),
        tuple(item for item in before.pack.items if item.rel not in after.places),
        moved,
        len(pairs) - len(moved),
        before.pack.task != after.pack.task,
    )
