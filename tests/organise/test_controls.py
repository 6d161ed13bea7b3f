import pytest

from knit_tui.model import Controls
from knit_tui.organise.controls import MAX_HISTORY, History, acted, redone, undone


def test_pin_and_exclude_take_each_others_place() -> None:
    history = acted(acted(History(), "pin", "a"), "exclude", "a")
    assert history.now == Controls((), ("a",))
    assert acted(history, "pin", "a").now == Controls(("a",), ())


def test_repeating_an_action_changes_nothing() -> None:
    history = acted(History(), "pin", "a")
    assert acted(history, "pin", "a") is history
    assert acted(history, "restore", "a") is history


def test_undo_and_redo_walk_the_same_states() -> None:
    history = acted(acted(History(), "pin", "a"), "exclude", "b")
    assert history.undoable == "exclude b"
    back = undone(undone(history))
    assert back.now == Controls()
    assert back.undoable == ""
    assert undone(back) is back
    assert redone(redone(back)).now == history.now
    assert redone(history) is history


def test_a_new_action_forgets_what_was_undone() -> None:
    history = acted(undone(acted(History(), "pin", "a")), "pin", "b")
    assert redone(history) is history


def test_the_history_is_bounded() -> None:
    history = History()
    for i in range(MAX_HISTORY + 20):
        history = acted(history, "pin", str(i))
    assert len(history.past) == MAX_HISTORY
    assert len(history.now.pinned) == MAX_HISTORY + 20


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ValueError, match="no such action"):
        acted(History(), "delete", "a")
