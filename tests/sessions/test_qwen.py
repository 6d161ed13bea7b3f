"""Qwen Code: whole logs, the session they are of, and what nobody would write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import Rewind, SessionInfo
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.qwen import FORMAT
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import identify
from tests.sessions.laws import agrees, cut_anywhere, grown_in_chunks, of_file, of_records, short
from tests.sessions.logs import ROOT, SESSION, line
from tests.sessions.qwen_rows import Qwen, Row, events


def genuine(shared: Path) -> Path:
    return next((shared / "sessions/genuine/qwen-0.24.4/projects").rglob("chats/*.jsonl"))


def sample(shared: Path) -> Path:
    return shared / "sessions/samples/qwen/01-session.jsonl"


def rows_of(path: Path) -> list[Row]:
    return [json.loads(row) for row in path.read_bytes().splitlines()]


@pytest.fixture
def log() -> Qwen:
    return Qwen()


def test_the_genuine_log_gives_what_was_read_in_it(shared: Path, tmp_path: Path) -> None:
    told = of_file(FORMAT, genuine(shared))
    agrees(shared, "qwen-0.24.4", told, tmp_path)
    assert [event for event in told if isinstance(event, (SessionInfo, Rewind))] == [
        SessionInfo("qwen", "6dbca34c-2361-4b4b-9443-71e210487bdc", "/home/dev/project", "0.24.4")
    ]


def test_the_sample_gives_what_is_listed(shared: Path) -> None:
    assert [short(event) for event in of_file(FORMAT, sample(shared))] == [
        "session qwen 67f2d225-1462-4d1b-a30c-14ee9f3cb104 /home/dev/project",
        "user what does the scheduler retry on?",
        "confirmed src/scheduler.py ok",
        "confirmed src/none.py failed",
        "agent Only on timeouts.",
        "mention src/queue.py ok",
        "user @src/queue.py is this the caller?",
        "rewind q6 0",  # the list has no line for a rewind
        "user no wait, rewind: show the cron table",
        "Compacted",
    ]


def test_a_log_cut_anywhere_gives_a_beginning(log: Qwen, tmp_path: Path) -> None:
    rows = [
        log.user("dim it 🔆"),
        log.says("变暗了。"),
        log.system("rewind", parent=None),
    ]
    cut_anywhere(FORMAT, b"".join(map(line, rows)), tmp_path / "x.jsonl")


def test_the_given_logs_cut_here_and_there_give_a_beginning(shared: Path, tmp_path: Path) -> None:
    cut_anywhere(FORMAT, sample(shared).read_bytes(), tmp_path / "s.jsonl", step=11)
    cut_anywhere(FORMAT, genuine(shared).read_bytes(), tmp_path / "g.jsonl", step=997)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_do_not_matter(shared: Path, tmp_path: Path, size: int) -> None:
    grown_in_chunks(FORMAT, sample(shared).read_bytes(), tmp_path / "s.jsonl", size)
    if size > 1:
        grown_in_chunks(FORMAT, genuine(shared).read_bytes(), tmp_path / "g.jsonl", size)


def test_a_log_that_is_read_twice_gives_nothing_twice(shared: Path) -> None:
    for path in (genuine(shared), sample(shared)):
        rows = rows_of(path)
        assert of_records(FORMAT, rows * 2) == of_records(FORMAT, rows)


def test_only_its_own_format_recognises_a_log(shared: Path) -> None:
    for path in (genuine(shared), sample(shared)):
        for row in rows_of(path):
            assert {form.agent for form in (*FORMATS, FORMAT) if form.recognises(row)} == {"qwen"}
        assert identify(str(path), [FORMAT])[2] is FORMAT


def test_other_agents_logs_are_not_recognised(shared: Path) -> None:
    for folder in ("samples", "genuine"):
        for path in (shared / "sessions" / folder).rglob("*.jsonl"):
            if "qwen" in str(path):
                continue
            for row in path.read_bytes().splitlines():
                try:
                    record = json.loads(row)
                except ValueError:
                    continue
                assert not (isinstance(record, dict) and FORMAT.recognises(record)), path


# The session.


def test_a_session_that_moves_says_so(log: Qwen) -> None:
    first = log.user("dim it")
    log.cwd = f"{ROOT}/.qwen/worktrees/night"
    rows = [first, log.says("Moved."), log.says("Still there.")]
    decoder = FORMAT.decoder(Place((ROOT,)), SESSION)
    told = [event for row in rows for event in decoder.decode(row)]
    assert [event.cwd for event in told if isinstance(event, SessionInfo)] == [ROOT, log.cwd]


def test_rows_of_other_sessions_do_not_count(log: Qwen) -> None:
    other = Qwen(session="00000000-1111-4222-8333-944455566677")
    assert events(log.user("dim it"), other.user("hum?") | {"uuid": "o1"}) == ["user dim it"]
    assert events(other.user("hum?"), other.user("dim it")) == ["user hum?", "user dim it"]


def test_a_subagents_log_is_no_session(log: Qwen) -> None:
    side = {"isSidechain": True, "agentId": "explore-7f3c"}
    rows = [log.user("list the lamps", **side), log.says("Two.", **side)]
    decoder = FORMAT.decoder(Place((ROOT,)), "agent-explore-7f3c")
    assert [event for row in rows for event in decoder.decode(row)] == []
    assert decoder.foreign
    assert events(log.user("dim it"), *rows) == ["user dim it"]


def test_a_subagent_in_the_same_file_reads_and_does_not_talk(log: Qwen) -> None:
    side = {"isSidechain": True, "agentId": "explore-7f3c"}
    read = {"id": "s1", "name": "read_file", "args": {"file_path": "a.md"}}
    rows = [
        log.user("dim it"),
        log.user("find the driver", **side),
        log.says("Looking.", calls=(read,), **side),
        log.done("s1", **side),
        log.system("rewind", parent=None, **side),
        log.says("Found."),
    ]
    assert events(*rows) == ["user dim it", "confirmed a.md ok by subagent", "agent Found."]


def test_unknown_records_are_counted(log: Qwen) -> None:
    decoder = FORMAT.decoder(Place((ROOT,)), SESSION)
    for row in (
        log.system("ui_telemetry"),
        log.system("managed_session_event_v1"),
        log.system("planet"),
        log.row("comet"),
        log.user("x", subtype="star"),
        log.user("x", subtype="cron", provenance="system"),
    ):
        decoder.decode(row)
    assert decoder.unknown == 3


# Records that no program would write.

WORDS = st.sampled_from(
    "uuid parentUuid sessionId type subtype provenance cwd message role parts text thought functionCall"
    " functionResponse id name args response output error toolCallResult callId status resultDisplay"
    " systemPayload displayText filesRead userText isSidechain agentId user assistant tool_result system"
    " at_command rewind chat_compression real_user read_file edit run_shell_command command directory"
    " file_path shell_result outcome completed exitCode success u1 u2 u3".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["cat a.md", "\ud83c\0", "--- Content from referenced files ---", "<system-reminder>"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)
PARTS = st.lists(
    st.fixed_dictionaries({"text": VALUES})
    | st.fixed_dictionaries(
        {"functionCall": st.fixed_dictionaries({"id": WORDS, "name": WORDS, "args": VALUES})}
    )
    | st.fixed_dictionaries({"functionResponse": st.fixed_dictionaries({"id": WORDS, "response": VALUES})})
    | VALUES,
    max_size=3,
)
RECORDS = st.dictionaries(WORDS, VALUES, max_size=7) | st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "tool_result", "system"])},
    optional={
        "uuid": WORDS,
        "parentUuid": WORDS | st.none(),
        "cwd": st.sampled_from([ROOT, "\ud83c"]),
        "message": st.fixed_dictionaries({"parts": PARTS}),
        "subtype": WORDS,
        "systemPayload": VALUES,
        "toolCallResult": VALUES,
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(RECORDS, max_size=8))
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[dict[str, Any]]) -> None:
    decoder = FORMAT.decoder(Place((ROOT,), home="/home/dev", is_file=lambda path: True), "s")
    for row in rows:
        FORMAT.recognises(row)
        FORMAT.written(row)
        for event in [*decoder.decode(row), *decoder.settle()]:
            for field in event.__slots__:
                value = getattr(event, field)
                assert not isinstance(value, str) or isinstance(value.encode(), bytes)
