"""What the preview shows of one file: its lines and facts, or a card that says why there are none.

Values only; they are built in a worker thread and never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knit_tui.faces.tui.preview.stops import Stop
from knit_tui.model import Passage

LONGEST_LINE = 2_000
"""Characters of a line that are shown and highlighted."""
CHUNK = 64
"""Lines that are highlighted together."""
LEAD_IN = 40
"""Lines before a chunk that a lexer may see first."""
_WHOLE_LINES = 5_000
_WHOLE_CHARACTERS = 256 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one file. Lines are as the file has them, except that long ones are cut."""

    lines: Sequence[str]
    left_out: dict[int, int]
    """Index of a cut line: how many of its characters are left out."""
    characters: int
    widest: int
    """Cells of the widest line, at least; never much more."""
    total_bytes: int
    read_bytes: int
    encoding: str
    language: str | None
    """Pygments alias, or None when the text stays plain."""
    plain_reason: str = ""
    """``long-lines`` or ``large`` when the text stays plain although its language is known."""
    generated: bool = False
    hidden: bool = False
    """It holds characters that would not be seen, or would disturb the terminal."""
    passages: tuple[Passage, ...] = ()
    terms: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    """What a filter looks for, lower-case."""
    stops: tuple[Stop, ...] = ()
    """Where there is a term or a word, in the order in which they are visited."""
    prose: bool = False
    """Its lines are sentences rather than code."""
    form: str = ""
    """What else the file is besides a text, such as ``SVG image``: safe, translated text."""

    @property
    def truncated(self) -> bool:
        """Whether the file is longer than what was read."""
        return self.read_bytes < self.total_bytes

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """First and last line of each passage."""
        return tuple((passage.start, passage.end) for passage in self.passages)

    @property
    def small(self) -> bool:
        """Whether a lexer can be given the whole text at once."""
        return (
            not self.truncated
            and not self.left_out
            and len(self.lines) <= _WHOLE_LINES
            and self.characters <= _WHOLE_CHARACTERS
        )

    def window(self, chunk: int) -> tuple[int, int, int]:
        """For a chunk: first line for the lexer, first line of the chunk, end. Indexes, end exclusive.

        The lexer begins where a text most likely is at its outermost level: at the earliest line of
        the lead-in that is not indented and follows a blank line, else at one that is not indented.
        """
        start = chunk * CHUNK
        end = min(start + CHUNK, len(self.lines))
        earliest = max(0, start - LEAD_IN)
        if earliest == 0:
            return 0, start, end
        outermost = [line for line in range(earliest, start) if self.lines[line][:1].strip()]
        after_blank = [line for line in outermost if not self.lines[line - 1].strip()]
        return next(iter(after_blank or outermost), start), start, end


@dataclass(frozen=True, slots=True)
class Frame:
    """What a picture is drawn in."""

    box: tuple[int, int] | None
    """The most pixels it may take, a cell being one wide and two high; None where none can be drawn."""
    ground: tuple[int, int, int] = (0, 0, 0)
    """What shows through it."""
    few: bool = False
    """There are only the 256 colours of terminals."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture made to fit in a frame."""

    frame: Frame
    size: tuple[int, int]
    """Pixels of the picture itself."""
    drawn: tuple[int, int]
    """Pixels that are drawn."""
    pixels: bytes
    """Three bytes each, row by row."""
    total_bytes: int
    moving: bool = False
    """There are more pictures after this first one."""
    cut: bool = False
    """The file ends too early."""


@dataclass(frozen=True, slots=True)
class Card:
    """Shown instead of a text: what the file is, or why it is not shown. Safe, translated text."""

    headline: str
    details: tuple[str, ...] = ()
    picture: Picture | None = None
    """Shown instead of the words, where there is room for it."""
