"""Which hits stand in which tier."""

import pytest

from knit_tui.model import Field, Hit, Lead, TermHit, Tier
from knit_tui.organise.pack import (
    MAX_RELATED,
    MAX_SUPPORTING,
    MENTIONING_STRENGTH,
    PRIMARY_STRENGTH,
    SUPPORTING_STRENGTH,
    Placement,
    arrange,
)

LESS = 0.001


def about(rel: str, strength: float, field: Field = Field.TITLE) -> Hit:
    """A hit that says of itself what is asked for."""
    return Hit(rel, strength, (TermHit("x", (field,), "x"),))


def mentioning(rel: str, strength: float, lead: Lead = Lead.TERMS) -> Hit:
    """A hit that holds the words in its text alone."""
    return Hit(rel, strength, (TermHit("x", (Field.BODY,), "x"),), lead)


def tiers(placements: list[Placement]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for placement in placements:
        found.setdefault(placement.tier.value, []).append(placement.rel)
    return found


def test_primary_is_the_first_grounded_hit_not_the_first_hit() -> None:
    hits = [mentioning("README.md", 1.0), about("retry.py", 0.9), about("more.py", 0.85)]
    assert tiers(arrange(hits)) == {"primary": ["retry.py"], "supporting": ["README.md", "more.py"]}


@pytest.mark.parametrize("field", list(Field))
def test_any_field_but_the_text_grounds_a_hit(field: Field) -> None:
    expected = "supporting" if field is Field.BODY else "primary"
    assert tiers(arrange([about("a", 1.0, field)])) == {expected: ["a"]}


@pytest.mark.parametrize(
    ("lead", "tier"),
    [
        (Lead.TERMS, "supporting"),
        (Lead.HISTORY, "supporting"),
        (Lead.USE, "primary"),
        (Lead.MENTION, "primary"),
    ],
)
def test_what_the_agent_used_or_the_conversation_names_may_lead(lead: Lead, tier: str) -> None:
    assert tiers(arrange([mentioning("a", 1.0, lead)])) == {tier: ["a"]}
    assert tiers(arrange([Hit("a", 1.0, (), lead)])) == {tier: ["a"]}


def test_primary_is_almost_as_strong_as_the_best() -> None:
    best = mentioning("best", 1.0)
    assert tiers(arrange([best, about("b", PRIMARY_STRENGTH)]))["primary"] == ["b"]
    assert tiers(arrange([best, about("b", PRIMARY_STRENGTH - LESS)])) == {"supporting": ["best", "b"]}


def test_supporting_is_not_much_weaker() -> None:
    best = about("best", 1.0)
    assert tiers(arrange([best, about("b", SUPPORTING_STRENGTH)]))["supporting"] == ["b"]
    assert tiers(arrange([best, about("b", SUPPORTING_STRENGTH - LESS)]))["related"] == ["b"]


def test_what_only_mentions_it_must_be_stronger_to_support() -> None:
    best = about("best", 1.0)
    assert tiers(arrange([best, mentioning("b", MENTIONING_STRENGTH)]))["supporting"] == ["b"]
    assert tiers(arrange([best, mentioning("b", MENTIONING_STRENGTH - LESS)]))["related"] == ["b"]
    used = mentioning("b", SUPPORTING_STRENGTH, Lead.USE)
    assert tiers(arrange([best, used]))["supporting"] == ["b"]


def test_related_is_any_hit() -> None:
    assert tiers(arrange([about("best", 1.0), mentioning("b", LESS)]))["related"] == ["b"]


def test_a_hit_passed_over_is_still_in_a_lower_tier_in_its_order() -> None:
    hits = [about("a", 1.0), mentioning("b", 0.65), about("c", 0.6), mentioning("d", 0.5), about("e", 0.2)]
    assert tiers(arrange(hits)) == {"primary": ["a"], "supporting": ["c"], "related": ["b", "d", "e"]}


def test_caps_are_ceilings_and_everything_else_stays_in_rank_order() -> None:
    hits = [about(f"d{i}", 1 - i / 100) for i in range(20)]
    placements = arrange(hits)
    found = tiers(placements)
    assert [len(found[tier]) for tier in ("primary", "supporting", "related", "other")] == [1, 3, 5, 11]
    assert [p.hit for p in placements] == hits
    assert [p.number for p in placements[:10]] == [*range(1, 10), None]
    assert [p.tier for p in placements] == sorted((p.tier for p in placements), key=list(Tier).index)


def test_without_a_primary_the_numbers_begin_with_supporting() -> None:
    hits = [mentioning(f"d{i}", 1.0) for i in range(MAX_SUPPORTING + MAX_RELATED + 1)]
    placements = arrange(hits)
    assert "primary" not in tiers(placements)
    assert [p.number for p in placements] == [*range(1, MAX_SUPPORTING + MAX_RELATED + 1), None]


def test_the_limits_go_by_the_best_hit_there_is() -> None:
    hits = [
        about("a", 0.5),
        about("b", 0.5 * SUPPORTING_STRENGTH),
        about("c", 0.5 * SUPPORTING_STRENGTH - LESS),
    ]
    assert tiers(arrange(hits)) == {"primary": ["a"], "supporting": ["b"], "related": ["c"]}


def test_no_hits_no_tiers() -> None:
    assert arrange([]) == []
