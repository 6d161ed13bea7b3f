"""Fixtures for every test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of logs and cases that lies beside the repository; skips where there is none."""
    folder = (Path(__file__).resolve().parents[1] / "../shared").resolve()
    if not folder.is_dir():
        pytest.skip("needs the folder shared/ beside the repository")
    return folder
