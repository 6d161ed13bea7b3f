"""The ranking ``classic`` over the documents of a library, in place of the default one.

It has no index: the text of every document is kept in memory while it is in use.
"""

from __future__ import annotations

import time

from knit_tui.engine.library import Library
from knit_tui.engine.pools import Pool
from knit_tui.find import classic
from knit_tui.find.classic import ClassicDocument, ClassicRanking
from knit_tui.find.classic_keywords import Keyword, keywords
from knit_tui.find.topic import task
from knit_tui.model import Access, Item, Message, Query, QueryTerm, Stamp

_TEXTS = 6
_LONGEST_TEXT = 2_000
_ALL_TEXTS = 6_000
"""Characters of all texts: none is added once this is reached."""


def classic_query(messages: tuple[Message, ...], typed: str | None) -> tuple[Query, tuple[Keyword, ...]]:
    """The keywords of the conversation, or of the text that was typed instead."""
    found = keywords(_texts(messages) if typed is None else (typed,))
    terms = tuple(QueryTerm(keyword.term, float(keyword.weight)) for keyword in found)
    if typed is not None:
        return Query(terms, "typed", typed=typed), found
    return Query(terms, "conversation", task(messages)), found


class ClassicOrder:
    """Ranks the pools of one library as ``classic`` does."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._documents: dict[str, tuple[Stamp, ClassicDocument]] = {}

    def ranked(self, pool: Pool, found: tuple[Keyword, ...]) -> ClassicRanking:
        """The documents of ``pool`` in order. How new a document is, is measured from now."""
        documents = [
            self._document(item) for item in pool.rows.values() if item.access is not Access.WITHHELD
        ]
        return classic.rank(found, documents, time.time_ns())

    def _document(self, item: Item) -> ClassicDocument:
        entry = self._library.entries[item.rel]
        known = self._documents.get(item.rel)
        if known is not None and known[0] == entry.stamp:
            return known[1]
        text = self._library.body(item.rel)
        body, title, summary = (text[0], text[1].title, text[1].summary) if text else ("", "", "")
        document = classic.document(item.rel, item.kind, item.mtime_ns, body, title, summary)
        self._documents[item.rel] = entry.stamp, document
        return document


def _texts(messages: tuple[Message, ...]) -> tuple[str, ...]:
    """The last messages, newest first."""
    chosen: list[str] = []
    for message in reversed(messages):
        text = message.text.strip()[:_LONGEST_TEXT]
        if text:
            chosen.append(text)
        if len(chosen) == _TEXTS or sum(map(len, chosen)) >= _ALL_TEXTS:
            break
    return tuple(chosen)
