"""Passages: the line ranges of a document that hold what was asked for.

A text is cut where its structure says so (a heading, a definition), long pieces at blank lines, and
short neighbours are joined, so that a passage is something a person can read. Passages never change
the order of documents; they tell where to look inside one. All work is linear in the text.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knit_tui.find.terms import document_terms, is_cjk, word_matches
from knit_tui.model import Passage, QueryTerm

MAX_LINES = 40
"""A longer piece of structure is cut."""
MIN_LINES = 6
"""A shorter piece joins its neighbour."""
MAX_CHARACTERS = 1_200
MAX_PASSAGES = 2
"""Passages shown of one document."""
SNIPPET = 200
_SNIPPET_LEAD = 40
WINDOW = 1_200
"""Characters within which occurrences of a term count as standing together."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A query term at a character offset of the body."""

    offset: int
    term: str


@dataclass(frozen=True, slots=True)
class Span:
    """Lines ``start`` to ``end`` of a body, from 1, inclusive, and their character offsets, end exclusive."""

    start: int
    end: int
    first: int
    last: int


class TermFinder:
    """Finds the terms of one query in texts, exactly as the index finds them.

    It remembers what each word holds: the texts of a workspace share most of their words.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._wanted = frozenset(terms)
        self._inside: dict[str, tuple[tuple[int, str], ...]] = {}

    def find(self, body: str) -> list[Occurrence]:
        """Where the terms stand in ``body``, by offset; parts of an identifier at its start."""
        inside = self._inside
        found: list[Occurrence] = []
        for match in word_matches(body):
            word = match.group()
            hits = inside.get(word)
            if hits is None:
                hits = inside[word] = self._in_word(word)
            for offset, term in hits:
                found.append(Occurrence(match.start() + offset, term))
        return found

    def _in_word(self, word: str) -> tuple[tuple[int, str], ...]:
        if is_cjk(word):
            return tuple(self._in_run(word.casefold()))
        return tuple((0, term) for term in document_terms(word) if term in self._wanted)

    def _in_run(self, run: str) -> Iterable[tuple[int, str]]:
        if run in self._wanted and len(run) not in (2, 3):
            yield 0, run
        for start in range(len(run) - 1):
            for size in (2, 3):
                gram = run[start : start + size]
                if len(gram) == size and gram in self._wanted:
                    yield start, gram


def window_counts(found: Sequence[Occurrence]) -> dict[str, int]:
    """For each term, the most occurrences that start within ``WINDOW`` characters of each other.

    Unlike a count over the whole file this does not grow with the length of the file.
    """
    offsets: dict[str, list[int]] = {}
    for occurrence in found:
        offsets.setdefault(occurrence.term, []).append(occurrence.offset)
    return {term: _densest(places) for term, places in offsets.items()}


def _densest(places: Sequence[int]) -> int:
    most = first = 0
    for last, place in enumerate(places):
        while place - places[first] >= WINDOW:
            first += 1
        most = max(most, last - first + 1)
    return most


def best_passages(
    body: str, cuts: Sequence[int], found: Sequence[Occurrence], terms: Sequence[QueryTerm]
) -> tuple[Passage, ...]:
    """The passages of one document that answer best, at most ``MAX_PASSAGES``, in the order of the text.

    ``cuts`` are lines (from 1) at which something begins. Each passage counts, for every term it
    holds, its query weight, how rare the term is among the passages of this document, and a little
    for repetition; ties go to the earlier passage.
    """
    if not found:
        return ()
    spans = split(body, cuts)
    starts = [span.first for span in spans]
    counts: list[dict[str, int]] = [{} for _ in spans]
    for occurrence in found:
        held = counts[max(0, bisect_right(starts, occurrence.offset) - 1)]
        held[occurrence.term] = held.get(occurrence.term, 0) + 1
    weights = _term_weights(terms, counts)
    scores = [
        sum(weights[term] * (2.2 * tf) / (tf + 1.2) for term, tf in held.items() if term in weights)
        for held in counts
    ]
    chosen = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda p: (-scores[p], p))
    by_weight = [term.term for term in terms]
    return tuple(
        Passage(
            spans[place].start,
            spans[place].end,
            tuple(term for term in by_weight if term in counts[place]),
            _snippet(body, spans[place], found),
        )
        for place in sorted(chosen[:MAX_PASSAGES])
    )


def _term_weights(terms: Sequence[QueryTerm], counts: Sequence[Mapping[str, int]]) -> dict[str, float]:
    heaviest = max((term.weight for term in terms), default=1.0)
    total = len(counts)
    weights = {}
    for term in terms:
        holding = sum(term.term in held for held in counts)
        rarity = math.log1p((total - holding + 0.5) / (holding + 0.5))
        weights[term.term] = term.weight / heaviest * rarity
    return weights


def split(body: str, cuts: Sequence[int]) -> list[Span]:
    """Cut ``body`` into spans that cover all its lines, in order.

    Every span begins at line 1, at a line of ``cuts``, or where a longer piece was cut. Slicing
    ``body`` by the offsets of a span gives its lines, the last line end included.
    """
    offsets = _line_offsets(body)
    lines = len(offsets) - 1
    begins = sorted({1, *(line for line in cuts if 1 <= line <= lines)})
    pieces: list[tuple[int, int]] = []
    for begin, following in zip(begins, [*begins[1:], lines + 1], strict=True):
        pieces += _bounded(body, offsets, begin, following)
    return [
        Span(start, end - 1, offsets[start - 1], offsets[end - 1]) for start, end in _joined(offsets, pieces)
    ]


def _line_offsets(body: str) -> list[int]:
    """The offset of each line and, last, of the end of the body."""
    offsets = [0]
    place = body.find("\n")
    while place != -1 and place + 1 < len(body):
        offsets.append(place + 1)
        place = body.find("\n", place + 1)
    offsets.append(len(body))
    return offsets


def _bounded(body: str, offsets: Sequence[int], begin: int, following: int) -> list[tuple[int, int]]:
    """Lines [begin, following) in pieces of bounded size, cut at the last blank line that fits."""
    pieces: list[tuple[int, int]] = []
    start, blank = begin, 0
    for line in range(begin, following):
        too_long = line - start >= MAX_LINES or offsets[line] - offsets[start - 1] > MAX_CHARACTERS
        if too_long and line > start:
            cut = blank + 1 if blank > start else line
            pieces.append((start, cut))
            start = cut
        if body[offsets[line - 1] : offsets[line - 1] + 200].strip() == "":
            blank = line
    pieces.append((start, following))
    return pieces


def _joined(offsets: Sequence[int], pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in pieces:
        if joined:
            first, last = joined[-1]
            short = last - first < MIN_LINES
            fits = end - first <= MAX_LINES and offsets[end - 1] - offsets[first - 1] <= MAX_CHARACTERS
            if short and fits:
                joined[-1] = (first, end)
                continue
        joined.append((start, end))
    return joined


def _snippet(body: str, span: Span, found: Sequence[Occurrence]) -> str:
    """One line of at most ``SNIPPET`` characters around the first term of the span."""
    place = bisect_right(found, span.first - 1, key=lambda occurrence: occurrence.offset)
    offset = found[place].offset
    line_start = body.rfind("\n", span.first, offset) + 1
    begin = max(span.first, line_start, offset - _SNIPPET_LEAD)
    text = " ".join(body[begin : min(span.last, begin + 2 * SNIPPET)].split())
    lead = "…" if begin > max(span.first, line_start) else ""
    return lead + (text if len(text) <= SNIPPET else text[:SNIPPET] + "…")
