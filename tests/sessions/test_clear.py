"""Sessions that take the place of another: a person cleared the conversation, or began a new one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from knit_tui.engine.conversation import told
from knit_tui.model import Message
from knit_tui.sessions.events import Reset, SessionInfo
from knit_tui.sessions.follow import Follower
from knit_tui.sessions.formats import claude, codex
from tests.sessions.choosing import CLEAR, chosen, codex_log, follow, offered, old
from tests.sessions.desk import Desk
from tests.sessions.logs import append, prompts


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("by", ["hand", "id"])
def test_a_chosen_session_is_left_for_the_one_that_took_its_place(desk: Desk, by: str) -> None:
    desk.say("s1", "dim it")
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2") if by == "hand" else follow(desk, "s2")
    follower.poll()
    for number in (3, 4):
        desk.clock += 5
        desk.say(f"s{number}", CLEAR)
        events = desk.later(follower)
        assert [type(event) for event in events] == [Reset, SessionInfo]
        assert follower.status.session_id == f"s{number}"
        assert follower.status.how == ("chosen" if by == "hand" else "option")
        desk.say("s1", "elsewhere")
        assert desk.later(follower) == ()
    desk.say("s4", "new start")
    assert prompts(desk.later(follower)) == ["new start"]


def never_over(desk: Desk, follower: Follower, session_id: str = "s2") -> None:
    for _ in range(3):
        assert desk.later(follower) == ()
    assert follower.status.session_id == session_id


def test_what_takes_no_ones_place(desk: Desk) -> None:
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2")
    desk.clock += 5
    desk.say("s3", "a second one, begun beside it")
    never_over(desk, follower)


def test_what_took_the_place_of_another_before(desk: Desk) -> None:
    desk.say("s3", CLEAR)
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2")
    desk.clock += 5
    desk.say("s3", "it was there when ours was chosen")
    never_over(desk, follower)


def test_what_took_the_place_of_another_while_ours_was_followed_and_not_yet_chosen(desk: Desk) -> None:
    desk.say("s2", "old talk")
    follower = follow(desk)
    follower.poll()
    desk.clock += 5
    desk.say("s2", "red it")
    desk.say("s3", CLEAR)
    assert prompts(desk.later(follower)) == ["red it"]
    follower.choose(offered(follower, "s2").key)
    assert follower.poll() == ()
    never_over(desk, follower)


def test_what_took_the_place_of_one_that_is_only_followed_until_the_chosen_one_is_back(desk: Desk) -> None:
    path = desk.say("s2", "old talk")
    desk.say("s1", "dim it")
    desk.clock += 5
    desk.say("s1", "red it")
    follower = follow(desk)
    follower.poll()
    follower.choose(offered(follower, "s2").key)
    content = path.read_bytes()
    path.unlink()
    assert follower.poll() == ()
    desk.say("s3", CLEAR)
    never_over(desk, follower, "s1")
    path.write_bytes(content)
    assert prompts(desk.later(follower)) == ["old talk"]


def test_what_runs_elsewhere_takes_no_ones_place(desk: Desk) -> None:
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2")
    desk.clock += 5
    desk.say("s3", CLEAR, desk.root / "web")
    desk.say("s4", CLEAR, desk.root.parent)
    never_over(desk, follower)


def test_what_is_of_another_agent_takes_no_ones_place(desk: Desk) -> None:
    clearing = replace(codex.FORMAT, clears=lambda record: record.get("type") == "session_meta")
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2", formats=(claude.FORMAT, clearing))
    desk.clock += 5
    codex_log(desk, "c1", "of Codex")
    never_over(desk, follower)
    assert offered(follower, "c1").last == "of Codex"


def test_an_old_log_that_is_looked_into_later_takes_no_ones_place(desk: Desk) -> None:
    old(desk, 12, CLEAR)
    desk.say("s2", "old talk")
    follower = follow(desk)
    follower.poll()
    follower.choose(offered(follower, "s2").key)
    for _ in range(6):
        assert desk.later(follower) == ()
    assert len(follower.offers) == 13
    assert follower.status.session_id == "s2"


def test_a_log_from_before_that_appears_takes_no_ones_place(desk: Desk) -> None:
    path = desk.say("s3", CLEAR)
    content = path.read_bytes()
    path.unlink()
    desk.clock += 5
    desk.say("s2", "old talk")
    follower = chosen(desk, "s2")
    path.write_bytes(content)
    never_over(desk, follower)


def test_a_choice_counts_more_than_what_took_the_place_of_the_one_before(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.say("s2", "old talk")
    follower = chosen(desk, "s1")
    desk.clock += 5
    desk.say("s3", CLEAR)
    follower.choose(offered(follower, "s2").key)
    assert prompts(follower.poll()) == ["old talk"]
    never_over(desk, follower)


# A session in which nothing was typed yet.


def test_a_cleared_session_is_an_empty_conversation(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = follow(desk)
    messages: tuple[Message, ...] = told((), follower.poll())
    assert [message.text for message in messages] == ["dim it"]
    desk.clock += 5
    desk.say("s2", CLEAR)
    messages = told(messages, desk.later(follower))
    assert messages == ()
    assert (offered(follower, "s2").last, offered(follower, "s2").followed) == ("", True)
    desk.say("s2", "new start")
    messages = told(messages, desk.later(follower, 0.2))
    assert [message.text for message in messages] == ["new start"]


def test_where_a_session_was_cleared_the_first_look_finds_it(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    desk.say("s2", CLEAR)
    follower = follow(desk)
    assert prompts(follower.poll()) == []
    assert follower.status.session_id == "s2"


def test_a_command_to_clear_after_a_prompt_begins_nothing(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.say("s1", CLEAR)
    follower = follow(desk)
    follower.poll()
    assert offered(follower, "s1").last == "dim it"
    assert not follower._finder.candidates[0].replaces


@pytest.mark.parametrize(("texts", "replaces"), [(("dim it", CLEAR), False), ((CLEAR, "dim it"), True)])
def test_in_a_long_log_its_first_part_tells(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, str], replaces: bool
) -> None:
    monkeypatch.setattr("knit_tui.sessions.peek._WINDOWS", (500,))
    for text in texts:
        path = desk.say("s1", text)
    append(path, *(desk.logs["s1"].says("x" * 100) for _ in range(20)))
    follower = follow(desk)
    follower.poll()
    assert follower._finder.candidates[0].replaces is replaces
    assert offered(follower, "s1").last == "dim it"
