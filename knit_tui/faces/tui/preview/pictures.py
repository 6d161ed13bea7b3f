"""Pictures decoded in another process and handed over when they are there; and how large they are.

One thread waits for the process so that nobody else must. A picture that is to be shown comes before
those whose size alone is asked for.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.preview import picture_child
from knit_tui.faces.tui.preview.decoded import Decoded, card_of, checked
from knit_tui.faces.tui.preview.document import Card, Frame
from knit_tui.faces.tui.preview.loader import reason_card
from knit_tui.faces.tui.preview.process import Gone, TooSlow, command_of
from knit_tui.faces.tui.preview.servant import Servant, Unavailable
from knit_tui.model import Access, Item, Kind
from knit_tui.workspace.text import Unreadable, open_file

LIMIT = 1.0
"""Seconds a picture may take."""
LARGEST_FILE = 32 << 20
"""Bytes of a file that is decoded."""
SIZES_KEPT = 4096
_STOP_LIMIT = 2.0
_FACTS = Frame(None)


def default_command() -> list[str]:
    """The command of the process that runs Pillow."""
    return command_of(picture_child.__file__, "PIL")


def is_picture(item: Item) -> bool:
    """Whether ``item`` is a file of pixels; one that is text, such as SVG, is shown as text."""
    media = item.kind is Kind.IMAGE and item.language is None
    return media and item.access is Access.NAME and not item.missing


class Sizes:
    """The pixel sizes that are known, each for one state of a file; the oldest are forgotten.

    One thread may add to them while others look.
    """

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, int, int], tuple[int, int] | None] = {}

    def __contains__(self, item: Item) -> bool:
        """Whether it has been looked for, found or not."""
        return _state(item) in self._sizes

    def get(self, item: Item) -> tuple[int, int] | None:
        """Width and height, if known."""
        return self._sizes.get(_state(item))

    def put(self, item: Item, size: tuple[int, int] | None) -> None:
        """``size`` is None where there is none to find."""
        self._sizes[_state(item)] = size
        while len(self._sizes) > SIZES_KEPT:
            del self._sizes[next(iter(self._sizes))]


def _state(item: Item) -> tuple[str, int, int]:
    return item.rel, item.mtime_ns, item.size


@dataclass(frozen=True, slots=True)
class _Job:
    root: str
    item: Item
    frame: Frame = _FACTS
    ticket: Any = None
    """What the answer is given back with; None where the size alone is asked for."""


class Pictures:
    """Starts its thread and its process when first needed. Every public method returns at once."""

    def __init__(
        self,
        answer: Callable[[Any, Card], object],
        measured: Callable[[], object],
        *,
        command: Sequence[str] | None = None,
        limit: float = LIMIT,
    ) -> None:
        """Make one that calls back from a thread of its own.

        Args:
            answer: Takes the ticket of a picture and the card that shows it.
            measured: Called when more sizes are known.
            command: Runs the process instead of the usual one.
            limit: Seconds one request to it may take.
        """
        self.sizes = Sizes()
        self._answer = answer
        self._measured = measured
        self._servant = Servant(default_command if command is None else lambda: command, limit)
        self._changed = threading.Condition()
        self._wanted: _Job | None = None
        self._unmeasured: deque[_Job] = deque()
        self._stopping = False
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """The running process, for whoever wants to look at it."""
        return self._servant.pid

    def show(self, ticket: Any, root: str, item: Item, frame: Frame) -> None:
        """Make the card of ``item``, instead of the one that still waited."""
        with self._changed:
            self._wanted = _Job(root, item, frame, ticket)
            self._wake()

    def measure(self, root: str, items: Iterable[Item]) -> None:
        """Find out the sizes of these next, instead of those that still waited."""
        with self._changed:
            self._unmeasured = deque(_Job(root, item) for item in items if item not in self.sizes)
            self._wake()

    def stop(self) -> None:
        """End the thread and the process; no answer comes after this. Bounded."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
            thread = self._thread
        self._servant.stop()
        if thread is not None:
            thread.join(_STOP_LIMIT)

    def _wake(self) -> None:
        if self._thread is None and not self._stopping:
            self._thread = threading.Thread(target=self._run, name="knit-pictures", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _run(self) -> None:
        try:
            while (job := self._next()) is not None:
                card = self._do(job)
                if self._stopping:
                    break
                if job.ticket is not None:
                    self._answer(job.ticket, card)
                self._measured()
        finally:
            self._servant.end()

    def _next(self) -> _Job | None:
        with self._changed:
            while not (self._wanted or self._unmeasured or self._stopping):
                self._changed.wait()
            if self._stopping:
                return None
            job, self._wanted = self._wanted, None
            return job if job is not None else self._unmeasured.popleft()

    def _do(self, job: _Job) -> Card:
        try:
            descriptor = open_file(Path(job.root), job.item.rel)
        except Unreadable as error:
            self.sizes.put(job.item, None)
            return reason_card(error.reason, error.detail, size=job.item.size)
        try:
            total = os.fstat(descriptor).st_size
            decoded = self._decoded(descriptor, total, job.frame)
        finally:
            os.close(descriptor)
        if decoded.size is None:
            decoded = replace(decoded, size=self.sizes.get(job.item))
        if decoded.size is not None or job.ticket is None:
            self.sizes.put(job.item, decoded.size)
        return card_of(job.item, decoded, job.frame, total) if total else Card(_("empty file"))

    def _decoded(self, descriptor: int, total: int, frame: Frame) -> Decoded:
        if not total or total > LARGEST_FILE:
            return Decoded("file")
        request = {"box": frame.box, "ground": frame.ground, "few": frame.few}
        try:
            return self._servant.ask(request, lambda reply: checked(reply, frame), descriptor)
        except TooSlow:
            return Decoded("slow")
        except Gone:
            return Decoded("damaged")
        except Unavailable:
            return Decoded("unavailable")
