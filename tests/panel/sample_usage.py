"""What an invented agent did in the invented workspace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from knit_tui.model import (
    Change,
    Churn,
    Counts,
    Coverage,
    Cut,
    Delta,
    DocumentUsage,
    Edit,
    PackItem,
    Place,
    Read,
    Status,
    Tier,
    Usage,
)
from tests.panel.sample import CHINESE, CLIENT, GUIDE, HOUR, MINUTE, NOW, PAGE, PINNED, RETRY, SETTINGS, TEST

OUT = "pyproject.toml"
FAR = "src/courier/queue/worker.py"


def read(
    rel: str, seq: int, ago: int | None, *, inferred: bool = False, by: str = "main", tier: Tier | None = None
) -> Read:
    """A read ``ago`` nanoseconds before now; None for one before anyone looked."""
    return Read(rel, seq, None if ago is None else NOW - ago, Place(3, tier, 1 if tier else 0), inferred, by)


def edit(rel: str, seq: int, ago: int | None) -> Edit:
    return Edit(rel, seq, None if ago is None else NOW - ago)


def used(
    rel: str,
    status: Status,
    changed: Change | None = None,
    *,
    reads: Sequence[Read] = (),
    edits: Sequence[Edit] = (),
    times: int = 0,
    outside: int = 0,
) -> DocumentUsage:
    """A document with that first and last read and that last edit; ``times`` when it was read more often."""
    times = max(times, len(reads))
    counts = Counts(
        reads=times,
        inferred=sum(one.inferred for one in reads),
        by_subagents=sum(one.by == "subagent" for one in reads),
        tiers={Tier.SUPPORTING: times - outside} if times > outside else {},
        edits=len(edits),
    )
    return DocumentUsage(
        rel,
        status,
        changed,
        counts,
        reads[0] if reads else None,
        reads[-1] if reads else None,
        edits[-1] if edits else None,
    )


DOCUMENTS = (
    used(RETRY.rel, Status.READ, reads=[read(RETRY.rel, 10, 2 * MINUTE)], times=3),
    used(GUIDE.rel, Status.UPDATED, Change.OTHER, reads=[read(GUIDE.rel, 7, 40 * MINUTE)]),
    used(
        TEST.rel,
        Status.UPDATED,
        Change.AGENT,
        reads=[read(TEST.rel, 8, 9 * MINUTE)],
        edits=[edit(TEST.rel, 11, 50 * MINUTE // 60), edit(TEST.rel, 12, MINUTE)],
    ),
    used(
        CLIENT.rel,
        Status.REREAD,
        reads=[read(CLIENT.rel, 2, None), read(CLIENT.rel, 9, 4 * MINUTE, inferred=True)],
    ),
    used(OUT, Status.READ, reads=[read(OUT, 4, 6 * MINUTE, by="subagent")], times=2, outside=2),
    used(FAR, Status.READ, reads=[read(FAR, 3, HOUR)], outside=1),
)
"""The newest use last."""


def coverage(read_rels: Iterable[str]) -> tuple[Coverage, ...]:
    """How much of the sample's pack was read."""
    known = set(read_rels)
    tiers = {
        Tier.PINNED: [PINNED.rel],
        Tier.PRIMARY: [RETRY.rel],
        Tier.SUPPORTING: [GUIDE.rel, TEST.rel, CHINESE.rel],
        Tier.RELATED: [CLIENT.rel, SETTINGS.rel, PAGE.rel],
    }
    return tuple(
        Coverage(
            tier,
            tuple(rel for rel in rels if rel in known),
            tuple(rel for rel in rels if rel not in known),
        )
        for tier, rels in tiers.items()
    )


DELTA = Delta(
    2,
    3,
    6,
    NOW - 5 * MINUTE,
    entered=(PackItem(GUIDE.rel, Tier.SUPPORTING, 1), PackItem(PAGE.rel, Tier.RELATED, 3)),
    left=(PackItem(FAR, Tier.RELATED, 1),),
    moved=(
        (PackItem(TEST.rel, Tier.RELATED, 2), PackItem(TEST.rel, Tier.SUPPORTING, 2)),
        (PackItem(CLIENT.rel, Tier.SUPPORTING, 1), PackItem(CLIENT.rel, Tier.RELATED, 1)),
    ),
    stayed=4,
    task_changed=True,
)


def usage(documents: Sequence[DocumentUsage] = DOCUMENTS, **changes: object) -> Usage:
    """The sample as the engine tells it."""
    reads = sorted((one for one in documents if one.last_read), key=lambda one: -_seq(one.last_read))
    edits = sorted((one for one in documents if one.last_edit), key=lambda one: -_seq(one.last_edit))
    counts = Counts()
    for one in documents:
        counts += one.counts
    outside = sorted((one for one in reads if one.counts.outside), key=lambda one: -one.counts.outside)
    base = Usage(
        session="4f2a91c0-77aa",
        epoch=3,
        task="Add jitter",
        topic=("retry",),
        counts=counts,
        documents={one.rel: one for one in reversed(documents)},
        read=tuple(one.rel for one in reads),
        edited=tuple(one.rel for one in edits),
        outside=tuple(one.rel for one in outside),
        coverage=coverage(one.rel for one in reads),
        recent=reads[0].last_read if reads else None,
        delta=DELTA,
        churn=Churn(2, 1, 2, 1),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def _seq(moment: Read | Edit | None) -> int:
    return moment.seq if moment is not None else -1


NOTHING = Usage(session="4f2a91c0-77aa", epoch=1, coverage=coverage(()))
LIMITED = usage(cut=Cut(documents=3, reads=8, packs=1, places=2, sessions=1), elsewhere=4)
