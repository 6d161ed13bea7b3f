"""What is remembered, of which session, and for how long."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knit_tui.model import Counts, Tier
from knit_tui.track import state as room
from knit_tui.track.epochs import Pack
from knit_tui.track.reads import Evidence
from knit_tui.track.state import (
    DOCUMENTS_KEPT,
    SESSIONS_KEPT,
    Session,
    Tracking,
    advanced,
    following,
    noted,
    observed,
    restarted,
)
from tests.track.replay import pack

START = following(Tracking(), "s")
A = pack("t", primary="a", supporting="b")
B = pack("t", primary="b", related="c")


def session(state: Tracking) -> Session:
    assert state.session is not None
    return state.session


def reads(*paths: str, seq: int = 1, call: str = "") -> list[Evidence]:
    return [Evidence(path, seq + at, call_id=call and f"{call}{at}") for at, path in enumerate(paths)]


def tiers(state: Tracking) -> dict[str, dict[Tier, int]]:
    return {rel: dict(life.counts.tiers) for rel, life in session(state).lives.items()}


def again(state: Tracking, session_id: str = "s") -> Tracking:
    return following(restarted(state), session_id)


# Nothing changed: the same object.


def test_evidence_that_proves_nothing_gives_the_same_object() -> None:
    state = noted(START, reads("a"))
    assert noted(state, []) is state
    assert noted(state, [Evidence("a", 9, ok=False), Evidence("a", 10, certainty="attempted")]) is state
    assert noted(state, reads("a")) is state, "it was noted already"


def test_the_same_pack_gives_the_same_object_a_thousand_times() -> None:
    state = observed(START, A, 1)
    for seq in range(2, 1002):
        assert observed(state, A, seq, seq) is state
        assert advanced(state, [], A, seq, seq) is state


def test_the_same_session_gives_the_same_object() -> None:
    assert following(START, "s") is START
    assert restarted(restarted(START)) == restarted(START)
    away = restarted(START)
    assert restarted(away) is away


def test_without_a_session_nothing_is_remembered() -> None:
    for state in (Tracking(), restarted(START)):
        assert noted(state, reads("a")) is state
        assert observed(state, A, 1) is state
        assert advanced(state, reads("a"), A, 5) is state


# Attribution.


def test_a_read_stays_where_it_was_whatever_pack_comes() -> None:
    state = advanced(START, [], A, 1)
    state = noted(state, reads("a", "b", "c", seq=2))
    expected = {"a": {Tier.PRIMARY: 1}, "b": {Tier.SUPPORTING: 1}, "c": {}}
    assert tiers(state) == expected
    later = observed(state, B, 9)
    assert tiers(later) == expected
    assert session(later).lives == session(state).lives


def test_evidence_of_a_poll_is_held_against_the_pack_before_it() -> None:
    state = advanced(START, [], A, 1)
    state = advanced(state, reads("c", seq=2), B, 3)
    assert tiers(state) == {"c": {}}
    state = advanced(state, reads("c", seq=4), B, 5)
    assert tiers(state) == {"c": {Tier.RELATED: 1}}


def test_what_came_before_the_first_pack_is_held_against_it() -> None:
    state = advanced(START, reads("a", "c"), A, 3)
    assert tiers(state) == {"a": {Tier.PRIMARY: 1}, "c": {}}
    life = session(state).lives["a"]
    assert life.last_read is not None
    assert (life.last_read.place.epoch, life.last_read.seq) == (1, 1)


def test_reads_without_any_pack_are_outside_and_stay_so() -> None:
    state = advanced(START, reads("a"), pack(""), 2)
    state = advanced(state, [], A, 3)
    assert tiers(state) == {"a": {}}
    life = session(state).lives["a"]
    assert life.last_read is not None
    assert life.last_read.place.epoch == 0


# What counts.


def test_mentions_subagents_and_inferred_reads_are_kept_apart() -> None:
    state = noted(
        START,
        [
            Evidence("a", 1, certainty="mention"),
            Evidence("a", 2, certainty="inferred"),
            Evidence("a", 3, by="subagent"),
            Evidence("a", 4, edited=True, by="subagent"),
        ],
    )
    assert session(state).counts == Counts(2, 1, 1, mentions=1, edits=1)
    assert session(state).lives["a"].counts == session(state).counts


def test_files_outside_the_workspace_are_counted_apart() -> None:
    state = noted(
        START,
        [
            Evidence("/etc/hosts", 1),
            Evidence("../x", 2, edited=True),
            Evidence("/etc/hosts", 3, certainty="mention"),
            Evidence("/etc/hosts", 4, ok=False),
        ],
    )
    assert (session(state).elsewhere, session(state).counts, dict(session(state).lives)) == (2, Counts(), {})


def test_an_edit_that_is_not_on_disk_yet_vouches_for_no_time() -> None:
    state = noted(START, [Evidence("a", 1, mtime_ns=5)])
    late = noted(state, [Evidence("a", 2, edited=True, mtime_ns=5)])
    assert session(late).lives["a"].touched_ns is None
    there = noted(state, [Evidence("a", 2, edited=True, mtime_ns=6)])
    assert session(there).lives["a"].touched_ns == 6


def test_a_read_of_the_same_content_vouches_for_its_time() -> None:
    state = noted(noted(START, [Evidence("a", 1, mtime_ns=5)]), [Evidence("a", 2, mtime_ns=5)])
    assert session(state).lives["a"].touched_ns == 5


def test_a_read_and_an_edit_of_one_poll_share_a_time() -> None:
    state = noted(START, [Evidence("a", 1, mtime_ns=6), Evidence("a", 2, edited=True, mtime_ns=6)])
    assert session(state).lives["a"].touched_ns == 6


# Told again.


def test_a_log_that_is_told_again_is_counted_once() -> None:
    state = noted(observed(START, A, 0), reads("a", "a", "c", call="k"))
    told = noted(again(state), reads("a", "a", "c", seq=50, call="k"))
    assert session(told).counts == session(state).counts
    assert session(told).lives == session(state).lives


def test_what_is_told_again_keeps_its_place_and_what_is_new_gets_the_pack_in_force() -> None:
    for call in ("k", ""):
        state = noted(observed(START, A, 0), reads("a", call=call))
        state = observed(state, B, 9)
        told = noted(again(state), reads("a", "a", seq=50, call=call))
        assert tiers(told) == {"a": {Tier.PRIMARY: 1}}
        life = session(told).lives["a"]
        assert life.counts.reads == 2
        assert life.first_read is not None
        assert life.last_read is not None
        assert (life.first_read.seq, life.first_read.place.epoch) == (1, 1)
        assert (life.last_read.seq, life.last_read.place.epoch) == (51, 2)


def test_a_call_is_known_again_wherever_it_stands() -> None:
    state = noted(observed(START, A, 0), reads("a", "a", call="k"))
    state = observed(state, B, 9)
    told = noted(again(state), [Evidence("a", 50, call_id="k1")])
    life = session(told).lives["a"]
    assert life.last_read is not None
    assert (life.last_read.seq, life.counts.reads) == (2, 1)


def test_one_call_may_read_several_documents_and_one_of_them_twice() -> None:
    batch = [Evidence("a", 1, call_id="k"), Evidence("b", 2, call_id="k"), Evidence("a", 3, call_id="k")]
    state = noted(observed(START, A, 0), batch)
    retold = [replace(one, seq=one.seq + 50) for one in batch]
    assert session(noted(again(state), retold)).lives == session(state).lives


def test_what_is_no_longer_told_no_longer_counts() -> None:
    state = noted(START, [*reads("a", "b", call="k"), Evidence("/x", 9)])
    told = noted(again(state), reads("a", seq=50, call="k"))
    assert list(session(told).lives) == ["a"]
    assert session(told).counts == Counts(1)
    assert session(told).elsewhere == 0


def test_a_telling_that_breaks_off_forgets_nothing() -> None:
    state = noted(observed(START, A, 0), reads("a", "a", "b"))
    state = observed(state, B, 9)
    part = noted(again(state), reads("a", seq=50))
    whole = noted(again(part), reads("a", "a", "b", seq=60))
    assert session(whole).lives == session(state).lives


def test_edits_keep_their_moment_too() -> None:
    edit = Evidence("a", 1, edited=True, at=5, mtime_ns=7, listed=True)
    state = noted(START, [edit])
    told = noted(again(state), [replace(edit, seq=50, at=None, mtime_ns=None, listed=False)])
    assert session(told).lives == session(state).lives


def test_a_read_is_not_taken_for_an_edit_of_the_same_call() -> None:
    state = noted(START, [Evidence("a", 1, call_id="k"), Evidence("a", 2, edited=True, call_id="k")])
    told = noted(again(state), [Evidence("a", 50, edited=True, call_id="k")])
    life = session(told).lives["a"]
    assert life.last_edit is not None
    assert life.last_edit.seq == 2


def test_a_document_that_is_listed_only_when_told_again() -> None:
    state = noted(again(noted(START, [Evidence("a", 1)])), [Evidence("a", 50, listed=True)])
    assert session(state).lives["a"].listed


def test_the_packs_of_a_session_outlive_its_telling() -> None:
    state = observed(observed(START, A, 0), B, 1)
    assert session(again(state)).epochs is session(state).epochs


# Sessions.


def test_each_session_has_its_own() -> None:
    state = noted(observed(START, A, 0), reads("a", call="k"))
    other = again(state, "other")
    assert (dict(session(other).lives), session(other).epochs.newest) == ({}, None)
    other = advanced(other, reads("b", seq=20), B, 30)
    assert tiers(other) == {"b": {Tier.PRIMARY: 1}}
    back = noted(again(other, "s"), reads("a", seq=40, call="k"))
    assert session(back) == replace(session(state), cursor=40, known=session(back).known)


def test_a_session_that_goes_by_another_name_is_left_as_it_is() -> None:
    state = noted(START, reads("a"))
    back = following(following(state, "fork"), "s")
    assert session(back) == session(state)


def test_the_newest_sessions_are_kept() -> None:
    state = noted(START, reads("a", call="k"))
    for number in range(SESSIONS_KEPT - 1):
        state = again(state, f"s{number}")
    assert (len(state.sessions), state.forgotten) == (SESSIONS_KEPT, 0)
    state = again(again(state), "one more")
    assert (len(state.sessions), state.forgotten) == (SESSIONS_KEPT, 1)
    assert "s0" not in state.sessions, "the one followed longest ago goes"
    assert session(noted(again(state), reads("a", seq=50, call="k"))).counts.reads == 1


# Limits.


def test_documents_used_longest_ago_are_forgotten_and_the_sums_stay() -> None:
    paths = [f"d{number}" for number in range(DOCUMENTS_KEPT)]
    full = noted(START, reads(*paths, "d0", "d0"))
    assert (len(session(full).lives), session(full).forgotten) == (DOCUMENTS_KEPT, 0)
    over = noted(full, reads("e", "f", seq=900))
    assert list(session(over).lives)[:2] == ["d3", "d4"]
    assert "d0" in session(over).lives, "used again since"
    assert (session(over).forgotten, session(over).forgotten_reads) == (2, 2)
    assert session(over).counts.reads == DOCUMENTS_KEPT + 4


def test_documents_in_force_are_not_forgotten() -> None:
    state = noted(observed(START, A, 0), reads("a"))
    state = noted(state, reads(*(f"d{number}" for number in range(DOCUMENTS_KEPT)), seq=2))
    assert "a" in session(state).lives
    assert "d0" not in session(state).lives


def test_a_pack_of_more_pins_than_are_kept() -> None:
    pins = [f"p{number}" for number in range(DOCUMENTS_KEPT + 1)]
    state = noted(observed(START, pack("t", pinned=" ".join(pins)), 0), reads(*pins))
    assert (len(session(state).lives), session(state).forgotten) == (DOCUMENTS_KEPT, 1)


def test_moments_are_kept_for_so_many_reads() -> None:
    many = room.MARKS_KEPT + 3
    state = noted(observed(START, A, 0), reads(*["a"] * many))
    assert (session(state).unmarked, session(state).counts.reads) == (3, many)
    state = observed(state, B, many + 1)
    told = noted(again(state), reads(*["a"] * many, seq=many + 9))
    assert session(told).counts.tiers == {Tier.PRIMARY: room.MARKS_KEPT}
    assert session(told).counts.continued == 3


def test_what_was_told_long_ago_in_other_words_is_forgotten() -> None:
    state = START
    for number in range(4):
        first = number * 1500
        state = noted(again(state), reads(*["a"] * 1500, seq=first + 1, call=f"t{number}-"))
    assert len(session(again(state)).known) == room.MARKS_KEPT


# Laws.

PATHS = ["a", "b", "c", "d/e", "./a", "/x", "..", ""]
evidence = st.builds(
    Evidence,
    path=st.sampled_from(PATHS) | st.text(max_size=5),
    seq=st.just(0),
    edited=st.booleans(),
    ok=st.sampled_from([True, True, True, False]),
    certainty=st.sampled_from(["confirmed", "inferred", "mention", "attempted"]),
    by=st.sampled_from(["main", "subagent"]),
    call_id=st.sampled_from(["", "k", "l"]),
    mtime_ns=st.none(),
    listed=st.booleans(),
)
streams = st.lists(evidence, max_size=25)


def numbered(stream: list[Evidence], first: int = 1) -> list[Evidence]:
    return [replace(one, seq=first + at) for at, one in enumerate(stream)]


@given(streams)
def test_evidence_may_come_in_any_pieces(stream: list[Evidence]) -> None:
    whole = noted(observed(START, A, 0), numbered(stream))
    singly = observed(START, A, 0)
    for one in numbered(stream):
        singly = noted(singly, [one])
    assert singly == whole
    assert list(session(singly).lives) == list(session(whole).lives)


@given(streams)
def test_sums_add_up(stream: list[Evidence]) -> None:
    state = noted(observed(START, A, 0), numbered(stream))
    counts = session(state).counts
    total = Counts()
    for life in session(state).lives.values():
        total += life.counts
    assert total == counts
    assert counts.inside + counts.outside == counts.reads
    assert counts.outside >= 0


@given(streams, streams)
def test_told_again_with_more_is_told_once_with_more(stream: list[Evidence], more: list[Evidence]) -> None:
    state = observed(START, A, 0)
    once = noted(noted(state, numbered(stream)), numbered(more, 100))
    twice = noted(again(noted(state, numbered(stream))), [*numbered(stream, 50), *numbered(more, 100)])
    assert session(twice).lives == session(once).lives
    assert session(twice).counts == session(once).counts


@given(streams, st.lists(st.sampled_from([A, B, pack("u")]), max_size=4))
def test_no_pack_rewrites_a_read(stream: list[Evidence], packs: list[Pack]) -> None:
    state = noted(observed(START, A, 0), numbered(stream))
    before = session(state)
    for at, one in enumerate(packs):
        state = observed(state, one, 100 + at)
    assert session(state).lives == before.lives
    assert session(state).counts == before.counts
