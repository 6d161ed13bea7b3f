import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.find.index import JOIN, Index
from knit_tui.find.segment import SEGMENT_DOCUMENTS, DocumentTerms, build_segment, tokenise
from knit_tui.model import Field


def document(rel: str, body: str, name: str = "") -> DocumentTerms:
    return tokenise(rel, [(Field.NAME, name or rel), (Field.BODY, body)])


def held(index: Index, term: str) -> dict[str, list[tuple[int, float]]]:
    postings = index.lookup(term)
    found: dict[str, list[tuple[int, float]]] = {}
    for place, kind, count in zip(postings.documents, postings.fields, postings.counts, strict=True):
        found.setdefault(index.rels[place], []).append((int(kind), float(count)))
    return found


def test_lookup_tells_document_field_and_count() -> None:
    index = Index().changed([document("a.md", "retry retry", "retry.md"), document("b.md", "backoff")], ())
    assert held(index, "retry") == {"a.md": [(Field.NAME, 1.0), (Field.BODY, 2.0)]}
    assert held(index, "backoff") == {"b.md": [(Field.BODY, 1.0)]}
    assert held(index, "absent") == {}
    assert index.known(["retry", "absent"]) == [True, False]
    assert Index().known(["retry"]) == [False]


def test_a_changed_document_replaces_its_older_self() -> None:
    index = Index().changed([document("a.md", "old")], ()).changed([document("a.md", "new")], ())
    assert held(index, "old") == {}
    assert held(index, "new") == {"a.md": [(Field.BODY, 1.0)]}
    assert list(index.positions) == ["a.md"]


def test_no_change_gives_the_same_index() -> None:
    index = Index().changed([document("a.md", "x1")], ())
    assert index.changed((), ["unknown"]) is index


def test_an_index_is_a_value() -> None:
    before = Index().changed([document("a.md", "one"), document("b.md", "one")], ())
    after = before.changed((), ["a.md"])
    assert set(held(before, "one")) == {"a.md", "b.md"}
    assert set(held(after, "one")) == {"b.md"}


def test_a_segment_has_a_bound() -> None:
    with pytest.raises(ValueError, match="a segment holds"):
        build_segment([document("a", "")] * (SEGMENT_DOCUMENTS + 1))


def test_small_changes_leave_a_large_segment_alone_and_do_not_pile_up() -> None:
    index = Index().changed([document(f"d{i}", f"word{i % 7} common") for i in range(500)], ())
    large = index.segments[0]
    for i in range(60):
        index = index.changed([document(f"d{i}", "edited common")], ())
    assert index.segments[0] is large
    assert len(index.segments) < 2 * JOIN
    assert len(index.positions) == 500
    assert len(held(index, "common")) == 500
    assert len(held(index, "edited")) == 60


WORDS = ["alpha", "beta", "gamma_delta", "图片", "x9"]
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
steps = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.none() | texts), min_size=1, max_size=5), min_size=1, max_size=12
)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_an_index_that_grew_by_changes_holds_what_one_built_in_one_go_holds(
    history: list[list[tuple[int, str | None]]],
) -> None:
    grown, state = Index(), {}
    for step in history:
        added = {f"d{n}": text for n, text in step if text is not None}
        removed = {f"d{n}" for n, text in step if text is None} - added.keys()
        grown = grown.changed([document(rel, text) for rel, text in added.items()], removed)
        state = {**{rel: text for rel, text in state.items() if rel not in removed}, **added}
    fresh = Index().changed([document(rel, text) for rel, text in sorted(state.items())], ())
    assert set(grown.positions) == set(state)
    terms = ["alpha", "beta", "gamma", "delta", "gamma_delta", "图片", "x9", "absent"]
    for term in terms:
        assert held(grown, term) == held(fresh, term)
    assert grown.known(terms) == fresh.known(terms) == [bool(held(fresh, term)) for term in terms]
    totals = grown.lengths()[grown.alive].sum(axis=0)
    assert np.array_equal(totals, fresh.lengths().sum(axis=0))


def test_occurrences_saturate_the_same_however_they_come_together() -> None:
    words = "alpha " * 200 + "Alpha " * 200 + "beta " * 254
    index = Index().changed([document("a", words)], ())
    for number in range(2 * JOIN):
        index = index.changed([document(f"d{number}", "alpha")], ())
    assert held(index, "alpha")["a"] == [(Field.BODY, 255.0)]
    assert held(index, "beta")["a"] == [(Field.BODY, 254.0)]


def test_no_segment_grows_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knit_tui.find.index.SEGMENT_DOCUMENTS", 50)
    monkeypatch.setattr("knit_tui.find.index.SEGMENT_POSTINGS", 100)
    index = Index()
    for number in range(400):
        index = index.changed([document(f"d{number}", "common word")], ())
    assert max(len(segment.rels) for segment in index.segments) <= 50
    assert max(len(segment.postings) for segment in index.segments) <= 100
    assert len(held(index, "common")) == 400


def test_mostly_dead_segments_are_written_anew() -> None:
    index = Index().changed([document(f"d{number}", "common") for number in range(100)], ())
    index = index.changed((), [f"d{number}" for number in range(60)])
    assert index.size == len(index.positions) == 40
    assert index.changed((), list(index.positions)).size == 0


def test_order_of_arrival_does_not_matter() -> None:
    documents = [document(f"d{i}", f"alpha {'beta ' * (i % 3)}") for i in range(40)]
    shuffled = documents[:]
    random.Random(5).shuffle(shuffled)
    assert held(Index().changed(documents, ()), "beta") == held(Index().changed(shuffled, ()), "beta")
