"""OpenCode: sessions that were written for real, and the sample; as they are and as they come to be."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from knit_tui.sessions.events import Event, UserMessage
from knit_tui.sessions.formats import FORMATS
from knit_tui.sessions.formats.opencode import FORMAT
from knit_tui.sessions.paths import Place
from tests.sessions.databases import fill, only_its_own, prefixes, put, rows_of
from tests.sessions.laws import PROJECT, agrees, of_file, of_records, short
from tests.sessions.opencode_rows import SCHEMA, Row

SAMPLE = "sessions/samples/opencode/01-sqlite-rows.jsonl"
GENUINE = "sessions/genuine/opencode-1.18.33"


@pytest.fixture
def genuine(shared: Path, tmp_path: Path) -> Path:
    path = tmp_path / "opencode.db"
    path.write_bytes(gzip.decompress((shared / GENUINE / "opencode.db.gz").read_bytes()))
    return path


def test_a_genuine_database_gives_what_was_read_in_it(shared: Path, genuine: Path, tmp_path: Path) -> None:
    events = of_file(FORMAT, genuine)
    agrees(shared, "opencode-1.18.33", events, tmp_path)
    assert [event.text[:1] for event in events if isinstance(event, UserMessage)] == ["H", "请", "W"]
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("opencode")] == [
        "opencode.db"
    ]


def changes(shared: Path) -> list[Row]:
    """Each change of a row in the genuine session, in the order it was made."""
    found: list[Row] = []
    for line in rows_of(shared / GENUINE / "rows.jsonl"):
        if line["table"] == "session":
            head = {"id": line["id"], "parent_id": None, "directory": line["directory"], "version": "1.18.33"}
            found.insert(0, {"table": "session", "row": head | {"revert": None, "time_updated": 1}})
        if line["table"] != "event":
            continue
        data = line["data"]
        if line["type"] == "message.updated.1":
            row = {
                "id": data["info"]["id"],
                "session_id": data["sessionID"],
                "data": json.dumps(data["info"]),
            }
            time = data["info"]["time"]["created"]
            found.append(
                {"table": "message", "row": row | {"time_created": time, "time_updated": time + line["seq"]}}
            )
        elif line["type"] == "message.part.updated.1":
            row = {"id": data["part"]["id"], "message_id": data["part"]["messageID"]}
            row |= {"session_id": data["sessionID"], "data": json.dumps(data["part"])}
            found.append(
                {"table": "part", "row": row | {"time_created": data["time"], "time_updated": data["time"]}}
            )
    return found


def test_a_genuine_session_as_it_came_to_be(shared: Path, tmp_path: Path) -> None:
    events = of_records(FORMAT, changes(shared))
    agrees(shared, "opencode-1.18.33", events, tmp_path)
    whole = [short(event) for event in events]
    assert whole.index("confirmed README.md ok") < whole.index(
        "agent I'll start with the README and the loader."
    )


def test_a_genuine_session_written_into_a_database_change_by_change(shared: Path, tmp_path: Path) -> None:
    """Polled after every fifth change, as a person's machine might."""
    path = tmp_path / "opencode.db"
    records = changes(shared)
    fill(path, SCHEMA, records[:1], wal=True)
    log = FORMAT.within(str(path))[0].address
    source = FORMAT.source(log, 8 << 20)
    decoder = FORMAT.decoder(Place((PROJECT,)), log.name)
    database = sqlite3.connect(path, isolation_level=None)
    events: list[Event] = []
    for number, record in enumerate(records):
        put(database.execute, record)
        if number % 5 == 0 or record is records[-1]:
            while source.check() == "grown":
                events += [event for one in source.records() for event in decoder.decode(one)]
    database.close()
    agrees(shared, "opencode-1.18.33", events, tmp_path)


def test_the_sample(shared: Path) -> None:
    assert [short(event) for event in of_records(FORMAT, rows_of(shared / SAMPLE))] == [
        "session opencode ses_1ac8f0d0ffeT6JaU4KyKmDIkC /home/dev/project",
        "user why is test_upload flaky? see @src/upload.py",
        "mention src/upload.py ok",
        "confirmed tests/test_upload.py ok",
        "confirmed tests/none.py failed",  # then a folder, one that runs still, one that is no tool
        "agent It depends on the wall clock.",
    ]


def test_the_sample_in_a_database(shared: Path, tmp_path: Path) -> None:
    records = rows_of(shared / SAMPLE)
    fill(tmp_path / "opencode.db", SCHEMA, records)
    assert of_file(FORMAT, tmp_path / "opencode.db") == of_records(FORMAT, records)


def test_every_beginning_of_the_rows(shared: Path, genuine: Path) -> None:
    name = "ses_1ac8f0d0ffeT6JaU4KyKmDIkC"
    prefixes(FORMAT, rows_of(shared / SAMPLE), name)
    log = FORMAT.within(str(genuine))[0].address
    source = FORMAT.source(log, 1 << 40)
    source.check()
    records = list(source.records())
    assert len(records) == 75
    prefixes(FORMAT, records, log.name)
    prefixes(FORMAT, changes(shared), log.name)


def test_only_opencode_takes_them_for_its_own(shared: Path) -> None:
    only_its_own(FORMAT, rows_of(shared / SAMPLE), FORMATS)
    assert not any(map(FORMAT.recognises, rows_of(shared / "sessions/samples/crush/01-sqlite-rows.jsonl")))
    assert not any(map(FORMAT.recognises, rows_of(shared / "sessions/samples/goose/01-sqlite-rows.jsonl")))
