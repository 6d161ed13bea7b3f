"""A log file that grows, shrinks, goes and comes back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.lines import MAX_LINE
from knit_tui.sessions.sources import ByteTail, open_regular
from tests.sessions.logs import append, line, write


def numbers(tail: ByteTail) -> list[int]:
    return [record["n"] for record in tail.records()]


def rows(*values: int) -> list[dict[str, object]]:
    return [{"n": value, "pad": f"{value:0200}"} for value in values]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "log.jsonl", rows(1, 2, 3))


def opened(path: Path, window: int = 1 << 20) -> ByteTail:
    tail = ByteTail(str(path), window)
    assert tail.check() in ("grown", "same")
    return tail


def test_what_is_there_and_what_comes(log: Path) -> None:
    tail = opened(log)
    assert numbers(tail) == [1, 2, 3]
    assert tail.check() == "same"
    assert numbers(tail) == []
    append(log, *rows(4))
    assert tail.check() == "grown"
    assert numbers(tail) == [4]


def test_a_half_line_is_told_when_its_end_comes(log: Path) -> None:
    tail = opened(log)
    numbers(tail)
    whole = line({"n": 4, "é": "é"})
    for at in range(len(whole)):
        with log.open("ab") as file:
            file.write(whole[at : at + 1])
        assert tail.check() == "grown"
        assert numbers(tail) == ([4] if at == len(whole) - 1 else [])


def test_an_empty_file_that_fills(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.touch()
    tail = opened(log)
    assert numbers(tail) == []
    append(log, *rows(1))
    assert tail.check() == "grown"
    assert numbers(tail) == [1]


def test_a_smaller_file_is_truncated(log: Path) -> None:
    tail = opened(log)
    numbers(tail)
    write(log, rows(9))
    assert tail.check() == "truncated"
    assert tail.check() == "truncated", "until it is begun anew"
    tail.restart()
    assert tail.check() == "grown"
    assert numbers(tail) == [9]


def test_a_larger_file_in_the_same_inode_is_replaced(log: Path) -> None:
    tail = opened(log)
    numbers(tail)
    inode = log.stat().st_ino
    write(log, rows(9, 9, 9, 9, 9, 9))
    assert log.stat().st_ino == inode
    assert tail.check() == "replaced"


def test_the_same_beginning_does_not_hide_another_file(tmp_path: Path) -> None:
    first = {"n": 0, "pad": "x" * 5000}
    log = write(tmp_path / "log.jsonl", [first, *rows(1, 2)])
    tail = opened(log)
    numbers(tail)
    write(log, [first, *rows(7, 8, 9)])
    assert tail.check() == "replaced"


def test_the_same_end_does_not_hide_another_file(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", rows(1, 2, 3))
    tail = opened(log)
    numbers(tail)
    write(log, rows(9, 2, 3, 4))
    assert tail.check() == "replaced"


def test_a_file_moved_over_it_is_replaced(log: Path, tmp_path: Path) -> None:
    tail = opened(log)
    numbers(tail)
    other = write(tmp_path / "other.jsonl", rows(1, 2, 3, 4))
    os.replace(other, log)
    assert tail.check() == "replaced"


def test_a_touched_file_is_the_same(log: Path) -> None:
    tail = opened(log)
    numbers(tail)
    os.utime(log, (1, 1))
    assert tail.check() == "same"


def test_a_file_that_is_away_and_comes_back(log: Path, tmp_path: Path) -> None:
    tail = opened(log)
    numbers(tail)
    aside = tmp_path / "aside"
    log.rename(aside)
    assert tail.check() == "missing"
    aside.rename(log)
    assert tail.check() == "same", "it is the very same file"
    log.unlink()
    assert tail.check() == "missing"
    write(log, rows(5))
    assert tail.check() in ("replaced", "truncated")


def test_what_is_no_file(tmp_path: Path) -> None:
    assert ByteTail(str(tmp_path / "none")).check() == "missing"
    assert ByteTail(str(tmp_path)).check() == "special"
    assert ByteTail("a\0b").check() == "missing"
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert ByteTail(str(tmp_path / "pipe")).check() == "special"
        with pytest.raises(IsADirectoryError):
            open_regular(str(tmp_path / "pipe"))


def test_a_file_that_may_not_be_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tail = opened(log)

    def refuse(*args: object, **more: object) -> int:
        raise PermissionError(13, "no")

    monkeypatch.setattr(os, "open", refuse)
    append(log, *rows(4))
    assert tail.check() == "unreadable"
    assert numbers(tail) == []
    assert tail.check() == "unreadable"
    monkeypatch.undo()
    assert tail.check() == "grown"
    assert numbers(tail) == [1, 2, 3, 4]


def test_a_file_that_goes_between_check_and_reading(log: Path) -> None:
    tail = opened(log)
    log.unlink()
    assert numbers(tail) == []
    assert tail.check() == "unreadable"
    assert tail.check() == "missing"


def test_a_long_log_is_begun_near_its_end(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", rows(*range(100)))
    tail = opened(log, window=1000)
    assert tail.started == log.stat().st_size - 1000
    assert [record["n"] for record in tail.head()] == list(range(len([*tail.head()])))
    assert numbers(tail) == [96, 97, 98, 99]
    append(log, *rows(100))
    tail.check()
    assert numbers(tail) == [100]
    assert tail.damaged == 0


def test_only_the_first_part_says_what_a_log_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.sources.HEADER", 600)
    tail = opened(write(tmp_path / "log.jsonl", rows(*range(100))), window=1000)
    assert [record["n"] for record in tail.head()] == [0, 1]


def test_the_first_line_is_read_only_where_the_window_leaves_it_out(log: Path) -> None:
    assert list(opened(log).head()) == []


def test_a_first_line_without_end_is_bounded(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"x":"' + b"y" * 600_000 + b'"}\n' + b"".join(map(line, rows(1))))
    tail = opened(log, window=1000)
    assert list(tail.head()) == []
    assert numbers(tail) == [1]


def test_damaged_and_oversized_lines_are_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"undefined\n" + b"x" * (MAX_LINE + 1) + b"\n" + line({"n": 1}) + b"null\n")
    tail = opened(log, window=1 << 30)
    assert numbers(tail) == [1]
    assert (tail.damaged, tail.oversized) == (2, 1)


def test_one_call_goes_through_a_bounded_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.sessions.sources.SLICE", 500)
    log = write(tmp_path / "log.jsonl", rows(*range(10)))
    tail = opened(log)
    told: list[int] = []
    calls = 0
    while tail.check() == "grown":
        told += numbers(tail)
        calls += 1
    assert told == list(range(10))
    assert calls > 3


def test_no_handle_stays_open(log: Path) -> None:
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("needs /proc")
    tail = opened(log)
    numbers(tail)
    targets = {os.readlink(entry) for entry in folder.iterdir() if entry.is_symlink() and entry.exists()}
    assert str(log) not in targets


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=120), max_size=8), st.integers(10, 300))
def test_any_bytes_however_they_come(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], window: int
) -> None:
    log = tmp_path_factory.mktemp("log") / "log.jsonl"
    log.touch()
    tail = ByteTail(str(log), window)
    for part in parts:
        with log.open("ab") as file:
            file.write(part)
        assert tail.check() in ("grown", "same")
        list(tail.records())
    assert tail.check() == "same"
