"""A named pipe that is followed: a real one, and real writers."""

from __future__ import annotations

import gc
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from knit_tui.sessions import pipe
from knit_tui.sessions.lines import MAX_LINE
from knit_tui.sessions.pipe import PipeTail, is_pipe
from tests.sessions.logs import line

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "events"
    os.mkfifo(path)
    return path


@pytest.fixture
def tail(path: Path) -> PipeTail:
    tail = PipeTail(str(path))
    tail.restart()
    assert tail.check() == "same"
    return tail


class Writer:
    """Somebody who has the pipe open to write, and would fail rather than wait."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)

    def send(self, data: bytes) -> None:
        assert os.write(self.descriptor, data) == len(data)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.descriptor)


def numbers(tail: PipeTail) -> list[int]:
    return [record["n"] for record in tail.records()]


def taken(tail: PipeTail) -> list[int]:
    """What one check and reading give."""
    return numbers(tail) if tail.check() == "grown" else []


def row(number: int) -> bytes:
    return line({"n": number})


def test_what_writers_send(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(row(1) + row(2))
        assert taken(tail) == [1, 2]
        assert tail.check() == "same"
        writer.send(row(3))
        assert taken(tail) == [3]
    assert tail.check() == "same"


def test_a_writer_in_a_shell_never_waits(path: Path, tail: PipeTail) -> None:
    """Opening a pipe to write waits for a reader; nothing reads here while the shells run."""
    for number in (1, 2):
        command = f"printf '{{\"n\": {number}}}\\n' > {path}"
        subprocess.run(["/bin/sh", "-c", command], check=True, timeout=10)
    assert taken(tail) == [1, 2]


def test_writers_at_the_same_time(path: Path, tail: PipeTail) -> None:
    with Writer(path) as one, Writer(path) as other:
        one.send(row(1))
        other.send(row(2))
        one.send(row(3))
        assert taken(tail) == [1, 2, 3]


def test_half_a_line_waits_for_its_end(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        for byte in row(1)[:-1]:
            writer.send(bytes([byte]))
            assert tail.check() == "same"
        writer.send(b"\n")
        assert taken(tail) == [1]


def test_half_a_line_of_a_writer_that_is_gone_spoils_no_other(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(row(1)[:4])
    assert taken(tail) == []
    assert tail.damaged == 1
    with Writer(path) as writer:
        writer.send(row(2))
        assert taken(tail) == [2]
    assert tail.damaged == 1


def test_a_last_line_without_its_end(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(b'{"n": 1}')
    assert taken(tail) == [1]
    assert tail.damaged == 0


def test_half_a_line_that_the_next_writer_runs_into(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(b'{"n": 1, "pa')
    with Writer(path) as writer:
        writer.send(row(2))
        assert taken(tail) == [2]
    assert tail.damaged == 1


def test_a_pipe_that_is_deleted_and_made_again(path: Path, tail: PipeTail) -> None:
    with Writer(path) as late:
        late.send(row(1))
        path.unlink()
        assert taken(tail) == [1]  # it is in the old one still
        assert tail.check() == "missing"
        os.mkfifo(path)
        late.send(row(2))
        assert taken(tail) == [2]
    with Writer(path) as writer:
        writer.send(row(3))
    assert taken(tail) == [3]


def test_a_pipe_that_was_replaced_between_two_looks(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(row(1) + b'{"n":')
    path.unlink()
    os.mkfifo(path)
    assert taken(tail) == [1]
    assert tail.damaged == 1
    with Writer(path) as writer:
        writer.send(row(2))
    assert taken(tail) == [2]


def test_half_a_line_in_a_pipe_that_was_replaced_under_its_writer(path: Path, tail: PipeTail) -> None:
    with Writer(path) as late:
        late.send(b'{"n":')
        path.unlink()
        os.mkfifo(path)
        next_one = os.open(path, os.O_RDWR)  # waits for no reader, and is there before the tail is
        os.write(next_one, b"2}\n" + row(3))
        assert taken(tail) == [3]
        os.close(next_one)
    assert tail.damaged == 2


def test_a_file_in_the_place_of_the_pipe(path: Path, tail: PipeTail) -> None:
    path.unlink()
    path.write_bytes(row(1))
    assert tail.check() == "replaced"
    assert numbers(tail) == []


def test_a_pipe_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "later"
    tail = PipeTail(str(path))
    tail.restart()
    assert tail.check() == "missing"
    os.mkfifo(path)
    assert tail.check() == "same"
    with Writer(path) as writer:
        writer.send(row(1))
    assert taken(tail) == [1]


def test_a_pipe_that_may_not_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refused)
    tail = PipeTail(str(path))
    tail.restart()
    assert tail.check() == "unreadable"
    monkeypatch.undo()
    assert tail.check() == "same"


def test_nothing_is_taken_before_somebody_follows(path: Path, tail: PipeTail) -> None:
    look = PipeTail(str(path))
    with Writer(path) as writer:
        writer.send(row(1))
        assert look.check() == "same"
        assert numbers(look) == [] and list(look.head()) == []
        assert taken(tail) == [1]


def test_a_flood_is_taken_in_portions(path: Path, tail: PipeTail, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipe, "SLICE", 4096)
    monkeypatch.setattr(pipe, "_CHUNK", 1024)
    sent = b"".join(row(number) for number in range(4000))
    with Writer(path) as writer:
        writer.send(sent[:60_000])
        assert tail.check() == "grown"
        first = numbers(tail)
        assert first == list(range(len(first)))
        assert len(b"".join(map(row, first))) <= 4096
        got = first
        while tail.check() == "grown":
            got += numbers(tail)
    assert got == list(range(len(got)))
    assert sent.startswith(b"".join(map(row, got)))


def test_what_was_not_taken_yet_is_not_read_over(path: Path, tail: PipeTail) -> None:
    with Writer(path) as writer:
        writer.send(row(1))
        assert tail.check() == "grown"
        writer.send(row(2))
        assert tail.check() == "grown"
        assert numbers(tail) == [1]
        assert taken(tail) == [2]


def test_a_line_that_is_too_long_is_passed_over(
    path: Path, tail: PipeTail, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = b"x" * 32_768
    with Writer(path) as writer:
        for _ in range(MAX_LINE // len(part) + 2):
            writer.send(part)
            assert tail.check() == "same"
        writer.send(b"\n" + row(1))
        assert taken(tail) == [1]
    assert tail.oversized == 1


def test_the_pipe_is_left_when_it_is_followed_no_more(path: Path) -> None:
    tail = PipeTail(str(path))
    tail.restart()
    tail.check()
    Writer(path).__exit__()
    del tail
    gc.collect()
    with pytest.raises(OSError, match="No such device"):
        Writer(path)


def test_what_is_a_pipe(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    names = [str(path), str(file), str(tmp_path), str(tmp_path / "none"), "a\0b"]
    assert [is_pipe(name) for name in names] == [True, False, False, False, False]


def test_the_time_of_the_last_writing(path: Path, tail: PipeTail) -> None:
    os.utime(path, (1_000_000_000, 1_000_000_000))
    tail.check()
    assert tail.mtime == 1_000_000_000


def descriptors() -> Iterator[str]:
    yield from os.listdir("/proc/self/fd")


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts what is open")
def test_no_descriptor_is_kept_of_pipes_that_are_gone(path: Path, tail: PipeTail) -> None:
    before = len(list(descriptors()))
    for _ in range(50):
        path.unlink()
        tail.check()
        os.mkfifo(path)
        tail.check()
    assert len(list(descriptors())) == before
