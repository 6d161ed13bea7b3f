"""Text cut and padded for strips, in the cells Textual counts.

Every function takes text that ``plain`` has made safe, gives text whose ``cell_len`` is known, and
never splits a wide character or parts a mark from its letter.
"""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size

from knit_tui.faces.safe import CLOSING, ELLIPSIS, safe_text

_JOINERS = str.maketrans("", "", "\u200d\ufe0e\ufe0f")
_CHARACTERS_PER_CELL = 8
"""How many characters one cell may take before the rest counts as cut: bounds the work for stacked marks."""

_LINE = 4096
_OPENING = "（“‘《「『"
"""What no line may end with."""


def plain(text: str) -> str:
    """``text`` safe, and with emoji sequences as their separate signs.

    Terminals disagree on the width of joined emoji, and agree on that of each sign alone; a row
    that one of them draws too long would push everything to its right out of place.
    """
    return safe_text(text).translate(_JOINERS)


def one_line(text: str) -> str:
    """The start of ``text`` plain, every run of white space as one space; longer than any line."""
    return plain(" ".join(text[:_LINE].split()))


def cut(text: str, room: int) -> str:
    """The longest start of ``text`` that takes at most ``room`` cells."""
    if room <= 0:
        return ""
    if text.isascii():
        return text[:room]
    text = text[: room * _CHARACTERS_PER_CELL]
    if cell_len(text) <= room:
        return text
    used = 0
    for position, char in enumerate(text):
        used += get_character_cell_size(char)
        if used > room:
            return text[:position]
    return text


def cut_start(text: str, room: int) -> str:
    """The longest end of ``text`` that takes at most ``room`` cells."""
    if room <= 0:
        return ""
    if text.isascii():
        return text[-room:]
    text = text[-room * _CHARACTERS_PER_CELL :]
    used = 0
    start = len(text)
    for position in reversed(range(len(text))):
        size = get_character_cell_size(text[position])
        if size:
            used += size
            if used > room:
                break
            start = position
    return text[start:]


def fits(text: str, room: int) -> bool:
    """Whether ``text`` takes at most ``room`` cells; cheap for text of any length."""
    if len(text) > max(0, room) * _CHARACTERS_PER_CELL:
        return False
    return cell_len(text) <= room


def shorten(text: str, room: int) -> str:
    """``text`` in at most ``room`` cells, with an ellipsis at the end when something is left out."""
    if fits(text, room):
        return text
    return cut(text, room - 1) + ELLIPSIS if room > 0 else ""


def shorten_middle(text: str, room: int) -> str:
    """``text`` in at most ``room`` cells, the ellipsis in the middle: both ends of a path tell something."""
    if fits(text, room):
        return text
    if room <= 1:
        return ELLIPSIS if room == 1 else ""
    tail = cut_start(text, (room - 1) // 2)
    return cut(text, room - 1 - cell_len(tail)) + ELLIPSIS + tail


def pad(text: str, room: int) -> str:
    """``text`` in exactly ``room`` cells: shortened, or filled with spaces on the right."""
    text = shorten(text, room)
    return text + " " * (room - cell_len(text))


def wrap(text: str, room: int) -> list[str]:
    """``text`` in lines of at most ``room`` cells, broken at spaces and beside wide characters."""
    if room <= 1:
        return []
    lines: list[str] = []
    while not fits(text, room):
        widest = len(cut(text, room))
        end = next((at for at in range(widest, 0, -1) if _breaks(text, at)), widest)
        lines.append(text[:end].rstrip(" "))
        text = text[end:].lstrip(" ")
    return [*lines, text]


def _breaks(text: str, at: int) -> bool:
    """Whether a line may end before ``text[at]``."""
    before, after = text[at - 1], text[at]
    if " " in (before, after):
        return True
    wide = 2 in (get_character_cell_size(before), get_character_cell_size(after))
    return wide and get_character_cell_size(after) > 0 and after not in CLOSING and before not in _OPENING
