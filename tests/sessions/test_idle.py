"""What looking for sessions costs while nothing changes, in calls to the system."""

from __future__ import annotations

import builtins
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.follow import Follower
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import FORMATS, claude, codex
from knit_tui.sessions.told import folder
from tests.sessions.choosing import codex_log, follow
from tests.sessions.desk import Desk
from tests.sessions.logs import Claude, prompts, write

BOTH = (replace(claude.FORMAT, live=None), codex.FORMAT)
COUNTED = ("stat", "lstat", "scandir", "listdir", "open", "readlink")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@contextmanager
def counting() -> Iterator[Counter[str]]:
    calls: Counter[str] = Counter()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*more: Any, **rest: Any) -> Any:
            calls[name] += 1
            return real(*more, **rest)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in COUNTED:
            patch.setattr(os, name, counted(name, getattr(os, name)))
        patch.setattr(builtins, "open", counted("open", open))
        yield calls


def settled(desk: Desk, formats: tuple[Format, ...] = BOTH) -> Follower:
    """A follower to which nothing is new any more."""
    follower = follow(desk, formats=formats)
    for _ in range(40):
        desk.later(follower)
    return follower


def cost(desk: Desk, follower: Follower, seconds: float) -> Counter[str]:
    with counting() as calls:
        assert desk.later(follower, seconds) == ()
    return calls


def home(desk: Desk, count: int) -> None:
    for number in range(count):
        desk.say(f"s{number}", "dim it")
        codex_log(desk, f"c{number}", "dim it", Path("/elsewhere"))


def test_an_idle_poll_asks_about_the_followed_log_and_nothing_else(desk: Desk) -> None:
    home(desk, 20)
    follower = settled(desk)
    desk.later(follower)
    for _ in range(7):
        assert cost(desk, follower, 0.25) == {"stat": 1}


def test_an_idle_poll_without_a_session_asks_nothing(desk: Desk) -> None:
    follower = settled(desk)
    desk.later(follower)
    assert cost(desk, follower, 0.25) == {}


def test_an_idle_look_asks_once_about_each_log_and_opens_none(desk: Desk) -> None:
    home(desk, 10)
    few = cost(desk, settled(desk), 2.5)
    for number in range(10, 30):
        desk.say(f"s{number}", "dim it")
        codex_log(desk, f"c{number}", "dim it", Path("/elsewhere"))
    many = cost(desk, settled(desk), 2.5)
    assert set(many) == {"stat", "scandir"}
    assert many["scandir"] == few["scandir"] <= 10
    assert many["stat"] - few["stat"] == 40
    assert few["stat"] <= 20 + 10


def test_an_idle_look_opens_no_word_of_a_hook_and_no_log_of_others(desk: Desk, tmp_path: Path) -> None:
    home(desk, 2)
    alone = cost(desk, settled(desk), 2.5)
    board = Path(folder(desk.home, {}))
    board.mkdir(parents=True)
    for number in range(30):
        log = write(tmp_path / f"{number}.jsonl", [Claude("/elsewhere", "s").user("dim it")])
        said = {"agent": "claude", "session_id": "s", "transcript_path": str(log), "at": desk.clock}
        (board / f"{number}.json").write_text(json.dumps(said | {"cwd": str(desk.root)}))
        (board / f"{number}-elsewhere.json").write_text(json.dumps(said | {"cwd": "/elsewhere"}))
        said |= {"transcript_path": str(desk.path("s1")), "cwd": str(desk.root)}
        (board / f"{number}-listed.json").write_text(json.dumps(said))
    told = cost(desk, settled(desk), 2.5)
    assert (told["open"], told["scandir"]) == (0, alone["scandir"])
    assert told["stat"] - alone["stat"] <= 30


def test_an_idle_look_at_worktrees(desk: Desk, tmp_path: Path) -> None:
    home(desk, 2)
    alone = cost(desk, settled(desk), 2.5)
    for number in range(50):
        folder = desk.root / ".git/worktrees" / str(number)
        folder.mkdir(parents=True)
        (folder / "gitdir").write_text(f"{tmp_path}/{number}/.git\n")
    trees = cost(desk, settled(desk), 2.5)
    assert trees == alone + Counter(stat=1)


def test_an_idle_look_at_what_runs(desk: Desk) -> None:
    home(desk, 2)
    alone = cost(desk, settled(desk), 2.5)
    registry = desk.home / ".claude/sessions"
    registry.mkdir(parents=True)
    for number in range(20):
        said = {"pid": os.getpid(), "sessionId": f"s{number}", "cwd": "/elsewhere"}
        (registry / f"{number}.json").write_text(json.dumps(said))
    runs = cost(desk, settled(desk, (claude.FORMAT, codex.FORMAT)), 2.5)
    assert runs["open"] <= 2 * 20
    assert runs["scandir"] - alone["scandir"] <= 1
    assert runs["stat"] - alone["stat"] <= 2


def test_agents_that_are_not_there_cost_next_to_nothing(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = settled(desk, FORMATS)
    assert prompts(follow(desk).poll()) == ["dim it"]
    calls = cost(desk, follower, 2.5)
    assert calls["open"] <= 2
    assert sum(calls.values()) <= 6 * len(FORMATS)
