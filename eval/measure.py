"""Clocks and a table; nothing here knows what is measured."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: what, our figure, the peer's figure if there is one, and the budget."""

    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    budget: str = ""


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process for one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_seconds(work: Callable[[], object]) -> float:
    """Seconds on the clock for one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best_seconds(work: Callable[[], object], times: int = 5) -> float:
    """The least CPU time of several calls: what the work costs when nothing disturbs it."""
    return min(cpu_seconds(work) for _ in range(times))


def median_seconds(work: Callable[[], object], times: int = 9) -> float:
    return statistics.median(cpu_seconds(work) for _ in range(times))


def peak_rss_mb() -> float:
    """The greatest resident size of this process so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ratio(ours: float, peer: float) -> str:
    return f"{ours / peer:.2f}x" if peer else ""


def table(title: str, rows: Iterable[Row]) -> str:
    """Aligned plain text."""
    cells = [("", "knit", "peer", "ratio", "budget")]
    cells += [(row.what, row.ours, row.peer, row.ratio, row.budget) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    return "\n".join([title, "-" * len(title), *lines, ""])
