"""The engine behind the tool, in a thread of its own, opened by the first call and kept warm.

A call is answered within about two seconds of work, however much of the workspace is read by then; what is
left is read while nobody asks.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knit_tui.engine.changes import Ask, Change, SessionChanged, WorkspaceChanged
from knit_tui.faces.mcp.arguments import Call

if TYPE_CHECKING:
    from knit_tui.engine.engine import Engine
    from knit_tui.faces.mcp.audit import Delivered
    from knit_tui.faces.mcp.marks import Marks
    from knit_tui.faces.mcp.own import Caller, Choice
    from knit_tui.model import Snapshot

WORK_SECONDS = 2.0
_BREATH_SECONDS = 0.0005

Opener = Callable[[Path, Callable[[], None]], "Engine"]
"""Makes the engine of a folder; the function it gets is called now and then in long work."""


class Refused(Exception):
    """There is no answer; the text tells the agent why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the tool says."""

    text: str
    content: dict[str, Any]
    delivered: Delivered | None


@dataclass(eq=False)
class Job:
    """One call. ``post`` gets its answers, the last one with True, or why there is none; from another
    thread than the caller's."""

    call: Call
    root: Path
    caller: Caller
    post: Callable[[Answer | Refused, bool], None]
    before: Callable[[], Delivered | None]
    deadline: float = field(default_factory=lambda: time.monotonic() + WORK_SECONDS)
    cancelled: bool = False


class Desk:
    """Works on one job after the other."""

    def __init__(self, open_it: Opener) -> None:
        self._open = open_it
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._hurried = threading.Event()
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None
        self._root: Path | None = None
        self._idle = True
        self._tended = False
        """The history was looked at, or there is none."""
        self._marks: Marks
        self._choice: Choice

    def put(self, job: Job) -> None:
        """Hand over a job; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="knit-mcp-engine", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def hurry(self) -> None:
        """Answer with what there is: there is no time left."""
        self._hurried.set()

    def close(self, seconds: float) -> bool:
        """End the work and keep the index; False if that is not done in time."""
        self._stopping.set()
        self._jobs.put(None)
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()

    # In the thread.

    def _run(self) -> None:
        try:
            while (job := self._next()) is not None:
                self._work(job)
        except _Stopped:
            pass
        finally:
            self._close()

    def _next(self) -> Job | None:
        while True:
            try:
                return self._jobs.get(block=self._idle)
            except queue.Empty:
                self._guarded(self._go_on)

    def _go_on(self) -> None:
        """A little of what is left to be read."""
        engine = self._engine
        if engine is not None and engine.pending:
            engine.apply([])
        else:
            self._idle = engine is None or not engine.tend()
            self._tended = True

    def _work(self, job: Job) -> None:
        if job.cancelled:
            return
        self._guarded(lambda: self._answer(job), job)

    def _guarded(self, work: Callable[[], None], job: Job | None = None) -> None:
        """Do ``work``. A fault of ours does not end the server: the next call starts afresh."""
        try:
            work()
        except Refused as refusal:
            if job is not None:
                job.post(refusal, True)
        except Exception as error:
            self._close()
            if job is not None:
                job.post(Refused(f"knit failed: {type(error).__name__}; the next call starts afresh"), True)

    def _answer(self, job: Job) -> None:
        engine = self._engine_of(job.root)
        self._idle = False
        snapshot = self._looked(engine, job)
        if not snapshot.present:
            raise Refused("The workspace is gone: its folder is no longer there.")
        if engine.pending:
            snapshot = self._filled(engine, job)
        if job.cancelled:
            return
        if not engine.pending and not self._late(job):
            # The project's history may take a while; whoever cannot wait for it has an answer.
            job.post(self._written(job, snapshot), False)
            if engine.tend():
                snapshot = engine.apply([])
            self._tended, self._idle = True, not engine.pending
        job.post(self._written(job, snapshot), True)

    def _looked(self, engine: Engine, job: Job) -> Snapshot:
        """The workspace and the session as they are now, for what is asked."""
        self._marks.looking(time.time_ns())
        snapshot = _talked(engine, job.call, WorkspaceChanged(), SessionChanged())
        for again in (False, True):
            change = self._choice.change(job.caller, snapshot.sessions, again=again)
            if change is None:
                break
            self._marks.looking(time.time_ns())
            snapshot = engine.apply([change])
        return snapshot if job.call.query is None else _typed(engine, job.call)

    def _filled(self, engine: Engine, job: Job) -> Snapshot:
        """The same, after as much was indexed as there is time for."""
        snapshot = engine.apply([])
        while engine.pending and not self._late(job):
            snapshot = engine.apply([])
        if job.call.query is not None and not engine.pending:
            # What was read is held against the pack of the conversation, which was never seen yet.
            _talked(engine, job.call)
            snapshot = _typed(engine, job.call)
        return snapshot

    def _written(self, job: Job, snapshot: Snapshot) -> Answer:
        from knit_tui.faces.mcp.answering import answered
        from knit_tui.faces.mcp.audit import audit, delivered
        from knit_tui.faces.mcp.marks import compacted
        from knit_tui.faces.mcp.selected import Listing, by_tier, rows

        view, items, left_out = rows(job.call, snapshot)
        how = self._choice.how
        foreign = _foreign(job.caller, how, snapshot)
        # What another session read is not known to the agent that asks.
        mine = not foreign and (how in ("call", "environment") or not snapshot.session.others)
        read = self._marks.unchanged(snapshot, items) if mine and not job.call.include_read else frozenset()
        listing = Listing(
            call=job.call,
            snapshot=snapshot,
            view=view,
            tiers=by_tier(items),
            left_out=left_out,
            unchanged=read,
            compacted=compacted(snapshot, items) if mine else frozenset(),
            how=how or snapshot.session.how,
            foreign=foreign,
            history_waits=not self._tended and snapshot.complete,
        )
        usage = audit(snapshot, job.before()) if job.call.audit else ""
        return Answer(*answered(listing, usage), delivered(listing))

    def _engine_of(self, root: Path) -> Engine:
        if self._engine is None or self._root != root:
            from knit_tui.faces.mcp.marks import Marks
            from knit_tui.faces.mcp.own import Choice
            from knit_tui.workspace.git import work_tree

            self._close()
            self._engine, self._root = self._open(root, self._breathe), root
            self._marks, self._choice = Marks(), Choice()
            self._tended = work_tree(str(root)) is None
        return self._engine

    def _late(self, job: Job) -> bool:
        return job.cancelled or self._hurried.is_set() or time.monotonic() > job.deadline

    def _breathe(self) -> None:
        # Without a real pause this thread would hold the interpreter most of the time.
        time.sleep(_BREATH_SECONDS)
        if self._stopping.is_set():
            raise _Stopped

    def _close(self) -> None:
        engine, self._engine, self._idle = self._engine, None, True
        if engine is not None:
            with suppress(Exception):  # a cache that cannot be kept costs time, nothing else
                engine.close()


class _Stopped(BaseException):
    """Leaves long work in the middle when the server ends."""


def _talked(engine: Engine, call: Call, *changes: Change) -> Snapshot:
    """What the conversation asks for, in as few tabs as are needed: reads are held against its pack."""
    from knit_tui.model import Tab

    engine.show(Tab.CONTEXT, Tab.CONTEXT if call.query else Tab(call.kind))
    return engine.apply([*changes, Ask(None)])


def _typed(engine: Engine, call: Call) -> Snapshot:
    """What the query asks for."""
    from knit_tui.model import Tab

    engine.show(Tab(call.kind))
    return engine.apply([Ask(call.query)])


def _foreign(asked: Caller, how: str, snapshot: Snapshot) -> bool:
    """Whether the session that is followed is another one than that of the agent which asks."""
    if snapshot.session.state != "following" or how in ("call", "environment"):
        return False
    if asked.told or asked.started:
        return True
    return bool(asked.agent) and snapshot.session.agent != asked.agent
