"""One row of the preview's text as a strip: bar, line number, and the part of the line that stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.strip import Strip

from knit_tui.faces.safe import ELLIPSIS
from knit_tui.faces.tui.preview.colours import Colours
from knit_tui.faces.tui.preview.document import Document
from knit_tui.faces.tui.preview.facts import end_text
from knit_tui.faces.tui.preview.layout import Layout, Part, shown_line
from knit_tui.faces.tui.preview.lines import joined, strip_of
from knit_tui.faces.tui.preview.marks import layered, marks
from knit_tui.faces.tui.preview.palette import Inks
from knit_tui.faces.tui.preview.selecting import Selection
from knit_tui.faces.tui.preview.stops import Stop

BAR = "▎"
_NUMBERS_FROM = 24
"""Cells of width from which there is room for line numbers."""
_LEAST_DIGITS = 3


def gutter_width(document: Document, width: int) -> int:
    """The cells to the left of the text in a view of ``width`` cells."""
    if width < _NUMBERS_FROM:
        return 2
    return 3 + max(_LEAST_DIGITS, len(str(len(document.lines))))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A document as it stands in a view."""

    document: Document
    layout: Layout
    colours: Colours
    inks: Inks
    column: int
    """Cells of each line that are out of sight to the left."""
    stop: Stop | None
    selection: Selection | None
    covered: int = 0
    """Cells at the right edge that the scroll bar stands in."""

    def row(self, row: int, width: int) -> Strip:
        """Row ``row`` of the text, exactly ``width`` cells; behind its end what is to be said there."""
        width, covered = max(0, width - self.covered), min(width, self.covered)
        gutter = min(gutter_width(self.document, width), width)
        if row >= self.layout.rows:
            at_end = row == self.layout.rows and self.document.truncated
            text = " " * gutter + end_text(self.document) if at_end else ""
            return strip_of(text, ((len(text), self.inks.style("note")),), width + covered, self.inks.style())
        part = self.layout.at(row)
        band, current = self._band(part.line)
        ground = "band" if band else ""
        fill = self.inks.style(ground=ground)
        bar = self.inks.style("bar-current" if current else "bar", ground=ground)
        number = self.inks.style("gutter-band" if band else "gutter", ground=ground)
        if current and self.stop is not None and self.stop.passage is None:
            number = self.inks.style("gutter-band", "strong", ground=ground)
        lead = BAR if band else " "
        if gutter_width(self.document, width) > 2 and not part.number:
            lead += f"{part.line + 1:>{gutter - 2}}"
        lead = lead.ljust(gutter)
        left = strip_of(lead, ((1, bar), (len(lead), number)), gutter, fill)
        return joined((left, *self._text(part, width - gutter, ground), Strip.blank(covered, fill)))

    def _band(self, line: int) -> tuple[bool, bool]:
        """Whether ``line`` has a bar, and whether that is the one of the current stop."""
        stop = self.stop
        holding = [place for place, p in enumerate(self.document.passages) if p.start <= line + 1 <= p.end]
        if stop is not None and stop.passage is None:
            return bool(holding) or line == stop.line, line == stop.line
        return bool(holding), stop is not None and stop.passage in holding

    def _text(self, part: Part, room: int, ground: str) -> Sequence[Strip]:
        text, styles = self._styled(part.line, ground)
        fill = self.inks.style(ground=ground)
        if part.number or part.end is not None:
            text = text[part.start : part.end]
            styles = [(end - part.start, style) for end, style in styles]
            hang = Strip.blank(max(0, min(part.hang, room)), fill)
            return hang, strip_of(text, styles, room - part.hang, fill)
        cut = part.line in self.document.left_out and self.layout.width is None
        if cut and room > 0 and len(text) > self.column + room:
            # The note at the end of the line is out of sight: say here that there is far more of it.
            mark = strip_of(ELLIPSIS, ((1, self.inks.style("note", ground=ground)),), 1, fill)
            return strip_of(text, styles, room - 1, fill, left=self.column), mark
        return (strip_of(text, styles, room, fill, left=self.column),)

    def _styled(self, line: int, ground: str) -> tuple[str, list[tuple[int, Style]]]:
        """The displayed text of a line, and (end, style) for all of it."""
        raw, shown = self.document.lines[line], shown_line(self.document, line)
        found = marks(raw, self.document.terms, self.document.words)
        runs = [
            (shown.shown_at(end), names) for end, names in layered(len(raw), self.colours.of(line), found)
        ]
        if len(shown.text) > shown.length:
            runs.append((len(shown.text), ("note",)))
        if self.selection is None or line not in self.selection.lines:
            return shown.text, [(end, self.inks.style(*names, ground=ground)) for end, names in runs]
        start, stop = self.selection.span(line, len(shown.text))
        return shown.text, [
            (min(end, edge), self.inks.style(*names, ground=place))
            for end, names in runs
            for edge, place in ((start, ground), (stop, "selection"), (end, ground))
        ]
