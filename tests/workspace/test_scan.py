from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from knit_tui.model import Access, Kind, Scan, Skip
from knit_tui.workspace import git, walk
from knit_tui.workspace.scan import Scanner
from tests.workspace.conftest import rels, run_git, scan, skipped, write


def test_entries_are_ordered_and_classified(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"b.py": "x = 1\n", "a/README.md": "# a\n", "s.png": b"\x89PNG\0", "yarn.lock": "", ".env": "A=1\n"},
    )
    found = scan(tmp_path)
    assert [(e.rel, e.kind, e.access) for e in found.entries] == [
        (".env", Kind.CODE, Access.WITHHELD),
        ("a/README.md", Kind.DOCS, Access.TEXT),
        ("b.py", Kind.CODE, Access.TEXT),
        ("s.png", Kind.IMAGE, Access.NAME),
        ("yarn.lock", Kind.CODE, Access.GENERATED),
    ]
    status = (tmp_path / "b.py").stat()
    stamp = found.entries[2].stamp
    assert (stamp.mtime_ns, stamp.size, stamp.inode) == (status.st_mtime_ns, 6, status.st_ino)
    assert found.folders == ("", "a")
    assert (found.present, found.root, found.skips, found.notices) == (True, str(tmp_path), (), ())


@pytest.mark.parametrize("with_git", [True, False])
def test_ignore_rules_hold_with_and_without_git(tmp_path: Path, with_git: bool) -> None:
    if with_git:
        run_git(tmp_path, "init", "-q")
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.o\n!keep.o\n",
            "a.o": "",
            "keep.o": "",
            "build/x.txt": "",
            "sub/.gitignore": "/only-here.txt\n!b.o\n",
            "sub/only-here.txt": "",
            "sub/b.o": "",
            "sub/deep/only-here.txt": "",
        },
    )
    found = scan(tmp_path)
    assert rels(found) == [
        ".gitignore", "keep.o", "sub/.gitignore", "sub/b.o", "sub/deep/only-here.txt",
    ]  # fmt: skip
    assert found.folders == ("", "sub", "sub/deep")


def test_folders_nobody_means_are_pruned_without_git_and_told(tmp_path: Path) -> None:
    write(tmp_path, {f"x/{name}/a.py": "" for name in walk.PRUNED} | {"x/a.py": ""})
    found = scan(tmp_path)
    assert rels(found) == ["x/a.py"]
    assert skipped(found) == {f"x/{name}": "folder" for name in walk.PRUNED}
    assert found.folders == ("", "x")


def test_with_git_a_tracked_folder_counts_whatever_its_name(repository: Path) -> None:
    write(repository, {"node_modules/a.js": "", "venv/b.py": ""})
    run_git(repository, "add", "node_modules")
    assert rels(scan(repository)) == ["node_modules/a.js", "venv/b.py"]


def test_what_git_lists_but_is_not_there_is_left_out(repository: Path) -> None:
    write(repository, {"a.txt": "", "gone.txt": "", "folder/x.txt": "", "swapped/y.txt": ""})
    run_git(repository, "add", ".")
    (repository / "gone.txt").unlink()
    shutil.rmtree(repository / "folder")
    write(repository, {"folder": "a file now"})
    outside = write(repository.parent / "outside", {"y.txt": "CANARY"})
    shutil.rmtree(repository / "swapped")
    (repository / "swapped").symlink_to(outside)
    found = scan(repository)
    assert rels(found) == ["a.txt", "folder"]
    assert found.skips == (Skip("swapped", "symlink", str(outside)),)


def test_a_listing_that_lies_finds_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, {"a.txt": "", "sub/b.txt": ""})
    write(repository.parent, {"outside.txt": "CANARY"})
    paths = {
        "a.txt",
        "../outside.txt",
        "/etc/passwd",
        ".git/config",
        "sub/../../outside.txt",
        "sub/.git/x",
        "",
        ".",
    }
    folders = frozenset({"..", ".git", "sub", "sub/.."})
    lie = git.Listing(frozenset(paths), frozenset({"..", ".git"}), folders)
    monkeypatch.setattr(git, "list_files", lambda folder, top: lie)
    assert rels(scan(repository)) == ["a.txt"]


def test_git_folders_are_never_looked_into(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "", "x/.git": "gitdir: ../elsewhere\n", "x/b.txt": "", "y/.GIT/config": "t"})
    (tmp_path / "bare.git").mkdir()
    run_git(tmp_path / "bare.git", "init", "-q", "--bare")
    run_git(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "store"), str(tmp_path / "z"))
    found = scan(tmp_path)
    assert rels(found) == ["a.txt", "x/b.txt"]
    assert skipped(found) == {"bare.git": "repository", "store": "repository"}
    assert not any(".git" in folder or "store" in folder for folder in found.folders)


def test_git_folders_are_never_looked_into_with_git(repository: Path) -> None:
    write(repository, {"a.txt": ""})
    (repository / "bare").mkdir()
    run_git(repository / "bare", "init", "-q", "--bare")
    run_git(repository, "add", "-A", "bare")
    assert rels(scan(repository)) == ["a.txt"]


def test_empty_folders_are_watched_and_ignored_ones_are_not(repository: Path) -> None:
    write(
        repository,
        {".gitignore": "build/\n*.cache/\n", "a.txt": "", "build/x/y.txt": "", "pkg/out.cache/z": ""},
    )
    for folder in ("empty/inner/innermost", "empty/build", "__pycache__", "pkg/new"):
        (repository / folder).mkdir(parents=True)
    assert scan(repository).folders == ("", "empty", "empty/inner", "empty/inner/innermost", "pkg", "pkg/new")


def test_nothing_unchanged_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"text": "words\n", "binary": b"\0\1\2\3" * 10, "known.py": ""})
    read: list[int] = []
    head = walk.read_head
    monkeypatch.setattr(
        walk, "read_head", lambda descriptor, limit: read.append(1) or head(descriptor, limit)
    )
    scanner = Scanner(tmp_path)
    first = scanner.scan()
    assert (rels(first), skipped(first), len(read)) == (["known.py", "text"], {"binary": "binary"}, 2)
    assert scanner.scan() == first
    assert len(read) == 2
    (tmp_path / "binary").write_text("now a text\n")
    assert rels(scanner.scan()) == ["binary", "known.py", "text"]
    assert len(read) == 3


def test_links_and_special_files_are_named_and_never_opened(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": ""})
    (tmp_path / "link.md").symlink_to("a.txt")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.txt")
    found = scan(tmp_path)
    assert rels(found) == ["a.txt"]
    assert found.skips == (
        Skip("dangling", "symlink", "nowhere"),
        Skip("link.md", "symlink", "a.txt"),
        Skip("loop", "symlink", "."),
        Skip("pipe.txt", "special", "fifo"),
    )


def test_special_files_are_told_with_git_too_unless_ignored(repository: Path) -> None:
    write(repository, {".gitignore": "*.sock\n"})
    os.mkfifo(repository / "pipe")
    os.mkfifo(repository / "agent.sock")
    assert scan(repository).skips == (Skip("pipe", "special", "fifo"),)


def test_a_bad_ignore_file_is_told_once_and_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/.gitignore": b"\0*.md\n",
            "a/x.md": "",
            "b/.gitignore": "x" * 2_000_000,
            "b/x.md": "",
            "c/x.md": "",
        },
    )
    (tmp_path / "c/.gitignore").symlink_to("/etc/passwd")
    (tmp_path / "d/.gitignore").mkdir(parents=True)
    found = scan(tmp_path)
    assert [rel for rel in rels(found) if rel.endswith(".md")] == ["a/x.md", "b/x.md", "c/x.md"]
    bad = [skip for skip in found.skips if skip.reason == "ignore-file"]
    assert [(skip.rel, skip.detail) for skip in bad] == [
        ("a/.gitignore", "holds NUL bytes"),
        ("b/.gitignore", "longer than 1048576 bytes"),
        ("c/.gitignore", "symlink"),
        ("d/.gitignore", "folder"),
    ]


def test_a_root_that_goes_and_comes_back(tmp_path: Path) -> None:
    root = write(tmp_path / "ws", {"a.txt": ""})
    scanner = Scanner(root)
    assert rels(scanner.scan()) == ["a.txt"]
    shutil.rmtree(root)
    assert scanner.scan() == Scan(str(root), False)
    root.write_text("a file in its place")
    assert not scanner.scan().present
    root.unlink()
    write(root, {"b.txt": ""})
    assert rels(scanner.scan()) == ["b.txt"]


def test_a_working_folder_that_is_gone_does_not_matter(tmp_path: Path) -> None:
    root = write(tmp_path / "ws", {"a.txt": ""})
    here = os.open(".", os.O_RDONLY)
    (tmp_path / "away").mkdir()
    os.chdir(tmp_path / "away")
    try:
        (tmp_path / "away").rmdir()
        assert rels(scan(root)) == ["a.txt"]
    finally:
        os.fchdir(here)
        os.close(here)


def test_the_root_may_be_reached_through_a_link(repository: Path, tmp_path: Path) -> None:
    write(repository, {"a.txt": "", "b.o": "", ".gitignore": "*.o\n"})
    (tmp_path / "alias").symlink_to(repository)
    assert rels(scan(tmp_path / "alias")) == [".gitignore", "a.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "", "b.txt": "", "locked/c.txt": "", "noexec/d.txt": ""})
    (tmp_path / "b.txt").chmod(0)
    (tmp_path / "locked").chmod(0)
    (tmp_path / "noexec").chmod(0o400)
    try:
        found = scan(tmp_path)
    finally:
        (tmp_path / "locked").chmod(0o700)
        (tmp_path / "noexec").chmod(0o700)
    assert rels(found) == ["a.txt"]
    assert skipped(found) == {"b.txt": "unreadable", "locked": "unreadable", "noexec/d.txt": "unreadable"}


@pytest.mark.parametrize("seconds", [2**34 - 1, 4_102_444_800, -(2**31)])
def test_any_time_of_a_file_fits_64_bits_and_so_do_differences(tmp_path: Path, seconds: int) -> None:
    write(tmp_path, {"a.md": "x"})
    try:
        os.utime(tmp_path / "a.md", (seconds, seconds))
    except (OSError, OverflowError):
        pytest.skip("the file system does not hold this time")
    [entry] = scan(tmp_path).entries
    assert -(2**62) <= entry.stamp.mtime_ns <= 2**62
    if 0 < seconds < 2**32:
        assert entry.stamp.mtime_ns == seconds * 10**9
