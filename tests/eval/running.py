"""Runs a measurement as its user does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(module: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """``python -m eval.MODULE``; its output as text."""
    return subprocess.run(
        [sys.executable, "-m", f"eval.{module}", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def refused(result: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr of a run that gave nothing."""
    assert result.returncode not in (0, None)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr
