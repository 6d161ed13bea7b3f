"""Rows at every width: exact cells, no control character, nothing cut in two."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from knit_tui.faces.tui.cells import cut, cut_start, pad, plain, shorten, shorten_middle, wrap
from knit_tui.faces.tui.listing import Heading
from knit_tui.faces.tui.pieces import Piece, to_width, width_of, with_matches
from knit_tui.faces.tui.widgets.rows import (
    Density,
    Look,
    age_width,
    fact,
    heading_line,
    height,
    heights,
    item_lines,
    own_title,
)
from knit_tui.faces.wording import reason_text
from knit_tui.model import Item, Passage, Reason, Tier
from tests.panel import sample
from tests.panel.sample import NOW, item

HOSTILE = (
    "bad\x1b]0;pwn\x07.txt",
    "\x1b[31mred\x1b[0m.md",
    "\x9b31mC1.txt",
    "\x90tmux;\x1b\\.py",
    "line\nfeed\r\n.md",
    "tab\there.md",
    "trojan\u202etxt.exe\u2066.py",
    "zero\u200bwidth\u200f.md",
    "soft\u00adhyphen.md",
    "\udcff\udc80 bytes.md",
    "日本語ファイルの名前.md",
    "한국어 이름.md",
    "👩‍👩‍👧‍👦 family.md",
    "❄️ snow.md",
    "🇨🇭 flag.md",
    "z̷̧̢̛͖͕a̸̧l̵g̶o̷.md",
    "[/].md",
    "[red]x[/red].py",
    "x[@click=app.quit]y[/].md",
    "[type=x, v={'a[0]'}]",
    "tag\U000e0041\U000e0042.md",
    "\u2028\u2029.md",
    "\ufeffbom.md",
    "back\x08space\x7f.md",
    "1\ufe0f\u20e3 key.md",
    "👍🏽 skin.md",
    "שלום עולם.md",
    "ﷺ ﷽.md",
    "ㅤfiller.md",
    "",
    "a" * 300 + ".py",
    "漢" * 300 + ".py",
    "e" + "\u0301" * 400 + ".md",
)


def hostile_item(name: str) -> Item:
    """An item in which every text from outside is ``name``."""
    return item(
        f"{name}/{name}" if name else "x",
        Tier.SUPPORTING,
        3,
        title=name + " title",
        summary=name,
        reason=Reason("body", (name or "x", name + "2")),
        passages=(Passage(10, 12, (name.lower() or "x",), name + " snippet " + name),),
    )


def has_control(text: str) -> bool:
    return any(unicodedata.category(char) in ("Cc", "Cs", "Cf") for char in text)


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
@pytest.mark.parametrize("by_time", (False, True))
def test_hostile_names_fill_every_width_exactly(name: str, by_time: bool) -> None:
    each = hostile_item(name)
    for width in range(201):
        look = Look(width, NOW, by_time=by_time, terms=("snippet", "a"))
        lines = item_lines(each, look, pinned=True, out=False)
        assert len(lines) == height(each, Density.at(width))
        for line in lines:
            text = "".join(piece.text for piece in line)
            assert cell_len(text) == max(0, width - 1) == width_of(line), (width, text)
            assert not has_control(text), (width, ascii(text))


@pytest.mark.parametrize("each", (*sample.PACK, *sample.OTHERS, *sample.PICTURES, sample.SECRET, sample.LOCK))
def test_sample_items_fill_every_width_exactly(each: Item) -> None:
    for width in range(201):
        for out in (False, True):
            for line in item_lines(each, Look(width, NOW), pinned=each.pinned, out=out):
                assert width_of(line) == max(0, width - 1)


@pytest.mark.parametrize("density", Density)
def test_heights_of_many_rows_are_the_height_of_each(density: Density) -> None:
    rows = (
        *sample.PACK,
        *sample.PICTURES,
        sample.SECRET,
        sample.LOCK,
        item("a.py"),
        item("b.md", summary="b"),
    )
    heading = Heading(Tier.RELATED, "Related", 3)
    assert heights((heading, *rows), density) == [1, *(height(each, density) for each in rows)]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.integers(0, 70))
def test_cutting_keeps_to_the_room(text: str, room: int) -> None:
    text = plain(text)
    for cutter in (cut, cut_start, shorten, shorten_middle):
        assert cell_len(cutter(text, room)) <= room
    assert cell_len(pad(text, room)) == room
    assert all(cell_len(line) <= room for line in wrap(text, room))
    assert text.startswith(cut(text, room))
    assert text.endswith(cut_start(text, room))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=5), st.integers(0, 50))
def test_pieces_fill_a_width(texts: list[str], width: int) -> None:
    assert width_of(to_width([Piece(plain(text)) for text in texts], width)) == width


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.lists(st.text(min_size=1, max_size=3), max_size=3))
def test_marking_matches_loses_nothing(text: str, terms: list[str]) -> None:
    assert "".join(piece.text for piece in with_matches(text, "", terms)) == text


def test_matches_are_found_without_case_and_may_overlap() -> None:
    pieces = with_matches("Retry retries", "", ("retr", "try"))
    assert [piece.text for piece in pieces if piece.match] == ["Retr", "y", "retr"]


def test_text_whose_lower_case_is_longer_is_left_unmarked() -> None:
    assert with_matches("İstanbul", "name", ("stan",)) == [Piece("İstanbul", "name")]


def text_of(each: Item, width: int, *, by_time: bool = False, terms: tuple[str, ...] = ()) -> list[str]:
    look = Look(width, NOW, by_time=by_time, terms=terms)
    return [
        "".join(piece.text for piece in line)
        for line in item_lines(each, look, pinned=each.pinned, out=False)
    ]


def test_three_lines_say_name_reason_and_passage() -> None:
    first, second, third = text_of(sample.GUIDE, 80)
    assert first.startswith(" 2 retries.md  Retry policy and jitter  docs/guide")
    assert first.endswith(" 3d")
    assert second.strip() == reason_text(Reason("title", ("retry", "jitter"), ("backoff",)))
    assert third.strip().startswith("1-18  ## Why jitter")


def test_a_pinned_item_has_its_mark_and_no_number() -> None:
    assert text_of(sample.PINNED, 60)[0].startswith("*  style.md  How we write code  docs")


def test_by_time_the_time_stands_first() -> None:
    column = age_width()
    first = text_of(sample.CLIENT, 60, by_time=True)[0]
    assert first[1 : 1 + column] == "12m".rjust(column)
    assert first[1 + column :].startswith(" client.py")


def test_a_file_changed_within_two_minutes_changed_now() -> None:
    assert text_of(sample.RETRY, 60)[0].endswith(" now")
    older = item("a.py", age=121 * sample.SECOND)
    assert text_of(older, 60)[0].endswith(" 2m")


def test_a_time_ahead_of_the_clock_is_no_news_for_ever() -> None:
    assert text_of(item("a.py", age=-3600 * sample.SECOND), 60)[0].endswith(" now")


def test_narrow_lists_show_less() -> None:
    assert [len(text_of(sample.GUIDE, width)) for width in (19, 20, 37, 38)] == [1, 2, 2, 3]
    assert text_of(sample.GUIDE, 19)[0].strip() == "retries.md"


def test_a_title_is_shown_only_when_it_says_more_than_the_name() -> None:
    assert own_title(item("docs/Retry_Policy.md", title="Retry policy")) == ""
    assert own_title(item("retry.py", title="something")) == ""
    assert own_title(sample.CHINESE) == "网络请求的重试与退避"


def test_the_folder_gives_way_after_the_title() -> None:
    wide, narrow = text_of(sample.CHINESE, 60)[0], text_of(sample.CHINESE, 40)[0]
    assert "网络请求" in wide and "docs/指南" in wide
    assert "docs/指南" in narrow


def test_a_long_name_keeps_its_ending() -> None:
    line = text_of(item("x" * 100 + "_test.py"), 40)[0]
    assert "…" in line and "_test.py" in line


@pytest.mark.parametrize(
    ("each", "text"),
    (
        (sample.SECRET, "looks like a secret: never read"),
        (sample.LOCK, "generated file: shown, not searched"),
        (item("gone.md", missing=True), "no such file now"),
        (sample.PICTURES[0], "PNG image, 47.1 KiB, " + reason_text(Reason("filename", ("retry",)))),
        (sample.PICTURES[1], "MP4 video, 7.0 MiB"),
        (item("notes.md", summary="What we\n\n decided"), "What we decided"),
    ),
)
def test_the_second_line_says_what_is_special(each: Item, text: str) -> None:
    assert fact(each) == text


def test_a_filter_that_only_the_summary_holds_brings_the_summary_up() -> None:
    each = item("a.md", summary="About circuit breakers", reason=Reason("body", ("retry",)))
    assert fact(each) == reason_text(Reason("body", ("retry",)))
    assert fact(each, ("breakers",)) == "About circuit breakers"


def test_a_missing_file_has_no_age() -> None:
    assert text_of(item("gone.md", missing=True, age=0), 40)[0].strip() == "gone.md"


def test_a_heading_fills_its_line_with_a_rule() -> None:
    for width in range(120):
        assert width_of(heading_line(Heading(Tier.RELATED, "Related", 38), width)) == width
    text = "".join(piece.text for piece in heading_line(Heading(Tier.RELATED, "Related", 38), 20))
    assert text == " Related 38 ────────"
    single = "".join(piece.text for piece in heading_line(Heading(Tier.PRIMARY, "Primary", 1), 12))
    assert single == " Primary ───"
