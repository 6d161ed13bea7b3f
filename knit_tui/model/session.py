"""The agent's session: its conversation, and which one is followed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One real prompt of the person or one text of the agent."""

    speaker: Speaker
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """Which session is followed and how it was found, or why none is."""

    state: str
    """``following``, ``none`` (nothing found), ``off``, ``missing``, ``unreadable``, ``not-a-log``,
    ``no-such-session`` (the one that was named by its id)."""
    agent: str = ""
    session_id: str = ""
    path: str = ""
    how: str = ""
    """``option``, ``chosen`` (by the user), ``environment`` (the agent that started knit), ``hook`` (told
    by one), ``directory`` (it runs in this folder); empty when none was looked for."""
    unknown: int = 0
    damaged: int = 0
    others: int = 0
    """Further sessions of this workspace that are live too."""


@dataclass(frozen=True, slots=True)
class SessionOffer:
    """A session of this workspace that could be followed."""

    key: str
    """What names it when one is chosen."""
    agent: str
    session_id: str
    cwd: str
    match: str
    """Where its agent runs: ``same`` (this folder), ``below``, ``above``, ``worktree`` (another one)."""
    how: str
    """As in `SessionStatus`."""
    first: str
    last: str
    """The first and the newest prompt; empty when it has none, or the first is too far back."""
    prompted: float
    """When the newest prompt was written, in seconds since the epoch."""
    live: bool | None
    """Its agent runs now; None where that agent does not tell."""
    followed: bool
