"""Pins and exclusions as one immutable state with a history."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from knit_tui.model import Controls

MAX_HISTORY = 100


@dataclass(frozen=True, slots=True)
class History:
    """The state now, the states before it with the action that left each, and the undone ones."""

    now: Controls = field(default_factory=Controls)
    past: tuple[tuple[str, Controls], ...] = ()
    future: tuple[tuple[str, Controls], ...] = ()

    @property
    def undoable(self) -> str:
        """The action that ``undone`` takes back, such as ``pin docs/a.md``; empty when there is none."""
        return self.past[-1][0] if self.past else ""


def acted(history: History, action: str, rel: str) -> History:
    """``history`` after ``action`` on ``rel``; unchanged when that makes no difference.

    Actions: ``pin``, ``unpin``, ``exclude``, ``restore``. A document is never both pinned and
    excluded: the newer act wins.

    Raises:
        ValueError: the action is none of these.
    """
    now = history.now
    pinned, excluded = now.pinned, now.excluded
    if action == "pin":
        pinned, excluded = _added(pinned, rel), _removed(excluded, rel)
    elif action == "unpin":
        pinned = _removed(pinned, rel)
    elif action == "exclude":
        pinned, excluded = _removed(pinned, rel), _added(excluded, rel)
    elif action == "restore":
        excluded = _removed(excluded, rel)
    else:
        raise ValueError(f"no such action: {action}")
    changed = Controls(pinned, excluded)
    if changed == now:
        return history
    return History(changed, (*history.past, (f"{action} {rel}", now))[-MAX_HISTORY:])


def undone(history: History) -> History:
    """``history`` with its newest action taken back."""
    if not history.past:
        return history
    action, before = history.past[-1]
    return History(before, history.past[:-1], (*history.future, (action, history.now)))


def redone(history: History) -> History:
    """``history`` with the action that was undone last done again."""
    if not history.future:
        return history
    action, after = history.future[-1]
    return replace(
        history, now=after, past=(*history.past, (action, history.now)), future=history.future[:-1]
    )


def _added(rows: tuple[str, ...], rel: str) -> tuple[str, ...]:
    return rows if rel in rows else (*rows, rel)


def _removed(rows: tuple[str, ...], rel: str) -> tuple[str, ...]:
    return tuple(row for row in rows if row != rel) if rel in rows else rows
