"""What happens to the log that is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.model import Notice
from knit_tui.sessions.events import Reset, SessionInfo
from knit_tui.sessions.locate import FRESH
from tests.sessions.desk import Desk
from tests.sessions.logs import (
    Claude,
    append,
    codex_copy,
    codex_event,
    codex_meta,
    line,
    prompts,
    write,
)

START = 1_790_000_000.0


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_truncated_replaced_removed_recreated_rotated(desk: Desk) -> None:
    path = desk.say("s1", "step 0, rather long so that what follows is shorter " * 3)
    follower = desk.follower()
    follower.poll()

    def step(text: str, count: int = 1) -> bytes:
        log = Claude(str(desk.root), "s1")
        return b"".join(
            line(log.user(f"{text} {number}", uuid=f"{text}-{number}")) for number in range(count)
        )

    path.write_bytes(step("one"))
    events = desk.later(follower)
    assert (events[0], prompts(events)) == (Reset("truncated"), ["one 0"])

    path.write_bytes(step("two", 5))
    events = desk.later(follower)
    assert (events[0], len(prompts(events))) == (Reset("replaced"), 5)

    other = path.with_suffix(".tmp")
    other.write_bytes(step("three", 9))
    os.replace(other, path)
    events = desk.later(follower)
    assert (events[0], len(prompts(events))) == (Reset("replaced"), 9)

    path.unlink()
    assert desk.later(follower) == ()
    assert follower.status.state == "missing"
    path.write_bytes(step("four", 20))
    events = desk.later(follower)
    assert isinstance(events[0], Reset)
    assert len(prompts(events)) == 20
    assert follower.status.state == "following"

    path.rename(path.with_suffix(".jsonl.1"))
    path.write_bytes(step("five", 3))
    events = desk.later(follower)
    assert (events[0], len(prompts(events))) == (Reset("replaced"), 3)

    folder = path.parent
    folder.rename(folder.with_name("gone"))
    assert desk.later(follower) == ()
    folder.mkdir()
    log = Claude(str(desk.root), "s2")
    write(folder / "s2.jsonl", [log.user("six")])
    events = desk.later(follower)
    assert (events[0], prompts(events)) == (Reset("session"), ["six"])

    (folder / "s2.jsonl").unlink()
    folder.rmdir()
    assert desk.later(follower) == ()
    folder.mkdir()
    path.write_bytes(step("seven"))
    events = desk.later(follower)
    assert (events[0], prompts(events)) == (Reset("session"), ["seven 0"])


def test_a_log_that_is_emptied_and_filled_with_another_project_is_left(desk: Desk) -> None:
    path = desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    write(path, [Claude("/elsewhere/lamp", "s1").user("CANARY")])
    events = desk.later(follower)
    assert events == (Reset("replaced"),) or events == (Reset("truncated"),)
    assert follower.status.state == "none"


def test_nothing_is_told_before_the_folder_is_known(desk: Desk) -> None:
    path = desk.say("s1", "dim it")
    follower = desk.follower()
    follower.poll()
    path.write_bytes(line({"type": "last-prompt", "lastPrompt": "who", "sessionId": "s1"}))
    assert desk.later(follower) == (Reset("truncated"),)
    append(path, Claude(str(desk.root), "s1").user("here"))
    assert prompts(desk.later(follower)) == ["who", "here"]


def test_a_session_that_leaves_the_workspace_is_left(desk: Desk) -> None:
    path = desk.home / ".codex/sessions/2026/09/21/rollout-1.jsonl"
    items = [
        codex_meta(str(desk.root)),
        codex_copy("user", "dim it"),
        codex_event("user_message", message="dim it"),
    ]
    write(path, items)
    os.utime(path, (desk.clock, desk.clock))
    follower = desk.follower()
    assert prompts(follower.poll()) == ["dim it"]
    append(
        path,
        {"type": "turn_context", "payload": {"cwd": "/elsewhere"}},
        codex_event("user_message", message="no"),
    )
    assert desk.later(follower) == (Reset("moved"),)
    assert follower.status.state == "none"


def test_a_session_that_was_moved_here_is_followed(desk: Desk) -> None:
    path = desk.home / ".codex/sessions/2026/09/21/rollout-1.jsonl"
    here = {"type": "turn_context", "payload": {"cwd": str(desk.root)}}
    elsewhere = codex_event("user_message", message="no")
    write(path, [codex_meta("/elsewhere"), elsewhere, here, codex_event("user_message", message="dim it")])
    os.utime(path, (desk.clock, desk.clock))
    follower = desk.follower()
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.status.state == "following"
    for _ in range(3):
        assert desk.later(follower) == ()
    assert follower.status.state == "following"


def test_a_waiting_record_is_told_after_a_second(desk: Desk) -> None:
    path = desk.home / ".codex/sessions/2026/09/21/rollout-1.jsonl"
    bare = [
        {"id": "67c5", "timestamp": "t", "instructions": None, "git": {}},
        codex_copy("user", f"<environment_context><cwd>{desk.root}</cwd>")["payload"],
        codex_copy("user", "dim it")["payload"],
    ]
    write(path, bare)
    follower = desk.follower()
    assert prompts(follower.poll()) == []
    assert prompts(desk.later(follower, 0.25)) == []
    assert prompts(desk.later(follower, 1.0)) == ["dim it"]
    assert desk.later(follower, 1.0) == ()


# Long logs.


def test_a_long_log_is_read_from_near_its_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.log._WINDOWS", (4000, 16000))
    path = desk.say("s1", "the beginning")
    log = desk.logs["s1"]
    append(path, *(log.says("x" * 200) for _ in range(200)))
    for number in range(7):
        desk.say("s1", f"talk {number}")
    follower = desk.follower()
    events = follower.poll()
    assert prompts(events) == [f"talk {number}" for number in range(7)]
    assert isinstance(events[0], SessionInfo)
    notice = follower.notices[0]
    assert (notice.code, notice.facts[0][0]) == ("session-partial", "bytes")
    assert int(notice.facts[0][1]) == path.stat().st_size - 4000


def test_it_goes_further_back_until_there_is_enough(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.log._WINDOWS", (2000, 8000, 1 << 20))
    path = desk.say("s1", "the beginning")
    log = desk.logs["s1"]
    append(path, *(log.says("x" * 200) for _ in range(40)))
    events = desk.follower().poll()
    assert prompts(events) == ["the beginning"]
    assert len([event for event in events if isinstance(event, SessionInfo)]) == 1


def test_long_lines_are_passed_over_and_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = desk.say("s1", "dim it")
    with path.open("ab") as file:
        file.write(b'{"x":"' + b"y" * (3 << 20) + b'"}\n')
    desk.say("s1", "red it")
    follower = desk.follower()
    assert prompts(follower.poll()) == ["dim it", "red it"]
    assert follower.notices == (Notice("session-long-lines", (("count", "1"),)),)


def test_an_old_session_says_so(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.clock += FRESH + 3700
    follower = desk.follower()
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.notices == (Notice("session-old", (("hours", "13"),)),)
