from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.workspace import git, history
from knit_tui.workspace.history import commits
from knit_tui.workspace.refs import head
from tests.workspace.conftest import commit, run_git


def test_the_head_is_what_git_says(grown: Path) -> None:
    def agrees(folder: Path = grown) -> None:
        assert head(str(folder), str(folder)) == run_git(folder, "rev-parse", "HEAD").decode().strip()

    agrees()
    run_git(grown, "pack-refs", "--all", "--prune")
    assert not (grown / ".git/refs/heads/main").exists()
    agrees()
    commit(grown, "after packing", {"a.py": "9"})
    agrees()
    run_git(grown, "checkout", "-q", "-b", "feature/x")
    run_git(grown, "symbolic-ref", "refs/heads/alias", "refs/heads/feature/x")
    run_git(grown, "symbolic-ref", "HEAD", "refs/heads/alias")
    agrees()
    run_git(grown, "checkout", "-q", "--detach", "HEAD~1")
    agrees()
    run_git(grown, "worktree", "add", "-q", "-b", "other", "../wt", "HEAD~1")
    commit(grown.parent / "wt", "in the other tree", {"w": "1"})
    agrees(grown.parent / "wt")
    newest = commits(str(grown.parent / "wt"), str(grown.parent / "wt")).commits[0]
    assert (newest.subject, newest.paths) == ("in the other tree", ("w",))
    (grown / ".git/HEAD").unlink()
    (grown / ".git/HEAD").symlink_to("refs/heads/main")
    agrees()


def test_the_head_is_read_without_git(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run_git(grown, "rev-parse", "HEAD").decode().strip()
    monkeypatch.setenv("PATH", "/nonexistent")
    assert head(str(grown / "sub"), str(grown)) == expected
    (grown / ".git/HEAD").write_text("ref: ../../outside\n")
    assert head(str(grown), str(grown)) is None


def test_without_a_commit_there_is_no_head(repository: Path) -> None:
    assert head(str(repository), str(repository)) is None
    assert head("/nonexistent", "/nonexistent") is None


@pytest.mark.parametrize("content", ["nonsense", "ref: HEAD", "", "\0" * 9_000])
def test_a_damaged_head_is_none(grown: Path, content: str) -> None:
    (grown / ".git/HEAD").write_text(content)
    assert head(str(grown), str(grown)) is None
    assert [dict(n.facts)["why"] for n in commits(str(grown), str(grown)).notices] == ["broken"]


@pytest.mark.parametrize("place", ["HEAD", "refs/heads/main", "packed-refs", "shallow"])
def test_a_fifo_in_the_place_of_a_file_keeps_nobody_waiting(
    grown: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "packed-refs":
        run_git(grown, "pack-refs", "--all", "--prune")
    (grown / ".git" / place).unlink(missing_ok=True)
    os.mkfifo(grown / ".git" / place)
    monkeypatch.setattr(git, "ask", lambda *_, **__: pytest.fail("git was asked, and waits for ever"))
    monkeypatch.setattr(history, "ask", git.ask)
    found = commits(str(grown), str(grown))
    assert found.commits == ()
    assert [dict(n.facts)["why"] for n in found.notices] == ["blocked"]
    if place != "shallow":
        assert head(str(grown), str(grown)) is None
