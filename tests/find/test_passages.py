from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.find.passages import (
    MAX_CHARACTERS,
    MAX_LINES,
    Occurrence,
    TermFinder,
    best_passages,
    split,
)
from knit_tui.model import QueryTerm


def occurrences(body: str, terms: Iterable[str]) -> list[Occurrence]:
    return TermFinder([QueryTerm(term, 1.0) for term in terms]).find(body)


def best(body: str, *terms: str, cuts: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    query = [QueryTerm(term, 1.0) for term in terms]
    return [(p.start, p.end) for p in best_passages(body, cuts, occurrences(body, terms), query)]


def test_occurrences_are_found_as_the_index_finds_them() -> None:
    body = "retryLoop retry 图片排序 catalog log"
    assert occurrences(body, ["retry", "log", "排序"]) == [
        Occurrence(0, "retry", "retry"),
        Occurrence(10, "retry", "retry"),
        Occurrence(18, "排序", "排序"),
        Occurrence(29, "log", "log"),
    ]


def test_the_passage_with_the_terms_is_chosen_and_has_its_lines() -> None:
    body = "\n".join(
        ["# Top", *["filler"] * 30, "## Retry", *["retry with backoff"] * 8, "## End", *["filler"] * 9]
    )
    assert best(body, "backoff", cuts=(1, 32, 41)) == [(32, 40)]


def test_two_passages_come_in_the_order_of_the_text() -> None:
    lines = ["x"] * 120
    lines[10] = "needle"
    lines[100] = "needle needle needle"
    found = best("\n".join(lines), "needle")
    assert len(found) == 2
    assert found == sorted(found)
    assert found[0][0] <= 11 <= found[0][1]
    assert found[1][0] <= 101 <= found[1][1]


def test_late_hits_in_a_file_of_many_sections_are_found() -> None:
    sections = [f"## Section {i}\n\nwords\n" for i in range(900)]
    sections[850] = "## Section 850\n\nneedle\n"
    body = "\n".join(sections)
    cuts = [i for i, line in enumerate(body.split("\n"), 1) if line.startswith("## ")]
    [(start, end)] = best(body, "needle", cuts=tuple(cuts))
    assert "needle" in body.split("\n")[start - 1 : end]


def test_a_late_hit_in_the_longest_text_is_found() -> None:
    body = "filler words of a line\n" * 11_000 + "the needle\n"
    assert len(body) > 250_000
    [(start, end)] = best(body, "needle")
    assert start <= 11_001 <= end


def starts(lines: list[str], *cuts: int) -> list[int]:
    return [span.start for span in split("\n".join(lines), cuts)]


def test_a_definition_begins_with_what_stands_right_above_it() -> None:
    filler = ["x"] * 7
    assert starts([*filler, "", "# About f", "@cached", "def f(): ...", *filler], 11) == [1, 9]
    assert starts([*filler, "/**", " * About f", " */", "[Fact]", "void f() {", *filler], 12) == [1, 8]
    assert starts([*filler, "=====", "Title", "=====", *filler], 9) == [1, 8]
    assert starts([*["# x"] * 20, *filler], 10, 12) == [1, 11]
    assert starts([*filler, *["// law"] * 45, "f() {", *filler], 53) == [1, 23]


def test_without_blank_lines_the_indentation_tells_where_to_cut() -> None:
    entry = ['  "key": {', *['    "a": 1,'] * 8, "  },"]
    lines = ["{", *entry * 9, "}"]
    assert [lines[start - 1] for start in starts(lines)[1:]] == ['  "key": {'] * (len(starts(lines)) - 1)
    assert starts(["  }"] * 50) == [1, 41]


def test_a_snippet_is_one_bounded_line_around_the_term() -> None:
    body = "start " + "filler " * 60 + "needle   here\t" + "tail " * 100
    [passage] = best_passages(body, (), occurrences(body, ["needle"]), [QueryTerm("needle", 1.0)])
    assert "needle here tail" in passage.snippet
    assert passage.snippet.startswith("…")
    assert passage.snippet.endswith("…")
    assert len(passage.snippet) <= 202
    assert "\n" not in passage.snippet


def test_nothing_found_gives_no_passage() -> None:
    assert best("some text", "absent") == []
    assert best("", "absent") == []


def test_one_enormous_line_is_one_passage() -> None:
    assert best("needle " * 100_000, "needle") == [(1, 1)]


lines = st.lists(st.sampled_from(["", "  ", "word", "# head", "x" * 500, "图片排序"]), max_size=120)


@settings(deadline=None)
@given(lines, st.lists(st.integers(-3, 140), max_size=20), st.booleans())
def test_spans_cover_every_line_once_and_map_exactly(parts: list[str], cuts: list[int], final: bool) -> None:
    body = "\n".join(parts) + ("\n" if final else "")
    spans = split(body, cuts)
    assert "".join(body[span.first : span.last] for span in spans) == body
    real = body.split("\n")
    assert spans[0].start == 1
    for span, following in zip(spans, [*spans[1:], None], strict=True):
        assert span.start <= span.end
        if following:
            assert following.start == span.end + 1
        text = body[span.first : span.last]
        assert text.removesuffix("\n").split("\n") == real[span.start - 1 : span.end]
        assert span.end - span.start < MAX_LINES
        assert len(text) <= MAX_CHARACTERS or span.start == span.end
