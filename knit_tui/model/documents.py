"""Documents: the files of a workspace as a scan sees them, and what their texts say."""

from __future__ import annotations

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
