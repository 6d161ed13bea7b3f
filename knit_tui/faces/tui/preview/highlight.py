"""Colours for lines of text, worked out in another process and handed over when they are there.

A ``Highlighter`` has one thread and at most one process, started when first needed. The thread waits
for the process so that nobody else must; a process that is slow or dies is replaced, and the job it
had is answered with a fault.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from knit_tui.faces.tui.preview.child import GROUPS
from knit_tui.faces.tui.preview.process import Gone, TooSlow, default_command
from knit_tui.faces.tui.preview.servant import Servant, Unavailable

Runs = tuple[tuple[int, int, int], ...]
"""Of one line: (start, length, group) in characters, in order, not overlapping; group indexes ``GROUPS``."""

LIMIT = 0.5
"""Seconds a job may take."""
_STOP_LIMIT = 2.0


class Fault(StrEnum):
    """Why a job has no colours."""

    SLOW = "slow"
    DIED = "died"
    LEXER = "lexer"
    """No lexer of that name, or it raised."""
    UNAVAILABLE = "unavailable"
    """There is no process to ask."""


@dataclass(frozen=True, slots=True)
class Job:
    """Lines to colour. ``lines[skip:]`` are wanted, the ones before give the lexer its bearings."""

    document: object
    """Whose lines. After a fault, waiting jobs of the same document are dropped."""
    language: str
    lines: Sequence[str]
    first: int
    """Index in the document of the first wanted line."""
    skip: int = 0
    whole: bool = False
    """The text from its beginning to its end: exact, an improvement on windows; its fault drops nothing."""

    def same(self, other: Job) -> bool:
        """Whether ``other`` would give the same runs."""
        return self.document is other.document and self.first == other.first and self.whole == other.whole


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job: runs for each wanted line, or a fault."""

    job: Job
    runs: tuple[Runs, ...] = ()
    fault: Fault | None = None


class Highlighter:
    """Answers jobs in turn; ``answer`` is called from the highlighter's thread."""

    def __init__(
        self,
        answer: Callable[[Answer], object],
        *,
        command: Sequence[str] | None = None,
        limit: float = LIMIT,
    ) -> None:
        self._answer = answer
        self._servant = Servant(default_command if command is None else lambda: command, limit)
        self._changed = threading.Condition()
        self._waiting: deque[Job] = deque()
        self._in_hand: Job | None = None
        self._stopping = False
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """The running process, for whoever wants to look at it."""
        return self._servant.pid

    def want(self, jobs: Sequence[Job]) -> None:
        """Do these next, in this order, instead of whatever still waited. Never blocks."""
        with self._changed:
            if self._stopping:
                return
            in_hand = self._in_hand
            self._waiting = deque(job for job in jobs if in_hand is None or not job.same(in_hand))
            if jobs and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="knit-highlighter", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        """End the thread and the process; no answer comes after this. Bounded."""
        with self._changed:
            self._stopping = True
            self._waiting.clear()
            self._changed.notify()
            thread = self._thread
        self._servant.stop()
        if thread is not None:
            thread.join(_STOP_LIMIT)

    def _run(self) -> None:
        try:
            while (job := self._next()) is not None:
                answer = self._do(job)
                with self._changed:
                    self._in_hand = None
                    if self._stopping:
                        break
                    if answer.fault is not None and not job.whole:
                        left = (waiting for waiting in self._waiting if waiting.document is not job.document)
                        self._waiting = deque(left)
                self._answer(answer)
        finally:
            self._servant.end()

    def _next(self) -> Job | None:
        with self._changed:
            while not self._waiting and not self._stopping:
                self._changed.wait()
            self._in_hand = None if self._stopping else self._waiting.popleft()
            return self._in_hand

    def _do(self, job: Job) -> Answer:
        request = {"language": job.language, "lines": list(job.lines), "skip": job.skip}
        try:
            runs = self._servant.ask(request, lambda reply: _runs_of(reply, job))
        except TooSlow:
            return Answer(job, fault=Fault.SLOW)
        except Gone:
            return Answer(job, fault=Fault.DIED)
        except Unavailable:
            return Answer(job, fault=Fault.UNAVAILABLE)
        return Answer(job, fault=Fault.LEXER) if runs is None else Answer(job, runs=runs)


def _runs_of(reply: dict[str, Any], job: Job) -> tuple[Runs, ...] | None:
    """The runs of a reply; None when the lexer failed."""
    return None if "error" in reply else checked_runs(reply.get("runs"), job.lines[job.skip :])


def checked_runs(runs: Any, lines: Sequence[str]) -> tuple[Runs, ...]:
    """The runs of a reply, one for each of ``lines``, every one inside its line.

    Raises:
        Gone: they are anything else.
    """
    if not isinstance(runs, list) or len(runs) != len(lines):
        raise Gone("not one list of runs for each line")
    return tuple(_checked_line(flat, len(line)) for flat, line in zip(runs, lines, strict=True))


def _checked_line(flat: Any, length: int) -> Runs:
    if not isinstance(flat, list) or len(flat) % 3 or not all(type(number) is int for number in flat):
        raise Gone("runs are not triples of integers")
    found: list[tuple[int, int, int]] = []
    end = 0
    for start, size, group in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
        if not (end <= start and 0 < size <= length - start and 0 <= group < len(GROUPS)):
            raise Gone("a run lies outside its line")
        end = start + size
        found.append((start, size, group))
    return tuple(found)
