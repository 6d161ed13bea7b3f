import math
import random

import numpy as np
import pytest

from knit_tui.find.index import Index, tokenise
from knit_tui.find.keywords import choose, keywords
from knit_tui.find.ranking import K1, RECENT_NS, WEIGHTS, B, Ranking, rank
from knit_tui.model import Field, Hit, Query, QueryTerm, TermHit

Fields = dict[Field, str]


def index_of(documents: dict[str, Fields]) -> Index:
    return Index().changed([tokenise(rel, list(fields.items())) for rel, fields in documents.items()], ())


def ranked(
    documents: dict[str, Fields],
    *terms: str,
    mtimes: dict[str, int] | None = None,
    pool: set[str] | None = None,
) -> Ranking:
    index = index_of(documents)
    mask = np.array([pool is None or rel in pool for rel in index.rels])
    times = np.array([(mtimes or {}).get(rel, 0) for rel in index.rels], dtype=np.int64)
    query = Query(tuple(QueryTerm(term, 1.0) for term in terms))
    return rank(index, query, mask, times, np.ones(index.size))


def test_the_formula() -> None:
    documents = {
        "a": {Field.TITLE: "cache", Field.BODY: "cache eviction eviction words here"},
        "b": {Field.BODY: "eviction"},
        "c": {Field.BODY: "nothing at all"},
    }
    ranking = ranked(documents, "eviction", "cache")
    average = (5 + 1 + 3) / 3

    def gain(tf: float, length: float, mean: float, field: Field) -> float:
        return WEIGHTS[field] * tf * (K1 + 1) / (tf + K1 * (1 - B[field] + B[field] * length / mean))

    idf_eviction = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    idf_cache = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    a = idf_eviction * gain(2, 5, average, Field.BODY)
    a += idf_cache * (gain(1, 1, 1 / 3, Field.TITLE) + gain(1, 5, average, Field.BODY))
    b = idf_eviction * gain(1, 1, average, Field.BODY)
    assert ranking.rels == ("a", "b")
    assert ranking.strength[1] == pytest.approx(b / a)
    assert ranking.found == ("eviction", "cache")


def test_a_term_counts_by_its_weight() -> None:
    index = index_of({"x": {Field.BODY: "strong"}, "y": {Field.BODY: "weak"}})
    query = Query((QueryTerm("strong", 6.0), QueryTerm("weak", 3.0)))
    ranking = rank(index, query, np.ones(2, np.bool_), np.zeros(2, np.int64), np.ones(2))
    assert ranking.rels == ("x", "y")
    assert ranking.strength[1] == pytest.approx(0.5)


def test_a_hit_tells_which_term_stands_in_which_field() -> None:
    ranking = ranked(
        {"a": {Field.NAME: "retry.py", Field.BODY: "retry backoff"}}, "backoff", "retry", "absent"
    )
    expected = (TermHit("backoff", (Field.BODY,)), TermHit("retry", (Field.NAME, Field.BODY)))
    assert ranking.hits() == [Hit("a", 1.0, expected)]


def test_counts_are_taken_over_the_pool() -> None:
    documents = {"a": {Field.BODY: "rare"}, "b": {Field.BODY: "rare word"}, "z": {Field.BODY: "rare"}}
    alone = ranked({"a": documents["a"], "b": documents["b"]}, "rare")
    within = ranked(documents, "rare", pool={"a", "b"})
    assert within.rels == alone.rels
    assert np.array_equal(within.strength, alone.strength)


def test_recency_is_a_nudge_among_equals_measured_from_the_newest() -> None:
    documents = {"a": {Field.BODY: "retry"}, "b": {Field.BODY: "retry"}}
    ranking = ranked(documents, "retry", mtimes={"a": RECENT_NS, "b": 8 * RECENT_NS})
    assert ranking.rels == ("b", "a")
    assert ranking.strength[1] == pytest.approx(1 / 1.1)
    much_better = {"a": {Field.TITLE: "retry"}, "b": {Field.BODY: "retry"}}
    assert ranked(much_better, "retry", mtimes={"b": 8 * RECENT_NS}).rels == ("a", "b")


def test_ties_go_to_the_newer_then_to_the_smaller_path() -> None:
    documents = {rel: {Field.BODY: "same"} for rel in "cab"}
    assert ranked(documents, "same").rels == ("a", "b", "c")
    assert ranked(documents, "same", mtimes={"c": 1}).rels[0] == "c"


def test_order_is_the_same_however_the_index_grew() -> None:
    rng = random.Random(3)
    words = ["alpha", "beta", "gamma", "delta", "eps"]
    documents = {f"d{i:03}": {Field.BODY: " ".join(rng.choices(words, k=9))} for i in range(120)}
    whole = index_of(documents)
    grown = Index()
    shuffled = list(documents.items())
    rng.shuffle(shuffled)
    for rel, fields in shuffled:
        grown = grown.changed([tokenise(rel, list(fields.items()))], ())
    query = Query((QueryTerm("alpha", 4.0), QueryTerm("beta", 2.0), QueryTerm("eps", 1.0)))
    rankings = [
        rank(index, query, index.alive, np.zeros(index.size, np.int64), np.ones(index.size))
        for index in (whole, grown)
    ]
    assert rankings[0].rels == rankings[1].rels
    assert np.array_equal(rankings[0].strength, rankings[1].strength)


def test_nothing_to_rank() -> None:
    assert len(ranked({}, "x1")) == 0
    assert len(ranked({"a": {Field.BODY: "x1"}})) == 0
    assert len(ranked({"a": {Field.BODY: ""}}, "x1")) == 0


def test_a_term_no_document_holds_takes_no_place() -> None:
    index = index_of({"a": {Field.BODY: "needle"}})
    terms = choose(keywords([" ".join(f"absentword{i}" for i in range(100)) + " needle"]), index.holds)
    assert [term.term for term in terms] == ["needle"]
    assert choose(keywords(["nowhere"]), index.holds) == keywords(["nowhere"])
