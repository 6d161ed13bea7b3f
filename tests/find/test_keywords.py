from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.find.keywords import (
    COMPOUND_WEIGHT,
    FORMED_TERMS,
    MAX_TERMS,
    MENTIONS,
    PART_WEIGHT,
    choose,
    keywords,
)
from knit_tui.model import QueryTerm


def terms(*texts: str) -> list[str]:
    return [term.term for term in keywords(texts)]


def weights(*texts: str) -> dict[str, float]:
    return {term.term: term.weight for term in keywords(texts)}


def holding(*held: str) -> Callable[[Sequence[str]], list[bool]]:
    return lambda words: [word in held for word in words]


def everything(words: Sequence[str]) -> list[bool]:
    return [True] * len(words)


def test_a_term_weighs_as_its_newest_mention() -> None:
    assert weights("aaaa", "bbbb", "cccc", "dddd") == {"aaaa": 6.0, "bbbb": 4.0, "cccc": 2.0, "dddd": 2.0}


def test_a_new_subject_leads_the_repeated_older_one() -> None:
    assert terms("quantum", *["geology, geology, geology"] * 5) == ["quantum", "geology"]


def test_repetition_and_length_add_a_little() -> None:
    assert terms("zeta, zeta, beta, longer_zeta")[:2] == ["longer_zeta", "zeta"]


def test_repetition_adds_up_to_a_bound() -> None:
    found = [weights(", ".join(["marble"] * count))["marble"] for count in range(1, MENTIONS + 3)]
    assert found[:MENTIONS] == sorted(set(found[:MENTIONS]))
    assert set(found[MENTIONS:]) == {found[MENTIONS - 1]}


def test_an_identifier_does_not_swallow_its_parts() -> None:
    found = weights("How does cache_store work?")
    assert found["cache"] == pytest.approx(PART_WEIGHT * weights("cache")["cache"])
    assert found["cache_store"] > found["cache"]


def test_stop_words_are_left_out_and_project_words_are_not() -> None:
    assert terms("what is the import of this node at a time") == ["import", "node", "time"]
    assert terms("how do you use it?") == []


def test_short_words_and_other_scripts_count() -> None:
    assert set(terms("k1, db, ui")) == {"k1", "db", "ui"}
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
    found = weights("排序 sorted")
    assert found["排序"] == found["sorted"]


@pytest.mark.parametrize("text", ["error handler", "Error-Handler", "the error handler here"])
def test_neighbours_may_be_one_identifier(text: str) -> None:
    found = weights(text)
    mean = (found["error"] + found["handler"]) / 2
    assert found["errorhandler"] == found["error_handler"] == COMPOUND_WEIGHT * mean


@pytest.mark.parametrize(
    "text",
    [
        "error, handler",
        "error\nhandler",
        "error  handler",
        "error.handler",
        "error of handler",
        "the error",
        "错误 handler",
        "error 图片",
        "error 42",
        "error k2",
        "café error",
    ],
)
def test_others_are_no_neighbours(text: str) -> None:
    assert not [term for term in terms(text) if "handler" in term and term != "handler"]
    assert not [term for term in terms(text) if "error" in term and term != "error"]


def test_only_the_newest_text_has_neighbours() -> None:
    assert "error_handler" not in terms("other", "error handler")


def test_what_is_written_as_one_already_is_no_compound() -> None:
    found = weights("error_handler, error handler")
    assert found["error_handler"] > found["error"]
    assert terms("error handler, error handler").count("errorhandler") == 1


def test_no_compound_is_longer_than_a_term() -> None:
    assert terms("a" * 40 + " " + "b" * 40) == ["a" * 40, "b" * 40]


def test_the_limit_keeps_the_heaviest() -> None:
    every = keywords([", ".join("w" * n + "x" for n in range(3, 60))])
    chosen = choose(every, holding(*(term.term for term in every)))
    assert len(chosen) == MAX_TERMS
    assert chosen == every[:MAX_TERMS]


def test_a_term_no_document_holds_takes_no_place() -> None:
    every = keywords([", ".join(f"absentword{i}" for i in range(100)) + ", needle"])
    assert choose(every, holding("needle")) == (QueryTerm("needle", weights("needle")["needle"]),)


def test_when_no_document_holds_any_the_heaviest_are_looked_for() -> None:
    every = keywords([", ".join(f"absentword{i}" for i in range(100))])
    assert choose(every, holding()) == every[:MAX_TERMS]
    assert choose((), everything) == ()


def test_only_forms_that_a_document_holds_are_looked_for() -> None:
    [save] = choose(keywords(["saving"]), holding("saving", "save", "saved"))
    assert save.forms == ("save", "saved")


def test_a_term_of_which_only_another_form_is_held_is_one() -> None:
    [save] = choose(keywords(["saving, zeppelin"]), holding("save"))
    assert (save.term, save.forms) == ("saving", ("save",))


def test_words_of_the_texts_are_no_forms_of_one_another() -> None:
    found = choose(keywords(["saving, save"]), holding("saving", "save", "saved"))
    assert {term.term: term.forms for term in found} == {"saving": ("saved",), "save": ("saved",)}


def test_only_the_heaviest_have_forms() -> None:
    verbs = ["walk", "jump", "climb", "paint", "print", "count", "sort", "load", "parse", "render", "fetch",
             "cache", "index", "merge", "patch"]  # fmt: skip
    every = [QueryTerm(verb, float(len(verbs) - place)) for place, verb in enumerate(verbs)]
    chosen = choose(every, everything)
    assert [term.term for term in chosen] == verbs
    assert [bool(term.forms) for term in chosen] == [place < FORMED_TERMS for place in range(len(verbs))]


def test_terms_that_take_no_place_do_not_use_up_the_forms() -> None:
    absent = [QueryTerm(f"zz{number}", 9.0) for number in range(FORMED_TERMS + 1)]
    chosen = choose([*absent, QueryTerm("saving", 1.0)], holding("save"))
    assert [(term.term, term.forms) for term in chosen] == [("saving", ("save",))]


def test_choosing_keeps_order_and_weights() -> None:
    every = keywords(["alpha, beta, gamma", "delta"])
    chosen = choose(every, holding("alpha", "gamma", "delta"))
    assert [(term.term, term.weight) for term in chosen] == [
        (term.term, term.weight) for term in every if term.term != "beta"
    ]


@given(st.lists(st.text(), max_size=4))
def test_any_text_gives_positive_weights_in_order(texts: list[str]) -> None:
    found = keywords(texts)
    values = [term.weight for term in found]
    assert values == sorted(values, reverse=True)
    assert all(value > 0 for value in values)
    assert len({term.term for term in found}) == len(found)


def test_a_stop_word_is_no_form() -> None:
    [notes] = choose(keywords(["notes"]), lambda words: [True] * len(words))
    assert "note" in notes.forms
    assert "not" not in notes.forms
