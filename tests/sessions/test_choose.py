"""Which session is followed: named by its id, by the environment, by hand, or found."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.engine.changes import Follow
from knit_tui.engine.engine import Engine
from knit_tui.model import SessionStatus
from knit_tui.sessions.events import Reset, SessionInfo, UserMessage
from knit_tui.sessions.format import Format, Live
from knit_tui.sessions.formats import claude, codex
from knit_tui.sessions.listing import Address
from knit_tui.sessions.locate import FRESH
from knit_tui.sessions.peek import peek
from knit_tui.workspace.scan import Scanner
from tests.sessions.choosing import chosen, codex_log, follow, of_many, offered, old
from tests.sessions.desk import Desk
from tests.sessions.logs import Claude, append, codex_event, codex_meta, prompts, write


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# By its id.


@pytest.mark.parametrize("choice", ["0199ab-x", "0199a", "01"])
def test_a_session_is_named_by_its_id_or_how_it_begins(desk: Desk, choice: str) -> None:
    path = desk.say("0199ab-x", "dim it")
    desk.say("77", "newer, and another")
    follower = follow(desk, choice)
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.status == SessionStatus("following", "claude", "0199ab-x", str(path), "option", others=1)
    desk.clock += 5
    desk.say("77", "and newer")
    assert desk.later(follower) == ()


@pytest.mark.parametrize("choice", ["0199", "0299", "no-such-1"])
def test_an_id_that_names_none_or_more_than_one(desk: Desk, choice: str) -> None:
    desk.say("0199a", "dim it")
    desk.say("0199b", "red it")
    follower = follow(desk, choice)
    assert follower.poll() == desk.later(follower) == ()
    assert follower.status == SessionStatus("no-such-session", path=choice, how="option")
    assert len(follower.offers) == 2
    assert not any(offer.followed for offer in follower.offers)


def test_a_whole_id_counts_even_if_another_one_begins_so(desk: Desk) -> None:
    desk.say("0199", "dim it")
    desk.say("0199b", "red it")
    assert prompts(follow(desk, "0199").poll()) == ["dim it"]


def test_a_named_session_that_begins_later(desk: Desk) -> None:
    follower = follow(desk, "0199")
    assert follower.poll() == ()
    desk.say("0199b", "dim it")
    assert prompts(desk.later(follower)) == ["dim it"]
    desk.say("0199c", "its id begins so too, but ours was there first")
    assert desk.later(follower) == ()


def test_a_named_session_may_be_the_oldest_of_all(desk: Desk) -> None:
    desk.say("s1", "dim it")
    old(desk, 40)
    follower = follow(desk, "old39")
    assert prompts(follower.poll()) == ["long ago"], "the first look is all that a command has"


def test_what_is_a_file_is_no_id(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    desk.say("0199", "dim it")
    write(tmp_path / "0199", [Claude("/elsewhere", "s9").user("of the file")])
    assert prompts(follow(desk, "0199").poll()) == ["of the file"]


# By hand.


def test_the_chosen_session_is_followed_and_kept(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = follow(desk)
    follower.poll()
    assert [(offer.session_id, offer.followed) for offer in follower.offers] == [("s1", True), ("s2", False)]
    follower.choose(offered(follower, "s2").key)
    events = follower.poll()
    assert (events[0], prompts(events)) == (Reset("session"), ["old talk"])
    assert (follower.status.session_id, follower.status.how) == ("s2", "chosen")
    assert offered(follower, "s2").followed
    for number in range(3):
        desk.clock += 5
        desk.say("s1", f"newer {number}")
        assert desk.later(follower) == ()
    desk.say("s2", "red it")
    assert prompts(desk.later(follower)) == ["red it"]


def test_to_choose_none_is_to_have_one_found_again(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = chosen(desk, "s2")
    follower.choose(None)
    events = follower.poll()
    assert (events[0], prompts(events)) == (Reset("session"), ["dim it"])
    assert follower.status.how == "directory"
    desk.clock += 5
    desk.say("s2", "now this")
    assert prompts(desk.later(follower)) == ["old talk", "now this"]


def test_to_choose_the_followed_one_tells_nothing_again(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = follow(desk)
    follower.poll()
    follower.choose(offered(follower, "s1").key)
    assert follower.poll() == ()
    assert follower.status.how == "chosen"


def test_the_engine_follows_what_is_chosen(desk: Desk) -> None:
    desk.say("s2", "explain the dimmer")
    desk.clock += 10
    desk.say("s1", "explain the timer")
    engine = Engine(desk.root, Scanner(desk.root).scan, follow(desk))
    shown = engine.settle()
    assert (shown.session.session_id, shown.query.task) == ("s1", "explain the timer")
    keys = {offer.session_id: offer.key for offer in shown.sessions}
    shown = engine.settle([Follow(keys["s2"])])
    assert (shown.session.session_id, shown.query.task) == ("s2", "explain the dimmer")
    assert [offer.session_id for offer in shown.sessions if offer.followed] == ["s2"]
    shown = engine.settle([Follow(None)])
    assert (shown.session.session_id, shown.query.task) == ("s1", "explain the timer")


@pytest.mark.parametrize("choice", [None, "0199"])
def test_a_key_that_is_no_longer_offered_changes_nothing(desk: Desk, choice: str | None) -> None:
    desk.say("s1", "dim it")
    follower = follow(desk, choice)
    follower.poll()
    before = follower.status
    follower.choose("/gone.jsonl")
    assert follower.poll() == desk.later(follower) == ()
    assert follower.status == before


def test_a_choice_by_hand_ends_one_by_id(desk: Desk) -> None:
    desk.say("0199a", "dim it")
    desk.say("0199b", "red it")
    follower = follow(desk, "0199")
    follower.poll()
    follower.choose(offered(follower, "0199b").key)
    assert prompts(follower.poll()) == ["red it"]
    assert follower.status.how == "chosen"


def test_to_choose_none_ends_the_wait_for_a_named_one(desk: Desk) -> None:
    follower = follow(desk, "0199")
    follower.poll()
    follower.choose(None)
    assert follower.poll() == ()
    assert follower.status == SessionStatus("none", how="directory")
    desk.say("s1", "dim it")
    assert prompts(desk.later(follower)) == ["dim it"]


def test_a_chosen_session_whose_log_goes_is_waited_for(desk: Desk) -> None:
    path = desk.say("s2", "old talk")
    desk.say("s1", "dim it")
    follower = chosen(desk, "s2")
    content = path.read_bytes()
    path.unlink()
    assert desk.later(follower) == ()
    assert (follower.status.state, follower.status.how) == ("missing", "chosen")
    path.write_bytes(content)
    desk.say("s2", "red it")
    assert prompts(desk.later(follower))[-1:] == ["red it"]
    assert follower.status.state == "following"


@pytest.mark.parametrize("choice", ["none", "/elsewhere/x.jsonl"])
def test_where_the_option_left_no_choice_there_is_none(desk: Desk, choice: str) -> None:
    path = desk.say("s1", "dim it")
    follower = follow(desk, choice)
    follower.poll()
    before = follower.status
    for key in (str(path), None):
        follower.choose(key)
        assert follower.poll() == desk.later(follower) == ()
        assert (follower.status, follower.offers) == (before, ())


# By the environment.


def test_the_environment_names_the_session(desk: Desk) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = follow(desk, environ={"CLAUDE_CODE_SESSION_ID": "s2"})
    assert prompts(follower.poll()) == ["old talk"]
    assert follower.status.how == "environment"
    assert desk.later(follower) == ()
    desk.clock += 5
    desk.say("s1", "now this")
    assert prompts(desk.later(follower)) == ["dim it", "now this"], "it is where one begins, no more"


def test_the_environment_counts_more_than_the_nearest_folder(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.say("s2", "from above", desk.root.parent)
    assert prompts(follow(desk, environ={"CLAUDE_CODE_SESSION_ID": "s2"}).poll()) == ["from above"]


@pytest.mark.parametrize("variable", ["s9", "", "s", "s22"])
def test_an_id_in_the_environment_that_is_none_here(desk: Desk, variable: str) -> None:
    desk.say("s2", "old talk")
    desk.clock += 10
    desk.say("s1", "dim it")
    follower = follow(desk, environ={"CLAUDE_CODE_SESSION_ID": variable})
    assert prompts(follower.poll()) == ["dim it"]
    assert follower.status.how == "directory"


def test_a_variable_is_of_its_own_agent(desk: Desk) -> None:
    named = replace(codex.FORMAT, variables=("CODEX_THREAD",))
    codex_log(desk, "c1", "of Codex")
    desk.clock += 10
    desk.say("s1", "dim it")
    formats = (claude.FORMAT, named)
    assert prompts(follow(desk, environ={"CODEX_THREAD": "c1"}, formats=formats).poll()) == ["of Codex"]
    assert prompts(follow(desk, environ={"CODEX_THREAD": "s1"}, formats=formats).poll()) == ["dim it"]
    other = follow(desk, environ={"CLAUDE_CODE_SESSION_ID": "c1"}, formats=formats)
    assert prompts(other.poll()) == ["dim it"]


# By what runs.


def running(*live: Live) -> tuple[Format, ...]:
    return replace(claude.FORMAT, live=lambda home, environ: list(live)), codex.FORMAT


def test_one_that_ended_comes_after_the_others_of_the_same_folder(desk: Desk) -> None:
    desk.say("s2", "old talk", desk.root / "web")
    desk.clock += 10
    desk.say("s1", "dim it", desk.root / "app")
    assert prompts(follow(desk, formats=running(Live("s2", ""))).poll()) == ["old talk"]
    assert prompts(follow(desk, formats=running(Live("s9", str(desk.root / "web")))).poll()) == ["old talk"]
    assert prompts(follow(desk, formats=running()).poll()) == ["dim it"]
    assert prompts(follow(desk).poll()) == ["dim it"]
    desk.clock += 10
    desk.say("s3", "ended, and in this very folder")
    assert prompts(follow(desk, formats=running(Live("s2", ""))).poll()) == ["ended, and in this very folder"]
    codex_log(desk, "c1", "nobody tells of it")
    assert prompts(follow(desk, formats=running(Live("s2", ""))).poll()) == ["nobody tells of it"]


def test_what_runs_is_told_with_the_offers(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.say("s2", "old talk", desk.root / "web")
    codex_log(desk, "c1", "nobody tells of it")
    follower = follow(desk, formats=running(Live("s2", "")))
    follower.poll()
    assert {offer.session_id: offer.live for offer in follower.offers} == {
        "s1": False,
        "s2": True,
        "c1": None,
    }
    assert {offer.live for offer in follow(desk).all_offers()} == {None}


# Old ones, of which a few are looked into at a time.


def test_old_sessions_are_offered_by_and_by(desk: Desk) -> None:
    desk.say("s1", "dim it")
    old(desk, 10)
    follower = follow(desk)
    follower.poll()
    assert len(follower.offers) == 5
    assert desk.later(follower) == desk.later(follower) == ()
    assert len(follower.offers) == 11


@pytest.mark.parametrize("count", [10, 80])
def test_all_are_offered_when_asked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    desk.say("s1", "dim it")
    paths = old(desk, count)
    paths[0].write_bytes(b"not a log\n")
    looked: list[Address] = []

    def counted(address: Address, *more: Any) -> Any:
        looked.append(address)
        return peek(address, *more)

    monkeypatch.setattr("knit_tui.sessions.locate.peek", counted)
    follower = follow(desk)
    follower.poll()
    offers = follower.all_offers()
    assert [offer.session_id for offer in offers] == ["s1", *(f"old{number}" for number in range(1, count))]
    assert [offer.followed for offer in offers] == [True] + [False] * (count - 1)
    assert len(looked) == len(set(looked)) == count + 1


def test_all_are_offered_though_logs_change_all_the_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [desk.say(f"s{number}", "dim it") for number in range(70)]

    def growing(address: Address, *more: Any) -> Any:
        for path in paths:
            append(path, {"type": "mode", "sessionId": "s"})
        return peek(address, *more)

    monkeypatch.setattr("knit_tui.sessions.locate.peek", growing)
    assert len(follow(desk).all_offers()) == 70


def test_an_old_session_that_is_looked_into_late_does_not_take_over(desk: Desk) -> None:
    """One whose agent worked all night is followed; others were written in last evening, later than it."""
    now = desk.clock
    old(desk, 12)
    desk.clock = now - FRESH - 1000
    path = desk.say("s1", "dim it, and take the night for it")
    desk.clock = now
    os.utime(path, (now, now))
    follower = follow(desk)
    assert prompts(follower.poll()) == ["dim it, and take the night for it"]
    for _ in range(6):
        assert desk.later(follower) == ()
    assert len(follower.offers) == 13


# A log that was named.


def test_a_named_log_that_is_replaced_by_another_agents(desk: Desk, tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", [Claude(str(desk.root), "s9").user("dim it")])
    follower = follow(desk, str(path))
    follower.poll()
    other = write(tmp_path / "y", [codex_meta("/elsewhere"), codex_event("user_message", message="red it")])
    os.replace(other, path)
    events = desk.later(follower)
    assert [type(event) for event in events] == [Reset, SessionInfo, UserMessage]
    assert (prompts(events), follower.status.agent) == (["red it"], "codex")
    path.write_text("no log any more, and rather long so that it is not taken for one that grows\n" * 9)
    assert desk.later(follower) == (Reset("replaced"),)
    assert follower.status == SessionStatus("not-a-log", path=str(path), how="option")


def test_a_session_in_a_named_file_of_many(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [Claude(session=name).user(f"in {name}", uuid=name) for name in ("s1", "s2")]
    log = write(tmp_path / "all.jsonl", rows)
    opened: list[str] = []
    monkeypatch.setattr("knit_tui.sessions.follow.FORMATS", (of_many(opened),))
    assert prompts(follow(desk, f"{log}#s1").poll()) == ["in s1"]
    assert prompts(follow(desk, str(log)).poll()) == ["in s2"]
    follower = follow(desk, f"{log}#s3")
    assert follower.poll() == ()
    assert follower.status == SessionStatus("not-a-log", path=f"{log}#s3", how="option")
    del opened[:]
    assert follower.poll() == desk.later(follower) == ()
    assert opened == [], "it is judged again only when it changed"
    append(log, Claude(session="s3").user("in s3", uuid="s3"))
    assert prompts(desk.later(follower)) == ["in s3"]
