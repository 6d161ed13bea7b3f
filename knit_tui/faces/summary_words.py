"""Where the documents of a view went, as numbers that add up: no score, no share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from knit_tui.faces.i18n import _
from knit_tui.model import Mode, Snapshot, Tier, View

BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class Summary:
    """The facts of one view; ``collected`` = ``excluded`` + ``candidates``."""

    collected: int
    excluded: int
    candidates: int
    ranked: bool
    """Whether there is anything to rank by; if not, nothing below it means anything but ``pinned``."""
    signals: tuple[str, ...]
    """As in `Snapshot`."""
    relations: int
    """Of the documents in the pack, each as often as it has some."""
    pinned: int
    packed: int
    """Documents in the three tiers."""


def summary_of(snapshot: Snapshot, view: View) -> Summary:
    """The facts of ``view``."""
    # A view begins with its tiers; what stands below them may be a whole workspace.
    placed = [*takewhile(lambda item: item.tier is not Tier.OTHER, view.items)]
    packed = [item for item in placed if item.number is not None]
    return Summary(
        collected=view.total + view.excluded,
        excluded=view.excluded,
        candidates=view.total,
        ranked=view.mode is Mode.RELEVANCE,
        signals=snapshot.signals,
        relations=sum(item.related for item in packed),
        pinned=sum(item.tier is Tier.PINNED for item in placed),
        packed=len(packed),
    )


def summary_groups(summary: Summary) -> tuple[str, ...]:
    """Three groups: what there is, how it is ordered, what came of it; two when there is no order."""
    pool = (
        _("collected {count}").format(count=f"{summary.collected:,}"),
        _("excluded {count}").format(count=f"{summary.excluded:,}"),
        _("candidates {count}").format(count=f"{summary.candidates:,}"),
    )
    pinned = _("pinned {count}").format(count=f"{summary.pinned:,}")
    if not summary.ranked:
        return BETWEEN.join(pool), BETWEEN.join((_("newest first"), pinned))
    order = (
        signals_text(summary.signals),
        _("relations {count}").format(count=f"{summary.relations:,}"),
        pinned,
    )
    packed = _("in pack {count}").format(count=f"{summary.packed:,}")
    return BETWEEN.join(pool), BETWEEN.join(order), packed


def signals_text(signals: tuple[str, ...]) -> str:
    """What takes part in the order."""
    texts = {"words": _("words"), "history": _("history"), "classic": _("classic")}
    return " + ".join(texts.get(signal, signal) for signal in signals)
