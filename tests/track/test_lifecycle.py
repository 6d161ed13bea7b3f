"""How what the agent knows of a document stands to the document."""

from __future__ import annotations

import pytest

from knit_tui.model import Change, Counts, Edit, Place, Read, Status, Tier
from knit_tui.track.lifecycle import Life, standing, was_edited, was_mentioned, was_read

Told = tuple[Status, Change | None]
UNREAD: Told = (Status.UNREAD, None)
READ: Told = (Status.READ, None)
REREAD: Told = (Status.REREAD, None)
BY_AGENT: Told = (Status.UPDATED, Change.AGENT)
BY_OTHER: Told = (Status.UPDATED, Change.OTHER)


def life(*acts: str, listed: bool = True) -> Life:
    """``read 5``: with the file's time then, ``?`` when unknown; ``edit 5`` likewise; ``mention``."""
    made = Life(listed=listed)
    for seq, one in enumerate(acts):
        what, _, when = one.partition(" ")
        mtime_ns = int(when) if when.isdigit() else None
        if what == "read":
            made, _ = was_read(made, Read("a", seq, None, Place()), mtime_ns)
        elif what == "edit":
            made, _ = was_edited(made, Edit("a", seq, None), mtime_ns)
        else:
            made, _ = was_mentioned(made)
    return made


@pytest.mark.parametrize(
    ("acts", "now", "told"),
    [
        ([], 5, UNREAD),
        (["mention"], 5, UNREAD),
        (["read 5"], 5, READ),
        (["read 5", "read 5"], 5, READ),
        (["read 5"], 6, BY_OTHER),
        (["read 5"], 4, BY_OTHER),
        (["read ?"], 6, READ),
        (["read 5"], None, READ),
        (["read 5", "read ?"], 6, READ),
        (["read 5", "read 6"], 6, REREAD),
        (["read 6", "read 5"], 5, REREAD),
        (["read ?", "read 6"], 6, READ),
        (["read 5", "read ?"], 5, READ),
        (["read 5", "read 6", "read 6"], 6, READ),
        (["read 5", "read 6"], 7, BY_OTHER),
        (["read 5", "edit 6"], 6, BY_AGENT),
        (["read 5", "edit 6"], 7, BY_OTHER),
        (["read 5", "edit ?"], 7, BY_AGENT),
        (["read 5", "edit 6"], None, BY_AGENT),
        (["read ?", "edit ?"], 7, BY_AGENT),
        (["read 5", "edit 6", "read 6"], 6, REREAD),
        (["read ?", "edit ?", "read ?"], 7, REREAD),
        (["read 5", "edit 6", "edit 7", "read 7"], 7, REREAD),
        (["read 5", "edit 6", "read 6", "read 6"], 6, READ),
        (["read 5", "edit 6", "read 6", "edit 7"], 7, BY_AGENT),
        (["edit 5", "read 5"], 5, READ),
        (["edit 5"], 5, UNREAD),
        (["edit 5"], 6, (Status.UNREAD, Change.OTHER)),
        (["edit ?"], 6, UNREAD),
    ],
)
def test_the_ladder(acts: list[str], now: int | None, told: Told) -> None:
    assert standing(life(*acts), now, True, True) == told


@pytest.mark.parametrize(
    ("acts", "by"),
    [
        (["read 5"], Change.OTHER),
        (["read ?"], Change.OTHER),
        (["read 5", "edit ?"], Change.AGENT),
        (["edit ?"], Change.AGENT),
        (["read 5", "edit 6"], Change.OTHER),
        (["read 5", "edit ?", "read 6"], Change.OTHER),
    ],
)
def test_a_document_that_is_gone(acts: list[str], by: Change) -> None:
    assert standing(life(*acts), None, False, True) == (Status.GONE, by)


def test_what_was_never_listed_is_not_gone() -> None:
    assert standing(life("read 5", listed=False), None, False, True) == READ


def test_what_was_only_mentioned_is_not_gone() -> None:
    assert standing(life("mention"), None, False, True) == UNREAD


@pytest.mark.parametrize(
    ("acts", "told"), [(["read 5"], READ), (["read 5", "read 6"], REREAD), (["read 5", "edit 6"], BY_AGENT)]
)
def test_a_scan_from_before_the_evidence_claims_nothing(acts: list[str], told: Told) -> None:
    assert standing(life(*acts), 4, True, False) == told
    assert standing(life(*acts), None, False, False) == told


def test_the_newest_touch() -> None:
    assert [life(*acts).touched for acts in ([], ["mention"], ["read 1"], ["read 1", "edit 2"])] == [
        -1,
        -1,
        0,
        1,
    ]


def test_what_a_read_adds() -> None:
    read = Read("a", 1, None, Place(2, Tier.RELATED, 1, reentry=True), inferred=True, by="subagent")
    after, more = was_read(life("read 5"), read, 6)
    assert more == Counts(1, 1, 1, 1, 0, 1, {Tier.RELATED: 1})
    assert after.counts == Counts(2, 1, 1, 1, 0, 1, {Tier.RELATED: 1})
    assert (after.counts.inside, after.counts.outside) == (1, 1)
    assert (after.first_read and after.first_read.seq, after.last_read) == (0, read)


def test_counts_add_up_by_tier() -> None:
    some = Counts(2, tiers={Tier.PRIMARY: 1, Tier.PINNED: 1})
    both = some + Counts(1, tiers={Tier.PRIMARY: 1}, mentions=3, edits=4, continued=5)
    assert both == Counts(3, tiers={Tier.PINNED: 1, Tier.PRIMARY: 2}, mentions=3, edits=4, continued=5)
    assert some == Counts(2, tiers={Tier.PRIMARY: 1, Tier.PINNED: 1}), "a value"
