"""What the agent did with documents, and how the Context Pack changed meanwhile: codes and numbers.

``seq`` orders reads, edits and packs as they came. ``at`` is when that was, in nanoseconds since the
epoch; None when it was before knit looked. What says "then" was settled at that moment and stays;
what says "now" is told of the newest pack and the files as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knit_tui.model.pack import Tier


class Status(StrEnum):
    """How what the agent knows of a document stands to the document now."""

    UNREAD = "unread"
    READ = "read"
    UPDATED = "updated"
    """Changed after the agent's newest read."""
    REREAD = "reread"
    """It had changed before the newest read and after the one before."""
    GONE = "gone"
    """Read or edited, and no longer there."""


class Change(StrEnum):
    """Who made the newest change after the agent's newest read, as far as evidence tells."""

    AGENT = "agent"
    """The log tells of an edit after that read, and nothing of a later change."""
    OTHER = "other"
    """No edit in the log explains it: a person, another program, or a command that the agent ran."""


class Lost(StrEnum):
    """Why what the agent read may be in its context no longer."""

    COMPACTED = "compacted"
    """It replaced its context by a summary after the newest read."""
    REWOUND = "rewound"
    """The person went back after the newest read, perhaps to before it."""


@dataclass(frozen=True, slots=True)
class PackItem:
    """A document of a pack. ``number`` counts from 1 within its tier."""

    rel: str
    tier: Tier
    number: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stood, when it was read, in the pack that was in force then."""

    epoch: int = 0
    """0 when there was no pack yet."""
    tier: Tier | None = None
    """None outside the pack."""
    number: int = 0
    continued: bool = False
    """Not in that pack, but in one before it."""
    reentry: bool = False
    """In that pack and in one before it, but not in all between."""


@dataclass(frozen=True, slots=True)
class Read:
    """The agent got what the document holds. ``place`` was settled then."""

    rel: str
    seq: int
    at: int | None
    place: Place
    inferred: bool = False
    """A command that reads it ran, and the log does not tell that very outcome."""
    by: str = "main"
    """``main`` or ``subagent``."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The agent changed, created, moved or deleted the document."""

    rel: str
    seq: int
    at: int | None
    by: str = "main"


@dataclass(frozen=True, slots=True)
class Counts:
    """Sums over reads and edits; each part but ``mentions`` and ``edits`` is a part of ``reads``."""

    reads: int = 0
    inferred: int = 0
    by_subagents: int = 0
    rereads: int = 0
    """Reads of a document that had changed since the read before."""
    continued: int = 0
    reentries: int = 0
    tiers: Mapping[Tier, int] = field(default_factory=dict)
    """Reads inside the pack in force then, by tier; those that are none are left out."""
    mentions: int = 0
    """Times that the person put it into the conversation: no reads by the agent."""
    edits: int = 0

    @property
    def inside(self) -> int:
        """Reads inside the pack in force then."""
        return sum(self.tiers.values())

    @property
    def outside(self) -> int:
        """Reads outside the pack in force then, or before there was any."""
        return self.reads - self.inside

    def __add__(self, other: Counts) -> Counts:
        tiers = self.tiers
        if other.tiers:
            sums = {tier: self.tiers.get(tier, 0) + other.tiers.get(tier, 0) for tier in Tier}
            tiers = {tier: count for tier, count in sums.items() if count}
        return Counts(
            self.reads + other.reads,
            self.inferred + other.inferred,
            self.by_subagents + other.by_subagents,
            self.rereads + other.rereads,
            self.continued + other.continued,
            self.reentries + other.reentries,
            tiers,
            self.mentions + other.mentions,
            self.edits + other.edits,
        )


@dataclass(frozen=True, slots=True)
class DocumentUsage:
    """All that is known of the agent and one document."""

    rel: str
    status: Status
    changed: Change | None
    """With ``updated`` and ``gone``; also of a document that the agent edited and never read, when
    something else changed it after the newest edit."""
    counts: Counts
    first_read: Read | None = None
    last_read: Read | None = None
    last_edit: Edit | None = None
    tier: Tier | None = None
    """In the pack now; None outside."""
    number: int = 0
    lost: Lost | None = None
    """Since the newest read; None as well when there is none."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The documents of one tier now, in their order: those read at any time, and the others."""

    tier: Tier
    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return len(self.read) + len(self.unread)


@dataclass(frozen=True, slots=True)
class Delta:
    """What the newest pack changed: ``left`` + ``moved`` + ``stayed`` are all documents of the pack
    before, ``entered`` + ``moved`` + ``stayed`` all of the newest."""

    from_epoch: int
    to_epoch: int
    seq: int
    at: int | None
    entered: tuple[PackItem, ...] = ()
    left: tuple[PackItem, ...] = ()
    moved: tuple[tuple[PackItem, PackItem], ...] = ()
    """(before, after), in the order of the newest pack; another number in the same tier is a move."""
    stayed: int = 0
    task_changed: bool = False


@dataclass(frozen=True, slots=True)
class Churn:
    """Sums over every change of the pack in this session."""

    entered: int = 0
    left: int = 0
    moved: int = 0
    tasks: int = 0
    """Changes that came with another task."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What limits have taken away; all 0 when none bites."""

    documents: int = 0
    """Documents that are no longer told of, those used longest ago; the sums still hold them."""
    reads: int = 0
    """Their reads."""
    packs: int = 0
    """Oldest packs that ``continued`` and ``reentry`` no longer look at."""
    places: int = 0
    """Reads and edits that would be placed anew if the log were told again from its start."""
    sessions: int = 0
    """Sessions that would begin anew if they were followed again."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the agent did in the followed session; lists are whole, their order is that of a face."""

    session: str = ""
    epoch: int = 0
    """Number of the newest pack, from 1; 0 when there is none yet."""
    task: str = ""
    topic: tuple[str, ...] = ()
    counts: Counts = field(default_factory=Counts)
    """Over all documents of the workspace, those of ``cut`` too."""
    elsewhere: int = 0
    """Reads and edits of what is no document of the workspace; in no other sum."""
    documents: Mapping[str, DocumentUsage] = field(default_factory=dict)
    """By path, the newest use first; absent is unread."""
    read: tuple[str, ...] = ()
    """Newest read first."""
    edited: tuple[str, ...] = ()
    """Newest edit first."""
    outside: tuple[str, ...] = ()
    """With reads outside the pack in force then, the most such reads first, then the newest."""
    not_shown: tuple[str, ...] = ()
    """Read, and not in the pack now; the most reads first, then the newest."""
    continued: tuple[str, ...] = ()
    """With reads after they had left the pack, newest first."""
    reentries: tuple[str, ...] = ()
    """With reads after they had left the pack and come back, newest first."""
    coverage: tuple[Coverage, ...] = ()
    """Pinned, primary, supporting, related; empty tiers too, as soon as there is a pack."""
    first: Read | None = None
    """The first read that is still told of."""
    recent: Read | None = None
    """The newest read; whether the agent reads it still is unknown."""
    delta: Delta | None = None
    """What the newest pack changed; None for the first."""
    churn: Churn = field(default_factory=Churn)
    cut: Cut = field(default_factory=Cut)

    @property
    def changes(self) -> int:
        """How often the pack changed."""
        return max(self.epoch - 1, 0)
