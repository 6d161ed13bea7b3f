"""Three logs that real agents wrote, and what must come of them for packs chosen here.

The figures are told by hand from the events that were read in the logs. Needs ``shared/``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from knit_tui.model import Change, PackItem, Status, Tier, Usage
from knit_tui.sessions.events import Event, ReadDone, Reset, SessionInfo, UserMessage
from knit_tui.sessions.formats import claude, codex
from knit_tui.track.epochs import Pack
from tests.sessions.laws import of_file
from tests.track.replay import Replay, pack

FORMS = {"claude": claude.FORMAT, "codex": codex.FORMAT}
LOADER = ["claude-2.1.328", "codex-0.169.0"]
README, LOADER_PY, TEST = "README.md", "src/loader.py", "tests/test_loader.py"
ARCHITECTURE, SORTING, POINTS = "docs/architecture.md", "docs/图片排序.md", "docs/排序要点.md"

# Both logs tell of the same work, in three turns:
#   1  reads README, loader, architecture, (ordering-notes: fails), test_loader
#   2  reads 图片排序; edits loader twice; reads loader, architecture
#   3  reads loader
FIRST = pack("how", primary=LOADER_PY, supporting=f"{README} {ARCHITECTURE}", related=SORTING)
SECOND = pack("sort", primary=SORTING, supporting=TEST, related=ARCHITECTURE)
THIRD = pack("what", primary=LOADER_PY, supporting=SORTING, related=README)

Take = Callable[[list[Event]], Iterator[list[Event]]]


def whole(turn: list[Event]) -> Iterator[list[Event]]:
    yield turn


def singly(turn: list[Event]) -> Iterator[list[Event]]:
    for event in turn:
        yield [event]


def turns(shared: Path, folder: str) -> list[list[Event]]:
    """The events before the first prompt and of its turn, then those of each further turn."""
    facts = json.loads((shared / "sessions/expected" / f"{folder}.json").read_text(encoding="utf-8"))
    events = of_file(FORMS[facts["agent"]], shared / "sessions/genuine" / folder / facts["log"])
    starts = [at for at, event in enumerate(events) if isinstance(event, UserMessage)]
    bounds = [0, *starts[1:], len(events)]
    parts = [events[a:b] for a, b in pairwise(bounds)]
    assert len(parts) == 3
    return parts


def statuses(usage: Usage) -> dict[str, tuple[Status, Change | None]]:
    return {rel: (one.status, one.changed) for rel, one in usage.documents.items()}


def figures(usage: Usage, rel: str) -> tuple[int, int, int, int, int]:
    """reads, outside, edits, continued, reentries"""
    counts = usage.documents[rel].counts
    return counts.reads, counts.outside, counts.edits, counts.continued, counts.reentries


@pytest.fixture(params=LOADER)
def work(shared: Path, request: pytest.FixtureRequest) -> list[list[Event]]:
    return turns(shared, request.param)


def tell(replay: Replay, turn: list[Event], shown: Pack, take: Take = whole) -> None:
    """The prompt brings its pack before the agent acts on it."""
    prompt = next(at for at, event in enumerate(turn) if isinstance(event, UserMessage)) + 1
    replay.tell(turn[:prompt], shown)
    for part in take(turn[prompt:]):
        replay.tell(part, shown)


@pytest.mark.parametrize("take", [whole, singly])
def test_the_first_turn(work: list[list[Event]], take: Take) -> None:
    replay = Replay()
    tell(replay, work[0], FIRST, take)
    usage = replay.usage()
    assert (usage.epoch, usage.delta, usage.changes) == (1, None, 0)
    assert usage.read == (TEST, ARCHITECTURE, LOADER_PY, README)
    assert (usage.counts.reads, usage.counts.inferred, usage.counts.edits) == (4, 0, 0)
    assert usage.counts.tiers == {Tier.PRIMARY: 1, Tier.SUPPORTING: 2}
    assert usage.outside == (TEST,)
    assert [(one.tier, one.read, one.unread) for one in usage.coverage] == [
        (Tier.PINNED, (), ()),
        (Tier.PRIMARY, (LOADER_PY,), ()),
        (Tier.SUPPORTING, (README, ARCHITECTURE), ()),
        (Tier.RELATED, (), (SORTING,)),
    ]
    assert set(statuses(usage).values()) == {(Status.READ, None)}
    assert "docs/ordering-notes.md" not in usage.documents


@pytest.mark.parametrize("take", [whole, singly])
def test_all_three_turns(work: list[list[Event]], take: Take) -> None:
    replay = Replay()
    for turn, shown in zip(work, (FIRST, SECOND, THIRD), strict=True):
        tell(replay, turn, shown, take)
    usage = replay.usage()
    assert (usage.epoch, usage.changes, usage.task) == (3, 2, "what")
    counts = usage.counts
    assert (counts.reads, counts.inferred, counts.by_subagents, counts.mentions, counts.edits) == (
        8,
        0,
        0,
        0,
        2,
    )
    assert counts.tiers == {Tier.PRIMARY: 3, Tier.SUPPORTING: 2, Tier.RELATED: 1}
    assert (counts.outside, counts.rereads, counts.continued, counts.reentries) == (2, 1, 1, 1)
    assert figures(usage, LOADER_PY) == (3, 1, 2, 1, 1)
    assert figures(usage, ARCHITECTURE) == (2, 0, 0, 0, 0)
    assert figures(usage, README) == (1, 0, 0, 0, 0)
    assert figures(usage, TEST) == (1, 1, 0, 0, 0)
    assert figures(usage, SORTING) == (1, 0, 0, 0, 0)
    assert set(statuses(usage).values()) == {(Status.READ, None)}
    assert usage.read == (LOADER_PY, ARCHITECTURE, SORTING, TEST, README)
    assert usage.edited == (LOADER_PY,)
    assert usage.outside == (LOADER_PY, TEST)
    assert usage.not_shown == (ARCHITECTURE, TEST)
    assert (usage.continued, usage.reentries) == ((LOADER_PY,), (LOADER_PY,))
    assert [(one.tier, one.read, one.unread) for one in usage.coverage[1:]] == [
        (Tier.PRIMARY, (LOADER_PY,), ()),
        (Tier.SUPPORTING, (SORTING,), ()),
        (Tier.RELATED, (README,), ()),
    ]
    delta = usage.delta
    assert delta is not None
    assert (delta.from_epoch, delta.to_epoch, delta.task_changed, delta.stayed) == (2, 3, True, 0)
    assert delta.entered == (PackItem(LOADER_PY, Tier.PRIMARY, 1), PackItem(README, Tier.RELATED, 1))
    assert delta.left == (PackItem(TEST, Tier.SUPPORTING, 1), PackItem(ARCHITECTURE, Tier.RELATED, 1))
    assert delta.moved == ((PackItem(SORTING, Tier.PRIMARY, 1), PackItem(SORTING, Tier.SUPPORTING, 1)),)
    churn = usage.churn
    assert (churn.entered, churn.left, churn.moved, churn.tasks) == (3, 4, 3, 2)
    assert usage.recent is not None
    assert (usage.recent.rel, usage.recent.place.epoch, usage.recent.place.reentry) == (LOADER_PY, 3, True)
    assert usage.first is not None
    assert (usage.first.rel, usage.first.place.tier) == (README, Tier.SUPPORTING)
    replay.save(README)
    assert statuses(replay.usage())[README] == (Status.UPDATED, Change.OTHER)
    replay.gone.add(SORTING)
    assert statuses(replay.usage())[SORTING] == (Status.GONE, Change.OTHER)


def test_what_the_loader_goes_through(work: list[list[Event]]) -> None:
    replay = Replay()
    seen: list[str] = []
    for turn, shown in zip(work, (FIRST, SECOND, THIRD), strict=True):
        for event in turn:
            replay.tell([event], shown)
            one = replay.usage().documents.get(LOADER_PY)
            if one:
                told = f"{one.status} {one.changed or '-'} ×{one.counts.reads} edits {one.counts.edits}"
                seen += [told] if told not in seen[-1:] else []
    assert seen == [
        "read - ×1 edits 0",
        "updated agent ×1 edits 1",
        "updated agent ×1 edits 2",
        "reread - ×2 edits 2",
        "read - ×3 edits 2",
    ]


def test_all_of_it_is_past_when_knit_begins(work: list[list[Event]]) -> None:
    replay = Replay()
    replay.tell([event for turn in work for event in turn], THIRD, backlog=True)
    usage = replay.usage()
    assert (usage.epoch, usage.delta) == (1, None)
    assert (usage.counts.reads, usage.counts.edits, usage.counts.rereads) == (8, 2, 1)
    assert usage.counts.tiers == {Tier.PRIMARY: 3, Tier.SUPPORTING: 1, Tier.RELATED: 1}
    assert usage.outside == (ARCHITECTURE, TEST)
    assert (usage.continued, usage.reentries) == ((), ())
    assert set(statuses(usage).values()) == {(Status.READ, None)}
    assert [one.at for one in (usage.recent, usage.first) if one] == [None, None]
    replay.save(LOADER_PY)
    assert statuses(replay.usage())[LOADER_PY] == (Status.READ, None), "nobody knows its time at the read"


def test_a_log_that_is_told_again_changes_nothing(work: list[list[Event]]) -> None:
    replay = Replay()
    for turn, shown in zip(work, (FIRST, SECOND, THIRD), strict=True):
        tell(replay, turn, shown, singly)
    before = replay.usage()
    info = next(event for event in work[0] if isinstance(event, SessionInfo))
    again = [event for turn in work for event in turn]
    replay.tell([Reset("replaced"), *again], THIRD, backlog=True)
    assert replay.usage() == before
    replay.tell([Reset("session"), SessionInfo(info.agent, "another", info.cwd)], FIRST)
    assert replay.usage().counts.reads == 0
    replay.tell([Reset("session"), *again], THIRD, backlog=True)
    assert replay.usage() == before


# The third log:
#   1  the person mentions architecture
#   2  writes 排序要点; a shell command reads architecture and 图片排序, whose certainty is open to debate;
#      docs, a folder: fails; reads 排序要点
#   3  reads README
EXTRA = {"primary": ARCHITECTURE, "supporting": f"{README} {SORTING}"}


@pytest.mark.parametrize("take", [whole, singly])
def test_a_mention_a_new_file_and_a_folder(shared: Path, take: Take) -> None:
    parts = turns(shared, "claude-2.1.328-extra")
    debatable = [one for one in parts[1] if isinstance(one, ReadDone) and one.path in (ARCHITECTURE, SORTING)]
    inferred = sum(one.certainty == "inferred" for one in debatable)
    replay = Replay()
    tell(replay, parts[0], pack("summarise", **EXTRA), take)
    usage = replay.usage()
    assert (usage.counts.reads, usage.counts.mentions, usage.read) == (0, 1, ())
    assert statuses(usage) == {ARCHITECTURE: (Status.UNREAD, None)}
    assert usage.coverage[1].unread == (ARCHITECTURE,)
    tell(replay, parts[1], pack("write", **EXTRA), take)
    usage = replay.usage()
    assert usage.delta is not None
    assert (usage.epoch, usage.delta.task_changed, usage.delta.stayed) == (2, True, 3)
    assert (usage.delta.entered, usage.delta.left, usage.delta.moved) == ((), (), ())
    assert usage.read == (POINTS, SORTING, ARCHITECTURE)
    assert usage.edited == usage.outside == (POINTS,)
    assert statuses(usage)[POINTS] == (Status.READ, None)
    assert usage.coverage[2].read == (SORTING,)
    assert usage.coverage[2].unread == (README,)
    tell(replay, parts[2], pack("thanks", pinned=POINTS, **EXTRA), take)
    usage = replay.usage()
    assert usage.delta is not None
    assert [item.rel for item in usage.delta.entered] == [POINTS]
    assert usage.delta.stayed == 3
    counts = usage.counts
    assert (counts.reads, counts.inferred, counts.mentions, counts.edits) == (4, inferred, 1, 1)
    assert counts.tiers == {Tier.PRIMARY: 1, Tier.SUPPORTING: 2}
    assert usage.coverage[0].read == (POINTS,), "read before it was pinned"
    assert usage.outside == (POINTS,), "and outside it stays"
    assert usage.not_shown == ()
    assert not [one for one in usage.coverage if one.unread]
    assert "docs" not in usage.documents
    assert (usage.counts.continued, usage.counts.reentries, usage.elsewhere) == (0, 0, 0)
