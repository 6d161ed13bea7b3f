"""What a row says of the agent and its document, at every width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from rich.cells import cell_len

from knit_tui.faces import usage_words
from knit_tui.faces.tui.pieces import Piece, width_of
from knit_tui.faces.tui.usage_rows import Columns, line_rows
from knit_tui.faces.tui.widgets.rows import Density, Look, height, item_lines
from knit_tui.faces.usage_lines import lines
from knit_tui.faces.usage_words import GLYPHS, Mark, Seen, lacks_signs, seen, seen_texts
from knit_tui.model import Change, Counts, DocumentUsage, Item, Status
from tests.panel import sample, sample_usage
from tests.panel.sample import HOUR, MINUTE, NOW, SECOND
from tests.panel.sample_usage import edit, read, usage, used


@pytest.fixture(autouse=True)
def signs() -> Iterator[None]:
    yield
    usage_words.use_ascii(False)


def joined(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


# Marks.


def test_every_sign_is_one_cell_wide_in_every_terminal() -> None:
    assert set(GLYPHS) == set(Mark)
    for signs in GLYPHS.values():
        for sign in signs:
            assert len(sign) == cell_len(sign) == 1
            assert unicodedata.east_asian_width(sign) in ("N", "Na"), sign
    assert all(plain.isascii() for _sign, plain in GLYPHS.values())
    for column in (0, 1):
        assert len({signs[column] for signs in GLYPHS.values()}) == len(GLYPHS)


@pytest.mark.parametrize(
    ("environ", "encoding", "lacks"),
    (
        ({"TERM": "xterm-256color"}, "utf-8", False),
        ({}, "UTF-8", False),
        ({"TERM": "linux"}, "utf-8", True),
        ({"TERM": "xterm"}, "ascii", True),
        ({"TERM": "xterm"}, "gb18030", True),
        ({}, None, True),
    ),
)
def test_where_only_ascii_can_be_trusted(environ: dict[str, str], encoding: str | None, lacks: bool) -> None:
    assert lacks_signs(environ, encoding) is lacks


def test_ascii_signs_are_drawn_when_asked() -> None:
    usage_words.use_ascii(True)
    assert seen_texts(Seen(Mark.READ), NOW) == ("o read", "o")
    for group in lines(usage(), NOW, per_group=5):
        for line in group:
            assert joined(line_rows(line, Columns.of([line], 80), 80)[0]).isascii() or line.coverage


RETRY = used("a", Status.READ, reads=[read("a", 1, 2 * MINUTE)])


@pytest.mark.parametrize(
    ("found", "tiered", "texts"),
    (
        (None, False, ()),
        (None, True, ("◌ unread", "◌")),
        (used("a", Status.UNREAD), True, ("◌ unread", "◌")),
        (used("a", Status.UNREAD), False, ()),
        (RETRY, False, ("◉ read 2m", "◉ read", "◉")),
        (replace(RETRY, counts=Counts(reads=3)), True, ("◉ read 2m x3", "◉ read 2m", "◉ read", "◉")),
        (used("a", Status.READ, reads=[read("a", 1, None)], times=2), True, ("◉ read x2", "◉ read", "◉")),
        (
            used("a", Status.UPDATED, Change.OTHER, reads=[read("a", 1, HOUR)]),
            True,
            ("∆ updated after read", "∆ updated", "∆"),
        ),
        (
            used("a", Status.UPDATED, Change.AGENT, reads=[read("a", 1, HOUR)], edits=[edit("a", 2, MINUTE)]),
            True,
            ("✎ edited 1m", "✎ edited", "✎"),
        ),
        (
            used("a", Status.UNREAD, edits=[edit("a", 2, 5 * SECOND)]),
            False,
            ("✎ edited now", "✎ edited", "✎"),
        ),
        (
            used("a", Status.READ, reads=[read("a", 3, HOUR)], edits=[edit("a", 2, 2 * HOUR)]),
            False,
            ("◉ read 1h", "◉ read", "◉"),
        ),
        (
            used("a", Status.REREAD, reads=[read("a", 1, HOUR), read("a", 2, 4 * MINUTE)]),
            True,
            ("↻ re-read after update 4m x2", "↻ re-read 4m x2", "↻ re-read 4m", "↻ re-read", "↻"),
        ),
        (
            used("a", Status.GONE, Change.OTHER, reads=[read("a", 1, HOUR)]),
            True,
            ("✕ gone since", "✕ gone", "✕"),
        ),
    ),
)
def test_the_mark_of_a_document(found: DocumentUsage | None, tiered: bool, texts: tuple[str, ...]) -> None:
    mark = seen(found, tiered=tiered)
    assert (seen_texts(mark, NOW) if mark else ()) == texts


# Marks in rows.


def row_texts(each: Item, width: int, *, by_time: bool = False) -> list[str]:
    look = Look(width, NOW, by_time=by_time, usage=usage().documents)
    return [joined(line) for line in item_lines(each, look, pinned=each.pinned, out=False)]


@pytest.mark.parametrize("by_time", (False, True))
def test_marks_keep_rows_as_wide_and_as_high_as_they_were(by_time: bool) -> None:
    bare = sample.item("src/courier/queue/worker.py")
    for each in (*sample.PACK, *sample.OTHERS, *sample.PICTURES, sample.SECRET, bare):
        for width in range(201):
            look = Look(width, NOW, by_time=by_time, usage=usage().documents)
            found = item_lines(each, look, pinned=each.pinned, out=False)
            assert len(found) == height(each, Density.at(width))
            assert all(width_of(line) == max(0, width - 1) for line in found), (each.rel, width)


def test_the_mark_stands_at_the_right_of_the_fact_and_gives_way_to_it() -> None:
    assert row_texts(sample.RETRY, 60)[1] == "   file name: retry; also: backoff, jitter     ◉ read 2m x3"
    assert row_texts(sample.GUIDE, 70)[1].endswith("also: backoff           ∆ updated after read")
    assert row_texts(sample.GUIDE, 50)[1] == "   title: retry, jitter; also: backoff  ∆ updated"
    assert row_texts(sample.RETRY, 50)[1] == "   file name: retry; also: backoff…  ◉ read 2m x3"
    assert row_texts(sample.GUIDE, 40)[1] == "   title: retry, jitter; al…  ∆ updated"
    assert row_texts(sample.PINNED, 22)[1] == "   pinned by you    ◌"
    assert row_texts(sample.RETRY, 19) == [" retry.py        ◉"]


def test_a_row_without_a_fact_has_the_mark_on_its_only_line() -> None:
    bare = sample.item(sample_usage.FAR, age=3 * HOUR)
    assert row_texts(bare, 60)[0].rstrip().endswith("src/courier/queue               ◉ read 1h  3h")
    assert row_texts(bare, 60, by_time=True)[0].endswith("◉ read 1h")


def test_unread_is_said_in_tiers_only_and_nothing_while_it_is_off() -> None:
    assert "unread" in row_texts(sample.SETTINGS, 80)[1]
    assert "unread" not in "".join(row_texts(sample.OTHERS[0], 80))
    look = Look(80, NOW)
    off = "".join(map(joined, item_lines(sample.RETRY, look, pinned=False, out=False)))
    assert not any(sign in off for sign, _plain in GLYPHS.values())
