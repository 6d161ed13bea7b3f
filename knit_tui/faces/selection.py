"""Which rows of a Snapshot a headless face shows."""

from __future__ import annotations

from dataclasses import dataclass

from knit_tui.model import Item, Snapshot, Tab, View

DEFAULT_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Selection:
    """The first rows of a view. ``left_out`` rows of it come after them."""

    view: View
    items: tuple[Item, ...]
    left_out: int


def select(snapshot: Snapshot, tab: Tab, limit: int = DEFAULT_LIMIT) -> Selection:
    """The first ``limit`` rows of ``tab``. The order never depends on ``limit``.

    A typed query that holds nothing to search for selects nothing: newest files are no answer to it.
    """
    view = snapshot.views[tab]
    rows = () if snapshot.query.source == "typed" and not snapshot.query.terms else view.items
    return Selection(view, rows[:limit], len(rows) - len(rows[:limit]))
