"""Where a reader may want to go in a text: every line that holds something looked for, passages first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from knit_tui.find.passages import TermFinder
from knit_tui.model import Passage, QueryTerm


@dataclass(frozen=True, slots=True)
class Stop:
    """One line to stop at."""

    line: int
    """Its index."""
    passage: int | None = None
    """Index of the passage that it stands for."""


def matching_lines(lines: Sequence[str], terms: Iterable[str], words: Sequence[str]) -> tuple[int, ...]:
    """Indexes of the lines that hold one of ``terms``, as the index finds them, or one of ``words``.

    ``words`` are lower-case and found anywhere in a line, as a filter finds them.
    """
    body = "\n".join(lines)
    found: set[int] = set()
    finder = TermFinder([QueryTerm(term, 1.0) for term in terms])
    if occurrences := finder.find(body):
        starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        found.update(bisect_right(starts, each.offset) - 1 for each in occurrences)
    if words:
        lowered = (line.lower() for line in lines)
        found.update(line for line, text in enumerate(lowered) if any(word in text for word in words))
    return tuple(sorted(found))


def stops(passages: Sequence[Passage], matching: Sequence[int]) -> tuple[Stop, ...]:
    """The first matching line of each passage, in their order; then the other ones, on from there and round.

    A passage without one, as of an older text, is entered at its first line.
    """
    entered = [Stop(_first_match(passage, matching), place) for place, passage in enumerate(passages)]
    taken = {stop.line for stop in entered}
    left = [line for line in matching if line not in taken]
    following = bisect_left(left, entered[-1].line) if entered else 0
    return (*entered, *(Stop(line) for line in (*left[following:], *left[:following])))


def _first_match(passage: Passage, matching: Sequence[int]) -> int:
    place = bisect_left(matching, passage.start - 1)
    inside = place < len(matching) and matching[place] < passage.end
    return matching[place] if inside else passage.start - 1
