"""Which part of which line stands in which row: one row a line, or long lines wrapped."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import get_character_cell_size

from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.facts import cut_text
from knit_tui.faces.tui.preview.lines import TAB, displayed

# What a wrapped line keeps clear below its start: its indentation, and the mark of a list or comment.
_HANG = re.compile(r" *(?:(?:[-*+•>#]|//|--|\d{1,3}[.)]) )?")
_MOST_HANG = 3
"""A wrapped line begins in the first of so many parts of the width."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A line as it is displayed."""

    text: str
    places: Sequence[int] | None
    """As `displayed` has them."""
    length: int
    """Characters of the text that are the line's own; what follows is a note that it was cut."""

    def shown_at(self, index: int) -> int:
        """The index into the text for one into the line."""
        return index if self.places is None else self.places[index]

    def raw_at(self, index: int) -> int:
        """The index into the line of what stands at ``index`` of the text."""
        if self.places is None:
            return min(index, self.length)
        return min(bisect_right(self.places, index), len(self.places)) - 1


def shown_line(document: Document, line: int) -> Shown:
    """Line ``line`` of ``document`` as it is displayed."""
    text, places = displayed(document.lines[line])
    left_out = document.left_out.get(line)
    note = " " + cut_text(left_out) if left_out else ""
    return Shown(text + note, places, len(text))


@dataclass(frozen=True, slots=True)
class Part:
    """What of a line stands in one row."""

    line: int
    number: int = 0
    """0 for the first part of the line."""
    start: int = 0
    end: int | None = None
    """Indexes into the displayed text; None for all the rest."""
    hang: int = 0
    """Cells left clear before it."""


class Layout:
    """The rows of one text. With a ``width`` of at least one cell, long lines are wrapped to it."""

    def __init__(self, document: Document, width: int | None = None) -> None:
        self._document = document
        self.width = width
        self._breaks: dict[int, tuple[int, ...]] = {}
        """By line that takes several rows: where each part begins."""
        self._hangs: dict[int, int] = {}
        if self.width is not None:
            for line, raw in enumerate(document.lines):
                if not _surely_fits(raw, self.width):
                    self._wrap(line, self.width)
        self.rows = len(document.lines)
        self._starts: Sequence[int] = range(self.rows + 1)
        """The first row of each line."""
        if self._breaks:
            one = (0,)
            heights = (len(self._breaks.get(line, one)) for line in range(self.rows))
            self._starts = list(accumulate(heights, initial=0))
            self.rows = self._starts[-1]

    def at(self, row: int) -> Part:
        """What stands in ``row``, one of ``rows``."""
        line = bisect_right(self._starts, row) - 1 if self._breaks else row
        breaks = self._breaks.get(line)
        if breaks is None:
            return Part(line)
        number = row - self._starts[line]
        end = breaks[number + 1] if number + 1 < len(breaks) else None
        return Part(line, number, breaks[number], end, self._hangs[line] if number else 0)

    def row_of(self, line: int, index: int = 0) -> int:
        """The row with character ``index`` of the displayed text of ``line``; ``rows`` behind the last."""
        if line not in self._breaks:
            return self._starts[min(line, len(self._starts) - 1)]
        return self._starts[line] + bisect_right(self._breaks[line], index) - 1

    def _wrap(self, line: int, width: int) -> None:
        raw = self._document.lines[line]
        plain = raw.isascii() and raw.isprintable() and line not in self._document.left_out
        text = raw if plain else shown_line(self._document, line).text
        match = _HANG.match(text)
        hang = min(match.end() if match is not None else 0, width // _MOST_HANG)
        breaks = wrapped_at(text, width, hang)
        if len(breaks) > 1:
            self._breaks[line] = breaks
            self._hangs[line] = hang


def _surely_fits(raw: str, width: int) -> bool:
    """Cheap; that it does not need not mean anything."""
    if len(raw) > width:
        return False
    tabs = raw.count("\t")
    return (len(raw) if raw.isascii() else 2 * len(raw)) + (TAB - 1) * tabs <= width


def wrapped_at(text: str, width: int, hang: int) -> tuple[int, ...]:
    """Where the rows of ``text``, a displayed line, begin: ``width`` cells wide, less ``hang`` but the first.

    A row ends behind a space or beside a wide character, if there is one in its second half, else at the
    edge. Every row but the last is full or ends so; none holds a part of a wide character.
    """
    starts = [0]
    at, room, length = 0, width, len(text)
    if text.isascii():
        while (end := at + max(1, room)) < length:
            at = end + 1 if text[end] == " " else text.rfind(" ", (at + end) // 2, end) + 1 or end
            if at < length:
                starts.append(at)
            room = width - hang
        return tuple(starts)
    edges = list(accumulate(map(get_character_cell_size, text)))
    used = 0
    while (end := max(at + 1, bisect_right(edges, used + room, at))) < length:
        at = _break(text, at, end)
        if at < length:
            starts.append(at)
        used, room = edges[at - 1], width - hang
    return tuple(starts)


def _break(text: str, at: int, end: int) -> int:
    size_of = get_character_cell_size
    if text[end] == " ":
        end += 1
        while end < len(text) and not size_of(text[end]):
            end += 1
        return end
    for place in range(end, max(at, (at + end) // 2 - 1), -1):
        before, here = text[place - 1], text[place]
        if (
            (before == " " and size_of(here))
            or size_of(here) == 2
            or (size_of(before) == 2 and size_of(here))
        ):
            return place
    return end
