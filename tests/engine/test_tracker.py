"""What is counted of the session while the user wants it, and what the snapshot says of that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.engine.changes import Ask, Exclude, Pin, Restore, SessionChanged, Track, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.keeper import Keeper
from knit_tui.engine.tracker import KEPT, Tracker
from knit_tui.model import Change, Mode, Notice, Status, Tab, Tier, Usage, View
from knit_tui.sessions.events import EditDone, Event, ReadDone, Reset, SessionInfo, UserMessage
from knit_tui.workspace.keeping import Keeping
from knit_tui.workspace.scan import Scanner
from tests.engine.bench import Workspace, items, workspace

__all__ = ["workspace"]

INFO = SessionInfo("claude", "s1", "/ws")
RETRY, GUIDE, CLIENT = "docs/retry.md", "docs/guide.md", "src/net/client.py"


def read(path: str, call: str = "") -> ReadDone:
    return ReadDone(path, True, "confirmed", call_id=call)


def edit(path: str) -> EditDone:
    return EditDone(path, True)


def tell(workspace: Workspace, *events: Event) -> Usage:
    """What is counted after one more poll."""
    workspace.log.waiting += events
    usage = workspace.engine.settle([SessionChanged()]).usage
    assert usage is not None
    return usage


def started(workspace: Workspace, *events: Event) -> Usage:
    """Tracking is on from the start, and the session has a task."""
    workspace.log.waiting = [INFO]
    workspace.log.say("retry backoff")
    workspace.log.waiting += events
    usage = workspace.engine.settle([Track(True)]).usage
    assert usage is not None
    return usage


# On and off.


def test_nothing_is_counted_until_it_is_turned_on(workspace: Workspace) -> None:
    workspace.log.waiting = [INFO, read(RETRY)]
    assert workspace.say("retry backoff").usage is None
    assert workspace.engine.apply([SessionChanged()]).usage is None


def test_turned_on_in_the_middle_it_begins_with_what_the_log_told_before(workspace: Workspace) -> None:
    workspace.log.waiting = [INFO, read(RETRY), read(GUIDE), edit(CLIENT)]
    workspace.say("retry backoff")
    workspace.log.waiting = [read(RETRY), ReadDone(GUIDE, False, "confirmed")]
    workspace.engine.settle([SessionChanged()])
    usage = workspace.engine.apply([Track(True)]).usage
    assert usage is not None
    assert (usage.counts.reads, usage.counts.edits, usage.epoch) == (3, 1, 1)
    assert usage.read == (RETRY, GUIDE)
    assert all(one.last_read is None or one.last_read.at is None for one in usage.documents.values())
    # What was read before anyone looked is held against the first pack there is.
    first = usage.documents[RETRY].first_read
    assert first is not None and first.place.epoch == 1 and first.place.tier is not None


def test_what_comes_after_it_was_turned_on_has_a_moment(workspace: Workspace) -> None:
    workspace.log.waiting = [INFO, read(RETRY)]
    workspace.say("retry backoff")
    workspace.engine.apply([Track(True)])
    usage = tell(workspace, read(GUIDE))
    assert usage.recent is not None and usage.recent.rel == GUIDE and usage.recent.at is not None
    before = usage.documents[RETRY].last_read
    assert before is not None and before.at is None


def test_turned_off_it_forgets(workspace: Workspace) -> None:
    started(workspace)
    before = tell(workspace, read(RETRY))
    assert before.recent is not None and before.recent.at is not None
    workspace.say("图片排序")
    assert workspace.engine.apply([Track(False)]).usage is None
    again = workspace.engine.apply([Track(True)]).usage
    assert again is not None
    assert (again.epoch, again.counts.reads) == (1, 1)
    assert again.recent is not None and again.recent.at is None


def test_turned_on_twice_it_forgets_nothing(workspace: Workspace) -> None:
    started(workspace)
    usage = tell(workspace, read(RETRY))
    assert workspace.engine.apply([Track(True)]).usage is usage


def test_it_is_remembered_for_the_next_start(workspace: Workspace, tmp_path: Path) -> None:
    state = tmp_path.parent / f"{tmp_path.name}-state"

    def engine() -> Engine:
        keeper = Keeper(Keeping(workspace.root, state))
        return Engine(workspace.root, Scanner(workspace.root).scan, workspace.log, keeper=keeper)

    first = engine()
    assert first.settle().usage is None
    assert first.apply([Track(True)]).persisted
    workspace.log.waiting = [INFO, read(RETRY)]
    workspace.log.say("retry backoff")
    second = engine()
    usage = second.settle().usage
    assert usage is not None and usage.counts.reads == 1
    # Another process turns it off: this one stops and forgets.
    first.apply([Track(False)])
    assert second.apply([]).usage is None
    assert engine().settle().usage is None


# Epochs.


def test_a_thousand_polls_with_the_same_pack_make_no_epoch(workspace: Workspace) -> None:
    started(workspace)
    snapshot = workspace.engine.apply([SessionChanged()])
    for _poll in range(1000):
        assert workspace.engine.apply([SessionChanged()]) is snapshot
    assert snapshot.usage is not None
    assert (snapshot.usage.epoch, snapshot.usage.delta) == (1, None)


def test_only_the_pack_of_the_context_tab_makes_epochs(workspace: Workspace) -> None:
    started(workspace)
    # The other tabs change, the pack does not: a picture comes and goes.
    workspace.write("img/retry.png", "no text")
    snapshot = workspace.engine.settle([WorkspaceChanged()])
    assert len(items(snapshot, Tab.MEDIA)) == 1
    assert snapshot.usage is not None and snapshot.usage.epoch == 1


def test_another_pack_makes_an_epoch_and_tells_what_changed(workspace: Workspace) -> None:
    started(workspace)
    workspace.say("图片排序")
    usage = workspace.engine.apply([]).usage
    assert usage is not None and usage.delta is not None
    assert (usage.epoch, usage.changes, usage.delta.task_changed) == (2, 1, True)
    assert "docs/图片排序.md" in [item.rel for item in usage.delta.entered]


@pytest.mark.parametrize("change", [Exclude(RETRY), Pin(GUIDE)])
def test_pins_and_exclusions_change_the_pack(workspace: Workspace, change: Exclude | Pin) -> None:
    started(workspace)
    usage = workspace.engine.apply([change]).usage
    assert usage is not None and usage.epoch == 2


def test_a_typed_query_makes_no_epoch_and_reads_during_it_count(workspace: Workspace) -> None:
    started(workspace)
    for text in ("图片排序", "guide"):
        usage = workspace.engine.settle([Ask(text)]).usage
        assert usage is not None and usage.epoch == 1
    usage = tell(workspace, read(RETRY), read(GUIDE))
    assert (usage.epoch, usage.counts.reads, usage.counts.inside) == (1, 2, 1)
    back = workspace.engine.settle([Ask(None)]).usage
    assert back is not None
    assert (back.counts.reads, back.counts.inside) == (2, 1)


def test_a_typed_query_at_the_start_holds_reads_until_there_is_a_pack(workspace: Workspace) -> None:
    workspace.log.waiting = [INFO]
    workspace.log.say("retry backoff")
    workspace.log.waiting.append(read(RETRY))
    usage = workspace.engine.settle([Track(True), Ask("guide")]).usage
    assert usage is not None and usage.counts.reads == 0
    back = workspace.engine.settle([Ask(None)]).usage
    assert back is not None and (back.counts.reads, back.counts.inside) == (1, 1)


def test_an_index_that_fills_makes_no_epoch(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    for number in range(12):
        workspace.write(f"d{number:02}.md", f"# Part {number}\n\n" + "needle words " * 19_000)
    workspace.log.waiting = [INFO]
    workspace.log.say("needle")
    partial = workspace.engine.apply([Track(True)])
    assert not partial.complete and partial.usage is not None
    assert partial.usage.epoch == 0
    whole = workspace.engine.settle().usage
    assert whole is not None and whole.epoch == 1


# The log is told again.


def test_a_log_that_was_cut_is_told_again_and_nothing_counts_twice(workspace: Workspace) -> None:
    started(workspace)
    before = tell(workspace, read(RETRY, "1"), read(GUIDE, "2"))
    told = (INFO, UserMessage("0", "retry backoff"), read(RETRY, "1"), read(GUIDE, "2"))
    assert tell(workspace, Reset("truncated"), *told) == before, "every moment, every place, no epoch"
    shorter = tell(workspace, Reset("truncated"), *told[:-1])
    assert shorter.counts.reads == 1


def test_another_session_has_counts_of_its_own_and_the_first_comes_back(workspace: Workspace) -> None:
    started(workspace)
    first = tell(workspace, read(RETRY, "1"))
    other = tell(workspace, Reset("session"), SessionInfo("claude", "s2", "/ws"), read(GUIDE))
    assert (other.session, other.read, other.counts.reads) == ("s2", (GUIDE,), 1)
    back = tell(workspace, Reset("session"), INFO, read(RETRY, "1"))
    assert (back.session, back.read) == ("s1", (RETRY,))
    assert back.documents[RETRY].first_read == first.documents[RETRY].first_read


def test_a_session_that_left_the_workspace_leaves_nothing(workspace: Workspace) -> None:
    started(workspace, read(RETRY))
    usage = tell(workspace, Reset("moved"))
    assert usage == Usage()


def test_turned_on_after_another_session_was_followed_it_knows_the_newest_only(workspace: Workspace) -> None:
    workspace.log.waiting = [INFO, read(RETRY)]
    workspace.say("retry backoff")
    workspace.log.waiting = [Reset("session"), SessionInfo("claude", "s2", "/ws"), read(GUIDE)]
    workspace.engine.settle([SessionChanged()])
    usage = workspace.engine.apply([Track(True)]).usage
    assert usage is not None and (usage.session, usage.read) == ("s2", (GUIDE,))


@pytest.mark.parametrize("first", [(), (Reset("session"),)], ids=("found", "changed"))
def test_a_session_that_is_found_later_is_told_from_its_start(
    workspace: Workspace, first: tuple[Event, ...]
) -> None:
    workspace.engine.settle([Track(True)])
    usage = tell(workspace, *first, INFO, read(RETRY))
    assert usage.recent is not None and usage.recent.at is None
    later = tell(workspace, read(RETRY))
    assert later.recent is not None and later.recent.at is not None
    # The session goes on in another folder: nothing of it is told again.
    moved = tell(workspace, SessionInfo("claude", "s1", "/ws/docs"), read(GUIDE))
    assert moved.recent is not None and (moved.recent.rel, moved.recent.at is None) == (GUIDE, False)


# Files.


def test_a_save_after_the_read_updates_and_the_next_read_knows(workspace: Workspace) -> None:
    started(workspace)
    usage = tell(workspace, read(RETRY))
    assert usage.documents[RETRY].status is Status.READ
    workspace.write(RETRY, "# Retry policy\n\nbackoff, anew\n")
    after = workspace.engine.settle([WorkspaceChanged()]).usage
    assert after is not None
    assert (after.documents[RETRY].status, after.documents[RETRY].changed) == (Status.UPDATED, Change.OTHER)
    assert tell(workspace, read(RETRY)).documents[RETRY].status is Status.REREAD


def test_the_time_of_a_file_is_that_at_the_read_not_of_the_scan(workspace: Workspace) -> None:
    started(workspace)
    # Saved, but not yet scanned when the agent reads it: that is what the agent knows.
    workspace.write(RETRY, "# Retry policy\n\nbackoff, anew\n")
    tell(workspace, read(RETRY))
    after = workspace.engine.settle([WorkspaceChanged()]).usage
    assert after is not None and after.documents[RETRY].status is Status.READ


def test_an_edit_by_the_agent_is_told_as_its_own(workspace: Workspace) -> None:
    started(workspace)
    tell(workspace, read(RETRY))
    workspace.write(RETRY, "# Retry policy\n\nbackoff, anew\n")
    usage = tell(workspace, edit(RETRY))
    assert (usage.documents[RETRY].status, usage.documents[RETRY].changed) == (Status.UPDATED, Change.AGENT)
    after = workspace.engine.settle([WorkspaceChanged()]).usage
    assert after is not None and after.documents[RETRY].changed is Change.AGENT


def test_a_link_is_looked_at_and_not_followed(workspace: Workspace) -> None:
    (workspace.root / "link.md").symlink_to(RETRY)
    os.utime(workspace.root / "link.md", ns=(5, 5), follow_symlinks=False)
    seen: list[int | None] = []
    tracker = counting(workspace.root, seen)
    tracker.take([INFO], (), past=False)
    tracker.take([read("link.md"), read(RETRY), read("absent.md")], (), past=False)
    tracker.see(VIEW, "", ())
    assert seen == [5, (workspace.root / RETRY).lstat().st_mtime_ns, None]


def test_nothing_outside_the_workspace_is_looked_at(workspace: Workspace) -> None:
    seen: list[int | None] = []
    looked: list[str] = []
    tracker = counting(workspace.root, seen, looked)
    tracker.take([INFO], (), past=False)
    outside = ("/etc/hosts", "../x", "a/../../x", "~/x", "", ".", "x\0y", "http://a/b", "y" * 5000)
    tracker.take([read(path) for path in outside], (), past=False)
    assert looked == []
    tracker.see(VIEW, "", ())
    usage = tracker.usage({})
    assert usage is not None and (usage.counts.reads, usage.elsewhere) == (0, len(outside))


def test_a_file_that_was_used_before_it_was_seen_is_known_to_be_gone_later(workspace: Workspace) -> None:
    started(workspace)
    workspace.write("docs/new.md", "# New\n")
    tell(workspace, edit("docs/new.md"))
    workspace.engine.settle([WorkspaceChanged()])
    (workspace.root / "docs/new.md").unlink()
    usage = workspace.engine.settle([WorkspaceChanged()]).usage
    assert usage is not None and usage.documents["docs/new.md"].status is Status.GONE


def test_a_file_that_was_never_there_is_not_told_to_be_gone(workspace: Workspace) -> None:
    started(workspace)
    tell(workspace, read("build/out.txt"))
    usage = workspace.engine.settle([WorkspaceChanged()]).usage
    assert usage is not None and usage.documents["build/out.txt"].status is Status.READ


def test_an_excluded_document_is_counted_outside(workspace: Workspace) -> None:
    started(workspace)
    workspace.engine.apply([Exclude(RETRY)])
    usage = tell(workspace, read(RETRY))
    assert usage.outside == (RETRY,)
    workspace.engine.apply([Restore(RETRY)])
    usage = tell(workspace, read(RETRY))
    assert (usage.counts.outside, usage.counts.inside) == (1, 1)


# Limits.


def test_what_was_too_long_ago_is_told(workspace: Workspace) -> None:
    tracker = Tracker(workspace.root)
    tracker.take([INFO, *(read(RETRY) for _ in range(KEPT + 7))], (), past=True)
    assert not tracker.notices
    tracker.turn(True)
    assert tracker.notices == (Notice("usage-partial", (("count", "7"),)),)
    tracker.take([Reset("session")], (), past=False)
    assert not tracker.notices


def test_what_was_counted_as_it_came_is_not_told_to_be_missing(workspace: Workspace) -> None:
    tracker = Tracker(workspace.root)
    tracker.turn(True)
    tracker.take([INFO, *(read(RETRY) for _ in range(KEPT + 7))], (), past=True)
    tracker.see(VIEW, "", ())
    usage = tracker.usage({})
    assert usage is not None and usage.counts.reads == KEPT + 7
    assert tracker.notices == ()


VIEW = View(Tab.CONTEXT, Mode.NEWEST)


def counting(root: Path, seen: list[int | None], looked: list[str] | None = None) -> Tracker:
    """A tracker that is on; ``seen`` gets each time of a file it found, ``looked`` what it looked for."""
    tracker = Tracker(root)
    tracker.turn(True)
    look = tracker._mtime

    def mtime(rel: str) -> int | None:
        if looked is not None:
            looked.append(rel)
        found = look(rel)
        seen.append(found)
        return found

    tracker._mtime = mtime  # type: ignore[method-assign]
    return tracker


def test_the_pack_in_force_is_a_tier_and_a_number(workspace: Workspace) -> None:
    started(workspace)
    usage = tell(workspace, read(RETRY))
    found = usage.documents[RETRY]
    assert found.tier in (Tier.PRIMARY, Tier.SUPPORTING) and found.number == 1
