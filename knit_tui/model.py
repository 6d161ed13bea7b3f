"""The vocabulary of knit as immutable values; every package speaks in these.

Paths are workspace-relative, with ``/`` separators, decoded by ``os.fsdecode``: a name that is not
UTF-8 carries lone surrogates and ``os.fsencode`` gives its exact bytes back. Times are nanoseconds
since the epoch. Text in these values is as the file or the log has it, and hostile: a face passes
it through ``safe_text`` before it shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Kind(StrEnum):
    """What a document is to its reader."""

    DOCS = "docs"
    CODE = "code"
    IMAGE = "image"
    VIDEO = "video"


class Field(IntEnum):
    """The parts of a document that a term can stand in."""

    NAME = 0
    DIRECTORY = 1
    TITLE = 2
    SUMMARY = 3
    HEADINGS = 4
    """Headings of a document, names that code defines."""
    BODY = 5


class Access(StrEnum):
    """How much of a file knit looks at."""

    TEXT = "text"
    """Searched, previewed, may enter a pack."""
    NAME = "name"
    """Media: only its name is searched."""
    GENERATED = "generated"
    """Generated, minified or lock file: previewed, never searched or packed."""
    WITHHELD = "withheld"
    """Looks like a secret: listed by name, content never read into anything."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one content of a file from another without reading it."""

    mtime_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as the scan saw it."""

    rel: str
    kind: Kind
    language: str | None
    """Pygments alias, or None for media and unknown text."""
    access: Access
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Skip:
    """A file or folder that is not in the workspace as knit sees it, and why."""

    rel: str
    reason: str
    """``binary``, ``special``, ``symlink``, ``unreadable``, ``ignore-file``, ``folder`` …"""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A limit, fallback or fault that bites now, as a code and its facts; faces word it."""

    code: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """The workspace folder at one moment. ``entries`` are ordered by ``rel``."""

    root: str
    present: bool
    """False when the root is gone or no folder."""
    entries: tuple[Entry, ...] = ()
    skips: tuple[Skip, ...] = ()
    folders: tuple[str, ...] = ()
    """Every folder that was looked into, relative, ``""`` for the root: what a watcher must watch."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """The decoded content of one file, secrets masked, line ends as ``\\n``."""

    body: str
    encoding: str
    total_bytes: int
    read_bytes: int
    """Less than ``total_bytes`` when the file is longer than the limit it was read with."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a text says of itself: the fields that weigh more than its body."""

    title: str
    summary: str
    headings: tuple[tuple[int, str], ...]
    """(line, text): Markdown headings, or names that code defines. Lines count from 1."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the project's own history."""

    id: str
    """Full, hexadecimal."""
    time: int
    """When it was committed, in seconds since the epoch."""
    subject: str
    """The first line of its message, or the beginning of it."""
    paths: tuple[str, ...]
    """The paths it changed, sorted; also of files that exist no more."""


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One real prompt of the person or one text of the agent."""

    speaker: Speaker
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """Which session is followed and how it was found, or why none is."""

    state: str
    """``following``, ``none`` (nothing found), ``off``, ``missing``, ``unreadable``, ``not-a-log``."""
    agent: str = ""
    session_id: str = ""
    path: str = ""
    how: str = ""
    """``option``, ``directory`` …"""
    unknown: int = 0
    damaged: int = 0
    others: int = 0
    """Further sessions of this workspace that are live too."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term to look for. ``weight`` > 0 is relative to the other terms of the query."""

    term: str
    weight: float
    forms: tuple[str, ...] = ()
    """Other forms of the word; a document that holds one of them holds the term, less strongly."""


class Wish(StrEnum):
    """What kind of document a request asks for."""

    CHANGE = "change"
    """Something is to be done, or nothing tells what is asked for."""
    TESTS = "tests"
    DOCUMENTS = "documents"
    UNDERSTANDING = "understanding"
    """How or where something is done."""
    CHANGELOG = "changelog"


class Mode(StrEnum):
    """What the order of a view means."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    """There is no usable query: newest first."""


@dataclass(frozen=True, slots=True)
class Query:
    """Weighted terms, heaviest first, and where they come from.

    Terms that no document holds are left out, unless no term is held by any.
    """

    terms: tuple[QueryTerm, ...] = ()
    source: str = "conversation"
    """``conversation`` or ``typed``."""
    task: str = ""
    """The newest substantive user message, verbatim, at most 80 characters; empty for a typed query."""
    wish: Wish = Wish.CHANGE
    names: tuple[str, ...] = ()
    """Words of the newest text that are spelled as names in code are."""
    topic: tuple[str, ...] = ()
    """What the terms are called in the texts they come from, heaviest first: words to show, not to match."""


@dataclass(frozen=True, slots=True)
class TermHit:
    """One query term in one document: the fields it stands in, in the order of ``Field``.

    ``word`` is the form that the document holds in the strongest of these fields.
    """

    term: str
    fields: tuple[Field, ...]
    word: str


class Lead(StrEnum):
    """What counts most for a document in an order."""

    TERMS = "terms"
    HISTORY = "history"
    """Commits about the same thing changed it."""
    USE = "use"
    """The agent read or edited it."""
    MENTION = "mention"
    """It is named in the conversation."""


@dataclass(frozen=True, slots=True)
class Use:
    """The newest use that the agent made of a document in this session."""

    edited: bool
    prompts_ago: int
    """Prompts since then; 0 when it came after the newest one."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that something speaks for. Hits come ordered, best first.

    ``strength`` is the document's weight relative to the best one, 0 < strength <= 1; it decides
    tiers and is never shown. ``terms`` are ordered by query weight, heaviest first; empty when only the
    history, the agent's use or the conversation point to the document.
    """

    rel: str
    strength: float
    terms: tuple[TermHit, ...]
    lead: Lead = Lead.TERMS
    defines: tuple[str, ...] = ()
    """Names of the query that this document defines."""
    commit: Commit | None = None
    """The commit most like the query of those that changed it."""
    use: Use | None = None
    named: bool = False
    """Its path or name stands in the conversation."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines ``start`` to ``end`` of a document (from 1, inclusive).

    ``terms``: the query terms they hold, in the forms they hold them.
    """

    start: int
    end: int
    terms: tuple[str, ...]
    snippet: str


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


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a document is shown: a code, and the words it rests on, heaviest first.

    Codes of matched words, the strongest field first: ``defines`` (names of the query that this code
    defines), ``title``, ``filename``, ``symbols`` (other names that code defines), ``headings``,
    ``summary``, ``path``, ``body``. Others: ``edited``, ``read`` (by the agent), ``named`` (in the
    conversation), ``commit`` (changed by one that is like the query), ``pinned``.
    """

    code: str
    terms: tuple[str, ...] = ()
    """Words of the document that stand in that field, or the names."""
    also: tuple[str, ...] = ()
    """Further words that stand elsewhere in the document."""
    commit: Commit | None = None
    prompts_ago: int = 0
    """Of ``edited`` and ``read``."""


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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a face needs to draw, numbered by ``generation``."""

    generation: int
    root: str
    present: bool
    query: Query
    views: Mapping[Tab, View]
    session: SessionStatus
    controls: Controls = Controls()
    undoable: str = ""
    """What ``undo`` would take back, as ``pin PATH`` or ``exclude PATH``; empty when nothing."""
    skipped: int = 0
    notices: tuple[Notice, ...] = ()
    complete: bool = True
    """False while documents are still being indexed: the order is partial and a face says so."""
    indexed: int = 0
    documents: int = 0
