"""An agent that cannot be followed is named, with the reason."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from knit_tui.sessions.unsupported import is_thread, unsupported


def knit(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "knit_tui", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"HOME": str(home), "XDG_DATA_HOME": ""},
        check=False,
    )


def test_amp_is_named_where_it_was_used(tmp_path: Path) -> None:
    assert unsupported(tmp_path, {}) == ()
    (tmp_path / ".local/share/amp").mkdir(parents=True)
    assert unsupported(tmp_path, {}) == ("amp",)
    assert unsupported(tmp_path, {"XDG_DATA_HOME": str(tmp_path / "else")}) == ()


@pytest.mark.parametrize(
    ("path", "told"),
    [("/h/amp/threads/T-1.json", True), ("/h/amp/threads/x.json", False), ("/h/T-1.json", False)],
)
def test_a_thread_of_amp(path: str, told: bool) -> None:
    assert is_thread(path) is told


def test_the_command_says_why(tmp_path: Path) -> None:
    thread = tmp_path / ".local/share/amp/threads/T-1.json"
    thread.parent.mkdir(parents=True)
    thread.write_text('{"v": 1, "id": "T-1", "messages": []}\n')
    (tmp_path / "ws").mkdir()
    listed = knit(tmp_path, "sessions", "-C", str(tmp_path / "ws"))
    assert (listed.returncode, listed.stdout) == (1, "")
    assert "Amp was used here, but keeps its threads on its server" in listed.stderr
    shown = knit(tmp_path, "sessions", "--events", str(thread))
    assert shown.returncode == 2
    assert "knit cannot follow Amp" in shown.stderr
