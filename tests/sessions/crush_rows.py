"""Rows of Crush sessions, in the true shape."""

from __future__ import annotations

import json
from typing import Any

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
  message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER DEFAULT 0,
  completion_tokens INTEGER DEFAULT 0, cost REAL DEFAULT 0.0,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT,
  todos TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
  parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE read_files (session_id TEXT NOT NULL, path TEXT NOT NULL, read_at INTEGER NOT NULL,
  PRIMARY KEY (path, session_id));
CREATE INDEX idx_messages_session_id ON messages (session_id);
"""
Row = dict[str, Any]
FINISH = ("finish", {"reason": "end_turn", "time": 1})


def head(session: str = "s", **more: Any) -> Row:
    row = {"id": session, "parent_session_id": None, "title": "t", "message_count": 0}
    return {
        "table": "sessions",
        "row": row | {"updated_at": 1_790_000_000, "created_at": 1_790_000_000} | more,
    }


def message(name: str, role: str, *parts: tuple[str, Any], session: str = "s", **more: Any) -> Row:
    row = {"id": name, "session_id": session, "role": role}
    row["parts"] = json.dumps([{"type": kind, "data": data} for kind, data in parts])
    return {
        "table": "messages",
        "row": row | {"created_at": 1_790_000_000, "updated_at": 1_790_000_000} | more,
    }


def text(words: str) -> tuple[str, Row]:
    return "text", {"text": words}
