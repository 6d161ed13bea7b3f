"""Passages of the ranking ``classic``: cut at headings or definitions, then by size.

Passages never change the order of documents. Offsets count code points of the text as it is; slicing
it by them gives exactly the passage, without its last line end. Lines end with ``\\n``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knit_tui.find.classic import ClassicDocument, rank
from knit_tui.find.classic_keywords import Keyword
from knit_tui.model import Kind, Passage

MAX_CHARACTERS = 1_200
MIN_CHARACTERS = 300
"""A shorter piece joins the next one."""
OVERLAP = 64
"""Characters that neighbouring pieces of one long line share."""
CODE_LINES = 40
"""Code without definitions is cut each so many lines."""
MAX_PASSAGES = 200
"""Passages of one document that are looked at."""
SHOWN = 2
SNIPPET = 200
_SNIPPET_LEAD = 40

_HEADING = re.compile(r"#{1,6}\s")
_DEFINITION = re.compile(
    r"(?:export\s+)?(?:default\s+)?(?:async\s+)?"
    r"(?:function|class|const|let|var|interface|type|enum|import|export|def|from)\b",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines ``start`` to ``end`` (from 1, inclusive) and characters ``first`` to ``last`` (exclusive)."""

    start: int
    end: int
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first


def split(body: str, kind: Kind) -> list[Piece]:
    """All pieces of ``body`` in order; none when it is blank."""
    if not body.strip():
        return []
    text = _Lines(body)
    begins = [0, *_cuts(text.lines, kind), len(text.lines)]
    pieces: list[Piece] = []
    for begin, end in pairwise(begins):
        for piece in _bounded(text, begin, end):
            joins = pieces and pieces[-1].length < MIN_CHARACTERS
            if joins and pieces[-1].length + piece.length + 1 <= MAX_CHARACTERS:
                pieces[-1] = Piece(pieces[-1].start, piece.end, pieces[-1].first, piece.last)
            else:
                pieces.append(piece)
    return pieces


def passages(body: str, kind: Kind, keywords: Sequence[Keyword]) -> tuple[Passage, ...]:
    """The ``SHOWN`` best of the first ``MAX_PASSAGES`` pieces of ``body``, in the order of the text.

    The pieces are ranked as documents without title or summary, among themselves.
    """
    pieces = split(body, kind)[:MAX_PASSAGES]
    # Equals go to the earlier piece: the ranker's last key is the path, here the number of the piece.
    texts = [body[piece.first : piece.last] for piece in pieces]
    minis = [
        ClassicDocument(f"{number:03}", kind, 0, "", "", text.lower()) for number, text in enumerate(texts)
    ]
    best = sorted(rank(keywords, minis).hits()[:SHOWN], key=lambda hit: hit.rel)
    shown = []
    for hit in best:
        piece, text = pieces[int(hit.rel)], texts[int(hit.rel)]
        terms = tuple(term.term for term in hit.terms)
        shown.append(Passage(piece.start, piece.end, terms, snippet(text, terms)))
    return tuple(shown)


def snippet(text: str, terms: Iterable[str]) -> str:
    """One line of at most ``SNIPPET`` characters from a little before the first of ``terms``."""
    line = " ".join(text.split())
    lowered = line.lower()
    first = min((place for term in terms if (place := lowered.find(term)) >= 0), default=0)
    start = max(0, first - _SNIPPET_LEAD)
    rest = "…" if start + SNIPPET < len(line) else ""
    return ("…" if start else "") + line[start : start + SNIPPET] + rest


class _Lines:
    """The lines of a body and the offset of each."""

    def __init__(self, body: str) -> None:
        self.lines = body.split("\n")
        self.offsets: list[int] = []
        offset = 0
        for line in self.lines:
            self.offsets.append(offset)
            offset += len(line) + 1

    def trimmed(self, begin: int, end: int) -> Iterator[Piece]:
        """Lines [begin, end) without the empty ones at both ends; nothing when all are empty."""
        while begin < end and not self.lines[begin]:
            begin += 1
        while begin < end and not self.lines[end - 1]:
            end -= 1
        if begin < end:
            last = self.offsets[end - 1] + len(self.lines[end - 1])
            yield Piece(begin + 1, end, self.offsets[begin], last)


def _cuts(lines: Sequence[str], kind: Kind) -> list[int]:
    """Numbers of the lines, from 1 on, before which the body is cut."""
    begins = _DEFINITION if kind is Kind.CODE else _HEADING
    cuts = [number for number, line in enumerate(lines) if number and begins.match(line)]
    if kind is Kind.CODE and len(cuts) < 2 and len(lines) > CODE_LINES:
        return list(range(CODE_LINES, len(lines), CODE_LINES))
    return cuts


def _bounded(text: _Lines, begin: int, end: int) -> Iterator[Piece]:
    """Lines [begin, end) in pieces of at most ``MAX_CHARACTERS``, cut at a blank line where one fits."""
    start, blank = begin, -1
    for number in range(begin, end):
        length = len(text.lines[number])
        if length > MAX_CHARACTERS:
            yield from text.trimmed(start, number)
            yield from _sliced(number, text.offsets[number], length)
            start = number + 1
            continue
        while text.offsets[number] + length + 1 - text.offsets[start] > MAX_CHARACTERS and number > start:
            far_enough = text.offsets[blank] - 1 - text.offsets[start] >= MIN_CHARACTERS
            at_blank = blank > start and far_enough
            cut = blank if at_blank else number
            yield from text.trimmed(start, cut)
            start = cut + 1 if at_blank else cut
        if not length:
            blank = number
    yield from text.trimmed(start, end)


def _sliced(number: int, offset: int, length: int) -> Iterator[Piece]:
    step = MAX_CHARACTERS - OVERLAP
    for place in range(0, max(1, length - OVERLAP), step):
        yield Piece(number + 1, number + 1, offset + place, offset + min(place + MAX_CHARACTERS, length))
