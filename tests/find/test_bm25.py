"""The words of a query in documents: the formula against a slow one, and what is told of each hit."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.find.bm25 import K1, WEIGHTS, B, Match, match
from knit_tui.find.index import Index, Mask
from knit_tui.find.segment import tokenise
from knit_tui.model import Field, QueryTerm

Fields = dict[Field, str]
FORM = 0.4


def index_of(documents: dict[str, Fields]) -> Index:
    return Index().changed([tokenise(rel, list(fields.items())) for rel, fields in documents.items()], ())


def mask_of(index: Index, pool: set[str] | None = None) -> Mask:
    return np.array([pool is None or rel in pool for rel in index.rels], np.bool_)


def matched(documents: dict[str, Fields], *terms: QueryTerm, pool: set[str] | None = None) -> Match:
    index = index_of(documents)
    return match(index, terms, mask_of(index, pool), FORM)


def term(text: str, *forms: str, weight: float = 1.0) -> QueryTerm:
    return QueryTerm(text, weight, forms)


def slow(
    documents: dict[str, Fields], terms: list[QueryTerm], pool: set[str], form: float
) -> tuple[dict[str, float], dict[str, float]]:
    """Score and covered part of every document of the pool, straight from the formula."""
    held = {rel: {f: documents[rel].get(f, "").split() for f in Field} for rel in pool}
    greatest = max(each.weight for each in terms)
    score, covered, whole = dict.fromkeys(pool, 0.0), dict.fromkeys(pool, 0.0), 0.0
    for each in terms:
        forms = (each.term, *each.forms)
        holding = {
            rel for rel, fields in held.items() if any(w in forms for ws in fields.values() for w in ws)
        }
        if not holding:
            continue
        n, df = len(pool), len(holding)
        factor = each.weight / greatest * math.log(1 + (n - df + 0.5) / (df + 0.5))
        whole += factor
        for rel in holding:
            covered[rel] += factor
            for f, words in held[rel].items():
                tf = words.count(each.term) + form * sum(words.count(other) for other in each.forms)
                if tf:
                    average = sum(len(fields[f]) for fields in held.values()) / n
                    length = 1 - B[f] + B[f] * len(words) / average
                    score[rel] += factor * WEIGHTS[f] * tf * (K1 + 1) / (tf + K1 * length)
    return score, {rel: part / whole if whole else 0.0 for rel, part in covered.items()}


WORDS = ["alpha", "beta", "gamma", "delta", "omega"]
field_texts = st.dictionaries(
    st.sampled_from(Field), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
)
corpora = st.lists(st.tuples(field_texts, st.booleans()), min_size=1, max_size=6)
queries = st.lists(
    st.builds(
        lambda words, weight: QueryTerm(words[0], weight, tuple(words[1:])),
        st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=3, unique=True),
        st.sampled_from([1.0, 2.5, 6.0]),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda each: each.term,
)


@settings(max_examples=150, deadline=None)
@given(corpora, queries, st.sampled_from([0.0, 0.4, 1.0]))
def test_scores_are_those_of_the_formula(
    corpus: list[tuple[Fields, bool]], terms: list[QueryTerm], form: float
) -> None:
    documents = {f"d{number}": fields for number, (fields, _) in enumerate(corpus)}
    pool = {f"d{number}" for number, (_, inside) in enumerate(corpus) if inside}
    index = index_of(documents)
    found = match(index, terms, mask_of(index, pool), form)
    score, covered = slow(documents, terms, pool, form)
    for place, rel in enumerate(index.rels):
        assert found.scores[place] == pytest.approx(score.get(rel, 0.0))
        assert found.covered[place] == pytest.approx(covered.get(rel, 0.0))


def test_the_formula_by_hand() -> None:
    documents = {
        "a": {Field.TITLE: "cache", Field.BODY: "cache eviction eviction words here"},
        "b": {Field.BODY: "eviction"},
        "c": {Field.BODY: "nothing at all"},
    }
    found = matched(documents, term("eviction"), term("cache"))
    average = (5 + 1 + 3) / 3

    def gain(tf: float, length: float, mean: float, field: Field) -> float:
        return WEIGHTS[field] * tf * (K1 + 1) / (tf + K1 * (1 - B[field] + B[field] * length / mean))

    idf_eviction = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    idf_cache = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    a = idf_eviction * gain(2, 5, average, Field.BODY)
    a += idf_cache * (gain(1, 1, 1 / 3, Field.TITLE) + gain(1, 5, average, Field.BODY))
    b = idf_eviction * gain(1, 1, average, Field.BODY)
    assert found.scores.tolist() == pytest.approx([a, b, 0.0])
    part = idf_eviction / (idf_eviction + idf_cache)
    assert found.covered.tolist() == pytest.approx([1.0, part, 0.0])
    assert found.found == ("eviction", "cache")


def test_a_field_is_worth_what_its_weight_says() -> None:
    """Fields of equal length, so that only the weights differ."""
    strongest_first = sorted(Field, key=lambda each: -WEIGHTS[each])
    for stronger, weaker in pairwise(strongest_first):
        documents = {
            "x": {stronger: "needle", weaker: "hay"},
            "y": {stronger: "hay", weaker: "needle"},
        }
        x, y = matched(documents, term("needle")).scores
        assert x / y == pytest.approx(WEIGHTS[stronger] / WEIGHTS[weaker])


def test_another_form_counts_less_than_the_word_and_together_they_count_more() -> None:
    documents = {
        "form": {Field.BODY: "saved x1"},
        "word": {Field.BODY: "save x1"},
        "both": {Field.BODY: "save saved"},
        "none": {Field.BODY: "x1 x1"},
    }
    form, word, both, none = matched(documents, term("save", "saved", "saving")).scores
    assert 0 == none < form < word < both


def test_forms_make_a_word_less_rare() -> None:
    documents = {"a": {Field.BODY: "save"}, "b": {Field.BODY: "saved"}, "c": {Field.BODY: "x1"}}
    alone = matched(documents, term("save")).scores[0]
    with_form = matched(documents, term("save", "saved")).scores[0]
    idf = [math.log(1 + (3 - df + 0.5) / (df + 0.5)) for df in (1, 2)]
    assert with_form / alone == pytest.approx(idf[1] / idf[0])


def test_fields_have_a_bit_for_every_field_a_term_stands_in_in_any_form() -> None:
    documents = {
        "a": {Field.TITLE: "save", Field.BODY: "saved"},
        "b": {Field.NAME: "saving", Field.DIRECTORY: "save", Field.HEADINGS: "x1"},
        "c": {Field.BODY: "x1"},
    }
    found = matched(documents, term("save", "saved", "saving"), term("absent"))
    assert found.fields[0].tolist() == [
        1 << Field.TITLE | 1 << Field.BODY, 1 << Field.NAME | 1 << Field.DIRECTORY, 0,
    ]  # fmt: skip
    assert found.fields[1].tolist() == [0, 0, 0]
    assert found.found == ("save",)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({Field.BODY: "save"}, 0),
        ({Field.BODY: "saved"}, 1),
        ({Field.BODY: "saving"}, 2),
        ({Field.BODY: "save saved"}, 0),
        ({Field.BODY: "saved saving"}, 1),
        ({Field.TITLE: "saved", Field.BODY: "save"}, 1),
        ({Field.TITLE: "saving", Field.NAME: "saved", Field.BODY: "save"}, 2),
        ({Field.NAME: "saving", Field.HEADINGS: "saved"}, 2),
        ({Field.DIRECTORY: "saving", Field.SUMMARY: "saved", Field.BODY: "save"}, 1),
        ({Field.BODY: "x1"}, 0),
    ],
)
def test_words_tell_the_form_in_the_strongest_field(fields: Fields, word: int) -> None:
    documents = {"other": {Field.TITLE: "save"}, "this": fields}
    assert matched(documents, term("save", "saved", "saving")).words[0].tolist() == [0, word]


def test_a_document_outside_the_pool_has_nothing_and_changes_nothing() -> None:
    documents = {"a": {Field.BODY: "rare"}, "b": {Field.BODY: "rare word"}}
    with_more = {**documents, "z": {Field.TITLE: "rare", Field.BODY: "rare " * 90}}
    alone = matched(documents, term("rare"), term("word"))
    within = matched(with_more, term("rare"), term("word"), pool={"a", "b"})
    assert within.scores.tolist() == [*alone.scores.tolist(), 0.0]
    assert within.covered.tolist() == [*alone.covered.tolist(), 0.0]
    assert not within.fields[:, 2].any()
    assert not within.words[:, 2].any()


def test_a_term_that_only_stands_outside_the_pool_is_not_found() -> None:
    documents = {"a": {Field.BODY: "one"}, "z": {Field.BODY: "two"}}
    found = matched(documents, term("two"), term("one"), pool={"a"})
    assert found.found == ("one",)
    assert found.covered.tolist() == [1.0, 0.0]


def test_the_heaviest_term_is_the_measure_even_if_no_document_holds_it() -> None:
    documents = {"a": {Field.BODY: "one"}, "b": {Field.BODY: "x1"}}
    light = matched(documents, term("absent", weight=4.0), term("one", weight=1.0))
    alone = matched(documents, term("one", weight=1.0))
    assert light.scores[0] == pytest.approx(alone.scores[0] / 4)


def test_nothing_to_match() -> None:
    for found in (
        matched({}, term("x1")),
        matched({"a": {Field.BODY: "x1"}}),
        matched({"a": {Field.BODY: "x1"}}, term("x1"), pool=set()),
    ):
        assert found.found == ()
        assert not found.scores.any()
        assert not found.covered.any()
    assert matched({"a": {Field.BODY: ""}}, term("x1")).found == ()
