"""Keywords and labels of the ranking ``classic``, by worked examples."""

from __future__ import annotations

import pytest

from knit_tui.find import classic_words
from knit_tui.find.classic_keywords import Keyword, Span, keywords, labels


def weights(*texts: str) -> dict[str, int]:
    return {keyword.term: keyword.weight for keyword in keywords(texts)}


def terms(*texts: str) -> list[str]:
    return [keyword.term for keyword in keywords(texts)]


def test_the_worked_example() -> None:
    found = weights(
        "How does the cache eviction policy handle stale entries in cache_store.py?",
        "I refactored the eviction loop yesterday",
    )
    assert list(found.items()) == [
        ("cache_store", 363),
        ("eviction", 320),
        ("refactored", 200),
        ("yesterday", 162),
        ("entries", 147),
        ("handle", 108),
        ("policy", 108),
        ("stale", 75),
        ("loop", 32),
    ]


def test_a_newer_message_weighs_more() -> None:
    assert weights("alpha", "beta", "gamma", "delta") == {"alpha": 75, "beta": 32, "delta": 25, "gamma": 25}
    assert weights("alpha alpha", "alpha") == {"alpha": (3 + 3 + 2) * 25}


def test_what_is_a_word() -> None:
    assert terms("naïve Straße") == ["stra"]
    assert terms("3abc") == ["abc"]
    assert terms("k1 db ui ab") == []
    assert terms("the json import") == []


def test_a_long_identifier_is_cut() -> None:
    assert sorted(terms("a" * 30 + "bcd")) == ["a" * 30, "bcd"]
    assert terms("a" * 30 + "12") == ["a" * 30]


def test_of_two_terms_that_contain_one_another_the_heavier_counts() -> None:
    assert terms("cache_store cache") == ["cache_store"]
    assert terms("cachet", *(["cache"] * 8)) == ["cache"]


def test_a_chinese_gram_counts_when_new_or_repeated() -> None:
    assert terms("缓存淘汰") == ["存淘汰", "缓存淘"]
    assert terms("hello", "缓存") == ["hello"]
    assert terms("hello", "world", "缓存") == ["hello", "world"]
    assert terms("hello", "world", "缓存", "缓存") == ["hello", "world", "缓存"]


def test_a_gram_that_straddles_words_is_no_keyword() -> None:
    assert terms("缓存的了") == ["缓存"]
    assert terms("把缓存") == ["缓存"]
    assert [terms(pair) for pair in ("这个", "我们", "因为", "已经")] == [[], [], [], []]
    assert terms("上中") == []
    assert terms("中间") == ["中间"]


def test_one_character_is_no_gram() -> None:
    assert terms("存 a 图") == []


def test_at_most_thirty_keywords_with_eight_places_each() -> None:
    found = keywords([" ".join(f"word{chr(97 + n)}{chr(97 + m)}" for n in range(6) for m in range(6))])
    assert len(found) == 30
    assert len(keywords(["echo " * 20])[0].spans) == 8
    assert keywords(["echo " * 20])[0].weight == 20 * 3 * 16


def test_spans_keep_the_writing_of_the_user() -> None:
    assert keywords(["See Cache"]) == (
        Keyword("cache", 75, (Span("See Cache", 4, 9),)),
        Keyword("see", 27, (Span("See Cache", 0, 3),)),
    )


@pytest.mark.parametrize(
    ("words", "size"),
    [
        (classic_words.STOP_WORDS, 112),
        (classic_words.FUNCTION_CHARACTERS, 87),
        (classic_words.EDGE_CHARACTERS, 66),
        (classic_words.FUNCTION_PAIRS, 53),
    ],
)
def test_the_size_of_each_stop_list(words: frozenset[str], size: int) -> None:
    assert len(words) == size


def test_stop_lists_hold_what_can_be_met() -> None:
    assert all(len(word) >= 3 and word.isascii() and word.islower() for word in classic_words.STOP_WORDS)
    assert all(len(pair) == 2 for pair in classic_words.FUNCTION_PAIRS)
    assert {"的", "和", "个", "把", "会", "话"} <= classic_words.EDGE_CHARACTERS
    assert not set("上中里前后大小一对") & classic_words.EDGE_CHARACTERS
    assert set("上中里前后大小一") <= classic_words.FUNCTION_CHARACTERS


def labelled(text: str, corpus: str) -> tuple[str, ...]:
    found = [keyword for keyword in keywords([text]) if keyword.term in corpus]
    return labels(found, lambda phrase: phrase in corpus)


def test_overlapping_grams_become_the_phrase_that_stands_in_the_corpus() -> None:
    assert labelled("修复缓存淘汰", "关于缓存淘汰的说明") == ("缓存淘汰",)
    assert labelled("修复缓存淘汰", "关于缓存淘, 存淘汰的说明")[0] in {"存淘汰", "缓存淘"}


def test_neighbours_that_only_touch_are_not_joined() -> None:
    found = (Keyword("缓存", 12, (Span("缓存淘汰", 0, 2),)), Keyword("淘汰", 12, (Span("缓存淘汰", 2, 4),)))
    assert labels(found, lambda phrase: True) == ("淘汰", "缓存")


def test_a_label_is_at_most_six_characters_unless_nothing_else_is_left() -> None:
    assert labelled("cache eviction of stale entries", "cache eviction of stale entries") == (
        "cache",
        "stale",
    )
    assert labelled("eviction entries", "eviction entries") == ("eviction", "entries")


def test_a_label_keeps_its_case_and_comes_once() -> None:
    assert labelled("Cache and Cache", "cache") == ("Cache",)


def test_at_most_three_labels_heaviest_first() -> None:
    assert labelled("alpha bravo stone pie", "alpha bravo stone pie") == ("alpha", "bravo", "stone")
