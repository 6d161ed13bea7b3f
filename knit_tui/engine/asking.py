"""From a conversation or a typed text to all there is to rank by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knit_tui.find.history import CommitIndex, Located, locate
from knit_tui.find.index import Index
from knit_tui.find.keywords import choose, keywords
from knit_tui.find.names import names
from knit_tui.find.session import Names
from knit_tui.find.topic import prompt, task, texts
from knit_tui.find.wish import wish
from knit_tui.model import Message, Query, QueryTerm, Use


@dataclass(frozen=True, slots=True)
class Asked:
    """All there is to rank by. ``uses`` (newest first) and ``mentions``, by path: None for a typed query."""

    query: Query
    history: Located
    uses: Mapping[str, Use] | None = None
    mentions: Mapping[str, float] | None = None


def wanted_terms(messages: tuple[Message, ...], typed: str | None) -> tuple[QueryTerm, ...]:
    """Every term of the conversation, or of the text that was typed instead."""
    return keywords(texts(messages) if typed is None else (typed,))


def query_of(
    wanted: tuple[QueryTerm, ...],
    messages: tuple[Message, ...],
    typed: str | None,
    index: Index,
    commits: CommitIndex,
) -> Query:
    """Those of the ``wanted`` terms that the documents or the history hold, and what else the text says."""

    def known(words: Sequence[str]) -> list[bool]:
        return [held or commits.holds(word) for word, held in zip(words, index.known(words), strict=True)]

    terms = choose(wanted, known)
    if typed is not None:
        return Query(terms, "typed", wish=wish(typed), names=names(typed), typed=typed)
    said = prompt(messages)
    return Query(terms, "conversation", task(messages), wish(said, live=True), names(said))


def located(commits: CommitIndex, index: Index) -> Located:
    """The history over the documents of ``index``."""
    return locate(commits, index.positions)


def mentions_of(messages: tuple[Message, ...], documents: Names) -> Mapping[str, float]:
    """Which documents the conversation names."""
    return documents.mentioned(prompt(messages), texts(messages))
