"""What of a Codex user message a person wrote, and which of its two copies is told.

A message stands in the log twice: for the model (``response_item``) and, for what a person sees, as
an event. Only the event is sure to be real; the model's copy can also be context, a notice, or the
summary of a compaction. The copies stand one line apart, a prompt's event after its copy, an
answer's before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knit_tui.sessions.events import Event
from knit_tui.sessions.paths import scrub

_SPACE = " \t\r\n\0"
_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<skill>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<codex_internal_context",
    "<goal_context>",
    "<recommended_plugins>",
)
_IDE = ("# Context from my IDE setup", "# Files mentioned by the user")
_REQUEST = "## My request for Codex:"


def parts(content: Any) -> list[str]:
    """The texts of a message's content."""
    if isinstance(content, str):
        return [scrub(content)]
    if not isinstance(content, list):
        return []
    return [scrub(part.get("text")) for part in content if isinstance(part, dict) and part.get("text")]


def written(content: Any) -> str:
    """What a person wrote of this content, each part judged by itself; ``""`` when nothing."""
    return "\n".join(part for part in map(_written, parts(content)) if part)


def _written(text: str) -> str:
    text = text.strip(_SPACE)
    if text.startswith(_IDE):
        request = text.find(_REQUEST)
        if request >= 0:
            return text[request + len(_REQUEST) :].strip(_SPACE)
    return "" if text.startswith(_INJECTED) else text


class Copies:
    """One role's messages, each told once, from two copies of which either may be missing."""

    def __init__(self, tell: Callable[[str, str], Event]) -> None:
        self._tell = tell
        self._evented = False
        """This log has events for this role: a copy without one is not a message."""
        self._held: tuple[str, str, bool] | None = None
        self._early = ""
        """A copy that was told because no event had followed it; one that still comes is its own."""
        self._unmatched = ""
        """An event that was told; its copy may follow."""

    def copy(self, name: str, text: str, sure: bool) -> list[Event]:
        """The model's copy came. ``sure``: it says itself that a person wrote it."""
        events = self.release()
        if self._unmatched == text:
            self._unmatched = ""
        elif text:
            self._held = (name, text, sure)
        return events

    def event(self, name: str, text: str) -> list[Event]:
        """The event came."""
        self._evented = True
        held, self._held = self._held, None
        early, self._early = self._early, ""
        if held is not None:
            self._unmatched = ""
            return [self._tell(held[0], text)]
        if early == text:
            return []
        self._unmatched = text
        return [self._tell(name, text)]

    def release(self) -> list[Event]:
        """Something else came, or nothing for a while: decide about a copy that waits."""
        held, self._held = self._held, None
        if held is None:
            return []
        name, text, sure = held
        if self._evented and not sure:
            return []
        self._early = text
        return [self._tell(name, text)]

    def drop(self) -> None:
        """The copy that waits turned out to be no message."""
        self._held = None
