"""Text from outside made fit for a terminal: nothing in it can move the cursor, hide or reorder.

Widths are terminal cells. Two rules hold for every function: the result has no control character
except, on request, a newline; and cutting never splits a wide character.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
CLOSING = "，。；：！？、）”’》」』…"
"""What no line may begin with."""
_REPLACEMENT = "\ufffd"
_ZWJ = "\u200d"
_VARIATION = ("\ufe0e", "\ufe0f")

# Everything that may need care; text without any of it (nearly all text) is returned as it is.
_SUSPECT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def safe_text(text: str, *, keep_newlines: bool = False, tab: int = 4) -> str:
    """``text`` with every control, bidirectional, invisible and unencodable character made visible.

    C0 controls become their pictures (U+2400 block), a tab becomes ``tab`` spaces, everything else
    that is invisible becomes U+FFFD. A zero-width joiner or variation selector stays where it
    belongs to an emoji. With ``keep_newlines`` a line feed stays a line feed.
    """
    if _SUSPECT.search(text) is None:
        return text
    out: list[str] = []
    for position, char in enumerate(text):
        code = ord(char)
        if char == "\n" and keep_newlines:
            out.append(char)
        elif char == "\t":
            out.append(" " * tab)
        elif code < 0x20:
            out.append(chr(0x2400 + code))
        elif code == 0x7F:
            out.append("\u2421")
        elif char == _ZWJ or char in _VARIATION:
            out.append(char if _joins(text, position) else _REPLACEMENT)
        elif _SUSPECT.match(char):
            out.append(_REPLACEMENT)
        else:
            out.append(char)
    return "".join(out)


def _joins(text: str, position: int) -> bool:
    before = text[position - 1] if position else ""
    after = text[position + 1] if position + 1 < len(text) else ""
    if text[position] == _ZWJ:
        return bool(before and after) and _pictograph(before) and _pictograph(after)
    return bool(before) and (_pictograph(before) or before in "#*0123456789")


def _pictograph(char: str) -> bool:
    return ord(char) >= 0x2190 and (unicodedata.category(char) in ("So", "Sk") or char in _VARIATION)


@lru_cache(maxsize=4096)
def _cell(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def cells(text: str) -> int:
    """How many terminal cells ``text`` (already safe, without newlines) takes."""
    if text.isascii():
        return len(text)
    return sum(map(_cell, text))


def cut(text: str, width: int) -> str:
    """The longest start of ``text`` that fits in ``width`` cells."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for position, char in enumerate(text):
        used += _cell(char)
        if used > width:
            return text[:position]
    return text


def pad(text: str, width: int) -> str:
    """``text`` with spaces on the right, in at least ``width`` cells."""
    return text + " " * (width - cells(text))


def shorten(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells, an ellipsis at the end when something is left out."""
    if cells(text) <= width:
        return text
    return cut(text, width - 1) + ELLIPSIS if width > 0 else ""
