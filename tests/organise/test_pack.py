from knit_tui.model import Field, Hit, Kind, Reason, TermHit, Tier
from knit_tui.organise.pack import Placement, arrange
from knit_tui.organise.reasons import reason


def hit(rel: str, strength: float, **fields: Field | tuple[Field, ...]) -> Hit:
    terms = tuple(TermHit(t, f if isinstance(f, tuple) else (f,)) for t, f in fields.items())
    return Hit(rel, strength, terms)


def tiers(placements: list[Placement]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for placement in placements:
        found.setdefault(placement.tier.value, []).append(placement.hit.rel)
    return found


def test_primary_is_the_first_grounded_hit_not_the_first_hit() -> None:
    hits = [hit("README.md", 1.0, x=Field.BODY), hit("retry.py", 0.6, x=Field.NAME)]
    assert tiers(arrange(hits, {})) == {"primary": ["retry.py"], "related": ["README.md"]}


def test_a_weak_grounded_hit_leaves_primary_empty() -> None:
    strong, weak = hit("a", 1.0, x=Field.BODY), hit("b", 0.29, x=Field.TITLE)
    assert "primary" not in tiers(arrange([strong, weak], {}))
    assert tiers(arrange([strong, hit("b", 0.30, x=Field.TITLE)], {}))["primary"] == ["b"]


def test_supporting_needs_density_nobody_examined_beats() -> None:
    hits = [hit(rel, 1.0, x=Field.BODY) for rel in "abcd"]
    windows = {"a": {"x": 1}, "b": {"x": 3}, "c": {"x": 3}, "d": {"x": 2}}
    assert tiers(arrange(hits, windows)) == {"supporting": ["b", "c"], "related": ["a", "d"]}


def test_once_is_not_deep_even_if_nobody_does_better() -> None:
    assert tiers(arrange([hit("a", 1.0, x=Field.BODY)], {"a": {"x": 1}})) == {"related": ["a"]}


def test_caps_are_ceilings_and_everything_else_stays_in_rank_order() -> None:
    hits = [hit(f"d{i}", 1 - i / 100, x=Field.TITLE) for i in range(20)]
    placements = arrange(hits, {f"d{i}": {"x": 4} for i in range(20)})
    found = tiers(placements)
    assert [len(found[tier]) for tier in ("primary", "supporting", "related", "other")] == [1, 3, 5, 11]
    assert found["other"] == [f"d{i}" for i in range(9, 20)]
    assert [p.number for p in placements[:10]] == [1, 2, 3, 4, 5, 6, 7, 8, 9, None]
    assert [p.tier for p in placements] == sorted((p.tier for p in placements), key=list(Tier).index)


def test_no_hits_no_tiers() -> None:
    assert arrange([], {}) == []


def test_the_reason_is_the_strongest_field() -> None:
    found = hit("src/retry.py", 1.0, backoff=Field.BODY, retry=(Field.NAME, Field.BODY))
    assert reason(found, Kind.CODE) == Reason("filename", ("retry",), ("backoff",))
    assert reason(hit("a.py", 1.0, x=Field.HEADINGS), Kind.CODE).code == "symbols"
    assert reason(hit("a.md", 1.0, x=Field.HEADINGS), Kind.DOCS).code == "headings"
    assert reason(hit("a.md", 1.0, x=Field.BODY, y=Field.DIRECTORY), Kind.DOCS) == Reason(
        "path", ("y",), ("x",)
    )
    assert reason(hit("a.md", 1.0, x=(Field.TITLE, Field.NAME)), Kind.DOCS).code == "title"
