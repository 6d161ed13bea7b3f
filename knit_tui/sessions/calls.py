"""Calls of an agent that wait for their result, and what the result of a shell command shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from knit_tui.sessions.events import Actor, ReadDone
from knit_tui.sessions.paths import Place
from knit_tui.sessions.shell import ShellLine, join, outcomes

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that reads or edits a file, or runs a shell command."""

    kind: Literal["read", "edit", "shell"]
    path: str = ""
    line: ShellLine = field(default_factory=ShellLine)
    """What a shell command reads."""
    folder: str = ""
    """Where it runs, as the log has it; empty where that is the session's folder."""
    by: Actor = "main"


class Pending(Generic[T]):
    """Calls by id. Beyond ``limit`` the oldest goes: its result never came or is not looked for."""

    def __init__(self, limit: int = 256) -> None:
        self.limit = limit
        self._calls: dict[str, T] = {}

    def add(self, call_id: str, call: T) -> None:
        self._calls[call_id] = call
        if len(self._calls) > self.limit:
            del self._calls[next(iter(self._calls))]

    def take(self, call_id: object) -> T | None:
        """The call with this id, which then waits no more; None when none does."""
        return self._calls.pop(call_id, None) if isinstance(call_id, str) else None

    def get(self, call_id: object) -> T | None:
        return self._calls.get(call_id) if isinstance(call_id, str) else None

    def waiting(self) -> list[T]:
        """Oldest first."""
        return list(self._calls.values())

    def clear(self) -> None:
        self._calls.clear()


def shell_reads(
    place: Place,
    bases: Sequence[str | None],
    line: ShellLine,
    status: int | None,
    output: str,
    by: Actor = "main",
    call_id: str = "",
) -> list[ReadDone]:
    """The reads of a command line that ended.

    ``bases`` are the folders it may have run in, the likeliest first: where the workspace can be
    asked, the first that holds the file is taken. A read whose outcome is not told counts only when
    such a file exists.
    """
    events: list[ReadDone] = []
    for read, ok, certainty in outcomes(line, status, output):
        path = join(read.folder, read.path)
        if path is None:
            continue
        wholes = [whole for whole in (place.join(base, path) for base in bases) if whole is not None]
        inner = [name for name in map(place.inside, wholes) if name is not None]
        known = [name for name in inner if place.is_file is not None and place.is_file(name)]
        if known:
            name: str | None = known[0]
        elif inner and certainty == "inferred" and place.is_file is not None:
            continue
        else:
            name = inner[0] if inner else place.name(None, path)
        if name is not None:
            events.append(ReadDone(name, ok, certainty, by, call_id))
    return events
