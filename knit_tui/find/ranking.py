"""The order of documents for a query: a weighted sum of named signals.

    content = words · (1 + coverage) + definitions
    score   = content · path class · recency + subjects + votes    (history)
    live    = score / greatest score + use + mention               (beside a session)

Each signal is a function of its own, here, in ``bm25``, ``history`` and ``session``, with one constant
in ``Strengths``; what each of them is worth stands in ``eval/README.md``. Ties go to the newer document,
then to the smaller path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knit_tui.find.bm25 import Match, match
from knit_tui.find.history import Past
from knit_tui.find.index import Index
from knit_tui.find.segment import Mask
from knit_tui.find.session import Live
from knit_tui.find.signals import PathClass
from knit_tui.find.terms import definition_term
from knit_tui.model import Commit, Field, Hit, Lead, Query, QueryTerm, TermHit, Use

Reals = npt.NDArray[np.float64]
Times = npt.NDArray[np.int64]

RECENT_NS = 7 * 86_400 * 1_000_000_000
WEAK = 0.1
"""Beyond the first ``FIRST`` a document less strong than this, relative to the best one, is no hit: a common
word stands in most documents of a workspace, and the order of those that hold nothing else means nothing."""
FIRST = 50
MANY_DEFINITIONS = 20
"""A name that more files define tells them apart no more."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """What each signal counts; 0 switches it off."""

    form: float = 0.4
    """An occurrence of another form of a term, relative to one of the term."""
    coverage: float = 0.7
    """Holding all of the query, relative to the words' own score."""
    definition: float = 0.3
    """Defining a name of the query, relative to the best document."""
    recency: float = 0.1
    """Being as new as the newest document, relative to the document's own score."""
    subjects: float = 1.0
    """The subjects of its commits, relative to a hit in the body."""
    votes: float = 0.4
    """Most votes of similar commits, relative to the best document."""
    use: float = 0.5
    """Being what the agent used last, relative to the best document."""
    mention: float = 0.3
    """Being named in the conversation, relative to the best document."""


STRENGTHS = Strengths()
_NOTHING = np.zeros(1)


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """What there is to rank by beside the words; arrays go by position in the index.

    ``mtimes``: ns. ``classes``: ``PathClass``. ``factors``: by path class, see ``signals``.
    """

    mtimes: Times
    classes: npt.NDArray[np.uint8]
    factors: Reals
    past: Past | None = None
    commits: Sequence[Commit] = ()
    live: Live | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """The documents of a pool that something speaks for strongly enough, best first.

    ``strength``: weight relative to the best one. ``order``: their positions in the index.
    """

    rels: tuple[str, ...]
    strength: Reals
    order: npt.NDArray[np.int64]
    terms: tuple[QueryTerm, ...]
    matched: Match
    defines: dict[int, tuple[str, ...]]
    leads: npt.NDArray[np.uint8]
    """By position in the index: the place of the leading signal in ``Lead``."""
    evidence: Evidence

    def __len__(self) -> int:
        return len(self.rels)

    @property
    def found(self) -> tuple[str, ...]:
        """Query terms that any document of the pool holds, heaviest first."""
        return self.matched.found

    def hits(self) -> list[Hit]:
        """Every hit, best first."""
        fields = np.ascontiguousarray(self.matched.fields[:, self.order].T).tobytes()
        words = np.ascontiguousarray(self.matched.words[:, self.order].T).tobytes()
        width = len(self.terms)
        known: dict[tuple[bytes, bytes], tuple[TermHit, ...]] = {}  # most documents hit like another one
        made: dict[tuple[int, int, int], TermHit] = {}  # and what differs is made of the same few pieces
        found = []
        rows = zip(
            self.rels,
            self.strength.tolist(),
            self.order.tolist(),
            self.leads[self.order].tolist(),
            strict=True,
        )
        for rank, (rel, strength, place, lead) in enumerate(rows):
            key = fields[rank * width : (rank + 1) * width], words[rank * width : (rank + 1) * width]
            terms = known.get(key)
            if terms is None:
                terms = known[key] = self._term_hits(*key, made)
            use, named = self._live(place)
            defines = self.defines.get(place, ())
            found.append(Hit(rel, strength, terms, _LEADS[lead], defines, self._commit(place), use, named))
        return found

    def _term_hits(
        self, fields: bytes, words: bytes, made: dict[tuple[int, int, int], TermHit]
    ) -> tuple[TermHit, ...]:
        hits = []
        for number, (bits, word) in enumerate(zip(fields, words, strict=True)):
            if bits:
                piece = made.get((number, bits, word))
                if piece is None:
                    term = self.terms[number]
                    piece = TermHit(term.term, _FIELDS[bits], (term.term, *term.forms)[word])
                    made[number, bits, word] = piece
                hits.append(piece)
        return tuple(hits)

    def _commit(self, place: int) -> Commit | None:
        past = self.evidence.past
        number = int(past.commit[place]) if past is not None else -1
        return self.evidence.commits[number] if number >= 0 else None

    def _live(self, place: int) -> tuple[Use | None, bool]:
        live = self.evidence.live
        return (live.uses.get(place), bool(live.mention[place])) if live is not None else (None, False)


_LEADS = tuple(Lead)
_FIELDS = [tuple(field for field in Field if bits >> field & 1) for bits in range(1 << len(Field))]
"""By field bits."""


def rank(
    index: Index, query: Query, pool: Mask, evidence: Evidence, strengths: Strengths = STRENGTHS
) -> Ranking:
    """Rank the documents of ``pool``, a mask by position in ``index`` of living documents, for ``query``."""
    matched = match(index, query.terms, pool, strengths.form)
    words = matched.scores * (1 + strengths.coverage * matched.covered)
    best = words.max(initial=0.0) or 1.0
    defined, defines = definitions(index, query.names, pool, evidence.classes)
    content = words + strengths.definition * best * defined
    content *= evidence.factors[evidence.classes] * recency(pool, evidence.mtimes, strengths.recency)
    history = _history(evidence.past, strengths, content.max(initial=0.0) or 1.0)
    score = content + history
    use, mention = _session(evidence.live, strengths, score.max(initial=0.0) or 1.0)
    parts = [np.broadcast_to(part, (index.size,)) for part in (content, history, use, mention)]
    scores = np.where(pool, score + use + mention, 0.0)
    leads = np.argmax(np.stack(parts), axis=0).astype(np.uint8)
    order = _order(scores, evidence.mtimes, index.rels)
    strength = scores[order] / scores[order[0]] if len(order) else np.empty(0)
    rels = tuple(map(index.rels.__getitem__, order.tolist()))
    return Ranking(rels, strength, order, query.terms, matched, defines, leads, evidence)


def _history(past: Past | None, strengths: Strengths, best: float) -> Reals:
    if past is None:
        return _NOTHING
    return strengths.subjects * past.subjects + strengths.votes * best * past.votes


def _session(live: Live | None, strengths: Strengths, best: float) -> tuple[Reals, Reals]:
    if live is None:
        return _NOTHING, _NOTHING
    return strengths.use * best * live.use, strengths.mention * best * live.mention


def definitions(
    index: Index, names: Sequence[str], pool: Mask, classes: npt.NDArray[np.uint8]
) -> tuple[Reals, dict[int, tuple[str, ...]]]:
    """How far each document defines names of the query, spelled exactly so, and which.

    The files that define a name share it: each of n gets 1 / √n, source files alone where there are any.
    """
    shares = np.zeros(index.size)
    which: dict[int, tuple[str, ...]] = {}
    for name in names:
        places = index.lookup(definition_term(name)).documents
        places = places[pool[places]]
        source = places[classes[places] == PathClass.SOURCE]
        holders = source if len(source) else places
        if 0 < len(holders) <= MANY_DEFINITIONS:
            shares[holders] += 1 / np.sqrt(len(holders))
        for place in places.tolist():
            which[place] = (*which.get(place, ()), name)
    return np.minimum(shares, 1.5), which


def recency(pool: Mask, mtimes: Times, strength: float) -> Reals:
    """A factor from 1 to 1 + ``strength`` for documents of the last seven days before the newest one.

    Measured from the newest document instead of from the clock, it makes the order a function of the
    files alone.
    """
    newest = mtimes[pool].max(initial=0)
    age = np.clip((newest - mtimes) / RECENT_NS, 0.0, 1.0)
    return np.asarray(1 + strength * (1 - age), dtype=np.float64)


def _order(scores: Reals, mtimes: Times, rels: Sequence[str]) -> npt.NDArray[np.int64]:
    """Positions of hits, best first; equal ones the newer first, then by path."""
    hits = np.flatnonzero(scores > WEAK * scores.max(initial=0.0))
    if len(hits) < FIRST:
        hits = np.flatnonzero(scores > 0)
        if len(hits) > FIRST:
            hits = hits[scores[hits] >= np.partition(scores[hits], -FIRST)[-FIRST]]
    order = hits[np.lexsort((-mtimes[hits], -scores[hits]))]
    same = (np.diff(scores[order]) == 0) & (np.diff(mtimes[order]) == 0)
    for start, end in _runs(same):
        order[start:end] = sorted(order[start:end].tolist(), key=lambda place: rels[place])
    return order


def _runs(same: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Ranges [start, end) of neighbours that are the same; ``same[i]`` is of i and i + 1."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    return [(int(start), int(end) + 1) for start, end in edges.reshape(-1, 2)]
