"""Where ``n`` goes, in which order."""

from __future__ import annotations

from knit_tui.faces.tui.preview.marks import marks
from knit_tui.faces.tui.preview.stops import Stop, matching_lines, stops
from knit_tui.model import Passage

LINES = [
    "retry",
    "",
    "max_retries = 3",
    "maxRetry",
    "nothing",
    "错误重试机制",
    "RETRY twice: retry",
    "preretry",
]


def a_passage(start: int, end: int) -> Passage:
    return Passage(start, end, (), "")


def test_a_line_matches_when_it_is_marked() -> None:
    terms = frozenset({"retry", "重试"})
    found = matching_lines(LINES, terms, ())
    assert found == (0, 3, 5, 6)
    assert found == tuple(line for line, text in enumerate(LINES) if marks(text, terms))


def test_the_words_of_a_filter_match_anywhere_in_a_line() -> None:
    assert matching_lines(LINES, (), ("tri", "机")) == (2, 5)
    assert matching_lines(LINES, ("retry",), ("noth",)) == (0, 3, 4, 6)
    assert marks("maxRetry", frozenset(), ("xre",)) == [(2, 5)]
    assert marks("Retry max", frozenset({"retry"}), ("y m",)) == [(0, 7)]
    assert marks("\u0130x", frozenset(), ("x",)) == [(0, 2)], "the lower-case text is longer than the line"


def test_without_anything_to_look_for_nothing_matches() -> None:
    assert matching_lines(LINES, (), ()) == () and stops((), ()) == ()


def test_passages_come_first_then_the_other_lines_on_from_there_and_round() -> None:
    found = stops([a_passage(20, 30), a_passage(50, 60)], (3, 22, 25, 40, 51, 55, 80))
    assert found[:2] == (Stop(21 + 1, 0), Stop(51, 1))
    assert [stop.line for stop in found[2:]] == [55, 80, 3, 25, 40]
    assert all(stop.passage is None for stop in found[2:])


def test_one_passage_is_left_for_the_next_line_below_it() -> None:
    assert [stop.line for stop in stops([a_passage(20, 30)], (3, 22, 25, 40))] == [22, 25, 40, 3]


def test_a_passage_of_an_older_text_is_entered_at_its_start() -> None:
    assert stops([a_passage(20, 30)], (40,)) == (Stop(19, 0), Stop(40))
