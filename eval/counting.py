"""The older engine that ``classic`` replaced, frozen as the yardstick of its evaluation.

A document weighs the occurrences of each term, at most ``MAX_COUNT`` in a field, times the weights of the
field and of the term. No idf, no length, and Chinese grams are taken as they come, glued ones included.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.pages import Page, classic_documents
from knit_tui.find.classic import ClassicDocument
from knit_tui.find.classic_words import FUNCTION_CHARACTERS, FUNCTION_PAIRS, STOP_WORDS

WEIGHTS = (4, 2, 1)
MAX_COUNT = 6
MAX_TERMS = 30

_WORD = re.compile(r"[a-z][a-z0-9_]{2,29}")
_HAN_RUN = re.compile("[\u4e00-\u9fff]{2,}")


def counted_terms(texts: Sequence[str]) -> dict[str, int]:
    """Terms of ``texts``, newest first: the weights of their mentions (3, 2, 1 by age) by length squared."""
    weights: dict[str, int] = {}
    for position, text in enumerate(texts):
        for term in _tokens(text.lower()):
            weights[term] = weights.get(term, 0) + max(1, 3 - position) * len(term) ** 2
    best = sorted(weights, key=lambda term: (-weights[term], term))[:MAX_TERMS]
    return {term: weights[term] for term in best}


def counted_order(texts: Sequence[str], pages: Sequence[Page]) -> list[str]:
    """Paths of the pages that hold a term of ``texts``, best first; equals by path."""
    terms = counted_terms(texts)
    scored = [
        (-sum(weight * _hits(each, term) for term, weight in terms.items()), each.rel)
        for each in classic_documents(pages)
    ]
    return [rel for score, rel in sorted(scored) if score]


def _hits(held: ClassicDocument, term: str) -> int:
    fields = (held.title, held.summary, held.body)
    return sum(w * min(text.count(term), MAX_COUNT) for w, text in zip(WEIGHTS, fields, strict=True))


def _tokens(text: str) -> list[str]:
    words = [word for word in _WORD.findall(text) if word not in STOP_WORDS]
    grams = [
        run[place : place + size]
        for run in _HAN_RUN.findall(text)
        for size in (2, 3)
        for place in range(len(run) - size + 1)
    ]
    return words + [
        gram for gram in grams if gram not in FUNCTION_PAIRS and not FUNCTION_CHARACTERS.issuperset(gram)
    ]
