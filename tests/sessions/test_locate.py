"""Which logs belong to a workspace, and which of them is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.sessions.formats.claude_folders import slugs
from knit_tui.sessions.listing import Address
from knit_tui.sessions.locate import FRESH
from knit_tui.sessions.workspace import Match, Workspace
from tests.sessions.home import NOW, Home, age
from tests.sessions.logs import Claude, append, codex_copy, write


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


# Whose log it is.


def test_the_folder_recorded_inside_decides_not_the_slug(home: Home) -> None:
    other = home.root.with_name("la_mp")
    mine = home.root.with_name("la-mp")
    mine.mkdir()
    assert slugs(str(other)) & slugs(str(mine))
    folder = "".join(slugs(str(mine)) & slugs(str(other)))
    right = home.claude(mine, seconds=500, folder=folder)
    home.claude(other, seconds=1, folder=folder)
    candidate = home.finder(root=mine).choose(NOW)
    assert candidate is not None and candidate.address.path == str(right)


def test_a_log_that_names_no_folder_waits(home: Home) -> None:
    path = home.claude(home.root)
    write(
        path,
        [{"type": "summary", "summary": "x"}, {"type": "last-prompt", "lastPrompt": "x", "sessionId": "s"}],
    )
    finder = home.finder()
    assert finder.choose(NOW) is None
    append(path, Claude(str(home.root), path.stem).user("dim it"))
    finder.refresh(NOW)
    assert finder.choose(NOW) is not None


@pytest.mark.parametrize(
    ("cwd", "match"),
    [
        ("lamp", Match.SAME),
        ("lamp/", Match.SAME),
        ("lamp/web/src", Match.BELOW),
        (".", Match.ABOVE),
        ("..", Match.ABOVE),
        ("lamppost", None),
        ("other", None),
        ("lamp/.claude/worktrees/red", None),
        ("lamp/trees/red/src", None),
        ("lamp/vendored/x", Match.BELOW),
        ("lamp/module/x", Match.BELOW),
    ],
)
def test_how_folders_match(home: Home, cwd: str, match: Match | None) -> None:
    for tree in ("trees/red", "module", "vendored"):
        (home.root / tree).mkdir(parents=True)
    (home.root / "trees/red/.git").write_text(f"gitdir: {home.root}/.git/worktrees/red\n")
    (home.root / "module/.git").write_text("gitdir: ../.git/modules/module\n")
    (home.root / "vendored/.git").mkdir()
    workspace = Workspace(home.root, home.home)
    assert workspace.match(os.path.join(home.root.parent, cwd)) is match


def test_a_worktree_below_the_agents_folder_is_not_its_workspace(home: Home) -> None:
    tree = home.root / "trees/red"
    tree.mkdir(parents=True)
    (tree / ".git").write_text("gitdir: /x/.git/worktrees/red\n")
    assert Workspace(tree, home.home).match(str(home.root)) is None


@pytest.mark.parametrize("cwd", ["", "relative", "\0", "https://x/y", "/" + "x" * 5000])
def test_folders_that_are_none_match_nothing(home: Home, cwd: str) -> None:
    assert Workspace(home.root, home.home).match(cwd) is None


def test_spellings_through_a_link_match(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.root)
    assert Workspace(link, home.home).match(str(home.root)) is Match.SAME
    assert Workspace(home.root, home.home).match(str(link)) is Match.SAME
    assert Workspace(home.root, home.home).match(f"{link}/web") is Match.BELOW


def test_a_session_is_found_by_either_spelling_of_the_workspace(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.root)
    path = home.claude(home.root)
    candidate = home.finder(root=link).choose(NOW)
    assert candidate is not None and candidate.address.path == str(path)
    path.unlink()
    path = home.claude(link)
    candidate = home.finder(root=link).choose(NOW)
    assert candidate is not None and candidate.address.path == str(path)


@pytest.mark.parametrize("sub", ["", "/web"])
def test_a_place_knows_the_spelling_a_session_uses(home: Home, tmp_path: Path, sub: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.root)
    (home.root / "web").mkdir()
    (home.root / "a.md").touch()
    place = Workspace(home.root, home.home).place(f"{link}{sub}")
    assert place.name(None, f"{link}/a.md") == "a.md"
    assert place.name(None, f"{home.root}/a.md") == "a.md"
    assert place.is_file is not None
    assert place.is_file("a.md") and not place.is_file("web") and not place.is_file("a\0b")
    up = tmp_path / "up"
    up.symlink_to(tmp_path)
    assert Workspace(home.root, home.home).place(str(up)).name(None, f"{up}/lamp/a.md") == "a.md"


# Which of them.


def test_the_nearest_folder_then_the_newest_prompt(home: Home) -> None:
    above = home.claude(home.root.parent, seconds=1)
    assert home.chosen() == str(above)
    below = home.claude(home.root / "web", seconds=600)
    assert home.chosen() == str(below)
    same = home.claude(home.root, seconds=3000)
    assert home.chosen() == str(same)
    newer = home.codex(home.root, seconds=2000)
    assert home.chosen() == str(newer)


def test_the_newest_prompt_not_the_newest_file(home: Home) -> None:
    older = home.claude(home.root, seconds=900)
    newest = home.claude(home.root, seconds=300)
    age(older, 5)
    age(newest, 200)
    assert home.chosen() == str(newest)


def test_a_file_with_odd_times_counts_by_its_last_write(home: Home) -> None:
    future = home.claude(home.root, seconds=900)
    write(future, [Claude(str(home.root), future.stem).user("x") | {"timestamp": "2199-01-01T00:00:00Z"}])
    age(future, 800)
    newest = home.claude(home.root, seconds=300)
    assert home.chosen() == str(newest)


def test_a_fresh_session_comes_before_an_old_one_that_is_nearer(home: Home) -> None:
    old = home.claude(home.root, seconds=FRESH + 60)
    assert home.chosen() == str(old), "better an old one of this very folder than none"
    finder = home.finder()
    below = home.claude(home.root / "web", seconds=600)
    assert home.chosen() == str(below)
    finder.refresh(NOW)
    known = finder.choose(NOW)
    assert len(finder.candidates) == 2
    assert known is not None and known.address.path == str(below)


def test_what_is_no_session_of_a_person_is_passed_over(home: Home) -> None:
    home.claude(home.root, name="agent-a17522f")
    home.codex(home.root, thread_source="subagent")
    home.codex(home.root, source={"subagent": "review"})
    empty = home.claude(home.root)
    empty.write_bytes(b"")
    assert home.chosen() is None


def test_the_latest_turn_says_where_a_codex_session_is(home: Home) -> None:
    path = home.codex(home.root.parent / "other")
    assert home.chosen() is None
    append(path, {"type": "turn_context", "payload": {"cwd": str(home.root)}})
    age(path, 30)
    assert home.chosen() == str(path)
    append(path, {"type": "turn_context", "payload": {"cwd": "/elsewhere"}})
    assert home.chosen() is None


def test_the_first_generation_tells_its_folder_in_its_context(home: Home) -> None:
    path = home.home / ".codex/sessions/2026/09/21/rollout-2025.jsonl"
    context = codex_copy("user", f"<environment_context><cwd>{home.root}</cwd></environment_context>")
    write(
        path,
        [
            {"id": "67c5", "timestamp": "2025-09-13T04:30:17Z", "instructions": None, "git": {}},
            context["payload"],
            codex_copy("user", "dim it")["payload"],
        ],
    )
    age(path, 10)
    assert home.chosen() == str(path)


def test_a_resumed_session_in_an_old_folder_is_found(home: Home) -> None:
    path = home.codex(home.root, day="2025/01/02")
    assert home.chosen() == str(path)


def test_a_refresh_looks_into_a_bounded_number_of_files(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.locate._PEEKS", 2)
    paths = [home.claude(home.root, seconds=100 - at) for at in range(5)]
    finder = home.finder()
    assert not finder.complete
    assert {c.address.path for c in finder.candidates} == {str(paths[4]), str(paths[3])}
    finder.refresh(NOW)
    finder.refresh(NOW)
    assert finder.complete
    assert len(finder.candidates) == 5


def test_a_file_is_looked_into_again_only_when_it_changed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.claude(home.root)
    finder = home.finder()
    looked: list[str] = []

    def spy(address: Address, *more: object) -> None:
        looked.append(address.path)

    monkeypatch.setattr("knit_tui.sessions.locate.peek", spy)
    finder.refresh(NOW)
    assert looked == []
    append(path, {"type": "mode", "sessionId": "s"})
    finder.refresh(NOW)
    assert looked == [str(path)]


def test_old_files_beside_a_fresh_session_are_looked_into_a_few_at_a_time(home: Home) -> None:
    home.claude(home.root)
    for number in range(6):
        home.claude(home.root, seconds=FRESH + 5 + number)
    finder = home.finder()
    assert (finder.complete, finder.settled) == (True, False)
    assert len(finder.candidates) == 5
    finder.refresh(NOW)
    assert finder.settled
    assert len(finder.candidates) == 7
