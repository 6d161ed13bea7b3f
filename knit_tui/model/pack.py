"""The Context Pack and the other views: which documents are shown, where and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from knit_tui.model.documents import Access, Commit, Kind
from knit_tui.model.finding import Hit, Passage

RELATIONS_KEPT = 12
"""Relations of one document that a snapshot holds."""


class Role(StrEnum):
    IMPL = "impl"
    TEST = "test"
    CONFIG = "config"
    DESIGN = "design"
    DOC = "doc"


class Provenance(StrEnum):
    RETRIEVAL = "retrieval"
    RELATION = "relation"
    MANUAL = "manual"


class Tier(StrEnum):
    PINNED = "pinned"
    PRIMARY = "primary"
    SUPPORTING = "supporting"
    RELATED = "related"
    OTHER = "other"
    """Matches the query, stands in no tier of the pack."""


class RelationType(StrEnum):
    """How one document speaks of another, the most telling first."""

    REFERENCES = "references"
    """A document names another document."""
    IMPORTS = "imports"
    """Code takes another file in."""
    TESTS = "tests"
    """A test, by its name, of a subject."""
    DOCUMENTS = "documents"
    """A document names a file that is none."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A fact that links a document with ``other``, as seen from the document."""

    type: RelationType
    incoming: bool
    """``other`` is the one that mentions, imports or tests."""
    other: str
    line: int | None = None
    """Where, in the one that mentions, from 1; None when the names alone tell it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a document is shown: a code, and the words it rests on, heaviest first.

    Codes of matched words, the strongest field first: ``defines`` (names of the query that this code
    defines), ``title``, ``filename``, ``symbols`` (other names that code defines), ``headings``,
    ``summary``, ``path``, ``body``. Others: ``edited``, ``read`` (by the agent), ``named`` (in the
    conversation), ``commit`` (changed by one that is like the query), ``pinned``, ``related`` (to the primary
    document, and nothing else speaks for it).
    """

    code: str
    terms: tuple[str, ...] = ()
    """Words of the document that stand in that field, or the names."""
    also: tuple[str, ...] = ()
    """Further words that stand elsewhere in the document."""
    commit: Commit | None = None
    prompts_ago: int = 0
    """Of ``edited`` and ``read``."""
    relation: Relation | None = None
    """Of ``related``: how the document is related to the primary one."""


@dataclass(frozen=True, slots=True)
class Item:
    """One row of a view."""

    rel: str
    kind: Kind
    language: str | None
    access: Access
    title: str
    summary: str
    size: int
    mtime_ns: int
    tier: Tier = Tier.OTHER
    number: int | None = None
    """1, 2, 3 … through primary, supporting and related; None elsewhere."""
    reason: Reason | None = None
    role: Role = Role.DOC
    provenance: Provenance = Provenance.RETRIEVAL
    passages: tuple[Passage, ...] = ()
    pinned: bool = False
    missing: bool = False
    """Pinned, but no such file now."""
    hit: Hit | None = None
    """All that speaks for the document."""
    relations: tuple[Relation, ...] = ()
    """The most telling first, at most `RELATIONS_KEPT`."""
    related: int = 0
    """How many relations there are."""


class Mode(StrEnum):
    """What the order of a view means."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    """There is no usable query: newest first."""


class Tab(StrEnum):
    """A view of the workspace; ``context`` is the pack the agent gets (docs and code together)."""

    CONTEXT = "context"
    DOCS = "docs"
    CODE = "code"
    MEDIA = "media"


@dataclass(frozen=True, slots=True)
class View:
    """One tab: ``items`` in order of relevance by tier, ``newest`` the whole pool, newest first.

    With mode ``newest`` the two hold the same documents in the same order, pinned ones first in ``items``.
    """

    tab: Tab
    mode: Mode
    items: tuple[Item, ...] = ()
    newest: tuple[Item, ...] = ()
    matched: int = 0
    total: int = 0
    """Documents of this pool after exclusion."""
    excluded: int = 0


@dataclass(frozen=True, slots=True)
class Controls:
    """What the user pinned and excluded, oldest first."""

    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
