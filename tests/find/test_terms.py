from hypothesis import given
from hypothesis import strategies as st

from knit_tui.find.terms import (
    HASH_BITS,
    MAX_TERM,
    _word,
    document_terms,
    occurring_terms,
    query_terms,
    term_hash,
    word_length,
    words,
)

WORD = _word()


def terms_of(text: str) -> set[str]:
    return {term for word in WORD.findall(text) for term in document_terms(word)}


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert document_terms("parseHTTPHeader_v2") == ("parsehttpheader_v2", "parse", "http", "header", "v2")
    assert set(document_terms("snake_case_name")) == {"snake_case_name", "snake", "case", "name"}
    assert document_terms("plain") == ("plain",)


def test_documents_split_digits_and_queries_do_not() -> None:
    assert "utf" in document_terms("utf8")
    assert query_terms("utf8") == ("utf8",)
    assert query_terms("SAVEFINAL498") == ("savefinal498",)


def test_two_letter_words_count_and_single_letters_of_a_split_do_not() -> None:
    assert document_terms("k1") == ("k1",)
    assert document_terms("db") == ("db",)
    assert document_terms("a_b_cd") == ("a_b_cd", "cd")


def test_chinese_gives_pairs_and_triples() -> None:
    assert document_terms("图片排序") == ("图片", "片排", "排序", "图片排", "片排序")
    assert document_terms("图") == ("图",)


def test_scripts_meet_in_one_word_and_are_told_apart() -> None:
    assert WORD.findall("BM25排序算法 и Привет") == ["BM25", "排序算法", "и", "Привет"]
    assert "привет" in terms_of("ПРИВЕТ")
    assert {"こん", "んに"} <= terms_of("こんにちは")
    assert {"안녕하세요", "안녕"} <= terms_of("안녕하세요")


def test_full_width_and_accents_fold() -> None:
    assert document_terms("ＢＭ２５")[0] == "bm25"
    assert set(document_terms("Café")) == {"café", "cafe"}
    assert set(query_terms("naïve")) == {"naïve", "naive"}


def test_a_word_of_any_length_costs_linear_work_and_gives_no_monster() -> None:
    assert document_terms("a" * 100_000) == ()
    assert max(map(len, document_terms("x" * 50 + "_" + "y" * 50))) <= MAX_TERM
    assert len(document_terms("汉" * 20_000)) == 2


def test_terms_come_as_often_as_they_occur() -> None:
    assert occurring_terms("retry_loop") == ("retry_loop", "retry", "loop")
    assert occurring_terms("图片图片").count("图片") == 2
    assert occurring_terms("图片图片").count("片图") == 1


def test_lengths_of_both_kinds_of_text_compare() -> None:
    assert word_length("retry_loop") == 1
    assert word_length("图片图片") == 4


@given(st.text() | st.text(st.characters(codec="ascii")))
def test_plain_text_takes_a_shorter_way_to_the_same_words(text: str) -> None:
    assert words(text) == WORD.findall(text)


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    for word in WORD.findall(text):
        assert set(occurring_terms(word)) == set(document_terms(word))
        assert all(0 <= term_hash(term) < 1 << HASH_BITS for term in document_terms(word))


@given(st.text(min_size=1))
def test_what_is_asked_as_a_whole_word_is_found_in_a_document_that_holds_it(text: str) -> None:
    for word in WORD.findall(text):
        asked, held = query_terms(word), document_terms(word)
        assert set(asked[:1]) <= set(held)
