"""Gemini CLI: whole logs, the session they are of, and the document they were before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import SessionInfo
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.gemini import FORMAT
from knit_tui.sessions.formats.gemini_folders import digest
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from knit_tui.sessions.peek import identify
from tests.sessions.gemini_rows import CONTEXT, WHEN, Row, called, header, replaced, says, user
from tests.sessions.laws import ALL, agrees, cut_anywhere, grown_in_chunks, of_file, of_records, short
from tests.sessions.logs import ROOT, line


def genuine(shared: Path) -> Path:
    return next((shared / "sessions/genuine/gemini-0.61.0/tmp/project/chats").glob("*.jsonl"))


def samples(shared: Path) -> Path:
    return shared / "sessions/samples/gemini"


# Whole logs.


def test_the_genuine_log_gives_what_was_read_in_it(shared: Path, tmp_path: Path) -> None:
    told = of_file(FORMAT, genuine(shared))
    agrees(shared, "gemini-0.61.0", told, tmp_path)
    assert not [event for event in told if short(event).startswith("rewind")]
    assert told[0] == SessionInfo("gemini", "8fb3c9a6-1c7c-41f1-a47f-b7f4864b5289", "/home/dev/project", "")


SAMPLE = [
    "user why do cached pages expire after thirty seconds?",
    "agent Checking the cache module.",
    "confirmed src/cache.py ok",
    "confirmed src/nope.py failed",
    "user try the docs",
    "rewind f1fc9a0d-cd5f-40b5-ad77-2f4e1c223f90 0",
    "user @src/cache.py raise it to five minutes",
]
"""The list has the reads before the text of their answer, though the text is written first."""


def test_the_samples_give_what_is_listed(shared: Path) -> None:
    told = of_file(FORMAT, samples(shared) / "01-jsonl-upsert-rewind-checkpoint.jsonl")
    assert [short(event) for event in told[1:]] == SAMPLE
    told = of_file(FORMAT, samples(shared) / "02-legacy-whole-json.json")
    assert [short(event) for event in told] == [
        "session gemini 851cfc3d-60d3-49af-a74e-1e92dbd0648d /home/dev/project",
        "user describe the queue worker",
        "agent It polls every second.",
        "confirmed worker.py ok",
    ]


def small() -> bytes:
    rows = [
        header(),
        user("u1", "dim it 🔆"),
        says("a2", "变暗了。"),
        {"$rewindTo": "a2"},
        replaced(user("u1", "dim it 🔆"), user("u2", "no")),
        user("u3", "brighter"),
    ]
    return b"".join(map(line, rows))


def test_a_log_cut_anywhere_gives_a_beginning(tmp_path: Path) -> None:
    cut_anywhere(FORMAT, small(), tmp_path / "x.jsonl")


def test_the_given_logs_cut_here_and_there_give_a_beginning(shared: Path, tmp_path: Path) -> None:
    for path in sorted(samples(shared).iterdir()):
        cut_anywhere(FORMAT, path.read_bytes(), tmp_path / path.name, step=23)
    cut_anywhere(FORMAT, genuine(shared).read_bytes(), tmp_path / "g.jsonl", step=1499)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_chunks_do_not_matter(shared: Path, tmp_path: Path, size: int) -> None:
    for path in sorted(samples(shared).iterdir()):
        grown_in_chunks(FORMAT, path.read_bytes(), tmp_path / path.name, size)
    if size > 1:
        grown_in_chunks(FORMAT, genuine(shared).read_bytes(), tmp_path / "g.jsonl", size)


def test_a_log_that_is_read_twice_gives_nothing_twice(shared: Path) -> None:
    for path in (genuine(shared), *sorted(samples(shared).glob("*.jsonl"))):
        rows = [json.loads(row) for row in path.read_bytes().splitlines()]
        once, twice = of_records(FORMAT, rows), of_records(FORMAT, rows * 2)
        assert twice[: len(once)] == once
        assert [short(event) for event in twice[len(once) :]] == []


def test_only_its_own_format_recognises_a_log(shared: Path) -> None:
    document = json.loads((samples(shared) / "02-legacy-whole-json.json").read_text(encoding="utf-8"))
    found = {form.agent for form in (*FORMATS, FORMAT) if form.recognises(document)}
    assert found == {"gemini"}
    for path in (genuine(shared), *samples(shared).glob("*.jsonl")):
        rows = [json.loads(row) for row in path.read_bytes().splitlines()]
        found = {form.agent for row in rows for form in (*FORMATS, FORMAT) if form.recognises(row)}
        assert found == {"gemini"}
        assert identify(str(path), [FORMAT])[2] is FORMAT


def test_other_agents_logs_are_not_recognised(shared: Path) -> None:
    for path in (shared / "sessions/samples").rglob("*.jsonl"):
        if path.parent.name == "gemini":
            continue
        for row in path.read_bytes().splitlines():
            try:
                record = json.loads(row)
            except ValueError:
                continue
            assert not (isinstance(record, dict) and FORMAT.recognises(record)), path


# The session.


def test_a_subagents_log_is_no_session() -> None:
    rows = [header(kind="subagent"), user("u1", "list the lamps"), says("a1", "Two.")]
    decoder = FORMAT.decoder(Place((ROOT,)), "s", ROOT)
    assert [event for row in rows for event in decoder.decode(row)] == []
    assert decoder.foreign


def test_where_a_session_runs() -> None:
    def cwd(*rows: Row, told: str = "", root: str = ROOT) -> str:
        decoder = FORMAT.decoder(Place((root,)), "s", told)
        found = [event for row in rows for event in decoder.decode(row)]
        return next(event.cwd for event in found if isinstance(event, SessionInfo))

    prompt = user("u1", "dim it")
    assert cwd(header(), prompt, told="/w") == "/w"
    assert cwd(header(), prompt) == ROOT
    assert cwd(header(), prompt, root=f"{ROOT}/src") == ROOT
    assert cwd(header(projectHash=digest("/w")), replaced(user("env", CONTEXT)), prompt) == ROOT
    assert cwd(header(projectHash="0"), prompt) == ""


def test_when_a_record_was_written() -> None:
    assert FORMAT.written(user("u", "x")) == WHEN
    assert FORMAT.written({"$set": {"messages": [], "lastUpdated": "2026"}}) == "2026"
    rows = [user("u", "x", timestamp="1"), user("v", "y", timestamp="2"), says("a", "z")]
    assert FORMAT.written(header(messages=rows, lastUpdated="3")) == "2"


def test_unknown_records_are_counted() -> None:
    decoder = FORMAT.decoder(Place((ROOT,)), "s", ROOT)
    for row in (
        header(),
        user("u", "x"),
        {"id": "x", "type": "planet"},
        {"a": 1},
        {"$set": {"summary": "x"}},
    ):
        decoder.decode(row)
    assert decoder.unknown == 2


# The older form.


def test_a_document_that_grows_and_shrinks(tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"

    def put(*messages: Row) -> None:
        path.write_text(json.dumps(header(messages=list(messages))), encoding="utf-8")

    source = FORMAT.source(Address(str(path)), ALL)
    decoder = FORMAT.decoder(Place((ROOT,)), "session-1", ROOT)

    def told() -> list[str]:
        source.check()
        return [short(event) for record in source.records() for event in decoder.decode(record)]

    put(user("u1", "dim it"))
    assert told() == [f"session gemini 8fb3c9a6 {ROOT}", "user dim it"]
    put(user("u1", "dim it"), says("a1", "Dimmed."))
    assert told() == ["agent Dimmed."]
    assert told() == []
    put(user("u1", "dim it"), says("a1", "Dimmed.", called("read_file", file_path="a.md")))
    assert told() == ["confirmed a.md ok"]
    put(user("u1", "dim it"), user("u2", "no, brighter"))
    assert told() == ["rewind u1 0", "user no, brighter"]
    put()
    assert told() == ["rewind  2"]


# Records that no program would write.

WORDS = st.sampled_from(
    "id type content displayContent text thought timestamp sessionId projectHash kind messages toolCalls"
    " name args status result resultDisplay functionResponse response output error file_path command"
    " dir_path files $set $rewindTo user gemini info main subagent read_file read_many_files replace"
    " run_shell_command success cancelled model lastUpdated u1 u2 u3".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(
        ["cat a.md", "\ud83c\0", CONTEXT, "<state_snapshot>", "<hook_context>", "Output: x\nExit Code: 1"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)
MESSAGES = st.fixed_dictionaries(
    {"id": WORDS | VALUES, "type": st.sampled_from(["user", "gemini", "info"]), "content": VALUES},
    optional={"toolCalls": VALUES, "model": WORDS, "displayContent": VALUES},
)
CALLS = st.fixed_dictionaries(
    {"id": WORDS, "name": WORDS, "args": st.dictionaries(WORDS, VALUES, max_size=4), "status": WORDS},
    optional={"result": VALUES, "resultDisplay": VALUES},
)
RECORDS = (
    MESSAGES
    | st.fixed_dictionaries({"$set": st.fixed_dictionaries({"messages": st.lists(MESSAGES, max_size=5)})})
    | st.fixed_dictionaries({"$rewindTo": WORDS | VALUES})
    | st.builds(lambda given: says("a", "x", *given), st.lists(CALLS, max_size=3))
    | st.dictionaries(WORDS, VALUES, max_size=7)
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(RECORDS, max_size=8))
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[Row]) -> None:
    decoder = FORMAT.decoder(Place((ROOT,), home="/home/dev", is_file=lambda path: True), "s")
    for row in rows:
        FORMAT.recognises(row)
        FORMAT.written(row)
        for event in [*decoder.decode(row), *decoder.settle()]:
            for field in event.__slots__:
                value = getattr(event, field)
                assert not isinstance(value, str) or isinstance(value.encode(), bytes)
