"""Fixtures of the tests of the tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.agent import Agent


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    """An agent with a project."""
    one = Agent(tmp_path)
    one.project()
    return one
