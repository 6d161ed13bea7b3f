"""The event stream as a file or a pipe that is named, and knit following it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.sessions import follow
from knit_tui.sessions.follow import Follower
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.events import FORMAT, within
from knit_tui.sessions.listing import Address
from knit_tui.sessions.peek import identify, peek
from knit_tui.sessions.pipe import PipeTail
from knit_tui.sessions.sources import ByteTail
from tests.sessions.laws import short
from tests.sessions.logs import ROOT, append, line, write


def test_a_stream_is_never_looked_for(tmp_path: Path) -> None:
    write(tmp_path / ".knit/events.jsonl", [{"type": "read", "path": "a.md"}])
    assert list(FORMAT.locator(tmp_path, {}).logs((str(tmp_path),), 0.0)) == []


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "events"
    os.mkfifo(path)
    return path


def test_a_pipe_is_known_without_being_opened(fifo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", refused)
    assert [found.address for found in within(str(fifo))] == [Address(str(fifo))]
    assert identify(str(fifo), (*FORMATS, FORMAT)) == ("following", Address(str(fifo)), FORMAT)
    said = peek(Address(str(fifo)), FORMAT, (ROOT,))
    assert said is not None and said.prompt is None


def test_what_is_no_stream(tmp_path: Path) -> None:
    assert within(str(tmp_path)) == within(str(tmp_path / "none")) == within("a\0b") == []
    assert identify(str(tmp_path), (FORMAT,))[0] == "not-a-log"
    other = write(tmp_path / "other.jsonl", [{"type": "user", "message": {"content": "x"}}])
    assert identify(str(other), (FORMAT,))[0] == "not-a-log"


def test_each_has_its_source(fifo: Path, tmp_path: Path) -> None:
    file = write(tmp_path / "file.jsonl", [{"type": "compacted"}])
    assert isinstance(FORMAT.source(Address(str(fifo)), 1), PipeTail)
    assert isinstance(FORMAT.source(Address(str(file)), 1), ByteTail)


class Desk:
    """A workspace, a stream that is named, and knit following it."""

    def __init__(self, base: Path, stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(follow, "FORMATS", (*(f for f in FORMATS if f.agent != "events"), FORMAT))
        self.clock = 1_790_000_000.0
        self.root = base / "lamp"
        self.root.mkdir()
        self.follower = Follower(
            self.root, str(stream), home=base / "home", environ={}, now=lambda: self.clock
        )

    def poll(self) -> list[str]:
        self.clock += 1.0
        return [short(event) for event in self.follower.poll()]


def test_a_pipe_is_followed(fifo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, fifo, monkeypatch)
    assert desk.poll() == []
    assert desk.follower.status.state == "following"
    descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    os.write(descriptor, line({"type": "user", "text": "dim it"}) + line({"type": "read", "path": "a.md"}))
    assert desk.poll() == ["session events events ", "user dim it", "confirmed a.md ok"]
    os.close(descriptor)
    assert desk.poll() == []
    fifo.unlink()
    assert desk.poll() == []
    assert desk.follower.status.state == "missing"
    os.mkfifo(fifo)
    assert desk.poll() == []
    descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    os.write(descriptor, line({"type": "user", "text": "again"}))
    os.close(descriptor)
    assert desk.poll() == ["user again"]
    assert desk.follower.status.state == "following"


def test_another_session_in_a_pipe_loses_nothing(
    fifo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, fifo, monkeypatch)
    desk.poll()
    for number in (1, 2):
        descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        os.write(descriptor, line({"type": "session", "session_id": f"s-{number}"}))
        os.write(descriptor, line({"type": "user", "text": f"dim {number}"}))
        os.close(descriptor)
        told = desk.poll()
    assert told == ["Reset", "session events s-2 ", "user dim 2"]


def test_a_pipe_that_is_made_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fifo = tmp_path / "later"
    desk = Desk(tmp_path, fifo, monkeypatch)
    assert desk.poll() == []
    os.mkfifo(fifo)
    assert desk.poll() == []
    descriptor = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    os.write(descriptor, line({"type": "user", "text": "dim it"}))
    os.close(descriptor)
    assert desk.poll()[1:] == ["user dim it"]


def test_a_file_in_the_place_of_a_pipe_is_read_from_its_start(
    fifo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, fifo, monkeypatch)
    desk.poll()
    fifo.unlink()
    write(fifo, [{"type": "user", "text": "from a file"}])
    told = desk.poll() + desk.poll()
    assert [text for text in told if text.startswith("user")] == ["user from a file"]


def test_a_file_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "stream.jsonl", [{"type": "user", "text": "dim it"}])
    desk = Desk(tmp_path, file, monkeypatch)
    assert desk.poll() == ["session events stream ", "user dim it"]
    append(file, {"type": "edit", "path": "a.md"})
    assert desk.poll() == ["edit a.md ok"]
