"""The one line above the preview: which file, where in it, and what is to be known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.strip import Strip

from knit_tui.faces.tui.cells import plain, shorten_middle
from knit_tui.faces.tui.inked import Inked
from knit_tui.faces.tui.preview.facts import Fact
from knit_tui.faces.tui.preview.lines import strip_of
from knit_tui.faces.tui.preview.palette import TITLE_CLASSES, TITLE_CSS, Inks
from knit_tui.faces.tui.widgets.one_line import OneLine

_PATH_ROOM = 24
"""Cells a path keeps, if it has them, before a fact is shown beside it; the name of the file is not cut."""
_GAP = 2


class PreviewTitle(Inked):
    """Path and line span on the left, facts on the right."""

    DEFAULT_CSS = TITLE_CSS
    COMPONENT_CLASSES: ClassVar[set[str]] = set(TITLE_CLASSES)
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._path = ""
        self._span = ""
        self._facts: Sequence[Fact] = ()
        self._ends: list[tuple[Fact, int]] = []
        """The facts on the line, and their cells."""
        self._inks = Inks(self, "preview-title--")

    def show(self, path: str, span: str = "", facts: Sequence[Fact] = ()) -> None:
        """``path`` as it is in the workspace, ``span`` such as ``:41-44``."""
        self._path, self._span, self._facts = plain(path), span, facts
        self.refresh()

    def notify_style_update(self) -> None:
        self._inks.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        room = max(0, width - 2)
        name_cells = cell_len(self._path) + len(self._span)
        file_name = self._path.rpartition("/")[2]
        least = max(_PATH_ROOM, 2 * cell_len(file_name) + 2 + len(self._span))
        placed = _placed(self._facts, room - min(name_cells, least) - _GAP)
        right = (" " * _GAP).join(text for _fact, text in placed)
        left_room = room - (cell_len(right) + _GAP if right else 0)
        span = self._span if len(self._span) < left_room else ""
        path = shorten_middle(self._path, left_room - len(span))
        gap = room - cell_len(path) - len(span) - cell_len(right)
        text = " " + path + span + " " * gap + right + " "
        ends = (1 + len(path), 1 + len(path) + len(span), len(text))
        styles = [
            (end, self._inks.style(name)) for end, name in zip(ends, ("path", "span", "facts"), strict=True)
        ]
        self._ends = [(fact, cell_len(shown)) for fact, shown in placed]
        return strip_of(text, styles, width, self._inks.style())

    def on_click(self, event: events.Click) -> None:
        event.stop()
        end = self.size.width - 1
        for fact, cells in reversed(self._ends):
            if end - cells <= event.x < end and fact.action:
                self.post_message(OneLine.Pressed(fact.action))
            end -= cells + _GAP


def fitting(facts: Sequence[Fact], room: int) -> list[str]:
    """The facts, as text, that fit in ``room`` cells with gaps between them; light ones give way first."""
    return [text for _fact, text in _placed(facts, room)]


def _placed(facts: Sequence[Fact], room: int) -> list[tuple[Fact, str]]:
    texts = {place: fact.text for place, fact in enumerate(facts)}
    by_weight = sorted(texts, key=lambda place: facts[place].weight)

    def too_wide() -> bool:
        return sum(map(cell_len, texts.values())) + _GAP * (len(texts) - 1) > room

    for place in by_weight:
        if too_wide() and facts[place].short:
            texts[place] = facts[place].short
    for place in by_weight:
        if too_wide():
            del texts[place]
    return [(facts[place], text) for place, text in texts.items()]
