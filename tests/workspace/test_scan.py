from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from knit_tui.model import Access, Kind, Scan, Skip
from knit_tui.workspace import git, ground, walk
from knit_tui.workspace.scan import Scanner
from tests.workspace.conftest import run_git, write


def scan(root: Path) -> Scan:
    return Scanner(root).scan()


def rels(found: Scan) -> list[str]:
    return [entry.rel for entry in found.entries]


def skipped(found: Scan) -> dict[str, str]:
    return {skip.rel: skip.reason for skip in found.skips}


def reasons(found: Scan) -> list[str]:
    """Why git did not answer, and about which folder."""
    return [f"{dict(n.facts)['why']} {dict(n.facts)['folder']}" for n in found.notices]


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
    write(repository, {"a.py": ""})
    run_git(repository, "add", ".")
    run_git(repository, "commit", "-qm", "x")
    run_git(repository, "worktree", "add", "-q", str(tmp_path / "wt"))
    write(tmp_path / "wt", {"b.py": "", "__pycache__/x.pyc": ""})
    assert rels(scan(tmp_path / "wt"))[:2] == ["__pycache__/x.pyc", "a.py"] or rels(
        scan(tmp_path / "wt")
    ) == [
        "a.py",
        "b.py",
    ]


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


def test_empty_folders_are_watched_and_ignored_ones_are_not(repository: Path) -> None:
    write(
        repository,
        {".gitignore": "build/\n*.cache/\n", "a.txt": "", "build/x/y.txt": "", "pkg/out.cache/z": ""},
    )
    for folder in ("empty/inner/innermost", "empty/build", "__pycache__", "pkg/new"):
        (repository / folder).mkdir(parents=True)
    assert scan(repository).folders == ("", "empty", "empty/inner", "empty/inner/innermost", "pkg", "pkg/new")


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


def test_case_special(case: Callable[[str], Path]) -> None:
    assert rels(scan(case("01") / "ws")) == ["module.py/inner.py", "ok.txt"]


def test_case_loops(case: Callable[[str], Path]) -> None:
    found = scan(case("02") / "ws")
    assert rels(found) == ["a/real.txt", "chain60", "maze/l18/end.txt"]
    assert set(skipped(found).values()) == {"symlink"}


def test_case_escape(case: Callable[[str], Path]) -> None:
    assert rels(scan(case("03") / "ws")) == ["inside.txt"]


def test_case_hostile_names(case: Callable[[str], Path]) -> None:
    folder = case("04")
    present = json.loads((folder / "oracle.json").read_text())["present"]
    assert set(rels(scan(folder / "ws"))) == {os.path.normpath(rel) for rel in present}


def test_case_names_that_are_not_utf8(case: Callable[[str], Path]) -> None:
    folder = case("09")
    present = json.loads((folder / "oracle.json").read_text())["present_bytes_hex"]
    assert {os.fsencode(rel).hex() for rel in rels(scan(folder / "ws"))} == set(present)


def test_case_twins(case: Callable[[str], Path]) -> None:
    folder = case("10")
    assert rels(scan(folder / "ws")) == sorted(json.loads((folder / "oracle.json").read_text())["present"])


def test_case_ignore_semantics(case: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = case("13")
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    for root, oracle in (("ws", "oracle-tracked-or-unignored.z"), ("ws/pkg/sub", "oracle-sub.z")):
        expected = {os.fsdecode(name) for name in (folder / oracle).read_bytes().split(b"\0") if name}
        assert set(rels(scan(folder / root))) == expected


def test_case_ignore_semantics_without_git(
    case: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = case("13")
    monkeypatch.setenv("PATH", "/nonexistent")
    tracked = {"build/keep/k.txt", "tracked-ignored/t.txt"}
    unknown = {
        "top.globalignored",
        "anchored-global.txt",
        "pkg/anchored-global.txt",
    }  # of the user's own file
    for root, oracle in (("ws", "oracle-tracked-or-unignored.z"), ("ws/pkg/sub", "oracle-sub.z")):
        expected = {os.fsdecode(name) for name in (folder / oracle).read_bytes().split(b"\0") if name}
        pruned = {rel for rel in expected if "node_modules" in rel}
        assert set(rels(scan(folder / root))) - unknown == expected - tracked - unknown - pruned


def test_case_hostile_ignore_files(case: Callable[[str], Path]) -> None:
    scanner = Scanner(case("14") / "ws")
    for _ in range(2):
        found = scanner.scan()
        assert "control.md" in rels(found)
        assert reasons(found) == ["blocked ."]
        bad = {skip.rel: skip.detail for skip in found.skips if skip.reason == "ignore-file"}
        assert bad.keys() == {f"p{number}/.gitignore" for number in (2, 3, 4, 5, 6, 7)}
        assert (bad["p4/.gitignore"], bad["p5/.gitignore"]) == ("fifo", "symlink")


def test_case_worktrees_and_submodules(case: Callable[[str], Path]) -> None:
    folder = case("15")
    found = scan(folder / "ws")
    assert rels(found) == [
        "broken/b.py", "main/.gitmodules", "main/m.py", "main/nested/n.py", "main/vendor/lib/lib.py",
        "wt/.gitmodules", "wt/dirty.py", "wt/m.py",
    ]  # fmt: skip
    assert found.skips == (Skip("bare.git", "repository", "git's own folder"),)
    assert dict(found.notices[0].facts) == {"why": "broken", "folder": "broken", "folders": "3"}
    for name in ("main", "wt", "main/vendor/lib", "broken", "loop", "redirect", "garbage", "cw", "bare.git"):
        assert "CANARY15" not in str(scan(folder / "ws" / name))


def test_case_deep_and_wide(case: Callable[[str], Path]) -> None:
    found = scan(case("23") / "ws")
    bottom = next(rel for rel in rels(found) if rel.endswith("bottom.txt"))
    assert bottom == "ddddddddd/" * 1200 + "bottom.txt"
    assert "near.txt" in rels(found)
    assert len(found.entries) > 30_000


def test_case_secrets_are_named_and_withheld(case: Callable[[str], Path]) -> None:
    found = scan(case("30") / "ws")
    withheld = {entry.rel for entry in found.entries if entry.access is Access.WITHHELD}
    assert {entry.rel for entry in found.entries} - withheld == {
        ".env.example",
        "code.py",
        "innocent-name.txt",
    }
