"""Does ``classic`` rank clearly better than the engine it replaced?

    python -m eval.classic

ranks an invented workspace for 21 tasks with known answers, with both engines in the same run, and says
what falls short of the bar. The rows of knit's default ranking are told beside them, without a bar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.corpora import harbour
from eval.corpora.harbour import Case
from eval.counting import counted_order
from eval.ours import Ours
from eval.pages import Order, Page, classic_order

TOP1, TOP1_GAIN = 0.80, 0.15
MRR, MRR_GAIN = 0.85, 0.10


@dataclass(frozen=True, slots=True)
class Result:
    """One engine over some cases."""

    top1: float
    mrr: float
    misses: tuple[str, ...]
    """Cases whose answer is not in the first place."""
    traps: tuple[str, ...]
    """Cases that put a document first which must not be."""
    degenerate: int
    """Cases in which at most one document matches: there is nothing to rank."""
    ranks: Mapping[str, int]
    """Place of the answer of each case, from 1; 0 when it is not found."""


def evaluate(engine: Order, pages: Sequence[Page], cases: Sequence[Case]) -> Result:
    """Run ``cases``, at least one, through ``engine``."""
    ranks: dict[str, int] = {}
    traps: list[str] = []
    degenerate = 0
    for case in cases:
        order = engine(case.messages, pages)
        ranks[case.name] = order.index(case.expected) + 1 if case.expected in order else 0
        degenerate += len(order) <= 1
        if order and order[0] in case.never_first:
            traps.append(case.name)
    return Result(
        top1=sum(rank == 1 for rank in ranks.values()) / len(cases),
        mrr=sum(1 / rank for rank in ranks.values() if rank) / len(cases),
        misses=tuple(name for name, rank in ranks.items() if rank != 1),
        traps=tuple(traps),
        degenerate=degenerate,
        ranks=ranks,
    )


def shortfalls(ours: Result, older: Result) -> list[str]:
    """What keeps ``ours`` from being clearly better than ``older``, one line each; empty when it is."""
    lost = [name for name in ours.misses if older.ranks[name] == 1]
    checks = (
        (ours.top1 >= TOP1, f"top-1 {ours.top1:.3f} is under {TOP1}"),
        (ours.top1 >= older.top1 + TOP1_GAIN, f"top-1 {ours.top1:.3f} is no gain on {older.top1:.3f}"),
        (ours.mrr >= MRR, f"MRR {ours.mrr:.3f} is under {MRR}"),
        (ours.mrr >= older.mrr + MRR_GAIN, f"MRR {ours.mrr:.3f} is no gain on {older.mrr:.3f}"),
        (not ours.traps, f"misled in {', '.join(ours.traps)}"),
        (not lost, f"solved before, not now: {', '.join(lost)}"),
        (ours.degenerate * 2 < len(ours.ranks), f"nothing to rank in {ours.degenerate} of {len(ours.ranks)}"),
    )
    return [text for holds, text in checks if not holds]


def main() -> None:
    pages, cases = harbour.PAGES, harbour.CASES
    ours = evaluate(classic_order, pages, cases)
    older = evaluate(counted_order, pages, cases)
    with Ours(pages) as knit:
        default = evaluate(lambda texts, _: [item.rel for item in knit.rows(texts)], pages, cases)
    print(f"{len(cases)} tasks, {len(pages)} documents")
    for name, result in (("classic", ours), ("counting", older), ("knit", default)):
        print(
            f"{name:9} top-1 {result.top1:.3f}  MRR {result.mrr:.3f}  misled {len(result.traps)}  "
            f"one match or none {result.degenerate}  missed {', '.join(result.misses) or 'nothing'}"
        )
    for line in shortfalls(ours, older):
        print(f"short: {line}")


if __name__ == "__main__":
    main()
