"""What an agent may ask for, and what it did ask for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("context", "docs", "code", "media")
MOST = 20
"""Documents that one answer lists at most."""
LONGEST_QUERY = 8_000
"""Characters of a query that are looked at; far more words than any query uses."""

DESCRIPTION = (
    "Ranks this workspace's documents and code for the current conversation, or for `query`: what to read "
    "first, what supports it, background; each with a checkable reason, matching lines and relations. Call "
    "it before searching files yourself, and again when the task changes. Files you already read that have "
    "not changed come by path alone."
)
INPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to look for; the conversation when left out."},
        "kind": {"enum": list(KINDS), "description": "context (default) is docs and code together."},
        "limit": {
            "type": "integer",
            "description": f"List at most so many documents, 1 to {MOST}; default: the whole pack.",
        },
        "audit": {"type": "boolean", "description": "Add a line on what was read of the previous pack."},
        "include_read": {"type": "boolean", "description": "Tell in full of files already read, too."},
    },
    "additionalProperties": False,
}


class BadArguments(Exception):
    """The call cannot be understood; the text tells the agent what is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked for. ``query`` is None for the conversation, ``limit`` None for the whole pack."""

    query: str | None = None
    kind: str = KINDS[0]
    limit: int | None = None
    audit: bool = False
    include_read: bool = False
    shortened: bool = False
    """The query was longer than what is looked at."""


def parsed(arguments: Mapping[str, Any]) -> Call:
    """The call that was made. A limit is never an error: it is brought into range, or taken as not given.

    Raises:
        BadArguments: an argument is unknown or of another type.
    """
    known = INPUT_SCHEMA["properties"]
    unknown = [name for name in arguments if name not in known]
    if unknown:
        raise BadArguments(f"unknown argument {_shown(unknown[0])}; knit_docs takes {', '.join(known)}")
    query = arguments.get("query")
    if query is not None and not isinstance(query, str):
        raise BadArguments("query must be text")
    kind = KINDS[0] if arguments.get("kind") is None else arguments["kind"]
    if kind not in KINDS:
        raise BadArguments(f"kind must be one of {', '.join(KINDS)}, not {_shown(kind)}")
    text = (query or "").strip()
    return Call(
        query=text[:LONGEST_QUERY] or None,
        kind=kind,
        limit=_limit(arguments.get("limit")),
        audit=_flag(arguments, "audit"),
        include_read=_flag(arguments, "include_read"),
        shortened=len(text) > LONGEST_QUERY,
    )


def _limit(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return max(1, min(MOST, int(value)))


def _flag(arguments: Mapping[str, Any], name: str) -> bool:
    value = arguments.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise BadArguments(f"{name} must be true or false")


def _shown(value: object) -> str:
    """What was given, in a few printable characters."""
    return ascii(value[:40]) if isinstance(value, str) else type(value).__name__
