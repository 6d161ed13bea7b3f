import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.find.variants import SHORTEST, forms


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("saving", {"save", "saves", "saved", "saver"}),
        ("save", {"saves", "saved", "saving", "saver"}),
        ("routes", {"route", "routing", "routed", "router", "routers"}),
        ("router", {"route", "routes", "routing"}),
        ("running", {"run", "runs"}),
        ("stopped", {"stop", "stops"}),
        ("entries", {"entry"}),
        ("entry", {"entries"}),
        ("retried", set()),
        ("retry", {"retries", "retried", "retrying"}),
        ("validation", {"validate", "validates", "validated"}),
        ("validate", {"validation", "validations"}),
        ("configurable", {"configure"}),
        ("quickly", {"quick"}),
        ("process", {"processes", "processing"}),
        ("handler", {"handle", "handling", "handlers"}),
    ],
)
def test_forms_by_rule(word: str, others: set[str]) -> None:
    assert others <= set(forms(word))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("auth", "authentication"),
        ("auth", "authorization"),
        ("db", "database"),
        ("config", "configuration"),
        ("docs", "documentation"),
        ("doc", "documentation"),
        ("async", "asynchronous"),
        ("i18n", "internationalization"),
    ],
)
def test_an_abbreviation_finds_the_word_and_the_word_the_abbreviation(short: str, long: str) -> None:
    assert short in forms(long)
    if short.isalpha():
        assert long in forms(short)


def test_an_abbreviation_is_found_through_another_form() -> None:
    assert {"config", "configure"} <= set(forms("configuring"))
    assert "auth" in forms("authenticated")


@pytest.mark.parametrize(
    "word", ["cat", "run", "图片", "排序", "café", "utf8", "load_all", "x", "", "загрузка", "123"]
)
def test_what_has_no_forms(word: str) -> None:
    assert forms(word) == ()


def test_a_short_word_has_forms_from_its_length_on() -> None:
    assert forms("a" * (SHORTEST - 1)) == ()
    assert forms("abcd") != ()


def test_a_word_keeps_enough_letters() -> None:
    """``ring`` is not a form of ``r``, nor ``used`` of ``u``."""
    assert not {"r", "re"} & set(forms("ring"))
    assert "us" not in forms("used")


@given(st.text("abdeginorsty", min_size=1, max_size=14) | st.text(max_size=6))
def test_forms_are_other_words_in_order(word: str) -> None:
    found = forms(word)
    assert word not in found
    assert list(found) == sorted(set(found))
    assert all(form.isascii() and len(form) >= 2 for form in found)
    assert len(found) < 200
