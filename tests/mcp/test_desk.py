"""The thread behind the tool: jobs, faults, and what is certain to be read."""

from __future__ import annotations

import os
import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.faces.mcp.arguments import Call
from knit_tui.faces.mcp.desk import Answer, Desk, Job, Refused
from knit_tui.faces.mcp.marks import Marks, began
from knit_tui.faces.mcp.own import Caller
from knit_tui.faces.mcp.selected import Listing
from knit_tui.faces.mcp.wire import LONGEST_LINE, lines
from knit_tui.faces.mcp.words import notices
from knit_tui.model import (
    Access,
    Counts,
    DocumentUsage,
    Item,
    Kind,
    Lost,
    Mode,
    Notice,
    Place,
    Query,
    Read,
    SessionOffer,
    SessionStatus,
    Snapshot,
    Status,
    Tab,
    Usage,
    View,
)
from tests.mcp.agent import SESSION, Agent, schema

SECOND = 1_000_000_000
Posted = queue.SimpleQueue[tuple[Answer | Refused, bool]]


class Bench:
    """A desk over the project of an agent; ``opened`` counts its engines."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.opened = 0
        self.fails = False
        self.meanwhile: Callable[[], object] = lambda: None
        """Done in the middle of long work."""
        self.desk = Desk(self._open)

    def _open(self, root: Path, breathe: Callable[[], None]) -> Engine:
        self.opened += 1
        if self.fails:
            raise RuntimeError(f"secret place {root}")

        def breathing() -> None:
            self.meanwhile()
            breathe()

        return open_engine(root, "none", breathing, home=self.agent.home, counting=True)

    def job(self, query: str | None = "dimmer") -> tuple[Job, Posted]:
        posted: Posted = queue.SimpleQueue()

        def post(answer: Answer | Refused, last: bool) -> None:
            posted.put((answer, last))

        job = Job(Call(query), self.agent.root, Caller(), post, lambda: None)
        return job, posted

    def ask(self, query: str | None = "dimmer") -> Answer | Refused:
        job, posted = self.job(query)
        self.desk.put(job)
        return last_of(posted)


def last_of(posted: Posted) -> Answer | Refused:
    last = False
    while not last:
        answer, last = posted.get(timeout=60)
    return answer


@pytest.fixture
def bench(agent: Agent) -> Iterator[Bench]:
    one = Bench(agent)
    yield one
    assert one.desk.close(60)


def test_one_engine_for_all_calls(bench: Bench) -> None:
    answers = [bench.ask("dimmer"), bench.ask("wiring"), bench.ask(None)]
    assert all(isinstance(answer, Answer) for answer in answers)
    assert bench.opened == 1


def test_while_the_index_fills_there_is_an_answer_that_says_so_and_then_a_whole_one(bench: Bench) -> None:
    bench.agent.pile(600)
    job, posted = bench.job()
    job.deadline = 0.0
    bench.desk.put(job)
    first = last_of(posted)
    assert isinstance(first, Answer)
    told = first.content["indexing"]
    assert told["total"] == 606 and 0 < told["done"] < 606
    assert f"still indexing {told['done']} of 606: the order is partial" in first.text
    jsonschema.validate(first.content, schema())
    second = bench.ask()
    assert isinstance(second, Answer)
    assert "indexing" not in second.content
    assert second.content["primary"][0]["path"] == "src/dimmer.py"


def test_a_job_that_was_cancelled_costs_nothing(bench: Bench) -> None:
    job, posted = bench.job()
    job.cancelled = True
    bench.desk.put(job)
    assert bench.desk.close(60)
    assert posted.empty() and bench.opened == 0


def test_a_fault_of_ours_is_told_without_its_words_and_the_next_call_starts_afresh(bench: Bench) -> None:
    bench.fails = True
    answer = bench.ask()
    assert isinstance(answer, Refused)
    assert "RuntimeError" in str(answer) and "secret place" not in str(answer)
    bench.fails = False
    assert isinstance(bench.ask(), Answer)
    assert bench.opened == 2


def test_a_folder_that_is_gone_is_told_and_may_come_back(bench: Bench) -> None:
    assert isinstance(bench.ask(), Answer)
    away = bench.agent.base / "away"
    bench.agent.root.rename(away)
    gone = bench.ask()
    assert isinstance(gone, Refused) and "gone" in str(gone)
    shutil.copytree(away, bench.agent.root)
    assert isinstance(bench.ask(), Answer)


def test_a_folder_that_goes_in_the_middle_of_a_call(bench: Bench) -> None:
    bench.agent.pile(600)
    away = bench.agent.base / "away"

    def leave() -> None:
        if bench.agent.root.exists():
            bench.agent.root.rename(away)

    bench.meanwhile = leave
    said = bench.ask()
    assert away.exists(), "it went while the call was worked on"
    assert str(bench.agent.base) not in (said.text if isinstance(said, Answer) else str(said))
    assert isinstance(bench.ask(), Refused)
    bench.meanwhile = lambda: None
    away.rename(bench.agent.root)
    back = bench.ask()
    assert isinstance(back, Answer)
    assert [each["path"] for each in back.content["primary"]] == ["src/dimmer.py"]
    assert bench.opened == 1, "nothing of it was a fault"


def test_a_notice_names_no_absolute_path(bench: Bench) -> None:
    job, _ = bench.job()
    view = View(Tab.CONTEXT, Mode.RELEVANCE)
    snapshot = replace(shown(None), notices=(Notice("history", (("why", "/secret/place"),)),))
    told = notices(Listing(job.call, snapshot, view, {}, 0))
    assert [each["code"] for each in told] == ["history"]
    assert "secret" not in told[0]["text"]


@contextmanager
def fed(data: bytes) -> Iterator[int]:
    reading, writing = os.pipe()

    def feed() -> None:
        with open(writing, "wb") as file:
            file.write(data)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        yield reading
    finally:
        feeder.join()
        os.close(reading)


def test_lines_are_bounded_whatever_comes() -> None:
    with fed(b"one\n\n" + b"x" * (LONGEST_LINE + 100_000) + b"\nhalf") as descriptor:
        found = list(lines(descriptor))
    assert found[:2] == [b"one", b""] and found[3] == b"half"
    assert len(found[2]) == LONGEST_LINE + 1


READ = Read("a.md", 1, 100 * SECOND, Place())
USED = DocumentUsage("a.md", Status.READ, None, Counts(reads=1), READ, READ)
ITEM = Item("a.md", Kind.DOCS, "markdown", Access.TEXT, "A", "", 1, 50 * SECOND)


def shown(used: DocumentUsage | None, *offers: SessionOffer) -> Snapshot:
    documents = {} if used is None else {used.rel: used}
    status = SessionStatus("following", "claude", SESSION)
    usage = Usage(session=SESSION, documents=documents)
    return Snapshot(1, "/w", True, Query(), {}, status, sessions=offers, usage=usage)


@pytest.mark.parametrize(
    ("used", "item", "certain"),
    [
        (USED, ITEM, True),
        (None, ITEM, False),
        (USED, replace(ITEM, mtime_ns=84 * SECOND), True),
        (USED, replace(ITEM, mtime_ns=86 * SECOND), False),  # a log may be a little late
        (replace(USED, status=Status.REREAD), ITEM, True),
        (replace(USED, status=Status.UPDATED), ITEM, False),
        (replace(USED, status=Status.GONE), ITEM, False),
        (replace(USED, last_read=replace(READ, by="subagent")), ITEM, False),
        (replace(USED, last_read=replace(READ, inferred=True)), ITEM, False),
        (replace(USED, last_read=replace(READ, at=None)), ITEM, False),
        (replace(USED, lost=Lost.COMPACTED), ITEM, False),
        (replace(USED, lost=Lost.REWOUND), ITEM, False),
        (USED, replace(ITEM, missing=True), False),
    ],
)
def test_only_what_is_certain_counts_as_unchanged(
    used: DocumentUsage | None, item: Item, certain: bool
) -> None:
    marks = Marks()
    for moment in (80, 90, 99, 120):
        marks.looking(moment * SECOND)
    # It was told at 100, by the look at 99; it was not yet told at 90.
    assert (marks.unchanged(shown(used), (item,)) == {"a.md"}) == certain


def test_what_was_read_before_the_first_look_is_held_against_the_start_of_the_session(agent: Agent) -> None:
    agent.prompts("dim it", seconds_ago=1000)
    log = agent.log()
    offer = SessionOffer(str(log), "claude", SESSION, "/w", "same", "directory", "", "", 0.0, None, True)
    start = began(offer)
    assert start == pytest.approx(os.stat(log).st_mtime - 1000, abs=30)
    used = replace(USED, last_read=replace(READ, at=None))
    for seconds, certain in ((-1, True), (1, False)):
        item = replace(ITEM, mtime_ns=int((start + seconds) * SECOND))
        assert (Marks().unchanged(shown(used, offer), (item,)) == {"a.md"}) == certain


def test_a_log_that_does_not_tell_its_start_makes_nothing_certain(tmp_path: Path) -> None:
    log = tmp_path / "x.jsonl"
    log.write_text('{"type": "user"}\n')
    offer = SessionOffer(str(log), "claude", SESSION, "/w", "same", "directory", "", "", 0.0, None, True)
    assert began(offer) == 0.0
    assert began(replace(offer, key=str(tmp_path / "gone.jsonl"))) == 0.0
