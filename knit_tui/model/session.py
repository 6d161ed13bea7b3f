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
    """``following``, ``none`` (nothing found), ``off``, ``missing``, ``unreadable``, ``not-a-log``."""
    agent: str = ""
    session_id: str = ""
    path: str = ""
    how: str = ""
    """``option``, ``directory`` …"""
    unknown: int = 0
    damaged: int = 0
    others: int = 0
    """Further sessions of this workspace that are live too."""
