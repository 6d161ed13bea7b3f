"""How list and preview share the panel: by its size, and what the user chose. Knows no widget."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import ceil

NARROW, WIDE, BROAD = 60, 100, 160
"""Columns from which on a panel is of the next class."""
TALL = 18
"""Lines under which list and preview do not stand one above the other."""
LOW, LOWEST = 6, 3
"""Lines under which the header leaves, and every bar."""
LEAST, MOST = 200, 800
"""Thousandths of the room that the list may take."""
_WHOLE = 1000


class Form(Enum):
    """Where list and preview stand."""

    ONE = "one"
    """Only one of them at a time."""
    STACKED = "stacked"
    BESIDE = "beside"


def width_class(width: int) -> str:
    """The name of the class that a panel of ``width`` columns belongs to; choices are kept for each."""
    if width < NARROW:
        return "narrow"
    return "middle" if width < WIDE else "wide" if width < BROAD else "broad"


def forms(width: int) -> tuple[Form, Form]:
    """The usual form at that width, and the other one."""
    if width < NARROW:
        return Form.ONE, Form.STACKED
    return (Form.STACKED, Form.BESIDE) if width < WIDE else (Form.BESIDE, Form.STACKED)


def wanted_form(width: int, chosen: Mapping[str, str]) -> Form:
    """The form for that width; ``chosen`` are values of forms by class of width."""
    usual, other = forms(width)
    return other if chosen.get(width_class(width)) == other.value else usual


def form_of(width: int, height: int, chosen: Mapping[str, str]) -> Form:
    """The form in a panel of that size: the one that is wanted, as far as there is room for it."""
    form = wanted_form(width, chosen)
    return Form.ONE if form is Form.STACKED and height < TALL else form


def share_of(cells: int, room: int) -> int:
    """``cells`` of ``room`` in thousandths, no less than `LEAST` and no more than `MOST`."""
    return max(LEAST, min(ceil(cells * _WHOLE / room), MOST)) if room > 0 else LEAST


def cells_of(share: int, room: int) -> int:
    """How many cells of ``room`` a share is."""
    return share * room // _WHOLE


def percent_of(share: int) -> str:
    """A share for the stylesheet; half a thousandth more, as it rounds down."""
    return f"{share / 10 + 0.05:.2f}%"
