"""Documents of an invented workspace, and how each engine ranks them for a conversation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from knit_tui.find import classic
from knit_tui.find.classic import ClassicDocument, ClassicRanking
from knit_tui.find.classic_keywords import keywords
from knit_tui.model import Kind

NOW_NS = 1_760_000_000 * 1_000_000_000
WRITTEN_NS = NOW_NS - 30 * 86_400 * 1_000_000_000
"""No page is newer than another, so that age decides nothing."""


class Page(NamedTuple):
    """A document as its author wrote it. Code and media have no title or summary of their own."""

    rel: str
    kind: Kind
    text: str = ""
    title: str = ""
    summary: str = ""


Order = Callable[[Sequence[str], Sequence[Page]], list[str]]
"""An engine: texts, newest first, and pages → paths of the pages that match, best first."""


def classic_documents(pages: Iterable[Page]) -> list[ClassicDocument]:
    """The pages as the ranking ``classic`` sees them."""
    return [
        classic.document(page.rel, page.kind, WRITTEN_NS, page.text, page.title, page.summary)
        for page in pages
    ]


def classic_ranking(texts: Sequence[str], pages: Iterable[Page]) -> ClassicRanking:
    """The ranking ``classic`` of the pages."""
    return classic.rank(keywords(texts), classic_documents(pages), NOW_NS)


def classic_order(texts: Sequence[str], pages: Sequence[Page]) -> list[str]:
    """The paths of that ranking."""
    return [hit.rel for hit in classic_ranking(texts, pages).hits()]


def lay(root: Path, pages: Iterable[Page]) -> None:
    """Write the pages below ``root``, Markdown with its title and summary at the top."""
    for page in pages:
        path = root / page.rel
        path.parent.mkdir(parents=True, exist_ok=True)
        head = [f"# {page.title}"] if page.title else []
        parts = [*head, *filter(None, (page.summary, page.text))]
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        os.utime(path, ns=(WRITTEN_NS, WRITTEN_NS))
