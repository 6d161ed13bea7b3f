"""The events of a session as the conversation they leave: what was said, after every rewind."""

from __future__ import annotations

from collections.abc import Iterable

from knit_tui.model import Message, Speaker
from knit_tui.sessions.events import AssistantText, Event, Reset, Rewind, UserMessage

KEPT = 200
"""Messages that are kept; far more than any query reads, so that a rewind finds its place."""


def told(messages: tuple[Message, ...], events: Iterable[Event]) -> tuple[Message, ...]:
    """``messages`` (oldest first) after ``events``; the same object when they change nothing."""
    kept = list(messages)
    changed = False
    for event in events:
        if isinstance(event, UserMessage):
            kept.append(Message(Speaker.USER, event.text, event.id))
        elif isinstance(event, AssistantText):
            kept.append(Message(Speaker.ASSISTANT, event.text, event.id))
        elif isinstance(event, Rewind):
            kept = _rewound(kept, event)
        elif isinstance(event, Reset):
            kept = []
        else:
            continue
        changed = True
    return tuple(kept[-KEPT:]) if changed else messages


def _rewound(messages: list[Message], rewind: Rewind) -> list[Message]:
    if rewind.turns:
        prompts = [place for place, message in enumerate(messages) if message.speaker is Speaker.USER]
        return messages[: prompts[-rewind.turns]] if rewind.turns <= len(prompts) else []
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].id == rewind.keep_until_id:
            return messages[: place + 1]
    return messages
