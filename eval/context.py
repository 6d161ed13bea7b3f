"""Does the Context Pack lead with the right document and keep the right ones beside it?

    python -m eval.context

Twelve tasks over 24 documents of an invented project, for knit's default ranking and for ``classic`` with the
same rules of the tiers. The figures are told, not judged; what must always hold of a pack is tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.corpora.notebook import ARCHIVE, PAGES, TASKS, Task
from eval.ours import Ours
from eval.pages import classic_ranking
from knit_tui.model import Tier
from knit_tui.organise.pack import arrange

Tiers = Mapping[str, Tier]
"""Path to tier of every match, in the order in which the pack is shown."""
PACK = (Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED)


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares over the tasks, 0 to 1."""

    primary_at_1: float
    """A document that may lead leads."""
    placed_recall: float
    """Of the documents that must stand in the pack, those that do."""
    role_precision: float
    """No document leads that must not."""
    archive_held_back: float
    """The archive stands in none of the first two tiers."""
    missed: tuple[str, ...]
    """Tasks that another document leads, or none."""


def measure(answers: Sequence[Tiers]) -> Figures:
    """The figures of the answers to ``TASKS``."""
    pairs = list(zip(TASKS, answers, strict=True))
    led = [(task, [rel for rel, tier in tiers.items() if tier is Tier.PRIMARY]) for task, tiers in pairs]
    missed = tuple(task.name for task, first in led if not set(first) & set(task.primary))
    wanted = [(rel, tiers) for task, tiers in pairs for rel in task.placed]
    return Figures(
        primary_at_1=1 - len(missed) / len(TASKS),
        placed_recall=sum(tiers.get(rel) in PACK for rel, tiers in wanted) / len(wanted),
        role_precision=sum(not set(first) & set(task.not_primary) for task, first in led) / len(led),
        archive_held_back=sum(tiers.get(ARCHIVE) not in PACK[:2] for tiers in answers) / len(answers),
        missed=missed,
    )


def our_tiers(knit: Ours, task: Task) -> Tiers:
    """The tiers of knit's default ranking; ``knit`` holds ``PAGES``."""
    return {row.rel: row.tier for row in knit.rows(task.messages)}


def classic_tiers(task: Task) -> Tiers:
    """The tiers of ``classic``."""
    ranking = classic_ranking(task.messages, PAGES)
    return {place.rel: place.tier for place in arrange(ranking.hits())}


def main() -> None:
    with Ours(PAGES) as knit:
        ours = [our_tiers(knit, task) for task in TASKS]
    print(f"{len(TASKS)} tasks, {len(PAGES)} documents")
    for name, answers in (("knit", ours), ("classic", [classic_tiers(task) for task in TASKS])):
        got = measure(answers)
        print(
            f"{name:8} leads rightly {got.primary_at_1:.3f}  in the pack {got.placed_recall:.3f}  "
            f"never led wrongly {got.role_precision:.3f}  "
            f"archive held back {got.archive_held_back:.3f}  missed {', '.join(got.missed) or 'nothing'}"
        )


if __name__ == "__main__":
    main()
