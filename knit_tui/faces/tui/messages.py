"""What reaches the panel from the engine's thread, and what the panel needs of its host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from textual.message import Message

from knit_tui.engine.changes import Change
from knit_tui.model import Snapshot


class Host(Protocol):
    """The engine as the panel sees it. No method blocks."""

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        """Begin; both callbacks may be called from any thread."""

    def send(self, change: Change) -> None:
        """Tell the engine what the user did."""

    def attend(self) -> None:
        """The user is moving: what happens outside may wait a little."""

    def stop(self) -> None:
        """End, within a bounded time."""


@dataclass
class SnapshotReady(Message):
    """The engine published a snapshot; of several that wait, only the newest is handled."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, SnapshotReady) and message.snapshot.generation > self.snapshot.generation


@dataclass
class EngineFailed(Message):
    """The engine could not go on; the last snapshot stays on screen."""

    error: str
