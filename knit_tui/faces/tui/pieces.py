"""Styled pieces of one line, before they become the segments of a strip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from knit_tui.faces.tui.cells import cut


class Piece(NamedTuple):
    """A run of safe text in one style."""

    text: str
    style: str = ""
    """Name of a component style, without the prefix of its widget; empty for the widget's own style."""
    action: str = ""
    """Id of the action a click runs."""
    match: bool = False
    """The text is something the filter looks for."""


def width_of(pieces: Iterable[Piece]) -> int:
    return sum(cell_len(piece.text) for piece in pieces)


def to_width(pieces: Iterable[Piece], width: int) -> list[Piece]:
    """``pieces`` cut, or filled with spaces, to exactly ``width`` cells."""
    out: list[Piece] = []
    room = max(0, width)
    for piece in pieces:
        size = cell_len(piece.text)
        if size > room:
            piece = piece._replace(text=cut(piece.text, room))
            size = cell_len(piece.text)
            if piece.text:
                out.append(piece)
            room -= size
            break
        if piece.text:
            out.append(piece)
        room -= size
    if room:
        out.append(Piece(" " * room))
    return out


def with_matches(text: str, style: str, terms: Sequence[str]) -> list[Piece]:
    """``text`` as pieces, those that equal one of the lower-case ``terms`` marked."""
    folded = text.lower()
    if not terms or len(folded) != len(text):
        return [Piece(text, style)]
    spans: list[tuple[int, int]] = []
    for term in terms:
        start = folded.find(term)
        while start >= 0:
            spans.append((start, start + len(term)))
            start = folded.find(term, start + len(term))
    out: list[Piece] = []
    done = 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        start = max(start, done)
        out.append(Piece(text[done:start], style))
        out.append(Piece(text[start:end], style, match=True))
        done = end
    out.append(Piece(text[done:], style))
    return [piece for piece in out if piece.text]
