"""Cursor CLI: what a transcript tells, which is little."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import AssistantText, Event, ReadDone, UserMessage
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.cursor import FORMAT, CursorDecoder, written
from knit_tui.sessions.listing import Address
from knit_tui.sessions.log import Log
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import moment
from tests.sessions.laws import PROJECT, cut_anywhere, grown_in_chunks, of_file, of_records, short
from tests.sessions.logs import Record, append, write

NOW = 1_790_000_000.0


def user(*content: Any) -> Record:
    return {"role": "user", "message": {"content": content[0] if len(content) == 1 else list(content)}}


def agent(*blocks: Any) -> Record:
    return {"role": "assistant", "message": {"content": list(blocks)}}


def text(said: str) -> Record:
    return {"type": "text", "text": said}


def call(name: str, **given: Any) -> Record:
    return {"type": "tool_use", "name": name, "input": given}


def query(said: str) -> str:
    return f"<user_query>\n{said}\n</user_query>"


def decoded(*records: Record, cwd: str = PROJECT) -> list[Event]:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s", cwd)
    return [event for record in records for event in decoder.decode(record)][1:]


def prompts(*records: Record) -> list[str]:
    return [event.text for event in decoded(*records) if isinstance(event, UserMessage)]


# The list of samples leaves Cursor out; these were read in the file.
SAMPLE = [
    "session cursor 01-agent-transcript ",
    "user audit the public API of this package",
    "agent Listing the exports first.",
    "attempted src/index.ts failed",
    "agent There are four exports.",
    "user which ones are unused?",
]


@pytest.fixture
def sample(shared: Path) -> Path:
    return shared / "sessions/samples/cursor/01-agent-transcript.jsonl"


def test_what_the_sample_gives(sample: Path) -> None:
    assert [short(event) for event in of_file(FORMAT, sample)] == SAMPLE


def test_the_sample_cut_anywhere(sample: Path, tmp_path: Path) -> None:
    cut_anywhere(FORMAT, sample.read_bytes(), tmp_path / "log.jsonl")


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_do_not_matter(sample: Path, tmp_path: Path, size: int) -> None:
    grown_in_chunks(FORMAT, sample.read_bytes(), tmp_path / "log.jsonl", size)


def test_ids_are_places() -> None:
    """There are none in the records, so a log that is read twice tells everything twice."""
    records = [user(query("a")), agent(text("b"), text("c")), {"type": "turn_ended", "status": "success"}]
    ids = [event.id for event in decoded(*records) if isinstance(event, (UserMessage, AssistantText))]
    assert ids == ["record-1", "record-2", "record-2#1"]
    twice = of_records(FORMAT, [*records, *records])
    assert len(twice) == 1 + 2 * 3


# What a person wrote.


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (query("dim it"), "dim it"),
        (f"<timestamp>Sunday, Aug 2, 2026, 3:51 AM (UTC-7)</timestamp>\n{query('dim it')}", "dim it"),
        (f"<image_files>\n1. /a.png\n</image_files>\n{query('dim it')}", "dim it"),
        (query("what is <user_query> and </user_query> for?"), "what is <user_query> and </user_query> for?"),
        ("<user_query>\ncut off", "cut off"),
        ("dim it", "dim it"),
        ("<timestamp>Sunday</timestamp>\ndim it", "dim it"),
        ("<system_notification>the task is done</system_notification>", ""),
        ("<system_reminder>x</system_reminder>\n<attached_files>y</attached_files>", ""),
        ("<div> is too wide", "<div> is too wide"),
        ("a <b>bold</b> word", "a <b>bold</b> word"),
        ("", ""),
        (None, ""),
        (5, ""),
        ([text(query("dim")), {"type": "image"}, text(query("it")), "x", None], "dim\nit"),
    ],
)
def test_prompts(content: Any, expected: str) -> None:
    assert prompts(user(content)) == ([expected] if expected else [])


# What the agent said and asked for.


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Done.", "Done."),
        ("[REDACTED]\n\nDone.", "Done."),
        ("Done.\n\n[REDACTED]", "Done."),
        ("[REDACTED]", ""),
        ("The log says [REDACTED] there.", "The log says [REDACTED] there."),
    ],
)
def test_answers(said: str, expected: str) -> None:
    events = decoded(agent({"type": "thinking", "thinking": "secret"}, text(said)))
    assert [event.text for event in events if isinstance(event, AssistantText)] == (
        [expected] if expected else []
    )


def reads(*blocks: Any, cwd: str = PROJECT) -> list[str]:
    return [short(event) for event in decoded(agent(*blocks), cwd=cwd)]


def test_reads_are_attempted() -> None:
    assert reads(
        call("Read", path=f"{PROJECT}/a.md", offset=1, limit=9),
        call("Read", path="src/b.py"),
        call("read_file", target_file="c.md"),
        call("Read", path="/etc/hosts"),
    ) == [
        "attempted a.md failed",
        "attempted src/b.py failed",
        "attempted c.md failed",
        "attempted /etc/hosts failed",
    ]


def test_a_read_may_name_its_call() -> None:
    events = decoded(
        agent(call("Read", path="a.md") | {"id": "call-1"}, call("Read", path="b.md") | {"id": None})
    )
    assert [event.call_id for event in events if isinstance(event, ReadDone)] == ["call-1", ""]


def test_searching_and_editing_tell_nothing() -> None:
    """No result tells whether an edit was made."""
    assert reads(
        call("Grep", pattern="x", path=PROJECT),
        call("Glob", glob_pattern="*", target_directory=PROJECT),
        call("Write", path="a.md", contents="x"),
        call("StrReplace", path="a.md", old_string="x", new_string="y"),
        call("Delete", path="a.md"),
        call("Read"),
        call("Read", path=["a.md"]),
        {"type": "tool_use", "name": "Read", "input": "a.md"},
        {"type": "tool_use", "name": ["Read"], "input": {}},
    ) == []  # fmt: skip


def test_shell_reads_are_attempted_where_they_ran() -> None:
    assert reads(
        call("Shell", command="cat a.md"),
        call("Shell", command="cat b.py", working_directory=f"{PROJECT}/src"),
        call("Shell", command="sed -n 1,9p d.py", working_directory="src"),
        call("Shell", command="ls; grep x c.md"),
        call("Shell", command="cat e.md 2>/dev/null > f"),
    ) == ["attempted a.md failed", "attempted src/b.py failed", "attempted src/d.py failed"]


def test_a_shell_read_must_name_a_file_where_that_can_be_asked() -> None:
    place = Place((PROJECT,), is_file=lambda name: name == "a.md")
    decoder = FORMAT.decoder(place, "s", PROJECT)
    decoder.decode(user(query("x")))
    assert [short(e) for e in decoder.decode(agent(call("Shell", command="cat a.md gone.md")))] == [
        "attempted a.md failed"
    ]


def test_without_a_folder_only_whole_paths_are_placed() -> None:
    assert reads(call("Read", path=f"{PROJECT}/a.md"), call("Read", path="b.md"), cwd="") == [
        "attempted a.md failed",
        "attempted b.md failed",
    ]


def test_records_of_other_kinds_are_counted() -> None:
    decoder = CursorDecoder(Place((PROJECT,)), "s", PROJECT)
    for record in ({"type": "turn_ended", "status": "error"}, {"type": "new"}, {}, {"role": "tool"}):
        decoder.decode(record)
    assert decoder.unknown == 3


# When.


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("Sunday, Aug 2, 2026, 3:51 AM (UTC-7)", "2026-08-02T03:51:00-07:00"),
        ("Sunday, August 2, 2026 at 12:05 PM (UTC+5:30)", "2026-08-02T12:05:00+05:30"),
        ("Thursday, Dec 31, 2026, 12:00\u202fAM (UTC)", "2026-12-31T00:00:00+00:00"),
        ("Sunday, Aug 2, 2026, 3:51:07 AM (GMT+11)", "2026-08-02T03:51:00+11:00"),
        ("Sunday, Foo 2, 2026, 3:51 AM (UTC-7)", None),
        ("2026-08-02 03:51", None),
        ("", None),
    ],
)
def test_when_a_prompt_was_written(stamp: str, expected: str | None) -> None:
    record = user([text(f"<timestamp>{stamp}</timestamp>\n{query('x')}")])
    assert written(record) == expected
    assert moment(written(record), 9e9) <= 9e9


def test_a_prompt_without_a_time() -> None:
    assert written(user(query("x"))) is None
    assert written({}) is None


# Which records are Cursor's.


def test_only_this_format_recognises_its_records(shared: Path, sample: Path) -> None:
    own = [json.loads(row) for row in sample.read_bytes().splitlines()]
    assert [FORMAT.recognises(record) for record in own] == [True, True, True, False, True]
    for record in own:
        assert [form.agent for form in FORMATS if form.agent != "cursor" and form.recognises(record)] == []
    for path in (shared / "sessions").rglob("*.jsonl"):
        for number, row in enumerate(path.read_bytes().splitlines()[:200] if path != sample else ()):
            try:
                record = json.loads(row)
            except ValueError:
                continue
            assert not (isinstance(record, dict) and FORMAT.recognises(record)), f"{path}:{number}"


WORDS = st.sampled_from(
    "role user assistant message content type text tool_use name input Read Shell path command id turn_ended"
    " working_directory timestamp target_file".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(
        ["<user_query>", "cat a.md", "\ud83c\0", "<a></a>", "<timestamp>Sun, Aug 99, 2026, 3:51 AM (UTC-7)"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.dictionaries(WORDS, VALUES, max_size=5), max_size=5))
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[dict[str, Any]]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,), home="/home/dev", is_file=lambda path: True), "s", PROJECT)
    for row in rows:
        FORMAT.recognises(row)
        moment(written(row), NOW)
        for event in [*decoder.decode(row), *decoder.settle()]:
            for field in getattr(event, "__slots__", ()):
                value = getattr(event, field)
                assert not isinstance(value, str) or value.encode() is not None


# A session whose transcript is emptied.


def test_an_emptied_transcript_is_forgotten(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [user(query("dim it"))])
    log = Log(Address(str(path)), FORMAT, lambda cwd: Place((PROJECT,)), "", lambda cwd: True)
    assert [short(event) for event in log.start(NOW)][1:] == ["user dim it"]
    path.write_bytes(b"")
    assert [short(event) for event in log.poll(NOW)] == ["Reset"]
    append(path, user(query("again")))
    assert [short(event) for event in log.poll(NOW)][1:] == ["user again"]
