"""A folder, its log and an engine over both."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from knit_tui.engine.changes import SessionChanged
from knit_tui.engine.engine import Engine
from knit_tui.model import Item, Notice, SessionOffer, SessionStatus, Snapshot, Tab
from knit_tui.sessions.events import Event, UserMessage
from knit_tui.workspace.scan import Scanner

BASE_TIME = 1_700_000_000_000_000_000


class Log:
    """A session whose events the test says."""

    def __init__(self) -> None:
        self.waiting: list[Event] = []
        self.status = SessionStatus("following", "claude", "s1")
        self.notices: tuple[Notice, ...] = ()
        self.offers: tuple[SessionOffer, ...] = ()
        self.chosen: list[str | None] = []

    def choose(self, key: str | None) -> None:
        self.chosen.append(key)

    def say(self, text: str) -> None:
        self.waiting.append(UserMessage(str(len(self.waiting)), text))

    def poll(self) -> Iterable[Event]:
        events, self.waiting = self.waiting, []
        return events


class Workspace:
    """A folder, its log and an engine over both."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = Log()
        self.engine = Engine(root, Scanner(root).scan, self.log)
        self._time = BASE_TIME

    def write(self, rel: str, text: str) -> None:
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._time += 1_000_000_000
        os.utime(path, ns=(self._time, self._time))

    def say(self, text: str) -> Snapshot:
        self.log.say(text)
        return self.engine.settle([SessionChanged()])


def items(snapshot: Snapshot, tab: Tab = Tab.CONTEXT) -> tuple[Item, ...]:
    return snapshot.views[tab].items


def paths(snapshot: Snapshot, tab: Tab = Tab.CONTEXT) -> list[str]:
    return [item.rel for item in items(snapshot, tab)]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.write(
        "docs/retry.md", "# Retry policy\n\nHow backoff and jitter work.\n\n## Jitter\n\njitter jitter\n"
    )
    made.write(
        "src/net/retry.py", '"""Retry with backoff."""\n\ndef backoff(attempt):\n    return 2 ** attempt\n'
    )
    made.write("src/net/client.py", "import retry\n\nclass Client:\n    pass\n")
    made.write("docs/guide.md", "# Guide\n\nNothing of note.\n")
    made.write("docs/图片排序.md", "# 图片排序\n\n图片按名称的自然顺序排序。\n")
    made.write("img/flow.png", "not really")
    return made
