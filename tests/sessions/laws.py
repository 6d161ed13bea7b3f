"""What must hold for the log of any agent, asked of the files themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from knit_tui.sessions.events import (
    AssistantText,
    EditDone,
    Event,
    ReadDone,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.format import Format
from knit_tui.sessions.listing import Address
from knit_tui.sessions.paths import Place
from tests.sessions.logs import Record

PROJECT = "/home/dev/project"
"""Where the genuine logs and the samples were written."""
ALL = 1 << 40


def address(form: Format, path: Path) -> Address:
    """The newest log in the file."""
    found = form.within(str(path))
    return found[0].address if found else Address(str(path))


def of_file(form: Format, path: Path, root: str = PROJECT) -> list[Event]:
    """The events of the newest log in a file, read from its start to its end."""
    log = address(form, path)
    source = form.source(log, ALL)
    decoder = form.decoder(Place((root,)), log.name, form.folder(log))
    events: list[Event] = []
    while source.check() == "grown":
        events += [event for record in source.records() for event in decoder.decode(record)]
    return events + decoder.settle()


def of_records(form: Format, records: Iterable[Record], root: str = PROJECT, name: str = "s") -> list[Event]:
    decoder = form.decoder(Place((root,)), name)
    events = [event for record in records for event in decoder.decode(record)]
    return events + decoder.settle()


def short(event: Event) -> str:
    """An event in one line, for a list in a test."""
    if isinstance(event, UserMessage):
        return f"user {event.text}"
    if isinstance(event, AssistantText):
        return f"agent {event.text}"
    if isinstance(event, ReadDone):
        by = "" if event.by == "main" else f" by {event.by}"
        return f"{event.certainty} {event.path} {'ok' if event.ok else 'failed'}{by}"
    if isinstance(event, EditDone):
        return f"edit {event.path} {'ok' if event.ok else 'failed'}"
    if isinstance(event, Rewind):
        return f"rewind {event.keep_until_id} {event.turns}"
    if isinstance(event, SessionInfo):
        return f"session {event.agent} {event.session_id} {event.cwd}"
    return type(event).__name__


def a_beginning(part: list[Event], whole: list[Event]) -> bool:
    return part == whole[: len(part)]


def cut_anywhere(
    form: Format,
    data: bytes,
    path: Path,
    valid: Callable[[list[Event], list[Event]], bool] = a_beginning,
    step: int = 1,
) -> None:
    """A log cut after any byte gives a beginning of its events (or what ``valid`` accepts)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    whole = of_file(form, path)
    for end in range(0, len(data), step):
        path.write_bytes(data[:end])
        part = of_file(form, path)
        assert valid(part, whole), f"cut at byte {end}: {list(map(short, part))}"


def grown_in_chunks(form: Format, data: bytes, path: Path, size: int) -> None:
    """A log that grows by ``size`` bytes at a time tells the same as the whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    whole = of_file(form, path)
    path.write_bytes(b"")
    log = Address(str(path))
    source = form.source(log, ALL)
    decoder = form.decoder(Place((PROJECT,)), log.name, form.folder(log))
    events: list[Event] = []
    with path.open("ab", buffering=0) as file:
        for at in range(0, len(data), size):
            file.write(data[at : at + size])
            while source.check() == "grown":
                events += [event for record in source.records() for event in decoder.decode(record)]
    assert events + decoder.settle() == whole


def as_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, UserMessage):
            told.append({"type": "user", "text": event.text})
        elif isinstance(event, AssistantText):
            told.append({"type": "assistant", "text": event.text})
        elif isinstance(event, ReadDone):
            read = {"path": event.path, "ok": event.ok, "certainty": event.certainty, "by": event.by}
            told.append({"type": "read"} | read)
        elif isinstance(event, EditDone):
            told.append({"type": "edit", "path": event.path, "ok": event.ok})
    return told


def agrees(shared: Path, folder: str, events: list[Event], scratch: Path) -> None:
    """``events`` are those that were written down by hand for a genuine log."""
    expected = shared / "sessions/expected" / f"{folder}.json"
    facts = json.loads(expected.read_text(encoding="utf-8"))
    info = [event for event in events if isinstance(event, SessionInfo)]
    assert [(one.agent, one.cwd) for one in info[:1]] == [(facts["agent"], facts["cwd"])]
    actual = scratch / "actual.json"
    actual.write_text(json.dumps({"events": as_json(events)}), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, str(shared / "sessions/check_events.py"), str(expected), str(actual)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
