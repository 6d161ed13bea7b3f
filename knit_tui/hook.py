"""The program behind agents' hooks. Whatever happens it ends in time, with status 0 and nothing on stderr.

An agent waits for it with each prompt, and takes some statuses as an order to stop: so a fault of ours, a
broken message or a slow disk must all look like nothing to say.
"""

from __future__ import annotations

import gc
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from knit_tui.sessions.hooks import LONGEST, Call, answer, read

LIMIT_MS = 300
"""From the start of the process to its end."""
LIMIT_VARIABLE = "KNIT_HOOK_MS"
"""Another limit, for slow machines."""
_MOST_MS = 4000
"""The agents end a hook of knit after five seconds."""
_GRACE_SECONDS = 0.05


class _Late(BaseException):
    """It is too late for an answer."""


def run(agent: str) -> None:
    """Answer the message on standard input, and end the process."""
    gc.disable()
    with suppress(BaseException):
        until = _until()
        _arm(until)
        _answer(agent, until)
    os._exit(0)


def _until() -> float:
    """The moment of ``time.monotonic`` by which all must be done."""
    try:
        limit = min(_MOST_MS, max(1, int(os.environ.get(LIMIT_VARIABLE, ""))))
    except ValueError:
        limit = LIMIT_MS
    # What starting up took: at least the time that it had a processor for.
    return time.monotonic() + limit / 1000 - time.process_time()


def _arm(until: float) -> None:
    """At ``until`` raise `_Late`, which ends what git or others do for us; soon after, end all the same."""

    def late(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGALRM, lambda number, frame: os._exit(0))
        raise _Late

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, until - time.monotonic()), _GRACE_SECONDS)


def _answer(agent: str, until: float) -> None:
    data = _message()
    home = Path(os.environ.get("HOME", ""))
    call = read(agent, data, home, os.environ) if home.is_absolute() else None
    if call is None:
        return
    if call.prompt.strip() and call.cwd:
        with suppress(Exception):  # without the pack, the word is still worth something
            _put(_pack(call, home, until), until)
    _tell(call, home)


def _message() -> bytes:
    """What is on standard input; nothing if it is too long. All of it is read: its writer must not fail."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 16):
        size += len(part)
        if size <= LONGEST:
            parts.append(part)
    return b"".join(parts) if size <= LONGEST else b""


def _pack(call: Call, home: Path, until: float) -> str:
    from knit_tui.faces.mcp.roots import checked, current, named

    os.chdir(call.cwd)
    root = checked(named(None, os.environ) or current(home), home)
    from knit_tui.engine.arrays import import_numpy

    import_numpy()
    from knit_tui.engine.glance import glance
    from knit_tui.faces.as_hook import hook_text

    snapshot = glance(root, call.prompt, until)
    text = hook_text(snapshot, call.prompt) if snapshot is not None else ""
    return answer(call, text) if text else ""


def _put(said: str, until: float) -> None:
    """Write the whole answer, or none of it."""
    if not said or time.monotonic() >= until:
        return
    rest = memoryview(said.encode())
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    while rest:
        rest = rest[os.write(1, rest) :]
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})


def _tell(call: Call, home: Path) -> None:
    if not (call.log and call.session_id and call.cwd):
        return
    from knit_tui.sessions.telling import tell
    from knit_tui.sessions.told import Told
    from knit_tui.workspace.own import write_whole

    tell(Told(call.agent, call.session_id, call.log, call.cwd, time.time()), home, os.environ, write_whole)


if __name__ == "__main__":
    import sys

    run(sys.argv[1] if len(sys.argv) > 1 else "")
