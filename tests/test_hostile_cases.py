"""Hostile workspaces and logs: each case must hold for the real command and, with tmux, the real panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import warm
from tests.hostile.cases import Case
from tests.hostile.harness import run_case
from tests.hostile.panel import Server, tmux_missing

NUMBERS = (
    "01",
    "02",
    "03",
    "04",
    "05",
    "06",
    "08",
    "09",
    "10",
    "11",
    "12",
    "13",
    "14",
    "15",
    "16",
    "19",
    "20",
    "21",
    "22",
    "24",
    "25",
    "26",
    "30",
    "31",
    "33",
)
"""All but those that take a minute or more each, or that need a machine to themselves: ``python -m
tests.hostile`` runs those too."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    if tmux_missing():
        yield None
        return
    with Server() as server:
        yield server


@pytest.mark.parametrize("number", NUMBERS)
def test_case(number: str, shared: Path, server: Server | None) -> None:
    found = sorted((shared / "cases").glob(f"{number}-*/make.sh"))
    if not found:
        pytest.skip(f"no case {number} here")
    report = run_case(Case(found[0].parent), quick=warm.command(), server=server, no_screen=tmux_missing())
    print(report.line())
    assert report.ok, "\n".join([report.line(), *report.details()])
    if server is None:
        pytest.skip(f"the command's part holds; no panel: {tmux_missing()}")
