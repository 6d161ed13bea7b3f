"""Other work trees of the same repository: their sessions are offered, and followed only when chosen."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from knit_tui.sessions.events import ReadDone, Reset
from knit_tui.sessions.follow import Follower
from knit_tui.sessions.workspace import Match, Workspace
from knit_tui.sessions.worktrees import first_line, work_tree, worktrees
from tests.sessions.choosing import codex_log, follow, offered, old
from tests.sessions.desk import Desk
from tests.sessions.logs import append, prompts

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="needs git")


def git(folder: Path, *arguments: str) -> None:
    config = ["-c", "user.name=Mei", "-c", "user.email=mei@example.org", "-c", "protocol.file.allow=always"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", "-C", str(folder), *config, *arguments],
        env=environ | quiet,
        check=True,
        capture_output=True,
        timeout=60,
    )


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """The workspace is a main work tree, ``red`` and ``lamp/.trees/blue`` are linked ones."""
    desk = Desk(tmp_path)
    repository(desk.root)
    git(desk.root, "worktree", "add", "-q", str(tmp_path / "red"))
    git(desk.root, "worktree", "add", "-q", str(desk.root / ".trees/blue"))
    return desk


def worked(follower: Follower) -> list[tuple[str, str]]:
    return [(offer.session_id, offer.match) for offer in follower.offers]


# With real git.


@needs_git
@pytest.mark.parametrize("tree", ["red", "red/web", "lamp/.trees/blue"])
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_session_in_another_worktree_is_offered_and_no_more(desk: Desk, tree: str, agent: str) -> None:
    folder = desk.root.parent / tree
    folder.mkdir(exist_ok=True)
    follower = follow(desk)
    if agent == "claude":
        desk.say("w1", "in the other tree", folder)
    else:
        codex_log(desk, "w1", "in the other tree", folder)
    assert follower.poll() == desk.later(follower) == ()
    assert (follower.status.state, follower.status.others) == ("none", 0)
    assert worked(follower) == [("w1", "worktree")]
    assert follower.offers[0].cwd == str(folder)
    desk.say("s1", "dim it")
    assert prompts(desk.later(follower)) == ["dim it"]
    desk.clock += 5
    if agent == "claude":
        desk.say("w1", "and newer", folder)
    else:
        codex_log(desk, "w1", "and newer", folder)
    assert desk.later(follower) == ()
    assert (follower.status.session_id, follower.status.others) == ("s1", 0)
    assert worked(follower) == [("s1", "same"), ("w1", "worktree")]


@needs_git
def test_a_session_in_another_worktree_that_is_chosen_is_followed(desk: Desk) -> None:
    red = desk.root.parent / "red"
    desk.say("s1", "dim it")
    desk.say("w1", "in the other tree", red)
    follower = follow(desk)
    follower.poll()
    follower.choose(offered(follower, "w1").key)
    events = follower.poll()
    assert (events[0], prompts(events)) == (Reset("session"), ["in the other tree"])
    assert (follower.status.how, follower.status.others) == ("chosen", 1)
    log = desk.logs["w1"]
    append(desk.path("w1", red), log.call("Read", "c1", file_path=f"{red}/a.md"), log.done("c1", "x", {}))
    told = [event.path for event in desk.later(follower) if isinstance(event, ReadDone)]
    assert told == [f"{red}/a.md"], "it is no file of this workspace"
    desk.clock += 5
    desk.say("s1", "newer")
    assert desk.later(follower) == ()
    follower.choose(None)
    assert prompts(follower.poll()) == ["dim it", "newer"]


@needs_git
def test_where_there_is_no_other_the_one_of_a_worktree_is_left_again(desk: Desk) -> None:
    desk.say("w1", "in the other tree", desk.root.parent / "red")
    follower = follow(desk)
    follower.poll()
    follower.choose(offered(follower, "w1").key)
    assert prompts(follower.poll()) == ["in the other tree"]
    follower.choose(None)
    assert follower.poll() == (Reset("session"),)
    assert (follower.status.state, follower.status.how) == ("none", "directory")
    assert desk.later(follower) == ()


@needs_git
def test_one_of_a_worktree_is_named_by_its_id_but_not_by_the_environment(desk: Desk) -> None:
    desk.say("w1", "in the other tree", desk.root.parent / "red")
    desk.say("s1", "dim it")
    assert prompts(follow(desk, "w1").poll()) == ["in the other tree"]
    assert prompts(follow(desk, environ={"CLAUDE_CODE_SESSION_ID": "w1"}).poll()) == ["dim it"]


@needs_git
def test_a_fresh_session_in_a_worktree_keeps_no_old_one_of_ours_from_being_found(desk: Desk) -> None:
    ours = old(desk, 1)[0]
    desk.say("w1", "in the other tree", desk.root.parent / "red")
    now = desk.clock
    for number in range(9):
        desk.clock = ours.stat().st_mtime + 1 + number
        desk.say(f"w{number + 2}", "in the other tree", desk.root.parent / "red")
    desk.clock = now
    assert prompts(follow(desk).poll()) == ["long ago"], "a command looks once"


@needs_git
def test_a_linked_worktree_is_the_workspace_and_the_main_one_another(desk: Desk) -> None:
    main, red = desk.root, desk.root.parent / "red"
    desk.say("s1", "in the main tree")
    desk.say("w2", "in the blue tree", main / ".trees/blue")
    desk.root = red
    follower = follow(desk)
    assert follower.poll() == ()
    assert sorted(worked(follower)) == [("s1", "worktree"), ("w2", "worktree")]
    assert set(Workspace(red, desk.home).others()) == {str(main), str(main / ".trees/blue")}
    desk.say("w1", "dim it", red)
    assert prompts(desk.later(follower)) == ["dim it"]


@needs_git
def test_a_worktree_below_the_main_tree_is_a_workspace_of_its_own(desk: Desk) -> None:
    main, blue = desk.root, desk.root / ".trees/blue"
    assert Workspace(blue, desk.home).match(str(main)) is Match.WORKTREE
    assert Workspace(main, desk.home).match(str(blue)) is Match.WORKTREE
    assert Workspace(blue, desk.home).match(str(blue / "web")) is Match.BELOW
    assert Workspace(blue / "web", desk.home).match(str(blue)) is Match.ABOVE


@needs_git
def test_another_folder_of_the_same_worktree_is_elsewhere(desk: Desk, tmp_path: Path) -> None:
    web, docs = desk.root / "web", desk.root / "docs"
    web.mkdir()
    docs.mkdir()
    workspace = Workspace(web, desk.home)
    assert workspace.match(str(docs)) is None
    assert workspace.match(str(desk.root)) is Match.ABOVE
    assert workspace.match(str(tmp_path / "red")) is Match.WORKTREE
    assert workspace.match(str(tmp_path / "red/docs")) is Match.WORKTREE
    assert str(desk.root) not in workspace.others()


@needs_git
def test_submodules_and_nested_repositories_are_no_worktrees(desk: Desk, tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    nested = repository(desk.root / "nested")
    git(desk.root, "submodule", "--quiet", "add", str(library), "module")
    module = desk.root / "module"
    assert (module / ".git").is_file()
    ours = Workspace(desk.root, desk.home)
    for inner in (module, nested):
        assert ours.match(str(inner)) is Match.BELOW
        theirs = Workspace(inner, desk.home)
        assert theirs.match(str(desk.root)) is Match.ABOVE
        assert theirs.match(str(tmp_path / "red")) is None
        assert theirs.others() == ()
    assert ours.match(str(library)) is None


@needs_git
def test_a_submodule_has_worktrees_too(desk: Desk, tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    git(desk.root, "submodule", "--quiet", "add", str(library), "module")
    git(desk.root / "module", "worktree", "add", "-q", str(tmp_path / "side"))
    assert Workspace(desk.root / "module", desk.home).match(str(tmp_path / "side")) is Match.WORKTREE
    assert Workspace(tmp_path / "side", desk.home).match(str(desk.root / "module")) is Match.WORKTREE
    assert Workspace(desk.root, desk.home).match(str(tmp_path / "side")) is None


@needs_git
@pytest.mark.parametrize("by", ["git", "hand"])
def test_a_worktree_that_is_removed_is_offered_no_more(desk: Desk, by: str) -> None:
    red = desk.root.parent / "red"
    desk.say("s1", "dim it")
    desk.say("w1", "in the other tree", red)
    follower = follow(desk)
    follower.poll()
    assert len(follower.offers) == 2
    if by == "git":
        git(desk.root, "worktree", "remove", str(red))
        assert desk.later(follower) == ()
        assert worked(follower) == [("s1", "same")], "its folders are not looked into any more"
    else:
        shutil.rmtree(red)
        assert desk.later(follower) == ()
    again = follow(desk)
    again.poll()
    assert worked(again) == [("s1", "same")]


@needs_git
def test_a_worktree_that_is_added_while_one_looks(desk: Desk, tmp_path: Path) -> None:
    follower = follow(desk)
    follower.poll()
    desk.say("w3", "in the other tree", tmp_path / "green")
    desk.later(follower)
    assert worked(follower) == []
    git(desk.root, "worktree", "add", "-q", str(tmp_path / "green"))
    desk.later(follower)
    assert worked(follower) == [("w3", "worktree")]


@needs_git
@pytest.mark.parametrize("place", ["lamp.git", "proj/.bare", "proj/.git"])
def test_the_worktrees_of_a_bare_repository(tmp_path: Path, place: str) -> None:
    source = repository(tmp_path / "source")
    bare = tmp_path / place
    bare.parent.mkdir(exist_ok=True)
    git(tmp_path, "clone", "-q", "--bare", str(source), str(bare))
    if place.endswith(".bare"):
        (bare.parent / ".git").write_text("gitdir: ./.bare\n")
    for name in ("one", "two"):
        git(bare, "worktree", "add", "-q", str(bare.parent / name))
    one = Workspace(bare.parent / "one", tmp_path)
    assert one.match(str(bare.parent / "two")) is Match.WORKTREE
    assert str(bare.parent / "two") in one.others()
    assert one.match(str(source)) is None
    assert one.match(str(bare.parent)) is (None if place == "lamp.git" else Match.WORKTREE)


@needs_git
def test_paths_of_worktrees_that_are_told_from_where_they_are_written(desk: Desk, tmp_path: Path) -> None:
    told = desk.root / ".git/worktrees/red/gitdir"
    told.write_text(os.path.relpath(tmp_path / "red/.git", told.parent) + "\n")
    inside = tmp_path / "red/.git"
    inside.write_text("gitdir: " + os.path.relpath(told.parent, tmp_path / "red") + "\n")
    assert set(worktrees(str(desk.root / ".git"))) == {
        str(desk.root),
        str(tmp_path / "red"),
        str(desk.root / ".trees/blue"),
    }
    assert Workspace(desk.root, desk.home).match(str(tmp_path / "red")) is Match.WORKTREE


@needs_git
def test_a_repository_through_a_link(desk: Desk, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert Workspace(link / "lamp", desk.home).match(str(tmp_path / "red")) is Match.WORKTREE
    assert Workspace(link / "red", desk.home).match(str(link / "lamp")) is Match.WORKTREE
    desk.say("w1", "in the other tree", tmp_path / "red")
    desk.root = link / "lamp"
    follower = follow(desk)
    follower.poll()
    assert worked(follower) == [("w1", "worktree")]


# Hostile files of git.


def make(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 30)
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 99)
    elif kind == "empty":
        path.touch()
    elif kind == "nul":
        path.write_bytes(b"gitdir: /a\0b\n")
    elif kind == "long":
        path.write_bytes(b"gitdir: /" + b"x/" * 9000)
    elif kind == "itself":
        path.write_bytes(b"gitdir: .\n")
    elif kind == "elsewhere":
        path.write_bytes(b"gitdir: ../../../../../../../../..\n")


KINDS = ["pipe", "device", "loop", "huge", "binary", "empty", "nul", "long", "itself", "elsewhere"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_file_in_the_place_of_a_repository(tmp_path: Path, kind: str) -> None:
    """Nothing is waited for, nothing raises, and nothing is taken for a worktree."""
    desk = Desk(tmp_path)
    make(desk.root / ".git", kind)
    make(desk.root / "sub/.git", kind)
    desk.say("s1", "dim it")
    desk.say("s2", "below", desk.root / "sub/web")
    follower = follow(desk)
    follower.poll()
    assert {offer.session_id: offer.match for offer in follower.offers} == {"s1": "same", "s2": "below"}
    assert Workspace(desk.root, desk.home).match(str(tmp_path / "other")) is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["commondir", "HEAD", "worktrees/red/gitdir", "worktrees"])
def test_a_hostile_file_in_a_repository(tmp_path: Path, kind: str, name: str) -> None:
    own = tmp_path / "own"
    make(own / name, kind)
    desk = Desk(tmp_path)
    (desk.root / ".git").write_text(f"gitdir: {own}\n")
    desk.say("s1", "dim it")
    assert prompts(follow(desk).poll()) == ["dim it"]


def test_small_files_are_read_as_far_as_a_path_may_be_long(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"y" * 10_000)
    assert first_line(str(path)) == "y" * 4096
    path.write_bytes(b"one\ntwo")
    assert first_line(str(path)) == "one"
    assert first_line(str(tmp_path)) == first_line("a\0b") == first_line(str(tmp_path / "none")) == ""
    assert work_tree("/") is None
    assert worktrees("a\0b") == []


def test_no_more_worktrees_are_listed_than_one_can_have(tmp_path: Path) -> None:
    for number in range(300):
        folder = tmp_path / ".git/worktrees" / str(number)
        folder.mkdir(parents=True)
        (folder / "gitdir").write_text(f"/w/{number}/.git\n")
    assert len(worktrees(str(tmp_path / ".git"))) == 257
