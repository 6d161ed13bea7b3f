"""The event stream that any other tool can write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.events import FORMAT, EventsDecoder
from knit_tui.sessions.paths import Place
from tests.sessions.laws import cut_anywhere, grown_in_chunks, of_file, of_records, short
from tests.sessions.logs import FIXTURES, ROOT

FIXTURE = FIXTURES / "events.jsonl"
TOLD = [
    "session mytool s-1 /home/dev/project",
    "user Why does the lamp flicker below 10 %?",
    "mention docs/dimming.md ok",
    "agent 先看驱动代码。",
    "confirmed src/driver.py ok",
    "confirmed src/gone.py failed",
    "inferred src/pwm.py ok by subagent",
    "attempted src/later.py failed",
    "edit src/pwm.py ok",
    "Compacted",
    "agent The duty cycle was clamped 🔆.",
    "rewind u1 0",
    "user no, keep the clamp and smooth it",
    "Reset",
    "session mytool s-2 /home/dev/project/src",
    "user Something else",
    "confirmed src/driver.py ok",
    "rewind  1",
]


def decoded(*items: dict[str, Any]) -> list[Event]:
    return of_records(FORMAT, items, ROOT)


def unknown(*items: Any) -> int:
    decoder = EventsDecoder(Place((ROOT,)), "s")
    for item in items:
        assert decoder.decode(item) == []
    return decoder.unknown


def test_what_a_stream_gives() -> None:
    assert [short(event) for event in of_file(FORMAT, FIXTURE)] == TOLD


def test_a_stream_cut_anywhere(tmp_path: Path) -> None:
    cut_anywhere(FORMAT, FIXTURE.read_bytes(), tmp_path / "log.jsonl")


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_do_not_matter(tmp_path: Path, size: int) -> None:
    grown_in_chunks(FORMAT, FIXTURE.read_bytes(), tmp_path / "log.jsonl", size)


def test_one_word_is_enough() -> None:
    """A record needs nothing before it."""
    assert decoded({"type": "read", "path": "a.md"}) == [
        SessionInfo("events", "s", ""),
        ReadDone("a.md", True, "confirmed", "main", ""),
    ]


def test_every_field() -> None:
    session = {"type": "session", "cwd": ROOT, "session_id": "s-1", "agent": "mytool"}
    events = decoded(
        session,
        {"type": "user", "text": " dim it\n", "id": "u1", "timestamp": "2026-01-01T00:00:00Z"},
        {"type": "assistant", "text": "on it", "id": "a1", "by": "main"},
        {
            "type": "read",
            "path": f"{ROOT}/a.md",
            "ok": False,
            "certainty": "inferred",
            "by": "subagent",
            "id": "c1",
        },
        {"type": "edit", "path": "b.md", "ok": False, "by": "subagent", "id": "c2"},
        {"type": "rewind", "turns": 2},
        {"type": "rewind", "keep_until_id": "u1"},
        {"type": "compacted"},
    )
    assert events == [
        SessionInfo("mytool", "s-1", ROOT),
        UserMessage("u1", "dim it"),
        AssistantText("a1", "on it"),
        ReadDone("a.md", False, "inferred", "subagent", "c1"),
        EditDone("b.md", False, "subagent", "c2"),
        Rewind(turns=2),
        Rewind(keep_until_id="u1"),
        Compacted(),
    ]


def test_unknown_fields_are_passed_over_and_unknown_types_counted() -> None:
    assert decoded({"type": "user", "text": "x", "mood": ["odd"]})[1:] == [UserMessage("record-1", "x")]
    assert unknown({"type": "search", "text": "x"}, {"text": "x"}, {}, {"type": ["user"], "text": "x"}) == 4


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user"},
        {"type": "user", "text": 5},
        {"type": "assistant", "text": None},
        {"type": "read"},
        {"type": "read", "path": ["a.md"]},
        {"type": "read", "path": "a.md", "ok": "yes"},
        {"type": "read", "path": "a.md", "ok": None},
        {"type": "read", "path": "a.md", "certainty": "sure"},
        {"type": "read", "path": "a.md", "certainty": ["confirmed"]},
        {"type": "read", "path": "a.md", "by": "someone"},
        {"type": "read", "path": "a.md", "id": 7},
        {"type": "edit", "text": "a.md"},
        {"type": "rewind"},
        {"type": "rewind", "turns": 0},
        {"type": "rewind", "turns": -1},
        {"type": "rewind", "turns": -1, "keep_until_id": "u1"},
        {"type": "rewind", "turns": True},
        {"type": "rewind", "turns": 1.0},
        {"type": "rewind", "keep_until_id": ""},
        {"type": "session", "cwd": 5, "agent": "x"},
    ],
)
def test_a_field_that_holds_what_it_may_not(record: dict[str, Any]) -> None:
    assert unknown(record) == 1
    assert not FORMAT.recognises(record)


def test_what_tells_nothing_and_is_no_fault() -> None:
    silent = [
        {"type": "user", "text": "  \n"},
        {"type": "user", "text": "a sub-agent's order", "by": "subagent"},
        {"type": "assistant", "text": "a sub-agent's answer", "by": "subagent"},
        {"type": "read", "path": ""},
        {"type": "read", "path": "https://example.org/a.md"},
    ]
    assert unknown(*silent) == 0


def test_what_was_only_attempted_is_never_a_success() -> None:
    events = decoded({"type": "read", "path": "a.md", "certainty": "attempted", "ok": True})
    assert short(events[-1]) == "attempted a.md failed"


def test_an_id_is_told_once() -> None:
    same = [
        {"type": "user", "text": "x", "id": "1"},
        {"type": "assistant", "text": "y", "id": "2"},
        {"type": "read", "path": "a.md", "id": "1"},
        {"type": "edit", "path": "a.md", "id": "2"},
    ]
    assert decoded(*same, *same) == decoded(*same)
    without = [{"type": "user", "text": "x"}, {"type": "read", "path": "a.md"}]
    assert len(decoded(*without, *without)) == 5


def test_another_session_begins_anew() -> None:
    events = decoded(
        {"type": "session", "session_id": "s-1", "agent": "mytool", "cwd": ROOT},
        {"type": "user", "text": "x", "id": "1"},
        {"type": "session", "session_id": "s-2"},
        {"type": "user", "text": "x", "id": "1"},
        {"type": "read", "path": "src/a.md"},
    )
    assert events[2:] == [
        Reset("session"),
        SessionInfo("events", "s-2", ""),
        UserMessage("1", "x"),
        ReadDone("src/a.md", True, "confirmed"),
    ]


def test_the_same_session_may_be_told_again_and_move() -> None:
    session = {"type": "session", "session_id": "s-1", "agent": "mytool", "cwd": ROOT}
    events = decoded(
        session,
        session,
        {"type": "session", "cwd": f"{ROOT}/src"},
        {"type": "read", "path": "a.py"},
        {"type": "session"},
        {"type": "read", "path": "../b.md"},
    )
    assert events == [
        SessionInfo("mytool", "s-1", ROOT),
        SessionInfo("mytool", "s-1", f"{ROOT}/src"),
        ReadDone("src/a.py", True, "confirmed"),
        ReadDone("b.md", True, "confirmed"),
    ]


def test_a_session_that_is_named_late_forgets_what_came_before() -> None:
    events = decoded({"type": "user", "text": "x"}, {"type": "session", "session_id": "s-1"})
    assert events[2:] == [Reset("session"), SessionInfo("events", "s-1", "")]


def test_paths_without_a_folder_are_read_from_the_workspace() -> None:
    events = decoded(
        *({"type": "read", "path": path} for path in ("./a.md", "x/../b.md", "/etc/hosts", "../c"))
    )
    reads = [event.path for event in events if isinstance(event, ReadDone)]
    assert reads == ["a.md", "b.md", "/etc/hosts", "/home/dev/c"]


# Which records are this stream's.


def test_the_record_of_a_session_must_say_more_than_its_folder() -> None:
    """Another agent's log begins with a record of the same type and a folder."""
    assert FORMAT.recognises({"type": "session", "session_id": "s"})
    assert FORMAT.recognises({"type": "session", "agent": "mytool", "cwd": ROOT})
    assert not FORMAT.recognises({"type": "session", "cwd": ROOT, "id": "x", "version": 3})


def test_only_this_format_recognises_the_stream() -> None:
    for row in FIXTURE.read_bytes().splitlines():
        record = json.loads(row)
        assert FORMAT.recognises(record) or record["type"] == "session"
        assert [form.agent for form in FORMATS if form.recognises(record) and form.agent != "events"] == []


def test_no_other_log_is_taken_for_the_stream(shared: Path) -> None:
    seen = 0
    for path in [*(shared / "sessions").rglob("*.jsonl"), *FIXTURES.glob("*.jsonl")]:
        if path == FIXTURE:
            continue
        for number, row in enumerate(path.read_bytes().splitlines()[:200]):
            try:
                record = json.loads(row)
            except ValueError:
                continue
            seen += 1
            assert not (isinstance(record, dict) and FORMAT.recognises(record)), f"{path}:{number}"
    assert seen > 1000


WORDS = st.sampled_from(
    "type text path id ok certainty by cwd session_id agent turns keep_until_id session user assistant read"
    " edit rewind compacted main subagent confirmed inferred mention attempted message".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.just("\ud83c\0"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.dictionaries(WORDS, VALUES, max_size=6), max_size=6))
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[dict[str, Any]]) -> None:
    decoder = EventsDecoder(Place((ROOT,), home="/home/dev"), "s")
    for row in rows:
        FORMAT.recognises(row)
        for event in [*decoder.decode(row), *decoder.settle()]:
            for field in getattr(event, "__slots__", ()):
                value = getattr(event, field)
                assert not isinstance(value, str) or value.encode() is not None
