"""What the agent did with one document over time, and how that stands to the document now.

A change between two moments is claimed from an edit that the log has between them, or from two known times
of the file that differ, in whichever direction. What is unknown claims nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from knit_tui.model import Change, Counts, Edit, Lost, Read, Status


@dataclass(frozen=True, slots=True)
class Life:
    """One document, as far as evidence has come."""

    counts: Counts = field(default_factory=Counts)
    first_read: Read | None = None
    last_read: Read | None = None
    last_edit: Edit | None = None
    edits_since: int = 0
    """Edits after the newest read; all, when there is none."""
    reread: bool = False
    """The newest read came after a change that came after the read before."""
    touched_ns: int | None = None
    """Time of the file at the newest read or edit; None when unknown."""
    listed: bool = False
    """It was seen among the documents of the workspace."""
    lost: Lost | None = None
    """Why the newest read may be out of the agent's context."""

    @property
    def touched(self) -> int:
        """``seq`` of the newest read or edit; -1 when there is none."""
        read, edit = self.last_read, self.last_edit
        return max(read.seq if read else -1, edit.seq if edit else -1)


def was_read(life: Life, read: Read, mtime_ns: int | None) -> tuple[Life, Counts]:
    """``life`` after ``read``, and what it adds to the sums."""
    reread = life.last_read is not None and (life.edits_since > 0 or _differ(life.touched_ns, mtime_ns))
    place = read.place
    more = Counts(
        reads=1,
        inferred=int(read.inferred),
        by_subagents=int(read.by == "subagent"),
        rereads=int(reread),
        continued=int(place.continued),
        reentries=int(place.reentry),
        tiers={place.tier: 1} if place.tier is not None else {},
    )
    after = replace(
        life,
        counts=life.counts + more,
        first_read=life.first_read or read,
        last_read=read,
        edits_since=0,
        reread=reread,
        touched_ns=mtime_ns,
        lost=None,
    )
    return after, more


def was_edited(life: Life, edit: Edit, mtime_ns: int | None) -> tuple[Life, Counts]:
    """``life`` after ``edit``, and what it adds to the sums."""
    more = Counts(edits=1)
    counts = life.counts + more
    after = replace(
        life, counts=counts, last_edit=edit, edits_since=life.edits_since + 1, touched_ns=mtime_ns
    )
    return after, more


def was_mentioned(life: Life) -> tuple[Life, Counts]:
    """``life`` after the person put the document into the conversation, and what that adds to the sums."""
    more = Counts(mentions=1)
    return replace(life, counts=life.counts + more), more


def was_lost(life: Life, why: Lost) -> Life:
    """``life`` after the agent's context lost what was read; a summary that stands for it stays one."""
    if life.last_read is None or life.lost in (why, Lost.COMPACTED):
        return life
    return replace(life, lost=why)


def standing(life: Life, mtime_ns: int | None, present: bool, newer: bool) -> tuple[Status, Change | None]:
    """How ``life`` stands to a document with that time now, and who changed it last.

    ``newer``: the time and the presence are of after the newest read and edit. A document that was never
    listed is not told to be gone.
    """
    touched = life.last_read is not None or life.last_edit is not None
    differs = newer and _differ(life.touched_ns, mtime_ns)
    if touched and life.listed and newer and not present:
        # A file that was there after the edit went later.
        by_edit = life.edits_since > 0 and life.touched_ns is None
        return Status.GONE, Change.AGENT if by_edit else Change.OTHER
    if life.last_read is None:
        return Status.UNREAD, Change.OTHER if differs else None
    if differs:
        return Status.UPDATED, Change.OTHER
    if life.edits_since:
        return Status.UPDATED, Change.AGENT
    return (Status.REREAD if life.reread else Status.READ), None


def _differ(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and before != after
