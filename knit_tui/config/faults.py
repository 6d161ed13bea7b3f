"""What is wrong with a setting or the file it stands in; faces word it, and knit goes on without."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST = 8
"""Faults of one place that are told; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not used.

    ``place`` is a file or a variable, ``key`` the setting in it. Codes and their facts:
    ``unreadable`` (``why``), ``broken`` (``why``, ``line``, ``column``), ``too-long``, ``not-a-file``,
    ``link``, ``owner``, ``encoding``, ``dots`` (``line``), ``deep``, ``home``: of a whole file;
    ``unknown`` (``near``), ``table``, ``value`` (``value``, ``kind``, ``names``), ``program``, ``yours``:
    of a key; ``action`` (``near``), ``key-name`` (``value``), ``taken`` (``value``, ``by``): of a binding;
    ``more`` (``count``).
    """

    code: str
    place: str
    key: str = ""
    facts: tuple[tuple[str, str], ...] = ()


def few(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The first ``MOST`` faults of each place, and how many more it has."""
    told: list[Fault] = []
    counts: dict[str, int] = {}
    for fault in faults:
        counts[fault.place] = counts.get(fault.place, 0) + 1
        if counts[fault.place] <= MOST:
            told.append(fault)
    for place, count in counts.items():
        if count > MOST:
            told.append(Fault("more", place, "", (("count", str(count - MOST)),)))
    return tuple(told)
