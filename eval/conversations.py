"""Ranking quality in live sessions: what the agent read and edited until the next prompt.

    python -m eval.conversations PATH --corpus DIR [--no-git] [--no-session] [--least-files 30]
                                 [--format table|json]

PATH is a file of turns or a folder of them; DIR/<set>/<first 12 of commit>/ is the tree that a turn met.
Methods: ``knit`` the ranking, ``shown`` the same documents in the order of the tiers, ``words`` the ranking
without the session's own signals (all there is with ``--no-session``). Groups: ``all`` turns that are no
bare acknowledgement, ``edits`` only what was edited, ``first`` turns, ``new`` files only (what was used
before is neither an answer nor in the list), ``ack`` acknowledgements. Last, what the tiers held.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.metrics import MEASURES, mean, scores
from eval.workspace import Workspace
from knit_tui.find.keywords import MENTIONS
from knit_tui.model import Item, Message, Speaker, Tier, Use

GROUPS = ("all", "edits", "first", "new", "ack")
PACK = (Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED)


@dataclass(frozen=True)
class Turn:
    """What was said until a prompt, what had been used, and what was used next."""

    commit: str
    """The first 12 characters of its id."""
    messages: tuple[Message, ...]
    mentioned: str
    uses: Mapping[str, Use]
    relevant: frozenset[str]
    edited: frozenset[str]
    first: bool
    ack: bool


@dataclass(frozen=True)
class Ranked:
    """The orders that one turn got, by method, and the rows that were shown."""

    turn: Turn
    orders: Mapping[str, Sequence[str]]
    shown: Sequence[Item]


def read_turns(file: Path) -> list[Turn]:
    """The turns of one file.

    Raises:
        SystemExit: it is no such file.
    """
    try:
        return [_turn(turn) for turn in json.loads(file.read_text(encoding="utf-8"))["turns"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SystemExit(f"{file}: no file of turns ({type(error).__name__}: {error})") from None


def _turn(turn: Mapping[str, Any]) -> Turn:
    messages = [
        Message(Speaker(message["role"]), _text(message["words"])) for message in turn["messages_turnwise"]
    ]
    return Turn(
        turn["commit"][:12],
        tuple(reversed(messages)),
        "\n".join(turn["mentioned"]),
        {path: Use(kind == "edit", 1) for kind, path in turn["used_before"]},
        frozenset(turn["relevant"]),
        frozenset(turn["edits"]),
        turn["first_turn"],
        turn["ack"],
    )


def _text(words: Mapping[str, int]) -> str:
    """A bag of words as a text. Each stands on a line of its own: which stood side by side is not known."""
    return "\n".join(word for word, count in words.items() for _ in range(min(count, MENTIONS)))


def rank_turns(turns: Iterable[Turn], trees: Path, *, git: bool, session: bool, least: int) -> list[Ranked]:
    """Rank every turn whose workspace has at least ``least`` documents."""
    found = []
    workspaces: dict[str, Workspace] = {}
    for turn in turns:
        root = trees / turn.commit
        if not root.is_dir():
            raise SystemExit(f"{root}: the tree of a turn is missing")
        if turn.commit not in workspaces:
            workspaces[turn.commit] = Workspace(root, git=git)
        workspace = workspaces[turn.commit]
        if workspace.documents < least:
            continue
        said = workspace.live(turn.messages)
        asked = workspace.live(turn.messages, turn.uses, turn.mentioned) if session else said
        shown = workspace.shown(asked)
        orders = {"knit": workspace.order(asked), "shown": [item.rel for item in shown]}
        if session:
            orders["words"] = workspace.order(said)
        found.append(Ranked(turn, orders, shown))
    return found


def group_rows(ranked: Iterable[Ranked], group: str) -> dict[str, list[dict[str, float]]]:
    """By method, the scores of each turn of a group that has an answer in it."""
    rows: dict[str, list[dict[str, float]]] = {}
    for each in ranked:
        turn = each.turn
        if turn.ack != (group == "ack") or (group == "first" and not turn.first):
            continue
        used = frozenset(turn.uses) if group == "new" else frozenset()
        relevant = turn.relevant & turn.edited if group == "edits" else turn.relevant - used
        if relevant:
            for method, order in each.orders.items():
                left = [rel for rel in order if rel not in used]
                rows.setdefault(method, []).append(scores(left, relevant))
    return rows


def tiers(ranked: Iterable[Ranked]) -> dict[str, float]:
    """What the tiers held, as shares of the turns that are no acknowledgements.

    Primary right, wrong, empty; a relevant document anywhere in the pack; the share of the relevant
    documents that were in it; the same for those not used before; documents in a pack.
    """
    turns = [each for each in ranked if not each.turn.ack and each.turn.relevant]
    counts: Counter[str] = Counter()
    shares = {"relevant in the pack": 0.0, "new relevant in the pack": 0.0}
    with_new = 0
    for each in turns:
        primary = [item.rel for item in each.shown if item.tier is Tier.PRIMARY]
        verdict = "empty" if not primary else "right" if primary[0] in each.turn.relevant else "wrong"
        counts[f"primary {verdict}"] += 1
        pack = {item.rel for item in each.shown if item.tier in PACK}
        counts["any relevant in the pack"] += bool(pack & each.turn.relevant)
        counts["documents in the pack"] += len(pack)
        shares["relevant in the pack"] += len(pack & each.turn.relevant) / len(each.turn.relevant)
        new = each.turn.relevant - frozenset(each.turn.uses)
        if new:
            with_new += 1
            shares["new relevant in the pack"] += len(pack & new) / len(new)
    number = max(1, len(turns))
    counted = ("primary right", "primary wrong", "primary empty", "any relevant in the pack")
    found = {name: counts[name] / number for name in (*counted, "documents in the pack")}
    found["relevant in the pack"] = shares["relevant in the pack"] / number
    found["new relevant in the pack"] = shares["new relevant in the pack"] / max(1, with_new)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m eval.conversations", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--no-git", action="store_true", help="leave the project's history out")
    parser.add_argument("--no-session", action="store_true", help="leave use and mention out")
    parser.add_argument("--least-files", type=int, default=30, help="documents of a workspace that counts")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    options = parser.parse_args()
    files = sorted(options.path.glob("*.json")) if options.path.is_dir() else [options.path]
    if not files:
        raise SystemExit(f"{options.path}: no file of turns (*.json)")
    found: dict[str, list[Ranked]] = {}
    for file in files:
        found[file.stem] = rank_turns(
            read_turns(file),
            options.corpus / file.stem,
            git=not options.no_git,
            session=not options.no_session,
            least=options.least_files,
        )
        print(f"{file.stem}: {len(found[file.stem])} turns", file=sys.stderr)
    print(_json(found) if options.format == "json" else _table(found))


def _json(found: Mapping[str, Sequence[Ranked]]) -> str:
    together = [each for ranked in found.values() for each in ranked]
    groups = {
        group: {method: mean(rows) for method, rows in group_rows(together, group).items()}
        for group in GROUPS
    }
    sets = {
        name: {method: mean(rows) for method, rows in group_rows(ranked, "all").items()}
        for name, ranked in found.items()
    }
    return json.dumps(
        {"sets": sets, "pooled": groups["all"], "groups": groups, "tiers": tiers(together)}, indent=1
    )


def _table(found: Mapping[str, Sequence[Ranked]]) -> str:
    together = [each for ranked in found.values() for each in ranked]
    lines = [f"{'':8} {'':8} {'turns':>6} " + " ".join(f"{name:>9}" for name in MEASURES)]
    for group in GROUPS:
        for method, rows in group_rows(together, group).items():
            values = " ".join(f"{mean(rows)[name]:9.3f}" for name in MEASURES)
            lines.append(f"{group:8} {method:8} {len(rows):6} {values}")
    lines += ["", "nDCG@10 by set, all"]
    for name, ranked in found.items():
        rows_by_method = group_rows(ranked, "all")
        values = "  ".join(f"{method} {mean(rows)['ndcg@10']:.3f}" for method, rows in rows_by_method.items())
        lines.append(f"{name:20} {values}")
    lines += ["", "What the tiers held"]
    lines += [f"{name:26} {value:.3f}" for name, value in tiers(together).items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
