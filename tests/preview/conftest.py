"""Fixtures of the preview."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.message import Message

from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.preview.selecting import Extract, SelectingView
from knit_tui.faces.tui.preview.view import PreviewView
from tests.preview.bench import FAKE_CHILD, PATIENCE, Bench, PaneApp
from tests.textual_once import parse_styles_once

OpenBench = Callable[..., AbstractAsyncContextManager[Bench]]
FakeChild = Callable[[str], tuple[Sequence[str], Path]]

parse_styles_once()


@pytest.fixture
def bench(tmp_path: Path) -> OpenBench:
    """``async with bench(size=(80, 24), read=…) as b:`` runs an app over ``tmp_path/ws``."""
    root = tmp_path / "ws"
    root.mkdir()

    @asynccontextmanager
    async def running(size: tuple[int, int] = (80, 24), **settings: Any) -> AsyncIterator[Bench]:
        settings.setdefault("limit", PATIENCE)
        arrived: list[str] = []
        taken: list[Extract] = []

        def note(message: Message) -> None:
            if isinstance(message, PreviewPane.Loaded):
                arrived.append(message.request.item.rel)
            elif isinstance(message, PreviewView.Coloured):
                arrived.append("colours of " + message.answer.job.lines[0])
            elif isinstance(message, SelectingView.Selected) and message.extract not in taken:
                taken.append(message.extract)

        async with PaneApp(**settings).run_test(size=size, message_hook=note) as pilot:
            yield Bench(root, pilot, arrived, taken)

    return running


@pytest.fixture
def ws(tmp_path: Path, bench: OpenBench) -> Path:
    """The workspace of ``bench``."""
    return tmp_path / "ws"


@pytest.fixture
def fake_child(tmp_path: Path) -> FakeChild:
    """Makes a stand-in for the highlighter's process; the argument is what it does with a request.

    Gives the command, and the log in which it writes ``started`` and ``asked``.
    """

    def make(body: str) -> tuple[Sequence[str], Path]:
        log = tmp_path / "child.log"
        log.touch()
        program = tmp_path / "fake_child.py"
        program.write_text(FAKE_CHILD.format(log=str(log), body=body))
        return [sys.executable, "-I", str(program)], log

    return make
