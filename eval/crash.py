"""Kill a process that builds and saves a cache at random moments; the next start must know all it should.

    python -m eval.crash [--times 200] [--seed 1]

Each time a child indexes a small tree that changes and saves again and again. Four of five kill themselves
(SIGKILL) at one of the calls that touch files of the cache, which are those that matter; one of
five builds with helping processes and is killed after a random while. Then the tree is opened again: what is
known must be what an index without memory finds, and nothing may be said to be damaged.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from knit_tui.engine import build, library
from knit_tui.engine.build import Builders
from knit_tui.engine.library import Library
from knit_tui.engine.store import Store
from knit_tui.workspace.cache import Cache
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import read_text

DOCUMENTS = 60
MOMENTS = 40
"""Calls on files of the cache, one after the other chosen: some four saves."""
STUCK = 60.0


def opened(root: Path, caches: Path, *, helped: bool = False) -> Library:
    """The library of ``root`` with everything indexed."""
    store = Store(Cache(root, "crash", {"KNIT_CACHE_DIR": str(caches)}))
    found = Library(
        lambda rel: read_text(root, rel), store=store, builders=Builders(root) if helped else None
    )
    settle(found, root)
    return found


def settle(found: Library, root: Path) -> None:
    found.compare(Scanner(root).scan())
    while found.pending:
        found.index_some()


def known(found: Library) -> dict[str, list[tuple[str, int, float]]]:
    """The documents that hold each of some terms, in which fields, and how often."""
    index = found.index
    answers = {}
    for term in ("common", "retry", *(f"word{number}" for number in range(DOCUMENTS))):
        postings = index.lookup(term)
        rows = zip(postings.documents, postings.fields, postings.counts, strict=True)
        answers[term] = sorted((index.rels[place], int(kind), float(count)) for place, kind, count in rows)
    return answers


def work(root: Path, caches: Path, seed: int) -> None:
    """Index, change, save, for ever."""
    rng = random.Random(seed)
    library.KEEP_LEAST = 1
    build.ENOUGH, build.REQUEST_BYTES = 1, 2_000
    if seed % 5:
        die_at(1 + seed % MOMENTS, str(caches))
    found = opened(root, caches, helped=seed % 5 == 0)
    while True:
        found.tend()
        for _ in range(rng.randint(1, DOCUMENTS // 3)):
            number = rng.randrange(DOCUMENTS)
            path = root / f"note{number}.md"
            if rng.random() < 0.2:
                path.unlink(missing_ok=True)
            else:
                path.write_text(text(rng, number))
        settle(found, root)


def die_at(moment: int, place: str) -> None:
    """Kill this process at the call of that number that opens, renames or removes something in ``place``."""
    left = moment

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.chmod") and place in str(arguments[0]):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def text(rng: random.Random, number: int) -> str:
    words = ["common", *["retry"] * rng.randint(0, 9), f"word{number}", f"word{rng.randrange(DOCUMENTS)}"]
    return f"# Note {number}\n\n{' '.join(words)}\n"


def trial(root: Path, caches: Path, seed: int) -> list[str]:
    """One killing; what is wrong afterwards, nothing if all is well."""
    rng = random.Random(seed)
    command = [sys.executable, "-m", "eval.crash", "--child", str(root), str(caches), "--seed", str(seed)]
    folder = str(Path(__file__).resolve().parents[1])
    environ = {**os.environ, "PYTHONPATH": folder}
    with subprocess.Popen(command, env=environ) as child:
        try:
            child.wait(STUCK if seed % 5 else rng.uniform(0.1, 0.8))
        except subprocess.TimeoutExpired:
            child.kill()
        if child.wait() != -signal.SIGKILL:
            return [f"the child ended with {child.returncode}"]
    fresh = Library(lambda rel: read_text(root, rel))
    settle(fresh, root)
    again = opened(root, caches)
    wrong = [f"notice {notice}" for notice in again.notices]
    if again.entries != fresh.entries or again.cards != fresh.cards:
        wrong.append("other documents")
    if known(again) != known(fresh):
        wrong.append("other answers")
    again.close()
    return wrong


def trials(times: int, seed: int) -> list[str]:
    """Many killings of one workspace, one after the other."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root, caches = Path(folder) / "ws", Path(folder) / "caches"
        root.mkdir()
        rng = random.Random(seed)
        for number in range(DOCUMENTS):
            (root / f"note{number}.md").write_text(text(rng, number))
        for number in range(times):
            wrong += [f"trial {number}: {what}" for what in trial(root, caches, seed * 100_000 + number)]
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill knit while it saves, and see what is left.")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        work(*options.child, options.seed)
        return
    wrong = trials(options.times, options.seed)
    print("\n".join([*wrong, f"{options.times} killings, {len(wrong)} faults"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
