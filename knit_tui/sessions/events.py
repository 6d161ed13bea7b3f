"""What a session log tells, the same for every agent; the only words other packages need.

Events come in the order of the log, which is the order things happened in: a log's own clocks are
not trusted. Texts and paths are as the log has them, with lone surrogates replaced, so every string
here can be encoded. They are hostile all the same.

A ``path`` is relative to the workspace, with ``/`` separators, when the log names a file inside it
(``"."`` is the workspace folder itself). Anything else is the string the log has, whatever it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Certainty: TypeAlias = Literal["confirmed", "inferred", "mention", "attempted"]
Actor: TypeAlias = Literal["main", "subagent"]


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """Which session follows, before its first other event; again when it moves to another folder."""

    agent: str
    session_id: str
    cwd: str
    """Where the agent runs, absolute, as the log spells it."""
    version: str = ""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A prompt that a person wrote, without what the agent's program wrapped around it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class AssistantText:
    """One text of the agent. Its thinking is never told."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadDone:
    """The agent got, or failed to get, what a file holds."""

    path: str
    ok: bool
    certainty: Certainty
    """``confirmed``: the log tells how the read ended. ``inferred``: a shell command that reads the
    file ran, and the log does not tell that very outcome. ``mention``: the person put the file into
    the conversation. ``attempted``: asked for, and nothing tells what came of it (``ok`` is False)."""
    by: Actor = "main"
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class EditDone:
    """The agent changed, created, moved or deleted a file, or failed to."""

    path: str
    ok: bool
    by: Actor = "main"
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Rewind:
    """The person went back. Messages are dropped; what was read or edited on the way still was.

    With ``turns`` > 0 the newest ``turns`` user messages go, and every message after the oldest of
    them. Otherwise every message after the one called ``keep_until_id`` goes; a reader that no
    longer has that message keeps what it has.
    """

    keep_until_id: str = ""
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Compacted:
    """The agent replaced its context by a summary. The conversation stays what it was."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Forget everything of the session told so far; what comes next is told from its start."""

    reason: str
    """``truncated``, ``replaced`` (the log is another file now), ``session`` (another session is
    followed), ``moved`` (the session left this workspace)."""


Event: TypeAlias = (
    SessionInfo | UserMessage | AssistantText | ReadDone | EditDone | Rewind | Compacted | Reset
)
