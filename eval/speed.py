"""Speed and memory of the engine and the panel, beside a peer measured in the same run.

    python -m eval.speed [DIR …] [--documents 2000,10000] [--no-panel]

Each DIR is a real tree; generated trees of the given sizes come first. Peers: os.walk with stat for the
scan, SQLite FTS5 and tantivy (``eval/peers.py``) for the index, an empty Textual app for the first frame and
OptionList for the list. CPU seconds of one core unless the row says otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from eval.indexing import index_rows
from eval.measure import Row, best_seconds, cpu_seconds, ratio, table
from eval.trees import PROMPT, generate
from knit_tui.paths import CACHE_VARIABLE
from knit_tui.workspace.scan import Scanner


def scan_rows(root: Path) -> list[Row]:
    """The first scan and the next ones."""
    rows = []
    scanner = Scanner(root)
    first = cpu_seconds(scanner.scan)
    again = best_seconds(scanner.scan, 3)
    walk = best_seconds(lambda: _walk(root), 3)
    rows.append(
        Row("scan, first", f"{first * 1e3:.0f} ms", f"os.walk+stat {walk * 1e3:.0f} ms", ratio(first, walk))
    )
    rows.append(
        Row("scan, again", f"{again * 1e3:.0f} ms", f"os.walk+stat {walk * 1e3:.0f} ms", ratio(again, walk))
    )
    return rows


def command_rows(root: Path) -> list[Row]:
    """Wall times of whole commands, the least of several."""
    rows = []
    bare = _wall([sys.executable, "-c", "pass"], root, "off")
    query = ["--session", "none", "--query", PROMPT]
    with tempfile.TemporaryDirectory() as caches:
        for what, arguments, cache, budget in (
            ("knit --version", ["--version"], "off", "0.15 s"),
            ("knit --query, cold", query, "off", ""),
            ("knit --query, warm", query, caches, "0.5 s at 10k"),
        ):
            seconds = _wall([sys.executable, "-m", "knit_tui", *arguments], root, cache)
            rows.append(
                Row(what, f"{seconds:.2f} s wall", f"bare Python {bare:.2f} s", ratio(seconds, bare), budget)
            )
    return rows


def _wall(command: list[str], folder: Path, cache: str, times: int = 3) -> float:
    path = os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])
    least = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, CACHE_VARIABLE: cache},
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
    rows = scan_rows(root) + index_rows(root) + command_rows(root)
    if panel:
        from eval.apply import apply_rows
        from eval.panel import panel_rows

        rows += panel_rows(root) + apply_rows()
    print(table(title, rows), flush=True)


if __name__ == "__main__":
    main()
