"""A folder, the place of its cache, and libraries over both."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knit_tui.engine.build import Builders
from knit_tui.engine.library import Library
from knit_tui.engine.store import Store
from knit_tui.find.segment import Segment
from knit_tui.model import Text
from knit_tui.workspace.cache import Cache
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import read_text

OLD = 1_600_000_000_000_000_000
"""A time long ago: files of it are not doubtful."""

Content = dict[str, tuple[tuple[int, ...], list[tuple[int, int, int]], str, str]]


class Desk:
    """``read`` counts what is read from the workspace."""

    def __init__(self, base: Path) -> None:
        self.root = base / "ws"
        self.root.mkdir()
        self.caches = base / "caches"
        self.read: list[str] = []
        self._time = OLD

    def write(self, rel: str, text: str, mtime_ns: int | None = None) -> None:
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._time += 1_000_000_000
        os.utime(path, ns=(self._time, self._time) if mtime_ns is None else (mtime_ns, mtime_ns))

    def tree(self, documents: int = 5) -> None:
        for number in range(documents):
            text = (
                f"# Title {number}\n\nretry {'backoff ' * number}word{number} 图片排序\n\n## Part\n\ntext\n"
            )
            self.write(f"d{number % 3}/note{number}.md", text)
        self.write("src/load.py", '"""Load things."""\n\n\ndef load_all(path):\n    return path\n')
        self.write("img/flow.png", "")

    def library(self, fingerprint: str = "1", builders: Builders | None = None) -> Library:
        def read(rel: str) -> Text:
            self.read.append(rel)
            return read_text(self.root, rel)

        environ = {"KNIT_CACHE_DIR": str(self.caches)}
        return Library(read, store=Store(Cache(self.root, fingerprint, environ)), builders=builders)

    @contextmanager
    def opened(self, fingerprint: str = "1", builders: Builders | None = None) -> Iterator[Library]:
        """A library with everything indexed, closed at the end; ``read`` starts anew."""
        self.read.clear()
        library = self.library(fingerprint, builders)
        settle(library, self.root)
        yield library
        library.close()

    def codes(self, library: Library) -> list[str]:
        return [notice.code for notice in library.notices]


def settle(library: Library, root: Path) -> None:
    """Scan and index everything."""
    library.compare(Scanner(root).scan())
    while library.pending:
        library.index_some()


def content(library: Library) -> Content:
    """All that is known of each document, in a form that does not depend on how it came to be known."""
    index = library.index
    found: Content = {}
    start = 0
    for segment, mask in zip(index.segments, index.masks(), strict=True):
        postings = _by_document(segment)
        for number, rel in enumerate(segment.rels):
            if mask[number]:
                assert index.positions[rel] == start + number
                card = library.cards[rel]
                lengths = tuple(index.lengths()[start + number].tolist())
                found[rel] = (lengths, sorted(postings.get(number, [])), card.title, card.summary)
        start += len(segment.rels)
    return found


def _by_document(segment: Segment) -> dict[int, list[tuple[int, int, int]]]:
    found: dict[int, list[tuple[int, int, int]]] = {}
    for number, term in enumerate(segment.terms.tolist()):
        for place in range(segment.starts[number], segment.starts[number + 1]):
            posting = int(segment.postings[place])
            found.setdefault(posting >> 3, []).append((term, posting & 7, int(segment.counts[place])))
    return found


def fresh(root: Path) -> Content:
    """What a library without memory finds."""
    library = Library(lambda rel: read_text(root, rel))
    settle(library, root)
    return content(library)
