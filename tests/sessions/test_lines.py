"""Bytes to lines, lines to records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.lines import MAX_LINE, LineBuffer, records


def fed(data: bytes, size: int, limit: int = MAX_LINE) -> tuple[list[bytes], int]:
    buffer = LineBuffer(limit)
    lines = [line for at in range(0, len(data), size) for line in buffer.feed(data[at : at + size])]
    return lines, buffer.oversized


def test_a_half_line_waits_for_its_end() -> None:
    buffer = LineBuffer()
    assert buffer.feed(b'{"a":') == []
    assert buffer.feed(b'"\xc3') == []
    assert buffer.feed(b'\xa9"}\nx') == ['{"a":"é"}'.encode()]
    assert buffer.feed(b"\n") == [b"x"]


def test_what_is_left_of_a_line_that_began_before_is_dropped() -> None:
    buffer = LineBuffer(4)
    buffer.start_inside()
    assert buffer.feed(b"tail of something long\nab\n") == [b"ab"]
    assert buffer.oversized == 0


def test_a_line_over_the_limit_is_passed_over_and_counted() -> None:
    data = b"one\n" + b"x" * 50 + b"\n" + b"y" * 10 + b"\n" + b"z" * 11 + b"\ntwo\n"
    for size in (1, 7, 1000):
        assert fed(data, size, limit=10) == ([b"one", b"y" * 10, b"two"], 2)


def test_a_line_over_the_limit_is_not_held() -> None:
    buffer = LineBuffer(100)
    for _ in range(1000):
        buffer.feed(b"x" * 64)
    assert sum(map(len, buffer._parts)) == 0


@settings(deadline=None)
@given(st.binary(max_size=400), st.integers(1, 50), st.integers(1, 60))
def test_chunks_do_not_matter(data: bytes, size: int, limit: int) -> None:
    assert fed(data, size, limit) == fed(data, max(len(data), 1), limit)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_records_or_nothing(data: bytes) -> None:
    found, _ = records(data)
    assert all(isinstance(record, dict) for record in found)


@pytest.mark.parametrize(
    ("line", "expected", "damaged"),
    [
        (b"", [], False),
        (b" \t\r\0\0", [], False),
        (b'\xef\xbb\xbf{"a":1}', [{"a": 1}], False),
        (b'\0\0\0{"a":1}\0\r', [{"a": 1}], False),
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], False),
        (b'{"a":1} {"b":2}', [{"a": 1}, {"b": 2}], False),
        (b'{"type":"pr-li{"type":"user","n":{"m":1}}', [{"type": "user", "n": {"m": 1}}], True),
        (b'{"t":"a","m":{"x":[1,{"y":2}],"z":"cut{"type":"user"}', [{"type": "user"}], True),
        (b'{"type":"progress","data":{"message":{"type":"user"}},"to', [], True),
        (b'{"a":1}{"b":', [{"a": 1}], True),
        (b'{"a":"\xff\xfe"}', [{"a": "\ufffd\ufffd"}], False),
        (b"null", [], True),
        (b"[1]", [], True),
        (b"undefined", [], True),
        (b'"text"', [], True),
        (b"{}", [{}], False),
    ],
)
def test_one_line(line: bytes, expected: list[object], damaged: bool) -> None:
    assert records(line) == (expected, damaged)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 200_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"n":' + b"9" * 6000 + b"}",
        b'{"' * 300_000,
        b'{"a":{' * 100_000,
        b'{"a":"' * 100_000,
        b'{"a' * 200_000,
        b'{"n":' + b"9" * 5000 + b'{"n":' + b"9" * 5000,
    ],
    ids=range(8),
)
def test_a_line_made_to_break_the_reader_costs_itself(line: bytes) -> None:
    found, damaged = records(line)
    assert damaged
    assert found == []


@pytest.mark.parametrize("piece", [b'{"', b'{"a":{', b'{"a', b'{"n":1,', b'{"a":1}x'])
def test_looking_for_records_in_damage_is_given_up(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed attempt costs a look at all that lies before it: those looks together are bounded."""
    looked = 0
    real = json.JSONDecoder.raw_decode

    def counted(self: json.JSONDecoder, text: str, idx: int = 0) -> tuple[object, int]:
        nonlocal looked
        try:
            return real(self, text, idx)
        except json.JSONDecodeError as error:
            looked += error.pos
            raise

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", counted)
    records(piece * (MAX_LINE // len(piece)))
    assert looked < 100 * MAX_LINE


def test_a_record_after_a_killer_on_the_same_line_is_lost_but_not_the_next_line() -> None:
    data = b"[" * 100_000 + b'\n{"type":"user"}\n'
    lines, _ = fed(data, 4096)
    assert [record for line in lines for record in records(line)[0]] == [{"type": "user"}]


def test_lone_surrogates_pass_through_json_and_are_left_to_the_decoder() -> None:
    found, damaged = records(rb'{"a":"\ud83c"}')
    assert not damaged
    assert json.dumps(found[0]) == r'{"a": "\ud83c"}'
