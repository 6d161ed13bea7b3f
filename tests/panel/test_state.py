"""What is listed, what is held back, and what is counted; without a widget."""

from __future__ import annotations

from dataclasses import replace

from knit_tui.faces.session_words import session_text
from knit_tui.faces.tui.listing import Finder, Heading, build, changes, filter_terms, same_order
from knit_tui.faces.tui.state import PanelState, Verdict
from knit_tui.model import Controls, Item, Mode, Tab, Tier
from tests.panel.sample import NOTICES, PACK, SESSION, item, numbered, snapshot, view, views


def rels(items: object) -> list[str]:
    return [each.rel for each in items if isinstance(each, Item)]  # type: ignore[attr-defined]


def test_items_stand_under_the_heading_of_their_tier() -> None:
    listing = build(view(Tab.CONTEXT, PACK), by_time=False, finder=Finder())
    headings = [(row.text, row.count) for row in listing.rows if isinstance(row, Heading)]
    assert headings == [("Pinned", 1), ("Primary", 1), ("Supporting", 3), ("Related", 3)]
    assert rels(listing.rows) == rels(PACK)
    assert listing.digits == 1


def test_by_time_there_are_no_tiers() -> None:
    listing = build(view(Tab.CONTEXT, PACK), by_time=True, finder=Finder())
    assert not any(isinstance(row, Heading) for row in listing.rows)
    assert rels(listing.rows)[0] == "src/courier/net/retry.py"


def test_without_a_query_the_rest_is_headed_newest_first() -> None:
    items = (item("a.md", Tier.PINNED, pinned=True), item("b.md"), item("c.md"))
    listing = build(view(Tab.CONTEXT, items, mode=Mode.NEWEST), by_time=False, finder=Finder())
    assert [row.text for row in listing.rows if isinstance(row, Heading)] == ["Pinned", "Newest first"]


def test_a_filter_needs_every_word_in_title_name_folder_or_summary() -> None:
    finder = Finder()
    items = (*PACK, item("notes.txt", summary="A circuit breaker"))
    cases = {
        "RETRY": 3,
        "retry jitter": 1,
        "net/ client": 1,
        "policy GUIDE": 1,
        "退避": 1,
        "circuit": 1,
        "nothing-like-it": 0,
        "   ": len(items),
    }
    for text, count in cases.items():
        assert len(finder.matching(items, filter_terms(text))) == count, text


def test_a_filtered_list_keeps_tiers_and_numbers() -> None:
    listing = build(view(Tab.CONTEXT, PACK), by_time=False, terms=("net",), finder=Finder())
    assert [row.text if isinstance(row, Heading) else row.number for row in listing.rows] == [
        "Primary", 1, "Supporting", 3, "Related", 5,
    ]  # fmt: skip
    assert (len(listing.items), listing.total) == (3, len(PACK))


def test_changes_count_what_enters_leaves_or_changes_place() -> None:
    old = numbered(8)
    assert changes(old, old) == 0
    assert changes(old, old[:-1]) == 1
    assert changes(old[:-1], old) == 1
    assert changes(old, (*old[1:4], replace(old[0], tier=Tier.OTHER, number=None), *old[4:])) == 1
    assert changes(old, (*old[:4], *reversed(old[4:]))) == 0


def test_only_what_moves_something_is_another_order() -> None:
    old = numbered(6)
    assert same_order(old, tuple(replace(each, mtime_ns=1, pinned=True) for each in old))
    assert not same_order(old, old[:-1])
    assert not same_order(old, (*old[:2], old[3], old[2], *old[4:]))
    assert not same_order(old, (replace(old[1], passages=()), *old[1:]))


def test_an_old_generation_is_ignored() -> None:
    state = PanelState()
    assert state.offer(snapshot(3), busy=False) is Verdict.SHOWN
    assert state.offer(snapshot(3), busy=False) is Verdict.IGNORED
    assert state.offer(snapshot(2), busy=False) is Verdict.IGNORED


def test_a_new_order_waits_while_the_user_is_busy_and_is_counted() -> None:
    state = PanelState()
    state.offer(snapshot(1, numbered(10)), busy=True)
    assert state.offer(snapshot(2, numbered(9)), busy=True) is Verdict.HELD
    assert state.holding
    assert state.standing("").changes == 1
    assert len(state.listing().items) == 10
    assert state.release()
    assert len(state.listing().items) == 9
    assert not state.release()


def test_the_newest_of_several_held_orders_is_the_one_released() -> None:
    state = PanelState()
    state.offer(snapshot(1, numbered(10)), busy=True)
    for generation in range(2, 6):
        state.offer(snapshot(generation, numbered(10 + generation)), busy=True)
    state.release()
    assert len(state.listing().items) == 15


def test_what_moves_nothing_is_shown_though_the_user_is_busy() -> None:
    state = PanelState()
    items = numbered(10)
    state.offer(snapshot(1, items), busy=True)
    assert state.offer(snapshot(2, [replace(each, mtime_ns=5) for each in items]), busy=True) is Verdict.SHOWN


def test_the_answer_to_the_users_own_act_does_not_wait() -> None:
    clock = [100.0]
    state = PanelState(lambda: clock[0])
    state.offer(snapshot(1, numbered(10)), busy=True)
    state.acted()
    assert state.acting
    assert state.offer(snapshot(2, numbered(12)), busy=True) is Verdict.HELD
    for generation, excluded in ((3, ("x.py",)), (4, ())):
        answer = snapshot(generation, numbered(9 - generation), controls=Controls(excluded=excluded))
        assert state.offer(answer, busy=True) is Verdict.SHOWN
    assert not state.acting
    assert state.offer(snapshot(5, numbered(3), controls=Controls()), busy=True) is Verdict.HELD


def test_pins_that_others_change_later_wait_like_everything() -> None:
    clock = [100.0]
    state = PanelState(lambda: clock[0])
    state.offer(snapshot(1, numbered(10)), busy=True)
    state.acted()
    clock[0] += 11
    assert not state.acting
    assert state.offer(snapshot(2, numbered(9), controls=Controls(pinned=("a",))), busy=True) is Verdict.HELD


def test_a_vanished_workspace_keeps_the_list() -> None:
    state = PanelState()
    state.offer(snapshot(1), busy=False)
    assert state.offer(snapshot(2, (), present=False, views={}), busy=False) is Verdict.KEPT
    assert state.gone
    assert len(state.listing().items) == 12
    assert [notice.code for notice in state.notices()] == ["gone"]
    assert state.tabs().counts[Tab.CONTEXT] == 12
    assert state.offer(snapshot(3, numbered(2)), busy=False) is Verdict.SHOWN
    assert not state.gone and len(state.listing().items) == 2


def test_a_workspace_that_was_never_there_gives_way_to_the_first_list() -> None:
    state = PanelState()
    state.offer(snapshot(1, (), present=False, views={}), busy=True)
    assert state.empty()[0] == "The workspace is gone"
    assert state.offer(snapshot(2), busy=True) is Verdict.SHOWN


def test_a_failure_is_a_notice() -> None:
    state = PanelState()
    state.offer(snapshot(1, notices=NOTICES), busy=False)
    state.failure = "disk full"
    assert [notice.code for notice in state.notices()] == ["failed", "watch-polling", "unreadable"]


def test_trouble_with_the_session_is_told_only_while_there_is_no_query() -> None:
    state = PanelState()
    lost = replace(SESSION, state="none")
    state.offer(snapshot(1, session=lost), busy=False)
    assert state.session_trouble() == ""
    state.offer(snapshot(2, session=lost, views=views(PACK, mode=Mode.NEWEST)), busy=False)
    assert state.session_trouble().startswith("Waiting for a task. Press t")
    missing = replace(SESSION, state="missing", path="/x\x1b[2J.jsonl")
    state.offer(snapshot(3, session=missing, views=views(PACK, mode=Mode.NEWEST)), busy=False)
    assert state.session_trouble() == session_text(missing) and "␛[2J" in session_text(missing)
    state.offer(
        snapshot(4, session=replace(SESSION, state="off"), views=views(PACK, mode=Mode.NEWEST)), busy=False
    )
    assert state.session_trouble() == "Waiting for a task. Press t to enter one."
