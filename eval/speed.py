"""Speed and memory of the engine and the panel, beside a peer measured in the same run.

    python -m eval.speed [DIR …] [--documents 2000,10000] [--no-panel]

Each DIR is a real tree; generated trees of the given sizes come first. Peers: os.walk with stat for the
scan, SQLite FTS5 (standard library, unicode61, one column) for index and query, an empty Textual app for the
first frame and OptionList for the list. CPU seconds of one core unless the row says otherwise.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from eval.measure import Row, best_seconds, cpu_seconds, median_seconds, peak_rss_mb, ratio, table
from eval.trees import PROMPT, generate
from knit_tui.engine.changes import Ask, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.engine.pools import pools
from knit_tui.find.keywords import choose, keywords
from knit_tui.find.ranking import Ranking, rank
from knit_tui.find.signals import factors, wish
from knit_tui.model import Access, Query, Scan, Tab
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import Unreadable, read_text


def engine_rows(root: Path) -> list[Row]:
    """Scan, cold index, query, update of one file, memory. Writes a note below ``root`` and removes it."""
    rows = []
    scanner = Scanner(root)
    first = cpu_seconds(scanner.scan)
    again = best_seconds(scanner.scan, 3)
    scan = scanner.scan()
    walk = best_seconds(lambda: _walk(root), 3)
    rows.append(
        Row("scan, first", f"{first * 1e3:.0f} ms", f"os.walk+stat {walk * 1e3:.0f} ms", ratio(first, walk))
    )
    rows.append(
        Row("scan, again", f"{again * 1e3:.0f} ms", f"os.walk+stat {walk * 1e3:.0f} ms", ratio(again, walk))
    )

    texts = dict(_texts(root, scan))
    megabytes = sum(len(text.encode("utf-8", "replace")) for text in texts.values()) / 1e6
    prompt = _prompt(texts)
    peer = sqlite3.connect(":memory:")
    fts_build = cpu_seconds(lambda: _fts_build(peer, texts))
    engine = open_engine(root, "none")
    cold = cpu_seconds(engine.settle)
    rows.append(
        Row(
            f"cold start to ranked, {megabytes:.1f} MB",
            f"{cold:.2f} s = {megabytes / cold:.1f} MB/s·core",
            f"FTS5 build alone {fts_build:.2f} s",
            ratio(cold, fts_build),
            ">= 8 MB/s·core",
        )
    )
    index = engine._library.index
    query = median_seconds(_ranking(engine, prompt))
    fts_query = median_seconds(lambda: _fts_query(peer, prompt))
    budget = "3 ms at 2k, 10 ms at 20k"
    peer_text = f"FTS5 {fts_query * 1e3:.1f} ms"
    rows.append(
        Row("query, ranking alone", f"{query * 1e3:.1f} ms", peer_text, ratio(query, fts_query), budget)
    )
    engine.settle([Ask(prompt)])
    whole = median_seconds(lambda: (engine.apply([Ask("warm up words")]), engine.apply([Ask(prompt)]))) / 2
    rows.append(
        Row("query to snapshot, four tabs with passages", f"{whole * 1e3:.0f} ms", budget="300 ms on screen")
    )
    postings = sum(
        segment.keys.nbytes + segment.counts.nbytes + segment.lengths.nbytes for segment in index.segments
    )
    rows.append(
        Row("index in memory", f"{postings / 1e6:.1f} MB = {postings / 1e4 / megabytes:.0f} % of the text")
    )

    touched = root / "knit-benchmark-note.md"
    touched.write_text("# Retry backoff\n\ncache index\n", encoding="utf-8")
    update = cpu_seconds(lambda: engine.settle([WorkspaceChanged()]))
    touched.unlink()
    rows.append(Row("one new file to snapshot", f"{update * 1e3:.0f} ms", budget="300 ms on screen"))
    rows.append(
        Row(
            "idle poll", f"{median_seconds(lambda: engine.apply([])) * 4e2:.3f} % of a core", budget="< 0.5 %"
        )
    )
    rows.append(
        Row("peak RSS, peer included", f"{peak_rss_mb():.0f} MB", budget="panel 120 / 350 MB at 2k / 20k")
    )
    return rows


def command_rows(root: Path) -> list[Row]:
    """Wall times of whole commands, the least of several."""
    rows = []
    bare = _wall([sys.executable, "-c", "pass"], root)
    for what, arguments, budget in (
        ("knit --version", ["--version"], "0.15 s"),
        ("knit --query, cold", ["--session", "none", "--query", PROMPT], ""),
    ):
        seconds = _wall([sys.executable, "-m", "knit_tui", *arguments], root)
        rows.append(
            Row(what, f"{seconds:.2f} s wall", f"bare Python {bare:.2f} s", ratio(seconds, bare), budget)
        )
    return rows


def _wall(command: list[str], folder: Path, times: int = 3) -> float:
    path = os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])
    least = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        least = min(least, time.perf_counter() - start)
    return least


def _walk(root: Path) -> int:
    count = 0
    for folder, _, names in os.walk(root):
        for name in names:
            os.lstat(os.path.join(folder, name))
            count += 1
    return count


def _texts(root: Path, scan: Scan) -> Iterable[tuple[str, str]]:
    for entry in scan.entries:
        if entry.access is Access.TEXT:
            try:
                yield entry.rel, read_text(root, entry.rel).body
            except Unreadable:
                continue


def _prompt(texts: dict[str, str]) -> str:
    """Twelve words that the tree holds, from the document in the middle of it."""
    middle = sorted(texts)[len(texts) // 2]
    words = dict.fromkeys(re.findall(r"[a-z]{4,}", texts[middle].lower()))
    return " ".join(list(words)[:12])


def _fts_build(peer: sqlite3.Connection, texts: dict[str, str]) -> None:
    peer.execute("CREATE VIRTUAL TABLE documents USING fts5(path, body)")
    peer.executemany("INSERT INTO documents VALUES (?, ?)", texts.items())
    peer.commit()


def _fts_query(peer: sqlite3.Connection, prompt: str) -> list[tuple[str]]:
    words = " OR ".join(f'"{word}"' for word in prompt.split())
    sql = "SELECT path FROM documents WHERE documents MATCH ? ORDER BY bm25(documents) LIMIT 20"
    return peer.execute(sql, (words,)).fetchall()


def _ranking(engine: Engine, prompt: str) -> Callable[[], Ranking]:
    """The ranking of the context pool for ``prompt``, and nothing else."""
    library = engine._library
    source = pools(library.entries, library.cards, library.index, ())[Tab.CONTEXT]

    def run() -> Ranking:
        query = Query(choose(keywords([prompt]), library.index.holds))
        return rank(library.index, query, source.mask, source.mtimes, factors(wish(prompt), source.classes))

    return run


def main() -> None:
    """Print one table a tree."""
    parser = argparse.ArgumentParser(description="Speed and memory beside a peer in the same run.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument(
        "--documents", default="2000,10000", help="sizes of the generated trees, or 0 for none"
    )
    parser.add_argument("--no-panel", action="store_true", help="leave out the rows that open the panel")
    options = parser.parse_args()
    for size in filter(None, map(int, options.documents.split(","))):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            generate(root, size)
            report(f"generated tree, {size} documents", root, panel=not options.no_panel)
    for folder in options.folders:
        report(f"{folder.name}", folder.resolve(), panel=not options.no_panel)


def report(title: str, root: Path, *, panel: bool) -> None:
    """Measure the tree at ``root`` and print its table."""
    rows = engine_rows(root) + command_rows(root)
    if panel:
        from eval.apply import apply_rows
        from eval.panel import panel_rows

        rows += panel_rows(root) + apply_rows()
    print(table(title, rows), flush=True)


if __name__ == "__main__":
    main()
