"""Workspaces to look at: a git repository of ours, and the hostile cases where they are to be had."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from knit_tui.model import Scan
from knit_tui.workspace.scan import Scanner

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.com",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.com",
}


def run_git(folder: Path, *arguments: str) -> bytes:
    """Run git in a folder, without the user's configuration."""
    return subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
    ).stdout


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder, making the folders they need."""
    for rel, content in files.items():
        path = root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def commit(folder: Path, subject: str, files: dict[str, str | bytes]) -> str:
    """Commit files and give the commit's id."""
    write(folder, files)
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return run_git(folder, "rev-parse", "HEAD").decode().strip()


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Wait until a condition holds, or for as long as is allowed."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def scan(root: Path) -> Scan:
    return Scanner(root).scan()


def rels(found: Scan) -> list[str]:
    return [entry.rel for entry in found.entries]


def skipped(found: Scan) -> dict[str, str]:
    return {skip.rel: skip.reason for skip in found.skips}


def reasons(found: Scan) -> list[str]:
    """Why git did not answer, and about which folder."""
    return [f"{dict(n.facts)['why']} {dict(n.facts)['folder']}" for n in found.notices]


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the configuration of the person who runs the tests out of them."""
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, ENVIRONMENT[name])
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """An empty git repository."""
    root = tmp_path / "ws"
    root.mkdir()
    run_git(root, "init", "-q")
    return root


@pytest.fixture
def grown(repository: Path) -> Path:
    """A repository with three commits; the last one removes a file."""
    commit(repository, "first", {"a.py": "1", "sub/b.py": "1", "sub/deep/c.py": "1"})
    commit(repository, "second", {"a.py": "2", "sub/b.py": "2"})
    (repository / "sub/deep/c.py").unlink()
    commit(repository, "third", {})
    return repository


@pytest.fixture(scope="session")
def case(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """Builds a hostile case by its number, once; not to be changed by the test."""
    built: dict[str, Path] = {}

    def build(number: str) -> Path:
        if number not in built:
            recipe = next(shared.glob(f"cases/{number}-*")) / "make.sh"
            folder = tmp_path_factory.mktemp(f"case{number}")
            subprocess.run(["bash", str(recipe), str(folder)], check=True, capture_output=True)
            built[number] = folder
        return built[number]

    yield build
    for folder in built.values():  # some are too deep for pytest to remove
        subprocess.run(["chmod", "-R", "u+rwx", str(folder)], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", str(folder)], check=False)
