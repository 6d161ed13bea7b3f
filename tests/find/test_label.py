from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.find.keywords import keywords
from knit_tui.find.label import LONGEST_CHAIN, LONGEST_WORD, MAX_LABELS, label
from knit_tui.find.terms import document_terms, normal, words
from knit_tui.model import QueryTerm


def labels(texts: Iterable[str], *documents: str) -> tuple[str, ...]:
    """The label of a query over these documents."""
    folded = [normal(document).casefold() for document in documents]
    held = {term for document in folded for word in words(document) for term in document_terms(word)}
    terms = [term for term in keywords(list(texts)) if term.term in held]
    return label(list(texts), terms, lambda phrase: any(phrase in document for document in folded))


def test_words_are_whole_and_as_they_were_written_however_long() -> None:
    found = labels(["Evict stale Entries by popularity"], "evict popularity stale entries")
    assert found == ("popularity", "Entries", "Evict")
    assert labels(["internationalization"], "internationalization") == ("internationalization",)


def test_an_identifier_is_told_whole_though_only_a_part_is_held() -> None:
    assert labels(["why does parseHTTPHeader fail"], "http header", "fail") == ("fail", "parseHTTPHeader")


def test_what_another_label_says_is_not_said_again() -> None:
    found = labels(["retryBackoff: retry, Backoff", "RETRY"], "retry backoff retryBackoff", "x")
    assert found == ("retryBackoff",)


def test_the_newest_of_equal_words_comes_first() -> None:
    assert labels(["beta", "gamma"], "gamma beta")[0] == "beta"
    assert label(["x beta", "gamma"], [QueryTerm("gamma", 1), QueryTerm("beta", 1)], bool) == (
        "beta",
        "gamma",
    )


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("图片排序的问题", "图片排序怎么做", ("图片排序",)),
        ("图片排序的问题", "排序很慢。图片很大", ("图片", "排序")),
        ("图片排序的问题", "图片很大。一片排开。排序", ("图片", "排序")),
        ("请修复上下文注入机制", "上下文注入机制的设计。修复", ("上下文注入机制",)),
        ("把 WebSocket 重连逻辑改一下", "websocket 重连逻辑", ("WebSocket", "重连逻辑")),
        ("キャッシュを消す", "キャッシュ", ("キャッシュ",)),
        ("데이터베이스연결설정이 이상해", "데이터베이스연결설정이 다르다", ("데이터베이스연결설정이",)),
    ],
)
def test_runs_without_spaces_are_joined_as_far_as_documents_hold_them(
    text: str, document: str, expected: tuple[str, ...]
) -> None:
    assert labels([text], document)[: len(expected)] == expected


def test_a_run_that_a_document_holds_whole_does_not_swallow_the_sentence() -> None:
    sentence = "数据库连接池耗尽导致服务响应超时"
    found = labels([sentence], sentence)
    assert all(2 <= len(part) <= LONGEST_CHAIN for part in found)
    assert len(found) >= 2


def test_nothing_to_tell_gives_no_label() -> None:
    assert label([], [QueryTerm("a", 1)], bool) == ()
    assert label(["some words"], [], bool) == ()
    assert label(["x_" * LONGEST_WORD + "beta"], [QueryTerm("beta", 1)], bool) == ()


TEXTS = st.lists(st.text(st.sampled_from("ab AB_19é图片排序的 キ정렬ß\u0301İ"), max_size=30), max_size=4)


@given(TEXTS, st.booleans())
def test_labels_are_slices_of_the_texts(texts: list[str], occur: bool) -> None:
    found = label(texts, keywords(texts), lambda _: occur)
    assert len(found) <= MAX_LABELS
    for part in found:
        assert part
        assert any(part in normal(text) for text in texts)
    assert len(set(found)) == len(found)
