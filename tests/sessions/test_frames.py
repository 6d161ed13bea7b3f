"""A log of compressed frames that grows, shrinks, goes and comes back."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions import frames
from knit_tui.sessions.frames import MAGIC, Blocks, Broken, FrameTail
from knit_tui.sessions.lines import MAX_LINE
from knit_tui.sessions.sources import HEADER
from tests.sessions.logs import line

ALL = 1 << 40


def frame(*rows: object, checksum: bool = True, level: int = 3) -> bytes:
    return zstandard.ZstdCompressor(level=level, write_checksum=checksum).compress(b"".join(map(line, rows)))


def row(value: int, pad: int = 200) -> dict[str, object]:
    return {"n": value, "pad": os.urandom(pad // 2).hex()}


def numbers(tail: FrameTail) -> list[int]:
    return [record["n"] for record in tail.records()]


def all_of(tail: FrameTail) -> list[int]:
    told: list[int] = []
    while tail.check() == "grown":
        told += numbers(tail)
    return told


def opened(path: Path, window: int = ALL) -> FrameTail:
    tail = FrameTail(str(path), window)
    assert tail.check() in ("grown", "same")
    return tail


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl.zstd"
    path.write_bytes(frame(row(1)) + frame(row(2), row(3)))
    return path


def test_every_frame_is_read(log: Path) -> None:
    tail = opened(log)
    assert numbers(tail) == [1, 2, 3]
    assert tail.check() == "same"
    assert (tail.damaged, tail.oversized, tail.started) == (0, 0, 0)


@pytest.mark.parametrize("checksum", [True, False])
def test_a_torn_frame_waits_for_its_end(log: Path, checksum: bool) -> None:
    tail = opened(log)
    numbers(tail)
    whole = frame(row(4), checksum=checksum)
    for at in range(len(whole)):
        add(log, whole[at : at + 1])
        assert tail.check() == "grown"
        assert numbers(tail) == ([4] if at == len(whole) - 1 else [])
        assert tail.check() == "same"
    assert tail.damaged == 0


def test_a_line_may_go_on_in_the_next_frame(log: Path) -> None:
    whole = line(row(4))
    packed = zstandard.ZstdCompressor()
    add(log, packed.compress(whole[:50]) + packed.compress(whole[50:]))
    assert all_of(opened(log)) == [1, 2, 3, 4]


def test_a_frame_of_many_blocks(log: Path) -> None:
    add(log, frame(*(row(n, 4000) for n in range(4, 500)), level=1))
    tail = opened(log)
    assert all_of(tail) == list(range(1, 500))


@pytest.mark.parametrize("level", [1, 19])
def test_a_frame_that_does_not_say_its_length(log: Path, level: int) -> None:
    packed = zstandard.ZstdCompressor(level=level, write_content_size=False).compressobj()
    add(log, b"".join(packed.compress(line(row(n))) for n in range(4, 60)) + packed.flush())
    assert all_of(opened(log)) == list(range(1, 60))


def test_a_frame_that_holds_no_text_is_passed_over(log: Path) -> None:
    add(log, b"\x5a\x2a\x4d\x18" + (300).to_bytes(4, "little") + MAGIC * 75 + frame(row(4)))
    tail = opened(log)
    assert (all_of(tail), tail.damaged) == ([1, 2, 3, 4], 0)


def test_a_frame_that_fails_its_checksum_costs_no_other(log: Path) -> None:
    torn = bytearray(frame(row(4)))
    torn[-1] ^= 1
    add(log, bytes(torn) + frame(row(5)))
    tail = opened(log)
    assert all_of(tail)[-1] == 5
    assert tail.damaged == 1


def test_a_line_that_a_damaged_frame_began_costs_no_other(log: Path) -> None:
    torn = bytearray(frame(row(4, 3 * MAX_LINE)))  # its end is lost
    torn[-1] ^= 1
    add(log, bytes(torn) + frame(row(5)))
    assert all_of(opened(log)) == [1, 2, 3, 5]


def test_a_frame_that_is_damaged_inside_costs_no_other(log: Path) -> None:
    torn = bytearray(frame({"n": 4, "pad": "abc " * 500}))
    torn[14:40] = b"\xff" * 26
    add(log, bytes(torn) + frame(row(5)))
    tail = opened(log)
    assert all_of(tail) == [1, 2, 3, 5]
    assert tail.damaged >= 1


@pytest.mark.parametrize("junk", [b"{not a frame}", b"\x28\xb5\x2f\xfe12345", b"\0" * 10])
def test_what_follows_junk_is_lost_and_no_error(log: Path, junk: bytes) -> None:
    add(log, junk)
    tail = opened(log)
    assert (all_of(tail), tail.damaged) == ([1, 2, 3], 1)
    add(log, frame(row(4)))
    assert all_of(tail) == []
    tail.restart()
    assert (tail.damaged, all_of(tail)) == (0, [1, 2, 3])


def test_a_block_longer_than_any_may_be_is_junk() -> None:
    blocks = Blocks()
    blocks.feed(MAGIC + b"\x00\x58" + (((128 * 1024 + 1) << 3) | 4).to_bytes(3, "little"))
    with pytest.raises(Broken):
        list(blocks.pieces())


def test_a_frame_that_asks_for_too_much_memory_is_damage(log: Path) -> None:
    options = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
    packed = zstandard.ZstdCompressor(compression_params=options).compressobj()
    add(log, packed.compress(line(row(4))) + packed.flush() + frame(row(5)))
    tail = opened(log)
    assert all_of(tail) == [1, 2, 3, 5]
    assert tail.damaged == 1


def test_a_decompression_bomb_costs_little_memory_and_comes_in_portions(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "SLICE", 16 * 1024 * 1024)
    packed = zstandard.ZstdCompressor().compressobj()
    zeros = bytes(1024 * 1024)
    add(log, b"".join(packed.compress(zeros) for _ in range(80)) + packed.flush() + frame({"n": 9}))
    assert log.stat().st_size < 32 * 1024
    tail, calls = opened(log), 0
    told: list[int] = []
    tracemalloc.start()
    try:
        while tail.check() == "grown":
            told += numbers(tail)
            calls += 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert told == [1, 2, 3]  # the bomb is the beginning of the line after them
    assert 5 <= calls <= 7
    assert peak < 8 * 1024 * 1024
    assert tail.oversized == 1


def test_empty_blocks_are_charged_for(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "SLICE", 256 * 1000)
    add(log, MAGIC + b"\x00\x58" + b"\0\0\0" * 2500 + b"\1\0\0")
    tail, calls = opened(log), 0
    while tail.check() == "grown":
        numbers(tail)
        calls += 1
    assert calls == 3


def test_a_line_of_many_megabytes_is_passed_over(log: Path) -> None:
    add(log, frame(row(4), {"n": 5, "pad": "x" * MAX_LINE}, row(6)))
    tail = opened(log)
    assert (all_of(tail), tail.oversized) == ([1, 2, 3, 4, 6], 1)


# The start window.


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "long.jsonl.zstd"
    path.write_bytes(frame({"n": 0}) + b"".join(frame(row(n)) for n in range(1, 400)))
    return path


def test_reading_begins_with_a_frame_in_the_window(long: Path) -> None:
    tail = opened(long, 64 * 1024)
    told = all_of(tail)
    assert told == list(range(told[0], 400)) and 20 < len(told) < 80
    assert long.stat().st_size - 8 * 1024 <= tail.started < long.stat().st_size - 7 * 1024
    assert tail.damaged == 0


def test_the_first_records_are_told_apart_from_the_window(long: Path) -> None:
    tail = opened(long, 64 * 1024)
    head = [record["n"] for record in tail.head()]
    assert head == list(range(all_of(tail)[0]))
    assert list(opened(long).head()) == []


def test_the_first_records_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "big.zstd"
    path.write_bytes(b"".join(frame({"n": n, "pad": f"{n}" * 9000}) for n in range(300)))
    head = list(opened(path, 16).head())
    assert 10 < len(head) <= HEADER // 9000 + 2


def test_a_window_in_the_last_frame_begins_with_that_frame(log: Path) -> None:
    assert all_of(opened(log, 1)) == [2, 3]


def test_the_window_is_not_looked_for_for_ever(long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_LEAPS", 1)
    monkeypatch.setattr(frames, "_CHUNK", 4096)
    tail = opened(long, 1024)
    assert 0 < tail.started <= 4096
    assert all_of(tail)[-1] == 399


def test_a_restart_with_another_window(long: Path) -> None:
    tail = opened(long, 1024)
    few = all_of(tail)
    tail.restart(ALL)
    assert all_of(tail) == list(range(400)) != few
    tail.restart()
    assert all_of(tail) == list(range(400))


# A file that changes otherwise.


def test_a_shorter_file_is_truncated(log: Path) -> None:
    tail = opened(log)
    all_of(tail)
    log.write_bytes(frame(row(9)))
    assert tail.check() == "truncated"
    assert tail.check() == "truncated", "until it is begun anew"
    tail.restart()
    assert all_of(tail) == [9]


def test_a_torn_frame_that_is_cut_off_again(log: Path) -> None:
    size = log.stat().st_size
    add(log, frame(row(4))[:30])
    tail = opened(log)
    assert all_of(tail) == [1, 2, 3]
    os.truncate(log, size)
    assert tail.check() == "truncated"


def test_another_file_under_the_name_is_a_replacement(log: Path, tmp_path: Path) -> None:
    tail = opened(log)
    all_of(tail)
    other = tmp_path / "other"
    other.write_bytes(frame(*(row(n) for n in range(50))))
    other.replace(log)
    assert tail.check() == "replaced"


def test_a_file_that_is_written_anew_in_place(log: Path) -> None:
    tail = opened(log)
    all_of(tail)
    log.write_bytes(frame(*(row(n) for n in range(50))))
    assert tail.check() == "replaced"


def test_a_file_that_is_written_anew_behind_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "log"
    same = b"".join(frame(row(n)) for n in range(40))
    path.write_bytes(same + frame(row(40)))
    tail = opened(path)
    assert all_of(tail) == list(range(41))
    path.write_bytes(same + frame(row(41)) + frame(row(42)))
    assert tail.check() == "replaced"


def test_a_replacement_between_check_and_read_tells_nothing(log: Path, tmp_path: Path) -> None:
    tail = opened(log)
    other = tmp_path / "other"
    other.write_bytes(frame(row(7)))
    other.replace(log)
    assert numbers(tail) == []
    assert tail.check() == "replaced"


def test_a_file_that_shrinks_between_check_and_read(log: Path) -> None:
    tail = opened(log)
    os.truncate(log, 0)
    assert numbers(tail) == []
    assert tail.check() == "replaced"


def test_away_and_back(log: Path) -> None:
    tail = opened(log)
    all_of(tail)
    away = log.with_name("away")
    log.rename(away)
    assert tail.check() == "missing"
    away.rename(log)
    assert tail.check() == "same"
    assert FrameTail(str(log.parent)).check() == "special"
    assert FrameTail("a\0b").check() == "missing"


@settings(max_examples=40, deadline=None)
@given(data=st.binary(max_size=300), at=st.integers(0, 400), chunk=st.integers(1, 50))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int, chunk: int) -> None:
    path = tmp_path_factory.mktemp("junk") / "log"
    whole = frame({"n": 1}) + frame({"n": 2, "pad": "x" * 300})
    junk = whole[:at] + data + whole[at:]
    path.write_bytes(b"")
    tail = opened(path)
    for start in range(0, len(junk), chunk):
        add(path, junk[start : start + chunk])
        all_of(tail)
    assert all_of(opened(path, 8)) is not None
