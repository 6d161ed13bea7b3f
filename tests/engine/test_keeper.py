"""What the user sets counts at once and is kept; what another process set is taken in."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.engine.changes import Exclude, Pin, Restore, SessionChanged, Undo
from knit_tui.engine.engine import Engine
from knit_tui.engine.keeper import Keeper, Step
from knit_tui.model import Controls, Notice
from knit_tui.organise.controls import LIMIT
from knit_tui.workspace.keeping import Keeping, Kept, Unsaved
from knit_tui.workspace.scan import Scanner
from tests.engine.bench import Log, Workspace, items, paths, workspace

__all__ = ["workspace"]


class Broken:
    """A place that cannot be written until it is mended."""

    trouble = ""

    def __init__(self) -> None:
        self.why = "No space left on device"
        self.kept = Kept()

    def changed(self) -> Kept | None:
        return None

    def change(self, how: Step) -> Kept:
        if self.why:
            raise Unsaved(self.why)
        self.kept = how(self.kept)
        return self.kept


@pytest.fixture
def place(tmp_path: Path) -> Keeping:
    return Keeping(tmp_path, tmp_path / "state")


def test_acts_are_kept(place: Keeping, tmp_path: Path) -> None:
    keeper = Keeper(place)
    keeper.act("pin", "a")
    keeper.act("exclude", "b")
    keeper.undo()
    keeper.redo()
    keeper.track(True)
    assert keeper.persisted and keeper.notices == ()
    again = Keeper(Keeping(tmp_path, tmp_path / "state"))
    again.look()
    assert again.history.now == Controls(("a",), ("b",))
    assert again.tracking
    assert again.history.undoable == "", "one does not undo what was done before"


def test_nothing_is_claimed_before_it_is_proven(place: Keeping) -> None:
    keeper = Keeper(place)
    assert not keeper.persisted
    keeper.act("pin", "a")
    assert keeper.persisted


def test_undo_leaves_what_another_process_set(place: Keeping, tmp_path: Path) -> None:
    mine, theirs = Keeper(place), Keeper(Keeping(tmp_path, tmp_path / "state"))
    mine.act("pin", "a")
    theirs.act("pin", "b")
    mine.undo()
    theirs.look()
    assert mine.history.now == theirs.history.now == Controls(("b",))


def test_an_act_counts_although_it_cannot_be_kept_and_is_kept_later() -> None:
    place = Broken()
    keeper = Keeper(place)
    keeper.act("pin", "a")
    assert keeper.history.now == Controls(("a",))
    assert not keeper.persisted
    assert keeper.notices == (Notice("unsaved", (("why", "No space left on device"),)),)
    place.why = ""
    keeper.act("pin", "b")
    assert place.kept.controls == Controls(("a", "b"))
    assert keeper.persisted and keeper.notices == ()


def test_a_user_who_wants_nothing_kept_is_not_told_so() -> None:
    keeper = Keeper()
    keeper.act("pin", "a")
    assert keeper.history.now == Controls(("a",))
    assert keeper.notices == () and not keeper.persisted


def test_the_limit_is_told_until_the_next_act(place: Keeping, tmp_path: Path) -> None:
    keeper = Keeper(Keeping(tmp_path, tmp_path / "state"))
    place.change(lambda kept: Kept(Controls(tuple(map(str, range(LIMIT))))))
    keeper.look()
    keeper.act("pin", "more")
    assert len(keeper.history.now.pinned) == LIMIT
    assert keeper.notices == (Notice("full-pinned", (("count", str(LIMIT)),)),)
    keeper.act("unpin", "0")
    assert keeper.notices == ()


def test_a_file_that_was_not_used_is_told(place: Keeping, tmp_path: Path) -> None:
    Keeper(place).act("pin", "a")
    (file,) = (tmp_path / "state/workspaces").glob("*.json")
    file.write_text("{")
    keeper = Keeper(Keeping(tmp_path, tmp_path / "state"))
    keeper.look()
    assert keeper.notices == (Notice("state-unused", (("why", "damaged"),)),)
    assert not keeper.persisted


def test_two_engines_agree_at_once(workspace: Workspace, tmp_path: Path) -> None:
    def engine() -> Engine:
        keeper = Keeper(Keeping(workspace.root, tmp_path / "state"))
        return Engine(workspace.root, Scanner(workspace.root).scan, Log(), keeper=keeper)

    first, second = engine(), engine()
    second.settle()
    first.settle([Pin("docs/guide.md"), Exclude("docs/retry.md")])
    seen = second.apply([SessionChanged()])
    assert seen.controls == Controls(("docs/guide.md",), ("docs/retry.md",))
    assert seen.persisted
    assert paths(seen)[0] == "docs/guide.md" and "docs/retry.md" not in paths(seen)
    second.settle([Restore("docs/retry.md")])
    assert first.apply([Undo()]).controls == Controls(("docs/guide.md",), ())


def test_a_pin_of_a_file_that_is_gone_stays_and_says_so(workspace: Workspace, tmp_path: Path) -> None:
    Keeping(workspace.root, tmp_path / "state").change(lambda kept: Kept(Controls(("gone.md",))))
    keeper = Keeper(Keeping(workspace.root, tmp_path / "state"))
    engine = Engine(workspace.root, Scanner(workspace.root).scan, Log(), keeper=keeper)
    first = items(engine.settle())[0]
    assert (first.rel, first.missing, first.pinned) == ("gone.md", True, True)
