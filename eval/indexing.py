"""Rows about the index: building it, keeping it, asking it, changing it; each beside its peers."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from eval.measure import Row, best_seconds, cpu_seconds, median_seconds, peak_rss_mb, wall_seconds
from eval.peers import Peer, folder_bytes, peers
from knit_tui.engine.asking import Asked, located, query_of, wanted_terms
from knit_tui.engine.changes import Ask, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.engine.library import Library
from knit_tui.engine.pools import Pools
from knit_tui.engine.store import Store, fingerprint
from knit_tui.engine.views import ranked
from knit_tui.find.history import CommitIndex
from knit_tui.find.segment import tokenise
from knit_tui.model import Access, Field, Scan, Tab
from knit_tui.paths import CACHE_VARIABLE
from knit_tui.workspace.cache import Cache
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import Unreadable, read_text

NOTE = "knit-benchmark-note.md"


def index_rows(root: Path) -> list[Row]:
    """Measure the tree at ``root``. Writes a note there and removes it; the cache is a temporary one."""
    scan = Scanner(root).scan()
    texts = _texts(root, scan)
    megabytes = sum(len(text.encode("utf-8", "replace")) for text in texts.values()) / 1e6
    words = _words(texts)
    with tempfile.TemporaryDirectory() as folder, _cache_in(Path(folder) / "knit"):
        others = peers(Path(folder))
        rows = _build_rows(root, scan, texts, megabytes, others)
        rows += _kept_rows(root, Path(folder), words, megabytes, others)
        rows += _asked_rows(root, words, others)
    return rows


def _build_rows(
    root: Path, scan: Scan, texts: dict[str, str], megabytes: float, others: Sequence[Peer]
) -> list[Row]:
    alone = Library(lambda rel: read_text(root, rel))
    cold = cpu_seconds(lambda: _fill(alone, scan))
    builds = {peer.name: cpu_seconds(lambda peer=peer: peer.build(texts.items())) for peer in others}
    engine = open_engine(root, "none")
    shared = wall_seconds(lambda: (engine.settle(), engine.close()))
    return [
        Row(
            f"cold index, {megabytes:.1f} MB, one process",
            f"{cold:.2f} s = {megabytes / cold:.1f} MB/s·core",
            *_beside(cold, builds, "s"),
            ">= 8 MB/s·core",
        ),
        Row("cold start, indexed and kept, wall", f"{shared:.2f} s = {megabytes / shared:.1f} MB/s"),
    ]


def _fill(library: Library, scan: Scan) -> None:
    library.compare(scan)
    while library.pending:
        library.index_some()


def _kept_rows(
    root: Path, folder: Path, words: Sequence[str], megabytes: float, others: Sequence[Peer]
) -> list[Row]:
    def recall() -> None:
        Store(Cache(root, fingerprint())).recall()

    def start() -> None:
        open_engine(root, "none").settle([Ask(" ".join(words))])

    def reopen(peer: Peer) -> None:
        peer.reopen()
        peer.query(words)

    recalled, started = best_seconds(recall), best_seconds(start, 3)
    opened = {peer.name: best_seconds(lambda peer=peer: reopen(peer)) for peer in others}
    size = folder_bytes(folder / "knit")
    sizes = [f"{peer.name} {folder_bytes_of(peer, folder) / 1e4 / megabytes:.0f} %" for peer in others]
    return [
        Row("warm: index and cards from disk", f"{recalled * 1e3:.0f} ms", *_beside(recalled, opened, "ms")),
        Row("warm start to ranked, imports aside", f"{started * 1e3:.0f} ms", budget="500 ms at 10k"),
        Row(
            "on disk",
            f"{size / 1e6:.1f} MB = {size / 1e4 / megabytes:.0f} % of the text",
            ", ".join(sizes),
            budget="<= 40 %",
        ),
    ]


def folder_bytes_of(peer: Peer, folder: Path) -> int:
    """What ``peer`` takes on disk, the text itself included where it stores that."""
    return sum(
        folder_bytes(path) if path.is_dir() else path.stat().st_size
        for path in folder.glob(f"{peer.name.lower()}*")
    )


def _asked_rows(root: Path, words: Sequence[str], others: Sequence[Peer]) -> list[Row]:
    engine = open_engine(root, "none")
    prompt = " ".join(words)
    engine.settle([Ask(prompt)])
    index = engine._library.index
    lookups = median_seconds(lambda: [index.lookup(word) for word in words])
    query = median_seconds(_ranking(engine, prompt))
    asked = {peer.name: median_seconds(lambda peer=peer: peer.query(words)) for peer in others}
    whole = median_seconds(lambda: (engine.apply([Ask("warm up words")]), engine.apply([Ask(prompt)]))) / 2
    note = "# Retry backoff\n\ncache index\n"
    changes = {peer.name: cpu_seconds(lambda peer=peer: peer.update(NOTE, note)) for peer in others}
    numbers = count()

    def save() -> None:
        (root / NOTE).write_text(f"{note}{next(numbers)}\n", encoding="utf-8")
        engine.settle([WorkspaceChanged()])

    try:
        update = median_seconds(save, 5)
    finally:
        (root / NOTE).unlink()
    alone = median_seconds(lambda: index.changed([tokenise(NOTE, [(Field.BODY, note)])], ()))
    idle = median_seconds(lambda: engine.apply([])) * 4e2
    engine.close()
    return [
        Row(f"postings of {len(words)} terms", _ms(lookups)),
        Row(
            f"query, {len(words)} words, ranking alone",
            _ms(query),
            *_beside(query, asked, "ms"),
            "3 ms at 2k, 10 ms at 20k",
        ),
        Row("query to snapshot, four tabs with passages", f"{whole * 1e3:.0f} ms", budget="300 ms on screen"),
        Row(
            "one document replaced in the index",
            f"{alone * 1e3:.2f} ms",
            *_beside(alone, changes, "ms"),
            "5 ms",
        ),
        Row("one saved file to snapshot", f"{update * 1e3:.0f} ms", budget="300 ms on screen"),
        Row("idle poll", f"{idle:.3f} % of a core", budget="< 0.5 %"),
        Row("peak RSS, peers included", f"{peak_rss_mb():.0f} MB", budget="panel 120 / 350 MB at 2k / 20k"),
    ]


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"


def _beside(ours: float, theirs: dict[str, float], unit: str) -> tuple[str, str]:
    """The peers' figures and our share of each, as two cells."""
    factor = 1e3 if unit == "ms" else 1.0
    figures = ", ".join(f"{name} {seconds * factor:.1f} {unit}" for name, seconds in theirs.items())
    return figures, ", ".join(f"{ours / seconds:.2f}x" for seconds in theirs.values() if seconds)


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    before = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = before


def _texts(root: Path, scan: Scan) -> dict[str, str]:
    texts = {}
    for entry in scan.entries:
        if entry.access is Access.TEXT:
            try:
                texts[os.fsencode(entry.rel).decode("utf-8", "replace")] = read_text(root, entry.rel).body
            except Unreadable:
                continue
    return {rel: text.encode("utf-8", "replace").decode() for rel, text in texts.items()}


def _words(texts: dict[str, str]) -> list[str]:
    """Twelve words that the tree holds, from the document in the middle of it."""
    middle = sorted(texts)[len(texts) // 2]
    return list(dict.fromkeys(re.findall(r"[a-z]{4,}", texts[middle].lower())))[:12]


def _ranking(engine: Engine, prompt: str) -> Callable[[], object]:
    """The ranking of the context pool for ``prompt``, and nothing else."""
    library = engine._library
    source = Pools()(library.entries, library.cards, library.index, ())[Tab.CONTEXT]
    commits = CommitIndex()

    def run() -> object:
        query = query_of(wanted_terms((), prompt), (), prompt, library.index, commits)
        return ranked(source, Asked(query, located(commits, library.index)))

    return run
