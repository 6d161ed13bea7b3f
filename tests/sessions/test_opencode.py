"""OpenCode: what its rows tell."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import Rewind
from knit_tui.sessions.formats.opencode import FORMAT, OpenCodeDecoder
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from tests.sessions.databases import encodes, fill, put
from tests.sessions.laws import PROJECT, of_records, short
from tests.sessions.opencode_rows import SCHEMA, Row, Rows, conversation


def told(*records: Row, name: str = "ses_1") -> list[str]:
    return [short(event) for event in of_records(FORMAT, records, name=name)][1:]


def after_prompt(*given: tuple[str, dict[str, Any]]) -> list[str]:
    """What calls give, one after the other."""
    rows = Rows()
    records = [rows.head(), rows.answer()]
    return told(*records, *(rows.ran(tool, **more) for tool, more in given))


# Texts.


def test_a_text_is_told_once_when_it_ended() -> None:
    rows = Rows()
    head, answer = rows.head(), rows.answer()
    begun = rows.part("text", name="prt_a", text="", time={"start": 1})
    half = rows.part("text", name="prt_a", text="It is", time={"start": 1})
    ended = rows.says("It is late. ", name="prt_a")
    assert told(head, answer, begun) == told(head, answer, begun, half) == []
    assert told(head, answer, begun, half, ended, ended) == ["agent It is late."]


def test_what_the_program_adds_to_a_prompt_is_no_prompt() -> None:
    rows = Rows()
    head, user = rows.head(), rows.user()
    parts = [
        rows.part("text", text="<reminder>", synthetic=True),
        rows.part("text", text="hidden", ignored=True),
        rows.part("text", text=" look at this\n"),
    ]
    assert told(head, user, *parts) == ["user look at this"]


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ('"two words"', "two words"),
        ('"say \\"hi there\\" now"', 'say "hi there" now'),
        ('"one"', '"one"'),
        ('"a b" "c d"', '"a b" "c d"'),
        ("plain text", "plain text"),
        ('"', '"'),
        ('"unfinished thought', '"unfinished thought'),
    ],
)
def test_the_quotes_that_run_puts_round_arguments(stored: str, typed: str) -> None:
    rows = Rows()
    assert told(rows.head(), rows.user(), rows.part("text", text=stored)) == [f"user {typed}"]


def test_thinking_and_summaries_are_never_told() -> None:
    rows = Rows()
    assert told(
        rows.head(),
        rows.answer(),
        rows.part("reasoning", text="hm", time={"start": 1, "end": 2}),
        rows.user(),
        rows.part("compaction", auto=True),
        rows.answer(summary=True, mode="compaction"),
        rows.says("All that was said."),
        rows.answer(),
        rows.says("On we go."),
    ) == ["Compacted", "agent On we go."]


def test_the_session_is_told_again_when_it_moves() -> None:
    rows = Rows()
    moved = rows.head(directory="/elsewhere")
    assert told(rows.head(), rows.head(), moved) == ["session opencode ses_1 /elsewhere"]


# Files.


def test_a_file_in_a_prompt_is_a_mention_a_folder_is_none() -> None:
    rows = Rows()
    source = {"type": "file", "path": "docs/a b.md"}
    assert told(
        rows.head(),
        rows.user(),
        rows.part("file", mime="text/plain", url=f"file://{PROJECT}/src/a.py?start=3&end=9", source=source),
        rows.part("file", mime="text/plain", url="data:text/plain,x", source=source),
        rows.part("file", mime="application/x-directory", url=f"file://{PROJECT}/docs"),
        rows.part("file", mime="image/png", url="data:image/png;base64,AA", filename="clip.png"),
        rows.part("file", mime="text/plain", url="x:", source={"type": "resource", "uri": "db://t"}),
    ) == ["mention src/a.py ok", "mention docs/a b.md ok"]


def test_reads() -> None:
    listing = "<path>/home/dev/project/docs</path>\n<type>directory</type>\n<entries>\na.md\n</entries>"
    assert after_prompt(
        ("read", {"filePath": f"{PROJECT}/a.py"}),
        ("read", {"filePath": "b.py"}),
        ("read", {"filePath": f"{PROJECT}/docs", "output": listing}),
        ("read", {"filePath": f"{PROJECT}/none.py", "status": "error"}),
        ("read", {"filePath": "/etc/hosts"}),
        ("read", {"filePath": f"{PROJECT}/late.py", "status": "running"}),
        ("invalid", {"tool": "read", "error": "x"}),
        ("grep", {"pattern": "x", "path": f"{PROJECT}/a.py"}),
    ) == [
        "confirmed a.py ok",
        "confirmed b.py ok",
        "confirmed none.py failed",
        "confirmed /etc/hosts ok",
    ]


def test_a_call_is_told_once_when_it_ended() -> None:
    rows = Rows()
    head, answer = rows.head(), rows.answer()
    states = [
        rows.part("tool", name="prt_a", tool="read", callID="c", state={"status": status, "input": given})
        for status, given in (
            ("pending", {}),
            ("running", {"filePath": "a.py"}),
            ("completed", {"filePath": "a.py"}),
        )
    ]
    assert told(head, answer, *states[:2]) == []
    assert told(head, answer, *states, states[2]) == ["confirmed a.py ok"]


def test_edits() -> None:
    patch = f"*** Begin Patch\n*** Update File: {PROJECT}/a.py\n@@\n-x\n+y\n*** Add File: new.md\n+z\n"
    assert after_prompt(
        ("edit", {"filePath": f"{PROJECT}/a.py", "oldString": "a", "newString": "b"}),
        ("write", {"filePath": f"{PROJECT}/b.py", "content": ""}),
        ("multiedit", {"filePath": f"{PROJECT}/c.py", "edits": []}),
        ("apply_patch", {"patchText": patch + "*** End Patch"}),
        ("edit", {"filePath": f"{PROJECT}/d.py", "status": "error"}),
    ) == [
        "edit a.py ok",
        "edit b.py ok",
        "edit c.py ok",
        "edit a.py ok",
        "edit new.md ok",
        "edit d.py failed",
    ]


def test_shell_reads_take_their_outcome_from_the_exit_status() -> None:
    assert after_prompt(
        ("bash", {"command": "cat a.py", "metadata": {"exit": 0}}),
        ("bash", {"command": "cat b.py", "metadata": {"exit": 1}}),
        ("bash", {"command": "cat c.py"}),
        ("bash", {"command": "cat d.py", "workdir": f"{PROJECT}/src", "metadata": {"exit": 0}}),
        ("bash", {"command": "cat e.py", "metadata": {"exit": None}}),
        ("bash", {"command": "cat f.py", "status": "error"}),
        ("bash", {"command": "rm a.py", "metadata": {"exit": 0}}),
    ) == [
        "confirmed a.py ok",
        "confirmed b.py failed",
        "inferred c.py ok",
        "confirmed src/d.py ok",
        "confirmed e.py failed",
        "attempted f.py failed",
    ]


def test_a_command_that_a_person_ran_is_no_read() -> None:
    rows = Rows()
    head, user = rows.head(), rows.user()
    note = rows.part("text", text="The following tool was executed by the user", synthetic=True)
    answer = rows.answer(parentID=user["row"]["id"])
    ran = rows.ran("bash", command="cat README.md", metadata={"exit": 0})
    assert told(head, user, note, answer, ran) == []


def test_a_sub_agent_reads_and_edits_and_does_not_talk() -> None:
    own, child = Rows(), Rows("ses_2")
    child.count = 100
    records = [
        own.head(),
        child.head(parent_id="ses_1"),
        child.user(),
        child.part("text", text="Find it."),
        child.answer(),
        child.says("Found."),
        child.ran("read", filePath="a.py"),
        child.part("compaction", auto=True),
    ]
    assert told(*records) == ["confirmed a.py ok by subagent"]


def test_the_session_of_a_sub_agent_is_not_a_log() -> None:
    rows = Rows("ses_2")
    decoder = OpenCodeDecoder(Place((PROJECT,)), "ses_2")
    events = decoder.decode(rows.head(parent_id="ses_1"))
    events += decoder.decode(rows.answer()) + decoder.decode(rows.says("Found."))
    assert events == [] and decoder.foreign


# Going back.


def back_to(rows: Rows, record: Row, **more: str) -> Row:
    return rows.head(revert=json.dumps({"messageID": record["row"]["id"], "snapshot": "s"} | more))


def test_going_back_hides_the_messages_from_there_on() -> None:
    rows, records = conversation()
    events = of_records(FORMAT, [*records, back_to(rows, records[6])])
    texts = {short(event): event for event in events}
    assert events[-1] == Rewind(keep_until_id=texts["agent one done"].id)  # type: ignore[union-attr]
    twice = of_records(FORMAT, [*records, back_to(rows, records[6]), back_to(rows, records[6])])
    assert len(twice) == len(events)


def test_going_back_to_the_start_takes_all_prompts() -> None:
    rows, records = conversation()
    assert of_records(FORMAT, [*records, back_to(rows, records[1])])[-1] == Rewind(turns=2)


def test_going_back_into_a_message() -> None:
    rows, records = conversation()
    more = rows.says("two done indeed")
    events = of_records(FORMAT, [*records, more, back_to(rows, records[8], partID=more["row"]["id"])])
    kept = next(event for event in events if short(event) == "agent two done")
    assert events[-1] == Rewind(keep_until_id=kept.id)  # type: ignore[union-attr]


def test_what_is_hidden_from_the_start_is_not_told_but_its_reads_are() -> None:
    rows, records = conversation()
    assert told(back_to(rows, records[6]), *records[1:]) == [
        "user one",
        "agent one done",
        "confirmed one.py ok",
        "confirmed two.py ok",
    ]


def test_undone_and_redone_and_written_over(tmp_path: Path) -> None:
    """The database says so, whatever was told before."""
    path = tmp_path / "opencode.db"
    rows, records = conversation()
    fill(path, SCHEMA, records, wal=True)
    source = FORMAT.source(Address(str(path), "ses_1"), 1 << 20)
    assert source.check() == "grown"
    list(source.records())
    database = sqlite3.connect(path, isolation_level=None)
    put(database.execute, back_to(rows, records[6]))
    assert source.check() == "grown"
    assert [record["table"] for record in source.records()] == ["session"]
    put(database.execute, rows.head())  # redone
    assert source.check() == "replaced"
    source.restart()
    assert source.check() == "grown"
    list(source.records())
    database.execute("DELETE FROM message WHERE id >= ?", (records[6]["row"]["id"],))
    assert source.check() == "replaced"
    database.close()


# What no program would write.

WORDS = st.sampled_from(
    "session message part id session_id message_id data type text tool state status input filePath output"
    " time end completed error role user assistant ses_1 read bash command exit metadata file url source path"
    " revert messageID partID parent_id directory time_updated synthetic summary compaction path cwd".split()
)
LEAVES = WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just("\ud83c\0")
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=8,
)
DATA = st.dictionaries(WORDS, VALUES, max_size=6)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(WORDS, st.dictionaries(WORDS, VALUES | DATA.map(json.dumps), max_size=7)) | VALUES,
        max_size=8,
    )
)
def test_no_record_raises_and_every_text_can_be_encoded(rows: list[Any]) -> None:
    decoder = OpenCodeDecoder(Place((PROJECT,), is_file=lambda path: True), "ses_1")
    for row in rows:
        record = {"table": row[0], "row": row[1]} if isinstance(row, tuple) else {"table": "part", "row": row}
        FORMAT.recognises(record)
        FORMAT.written(record)
        encodes(decoder.decode(record) + decoder.settle())


def test_what_it_does_not_know_is_counted() -> None:
    rows = Rows()
    decoder = OpenCodeDecoder(Place((PROJECT,)), "ses_1")
    for record in (rows.head(), rows.answer(), rows.part("hologram"), {"table": "wires", "row": {}}, {}):
        assert len(decoder.decode(record)) == (record.get("table") == "session")
    assert decoder.unknown == 3
