from hypothesis import given
from hypothesis import strategies as st

from knit_tui.find.keywords import MAX_TERMS, choose, keywords


def terms(*texts: str) -> list[str]:
    return [term.term for term in keywords(texts)]


def test_a_term_weighs_as_its_newest_mention() -> None:
    weights = {term.term: term.weight for term in keywords(["aaaa", "bbbb", "cccc", "dddd"])}
    assert weights == {"aaaa": 6.0, "bbbb": 4.0, "cccc": 2.0, "dddd": 2.0}


def test_a_new_subject_leads_the_repeated_older_one() -> None:
    assert terms("quantum", *["geology geology geology"] * 5) == ["quantum", "geology"]


def test_repetition_and_length_add_a_little() -> None:
    assert terms("zeta zeta beta longer_zeta")[:2] == ["longer_zeta", "zeta"]


def test_an_identifier_does_not_swallow_its_parts() -> None:
    found = terms("How does cache_store work?")
    assert "cache_store" in found
    assert "cache" in found


def test_stop_words_are_left_out_and_project_words_are_not() -> None:
    assert terms("what is the import time of this node") == ["import", "node", "time"]
    assert terms("how do you use it?") == []


def test_short_words_and_other_scripts_count() -> None:
    assert set(terms("k1 db ui")) == {"k1", "db", "ui"}
    assert terms("загрузчик") == ["загрузчик"]
    assert "café" in terms("café")


def test_an_accent_may_be_written_apart() -> None:
    assert terms("cafe\u0301") == terms("caf\u00e9")


def test_a_chinese_query_gives_words_not_glue() -> None:
    found = terms("请把图片排序")
    assert {"图片", "排序"} <= set(found)
    assert not any("把" in term for term in found)


def test_a_chinese_pair_from_an_older_text_needs_to_occur_twice() -> None:
    assert "排序" not in terms("newest", "older", "排序")
    assert "排序" in terms("newest", "排序", "排序")


def test_words_that_only_carry_grammar_give_nothing() -> None:
    assert terms("这个是什么呢", "the of and") == []


def test_a_chinese_word_weighs_like_an_english_one() -> None:
    weights = {term.term: term.weight for term in keywords(["排序 sorted"])}
    assert weights["排序"] == weights["sorted"]


def test_the_limit_keeps_the_heaviest() -> None:
    every = keywords([" ".join("w" * n + "x" for n in range(3, 60))])
    chosen = choose(every, lambda term: True)
    assert len(chosen) == MAX_TERMS
    assert chosen == every[:MAX_TERMS]


@given(st.lists(st.text(), max_size=4))
def test_any_text_gives_positive_weights_in_order(texts: list[str]) -> None:
    weights = [term.weight for term in keywords(texts)]
    assert weights == sorted(weights, reverse=True)
    assert all(weight > 0 for weight in weights)
