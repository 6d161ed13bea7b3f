"""Is an answer found that stands deep inside a file, and are its very lines shown?

    python -m eval.deep

Six workspaces with one question each, for ``classic``, for ``classic`` with texts cut where an older engine
cut them, and for knit's default ranking. The measures are shares of the six.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from eval.classic_passages import passages
from eval.corpora.depths import ARCHIVE, CASES, Depth
from eval.ours import Ours
from eval.pages import Page, classic_ranking
from knit_tui.find.classic_keywords import keywords
from knit_tui.model import Passage, Tier
from knit_tui.organise.pack import arrange

LEGACY_BODY = 2_500
"""Characters of a text that an older engine looked at."""
EXAMINED = 24
"""Best hits that get passages."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine says to a question: paths, best first, passages of the target, the two first tiers."""

    order: tuple[str, ...]
    passages: tuple[Passage, ...]
    first_tiers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Metrics:
    """Shares of the cases, 0 to 1."""

    deep_hit_rate: float
    """The target matches."""
    passage_hit_at_1: float
    """The first file is the target and its passages cover all wanted lines."""
    passage_recall: float
    """The passages of the target cover all wanted lines."""
    long_doc_noise_rate: float
    """The archive is in primary or supporting."""


def classic_answer(case: Depth, limit: int | None = None) -> Answer:
    """``classic`` and its passages; ``limit`` cuts each text."""
    pages = [_as_file(page) for page in case.pages()]
    cut = [page._replace(text=page.text[:limit]) for page in pages]
    ranking = classic_ranking((case.question,), cut)
    hits = ranking.hits()
    first = {place.rel for place in arrange(hits) if place.tier in (Tier.PRIMARY, Tier.SUPPORTING)}
    target = cut[0]
    examined = target.rel in [hit.rel for hit in hits[:EXAMINED]]
    found = passages(target.text, target.kind, keywords((case.question,))) if examined else ()
    return Answer(tuple(hit.rel for hit in hits), found, frozenset(first))


def our_answer(case: Depth) -> Answer:
    """The rows of knit's default ranking."""
    with Ours(case.pages()) as knit:
        rows = knit.rows((case.question,))
    first = frozenset(row.rel for row in rows if row.tier in (Tier.PRIMARY, Tier.SUPPORTING))
    found = tuple(passage for row in rows if row.rel == case.target.rel for passage in row.passages)
    return Answer(tuple(row.rel for row in rows), found, first)


def measure(answers: Sequence[Answer]) -> Metrics:
    """The measures over the answers to ``CASES``."""
    pairs = list(zip(CASES, answers, strict=True))
    covered = [_covers(answer.passages, case.lines) for case, answer in pairs]
    leads = [answer.order[:1] == (case.target.rel,) for case, answer in pairs]
    return Metrics(
        deep_hit_rate=_share([case.target.rel in answer.order for case, answer in pairs]),
        passage_hit_at_1=_share([lead and cover for lead, cover in zip(leads, covered, strict=True)]),
        passage_recall=_share(covered),
        long_doc_noise_rate=_share([ARCHIVE in answer.first_tiers for answer in answers]),
    )


def _as_file(page: Page) -> Page:
    """The page with the text its file has: title and summary stand at the top of it."""
    head = "\n\n".join(filter(None, (page.title and f"# {page.title}", page.summary)))
    return page._replace(text=f"{head}\n\n{page.text}") if head else page


def _covers(found: Sequence[Passage], lines: Sequence[int]) -> bool:
    return all(any(passage.start <= line <= passage.end for passage in found) for line in lines)


def _share(holds: Sequence[bool]) -> float:
    return sum(holds) / len(holds)


def main() -> None:
    engines = {
        "classic": [classic_answer(case) for case in CASES],
        "classic, cut": [classic_answer(case, LEGACY_BODY) for case in CASES],
        "knit": [our_answer(case) for case in CASES],
    }
    print(f"{len(CASES)} questions")
    for name, answers in engines.items():
        metrics = measure(answers)
        cells = [f"{field.name} {getattr(metrics, field.name):.3f}" for field in fields(metrics)]
        print(f"{name:13} " + "  ".join(cells))


if __name__ == "__main__":
    main()
