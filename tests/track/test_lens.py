"""What faces are told."""

from __future__ import annotations

from knit_tui.engine.step import Step
from knit_tui.model import Change, Coverage, Cut, Status, Tier, Usage
from knit_tui.track.lens import report
from knit_tui.track.reads import Evidence
from knit_tui.track.state import DOCUMENTS_KEPT, MARKS_KEPT, Tracking, following, noted, observed, restarted
from tests.track.replay import pack

START = following(Tracking(), "s")
SHOWN = pack("t", pinned="p", primary="a", supporting="b c")


def told(*evidence: Evidence, shown: bool = True) -> Tracking:
    state = observed(START, SHOWN, 0) if shown else START
    return noted(state, evidence)


def usage(state: Tracking, mtimes: dict[str, int] | None = None, scanned: int | None = None) -> Usage:
    return report(state, mtimes or {}, set("abcpxyz"), scanned=scanned)


def test_without_a_session_or_anything_in_it() -> None:
    assert usage(Tracking()) == Usage()
    assert usage(restarted(told(Evidence("a", 1)))) == Usage()
    assert usage(START) == Usage(session="s")


def test_each_tier_with_what_was_read_of_it_at_any_time() -> None:
    state = noted(START, [Evidence("c", 1)])
    state = noted(observed(state, SHOWN, 2), [Evidence("a", 3), Evidence("p", 4, certainty="mention")])
    coverage = usage(state).coverage
    assert coverage == (
        Coverage(Tier.PINNED, (), ("p",)),
        Coverage(Tier.PRIMARY, ("a",)),
        Coverage(Tier.SUPPORTING, ("c",), ("b",)),
        Coverage(Tier.RELATED),
    )
    assert [one.total for one in coverage] == [1, 1, 2, 0]


def test_an_edit_alone_is_no_read() -> None:
    found = usage(told(Evidence("a", 1, edited=True)))
    assert (found.read, found.edited, found.coverage[1].unread) == ((), ("a",), ("a",))
    assert found.documents["a"].status is Status.UNREAD
    assert (found.first, found.recent) == (None, None)


def test_outside_reads_are_sorted_by_count_and_none_is_cut() -> None:
    many = [Evidence(f"d{number:02}", number + 9) for number in range(1, 41)]
    state = told(*(Evidence(rel, seq) for seq, rel in enumerate(["d02", "d03", "d02", "a"], 1)), *many)
    outside = usage(state).outside
    assert len(outside) == 40
    assert outside[:4] == ("d02", "d03", "d40", "d39")
    assert usage(state).not_shown == outside


def test_outside_then_and_not_shown_now_are_two_things() -> None:
    state = told(Evidence("a", 1), Evidence("x", 2))
    state = observed(state, pack("u", primary="x"), 3)
    found = usage(state)
    assert (found.outside, found.not_shown) == (("x",), ("a",))
    assert (found.documents["x"].tier, found.documents["x"].number) == (Tier.PRIMARY, 1)
    assert found.documents["a"].tier is None


def test_newest_first() -> None:
    state = told(
        Evidence("a", 1), Evidence("x", 2, edited=True), Evidence("b", 3), Evidence("a", 4, edited=True)
    )
    found = usage(state)
    assert (list(found.documents), found.read, found.edited) == (["a", "b", "x"], ("b", "a"), ("a", "x"))
    assert found.recent is not None
    assert (found.recent.rel, found.recent.place.tier) == ("b", Tier.SUPPORTING)
    assert found.first is not None
    assert found.first.rel == "a"


def test_what_is_told_again_is_as_recent_as_it_was() -> None:
    state = told(Evidence("a", 1, call_id="k"), Evidence("b", 2, call_id="l"))
    state = following(restarted(state), "s")
    state = noted(state, [Evidence("b", 10, call_id="l"), Evidence("a", 11, call_id="k")])
    assert usage(state).read == ("b", "a")


def test_facts_name_their_documents() -> None:
    state = told()
    state = noted(observed(state, pack("u", primary="x"), 1), [Evidence("a", 2)])
    state = noted(observed(state, SHOWN, 3), [Evidence("a", 4), Evidence("b", 5), Evidence("x", 6)])
    found = usage(state)
    assert (found.continued, found.reentries) == (("x", "a"), ("b", "a"))
    assert (found.counts.continued, found.counts.reentries) == (2, 2)


def test_files_as_they_are_now() -> None:
    state = told(Evidence("a", 1, mtime_ns=5), Evidence("b", 2, mtime_ns=5), Evidence("gone", 3, listed=True))
    documents = usage(state, {"a": 5, "b": 6}).documents
    assert [(documents[rel].status, documents[rel].changed) for rel in ("a", "b", "gone")] == [
        (Status.READ, None),
        (Status.UPDATED, Change.OTHER),
        (Status.GONE, Change.OTHER),
    ]


def test_a_scan_is_held_against_no_later_evidence() -> None:
    state = told(Evidence("a", 3, mtime_ns=5))
    assert usage(state, {"a": 4}, scanned=2).documents["a"].status is Status.READ
    assert usage(state, {"a": 4}, scanned=3).documents["a"].status is Status.UPDATED


def test_limits_are_told() -> None:
    state = told(*(Evidence(f"d{number}", number) for number in range(1, DOCUMENTS_KEPT + 3)))
    for number in range(21):
        state = observed(state, pack(f"t{number}"), 900 + number)
    found = usage(state)
    assert found.cut == Cut(documents=2, reads=2, packs=2)
    assert sum(one.counts.reads for one in found.documents.values()) + found.cut.reads == found.counts.reads
    assert (found.epoch, found.changes) == (22, 21)
    for number in range(24):
        state = following(state, f"s{number}")
    assert usage(state).cut == Cut(sessions=1)


def test_reads_that_would_be_placed_anew_are_told() -> None:
    assert usage(told(*(Evidence("a", number) for number in range(1, MARKS_KEPT + 3)))).cut == Cut(places=2)


def test_the_same_again_is_the_same_object() -> None:
    state = told(Evidence("a", 1, mtime_ns=5))
    first = usage(state, {"a": 5})
    assert report(state, {"a": 5, "z": 1}, {"a"}, before=first) is first
    assert report(state, {"a": 6}, {"a"}, before=first) is not first
    assert report(Tracking(), {}, (), before=usage(Tracking())) == Usage()


def test_a_step_does_no_work_for_the_same_inputs() -> None:
    step = Step(report)
    state, mtimes, present = told(Evidence("a", 1)), {"a": 5}, frozenset("a")
    first = step(state, mtimes, present)
    for seq in range(1000):
        assert step(noted(observed(state, SHOWN, seq), [Evidence("a", 1)]), mtimes, present) is first
    assert step.runs == 1
    assert step(state, dict(mtimes), present) is first


def test_the_pack_before_and_the_pack_after() -> None:
    state = told(Evidence("a", 1))
    assert usage(state).coverage[1].read == ("a",)
    after = observed(state, pack("t", primary="b"), 2)
    assert usage(after).coverage[1].unread == ("b",)
    assert usage(after).delta is not None
