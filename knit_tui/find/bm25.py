"""Field-weighted BM25: how much the words of each document are about a query.

    score(d) = Σ_t qw(t) · idf(t) · Σ_f w_f · tf·(k1 + 1) / (tf + k1·(1 - b_f + b_f·len_f / avg_f))
    idf(t)   = ln(1 + (N - df + 0.5) / (df + 0.5))
    qw(t)    = weight / greatest weight

N, df and avg are counted over the pool that is ranked, after exclusions. Robertson and Zaragoza,
"The Probabilistic Relevance Framework: BM25 and Beyond" (2009), give the formula; the idf with 1
added inside the logarithm is Lucene's, so that no term ever counts against a document. Another form
of a term adds to its tf and df as a part of an occurrence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from knit_tui.find.index import Index
from knit_tui.find.segment import Mask
from knit_tui.model import Field, QueryTerm

K1 = 1.5
WEIGHTS = {
    Field.NAME: 4.0,
    Field.DIRECTORY: 2.0,
    Field.TITLE: 3.0,
    Field.SUMMARY: 2.0,
    Field.HEADINGS: 2.0,
    Field.BODY: 1.0,
}
"""What a hit in each field counts."""
B = {
    Field.NAME: 0.3,
    Field.DIRECTORY: 0.5,
    Field.TITLE: 0.3,
    Field.SUMMARY: 0.5,
    Field.HEADINGS: 0.2,
    Field.BODY: 0.2,
}
"""How far the length of each field discounts its hits: 0 not at all, 1 in proportion. A long source file
is long because much is done there."""

STRENGTH = (Field.TITLE, Field.NAME, Field.HEADINGS, Field.SUMMARY, Field.DIRECTORY, Field.BODY)
"""Fields by how strong a fact a hit in them is, the strongest first."""

Reals = npt.NDArray[np.float64]
Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Match:
    """The words of a query in the documents of a pool; arrays go by position in the index.

    ``scores``: by the formula above. ``covered``: the part of the query that the document holds, 0 to 1,
    rare terms weighing more. ``fields`` (terms, size): bit ``1 << Field`` is set where the term stands in
    that field. ``words`` (terms, size): the form that stands in the strongest field, 0 for the term
    itself, else 1 + its place among the forms.
    """

    scores: Reals
    covered: Reals
    fields: Bits
    words: Bits
    found: tuple[str, ...]
    """Terms that any document of the pool holds, in any form, heaviest first."""


def match(index: Index, terms: Sequence[QueryTerm], pool: Mask, form: float) -> Match:
    """Match ``terms`` in the documents of ``pool``, which must be living ones.

    ``form``: what an occurrence of another form of a term counts, relative to one of the term itself.
    """
    size = index.size
    scores, covered = np.zeros(size), np.zeros(size)
    fields = np.zeros((len(terms), size), np.uint8)
    words = np.zeros((len(terms), size), np.uint8)
    documents = int(np.count_nonzero(pool))
    found: list[str] = []
    if not documents or not terms:
        return Match(scores, covered, fields, words, ())
    lengths = index.lengths()
    weights, norms = _field_arrays(lengths[pool].sum(axis=0) / documents)
    heaviest = max(term.weight for term in terms)
    whole = 0.0
    for row, term in enumerate(terms):
        places, kinds, tf = _occurrences(index, term, pool, form, fields[row], words[row])
        if not len(places):
            continue
        found.append(term.term)
        df = int(np.count_nonzero(fields[row]))
        factor = term.weight / heaviest * np.log1p((documents - df + 0.5) / (df + 0.5))
        length = lengths[places, kinds] * norms[1, kinds] + norms[0, kinds]
        gain = weights[kinds] * tf * (K1 + 1) / (tf + K1 * length)
        scores += factor * np.bincount(places, weights=gain, minlength=size)
        covered += factor * (fields[row] > 0)
        whole += factor
    if whole:
        covered /= whole
    return Match(scores, covered, fields, words, tuple(found))


def _occurrences(
    index: Index, term: QueryTerm, pool: Mask, form: float, fields: Bits, words: Bits
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Reals]:
    """Positions, fields and tf of one term in all its forms, one entry an occurring (document, field).

    Writes the field bits and the form in the strongest field into the rows given.
    """
    places, kinds, counts = [], [], []
    for number, word in enumerate((term.term, *term.forms)):
        postings = index.lookup(word)
        inside = pool[postings.documents]
        if not inside.any():
            continue
        documents, kind = postings.documents[inside], postings.fields[inside]
        places.append(documents)
        kinds.append(kind)
        counts.append(postings.counts[inside] * (form if number else 1.0))
        # A document has a word once a field, so that the sum of its bits is their union.
        bits = np.bincount(documents, weights=1 << kind, minlength=len(fields)).astype(np.uint8)
        if number:
            words[_RANK[bits] < _RANK[fields]] = number
        fields |= bits
    if len(places) < 2:
        empty = np.empty(0, np.int64)
        return (places[0], kinds[0], counts[0]) if places else (empty, empty, np.empty(0))
    keys = np.concatenate(places) << 3 | np.concatenate(kinds)
    distinct, inverse = np.unique(keys, return_inverse=True)
    tf = np.bincount(inverse, weights=np.concatenate(counts)).astype(np.float64)
    return distinct >> 3, distinct & 7, tf


def _ranks() -> Bits:
    """By field bits: the place in ``STRENGTH`` of the strongest field; the number of fields for none."""
    bits = range(1 << len(STRENGTH))
    return np.array(
        [next((r for r, f in enumerate(STRENGTH) if each >> f & 1), len(STRENGTH)) for each in bits],
        np.uint8,
    )


_RANK = _ranks()


def _field_arrays(averages: Reals) -> tuple[Reals, Reals]:
    """w_f, and the coefficients of the length factor: 1 - b_f, and b_f / avg_f (0 for an empty field)."""
    weights = np.array([WEIGHTS[kind] for kind in Field])
    b = np.array([B[kind] for kind in Field])
    slope = np.divide(b, averages, out=np.zeros_like(b), where=averages > 0)
    return weights, np.stack([1 - b, slope])
