"""Field-weighted BM25 over an Index: the order of documents for a query.

    score(d) = Σ_t qw(t) · idf(t) · Σ_f w_f · tf·(k1 + 1) / (tf + k1·(1 - b_f + b_f·len_f / avg_f))
    idf(t)   = ln(1 + (N - df + 0.5) / (df + 0.5))
    qw(t)    = weight / greatest weight

N, df and avg are counted over the pool that is ranked, after exclusions. Robertson and Zaragoza,
"The Probabilistic Relevance Framework: BM25 and Beyond" (2009), give the formula; the idf with 1
added inside the logarithm is Lucene's, so that no term ever counts against a document.

The sum is multiplied by the factor of the document's path class (``signals``). A document of the last
seven days before the newest one of its pool gets up to a tenth more: a nudge among equals. Measured
from the newest document instead of from the clock, it makes the order a function of the files alone.
Ties go to the newer document, then to the smaller path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from knit_tui.find.index import Index, Mask
from knit_tui.model import Field, Hit, Query, TermHit

K1 = 1.2
WEIGHTS = {
    Field.NAME: 3.0,
    Field.DIRECTORY: 1.0,
    Field.TITLE: 3.0,
    Field.SUMMARY: 2.0,
    Field.HEADINGS: 3.0,
    Field.BODY: 1.0,
}
"""What a hit in each field counts."""
B = {
    Field.NAME: 0.3,
    Field.DIRECTORY: 0.5,
    Field.TITLE: 0.3,
    Field.SUMMARY: 0.5,
    Field.HEADINGS: 0.5,
    Field.BODY: 0.4,
}
"""How far the length of each field discounts its hits: 0 not at all, 1 in proportion."""
RECENT_NS = 7 * 86_400 * 1_000_000_000
RECENCY = 0.1

Times = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranking:
    """The documents of a pool that hold a query term, best first.

    ``strength``: weight relative to the best one. ``fields``: (terms, hits), bit ``1 << Field`` set
    where the term stands in that field.
    """

    rels: tuple[str, ...]
    terms: tuple[str, ...]
    strength: Reals
    fields: npt.NDArray[np.uint8]
    found: tuple[str, ...]
    """Query terms that any document of the pool holds, heaviest first."""

    def __len__(self) -> int:
        return len(self.rels)

    def hits(self) -> list[Hit]:
        """Every hit, best first."""
        strengths, columns = self.strength.tolist(), self.fields.T.tolist()
        found = []
        for rel, strength, column in zip(self.rels, strengths, columns, strict=True):
            terms = tuple(_term_hit(self.terms[row], bits) for row, bits in enumerate(column) if bits)
            found.append(Hit(rel, strength, terms))
        return found


@lru_cache(maxsize=1 << 14)
def _term_hit(term: str, bits: int) -> TermHit:
    return TermHit(term, tuple(field for field in Field if bits >> field & 1))


def rank(index: Index, query: Query, pool: Mask, mtimes: Times, factors: Reals) -> Ranking:
    """Rank the documents of ``pool`` for ``query``.

    ``pool``, ``mtimes`` (ns) and ``factors`` (on the score, see ``signals``) go by position in
    ``index``; only living documents may be in the pool.
    """
    terms = tuple(term.term for term in query.terms)
    documents = int(np.count_nonzero(pool))
    if not documents or not terms:
        return Ranking((), terms, np.empty(0), np.empty((len(terms), 0), np.uint8), ())
    lengths = index.lengths()
    averages = lengths[pool].sum(axis=0) / documents
    heaviest = max(term.weight for term in query.terms)
    scores = np.zeros(index.size)
    fields = np.zeros((len(terms), index.size), np.uint8)
    found = []
    weights, norms = _field_arrays(averages)
    for row, term in enumerate(query.terms):
        postings = index.lookup(term.term)
        inside = pool[postings.documents]
        places, kinds, tf = postings.documents[inside], postings.fields[inside], postings.counts[inside]
        if not len(places):
            continue
        found.append(term.term)
        np.bitwise_or.at(fields[row], places, (1 << kinds).astype(np.uint8))
        df = int(np.count_nonzero(fields[row]))
        idf = np.log1p((documents - df + 0.5) / (df + 0.5))
        length = lengths[places, kinds] * norms[1, kinds] + norms[0, kinds]
        gain = weights[kinds] * tf * (K1 + 1) / (tf + K1 * length)
        factor = term.weight / heaviest * idf
        scores += factor * np.bincount(places, weights=gain, minlength=index.size)
    return _ordered(index, terms, scores * factors * _recency(pool, mtimes), mtimes, fields, tuple(found))


def _field_arrays(averages: Reals) -> tuple[Reals, Reals]:
    """w_f, and the coefficients of the length factor: 1 - b_f, and b_f / avg_f (0 for an empty field)."""
    weights = np.array([WEIGHTS[kind] for kind in Field])
    b = np.array([B[kind] for kind in Field])
    slope = np.divide(b, averages, out=np.zeros_like(b), where=averages > 0)
    return weights, np.stack([1 - b, slope])


def _recency(pool: Mask, mtimes: Times) -> Reals:
    newest = mtimes[pool].max()
    age = np.clip((newest - mtimes) / RECENT_NS, 0.0, 1.0)
    return np.asarray(1 + RECENCY * (1 - age), dtype=np.float64)


def _ordered(
    index: Index,
    terms: tuple[str, ...],
    scores: Reals,
    mtimes: Times,
    fields: npt.NDArray[np.uint8],
    found: tuple[str, ...],
) -> Ranking:
    hits: Sequence[int] = np.flatnonzero(scores > 0).tolist()
    order = sorted(hits, key=lambda place: (-scores[place], -mtimes[place], index.rels[place]))
    strength = scores[order] / scores[order[0]] if order else np.empty(0)
    return Ranking(tuple(index.rels[place] for place in order), terms, strength, fields[:, order], found)
