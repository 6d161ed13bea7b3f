"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Whatever a test starts keeps nothing in the user's own cache; tests of the cache say where theirs is.
os.environ["KNIT_CACHE_DIR"] = "off"
os.environ["KNIT_STATE_DIR"] = "off"
os.environ["KNIT_CONFIG_DIR"] = "off"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of logs and cases that lies beside the repository; skips where there is none."""
    folder = (Path(__file__).resolve().parents[1] / "../shared").resolve()
    if not folder.is_dir():
        pytest.skip("needs the folder shared/ beside the repository")
    return folder
