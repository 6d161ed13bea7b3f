"""What waits for a user who is moving, and for how long, on a clock that is told what time it is."""

import queue
from collections.abc import Iterable
from pathlib import Path

import pytest

from knit_tui.engine import host as host_module
from knit_tui.engine.changes import Change, Pin, SessionChanged, WorkspaceChanged
from knit_tui.engine.host import COALESCE_SECONDS, MOVING_SECONDS, PATIENCE_SECONDS, POLL_SECONDS, Host


class Clock:
    """Stands for the module ``time`` and for the queue of a host; changes and keys come when they are due."""

    def __init__(
        self, host: Host, changes: Iterable[tuple[float, Change]], keys: Iterable[float] = ()
    ) -> None:
        self.now = 0.0
        self._due: list[tuple[float, Change | None]] = [*changes, *((at, None) for at in keys)]
        self._due.sort(key=lambda each: each[0])
        self._host = host

    def monotonic(self) -> float:
        return self.now

    def get(self, timeout: float) -> Change:
        end = self.now + timeout
        while self._due and self._due[0][0] <= end:
            at, change = self._due.pop(0)
            self.now = max(self.now, at)
            if change is not None:
                return change
            self._host.attend()
        self.now = end
        raise queue.Empty


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def collect(
    host: Host,
    monkeypatch: pytest.MonkeyPatch,
    changes: Iterable[tuple[float, Change]],
    keys: Iterable[float] = (),
    wait: float = POLL_SECONDS,
) -> tuple[float, list[Change]]:
    """When the host went on, and what it went on with."""
    clock = Clock(host, changes, keys)
    monkeypatch.setattr(host_module, "time", clock)
    monkeypatch.setattr(host, "_changes", clock)
    host._collect(wait)
    return clock.now, host._due


SAVED = (0.01, WorkspaceChanged())
BOTH = [SessionChanged(), WorkspaceChanged()]


def test_without_a_user_nothing_waits(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    assert collect(host, monkeypatch, [SAVED]) == (pytest.approx(0.01 + COALESCE_SECONDS), BOTH)


def test_what_happens_outside_waits_until_the_user_rests(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [0.0, 0.2, 0.4]
    assert collect(host, monkeypatch, [SAVED], keys) == (pytest.approx(0.4 + MOVING_SECONDS), BOTH)


def test_and_not_for_ever(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [each / 10 for each in range(100)]
    assert collect(host, monkeypatch, [SAVED], keys) == (pytest.approx(PATIENCE_SECONDS), BOTH)


def test_what_the_user_does_waits_for_nothing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = (0.3, Pin("a.md"))
    now, due = collect(host, monkeypatch, [SAVED, pin], [0.0, 0.2, 0.3])
    assert (now, due) == (pytest.approx(0.3), [*BOTH, Pin("a.md")])


def test_nor_does_what_waits_to_be_indexed(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    assert collect(host, monkeypatch, [], [0.0], wait=0.0) == (0.0, [SessionChanged()])
