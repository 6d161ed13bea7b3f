"""Text chosen with the mouse: pressed, dragged, handed over on release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.timer import Timer

from knit_tui.faces.safe import safe_text
from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.layout import shown_line

Point = tuple[int, int]
"""Index of a line, and of a character of its displayed text."""
_LEFT = 1
"""The button of the mouse."""
_DRAG_EVERY = 0.05
"""Seconds between two steps while the pointer is above or below the text."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The characters from ``first`` to ``last``, both included."""

    first: Point
    last: Point

    @classmethod
    def between(cls, one: Point, other: Point) -> Selection:
        """Of two points in any order."""
        return cls(min(one, other), max(one, other))

    @property
    def lines(self) -> range:
        return range(self.first[0], self.last[0] + 1)

    def span(self, line: int, length: int) -> tuple[int, int]:
        """What it holds of ``line``, a displayed text of ``length`` characters: start, and end exclusive."""
        if line not in self.lines:
            return 0, 0
        start = self.first[1] if line == self.first[0] else 0
        end = self.last[1] + 1 if line == self.last[0] else length
        return min(start, length), min(end, length)


@dataclass(frozen=True, slots=True)
class Extract:
    """A part of a text as it may be handed on: hidden characters made visible, tabs as they are."""

    text: str
    start: int
    end: int
    """The lines it is from, from 1, inclusive."""
    cut: bool = False
    """Of a line that was too long there is only the start."""


def chosen(document: Document, selection: Selection) -> Extract:
    """What ``selection`` holds of ``document``, without notes."""
    out: list[str] = []
    cut = False
    for line in selection.lines:
        shown = shown_line(document, line)
        start, end = selection.span(line, len(shown.text))
        # A joiner joins nothing at the end of what is taken.
        taken = document.lines[line][shown.raw_at(start) : shown.raw_at(end)].rstrip("\u200d")
        out.append(taken)
        cut = cut or (line in document.left_out and end > shown.length)
    return Extract(_handed_on(out), selection.lines.start + 1, selection.lines.stop, cut)


def passage_text(document: Document, first: int, last: int) -> Extract:
    """Lines ``first`` to ``last`` of ``document``, from 1, inclusive."""
    lines = document.lines[first - 1 : last]
    cut = any(first <= line + 1 <= last for line in document.left_out)
    return Extract(_handed_on(lines), first, last, cut)


def _handed_on(lines: Sequence[str]) -> str:
    return "\n".join("\t".join(map(safe_text, line.split("\t"))) for line in lines)


class SelectingView(ScrollView, can_focus=True, inherit_bindings=False):
    """A view of text in which the mouse selects, also beyond what is in sight."""

    class Selected(Message):
        """The user let go of a selection."""

        def __init__(self, extract: Extract) -> None:
            super().__init__()
            self.extract = extract

    def __init__(self) -> None:
        super().__init__()
        self.selection: Selection | None = None
        self._anchor: Point | None = None
        """Where the button went down, while it is."""
        self._pointer = (0, 0)
        self._drag: Timer | None = None

    # What a subclass has

    @property
    def document(self) -> Document | None:
        raise NotImplementedError

    def point_at(self, x: int, y: int) -> Point:
        """The character at a cell of the view, or the nearest one."""
        raise NotImplementedError

    def scroll_lines(self, lines: int) -> None:
        raise NotImplementedError

    def redraw_lines(self, lines: range) -> None:
        """Draw these again."""
        raise NotImplementedError

    # The mouse

    def unselect(self) -> None:
        """Let nothing be selected."""
        self._let_go()
        if self.selection is not None:
            self._select(None)

    def _select(self, selection: Selection | None) -> None:
        before, self.selection = self.selection, selection
        for each in {before, selection} - {None}:
            assert each is not None
            self.redraw_lines(each.lines)

    def _let_go(self) -> None:
        if self._anchor is not None:
            self._anchor = None
            self.release_mouse()
        if self._drag is not None:
            self._drag.stop()
            self._drag = None

    @on(events.MouseDown)
    def _press(self, event: events.MouseDown) -> None:
        self.unselect()
        if event.button == _LEFT and self.document is not None:
            self._anchor = self.point_at(event.x, event.y)
            self.capture_mouse()

    @on(events.MouseMove)
    def _move(self, event: events.MouseMove) -> None:
        if self._anchor is None or self.document is None:
            return
        self._pointer = (event.x, event.y)
        self._reach(self._anchor)
        if self._beyond and self._drag is None:
            self._drag = self.set_interval(_DRAG_EVERY, self._drag_on)

    @on(events.MouseUp)
    def _release(self) -> None:
        dragged = self._anchor is not None
        self._let_go()
        if dragged and self.selection is not None and self.document is not None:
            self.post_message(self.Selected(chosen(self.document, self.selection)))

    @on(events.Blur)
    def _left(self) -> None:
        self.unselect()

    @property
    def _beyond(self) -> int:
        """How many rows the pointer is below the view; negative above."""
        y = self._pointer[1]
        return min(0, y) + max(0, y - self.size.height + 1)

    def _drag_on(self) -> None:
        if self._anchor is not None and self.document is not None and self._beyond:
            self.scroll_lines(self._beyond)
            self._reach(self._anchor)

    def _reach(self, anchor: Point) -> None:
        x, y = self._pointer
        point = self.point_at(x, max(0, min(y, self.size.height - 1)))
        if self.selection is not None or point != anchor:
            self._select(Selection.between(anchor, point))
