"""Fixtures for every test."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# Whatever a test starts keeps nothing in the user's own cache; tests of the cache say where theirs is.
os.environ["KNIT_CACHE_DIR"] = "off"
os.environ["KNIT_STATE_DIR"] = "off"
os.environ["KNIT_CONFIG_DIR"] = "off"

# Where the tests run in the background these may be ignored, and all that they start would ignore them too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

WAITING = ("tests/test_hostile", "tests/engine/test_crash", "tests/panel/test_terminal", "tests/mcp/")
"""Tests that mostly wait for other processes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin each worker's share with some of those that wait: at the end they would wait alone."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waiting = [item for item in items if item.nodeid.startswith(WAITING)]
    others = [item for item in items if not item.nodeid.startswith(WAITING)]
    share = -(-len(items) // workers)
    ordered: list[pytest.Item] = []
    for number in range(workers):
        first = waiting[number::workers]
        ordered += first + others[: share - len(first)]
        del others[: share - len(first)]
    items[:] = ordered + others


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of logs and cases that lies beside the repository; skips where there is none."""
    folder = (Path(__file__).resolve().parents[1] / "../shared").resolve()
    if not folder.is_dir():
        pytest.skip("needs the folder shared/ beside the repository")
    return folder
