"""What the agent read and edited in the session, newest first: its working set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knit_tui.model import Use
from knit_tui.sessions.events import EditDone, Event, ReadDone, Reset, UserMessage

KEPT = 200
"""Documents that are remembered: what was used before them counts for nothing any more."""
_CERTAIN = ("confirmed", "inferred")


@dataclass(frozen=True)
class Usage:
    """``newest``: path to (edited, number of the prompt it was used after), the newest use last."""

    prompts: int = 0
    newest: Mapping[str, tuple[bool, int]] = field(default_factory=dict)

    def uses(self) -> dict[str, Use]:
        """By path, newest first."""
        newest_first = reversed(list(self.newest.items()))
        return {rel: Use(edited, self.prompts - prompt) for rel, (edited, prompt) in newest_first}


def used(usage: Usage, events: Iterable[Event]) -> Usage:
    """``usage`` after ``events``; the same object when they change nothing."""
    prompts, newest = usage.prompts, dict(usage.newest)
    for event in events:
        if isinstance(event, UserMessage):
            prompts += 1
        elif isinstance(event, Reset):
            prompts, newest = 0, {}
        elif isinstance(event, EditDone) and event.ok:
            newest.pop(event.path, None)
            newest[event.path] = (True, prompts)
        elif isinstance(event, ReadDone) and event.ok and event.certainty in _CERTAIN:
            newest.pop(event.path, None)
            newest[event.path] = (False, prompts)
    after = Usage(prompts, dict(list(newest.items())[-KEPT:]))
    return usage if after == usage and list(after.newest) == list(usage.newest) else after
