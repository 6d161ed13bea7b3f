"""The ranking ``classic``, by worked examples."""

from __future__ import annotations

import pytest

from knit_tui.find.classic import ClassicDocument, ClassicRanking, Counts, document, rank
from knit_tui.find.classic_keywords import keywords
from knit_tui.model import Field, Hit, Kind, TermHit

DAY = 86_400 * 1_000_000_000
NOW = 1_760_000_000 * 1_000_000_000


def worked_documents() -> list[ClassicDocument]:
    return [
        document(
            "docs/log.md",
            Kind.DOCS,
            NOW,
            "# changelog\n\nrelease history. eviction mentioned once. " + "filler " * 60,
            "Changelog",
            "Release history.",
        ),
        document(
            "src/cache_store.py",
            Kind.CODE,
            NOW - 7 * DAY // 2,
            "def evict(): pass\n# eviction of stale entries\n",
        ),
        document(
            "docs/cache.md",
            Kind.DOCS,
            NOW - 10 * DAY,
            "# cache eviction\n\nhow stale entries leave the store. eviction runs hourly.",
            "Cache eviction",
            "How stale entries leave the store.",
        ),
    ]


def ranked(text: str, documents: list[ClassicDocument], now: int = NOW) -> ClassicRanking:
    return rank(keywords([text]), documents, now)


def test_the_worked_example() -> None:
    ranking = ranked("cache eviction of stale entries", worked_documents())
    assert [each.rel for each in ranking.ranked] == ["docs/cache.md", "src/cache_store.py", "docs/log.md"]
    assert [round(each.raw, 6) for each in ranking.ranked] == [5.096212, 2.973321, 0.093517]
    assert [each.score for each in ranking.ranked] == [100, 58, 2]
    assert [(k.term, k.weight) for k in ranking.found] == [
        ("eviction", 192),
        ("entries", 147),
        ("cache", 75),
        ("stale", 75),
    ]
    assert ranking.labels == ("cache", "stale")
    assert ranking.topic == "cache、stale"


def test_the_order_does_not_depend_on_the_order_of_the_scan() -> None:
    documents = worked_documents()
    text = "cache eviction of stale entries"
    assert ranked(text, documents) == ranked(text, documents[::-1])


def test_matches_tell_counts_and_hits_tell_fields() -> None:
    ranking = ranked("cache eviction of stale entries", worked_documents())
    assert [(match.term, match.counts) for match in ranking.ranked[0].matches] == [
        ("eviction", Counts(1, 0, 2)),
        ("entries", Counts(0, 1, 1)),
        ("cache", Counts(1, 0, 1)),
        ("stale", Counts(0, 1, 1)),
    ]
    code = ranking.hits()[1]
    assert code.terms == (
        TermHit("eviction", (Field.BODY,), "eviction"),
        TermHit("entries", (Field.BODY,), "entries"),
        TermHit("cache", (Field.NAME,), "cache"),
        TermHit("stale", (Field.BODY,), "stale"),
    )
    assert code.strength == pytest.approx(2.973321 / 5.096212, abs=1e-6)
    assert ranking.hits()[0].strength == 1.0


def test_hits_are_the_documents_that_hold_a_keyword() -> None:
    documents = [document("a.md", Kind.DOCS, 0, "nothing"), document("b.md", Kind.DOCS, 0, "marble")]
    ranking = ranked("marble", documents)
    assert ranking.hits() == [Hit("b.md", 1.0, (TermHit("marble", (Field.BODY,), "marble"),))]
    assert len(ranking) == 1
    assert [each.rel for each in ranking.ranked] == ["b.md", "a.md"]


def test_a_word_is_found_inside_another() -> None:
    assert len(ranked("log", [document("a.md", Kind.DOCS, 0, "a catalog")])) == 1


def test_counts_stop_at_twenty() -> None:
    ranking = ranked("marble", [document("a.md", Kind.DOCS, 0, "marble " * 50)])
    assert ranking.ranked[0].matches[0].counts == Counts(0, 0, 20)


def test_a_document_of_the_last_week_gets_a_tenth() -> None:
    pair = [document("a.md", Kind.DOCS, NOW - 8 * DAY, "marble"), document("b.md", Kind.DOCS, NOW, "marble")]
    fresh, old = ranked("marble", pair).ranked
    assert fresh.rel == "b.md"
    assert fresh.raw == pytest.approx(1.1 * old.raw)


def test_the_future_is_no_older_than_now() -> None:
    pair = [document("a.md", Kind.DOCS, NOW, "marble"), document("b.md", Kind.DOCS, NOW + 9 * DAY, "marble")]
    first, second = ranked("marble", pair).ranked
    assert first.raw == second.raw
    assert first.rel == "b.md", "ties go to the newer document"


def test_ties_go_to_the_smaller_path() -> None:
    pair = [document(rel, Kind.DOCS, 0, "marble") for rel in ("b.md", "B.md", "a.md")]
    assert [each.rel for each in ranked("marble", pair).ranked] == ["B.md", "a.md", "b.md"]


def test_without_keywords_nothing_moves() -> None:
    pair = [document("b.md", Kind.DOCS, 0, "x"), document("a.md", Kind.DOCS, 9, "y")]
    ranking = rank((), pair, NOW)
    assert [(each.rel, each.score) for each in ranking.ranked] == [("b.md", 0), ("a.md", 0)]
    assert ranking.hits() == []


def test_keywords_that_nobody_holds_score_zero() -> None:
    pair = [document("old.md", Kind.DOCS, 1, "x"), document("new.md", Kind.DOCS, 2, "y")]
    ranking = ranked("marble", pair)
    assert [(each.rel, each.score, each.raw) for each in ranking.ranked] == [
        ("new.md", 0, 0.0),
        ("old.md", 0, 0.0),
    ]
    assert ranking.found == ()
    assert ranking.labels == ()


def test_no_documents() -> None:
    assert ranked("marble", []).hits() == []


@pytest.mark.parametrize(
    ("kind", "rel", "expected"),
    [
        (Kind.CODE, "src/net/Retry.py", ("retry.py", "src/net/", "body")),
        (Kind.CODE, "Makefile", ("makefile", "", "body")),
        (Kind.IMAGE, "media/Mooring.PNG", ("mooring.png", "", "")),
        (Kind.DOCS, "docs/Guide.md", ("guide", "sum", "body")),
        (Kind.DOCS, "LICENSE", ("license", "sum", "body")),
    ],
)
def test_what_is_searched_of_each_kind(kind: Kind, rel: str, expected: tuple[str, str, str]) -> None:
    found = document(rel, kind, 0, "Body", "", "Sum")
    assert (found.title, found.summary, found.body) == expected


def test_a_given_title_of_docs_counts() -> None:
    assert document("docs/a.md", Kind.DOCS, 0, "", "Cache Eviction").title == "cache eviction"
