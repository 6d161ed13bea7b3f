"""The invented workspace with all that speaks for its documents."""

from __future__ import annotations

from dataclasses import replace

from knit_tui.model import (
    Commit,
    Field,
    Hit,
    Inspection,
    Item,
    Lead,
    Relation,
    RelationType,
    Snapshot,
    TermHit,
    Use,
)
from tests.panel import sample

NAMED = Relation(RelationType.REFERENCES, True, "docs/guide/retries.md", 12)
USED = Relation(RelationType.IMPORTS, True, "src/courier/net/client.py", 4)
USES = Relation(RelationType.IMPORTS, False, "src/courier/clock.py", 3)
TESTED = Relation(RelationType.TESTS, True, "tests/net/test_retry.py")
DESCRIBED = Relation(RelationType.DOCUMENTS, True, "docs/设计/队列.md", 30)
OUT = Relation(RelationType.DOCUMENTS, True, "a.md", 7)
RELATIONS = (NAMED, USED, USES, TESTED, DESCRIBED, OUT)

HIT = Hit(
    sample.RETRY.rel,
    1.0,
    (
        TermHit("retry", (Field.NAME, Field.BODY), "retry"),
        TermHit("backoff", (Field.HEADINGS, Field.BODY), "backoff"),
        TermHit("jitter", (Field.BODY,), "jitter"),
    ),
    Lead.TERMS,
    ("backoff",),
    Commit("a1b2c3d4e5", 0, "fix [b]retry[/b] \x1b]0;x\x07 backoff", ()),
    Use(True, 2),
    True,
)
RETRY = replace(sample.RETRY, hit=HIT, relations=RELATIONS, related=len(RELATIONS))
GUIDE = replace(sample.GUIDE, relations=(replace(NAMED, other=RETRY.rel),), related=41)
CLOCK = sample.item("src/courier/clock.py", age=90 * sample.DAY)


def items() -> tuple[Item, ...]:
    return (sample.PINNED, RETRY, GUIDE, sample.TEST, sample.CHINESE, sample.CLIENT, CLOCK, *sample.OTHERS)


def snapshot(generation: int = 1, **changes: object) -> Snapshot:
    if "items" not in changes:
        changes["items"] = items()
    return sample.snapshot(generation, **changes)  # type: ignore[arg-type]


def inspected(item: Item = RETRY, code: str = "pack", **facts: str) -> Inspection:
    """What the engine says about ``item``."""
    if code == "pack" and not facts:
        facts = {"tier": item.tier.value, "number": str(item.number)}
    return Inspection(
        item.rel,
        code,
        tuple(facts.items()),
        item=item,
        relations=item.relations,
        related=item.related,
    )
