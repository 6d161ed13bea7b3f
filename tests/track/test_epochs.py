"""Packs, epochs and what changed between them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Access, Churn, Item, Kind, Mode, PackItem, Tab, Tier, View
from knit_tui.track.epochs import PACKS_KEPT, TIERS, Epochs, Pack, packed, succeeded
from tests.track.replay import pack


def item(rel: str, tier: Tier, number: int | None = None, missing: bool = False) -> Item:
    return Item(rel, Kind.DOCS, None, Access.TEXT, rel, "", 1, 1, tier=tier, number=number, missing=missing)


def view(*items: Item, tab: Tab = Tab.CONTEXT) -> View:
    return View(tab, Mode.RELEVANCE, items)


def chain(*packs: Pack) -> Epochs:
    epochs = Epochs()
    for seq, one in enumerate(packs, 1):
        epochs = succeeded(epochs, one, seq, seq * 10)
    return epochs


def test_a_pack_has_the_tiers_of_the_context_tab_numbered_each_from_one() -> None:
    shown = view(
        item("pin.md", Tier.PINNED),
        item("a", Tier.PRIMARY, 1),
        item("b", Tier.SUPPORTING, 2),
        item("c", Tier.SUPPORTING, 3),
        item("d", Tier.RELATED, 4),
        item("e", Tier.OTHER),
    )
    assert packed(shown, "task", ("topic",)) == Pack(
        "task",
        ("topic",),
        (
            PackItem("pin.md", Tier.PINNED, 1),
            PackItem("a", Tier.PRIMARY, 1),
            PackItem("b", Tier.SUPPORTING, 1),
            PackItem("c", Tier.SUPPORTING, 2),
            PackItem("d", Tier.RELATED, 1),
        ),
    )


def test_a_pinned_document_that_is_missing_is_in_no_pack() -> None:
    assert packed(view(item("pin.md", Tier.PINNED, missing=True)), "").items == ()


def test_a_document_stands_in_a_pack_once_at_its_first_place() -> None:
    shown = view(item("a", Tier.PINNED), item("b", Tier.PRIMARY, 1), item("a", Tier.PRIMARY, 2))
    assert [(one.rel, one.tier) for one in packed(shown, "").items] == [
        ("a", Tier.PINNED),
        ("b", Tier.PRIMARY),
    ]


@pytest.mark.parametrize("tab", [Tab.DOCS, Tab.CODE, Tab.MEDIA])
def test_no_other_tab_is_a_pack(tab: Tab) -> None:
    with pytest.raises(ValueError, match=tab):
        packed(view(tab=tab), "")


def test_the_order_by_time_is_no_part_of_a_pack() -> None:
    shown = view(item("a", Tier.PRIMARY, 1))
    assert packed(shown, "t") == packed(replace(shown, newest=shown.items, mode=Mode.NEWEST), "t")


def test_the_first_pack_is_epoch_one_and_changes_nothing() -> None:
    epochs = chain(pack("t", primary="a"))
    assert epochs.newest is not None
    assert (epochs.newest.number, epochs.delta, epochs.churn) == (1, None, Churn())


def test_an_empty_pack_makes_no_first_epoch_but_a_later_one() -> None:
    empty = Epochs()
    assert succeeded(empty, pack("t"), 1, None) is empty
    epochs = chain(pack("t", primary="a"), pack("t"))
    assert epochs.newest is not None
    assert epochs.newest.number == 2
    assert epochs.delta is not None
    assert epochs.delta.left == (PackItem("a", Tier.PRIMARY, 1),)


def test_the_same_pack_a_thousand_times_makes_no_epoch() -> None:
    epochs = chain(pack("t", primary="a", related="b"))
    for seq in range(2, 1002):
        same = succeeded(epochs, pack("t", primary="a", related="b"), seq, seq)
        assert same is epochs


def test_another_topic_for_the_same_task_and_documents_makes_none() -> None:
    epochs = chain(pack("t", primary="a"))
    assert succeeded(epochs, replace(pack("t", primary="a"), topic=("x",)), 2, None) is epochs


@pytest.mark.parametrize(
    "other",
    [
        pack("u", primary="a", supporting="b c"),
        pack("t", primary="a", supporting="c b"),
        pack("t", primary="a", supporting="b", related="c"),
        pack("t", pinned="a", supporting="b c"),
        pack("t", primary="a", supporting="b"),
        pack("t", primary="a", supporting="b c", related="d"),
    ],
)
def test_another_task_tier_number_or_document_makes_one(other: Pack) -> None:
    epochs = chain(pack("t", primary="a", supporting="b c"), other)
    assert epochs.newest is not None
    assert epochs.newest.number == 2


def test_what_entered_left_moved_and_stayed() -> None:
    epochs = chain(
        pack("t", pinned="p", primary="a", supporting="b c", related="d"),
        pack("u", pinned="p", primary="c", supporting="b e"),
    )
    delta = epochs.delta
    assert delta is not None
    assert (delta.from_epoch, delta.to_epoch, delta.seq, delta.at) == (1, 2, 2, 20)
    assert delta.entered == (PackItem("e", Tier.SUPPORTING, 2),)
    assert delta.left == (PackItem("a", Tier.PRIMARY, 1), PackItem("d", Tier.RELATED, 1))
    assert delta.moved == ((PackItem("c", Tier.SUPPORTING, 2), PackItem("c", Tier.PRIMARY, 1)),)
    assert (delta.stayed, delta.task_changed) == (2, True)


def test_another_number_in_the_same_tier_is_a_move_and_another_tier_above_is_none() -> None:
    delta = chain(pack("t", supporting="a b"), pack("t", supporting="b a")).delta
    assert delta is not None
    assert [new.rel for _, new in delta.moved] == ["b", "a"]
    delta = chain(pack("t", primary="x", supporting="a b"), pack("t", supporting="a b")).delta
    assert delta is not None
    assert (delta.moved, delta.stayed, delta.task_changed) == ((), 2, False)


def test_only_so_many_packs_are_kept_and_the_numbers_go_on() -> None:
    epochs = chain(*(pack(f"t{number}", primary="a") for number in range(PACKS_KEPT + 3)))
    assert [one.number for one in epochs.kept] == list(range(4, PACKS_KEPT + 4))
    assert epochs.forgotten == 3
    assert chain(*(pack(f"t{number}", primary="a") for number in range(PACKS_KEPT))).forgotten == 0
    assert epochs.churn == Churn(tasks=PACKS_KEPT + 2)


RELS = [f"d{number}" for number in range(8)]


@st.composite
def packs(draw: st.DrawFn) -> Pack:
    rels = draw(st.lists(st.sampled_from(RELS), unique=True, max_size=8))
    tiers = sorted(
        draw(st.lists(st.sampled_from(TIERS), min_size=len(rels), max_size=len(rels))), key=TIERS.index
    )
    tier_of = dict(zip(rels, tiers, strict=True))
    numbered = []
    for tier in TIERS:
        inside = [rel for rel in rels if tier_of[rel] is tier]
        numbered += [PackItem(rel, tier, number) for number, rel in enumerate(inside, 1)]
    return Pack(draw(st.sampled_from(["t", "u"])), (), tuple(numbered))


@given(st.lists(packs(), max_size=6))
def test_totals_add_up(given_packs: list[Pack]) -> None:
    epochs = Epochs()
    sums = Churn()
    for seq, one in enumerate(given_packs):
        before = epochs
        epochs = succeeded(before, one, seq, None)
        delta = epochs.delta
        if epochs is before or delta is None or before.newest is None:
            continue
        kept = len(delta.moved) + delta.stayed
        assert len(delta.left) + kept == len(before.newest.pack.items)
        assert len(delta.entered) + kept == len(one.items)
        for _, new in delta.moved:
            assert new in one.items
        sums = Churn(
            sums.entered + len(delta.entered),
            sums.left + len(delta.left),
            sums.moved + len(delta.moved),
            sums.tasks + (before.newest.pack.task != one.task),
        )
        assert epochs.churn == sums
