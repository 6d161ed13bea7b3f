"""``knit pin``, ``unpin``, ``exclude`` and ``restore``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import warm


class Shell:
    def __init__(self, base: Path) -> None:
        self.root, self.state = base / "ws", base / "state"
        for rel in ("docs/a.md", "docs/b.md", "src/x.py"):
            path = self.root / rel
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"ranking of {rel}\n")

    def knit(self, *words: str, cwd: str = "", state: str = "") -> tuple[int, str, str]:
        done = subprocess.run(
            [*warm.command(), *words],
            cwd=self.root / cwd,
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {"KNIT_STATE_DIR": state or str(self.state)},
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_pin_stands_first_in_what_is_printed_then(shell: Shell) -> None:
    assert shell.knit("pin", "docs/b.md") == (0, "pinned docs/b.md\n", "")
    listed = shell.knit("--query", "ranking", "--format", "paths")[1].splitlines()
    assert listed[0] == "docs/b.md"
    assert shell.knit("unpin", "docs/b.md") == (0, "unpinned docs/b.md\n", "")


def test_an_exclusion_is_nowhere_until_it_is_restored(shell: Shell) -> None:
    assert shell.knit("exclude", "docs/a.md", "docs/b.md")[0] == 0
    assert shell.knit("--query", "ranking", "--format", "paths")[1].splitlines() == ["src/x.py"]
    assert shell.knit("restore", "--all") == (0, "restored docs/a.md\nrestored docs/b.md\n", "")
    assert len(shell.knit("--query", "ranking", "--format", "paths")[1].splitlines()) == 3


@pytest.mark.parametrize("path", ["a.md", "./a.md", "../docs/a.md"])
def test_a_path_counts_from_the_current_folder(shell: Shell, path: str) -> None:
    assert shell.knit("pin", path, "-C", "..", cwd="docs")[1] == "pinned docs/a.md\n"


def test_a_path_may_count_from_the_root_too(shell: Shell) -> None:
    assert shell.knit("pin", "src/x.py", "-C", "..", cwd="docs")[1] == "pinned src/x.py\n"
    assert shell.knit("pin", str(shell.root / "docs/a.md"))[1] == "pinned docs/a.md\n"


@pytest.mark.parametrize("path", ["nope.md", "../outside.md", "docs", ".", "/etc/passwd", "\x1b[31mred"])
def test_what_is_no_document_of_the_workspace_is_refused(shell: Shell, path: str) -> None:
    status, out, error = shell.knit("pin", path)
    assert (status, out) == (2, "")
    assert error.startswith("knit: no such document in the workspace: ") and "\x1b" not in error
    assert error.count("\n") == 1


def test_what_is_so_already_changes_nothing(shell: Shell) -> None:
    shell.knit("pin", "docs/a.md")
    assert shell.knit("pin", "docs/a.md") == (1, "", "knit: nothing changed: it is so already\n")


def test_a_pin_of_a_file_that_is_gone_can_be_taken_off(shell: Shell) -> None:
    shell.knit("pin", "docs/a.md")
    (shell.root / "docs/a.md").unlink()
    assert shell.knit("unpin", "docs/a.md")[1] == "unpinned docs/a.md\n"


def test_what_cannot_be_kept_is_said(shell: Shell) -> None:
    status, _, error = shell.knit("pin", "docs/a.md", state="off")
    assert (status, error) == (2, "knit: nothing is kept: KNIT_STATE_DIR is off\n")
    shell.state.write_text("in the way")
    status, _, error = shell.knit("pin", "docs/a.md")
    assert status == 2 and "what you set lasts for this session only" in error


def test_restore_wants_to_know_which(shell: Shell) -> None:
    assert shell.knit("restore") == (2, "", "knit: which documents? Name them, or give --all\n")
