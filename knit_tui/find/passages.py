"""Passages: the line ranges of a document that hold what was asked for.

A text is cut where its structure says so (a heading, a definition with the comment and decorators right
above it), long pieces at blank lines or else where the indentation is least, and short neighbours are
joined, so that a passage is something a person can read. Passages never change the order of documents;
they tell where to look inside one. All of the text is looked at, and all work is linear in it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knit_tui.find.terms import document_terms, is_cjk, word_matches, words
from knit_tui.model import Passage, QueryTerm

MAX_LINES = 40
"""A longer piece of structure is cut."""
MIN_LINES = 6
"""A shorter piece joins its neighbour."""
MAX_CHARACTERS = 1_200
MAX_PASSAGES = 2
"""Passages shown of one document."""
LONGEST_LEAD = 30
"""Lines of comment, decorators or attributes that stay with the definition below them."""
_LINE_START = 200
"""Characters of a line that tell what kind of line it is."""
_LEADS = ("@", "#", "//", "/*", "*", "--", ";;", "<!--", "template")
_CLOSERS = (")", "]", "}", "</", "end")
SNIPPET = 200
_SNIPPET_LEAD = 40


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A query term at a character offset of the body, and the form in which it stands there."""

    offset: int
    term: str
    word: str


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

    def __init__(self, terms: Sequence[QueryTerm]) -> None:
        self._wanted = {form: term.term for term in reversed(terms) for form in term.forms}
        self._wanted |= {term.term: term.term for term in terms}
        self._inside: dict[str, tuple[tuple[int, str], ...]] = {}

    def find(self, body: str) -> list[Occurrence]:
        """Where the terms stand in ``body``, by offset; parts of an identifier at its start."""
        inside, wanted = self._inside, self._wanted
        distinct = set(words(body))
        for word in distinct - inside.keys():
            inside[word] = self._in_word(word)
        holding = [word for word in distinct if inside[word]]
        if not holding:
            return []
        if body.isascii():
            any_of = "|".join(sorted(holding, key=len, reverse=True))  # one word may begin with another
            matches = re.finditer(rf"(?<!\w)(?:{any_of})(?!\w)", body, re.ASCII)
        else:
            matches = (match for match in word_matches(body) if inside[match.group()])
        return [
            Occurrence(match.start() + offset, wanted[held], held)
            for match in matches
            for offset, held in inside[match.group()]
        ]

    def _in_word(self, word: str) -> tuple[tuple[int, str], ...]:
        if word.isascii() and word.isalpha() and word.islower():  # most words by far
            return ((0, word),) if word in self._wanted else ()
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
    counts: dict[int, dict[str, int]] = {}
    held_words: dict[int, set[str]] = {}
    for occurrence in found:
        place = max(0, bisect_right(starts, occurrence.offset) - 1)
        held = counts.setdefault(place, {})
        held[occurrence.term] = held.get(occurrence.term, 0) + 1
        held_words.setdefault(place, set()).add(occurrence.word)
    weights = _term_weights(terms, counts.values(), len(spans))
    scores = {
        place: sum(weights[term] * (2.2 * tf) / (tf + 1.2) for term, tf in held.items() if term in weights)
        for place, held in counts.items()
    }
    chosen = sorted((place for place, score in scores.items() if score > 0), key=lambda p: (-scores[p], p))
    by_weight = [word for term in terms for word in (term.term, *term.forms)]
    return tuple(
        Passage(
            spans[place].start,
            spans[place].end,
            tuple(word for word in by_weight if word in held_words[place]),
            _snippet(body, spans[place], found),
        )
        for place in sorted(chosen[:MAX_PASSAGES])
    )


def _term_weights(
    terms: Sequence[QueryTerm], counts: Iterable[Mapping[str, int]], total: int
) -> dict[str, float]:
    heaviest = max((term.weight for term in terms), default=1.0)
    spread = Counter(term for held in counts for term in held)
    weights = {}
    for term in terms:
        holding = spread[term.term]
        rarity = math.log1p((total - holding + 0.5) / (holding + 0.5))
        weights[term.term] = term.weight / heaviest * rarity
    return weights


def split(body: str, cuts: Sequence[int]) -> list[Span]:
    """Cut ``body`` into spans that cover all its lines, in order.

    Every span begins at line 1, at a line of ``cuts`` or what belongs to it above, or where a longer piece
    was cut. Slicing ``body`` by the offsets of a span gives its lines, the last line end included.
    """
    offsets = _line_offsets(body)
    lines = len(offsets) - 1
    starts = [line[:_LINE_START] for line in body.split("\n")]
    inside = sorted({line for line in cuts if 1 < line <= lines})
    begins = [1, *(_with_lead(starts, cut, above) for above, cut in pairwise([1, *inside]))]
    pieces: list[tuple[int, int]] = []
    for begin, following in zip(begins, [*begins[1:], lines + 1], strict=True):
        pieces += _bounded(starts, offsets, begin, following)
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


def _with_lead(starts: Sequence[str], cut: int, above: int) -> int:
    """The first line of the comment, decorators or overline right above line ``cut``, below ``above``."""
    line = cut
    while line - 1 > above and cut - line < LONGEST_LEAD:
        text = starts[line - 2].strip()
        rule = len(text) > 2 and not text[0].isalnum() and not text.strip(text[0])
        if not text.startswith(_LEADS) and not rule and not (text[:1] == "[" and text[-1] == "]"):
            break
        line -= 1
    return line


def _bounded(
    starts: Sequence[str], offsets: Sequence[int], begin: int, following: int
) -> list[tuple[int, int]]:
    """Lines [begin, following) in pieces of bounded size, cut at the last blank line that fits."""
    pieces: list[tuple[int, int]] = []
    start, blank = begin, 0
    for line in range(begin, following):
        while line > start and (
            line - start >= MAX_LINES or offsets[line] - offsets[start - 1] > MAX_CHARACTERS
        ):
            cut = blank + 1 if blank > start else _least_indented(starts, start, line)
            pieces.append((start, cut))
            start = cut
        if not starts[line - 1].strip():
            blank = line
    pieces.append((start, following))
    return pieces


def _least_indented(starts: Sequence[str], start: int, line: int) -> int:
    """The last line of least indentation in (start, line] that closes nothing; ``line`` if all close."""
    best, least = line, _LINE_START
    for place in range(line, min(start + MIN_LINES, line) - 1, -1):
        text = starts[place - 1].lstrip()
        indent = len(starts[place - 1]) - len(text)
        if indent < least and not text.startswith(_CLOSERS):
            best, least = place, indent
    return best


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
