"""How good an order is, and how sure a difference between two orders is.

Relevance is yes or no. Measures of one query: hit@1, hit@4, MRR (1 / rank of the first relevant
document), recall@9 (the share of the relevant documents among the first nine), nDCG@10 (Järvelin and
Kekäläinen 2002, gain 1, discount log2(rank + 1)). A set has the mean over its queries.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence, Set

MEASURES = ("hit@1", "hit@4", "mrr", "recall@9", "ndcg@10")
RESAMPLES = 2_000
_SEED = 20_261_130

Scores = Mapping[str, float]


def scores(order: Sequence[str], relevant: Set[str]) -> dict[str, float]:
    """All measures of one order; ``relevant`` must not be empty."""
    places = [place for place, rel in enumerate(order) if rel in relevant]
    first = places[0] if places else None
    gained = sum(1 / math.log2(place + 2) for place in places if place < 10)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(relevant))))
    return {
        "hit@1": float(first == 0),
        "hit@4": float(first is not None and first < 4),
        "mrr": 0.0 if first is None else 1 / (first + 1),
        "recall@9": sum(place < 9 for place in places) / len(relevant),
        "ndcg@10": gained / ideal,
    }


def mean(rows: Sequence[Scores]) -> dict[str, float]:
    """The mean of each measure; zeros without queries."""
    return {name: sum(row[name] for row in rows) / len(rows) if rows else 0.0 for name in MEASURES}


def interval(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """95 % of the means of ``ours`` minus ``theirs`` when queries are drawn again: a paired bootstrap."""
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    chance = random.Random(_SEED)
    n = len(differences)
    means = sorted(sum(chance.choices(differences, k=n)) / n for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
