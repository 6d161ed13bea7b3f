"""A pack that is watched, for other tools: it goes on until it is stopped or nobody reads any more."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from knit_tui.cli.options import FOUND
from knit_tui.cli.settings import Chosen, orders_of, session_of
from knit_tui.model import Notice, SessionStatus, Snapshot, Tab

if TYPE_CHECKING:
    from knit_tui.cli.show import Asked
    from knit_tui.config import Loaded

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GONE = select.POLLERR | select.POLLHUP


class _Stopped(BaseException):
    """A signal asked for the end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Feed:
    """The Snapshots of a host, for one thread that waits for them.

    Who is slow gets the newest one; those between are lost.
    """

    def __init__(self) -> None:
        self._latest: Snapshot | None = None
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)

    def publish(self, snapshot: Snapshot) -> None:
        """Hand over the newest Snapshot; from any thread."""
        self._latest = snapshot
        with suppress(BlockingIOError):  # a full pipe wakes as well
            os.write(self._waker, b".")

    def snapshots(self, output: int) -> Iterator[Snapshot]:
        """The newest one whenever there is a newer; ends when nobody reads ``output``, a descriptor."""
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        poll.register(output, 0)
        while True:
            for descriptor, events in poll.poll():
                if descriptor == output:
                    if events & _GONE:
                        return
                    poll.unregister(output)  # a kind of file that cannot be watched
                else:
                    os.read(self._wake, 1 << 16)
            if (latest := self._latest) is not None:
                self._latest = None
                yield latest

    def close(self) -> None:
        """After the host has stopped."""
        os.close(self._wake)
        os.close(self._waker)


def watch(root: Path, loaded: Loaded, chosen: Chosen, asked: Asked) -> int:
    """Print a line of JSON for what is ``asked``, and one whenever it has changed; the exit status."""
    from knit_tui.engine.changes import Ask
    from knit_tui.engine.host import Host
    from knit_tui.faces.watching import Lines

    tab, orders = Tab(asked.kind.value), orders_of(loaded)
    host = Host(
        root,
        session=session_of(loaded, chosen),
        git=orders.git,
        classic=orders.classic,
        tabs=(tab,),
        agents=loaded.settings.session.agents,
    )
    if asked.query is not None:
        host.send(Ask(asked.query))
    lines = Lines(tab, asked.limit, explain=asked.explain, typed=asked.query is not None)
    feed, told = Feed(), ""
    try:
        with _ended_by_signals():
            host.start(feed.publish, _fail)
            for snapshot in feed.snapshots(sys.stdout.fileno()):
                line = lines.line(snapshot)
                if line is not None:
                    sys.stdout.write(line)
                    sys.stdout.flush()
                trouble = _trouble(snapshot.session)
                if trouble not in ("", told):
                    print("knit: " + trouble, file=sys.stderr)
                told = trouble
    except _Stopped as stopped:
        return 128 + stopped.number
    finally:
        host.stop()
        feed.close()
    return FOUND


def _trouble(status: SessionStatus) -> str:
    from knit_tui.faces.session_words import session_text

    found = status.state in ("following", "none", "off")
    return "" if found else session_text(status)


def _fail(why: str) -> None:
    from knit_tui.faces.wording import notice_text

    print("knit: " + notice_text(Notice("failed", (("why", why),))), file=sys.stderr)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Raise `_Stopped` for the first signal that asks for the end; a second one ends at once.

    One that whoever started this process had it ignore stays ignored.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        for each in before:
            signal.signal(each, signal.SIG_DFL)
        raise _Stopped(number)

    before = {
        number: handler
        for number in _SIGNALS
        if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None)
    }
    try:
        for number in before:
            signal.signal(number, end)
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is end:
                signal.signal(number, handler)
