"""Reading program text from left to right: which line a place is on, and whether it is code at all."""

from __future__ import annotations

import re

C_COMMENTS = r"/(?:/[^\n]*+|\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))"
"""A comment of the C family. What is not closed runs to its end, so that no text is read twice."""
DOUBLE_QUOTED = r'"(?:[^"\\\n]++|\\.)*+"?'
SINGLE_QUOTED = r"'(?:[^'\\\n]++|\\.)*+'?"


class Lines:
    """Line numbers (from 1) of places that are asked for in ascending order.

    The text begins with a line end that is not part of the file.
    """

    __slots__ = ("_counted", "_line", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._counted = 0
        self._line = 0

    def at(self, place: int) -> int:
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line


class Opaque:
    """Whether places, asked for in ascending order, are inside a comment or a literal.

    Args:
        text: what is read; only as far as it is asked about.
        pattern: matches one comment or literal where code may stand, never nothing.
    """

    __slots__ = ("_end", "_pattern", "_start", "_text")

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self._text = text
        self._pattern = pattern
        self._start = self._end = 0

    def covers(self, place: int) -> bool:
        while self._end <= place:
            found = self._pattern.search(self._text, self._end)
            if not found:
                self._start = self._end = len(self._text) + 1
                break
            self._start, self._end = found.span()
        return self._start <= place
