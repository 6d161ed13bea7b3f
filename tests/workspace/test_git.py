from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from knit_tui.workspace import git
from knit_tui.workspace.scan import Scanner
from tests.workspace.conftest import run_git, wait_for, write


def program(folder: Path, body: str) -> Path:
    """A shell script that is called git."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "git"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def why(call: Callable[[], object]) -> str:
    with pytest.raises(git.GitError) as caught:
        call()
    return caught.value.why


def test_files_repositories_and_folders(repository: Path) -> None:
    write(repository, {"a/b/c.txt": "c", "top.txt": "t", "x.o": "o", ".gitignore": "*.o\n", "in/n.txt": "n"})
    run_git(repository / "in", "init", "-q")
    listing = git.list_files(str(repository), str(repository))
    assert listing.files == {"a/b/c.txt", "top.txt", ".gitignore"}
    assert listing.repositories == {"in"}
    assert listing.folders == {"a", "a/b"}


def test_names_are_exact_bytes(repository: Path) -> None:
    odd = os.fsdecode(b'caf\xe9\n"q"\x1b[31m')
    write(repository, {odd: "x", ":(top)x": "y"})
    assert git.list_files(str(repository), str(repository)).files == {odd, ":(top)x"}
    (repository / ".gitignore").write_bytes(b"caf*\n")
    assert git.ignored(str(repository), str(repository), [odd, ":(top)x"]) == {odd}


def test_many_paths_are_asked_about_at_once(repository: Path) -> None:
    write(repository, {".gitignore": "*7\n"})
    paths = [f"{'d' * 200}/{number}" for number in range(3_000)]
    assert git.ignored(str(repository), str(repository), paths) == {p for p in paths if p.endswith("7")}


def test_the_top_is_where_git_finds_it(repository: Path) -> None:
    sub = repository / "a/b"
    sub.mkdir(parents=True)
    assert git.work_tree(str(sub)) == str(repository)
    (repository / "a/.git").mkdir()
    assert git.work_tree(str(sub)) == str(repository)  # an empty .git is none
    (sub / ".git").write_text("gitdir: /nowhere\n")
    assert git.work_tree(str(sub)) == str(sub)
    assert git.work_tree(str(repository / ".git")) is None
    assert git.work_tree(str(repository / ".git/refs")) is None
    assert git.work_tree(str(repository.parent)) is None
    assert git.work_tree(str(repository / "nothing")) is None


def test_a_broken_repository_gives_no_answer_and_no_other_one(repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: .\n")
    assert why(lambda: git.list_files(str(inner), str(inner))) == "broken"


def test_a_git_folder_that_only_looks_like_one_makes_git_take_no_other(repository: Path) -> None:
    write(repository, {"inner/.git/HEAD": "nonsense", "inner/a.txt": "a"})
    for name in ("objects", "refs"):
        (repository / "inner/.git" / name).mkdir()
    inner = str(repository / "inner")
    assert git.work_tree(inner) == inner
    assert why(lambda: git.list_files(inner, inner)) == "broken"


def test_core_worktree_points_nowhere_else(repository: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside", {"canary.txt": "x"})
    write(repository, {"own.txt": "x"})
    run_git(repository, "config", "core.worktree", str(tmp_path / "outside"))
    assert git.list_files(str(repository), str(repository)).files == {"own.txt"}


def test_no_git_is_no_answer(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert why(lambda: git.list_files(str(repository), str(repository))) == "missing"


def test_a_git_of_the_workspace_is_never_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(repository / "bin", "touch pwned; exit 1")
    program(repository, "touch pwned; exit 1")
    monkeypatch.setenv("PATH", f".:{repository / 'bin'}:{repository}::{os.environ['PATH']}")
    assert "bin/git" in git.list_files(str(repository), str(repository)).files
    assert not (repository / "pwned").exists()


def test_only_what_git_needs_is_handed_down(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "bin", f"env > {tmp_path}/env; cat > {tmp_path}/stdin")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "LD_LIBRARY_PATH", "API_KEY"):
        monkeypatch.setenv(name, "leak")
    git.list_files(str(repository), str(repository))
    said = (tmp_path / "env").read_text()
    assert "leak" not in said
    for line in ("GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"):
        assert line in said.splitlines()
    assert (tmp_path / "stdin").read_bytes() == b""


def test_a_git_that_hangs_is_ended_with_all_it_started(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "bin", f"sleep 600 & echo $! > {tmp_path}/child; wait")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr(git, "TIME_LIMIT", 0.5)
    assert why(lambda: git.list_files(str(repository), str(repository))) == "timeout"
    child = int((tmp_path / "child").read_text())
    assert wait_for(lambda: not _runs(child))


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_git_that_closes_its_output_and_stays_is_ended(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "bin", "exec >&- 2>&-; sleep 600")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr(git, "TIME_LIMIT", 0.3)
    assert why(lambda: git.list_files(str(repository), str(repository))) == "timeout"


def test_too_much_output_is_cut_off(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "bin", "yes 1>&2 & exec yes")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr(git, "OUTPUT_LIMIT", 1_000_000)
    assert why(lambda: git.list_files(str(repository), str(repository))) == "output"


def test_an_ignore_file_that_is_a_fifo_is_found_before_the_time_is_up(repository: Path) -> None:
    write(repository, {"a/b/c.txt": "c"})
    os.mkfifo(repository / "a/b/.gitignore")
    with pytest.raises(git.Blocked) as caught:
        git.list_files(str(repository), str(repository))
    assert caught.value.path == f"{repository}/a/b/.gitignore"


@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude", ".git/index"])
def test_a_fifo_above_the_folder_is_found_too(repository: Path, place: str) -> None:
    write(repository, {"sub/c.txt": "c"})
    (repository / place).unlink(missing_ok=True)
    os.mkfifo(repository / place)
    with pytest.raises(git.Blocked) as caught:
        git.list_files(str(repository / "sub"), str(repository))
    assert caught.value.path == f"{repository}/{place}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_repository_of_somebody_else_is_refused(repository: Path) -> None:
    write(repository, {"a.txt": "a"})
    for path in (repository, repository / ".git"):
        os.chown(path, 12345, 12345)
    assert why(lambda: git.list_files(str(repository), str(repository))) == "refused"


def test_case_programs_in_the_configuration_never_run(case: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(case("16"), folder, symlinks=True)
    for name in ("ws/fsmonitor", "ws/hook", "ws/filter", "ws/filter2", "ws/submod", "ws"):
        scanner = Scanner(folder / name)
        scanner.scan()
        assert "f.txt" in {os.path.basename(entry.rel) for entry in scanner.scan().entries}
    assert not os.listdir(case("16") / "pwned")
    assert not os.listdir(folder / "pwned")


def test_nothing_is_written_into_the_repository(repository: Path) -> None:
    write(repository, {"a.txt": "a", "b/c.txt": "c"})
    run_git(repository, "add", ".")
    before = {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")}
    Scanner(repository).scan()
    assert {path: path.stat().st_mtime_ns for path in (repository / ".git").rglob("*")} == before
    assert stat.S_ISREG((repository / ".git/index").stat().st_mode)
