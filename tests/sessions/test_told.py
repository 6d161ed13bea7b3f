"""What hooks tell of sessions: it leads to a log, and nothing in it can do harm."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from knit_tui.sessions.events import Reset, SessionInfo
from knit_tui.sessions.listing import Address
from knit_tui.sessions.locate import FRESH
from knit_tui.sessions.peek import peek
from knit_tui.sessions.told import Board, Told, folder
from tests.sessions.choosing import CLEAR, chosen, follow, offered, old
from tests.sessions.desk import START, Desk
from tests.sessions.logs import Claude, append, prompts, write


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def tell(desk: Desk, log: Path | str, name: str = "word", **more: Any) -> Path:
    """A hook of Claude Code runs, now."""
    said = {"agent": "claude", "session_id": "s2", "transcript_path": str(log), "cwd": str(desk.root)}
    path = Path(folder(desk.home, {})) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said | {"at": desk.clock} | more), encoding="utf-8")
    os.utime(path, (desk.clock, desk.clock))
    return path


def begun(desk: Desk, name: str, path: Path | None = None) -> Path:
    """A session in which nothing was typed yet."""
    log = desk.logs.setdefault(name, Claude(str(desk.root), name))
    write(path or desk.path(name), [log.attached("hook_success", hookEvent="SessionStart")])
    os.utime(path or desk.path(name), (desk.clock, desk.clock))
    return path or desk.path(name)


# Where it leads.


def test_a_told_session_is_followed_before_anything_is_typed(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    tell(desk, begun(desk, "s2"))
    follower = follow(desk)
    assert [type(event) for event in follower.poll()] == [SessionInfo]
    assert (follower.status.session_id, follower.status.how) == ("s2", "hook")
    desk.say("s2", "red it")
    assert prompts(desk.later(follower)) == ["red it"]


def test_without_a_word_it_is_not(desk: Desk) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    begun(desk, "s2")
    assert prompts(follow(desk).poll()) == ["dim it"]


def test_it_is_left_for_a_told_one(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = follow(desk)
    follower.poll()
    desk.clock += 5
    log = begun(desk, "s2")
    assert desk.later(follower) == ()
    tell(desk, log)
    assert [type(event) for event in desk.later(follower)] == [Reset, SessionInfo]
    assert (follower.status.session_id, follower.status.how) == ("s2", "hook")
    desk.say("s1", "our turn again")
    assert prompts(desk.later(follower)) == ["dim it", "our turn again"]


def test_a_session_that_is_taken_up_again_is_followed(desk: Desk) -> None:
    log = desk.say("s2", "old talk")
    desk.clock += 5
    desk.say("s1", "dim it")
    follower = follow(desk)
    follower.poll()
    desk.clock += 5
    tell(desk, log)
    events = desk.later(follower)
    assert (events[0], prompts(events)) == (Reset("session"), ["old talk"])
    tell(desk, desk.path("s1"), "other")
    tell(desk, log, at=desk.clock - 1)
    assert prompts(desk.later(follower)) == ["dim it"], "the one that was taken up last"
    tell(desk, desk.path("s1"), "other")
    tell(desk, log, at=desk.clock - 1)
    assert desk.later(follower) == desk.later(follower) == ()


def test_a_word_from_before_our_prompt_is_no_reason_to_leave(desk: Desk) -> None:
    log = desk.say("s2", "old talk")
    desk.clock += 5
    desk.say("s1", "dim it")
    follower = follow(desk)
    follower.poll()
    tell(desk, log, at=desk.clock - 1)
    assert desk.later(follower) == ()


def test_an_old_session_that_is_taken_up_again_is_fresh(desk: Desk) -> None:
    path = old(desk, 20)[19]
    desk.say("s1", "dim it")
    desk.clock += 5
    tell(desk, path, session_id="old19")
    assert prompts(follow(desk).poll()) == ["long ago"]


def test_a_log_outside_the_usual_folders_is_found(desk: Desk, tmp_path: Path) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    log = begun(desk, "s2", tmp_path / "moved/projects/x/s2.jsonl")
    tell(desk, log)
    follower = follow(desk)
    assert [type(event) for event in follower.poll()] == [SessionInfo]
    assert follower.status.path == str(log)


def test_a_word_comes_before_its_log(desk: Desk) -> None:
    tell(desk, desk.path("s2"))
    follower = follow(desk)
    assert follower.poll() == ()
    begun(desk, "s2")
    assert [type(event) for event in desk.later(follower)] == [SessionInfo]


def test_a_chosen_session_is_kept_whatever_is_told(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = chosen(desk, "s1")
    desk.clock += 5
    tell(desk, begun(desk, "s2"))
    assert desk.later(follower) == ()
    assert offered(follower, "s2").how == "hook"


def test_a_chosen_session_whose_place_is_taken_by_one_that_a_hook_told_first(desk: Desk) -> None:
    desk.say("s1", "dim it")
    follower = chosen(desk, "s1")
    desk.clock += 5
    tell(desk, begun(desk, "s2"))
    assert desk.later(follower) == ()
    desk.say("s2", CLEAR)
    assert [type(event) for event in desk.later(follower)] == [Reset, SessionInfo]
    assert follower.status.session_id == "s2"


# Words on others.


def test_what_is_told_of_other_workspaces_is_passed_over(desk: Desk, tmp_path: Path) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    other = tmp_path / "other"
    tell(desk, desk.say("s2", "CANARY", other), cwd=str(other))
    lying = write(tmp_path / "lying.jsonl", [Claude(str(other), "s3").user("CANARY")])
    tell(desk, lying, "lying", session_id="s3")
    nobody = write(tmp_path / "nobody.jsonl", [Claude(str(desk.root), "s4").user("CANARY")])
    tell(desk, nobody, "agent", agent="nobody")
    tell(desk, nobody, "cwd", cwd="")
    follower = follow(desk)
    assert prompts(follower.poll()) == ["dim it"]
    assert [offer.session_id for offer in follower.offers] == ["s1"]
    assert desk.later(follower) == ()


def test_what_is_told_of_others_is_looked_into_once(desk: Desk, tmp_path: Path) -> None:
    desk.say("s1", "dim it")
    old(desk, 2)
    for number in range(9):
        log = write(tmp_path / f"{number}.jsonl", [Claude("/elsewhere", "s").user("CANARY")])
        os.utime(log, (START - 2 * FRESH, START - 2 * FRESH))
        tell(desk, log, str(number), at=START - 2 * FRESH)
    looked: list[Address] = []

    def counted(address: Address, *more: Any) -> Any:
        looked.append(address)
        return peek(address, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knit_tui.sessions.locate.peek", counted)
        follower = follow(desk)
        follower.poll()
        assert len(follower.all_offers()) == 3, "and it comes to an end"
        desk.later(follower)
    assert len(looked) == len(set(looked)) == 12


# Hostile files.


def board(tmp_path: Path, *contents: bytes | str) -> dict[str, Told]:
    for number, content in enumerate(contents):
        path = tmp_path / f"{number}.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (START - 10, START - 10))
    return Board(str(tmp_path)).read(START)


def word(**more: Any) -> str:
    said = {"agent": "claude", "session_id": "s", "transcript_path": "/x.jsonl", "cwd": "/w", "at": 17.5}
    return json.dumps(said | more)


def test_a_word(tmp_path: Path) -> None:
    assert board(tmp_path, word()) == {"/x.jsonl": Told("claude", "s", "/x.jsonl", "/w", 17.5)}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (START - 100, START - 100),
        (START + 1e6, START - 10),
        (float("nan"), START - 10),
        (float("inf"), START - 10),
        (float("-inf"), START - 10),
        (10**400, START - 10),
        (-5, START - 10),
        (True, START - 10),
        ("soon", START - 10),
        (None, START - 10),
        ([], START - 10),
    ],
    ids=range(11),
)
def test_a_time_that_cannot_be_is_that_of_the_file(tmp_path: Path, at: object, expected: float) -> None:
    assert board(tmp_path, word(at=at))["/x.jsonl"].at == expected


def test_a_file_from_the_future_is_from_now(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(word(at=START * 2))
    os.utime(path, (START * 2, START * 2))
    assert Board(str(tmp_path)).read(START)["/x.jsonl"].at == START


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "17",
        "[" * 60_000,
        '{"a":' * 60_000,
        b"\xff\xfe\x00\x01",
        b"\x00" * 100,
        word(transcript_path="x.jsonl"),
        word(transcript_path=""),
        word(transcript_path=None),
        word(transcript_path=["/x.jsonl"]),
        word(transcript_path={"/x.jsonl": 1}),
        word(pad="x" * 70_000),
        '{"at": ' + "9" * 5000 + ', "transcript_path": "/x.jsonl"}',
    ],
    ids=range(17),
)
def test_a_file_that_says_nothing_usable(tmp_path: Path, content: bytes | str) -> None:
    assert board(tmp_path, content) == {}


def test_wrong_types_and_texts_that_cannot_be_encoded(tmp_path: Path) -> None:
    said = board(tmp_path, word(agent=7, session_id=["s"], cwd={}, transcript_path="/\ud800.jsonl"))
    assert said == {"/?.jsonl": Told("", "", "/?.jsonl", "", 17.5)}


def test_what_is_no_file(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(word())
    there = tmp_path / "board"
    there.mkdir()
    os.mkfifo(there / "pipe.json")
    (there / "folder.json").mkdir()
    (there / "link.json").symlink_to(outside)
    (there / "dangling.json").symlink_to(tmp_path / "nowhere")
    (there / "device.json").symlink_to("/dev/zero")
    with (there / "huge.json").open("wb") as file:
        file.truncate(1 << 30)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    words = Board(str(there))
    assert words.read(START) == words.read(START) == {}
    assert before == (len(os.listdir("/proc/self/fd")) if before else 0)
    assert Board(str(outside)).read(START) == Board(str(tmp_path / "none")).read(START) == {}
    assert Board("a\0b").read(START) == {}


def test_the_newest_words_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.told._MOST", 2)
    for number, seconds in enumerate((5, 30, 1, 20)):
        path = tmp_path / f"{number}.json"
        path.write_text(word(transcript_path=f"/{number}.jsonl", at=START - seconds))
        os.utime(path, (START - seconds, START - seconds))
    assert set(Board(str(tmp_path)).read(START)) == {"/0.jsonl", "/2.jsonl"}


@pytest.mark.parametrize("order", [(5, 9), (9, 5)])
def test_of_two_words_on_a_log_the_newer_counts(tmp_path: Path, order: tuple[int, int]) -> None:
    said = board(tmp_path, *(word(at=seconds, session_id=str(seconds)) for seconds in order))
    assert said["/x.jsonl"].session_id == "9"


def test_a_word_is_read_again_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_text(word())
    words = Board(str(tmp_path))
    words.read(START)
    with monkeypatch.context() as patch:
        patch.setattr("knit_tui.sessions.told._read", lambda *more: pytest.fail("read again"))
        assert len(words.read(START)) == 1
    state = path.stat()
    other = tmp_path / "y"
    other.write_text(word(cwd="/v"))
    os.utime(other, ns=(state.st_mtime_ns, state.st_mtime_ns))
    os.replace(other, path)
    assert words.read(START)["/x.jsonl"].cwd == "/v", "of the same time and length, and another file"
    path.unlink()
    assert words.read(START) == {}


@pytest.mark.parametrize("target", ["/dev/zero", "/", "pipe", "board", "/a\0b", "/" + "x" * 5000])
def test_a_word_that_leads_to_no_log(desk: Desk, tmp_path: Path, target: str) -> None:
    desk.say("s1", "dim it")
    os.mkfifo(tmp_path / "pipe")
    desk.clock += 5
    tell(desk, tmp_path / target)
    tell(desk, Path(folder(desk.home, {})) / "word.json", "itself")
    follower = follow(desk)
    assert prompts(follower.poll()) == ["dim it"]
    assert len(follower.offers) == len(follower.all_offers()) == 1


@pytest.mark.parametrize("at", [float("inf"), float("nan"), 1e300])
def test_a_hostile_time_holds_no_session(desk: Desk, at: float) -> None:
    """Neither is a session kept for ever by it, nor does the list of sessions fail."""
    from knit_tui.faces.sessions import sessions_json, sessions_text

    log = desk.say("s2", "old talk")
    tell(desk, log, at=at)
    follower = follow(desk)
    follower.poll()
    assert offered(follower, "s2").prompted == START
    assert "now" in sessions_text(follower.offers, int(START * 1e9))
    assert json.loads(sessions_json("/", follower.offers))["sessions"][0]["prompted"] == START
    desk.clock += 5
    desk.say("s1", "dim it")
    assert prompts(desk.later(follower)) == ["dim it"]


# Where hooks write.


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "/home/mei/.local/state/knit/sessions"),
        ({"XDG_STATE_HOME": "/s"}, "/s/knit/sessions"),
        ({"XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/knit/sessions"),
        ({"XDG_STATE_HOME": "s", "XDG_RUNTIME_DIR": "r"}, "/home/mei/.local/state/knit/sessions"),
        ({"XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": ""}, "/home/mei/.local/state/knit/sessions"),
    ],
)
def test_where_hooks_write(environ: dict[str, str], expected: str) -> None:
    assert folder(Path("/home/mei"), environ) == expected


def test_a_word_is_found_in_the_folder_that_the_environment_names(desk: Desk, tmp_path: Path) -> None:
    desk.say("s1", "dim it")
    desk.clock += 5
    path = tell(desk, begun(desk, "s2"))
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "run")}
    assert prompts(follow(desk, environ=environ).poll()) == ["dim it"]
    (tmp_path / "run/knit").mkdir(parents=True)
    path.parent.rename(tmp_path / "run/knit/sessions")
    assert prompts(follow(desk, environ=environ).poll()) == []
    append(desk.path("s2"), desk.logs["s2"].user("red it"))
    assert prompts(follow(desk, environ=environ).poll()) == ["red it"]
