"""What is in a record of a Cursor transcript: texts without their wrapping, and calls.

A prompt stands in ``<user_query>``, among other tags that the program put around it. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knit_tui.sessions.lines import Record
from knit_tui.sessions.paths import scrub

PATHS = ("path", "target_file", "file_path")
"""Under which of these names a call has its file."""
_FOLDERS = ("working_directory", "target_directory")
_QUERY = ("<user_query>", "</user_query>")
_TAG = re.compile(r"\s*<([a-z][a-z_]*)>")
_REDACTED = "[REDACTED]"


def _content(record: Record) -> Any:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def texts(record: Record) -> list[str]:
    content = _content(record)
    if isinstance(content, str):
        return [scrub(content)]
    blocks = content if isinstance(content, list) else []
    return [
        scrub(block.get("text"))
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text"
    ]


def calls(record: Record) -> list[dict[str, Any]]:
    content = _content(record)
    return [
        block
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, dict)
        and block.get("type") == "tool_use"
        and isinstance(block.get("input"), dict)
        and isinstance(block.get("name"), str)
    ]


def typed(text: str) -> str:
    """What a person wrote of one text: what stands in the query, else what stands after other tags."""
    start = text.find(_QUERY[0])
    if start >= 0:
        start += len(_QUERY[0])
        end = text.rfind(_QUERY[1], start)
        return (text[start:] if end < 0 else text[start:end]).strip()
    while (tag := _TAG.match(text)) is not None:
        closing = f"</{tag.group(1)}>"
        end = text.find(closing, tag.end())
        if end < 0:
            break
        text = text[end + len(closing) :]
    return text.strip()


def shown(text: str) -> str:
    """An answer without the marks of thinking that was taken out."""
    return "\n".join(line for line in text.split("\n") if line.strip() != _REDACTED).strip()


def asked_paths(record: Record) -> Iterator[str]:
    """The paths that the calls in a record name, as they do."""
    for call in calls(record):
        for name in (*_FOLDERS, *PATHS):
            path = scrub(call["input"].get(name))
            if path:
                yield path
