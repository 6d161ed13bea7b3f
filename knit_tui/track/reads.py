"""Evidence of reads and edits, and where it belongs.

A read happened when the log tells it, or tells that a command which reads the file ran. What was only asked
for, or failed, did not happen; what the person put into the conversation the agent did not read. A read is
held against the pack in force at that moment, once and for all: a later pack does not rewrite it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from knit_tui.model import Lost, Place
from knit_tui.track.epochs import Epochs

LONGEST = 4096
"""Characters of a path that is followed; no file system has longer ones."""
_FOREIGN = re.compile(r"/|~(?:/|\Z)|[A-Za-z]:[\\/]|\\\\|[A-Za-z][A-Za-z0-9+.-]{0,30}://")
"""How a path begins that does not start at the workspace."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a log tells of one file, as ``ReadDone`` and ``EditDone`` do."""

    path: str
    seq: int
    edited: bool = False
    ok: bool = True
    certainty: str = "confirmed"
    """``confirmed``, ``inferred``, ``mention`` or ``attempted``; of no meaning for an edit."""
    by: str = "main"
    call_id: str = ""
    at: int | None = None
    """Now, in nanoseconds since the epoch; None when it happened before knit looked."""
    mtime_ns: int | None = None
    """Of the file at this moment, not of an earlier scan; None when that is unknown."""
    listed: bool = False
    """The file was among the documents of the workspace."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The agent's context was made anew without what was read before, or without some of it."""

    seq: int
    why: Lost


class Act(StrEnum):
    """What a piece of evidence proves."""

    READ = "read"
    EDIT = "edit"
    MENTION = "mention"
    NOTHING = "nothing"


def act(evidence: Evidence) -> Act:
    """What ``evidence`` proves to have happened."""
    if not evidence.ok:
        return Act.NOTHING
    if evidence.edited:
        return Act.EDIT
    if evidence.certainty in ("confirmed", "inferred"):
        return Act.READ
    return Act.MENTION if evidence.certainty == "mention" else Act.NOTHING


def document(path: str) -> str | None:
    """The relative path of a document that ``path`` is, or None when it is none of the workspace."""
    if len(path) > LONGEST or "\0" in path or _FOREIGN.match(path):
        return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/".join(parts) if parts and ".." not in parts else None


def place(epochs: Epochs, rel: str, seq: int) -> Place:
    """Where ``rel`` stood at ``seq`` in the pack in force; what was before is told of the packs kept."""
    at = next((i for i in range(len(epochs.kept) - 1, -1, -1) if epochs.kept[i].seq <= seq), None)
    if at is None:
        return Place()
    epoch = epochs.kept[at]
    held = [rel in earlier.places for earlier in epochs.kept[:at]]
    item = epoch.places.get(rel)
    if item is None:
        return Place(epoch.number, continued=any(held))
    reentry = True in held and False in held[held.index(True) :]
    return Place(epoch.number, item.tier, item.number, reentry=reentry)
