"""The session of a workspace, found and kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from knit_tui.model import SessionStatus
from knit_tui.sessions.events import ReadDone, Reset, SessionInfo, UserMessage
from knit_tui.sessions.locate import LIVE
from tests.sessions.desk import Desk
from tests.sessions.logs import (
    Claude,
    append,
    codex_event,
    codex_meta,
    line,
    prompts,
    reads,
    write,
)

START = 1_790_000_000.0


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# The workspace's session.


def test_none(desk: Desk) -> None:
    follower = desk.follower()
    assert follower.poll() == ()
    assert follower.status == SessionStatus("none", how="directory")
    assert follower.notices == ()


def test_off(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower("none")
    assert follower.poll() == ()
    assert follower.status == SessionStatus("off")


def test_it_is_found_and_followed(desk: Desk) -> None:
    path = desk.say("s1", "dim it")
    follower = desk.follower()
    events = follower.poll()
    assert [type(event) for event in events] == [SessionInfo, UserMessage]
    assert follower.status == SessionStatus("following", "claude", "s1", str(path), "directory")
    assert follower.poll() == ()
    desk.say("s1", "red it")
    assert prompts(follower.poll()) == ["red it"]


def test_a_session_that_begins_later_is_found(desk: Desk) -> None:
    follower = desk.follower()
    assert follower.poll() == ()
    desk.say("s1", "dim it")
    assert prompts(desk.later(follower, 0.6)) == ["dim it"]


def test_unknown_and_damaged_records_are_counted(desk: Desk) -> None:
    path = desk.say("s1", "dim it")
    with path.open("ab") as file:
        file.write(b"undefined\n" + line({"type": "future"}) + b"null\n")
    follower = desk.follower()
    follower.poll()
    assert (follower.status.unknown, follower.status.damaged) == (1, 2)


def test_shell_reads_whose_outcome_is_not_told_are_checked_on_disk(desk: Desk) -> None:
    (desk.root / "a.md").touch()
    path = desk.say("s1", "look")
    log = desk.logs["s1"]
    append(
        path, log.call("Bash", "c1", command="cat a.md gone.md | head"), log.done("c1", "x", {"stdout": "x"})
    )
    assert reads(desk.follower().poll()) == [("a.md", True, "inferred")]


# Several sessions.


def test_it_keeps_to_its_session_until_a_person_writes_into_another(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = desk.follower()
    assert prompts(follower.poll()) == ["dim it"]
    append(desk.path("s2"), desk.logs["s2"].says("still working"))
    assert desk.later(follower) == ()
    assert follower.status.others == 1
    desk.say("s2", "now this")
    events = desk.later(follower)
    assert events[0] == Reset("session")
    assert prompts(events) == ["old talk", "now this"]
    assert follower.status.session_id == "s2"
    assert desk.later(follower) == ()


def test_a_new_session_takes_over_with_its_first_prompt(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    desk.say("s2", "<command-name>/model</command-name>")
    assert desk.later(follower) == ()
    desk.say("s2", "new start")
    events = desk.later(follower)
    assert [type(event) for event in events] == [Reset, SessionInfo, UserMessage]


def test_an_old_log_that_appears_does_not_take_over(desk: Desk) -> None:
    desk.clock -= 5000
    path = desk.say("s2", "from yesterday")
    content = path.read_bytes()
    path.unlink()
    desk.clock += 5000
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    path.write_bytes(content)
    assert desk.later(follower) == ()


def test_a_prompt_seen_to_come_counts_whatever_its_clock_says(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    append(desk.path("s2"), desk.logs["s2"].user("now this") | {"timestamp": "1999-12-31T23:59:59Z"})
    assert prompts(desk.later(follower)) == ["old talk", "now this"]


def test_our_own_later_prompt_keeps_us(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    name = follower.status.session_id
    desk.clock += 1
    desk.say("s1" if name == "s2" else "s2", "theirs")
    desk.clock += 1
    desk.say(name, "ours")
    assert prompts(desk.later(follower)) == ["ours"]
    assert follower.status.session_id == name


def test_a_session_above_does_not_take_over_but_one_below_does(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    desk.clock += 1
    desk.say("up", "elsewhere", desk.root.parent)
    assert desk.later(follower) == ()
    desk.say("sub", "the web part", desk.root / "web")
    assert prompts(desk.later(follower)) == ["the web part"]


def test_a_foreign_project_with_the_same_folder_name_is_never_told(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    foreign = Claude(str(desk.root) + "/../la.mp", "s9")
    write(desk.path("s9"), [foreign.user("CANARY") | {"timestamp": desk.stamp()}] * 3)
    assert desk.later(follower) == ()


def test_others_are_the_live_ones(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += LIVE + 5
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    assert follower.status.others == 0


def test_the_folders_are_listed_every_two_seconds(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    looks: list[float] = []
    refresh = follower._finder.refresh

    def counted(now: float) -> None:
        looks.append(now)
        refresh(now)

    monkeypatch.setattr(follower._finder, "refresh", counted)
    for _ in range(40):
        desk.later(follower, 0.25)
    assert len(looks) == 5
    desk.clock -= 100
    follower.poll()
    assert len(looks) == 6, "a clock that goes back does not stop the looking"


# A log that was named.


def test_a_named_log_is_followed_wherever_its_session_runs(desk: Desk, tmp_path: Path) -> None:
    path = write(tmp_path / "any.jsonl", [Claude("/elsewhere", "s9").user("dim it")])
    desk.say("s1", "the workspace's own")
    follower = desk.follower(str(path))
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.status == SessionStatus("following", "claude", "s9", str(path), "option")
    append(path, Claude("/elsewhere", "s9").user("red it", uuid="x"))
    assert prompts(desk.later(follower)) == ["red it"]
    assert desk.later(follower) == ()


def test_a_named_log_of_codex(desk: Desk, tmp_path: Path) -> None:
    path = write(
        tmp_path / "r.jsonl", [codex_meta("/elsewhere"), codex_event("user_message", message="dim it")]
    )
    follower = desk.follower(str(path))
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.status.agent == "codex"


@pytest.mark.parametrize(
    ("make", "state"),
    [
        (lambda path: None, "missing"),
        (lambda path: path.mkdir(), "not-a-log"),
        (lambda path: path.write_bytes(bytes(range(256)) * 9), "not-a-log"),
        (lambda path: path.write_text('{"name": "lamp"}\n'), "not-a-log"),
        (lambda path: path.touch(), "none"),
    ],
    ids=["missing", "folder", "binary", "json", "empty"],
)
def test_a_named_log_that_is_none_yet(desk: Desk, tmp_path: Path, make: Any, state: str) -> None:
    path = tmp_path / "x.jsonl"
    make(path)
    follower = desk.follower(str(path))
    for _ in range(3):
        assert desk.later(follower) == ()
    assert follower.status == SessionStatus(state, path=str(path), how="option")
    if path.is_dir():
        path.rmdir()
    write(path, [Claude(str(desk.root), "s9").user("dim it")])
    assert prompts(desk.later(follower)) == ["dim it"]
    assert follower.status.state == "following"


def test_a_named_log_that_may_not_be_read(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "x.jsonl", [Claude(str(desk.root), "s9").user("dim it")])
    real = os.open

    def refuse(name: Any, *more: Any, **rest: Any) -> int:
        if name == str(path):
            raise PermissionError(13, "no")
        return real(name, *more, **rest)

    monkeypatch.setattr(os, "open", refuse)
    follower = desk.follower(str(path))
    assert follower.poll() == ()
    assert follower.status.state == "unreadable"
    monkeypatch.undo()
    assert prompts(desk.later(follower)) == ["dim it"]


def test_a_named_log_is_judged_once_while_it_stays_the_same(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    path.write_text("hello\n")
    follower = desk.follower(str(path))
    follower.poll()
    monkeypatch.setattr("knit_tui.sessions.follow.identify", lambda *more: pytest.fail("looked again"))
    assert desk.later(follower) == ()
    assert follower.status.state == "not-a-log"


def test_a_named_log_that_becomes_another_agents(desk: Desk, tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", [Claude(str(desk.root), "s9").user("dim it " * 50)])
    follower = desk.follower(str(path))
    follower.poll()
    path.unlink()
    assert desk.later(follower) == ()
    assert follower.status.state == "missing"
    write(path, [codex_meta(str(desk.root)), codex_event("user_message", message="red it")])
    events = desk.later(follower)
    assert isinstance(events[0], Reset)
    assert prompts(events) == ["red it"]
    assert follower.status.agent == "codex"


def test_paths_are_told_from_the_workspace_through_a_link(desk: Desk, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(desk.root)
    log = Claude(str(link), "s9")
    rows = [log.user("look"), log.call("Read", "c1", file_path=f"{link}/docs/a.md"), log.done("c1", "x", {})]
    path = write(tmp_path / "x.jsonl", rows)
    events = desk.follower(str(path)).poll()
    assert [event.path for event in events if isinstance(event, ReadDone)] == ["docs/a.md"]


def test_a_file_system_that_fails_everywhere_raises_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()

    def fail(*args: Any, **more: Any) -> Any:
        raise OSError(5, "Input/output error")

    for name in ("stat", "open", "scandir"):
        monkeypatch.setattr(os, name, fail)
    for _ in range(4):
        assert desk.later(follower) == ()
    assert follower.status.state == "missing"
    monkeypatch.undo()
    desk.say("s1", "red it")
    assert prompts(desk.later(follower)) == ["red it"]
