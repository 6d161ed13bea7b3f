"""Pins and exclusions as one immutable state with a history of acts.

An act remembers where the document stood before and after it, not the whole state: what another
process pins meanwhile stays when an act is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from knit_tui.model import Controls

MAX_HISTORY = 100
LIMIT = 200
"""Documents that may be pinned, and documents that may be excluded."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a document stands: at ``place`` in ``list``: ``pinned``, ``excluded``, or ``""`` for neither."""

    list: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Act:
    """What was done to ``rel``: ``pin``, ``unpin``, ``exclude`` or ``restore``."""

    action: str
    rel: str
    before: Spot
    after: Spot


@dataclass(frozen=True, slots=True)
class History:
    """The state now, the acts that led to it, and the undone ones."""

    now: Controls = field(default_factory=Controls)
    past: tuple[Act, ...] = ()
    future: tuple[Act, ...] = ()

    @property
    def undoable(self) -> str:
        """The act that ``undone`` takes back, such as ``pin docs/a.md``; empty when there is none."""
        return f"{self.past[-1].action} {self.past[-1].rel}" if self.past else ""

    @property
    def redoable(self) -> str:
        """The act that ``redone`` does again; empty when there is none."""
        return f"{self.future[-1].action} {self.future[-1].rel}" if self.future else ""


class Full(Exception):
    """There are `LIMIT` documents in ``list`` already."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.list = name


def spot(controls: Controls, rel: str) -> Spot:
    """Where ``rel`` stands."""
    for name, rows in (("pinned", controls.pinned), ("excluded", controls.excluded)):
        if rel in rows:
            return Spot(name, rows.index(rel))
    return Spot()


def put(controls: Controls, rel: str, where: Spot) -> Controls:
    """``controls`` with ``rel`` at ``where``, or as near to it as the rows allow, and nowhere else.

    Raises:
        Full: it does not stand there yet and there is no room.
    """
    lists = {"pinned": controls.pinned, "excluded": controls.excluded}
    if where.list and rel not in lists[where.list] and len(lists[where.list]) >= LIMIT:
        raise Full(where.list)
    left = {name: tuple(row for row in rows if row != rel) for name, rows in lists.items()}
    if where.list:
        rows = left[where.list]
        left[where.list] = (*rows[: where.place], rel, *rows[where.place :])
    return Controls(left["pinned"], left["excluded"])


def act_on(controls: Controls, action: str, rel: str) -> Act | None:
    """The act that ``action`` on ``rel`` is now; None when it would make no difference.

    A document is never both pinned and excluded: the newer act wins.

    Raises:
        ValueError: the action is none of ``pin``, ``unpin``, ``exclude``, ``restore``.
    """
    before = spot(controls, rel)
    if action == "pin":
        after = Spot("pinned", len(controls.pinned))
    elif action == "exclude":
        after = Spot("excluded", len(controls.excluded))
    elif action in ("unpin", "restore"):
        wanted = "pinned" if action == "unpin" else "excluded"
        after = Spot() if before.list == wanted else before
    else:
        raise ValueError(f"no such action: {action}")
    return None if before.list == after.list else Act(action, rel, before, after)


def acted(history: History, act: Act) -> History:
    """``history`` after ``act``.

    Raises:
        Full: there is no room for it.
    """
    now = put(history.now, act.rel, act.after)
    return History(now, (*history.past, act)[-MAX_HISTORY:])


def undone(history: History) -> History:
    """``history`` with its newest act taken back; the same one when there is none.

    Raises:
        Full: there is no room for the document where it stood.
    """
    if not history.past:
        return history
    act = history.past[-1]
    return History(put(history.now, act.rel, act.before), history.past[:-1], (*history.future, act))


def redone(history: History) -> History:
    """``history`` with the act that was undone last done again; the same one when there is none.

    Raises:
        Full: there is no room for it.
    """
    if not history.future:
        return history
    act = history.future[-1]
    now = put(history.now, act.rel, act.after)
    return replace(history, now=now, past=(*history.past, act), future=history.future[:-1])
