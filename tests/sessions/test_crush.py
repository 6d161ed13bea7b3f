"""Crush: what its rows tell."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import SessionInfo
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.crush import FORMAT, CrushDecoder
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from tests.sessions.crush_rows import FINISH, SCHEMA, Row, head, message, text
from tests.sessions.databases import encodes, fill, only_its_own, prefixes, rows_of
from tests.sessions.laws import PROJECT, of_file, of_records, short

SAMPLE = "sessions/samples/crush/01-sqlite-rows.jsonl"
NAME = "daecc0bd-2864-4cc5-a093-82a3e1e50911"


def call(name: str, call_id: str = "c", finished: bool = True, **given: Any) -> tuple[str, Row]:
    return "tool_call", {"id": call_id, "name": name, "input": json.dumps(given), "finished": finished}


def result(content: str = "", call_id: str = "c", error: bool = False, **metadata: Any) -> tuple[str, Row]:
    told = json.dumps(metadata) if metadata else ""
    return "tool_result", {"tool_call_id": call_id, "content": content, "metadata": told, "is_error": error}


def told(*records: Row, place: Place | None = None, name: str = "s") -> list[str]:
    decoder = CrushDecoder(place or Place((PROJECT,)), name, PROJECT)
    return [short(event) for record in (head(), *records) for event in decoder.decode(record)][1:]


def ran(
    name: str, content: str = "", error: bool = False, metadata: Row | None = None, **given: Any
) -> list[str]:
    return told(
        message("a", "assistant", call(name, **given), FINISH),
        message("b", "tool", result(content, error=error, **(metadata or {}))),
    )


# The sample.


EXPECTED = [
    "session crush daecc0bd-2864-4cc5-a093-82a3e1e50911 /home/dev/project",
    "user where is the timeout set?",
    "agent Opening the client.",
    "confirmed client.go ok",
    "confirmed none.go failed",
    "agent client.go, line 1.",
]


def test_the_sample(shared: Path) -> None:
    """Without a place that tells the folder there is no session; the row of `read_files` tells nothing."""
    records = rows_of(shared / SAMPLE)
    assert [short(event) for event in of_records(FORMAT, records)] == EXPECTED[1:]
    decoder = FORMAT.decoder(Place((PROJECT,)), NAME, PROJECT)
    assert [short(event) for record in records for event in decoder.decode(record)] == EXPECTED


def test_the_sample_in_a_database(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "project/.crush/crush.db"
    fill(path, SCHEMA, rows_of(shared / SAMPLE))
    events = of_file(FORMAT, path)
    assert events[0] == SessionInfo("crush", NAME, str(tmp_path / "project"))
    assert [short(event) for event in events[1:]] == EXPECTED[1:]


def test_every_beginning_of_the_rows(shared: Path) -> None:
    prefixes(FORMAT, rows_of(shared / SAMPLE), NAME)


def test_only_crush_takes_them_for_its_own(shared: Path) -> None:
    only_its_own(FORMAT, rows_of(shared / SAMPLE), FORMATS)
    for other in ("opencode", "goose"):
        assert not any(
            map(FORMAT.recognises, rows_of(shared / f"sessions/samples/{other}/01-sqlite-rows.jsonl"))
        )


# Texts.


def test_an_answer_is_told_once_when_it_ended() -> None:
    begun = message("a", "assistant", ("reasoning", {"thinking": "hm"}), text("It is"))
    ended = message("a", "assistant", ("reasoning", {"thinking": "hm"}), text("It is late.\n"), FINISH)
    assert told(begun) == []
    assert told(begun, ended, ended) == ["agent It is late."]
    assert told(message("a", "assistant", FINISH)) == []


def test_a_prompt_and_what_is_attached_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    place = Place((PROJECT,), is_file=lambda name: name in ("docs/a.md", "a.md"))
    files = [
        ("binary", {"Path": path, "MIMEType": "text/plain", "Data": "eA=="})
        for path in (f"{PROJECT}/docs/a.md", "a.md", "paste_1.txt", "SKILL.md", "mcp://x/y", "")
    ]
    assert told(message("a", "user", text(" see these "), *files, FINISH), place=place) == [
        "user see these",
        "mention docs/a.md ok",
        "mention a.md ok",
    ]


def test_what_was_pasted_is_no_file() -> None:
    """Even where the workspace cannot be asked."""
    pasted = ("binary", {"Path": "paste_12.txt", "MIMEType": "text/plain", "Data": "eA=="})
    assert told(message("a", "user", text("see"), pasted)) == ["user see"]


def test_a_command_that_a_person_ran_is_no_prompt_and_no_read() -> None:
    ran = ("shell_command", {"command": "cat a.md", "output": "x", "exit_code": 0})
    assert told(message("a", "user", ran, FINISH)) == []


def test_a_summary_is_no_answer() -> None:
    begun = message("a", "assistant", text("All that"), is_summary_message=1)
    ended = message("a", "assistant", text("All that was said"), FINISH, is_summary_message=1)
    assert told(begun, ended, ended) == ["Compacted"]


# Calls.


def test_reads() -> None:
    assert ran("view", "<file>", file_path=f"{PROJECT}/a.py") == ["confirmed a.py ok"]
    assert ran("view", "<file>", file_path="src/a.py") == ["confirmed src/a.py ok"]
    assert ran("view", "File not found", error=True, file_path="none.py") == ["confirmed none.py failed"]
    assert ran("view", "<file>", file_path="crush://skills/x/SKILL.md") == []
    assert ran("ls", "a.py", path=".") == ran("grep", "a.py:1", pattern="x") == []


def test_edits() -> None:
    for name in ("edit", "write", "multiedit", "download", "lsp_replace_symbol"):
        assert ran(name, "done", file_path="a.py") == ["edit a.py ok"]
    assert ran("edit", "old_string not found", error=True, file_path="a.py") == ["edit a.py failed"]


def test_a_call_counts_when_its_input_is_whole_and_its_result_is_there() -> None:
    assert told(message("a", "assistant", call("view", finished=False, file_path="a"))) == []
    whole = message("a", "assistant", call("view", file_path="a.py"))
    assert told(whole) == []
    done = message("b", "tool", result())
    assert told(whole, done, whole, done) == ["confirmed a.py ok"]
    assert told(message("b", "tool", result())) == []


def test_parallel_calls_end_in_any_order() -> None:
    calls = [call("view", call_id=f"c{number}", file_path=f"{number}.py") for number in range(3)]
    rows = [message(f"b{number}", "tool", result(call_id=f"c{number}")) for number in (2, 0, 1)]
    assert told(message("a", "assistant", text("Look."), *calls), *rows) == [
        "confirmed 2.py ok",
        "confirmed 0.py ok",
        "confirmed 1.py ok",
    ]


def test_shell_reads_take_their_outcome_from_the_end_of_the_output() -> None:
    where = f"\n\n<cwd>{PROJECT}</cwd>"
    assert ran("bash", "x" + where, command="cat a.py") == ["confirmed a.py ok"]
    assert ran("bash", "no output", command="cat a.py") == ["confirmed a.py ok"]
    failed = "\ncat: a.py: No such file or directory\nExit code 1"
    assert ran("bash", failed + where, command="cat a.py") == ["confirmed a.py failed"]
    assert ran("bash", f"Exit code 1\nand more{where}", command="cat a.py") == ["confirmed a.py ok"]
    assert ran("bash", "x" + where, command="cat a.py", working_dir="src") == ["confirmed src/a.py ok"]
    stopped = "x\nCommand was aborted before completion"
    assert ran("bash", stopped + where, command="cat a.py") == ["attempted a.py failed"]
    assert ran("bash", "User denied permission", error=True, command="cat a.py") == ["attempted a.py failed"]
    assert ran("bash", "Background shell started", metadata={"shell_id": "1"}, command="cat a.py") == []


def test_a_sub_agent_reads_and_does_not_talk() -> None:
    child = {"session": "m$$c"}
    assert told(
        head("m$$c", parent_session_id="s"),
        message("x", "user", text("Find it."), FINISH, **child),
        message("y", "assistant", text("Found."), call("view", file_path="a.py"), FINISH, **child),
        message("z", "tool", result(), **child),
    ) == ["confirmed a.py ok by subagent"]


def test_the_session_of_a_sub_agent_is_not_a_log() -> None:
    decoder = CrushDecoder(Place((PROJECT,)), "m$$c", PROJECT)
    rows = [head("m$$c", parent_session_id="s"), message("x", "user", text("Find it."), session="m$$c")]
    assert [event for row in rows for event in decoder.decode(row)] == []
    assert decoder.foreign


def test_what_it_does_not_know_is_counted() -> None:
    decoder = CrushDecoder(Place((PROJECT,)), "s", PROJECT)
    for row in (
        message("a", "user", ("hologram", {})),
        {"table": "wires", "row": {}},
        {},
        {"table": "files"},
    ):
        assert decoder.decode(row) == []
    assert decoder.unknown == 3


WORDS = st.sampled_from(
    "sessions messages id session_id role parts user assistant tool type data text tool_call tool_result name"
    " view bash edit input finished is_error tool_call_id content metadata finish binary Path s file_path"
    " command shell_id parent_session_id is_summary_message".split()
)
LEAVES = WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just("\ud83c\0")
PARTS = st.lists(
    st.dictionaries(WORDS, LEAVES | st.dictionaries(WORDS, LEAVES, max_size=5), max_size=3), max_size=3
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(WORDS, st.dictionaries(WORDS, LEAVES | PARTS | PARTS.map(json.dumps), max_size=6))))
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[tuple[str, Row]]) -> None:
    decoder = CrushDecoder(Place((PROJECT,), is_file=lambda path: True), "s", PROJECT)
    for table, row in rows:
        record = {"table": table, "row": row}
        FORMAT.recognises(record)
        FORMAT.written(record)
        encodes(decoder.decode(record) + decoder.settle())


# As it comes to be.


def test_rows_that_change_in_place(tmp_path: Path) -> None:
    path = tmp_path / ".crush/crush.db"
    fill(path, SCHEMA, [head()], wal=True)
    source = FORMAT.source(Address(str(path), "s"), 1 << 20)
    decoder = FORMAT.decoder(Place((str(tmp_path),)), "s", FORMAT.folder(Address(str(path), "s")))
    database = sqlite3.connect(path, isolation_level=None)
    heard: list[str] = []
    for row in (
        message("q", "user", text("why?"), FINISH),
        message("a", "assistant"),
        message("a", "assistant", text("Let me")),
        message("a", "assistant", text("Let me see."), call("view", finished=False)),
        message("a", "assistant", text("Let me see."), call("view", file_path="a.py")),
        message("b", "tool", result()),
        message("a", "assistant", text("Let me see."), call("view", file_path="a.py"), FINISH),
    ):
        columns = ", ".join(f"{name} = excluded.{name}" for name in row["row"])
        names, values = ", ".join(row["row"]), list(row["row"].values())
        database.execute(
            f"INSERT INTO messages ({names}) VALUES ({', '.join('?' * len(values))})"
            f" ON CONFLICT(id) DO UPDATE SET {columns}",
            values,
        )
        while source.check() == "grown":
            heard += [short(event) for record in source.records() for event in decoder.decode(record)]
    database.execute("VACUUM")
    assert source.check() == "same"
    assert heard[1:] == ["user why?", "confirmed a.py ok", "agent Let me see."]
    database.close()
