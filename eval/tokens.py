"""What an agent pays for knit_docs: the tool's definition, once a session, and each answer.

    python -m eval.tokens [FOLDER QUERY …]

Characters are counted; tokens are characters / 4, an estimate that holds for English and code and is too low
for Chinese. Which of the two a model reads, text or object, is up to its agent; some give it both. Without
arguments the packs are of this repository.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.faces.mcp.arguments import DESCRIPTION, INPUT_SCHEMA, Call
from knit_tui.faces.mcp.desk import Answer, Desk, Job, Refused
from knit_tui.faces.mcp.own import Caller

QUERIES = (
    "how is BM25 weighted",
    "follow the session log when it is truncated",
    "add a key binding to the panel",
    "which files look like a secret",
    "cache lock between two processes",
    "图片排序 words of Chinese text",
)
_CHARACTERS = 4


def answers(root: Path, calls: Sequence[Call]) -> list[Answer]:
    """The tool's answers over ``root``, one after the other, without any session."""

    def open_it(folder: Path, breathe: Callable[[], None]) -> Engine:
        return open_engine(folder, "none", breathe, counting=True)

    desk = Desk(open_it)
    given = [_answer(desk, root, call) for call in calls]
    desk.close(60)
    return given


def _answer(desk: Desk, root: Path, call: Call) -> Answer:
    """The last answer to ``call``.

    Raises:
        Refused: there is none.
    """
    posted: queue.SimpleQueue[tuple[Answer | Refused, bool]] = queue.SimpleQueue()

    def post(answer: Answer | Refused, last: bool) -> None:
        posted.put((answer, last))

    job = Job(call, root, Caller(), post, lambda: None)
    job.deadline = float("inf")
    desk.put(job)
    last = False
    while not last:
        answer, last = posted.get()
    if isinstance(answer, Refused):
        raise answer
    return answer


def cost(what: str, text: str) -> str:
    return f"{what:58} {len(text):6} chars  ~{len(text) / _CHARACTERS:5.0f} tokens"


def main() -> None:
    root, *queries = sys.argv[1:] or (str(Path(__file__).parents[1]), *QUERIES)
    for variable in ("KNIT_CACHE_DIR", "KNIT_STATE_DIR"):
        os.environ.setdefault(variable, tempfile.mkdtemp())
    calls = [Call(query=query, include_read=whole) for query in queries for whole in (False, True)]
    given = answers(Path(root).resolve(), calls)
    print(f"tokens are estimated: characters / {_CHARACTERS}")
    print(cost("definition: description", DESCRIPTION))
    print(cost("definition: parameters", json.dumps(INPUT_SCHEMA, separators=(",", ":"))))
    for query, short, whole in zip(queries, given[::2], given[1::2], strict=True):
        tiers = ("pinned", "primary", "supporting", "related", "other")
        count = sum(len(short.content.get(tier, [])) for tier in tiers)
        print(f"{query}: {count} documents")
        print(cost("  text", short.text))
        print(cost("  text, all told in full", whole.text))
        print(cost("  object", json.dumps(short.content, ensure_ascii=False, separators=(",", ":"))))


if __name__ == "__main__":
    main()
