"""What the keys of movement do in the list and in the preview."""

from __future__ import annotations

from collections.abc import Callable

from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.widgets.result_list import ResultList

_FAR = 10**9

MOVES: dict[str, tuple[Callable[[ResultList], None], Callable[[PreviewPane], None]]] = {
    "down": (lambda results: results.move(1), lambda preview: preview.scroll_lines(1)),
    "up": (lambda results: results.move(-1), lambda preview: preview.scroll_lines(-1)),
    "page_down": (lambda results: results.move_page(1), lambda preview: preview.scroll_page(1)),
    "page_up": (lambda results: results.move_page(-1), lambda preview: preview.scroll_page(-1)),
    "top": (lambda results: results.to_top(), lambda preview: preview.scroll_lines(-_FAR)),
    "bottom": (lambda results: results.move_to_end(1), lambda preview: preview.scroll_lines(_FAR)),
    "next_tier": (lambda results: results.move_tier(1), lambda preview: preview.next_match(1)),
    "previous_tier": (lambda results: results.move_tier(-1), lambda preview: preview.next_match(-1)),
}
SCROLLS: dict[str, Callable[[PreviewPane], object]] = {
    "down": lambda preview: preview.scroll_lines(3),
    "up": lambda preview: preview.scroll_lines(-3),
    "half_down": lambda preview: preview.scroll_half_page(1),
    "half_up": lambda preview: preview.scroll_half_page(-1),
    "left": lambda preview: preview.scroll_columns(-1),
    "right": lambda preview: preview.scroll_columns(1),
    "next_match": lambda preview: preview.next_match(1),
    "previous_match": lambda preview: preview.next_match(-1),
}
