"""Invented log records in the true shape, and what reading them gives."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from knit_tui.sessions.events import AssistantText, EditDone, Event, ReadDone, Rewind, UserMessage
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import claude, codex
from knit_tui.sessions.lines import LineBuffer, records
from knit_tui.sessions.paths import Place

ROOT = "/home/dev/lamp"
FIXTURES = Path(__file__).parent / "fixtures"
SESSION = "5b0c7a10-1111-4222-8333-944455566677"

Record = dict[str, Any]


def line(record: Any) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def write(path: Path, items: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(line, items)))
    return path


def append(path: Path, *items: Any) -> None:
    with path.open("ab") as file:
        file.write(b"".join(map(line, items)))


class Claude:
    """Rows of one Claude Code session, each the child of the one before unless told otherwise."""

    def __init__(self, cwd: str = ROOT, session: str = SESSION, day: int = 1) -> None:
        self.cwd, self.session, self.day, self.count = cwd, session, day, 0
        self.last: str | None = None

    def row(self, kind: str, **more: Any) -> Record:
        self.count += 1
        uuid = more.pop("uuid", f"{self.session[:8]}-{self.count}")
        row = {
            "parentUuid": more.pop("parent", self.last),
            "isSidechain": False,
            "type": kind,
            "uuid": uuid,
            "timestamp": f"2026-03-{self.day:02}T10:{self.count // 60:02}:{self.count % 60:02}.000Z",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.300",
        } | more
        self.last = uuid
        return row

    def user(self, content: Any, **more: Any) -> Record:
        return self.row("user", message={"role": "user", "content": content}, **more)

    def says(self, text: str, **more: Any) -> Record:
        return self.answer({"type": "text", "text": text}, **more)

    def answer(self, *blocks: Any, **more: Any) -> Record:
        message = {"id": "msg_1", "role": "assistant", "model": "claude-opus-5-5", "content": list(blocks)}
        return self.row("assistant", message=message, **more)

    def call(self, name: str, call_id: str, **more: Any) -> Record:
        return self.answer({"type": "tool_use", "id": call_id, "name": name, "input": more})

    def done(
        self, call_id: str, said: Any = "", detail: Any = None, failed: bool | None = None, **more: Any
    ) -> Record:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": said}
        if failed is not None:
            block["is_error"] = failed
        return self.user([block], toolUseResult=detail, **more)

    def attached(self, kind: str, **more: Any) -> Record:
        return self.row("attachment", attachment={"type": kind} | more)


def codex_meta(cwd: str = ROOT, **more: Any) -> Record:
    payload = {"id": "0199-a", "cwd": cwd, "cli_version": "0.150.0", "source": "cli"} | more
    return {"timestamp": "2026-03-01T10:00:00.000Z", "type": "session_meta", "payload": payload}


def codex_item(kind: str, /, **more: Any) -> Record:
    return {"type": "response_item", "payload": {"type": kind} | more}


def codex_event(kind: str, /, **more: Any) -> Record:
    return {"type": "event_msg", "payload": {"type": kind} | more}


def codex_done(kind: str, /, **more: Any) -> Record:
    """An item of what a person sees."""
    return codex_event("item_completed", item={"type": kind} | more)


def codex_copy(role: str, text: str, **more: Any) -> Record:
    """The copy of a message for the model."""
    kind = "output_text" if role == "assistant" else "input_text"
    return codex_item("message", role=role, content=[{"type": kind, "text": text}], **more)


def codex_prompt(text: str) -> list[Record]:
    return [codex_copy("user", text), codex_event("user_message", message=text)]


def decode(
    form: Format, items: Iterable[Any], root: str = ROOT, stem: str = SESSION, place: Place | None = None
) -> list[Event]:
    decoder = form.decoder(place or Place((root,)), stem)
    events = [event for item in items for event in decoder.decode(item)]
    return events + decoder.settle()


def decode_bytes(form: Format, data: bytes, chunk: int = 1 << 20, stem: str = SESSION) -> list[Event]:
    """The events of a log's bytes, as a source hands them over, and then nothing more comes."""
    decoder = form.decoder(Place((ROOT, "/home/dev/project")), stem)
    buffer = LineBuffer()
    events: list[Event] = []
    for start in range(0, len(data), chunk):
        for one in buffer.feed(data[start : start + chunk]):
            for record in records(one)[0]:
                events += decoder.decode(record)
    return events + decoder.settle()


def claude_events(*items: Record, **more: Any) -> list[Event]:
    return decode(claude.FORMAT, items, **more)


def codex_events(*items: Record, **more: Any) -> list[Event]:
    return decode(codex.FORMAT, items, **more)


def prompts(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, UserMessage)]


def answers(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, AssistantText)]


def reads(events: Iterable[Event]) -> list[tuple[str, bool, str]]:
    return [(event.path, event.ok, event.certainty) for event in events if isinstance(event, ReadDone)]


def edits(events: Iterable[Event]) -> list[tuple[str, bool]]:
    return [(event.path, event.ok) for event in events if isinstance(event, EditDone)]


def rewinds(events: Iterable[Event]) -> list[Rewind]:
    return [event for event in events if isinstance(event, Rewind)]


EXIT_0 = (
    "Chunk ID: 1f\nWall time: 0.05 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\n"
)
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: docs/b.md\n+z\n*** End Patch\n"


def ran(call_id: str, cmd: str, output: Any, name: str = "exec_command", **more: Any) -> list[Record]:
    arguments = json.dumps({"cmd": cmd} | more)
    return [
        codex_item("function_call", name=name, arguments=arguments, call_id=call_id),
        codex_item("function_call_output", call_id=call_id, output=output),
    ]


def cell(call_id: str, source: str, *output: str) -> list[Record]:
    parts = [{"type": "input_text", "text": text} for text in output]
    return [
        codex_item("custom_tool_call", name="exec", input=source, call_id=call_id),
        codex_item("custom_tool_call_output", call_id=call_id, output=parts),
    ]


def executed(cmd: str, code: int | None = 0, **more: Any) -> Record:
    item = {
        "id": "exec-1",
        "command": ["/bin/bash", "-lc", cmd],
        "cwd": f"file://{ROOT}",
        "status": "completed",
    }
    return codex_done("CommandExecution", **(item | {"exit_code": code, "parsed_cmd": []} | more))
