"""What an agent read before it compacted its context, or before the person went back.

``logs/`` are of real agents with a scripted model: docs/architecture.md, README.md, /compact, src/loader.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.engine.tracker import KEPT, Tracker
from knit_tui.faces.usage_words import seen, seen_texts
from knit_tui.model import Lost, Mode, Notice, Place, Read, Status, Tab, Usage, View
from knit_tui.sessions.events import Compacted, EditDone, Event, ReadDone, Reset, Rewind, SessionInfo
from knit_tui.sessions.formats import claude, codex
from knit_tui.track.lifecycle import Life, was_lost, was_read
from knit_tui.track.reads import Evidence, Loss
from knit_tui.track.state import Tracking, following, noted
from tests.sessions.laws import of_file

LOGS = Path(__file__).parent / "logs"
FORMS = {"claude": claude.FORMAT, "codex": codex.FORMAT}
INFO = SessionInfo("claude", "s", "/w")
ROUND = (
    ("docs/architecture.md", Lost.COMPACTED),
    ("README.md", Lost.COMPACTED),
    ("src/loader.py", None),
)


def read(path: str, call: str = "") -> ReadDone:
    return ReadDone(path, True, "confirmed", call_id=call)


def told(*events: Event, root: Path = LOGS) -> tuple[Tracker, Usage]:
    tracker = Tracker(root)
    tracker.turn(True)
    return tracker, more(tracker, *events, past=True)


def more(tracker: Tracker, *events: Event, past: bool = False) -> Usage:
    tracker.take(events, (), past=past)
    tracker.see(View(Tab.CONTEXT, Mode.NEWEST), "", ())
    usage = tracker.usage({})
    assert usage is not None
    return usage


def lost(usage: Usage) -> dict[str, Lost | None]:
    return {rel: one.lost for rel, one in usage.documents.items()}


def first_words(usage: Usage, rel: str) -> str:
    mark = seen(usage.documents[rel], tiered=False)
    return seen_texts(mark, 0)[0] if mark else ""


@pytest.mark.parametrize("agent", FORMS)
def test_a_real_agent_that_compacted(agent: str) -> None:
    events = of_file(FORMS[agent], LOGS / f"{agent}-compacted.jsonl")
    _, usage = told(*events)
    assert lost(usage) == dict(ROUND)
    assert usage.counts.reads == 3, "what was read was read"
    assert {one.status for one in usage.documents.values()} == {Status.READ}
    assert first_words(usage, "README.md") == "◍ read before compaction"
    assert first_words(usage, "src/loader.py") == "◉ read"
    # Told event by event, and with tracking turned on at the end, it is the same.
    tracker, usage = told()
    for event in events:
        usage = more(tracker, event, past=True)
    assert lost(usage) == dict(ROUND)
    late = Tracker(LOGS)
    late.take(events, (), past=True)
    late.turn(True)
    assert lost(more(late)) == dict(ROUND)


def test_a_read_after_it_counts_again_and_a_further_one_loses_that_too() -> None:
    tracker, usage = told(INFO, read("a"), read("b"), Compacted(), read("a"))
    assert lost(usage) == {"a": None, "b": Lost.COMPACTED}
    assert lost(more(tracker, Compacted())) == {"a": Lost.COMPACTED, "b": Lost.COMPACTED}


def test_a_log_that_is_told_again_says_the_same() -> None:
    events = (INFO, read("a", "1"), Compacted(), read("b", "2"))
    tracker, _usage = told(*events)
    assert lost(more(tracker, Reset("truncated"), *events)) == {"a": Lost.COMPACTED, "b": None}
    assert lost(more(tracker, Reset("truncated"), *events[:2])) == {"a": None}
    assert lost(more(tracker, Reset("session"), SessionInfo("claude", "t", "/w"), read("c"))) == {"c": None}


def test_after_the_person_went_back_nothing_is_certain_and_nothing_is_said() -> None:
    tracker, usage = told(INFO, read("a"), Rewind(turns=1), read("b"))
    assert lost(usage) == {"a": Lost.REWOUND, "b": None}
    assert first_words(usage, "a") == "◉ read"
    assert lost(more(tracker, Compacted(), Rewind(turns=1))) == dict.fromkeys("ab", Lost.COMPACTED)


def test_an_edit_says_more_than_a_compaction(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    _, usage = told(INFO, read("a"), EditDone("a", True), Compacted(), root=tmp_path)
    assert usage.documents["a"].lost is Lost.COMPACTED
    assert first_words(usage, "a") == "✎ edited"
    _, usage = told(INFO, EditDone("a", True), Compacted(), root=tmp_path)
    assert lost(usage) == {"a": None}, "nothing was read"


def test_it_is_noted_once_and_in_its_place() -> None:
    state = noted(following(Tracking(), "s"), [Evidence("a", 1), Loss(2, Lost.COMPACTED), Evidence("a", 3)])
    assert noted(state, [Loss(2, Lost.COMPACTED)]) is state
    assert state.session is not None and state.session.lives["a"].lost is None


def test_what_was_never_read_is_not_lost() -> None:
    life = Life()
    assert was_lost(life, Lost.COMPACTED) is life
    after, _ = was_read(life, Read("a", 1, None, Place()), None)
    once = was_lost(after, Lost.REWOUND)
    assert once.lost is Lost.REWOUND and was_lost(once, Lost.REWOUND) is once


def test_compactions_are_no_reads_that_were_missed() -> None:
    tracker = Tracker(LOGS)
    tracker.take([INFO, Compacted(), *(read("a") for _ in range(KEPT)), read("a")], (), past=True)
    tracker.turn(True)
    assert tracker.notices == (Notice("usage-partial", (("count", "1"),)),)
