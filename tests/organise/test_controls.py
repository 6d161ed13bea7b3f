from __future__ import annotations

from dataclasses import replace

import pytest

from knit_tui.model import Controls
from knit_tui.organise.controls import (
    LIMIT,
    MAX_HISTORY,
    Full,
    History,
    Spot,
    act_on,
    acted,
    put,
    redone,
    undone,
)


def after(history: History, action: str, rel: str) -> History:
    act = act_on(history.now, action, rel)
    return history if act is None else acted(history, act)


def test_pin_and_exclude_take_each_others_place() -> None:
    history = after(after(History(), "pin", "a"), "exclude", "a")
    assert history.now == Controls((), ("a",))
    assert after(history, "pin", "a").now == Controls(("a",), ())


@pytest.mark.parametrize(
    ("action", "rel"), [("pin", "a"), ("restore", "a"), ("unpin", "b"), ("restore", "b")]
)
def test_what_is_so_already_is_no_act(action: str, rel: str) -> None:
    assert act_on(Controls(("a",)), action, rel) is None


def test_undo_and_redo_walk_the_same_states() -> None:
    history = after(after(History(), "pin", "a"), "exclude", "b")
    assert (history.undoable, history.redoable) == ("exclude b", "")
    back = undone(undone(history))
    assert back.now == Controls()
    assert (back.undoable, back.redoable) == ("", "pin a")
    assert undone(back) is back
    assert redone(redone(back)).now == history.now
    assert redone(history) is history


def test_an_undone_act_gives_its_place_back() -> None:
    history = History(Controls(("a", "b", "c")))
    assert undone(after(history, "unpin", "b")).now.pinned == ("a", "b", "c")
    assert undone(after(history, "exclude", "a")).now == Controls(("a", "b", "c"))


def test_undo_leaves_what_was_set_elsewhere_meanwhile() -> None:
    history = after(History(), "pin", "a")
    history = replace(history, now=Controls(("a", "theirs"), ("x",)))
    assert undone(history).now == Controls(("theirs",), ("x",))


def test_a_new_action_forgets_what_was_undone() -> None:
    history = after(undone(after(History(), "pin", "a")), "pin", "b")
    assert redone(history) is history


def test_the_history_is_bounded() -> None:
    history = History()
    for i in range(MAX_HISTORY + 20):
        history = after(history, "pin", str(i))
    assert len(history.past) == MAX_HISTORY
    assert len(history.now.pinned) == MAX_HISTORY + 20


def test_there_is_a_limit_and_it_is_told() -> None:
    full = Controls(tuple(map(str, range(LIMIT))))
    with pytest.raises(Full, match="pinned"):
        after(History(full), "pin", "one more")
    assert put(full, "7", Spot("pinned", 0)).pinned[0] == "7", "it stands there already"
    assert after(History(full), "exclude", "one more").now.excluded == ("one more",)


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ValueError, match="no such action"):
        act_on(Controls(), "delete", "a")
