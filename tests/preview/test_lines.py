"""One line in exactly the cells of a row."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from knit_tui.faces.tui.preview.card import wrapped
from knit_tui.faces.tui.preview.lines import displayed, joined, strip_of
from knit_tui.faces.tui.preview.marks import layered

FILL, ONE, TWO = Style(bold=True), Style(italic=True), Style(underline=True)
# What breaks widths: wide, zero-width, joined, half of a pair, controls, tabs; and plain letters.
AWKWARD = (
    "ab é\t漢字가ｱ\u0301\u0300\u20dd\u200d\ufe0f\ufe0e👨👩❤🏳🇩"
    "\u200b\u202e\x1b\x9b\x00\x7f\ud800\U000e0041\u1100\u1161"
)
text = st.text(st.sampled_from(AWKWARD), max_size=40) | st.text(max_size=40)


def no_control(shown: str) -> bool:
    return all(unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in shown)


@given(text)
def test_nothing_is_displayed_that_moves_or_hides(raw: str) -> None:
    shown, places = displayed(raw)
    assert no_control(shown)
    assert cell_len(shown) == sum(map(cell_len, shown))
    if places is not None:
        assert len(places) == len(raw) + 1
        assert list(places) == sorted(places)
        assert places[-1] == len(shown)


@given(text, st.integers(0, 30), st.integers(0, 30))
def test_a_strip_has_exactly_its_width(raw: str, left: int, width: int) -> None:
    shown, _ = displayed(raw)
    middle = len(shown) // 2
    strip = strip_of(shown, ((middle, ONE), (len(shown), TWO)), width, FILL, left=left)
    assert sum(cell_len(segment.text) for segment in strip) == width == strip.cell_length


@given(text, st.integers(1, 30))
def test_windows_side_by_side_show_every_narrow_character_once(raw: str, width: int) -> None:
    shown, _ = displayed(raw)
    windows = [strip_of(shown, (), width, FILL, left=left).text for left in range(0, cell_len(shown), width)]
    seen = "".join(windows).replace(" ", "")
    narrow = [char for char in shown if cell_len(char) == 1 and char != " "]
    assert [char for char in seen if cell_len(char) == 1] == narrow


def test_tabs_go_to_the_next_multiple_of_four() -> None:
    assert displayed("\tx")[0] == "    x"
    assert displayed("abc\tx")[0] == "abc x"
    assert displayed("abcd\tx")[0] == "abcd    x"
    assert displayed("漢\tx\t|")[0] == "漢  x   |"
    assert displayed("\x1b\t|")[0] == "␛   |"


def test_places_follow_tabs_and_joiners() -> None:
    shown, places = displayed("a\tb👩\u200d👩c")
    assert shown == "a   b👩👩c"
    assert places is not None
    assert [shown[places[i]] for i in (0, 1, 2, 3, 6)] == ["a", " ", "b", "👩", "c"]
    assert displayed("plain é 漢")[1] is None


@pytest.mark.parametrize(
    ("left", "width", "expected"),
    [(0, 6, "a漢字b"), (0, 2, "a "), (2, 3, " 字"), (1, 2, "漢"), (2, 1, " "), (5, 4, "b   "), (9, 3, "   ")],
)
def test_a_wide_character_at_an_edge_leaves_a_blank(left: int, width: int, expected: str) -> None:
    assert strip_of("a漢字b", (), width, FILL, left=left).text == expected


def test_a_mark_goes_with_the_character_it_stands_on() -> None:
    assert strip_of("e\u0301a\u0301", (), 1, FILL, left=1).text == "a\u0301"
    assert strip_of("e\u0301a\u0301", (), 1, FILL).text == "e\u0301"


def test_styles_follow_their_characters() -> None:
    strip = strip_of("abcdef", ((2, ONE), (2, FILL), (4, TWO)), 5, FILL, left=1)
    assert [(segment.text, segment.style) for segment in strip] == [("b", ONE), ("cd", TWO), ("ef", FILL)]
    assert joined((strip, strip)).cell_length == 10


def test_layers_cover_all_characters_and_marks_lie_over_runs() -> None:
    assert layered(9, ((2, 3, 0), (5, 2, 1)), [(0, 1), (4, 6)]) == [
        (1, ("term",)),
        (2, ()),
        (4, ("comment",)),
        (5, ("comment", "term")),
        (6, ("keyword", "term")),
        (7, ("keyword",)),
        (9, ()),
    ]
    assert layered(0, (), []) == []
    assert layered(3, (), []) == [(3, ())]


@given(st.text(st.sampled_from("ab 漢\u0301"), max_size=60), st.integers(1, 12))
def test_wrapped_lines_fit_and_lose_nothing(text: str, room: int) -> None:
    lines = wrapped(text, room)
    assert all(cell_len(line) <= max(room, 2) for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
