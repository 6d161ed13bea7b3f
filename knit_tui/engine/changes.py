"""What can happen to an Engine, as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkspaceChanged:
    """Something below the root may have changed: scan again and compare."""


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """The followed log may have grown, or another one may be the one to follow."""


@dataclass(frozen=True, slots=True)
class Pin:
    """Keep this document in the pack, whatever the task is."""

    rel: str


@dataclass(frozen=True, slots=True)
class Unpin:
    rel: str


@dataclass(frozen=True, slots=True)
class Exclude:
    """Leave this document out before anything is ranked."""

    rel: str


@dataclass(frozen=True, slots=True)
class Restore:
    """Take an exclusion back."""

    rel: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the newest pin, unpin, exclude or restore back."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was undone last."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Rank for a typed text instead of the conversation; None follows the conversation again."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Follow:
    """Follow the offered session with this key; None: the one that is found again."""

    key: str | None


@dataclass(frozen=True, slots=True)
class Track:
    """Count from now on what the agent reads and edits, or stop and forget it."""

    on: bool


@dataclass(frozen=True, slots=True)
class Inspect:
    """Tell in each Snapshot from now on where this document stands and why; None: of none."""

    rel: str | None


Change = (
    WorkspaceChanged
    | SessionChanged
    | Pin
    | Unpin
    | Exclude
    | Restore
    | Undo
    | Redo
    | Ask
    | Follow
    | Track
    | Inspect
)
