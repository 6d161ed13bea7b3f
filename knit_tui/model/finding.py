"""What is looked for, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from knit_tui.model.documents import Commit, Field


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
    typed: str = ""
    """The text of a typed query, verbatim."""


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
