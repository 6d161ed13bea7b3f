"""Which authority names the files: git, git of a repository inside, or the rules when git does not answer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from knit_tui.workspace import git, ground
from knit_tui.workspace.scan import Scanner
from tests.workspace.conftest import reasons, rels, run_git, scan, skipped, write


def test_repositories_inside_are_scanned_as_their_own(repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    run_git(library, "init", "-q")
    write(library, {"lib.py": "", "secret.log": "", ".gitignore": "*.log\n"})
    run_git(library, "add", "lib.py", ".gitignore")
    run_git(library, "commit", "-qm", "x")
    write(repository, {"a.py": "", ".gitignore": "*.py\n", "nested/n.py": "", "nested/inner/i.py": ""})
    run_git(repository, "add", "-f", "a.py", ".gitignore")
    run_git(repository, "submodule", "-q", "add", str(library), "vendor/lib")
    run_git(repository / "nested", "init", "-q")
    run_git(repository / "nested/inner", "init", "-q")
    write(repository, {"vendor/lib/new.py": "", "vendor/lib/x.log": "", "empty/.keep": ""})
    found = scan(repository)
    assert rels(found) == [
        ".gitignore", ".gitmodules", "a.py", "empty/.keep", "nested/inner/i.py", "nested/n.py",
        "vendor/lib/.gitignore", "vendor/lib/lib.py", "vendor/lib/new.py",
    ]  # fmt: skip
    assert found.folders == ("", "empty", "nested", "nested/inner", "vendor", "vendor/lib")
    assert not found.notices


def test_a_submodule_that_is_not_checked_out_may_hold_files(repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    run_git(library, "init", "-q")
    run_git(library, "commit", "-q", "--allow-empty", "-m", "x")
    run_git(repository, "submodule", "-q", "add", str(library), "lib")
    shutil.rmtree(repository / "lib")
    write(repository, {"lib/stray.py": "", "lib/a.o": "", "lib/.gitignore": "*.o\n"})
    assert rels(scan(repository)) == [".gitmodules", "lib/.gitignore", "lib/stray.py"]


def test_a_worktree_of_its_own_is_a_repository(repository: Path, tmp_path: Path) -> None:
    write(repository, {"a.py": "", ".gitignore": "*.o\n"})
    run_git(repository, "add", ".")
    run_git(repository, "commit", "-qm", "x")
    run_git(repository, "worktree", "add", "-q", str(tmp_path / "wt"))
    write(tmp_path / "wt", {"b.py": "", "b.o": ""})
    assert rels(scan(tmp_path / "wt")) == [".gitignore", "a.py", "b.py"]
    run_git(repository, "worktree", "add", "-q", "-b", "other", str(repository / "inner/wt"))
    assert rels(scan(repository)) == [".gitignore", "a.py", "inner/wt/.gitignore", "inner/wt/a.py"]


def test_root_below_the_top_keeps_the_rules_of_the_top(repository: Path) -> None:
    write(
        repository,
        {".gitignore": "*.o\n/sub/no.txt\n", "sub/a.o": "", "sub/a.txt": "", "sub/no.txt": "", "b.txt": ""},
    )
    assert rels(scan(repository / "sub")) == ["a.txt"]


def test_root_below_the_top_keeps_the_rules_without_git_too(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        repository,
        {
            ".git/info/exclude": "out.txt\n",
            ".gitignore": "*.o\n/sub/deep/no.txt\n",
            "sub/.gitignore": "!b.o\n",
            "sub/deep/a.o": "",
            "sub/deep/b.o": "",
            "sub/deep/no.txt": "",
            "sub/deep/out.txt": "",
        },
    )
    monkeypatch.setenv("PATH", "/nonexistent")
    found = scan(repository / "sub/deep")
    assert rels(found) == ["b.o"]
    assert reasons(found) == ["missing ."]


def test_a_root_that_its_repository_ignores_is_looked_at_for_itself(repository: Path) -> None:
    write(repository, {".gitignore": "*\n", "notes/a.txt": "", "notes/b.o": "", "notes/.gitignore": "*.o\n"})
    found = scan(repository / "notes")
    assert rels(found) == [".gitignore", "a.txt"]
    assert [notice.code for notice in found.notices] == ["root-ignored"]


def test_what_is_known_of_ignored_folders_holds_until_a_rule_changes(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {".gitignore": "build/\n", "build/x.txt": ""})
    (repository / "build/empty").mkdir()
    asked: list[list[str]] = []
    ask = git.ignored
    monkeypatch.setattr(git, "ignored", lambda f, t, paths: asked.append(list(paths)) or ask(f, t, paths))
    scanner = Scanner(repository)
    for _ in range(3):
        assert scanner.scan().folders == ("",)
    assert asked == [["build"]]
    (repository / ".gitignore").write_text("other/\n")
    assert scanner.scan().folders == ("", "build", "build/empty")
    (repository / ".gitignore").write_text("empty/\n")
    assert scanner.scan().folders == ("", "build")
    (repository / ".gitignore").write_text("others/\n")
    assert scanner.scan().folders == ("", "build", "build/empty")


def test_a_fifo_for_an_ignore_file_makes_only_the_first_scan_ask_git(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"a.txt": "", "sub/b.txt": "", ".gitignore": "*.o\n", "x.o": ""})
    os.mkfifo(repository / "sub/.gitignore")
    asked: list[str] = []
    ask = git.list_files
    monkeypatch.setattr(git, "list_files", lambda folder, top: asked.append(folder) or ask(folder, top))
    scanner = Scanner(repository)
    for _ in range(3):
        found = scanner.scan()
        assert rels(found) == [".gitignore", "a.txt", "sub/b.txt"]
        assert reasons(found) == ["blocked ."]
        assert skipped(found) == {"sub/.gitignore": "ignore-file"}
    assert len(asked) == 1
    (repository / "sub/.gitignore").unlink()
    found = scanner.scan()
    assert (rels(found), found.notices, len(asked)) == ([".gitignore", "a.txt", "sub/b.txt"], (), 2)


def test_a_git_that_is_too_slow_is_asked_again_later_or_when_a_rule_changes(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"a.txt": "", ".gitignore": "x\n"})
    asked: list[str] = []

    def slow(folder: str, top: str) -> git.Listing:
        asked.append(folder)
        raise git.GitError("timeout")

    monkeypatch.setattr(git, "list_files", slow)
    now = [1000.0]
    scanner = Scanner(repository)
    scanner._memory.clock = lambda: now[0]
    assert reasons(scanner.scan()) == ["timeout ."]
    assert reasons(scanner.scan()) == ["timeout ."]
    assert len(asked) == 1
    now[0] += ground.FIRST_PAUSE + 1
    scanner.scan()
    scanner.scan()
    assert len(asked) == 2
    now[0] += ground.FIRST_PAUSE + 1
    scanner.scan()
    assert len(asked) == 2  # the pause has doubled
    (repository / ".gitignore").write_text("longer rule\n")
    scanner.scan()
    scanner.scan()
    assert len(asked) == 3


def test_one_scan_does_not_wait_for_git_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"r{number}").mkdir()
        run_git(tmp_path / f"r{number}", "init", "-q")
        write(tmp_path, {f"r{number}/a.txt": ""})
    asked: list[str] = []

    def slow(folder: str, top: str) -> git.Listing:
        asked.append(folder)
        raise git.GitError("timeout")

    monkeypatch.setattr(git, "list_files", slow)
    monkeypatch.setattr(ground, "_PATIENCE", -1.0)
    found = scan(tmp_path)
    assert (len(asked), len(found.entries)) == (0, 5)
    assert dict(found.notices[0].facts)["folders"] == "5"


def test_a_repository_that_lost_its_git_folder(repository: Path) -> None:
    write(repository, {"a.txt": "", "b.o": "", ".gitignore": "*.o\n"})
    scanner = Scanner(repository)
    assert not scanner.scan().notices
    shutil.rmtree(repository / ".git/objects")
    assert reasons(scanner.scan()) == ["broken ."]
    shutil.rmtree(repository / ".git")
    found = scanner.scan()
    assert (rels(found), found.notices) == ([".gitignore", "a.txt"], ())
