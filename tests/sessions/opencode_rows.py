"""Rows of OpenCode sessions, in the true shape."""

from __future__ import annotations

import json
from typing import Any

from tests.sessions.laws import PROJECT

SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, slug text,
  directory text NOT NULL, title text, version text, revert text,
  time_created integer, time_updated integer, time_compacting integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer,
  time_updated integer, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer, time_updated integer, data text NOT NULL);
CREATE TABLE project (id text PRIMARY KEY, worktree text, vcs text, time_created integer,
  time_updated integer);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
"""
Row = dict[str, Any]


class Rows:
    """Rows of one session, each newer than the one before."""

    def __init__(self, session: str = "ses_1", cwd: str = PROJECT) -> None:
        self.session, self.cwd, self.count, self.message = session, cwd, 0, ""

    def _row(self, table: str, name: str, data: Row, **more: Any) -> Row:
        self.count += 1
        time = 1_790_000_000_000 + self.count
        row = {"id": name, "session_id": self.session, "time_created": time, "time_updated": time}
        return {"table": table, "row": row | more | {"data": json.dumps(data)}}

    def head(self, **more: Any) -> Row:
        self.count += 1
        time = 1_790_000_000_000 + self.count
        row = {"id": self.session, "parent_id": None, "directory": self.cwd, "version": "1.18.33"}
        return {
            "table": "session",
            "row": row | {"revert": None, "time_created": time, "time_updated": time} | more,
        }

    def user(self, **more: Any) -> Row:
        self.message = f"msg_{self.count:04}"
        return self._row("message", self.message, {"role": "user"} | more)

    def answer(self, **more: Any) -> Row:
        self.message = f"msg_{self.count:04}"
        return self._row(
            "message", self.message, {"role": "assistant", "path": {"cwd": self.cwd, "root": self.cwd}} | more
        )

    def part(self, kind: str, **data: Any) -> Row:
        name = data.pop("name", f"prt_{self.count:04}")
        return self._row("part", name, {"type": kind} | data, message_id=self.message)

    def says(self, text: str, **more: Any) -> Row:
        return self.part("text", text=text, time={"start": 1, "end": 2}, **more)

    def ran(self, tool: str, /, status: str = "completed", output: str = "", **given: Any) -> Row:
        state = {"status": status, "input": given, "output": output, "metadata": given.pop("metadata", {})}
        return self.part("tool", tool=tool, callID=f"call_{self.count}", state=state)


def conversation() -> tuple[Rows, list[Row]]:
    """Two prompts, each with an answer and a read."""
    rows = Rows()
    records = [rows.head()]
    for word in ("one", "two"):
        records += [rows.user(), rows.part("text", text=word)]
        records += [rows.answer(), rows.says(f"{word} done"), rows.ran("read", filePath=f"{word}.py")]
    return rows, records
