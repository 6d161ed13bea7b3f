"""Goose: what its rows tell, and where its database is."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.goose import FORMAT, GooseDecoder
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from tests.sessions.databases import encodes, fill, of_source, only_its_own, prefixes, put, rows_of, taken
from tests.sessions.laws import PROJECT, of_file, of_records, short

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT DEFAULT '', description TEXT DEFAULT '',
  user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  goose_mode TEXT, parent_session_id TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL,
  role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL,
  timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
CREATE INDEX idx_messages_session ON messages (session_id);
"""
SAMPLE = "sessions/samples/goose/01-sqlite-rows.jsonl"
NAME = "20260815_7"
Row = dict[str, Any]


def head(session: str = "s", **more: Any) -> Row:
    row = {"id": session, "working_dir": PROJECT, "session_type": "user", "parent_session_id": None}
    return {"table": "sessions", "row": row | {"updated_at": "2026-08-15 22:13:25"} | more}


def message(number: int, role: str, *parts: Row, session: str = "s", **metadata: Any) -> Row:
    row = {"id": number, "message_id": f"msg_{number}", "session_id": session, "role": role}
    row |= {"content_json": json.dumps(parts), "created_timestamp": 1_786_831_980 + number}
    return {"table": "messages", "row": row | {"metadata_json": json.dumps(metadata) if metadata else None}}


def text(words: str, **more: Any) -> Row:
    return {"type": "text", "text": words} | more


def call(name: str, call_id: str = "c", **given: Any) -> Row:
    value = {"name": name, "arguments": given}
    return {"type": "toolRequest", "id": call_id, "toolCall": {"status": "success", "value": value}}


def result(said: str = "", call_id: str = "c", **value: Any) -> Row:
    told = {"status": "success", "value": {"content": [text(said)]} | value}
    return {"type": "toolResponse", "id": call_id, "toolResult": told}


def told(*records: Row, place: Place | None = None, name: str = "s") -> list[str]:
    decoder = GooseDecoder(place or Place((PROJECT,)), name)
    return [short(event) for record in (head(), *records) for event in decoder.decode(record)][1:]


def ran(name: str, answer: Row, place: Place | None = None, **given: Any) -> list[str]:
    rows = message(1, "assistant", call(name, **given)), message(2, "user", answer)
    return told(*rows, place=place)


# The sample.

EXPECTED = [
    "session goose 20260815_7 /home/dev/project",
    "user look at the tokenizer",
    "agent Reading it.",
    "confirmed src/tokenizer.rs ok",
    "confirmed src/lexer.rs ok",
    "confirmed src/none.rs failed",
    "Compacted",
    "agent The tokenizer is a stub.",
]


def test_the_sample(shared: Path) -> None:
    assert [short(event) for event in of_records(FORMAT, rows_of(shared / SAMPLE))] == EXPECTED


def test_the_sample_in_a_database(shared: Path, tmp_path: Path) -> None:
    fill(tmp_path / "sessions.db", SCHEMA, rows_of(shared / SAMPLE))
    assert [short(event) for event in of_file(FORMAT, tmp_path / "sessions.db")] == EXPECTED


def test_every_beginning_of_the_rows(shared: Path) -> None:
    prefixes(FORMAT, rows_of(shared / SAMPLE), NAME)


def test_only_goose_takes_them_for_its_own(shared: Path) -> None:
    only_its_own(FORMAT, rows_of(shared / SAMPLE), FORMATS)
    for other in ("opencode", "crush"):
        assert not any(
            map(FORMAT.recognises, rows_of(shared / f"sessions/samples/{other}/01-sqlite-rows.jsonl"))
        )


# Texts.


def test_prompts_and_answers() -> None:
    assert told(
        message(1, "user", text(" why? "), {"type": "image", "data": "AA"}),
        message(2, "assistant", {"type": "thinking", "thinking": "hm"}, text("Because"), text("of it.")),
        message(3, "assistant", {"type": "systemNotification", "msg": "Compaction complete"}),
    ) == ["user why?", "agent Because\nof it."]


def test_what_is_for_the_model_alone_is_no_prompt_and_no_answer() -> None:
    assert told(
        message(1, "user", text("All that was said."), userVisible=False, agentVisible=True),
        message(2, "assistant", text("I go on."), userVisible=False, agentVisible=True),
        message(3, "user", text("context", annotations={"audience": ["assistant"]}), text("why?")),
        message(4, "user", text("seen"), userVisible=True, agentVisible=False),
    ) == ["Compacted", "user why?", "user seen"]


def test_results_are_no_prompts() -> None:
    assert told(message(1, "user", text("note"), result("x"))) == []


def test_a_row_is_told_once() -> None:
    row = message(1, "user", text("why?"))
    assert told(row, row) == ["user why?"]


def test_rows_of_older_versions_have_no_ids_and_no_metadata() -> None:
    row = message(1, "user", text("why?"))
    row["row"] |= {"message_id": None, "metadata_json": None}
    decoder = GooseDecoder(Place((PROJECT,)), "s")
    events = [event for one in (head(session_type=None), row) for event in decoder.decode(one)]
    assert [short(event) for event in events[1:]] == ["user why?"]
    assert events[1].id == "record-1"  # type: ignore[union-attr]


# Calls.


def test_reads() -> None:
    ok, failed = result("x"), result("Error: none", isError=True)
    assert ran("developer__text_editor", ok, command="view", path=f"{PROJECT}/a.rs") == ["confirmed a.rs ok"]
    assert ran("text_editor", failed, command="view", path="a.rs") == ["confirmed a.rs failed"]
    assert ran("read", ok, path="src/a.rs") == ["confirmed src/a.rs ok"]
    assert ran("reader__read", failed, path="none.rs") == ["confirmed none.rs failed"]
    assert ran("tree", ok, path="src") == ran("read_image", ok, source="a.png") == []
    refused = {"type": "toolResponse", "id": "c", "toolResult": {"status": "error", "error": "declined"}}
    assert ran("read", refused, path="a.rs") == ["confirmed a.rs failed"]


def test_a_folder_that_was_read_is_no_read() -> None:
    place = Place((PROJECT,), is_file=lambda name: name == "src/a.rs")
    assert ran("read", result("a.rs"), place, path="src") == []
    assert ran("read", result("x"), place, path="src/a.rs") == ["confirmed src/a.rs ok"]
    assert ran("read", result("gone", isError=True), place, path="src/b.rs") == ["confirmed src/b.rs failed"]


def test_edits() -> None:
    ok, failed = result("done"), result("no match", isError=True)
    assert ran("write", ok, path="a.rs", content="") == ["edit a.rs ok"]
    assert ran("developer__edit", failed, path="a.rs", before="x", after="y") == ["edit a.rs failed"]
    for command in ("write", "str_replace", "insert", "undo_edit"):
        assert ran("developer__text_editor", ok, command=command, path="a.rs") == ["edit a.rs ok"]


def test_shell_reads_take_their_outcome_from_wherever_it_is() -> None:
    def shell(answer: Row) -> list[str]:
        return ran("developer__shell", answer, command="cat a.rs")

    assert shell(result("x", isError=False, structuredContent={"exit_code": 0})) == ["confirmed a.rs ok"]
    assert shell(result("x", isError=True, structuredContent={"exit_code": 1})) == ["confirmed a.rs failed"]
    assert shell(result("x\n\nCommand exited with code 2", isError=True)) == ["confirmed a.rs failed"]
    assert shell(result("x", isError=False)) == ["confirmed a.rs ok"]
    assert shell(result("x")) == ["inferred a.rs ok"]
    assert shell(result("cat: a.rs: No such file or directory")) == ["confirmed a.rs failed"]
    assert shell(result("timed out", isError=True, structuredContent={"timed_out": True})) == [
        "attempted a.rs failed"
    ]
    older = {"type": "toolResponse", "id": "c", "toolResult": {"status": "success", "value": [text("x")]}}
    assert shell(older) == ["inferred a.rs ok"]
    refused = {"type": "toolResponse", "id": "c", "toolResult": {"status": "error", "error": "declined"}}
    assert shell(refused) == ["attempted a.rs failed"]


def test_a_call_that_was_not_understood_is_none() -> None:
    broken = {"type": "toolRequest", "id": "c", "toolCall": {"status": "error", "error": "no such tool"}}
    assert told(message(1, "assistant", broken), message(2, "user", result())) == []


def test_a_sub_agent_reads_and_does_not_talk() -> None:
    assert told(
        head("child", session_type="sub_agent", parent_session_id="s"),
        message(1, "user", text("Find it."), session="child"),
        message(2, "assistant", text("Found."), call("read", path="a.rs"), session="child"),
        message(3, "user", result(), session="child"),
    ) == ["confirmed a.rs ok by subagent"]


@pytest.mark.parametrize("kind", ["sub_agent", "hidden", "scheduled"])
def test_sessions_that_no_person_leads_are_no_logs(kind: str) -> None:
    decoder = GooseDecoder(Place((PROJECT,)), "s")
    rows = [head(session_type=kind), message(1, "user", text("Find it."))]
    assert [event for row in rows for event in decoder.decode(row)] == []
    assert decoder.foreign


def test_what_it_does_not_know_is_counted() -> None:
    decoder = GooseDecoder(Place((PROJECT,)), "s")
    for row in ({"table": "wires", "row": {}}, {}, {"table": "usage_ledger", "row": {}}):
        assert decoder.decode(row) == []
    assert decoder.unknown == 2


WORDS = st.sampled_from(
    "sessions messages id session_id role user assistant content_json metadata_json type text toolRequest"
    " toolResponse toolCall toolResult status success value name arguments shell read text_editor command"
    " view path content isError structuredContent exit_code s working_dir session_type annotations"
    " audience".split()
)
LEAVES = WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just("\ud83c\0")
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            WORDS, st.dictionaries(WORDS, VALUES | st.lists(VALUES, max_size=3).map(json.dumps), max_size=6)
        ),
        max_size=6,
    )
)
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[tuple[str, Row]]) -> None:
    decoder = GooseDecoder(Place((PROJECT,), is_file=lambda path: True), "s")
    for table, row in rows:
        record = {"table": table, "row": row}
        FORMAT.recognises(record)
        FORMAT.written(record)
        encodes(decoder.decode(record) + decoder.settle())


# As it comes to be.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = [head(), *(message(number, "user", text(f"prompt {number}")) for number in range(1, 5))]
    fill(tmp_path / "sessions.db", SCHEMA, rows, wal=True)
    return tmp_path / "sessions.db"


def test_compacting_in_place_adds_a_row(path: Path) -> None:
    source = FORMAT.source(Address(str(path), "s"), 1 << 20)
    assert len(taken(source)) == 5
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("""UPDATE messages SET metadata_json = '{"userVisible":true,"agentVisible":false}'""")
    put(database.execute, message(9, "user", text("summary"), userVisible=False))
    assert [record["row"]["id"] for record in taken(source)] == [9]
    database.close()


def test_rows_that_are_deleted_and_written_anew_make_it_another_log(path: Path) -> None:
    source = FORMAT.source(Address(str(path), "s"), 1 << 20)
    taken(source)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    database.execute("DELETE FROM messages")
    for number in range(11, 16):
        put(database.execute, message(number, "user", text(f"prompt {number - 10}")))
    assert source.check() == "same"
    database.execute("COMMIT")
    assert source.check() == "replaced"
    source.restart()
    assert source.check() == "grown"
    assert len(list(source.records())) == 6
    database.execute("DELETE FROM messages WHERE id >= 14")  # the person went back
    assert source.check() == "replaced"
    database.close()


# Where the database is.


def found(home: Path, environ: dict[str, str], root: str = PROJECT) -> list[str]:
    return sorted(log.session for log in FORMAT.locator(home, environ).logs((root,), 0.0))


def test_where_the_database_is(tmp_path: Path) -> None:
    for place in (".local/share/goose", "xdg/goose", "root/data"):
        fill(tmp_path / place / "sessions/sessions.db", SCHEMA, [head(place.partition("/")[0])])
    assert found(tmp_path, {}) == [".local"]
    moved = {"XDG_DATA_HOME": str(tmp_path / "xdg")}
    assert found(tmp_path, moved) == ["xdg"]
    assert found(tmp_path, moved | {"GOOSE_PATH_ROOT": str(tmp_path / "root")}) == ["root"]
    assert found(tmp_path, moved | {"GOOSE_PATH_ROOT": "relative"}) == ["xdg"]
    assert found(tmp_path / "none", {}) == []


def test_the_sessions_of_the_workspace_that_people_lead(tmp_path: Path) -> None:
    path = tmp_path / ".local/share/goose/sessions/sessions.db"
    rows = [
        head("same", updated_at="2026-08-15 22:13:25"),
        head("below", working_dir=f"{PROJECT}/src", updated_at="2026-08-15 22:13:27"),
        head("above", working_dir="/home/dev", updated_at="2026-08-15 22:13:26"),
        head("other", working_dir="/home/dev/projects"),
        head("child", session_type="sub_agent"),
        head("hidden", session_type="hidden"),
    ]
    fill(path, SCHEMA, rows)
    assert found(tmp_path, {}) == ["above", "below", "same"]
    logs = FORMAT.within(str(path))
    assert [log.session for log in logs][:3] == ["below", "above", "same"]
    assert logs[0].mtime_ns == 1_786_832_007 * 10**9


def test_a_message_within_the_same_second_makes_it_another_find(tmp_path: Path) -> None:
    path = tmp_path / ".local/share/goose/sessions/sessions.db"
    fill(path, SCHEMA, [head(), message(1, "user", text("why?"))])
    locator = FORMAT.locator(tmp_path, {})
    before = list(locator.logs((PROJECT,), 0.0))
    with sqlite3.connect(path) as database:
        put(database.execute, message(2, "user", text("and?")))
    assert list(locator.logs((PROJECT,), 0.0)) != before


def test_a_store_at_rest_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".local/share/goose/sessions/sessions.db"
    fill(path, SCHEMA, [head()])
    os.utime(path, (1_790_000_000, 1_790_000_000))
    locator = FORMAT.locator(tmp_path, {})
    assert len(list(locator.logs((PROJECT,), 0.0))) == 1
    monkeypatch.setattr(sqlite3, "connect", None)
    assert len(list(locator.logs((PROJECT,), 2.0))) == 1


def test_a_database_of_an_older_version(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    fill(path, SCHEMA, [head(), message(1, "user", text("why?"))])
    with sqlite3.connect(path) as database:
        for table, column in (
            ("messages", "message_id"),
            ("messages", "metadata_json"),
            ("sessions", "session_type"),
            ("sessions", "parent_session_id"),
        ):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    assert [log.session for log in FORMAT.within(str(path))] == ["s"]
    assert [short(event) for event in of_source(FORMAT, Address(str(path), "s"))][1:] == ["user why?"]
