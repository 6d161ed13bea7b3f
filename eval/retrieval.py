"""Ranking quality on real tasks, beside other search engines in the same run.

    python -m eval.retrieval PATH --corpus DIR [--no-git] [--benchmark-root] [--ranking knit|classic]
                             [--baselines tantivy,bm25s,fts5,ripgrep] [--ablation] [--format table|json]

PATH is a query file or a folder of them, DIR holds a folder for each set, named as its query file. A query
file has ``queries`` with ``text`` and ``relevant`` (paths). ``--benchmark-root`` searches the folder that
the file names as ``benchmark_root``, and nothing else. The method ``knit`` is the ranking, ``shown`` the
same documents in the order of the tiers on screen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

from eval.baselines import NAMES, Missing, baseline
from eval.metrics import MEASURES, interval, mean, scores
from eval.workspace import Workspace
from knit_tui.find.ranking import STRENGTHS, Strengths
from knit_tui.model import Wish

LIMIT = 50
"""Documents of an order that are looked at; no measure needs more than ten."""


@dataclass(frozen=True)
class Task:
    """A query and the paths that answer it."""

    text: str
    relevant: frozenset[str]


@dataclass(frozen=True)
class TaskSet:
    """The queries of one folder."""

    name: str
    root: Path
    tasks: tuple[Task, ...]


Rows = dict[str, list[dict[str, float]]]
"""By method, the scores of each query."""


def read_sets(path: Path, corpus: Path, *, benchmark_root: bool) -> list[TaskSet]:
    """The sets of a query file, or of every query file of a folder.

    Raises:
        SystemExit: one cannot be read, or its corpus is missing.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise SystemExit(f"{path}: no query file (*.json)")
    return [_read_set(file, corpus / file.stem, benchmark_root) for file in files]


def _read_set(file: Path, root: Path, benchmark_root: bool) -> TaskSet:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        below = data["benchmark_root"].strip("/") + "/" if benchmark_root else ""
        below = "" if below == "./" else below
        tasks = [_task(query["text"], query["relevant"], below) for query in data["queries"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SystemExit(f"{file}: no query file ({type(error).__name__}: {error})") from None
    root = root / below
    if not root.is_dir():
        raise SystemExit(f"{file}: its corpus {root} is missing")
    return TaskSet(file.stem, root, tuple(task for task in tasks if task.relevant))


def _task(text: str, paths: Sequence[str], below: str) -> Task:
    """``paths`` as they are below the folder that is searched; those outside it are no answers."""
    if not isinstance(text, str):
        raise TypeError("a text that is none")
    return Task(text, frozenset(path.removeprefix(below) for path in paths if path.startswith(below)))


def evaluate(task_set: TaskSet, *, git: bool, ablation: bool, ranking: str, peers: Sequence[str]) -> Rows:
    """Every method on one set."""
    workspace = Workspace(task_set.root, git=git)
    methods: dict[str, Callable[[str], Sequence[str]]]
    if ranking == "classic":
        methods = {"classic": workspace.classic}
    else:
        methods = {
            "knit": lambda text: workspace.order(workspace.typed(text)),
            "shown": lambda text: [item.rel for item in workspace.shown(workspace.typed(text))],
        }
    if ablation:
        methods |= _ablations(workspace)
    if peers:
        texts = workspace.texts()
        for name in peers:
            peer = baseline(name)
            peer.build(task_set.root, texts)
            methods[name] = partial(peer.search, limit=LIMIT)
    return {
        name: [scores(search(task.text)[:LIMIT], task.relevant) for task in task_set.tasks]
        for name, search in methods.items()
    }


def _ablations(workspace: Workspace) -> dict[str, Callable[[str], Sequence[str]]]:
    """The ranking with each signal left out in turn."""
    methods: dict[str, Callable[[str], Sequence[str]]] = {}
    for field in fields(STRENGTHS):
        if field.name in ("use", "mention"):  # no part of a typed query
            continue
        methods[f"- {field.name}"] = partial(_order, workspace, replace(STRENGTHS, **{field.name: 0.0}))
    methods["- wish"] = lambda text: workspace.order(workspace.typed(text, wish=Wish.CHANGE))
    return methods


def _order(workspace: Workspace, strengths: Strengths, text: str) -> list[str]:
    return workspace.order(workspace.typed(text), strengths)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.retrieval", description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--no-git", action="store_true", help="leave the project's history out")
    parser.add_argument("--benchmark-root", action="store_true")
    parser.add_argument("--ranking", choices=("knit", "classic"), default="knit")
    parser.add_argument("--baselines", default="", help=", ".join(NAMES))
    parser.add_argument("--ablation", action="store_true", help="leave each signal out in turn")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    options = parser.parse_args()
    peers = [name for name in options.baselines.split(",") if name]
    try:
        for name in peers:
            baseline(name)
    except (Missing, ValueError) as error:
        raise SystemExit(str(error)) from None
    found: dict[str, Rows] = {}
    for task_set in read_sets(options.path, options.corpus, benchmark_root=options.benchmark_root):
        found[task_set.name] = evaluate(
            task_set,
            git=not options.no_git,
            ablation=options.ablation,
            ranking=options.ranking,
            peers=peers,
        )
        print(f"{task_set.name}: {len(task_set.tasks)} queries", file=sys.stderr)
    print(_json(found) if options.format == "json" else _table(found, options.ranking, peers))


def pooled(found: dict[str, Rows]) -> Rows:
    """All queries of all sets, by method."""
    rows: Rows = {}
    for methods in found.values():
        for name, some in methods.items():
            rows.setdefault(name, []).extend(some)
    return rows


def _json(found: dict[str, Rows]) -> str:
    return json.dumps(
        {
            "sets": {
                name: {method: mean(rows) for method, rows in methods.items()}
                for name, methods in found.items()
            },
            "pooled": {method: mean(rows) for method, rows in pooled(found).items()},
        },
        indent=1,
    )


def _table(found: dict[str, Rows], ours: str, peers: Sequence[str]) -> str:
    together = pooled(found)
    lines = [f"{'':16} {'queries':>8} " + " ".join(f"{name:>9}" for name in MEASURES)]
    for method, rows in together.items():
        values = mean(rows)
        lines.append(f"{method:16} {len(rows):8} " + " ".join(f"{values[name]:9.3f}" for name in MEASURES))
    lines += ["", "nDCG@10 by set", f"{'':16} " + " ".join(f"{method:>12}" for method in together)]
    for name, methods in found.items():
        values = [mean(rows)["ndcg@10"] for rows in methods.values()]
        lines.append(f"{name:16} " + " ".join(f"{value:12.3f}" for value in values))
    if peers:
        lines += ["", f"nDCG@10, {ours} minus peer, 95 % of a paired bootstrap over queries"]
    best = [row["ndcg@10"] for row in together[ours]]
    for peer in peers:
        low, high = interval(best, [row["ndcg@10"] for row in together[peer]])
        lines.append(f"{peer:16} {low:+.3f} to {high:+.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
