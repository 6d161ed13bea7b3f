"""What must hold of every Context Pack, over an invented project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields

import pytest

from eval.context import PACK, classic_tiers, measure, our_tiers
from eval.corpora.notebook import ARCHIVE, NEVER_PRIMARY, PAGES, SCRATCH, TASKS, Task
from eval.ours import Ours
from eval.pages import classic_order
from knit_tui.model import Item, Tier

CAPS = {Tier.PRIMARY: 1, Tier.SUPPORTING: 3, Tier.RELATED: 5}
NAMES = [task.name for task in TASKS]


@pytest.fixture(scope="module")
def knit() -> Iterator[Ours]:
    with Ours(PAGES) as over:
        yield over


def test_the_corpus_is_what_it_claims_to_be() -> None:
    rels = [page.rel for page in PAGES]
    assert len(rels) == len(set(rels)) == 24
    assert len(TASKS) == 12
    for task in TASKS:
        assert {*task.primary, *task.placed, *task.not_primary} <= set(rels)
        assert not set(task.primary) & set(task.not_primary)


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_tiers_have_caps_and_no_document_twice(knit: Ours, task: Task) -> None:
    rows = knit.rows(task.messages)
    assert len({row.rel for row in rows}) == len(rows)
    counts = Counter(row.tier for row in rows)
    assert all(counts[tier] <= cap for tier, cap in CAPS.items())
    assert [row.number for row in rows if row.number] == list(
        range(1, sum(counts[tier] for tier in CAPS) + 1)
    )


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_row_tells_why_and_primary_is_about_the_task(knit: Ours, task: Task) -> None:
    for row in knit.rows(task.messages):
        assert row.reason is not None
        assert row.reason.terms
        if row.tier is Tier.PRIMARY:
            assert row.reason.code != "body"
            assert row.rel not in NEVER_PRIMARY


def test_the_order_does_not_depend_on_the_order_of_the_files(knit: Ours) -> None:
    with Ours(PAGES[::-1]) as reversed_pages:
        for task in TASKS:
            first = list(our_tiers(knit, task).items())
            assert first == list(our_tiers(knit, task).items())
            assert first == list(our_tiers(reversed_pages, task).items())


def test_tiers_are_more_than_the_top_of_the_ranking() -> None:
    moved = 0
    for task in TASKS:
        shown = [rel for rel, tier in classic_tiers(task).items() if tier in PACK]
        moved += shown != classic_order(task.messages, PAGES)[: len(shown)]
    assert moved


def test_the_note_that_repeats_a_word_is_shown_and_does_not_lead(knit: Ours) -> None:
    jitter = next(task for task in TASKS if task.name == "jitter")
    tiers = our_tiers(knit, jitter)
    assert tiers[SCRATCH] in PACK
    assert tiers[SCRATCH] is not Tier.PRIMARY


def test_no_row_carries_a_weight() -> None:
    assert not {"score", "raw", "rank", "strength"} & {field.name for field in fields(Item)}


def test_the_figures_tell_what_is_wrong() -> None:
    right = [{task.primary[0]: Tier.PRIMARY, **dict.fromkeys(task.placed, Tier.RELATED)} for task in TASKS]
    right = [{**tiers, task.primary[0]: Tier.PRIMARY} for task, tiers in zip(TASKS, right, strict=True)]
    good = measure(right)
    assert (good.primary_at_1, good.placed_recall, good.role_precision, good.archive_held_back) == (
        1,
        1,
        1,
        1,
    )
    assert good.missed == ()
    bad = measure([{ARCHIVE: Tier.PRIMARY}, *right[1:]])
    assert bad.missed == (NAMES[0],)
    assert bad.primary_at_1 == bad.role_precision == bad.archive_held_back == pytest.approx(11 / 12)
    assert measure([{} for _ in TASKS]).placed_recall == 0
