"""Fixtures of the tests of registering."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.install.agents import AGENTS, Scope
from tests.install.desk import Desk


@pytest.fixture
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    name, scope = getattr(request, "param", ("gemini", Scope.USER))
    return Desk(AGENTS[name], scope, tmp_path)
