"""``--watch``: which states make a line, and how the process ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.cli import watch
from knit_tui.engine.changes import Ask, WorkspaceChanged
from knit_tui.engine.host import open_engine
from knit_tui.faces.watching import Lines
from knit_tui.model import Notice, Snapshot, Tab
from tests.headless import Knit, knit, validate  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def root(knit: Knit) -> Path:  # noqa: F811
    (knit.root / "retry.md").write_text("# Retry\n\nRetry with backoff.\n")
    (knit.root / "client.py").write_text("def backoff():\n    retry()\n")
    return knit.root


# Which states make a line.


def test_a_line_for_every_state_that_differs_and_for_no_other(root: Path) -> None:
    engine = open_engine(root, "none", tabs=(Tab.CONTEXT,))
    lines = Lines(Tab.CONTEXT, 20, typed=True)
    assert lines.line(engine.settle()) is None, "nothing was asked for yet"
    first = engine.settle([Ask("retry")])
    line = lines.line(first)
    assert line is not None and line.endswith("}\n") and line.count("\n") == 1 and line.isascii()
    value = json.loads(line)
    validate(value, "pack")
    assert value["generation"] == first.generation
    assert lines.line(replace(first, generation=9)) is None
    (root / "more.md").write_text("# Retry more\n")
    line = lines.line(engine.settle([WorkspaceChanged()]))
    assert line is not None and "more.md" in line
    assert json.loads(line)["generation"] > first.generation
    engine.close()


def _filling(snapshot: Snapshot, done: int) -> Snapshot:
    long = Notice("truncated", (("count", str(done)),))
    return replace(snapshot, notices=(Notice("indexing", (("done", str(done)), ("total", "9"))), long))


def test_how_far_the_index_is_makes_no_line(root: Path) -> None:
    engine = open_engine(root, "none", tabs=(Tab.CONTEXT,))
    whole = engine.settle([Ask("retry")])
    engine.close()
    lines = Lines(Tab.CONTEXT, 20)
    first = lines.line(_filling(whole, 1))
    assert first is not None and '"indexing"' in first
    assert lines.line(_filling(whole, 5)) is None
    assert lines.line(whole) is not None, "it is whole now"


def test_the_limit_and_the_explanation_are_those_of_the_command(root: Path) -> None:
    engine = open_engine(root, "none", tabs=(Tab.CONTEXT,))
    whole = engine.settle([Ask("retry")])
    engine.close()
    line = Lines(Tab.CONTEXT, 1, explain=True).line(whole)
    assert line is not None
    value = json.loads(line)
    validate(value, "pack")
    assert len(value["items"]) == 1 and value["items"][0]["evidence"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pack", "--watch", "--format", "text"], "--watch prints lines of JSON"),
        (["--query", "retry", "--watch", "--format", "paths"], "--watch prints lines of JSON"),
        (["--watch"], "--watch goes with"),
        (["pack", "--watch", "--limit", "0"], "--limit"),
        (["pack", "--watch", "-C", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_watched_is_one_line(arguments: list[str], says: str, knit: Knit) -> None:  # noqa: F811
    knit.patch.setattr(watch, "watch", lambda *_more: 99)
    done = knit(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)
    assert says in done.err


# Waiting.


def _snapshot(generation: int) -> Snapshot:
    return Snapshot(generation, "", True, None, {}, None)  # type: ignore[arg-type]


def test_the_newest_counts_and_a_reader_that_left_ends_it() -> None:
    feed = watch.Feed()
    reader, output = os.pipe()
    found = feed.snapshots(output)
    for number in range(70_000):  # more than the pipe that wakes can hold
        feed.publish(_snapshot(number))
    assert next(found).generation == 69_999
    feed.publish(_snapshot(7))
    assert next(found).generation == 7
    os.close(reader)
    rest: list[Snapshot] = []
    waiting = threading.Thread(target=lambda: rest.extend(found), daemon=True)
    waiting.start()
    waiting.join(30)
    assert not waiting.is_alive() and not rest
    os.close(output)
    feed.close()


def test_an_output_that_is_a_file_is_never_left(tmp_path: Path) -> None:
    feed = watch.Feed()
    with open(tmp_path / "out", "wb") as output:
        found = feed.snapshots(output.fileno())
        feed.publish(_snapshot(1))
        assert next(found).generation == 1
    feed.close()


def test_signals_are_given_back_and_an_ignored_one_stays_ignored() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with watch._ended_by_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is before[signal.SIGTERM]
        with pytest.raises(watch._Stopped), watch._ended_by_signals():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, "a second one ends at once"
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# The real command.


class Watched:
    """A ``knit`` that goes on, and the lines it has written."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._data = b""

    def line(self) -> Any:
        """The next line, which must come."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + 60
        while b"\n" not in self._data:
            ready, _writable, _failed = select.select([self.process.stdout], [], [], 1)
            assert time.monotonic() < deadline and self.process.poll() is None
            if ready:
                self._data += os.read(self.process.stdout.fileno(), 1 << 16)
        line, _end, self._data = self._data.partition(b"\n")
        value = json.loads(line)
        validate(value, "pack")
        return value

    def until(self, wanted: Any) -> Any:
        """The first of the next lines for which ``wanted`` holds."""
        while not wanted(value := self.line()):
            pass
        return value

    def end(self, number: int) -> tuple[int, bytes]:
        self.process.send_signal(number)
        status = self.process.wait(30)
        assert self.process.stderr is not None
        return status, self.process.stderr.read()


@contextmanager
def watching(*arguments: str) -> Iterator[Watched]:
    process = subprocess.Popen(
        [sys.executable, "-m", "knit_tui", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield Watched(process)
    finally:
        process.kill()
        process.wait(30)
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _paths(value: Any) -> list[str]:
    return [item["path"] for item in value["items"]]


def _gone(value: Any) -> bool:
    return any(notice["code"] == "gone" for notice in value["notices"])


def test_it_follows_the_workspace_away_and_back_until_it_is_told_to_end(root: Path) -> None:
    with watching("--query", "retry", "--watch") as seen:
        seen.until(lambda value: sorted(_paths(value)) == ["client.py", "retry.md"])
        (root / "more.md").write_text("# Retry more\n")
        seen.until(lambda value: "more.md" in _paths(value))
        elsewhere = root.rename(root.parent / "elsewhere")
        assert len(_paths(seen.until(_gone))) == 3
        elsewhere.rename(root)
        (root / "last.md").write_text("# Retry last\n")
        assert not _gone(seen.until(lambda value: "last.md" in _paths(value)))
        assert seen.end(signal.SIGTERM) == (128 + signal.SIGTERM, b"")


def test_it_follows_a_log_that_is_written_later_and_ends_when_nobody_reads(root: Path) -> None:
    from tests.sessions.logs import Claude, append

    log = root.parent / "s.jsonl"
    with watching("pack", "--session", str(log), "--watch") as seen:
        assert seen.line()["session"]["state"] == "missing"
        (root / "more.md").write_text("# More\n")
        assert seen.until(lambda value: "more.md" in _paths(value))["session"]["state"] == "missing"
        written = Claude(str(root), "s1")
        append(log, written.user("explain the backoff"))
        assert seen.until(lambda value: value["query"]["task"])["query"]["task"] == "explain the backoff"
        append(log, written.user("now the retry"))
        seen.until(lambda value: value["query"]["task"] == "now the retry")
        assert seen.process.stdout is not None and seen.process.stderr is not None
        seen.process.stdout.close()
        assert seen.process.wait(30) == 0, "though nothing changes"
        assert seen.process.stderr.read() == f"knit: session file is missing: {log}\n".encode()


def test_ctrl_c_ends_it_quietly(root: Path) -> None:
    with watching("pack", "--watch") as seen:
        seen.line()
        assert seen.end(signal.SIGINT) == (130, b"")
