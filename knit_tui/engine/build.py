"""Large amounts of files, shared out to processes of their own.

Where none can be started, or one dies, nothing is lost: the files wait as before, and whoever gave them
indexes them itself.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from pathlib import Path

from knit_tui.engine.reading import text_bytes
from knit_tui.engine.worker import Part, Request
from knit_tui.model import Entry, Notice

ENOUGH = 8 << 20
"""Bytes that must wait before processes are started: for less, starting them takes longer than it saves."""
MOST = 8
"""Processes at most."""
REQUEST_BYTES = 1 << 21
"""Text of one request."""
LIMIT_SECONDS = 60.0
"""For one request; a process that takes longer hangs."""

LARGEST_ANSWER = 256 << 20
"""Bytes; more is no answer."""

# What one request may take on its way: a pipe holds so much that nobody waits for the reader.
_MESSAGE_BYTES = 40_000
_ENTRY_BYTES = 150
_ENVIRONMENT = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
# The very knit that asks, whatever else is installed; nothing but it from that folder.
_SCRIPT = (
    "import sys; sys.path[:0] = sys.argv[1:2]; import knit_tui; del sys.path[0]; sys.path += sys.argv[2:]; "
    "from knit_tui.engine.arrays import import_numpy; import_numpy(); "
    "from knit_tui.engine.worker import main; main()"
)


def default_command() -> list[str]:
    """The command that starts a process, isolated from the folder, environment and user site it runs in."""
    package = Path(__file__).resolve().parents[2]
    numpy = find_spec("numpy")
    folders = [str(Path(numpy.origin).resolve().parents[1])] if numpy and numpy.origin else []
    return [sys.executable, "-I", f"-Xutf8={sys.flags.utf8_mode}", "-c", _SCRIPT, str(package), *folders]


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Builders:
    """Processes that index files of the workspace ``root``; none run before ``begin``.

    ``notices`` tell of one that died. Not safe for use by two threads at once.
    """

    def __init__(self, root: Path, command: Callable[[], list[str]] = default_command) -> None:
        self._root = root
        self._command = command
        self._builders: list[_Builder] = []
        self._failed = False
        self.notices: tuple[Notice, ...] = ()

    def begin(self, waiting: int) -> None:
        """Start processes if ``waiting`` bytes are worth it and it is possible."""
        if waiting < ENOUGH or self._builders or self._failed or cores() < 2:
            return
        try:
            for _ in range(min(cores(), MOST)):
                self._builders.append(_Builder(self._command()))
        except (OSError, ValueError):
            self._failed = True
            self.close()

    @property
    def idle(self) -> bool:
        """Whether ``give`` is possible now."""
        return any(builder.idle for builder in self._builders)

    @property
    def ready(self) -> bool:
        """Whether any process has started up, so that one need not work oneself."""
        return any(builder.ready for builder in self._builders)

    @property
    def out(self) -> set[str]:
        """Paths that are being indexed."""
        return {entry.rel for builder in self._builders for entry in builder.entries}

    def give(self, waiting: Iterable[Entry], known: Callable[[str], int]) -> None:
        """Share out the first of ``waiting`` to the processes that have nothing to do.

        ``known`` gives the digest of the text that is known of a path.
        """
        left = iter(waiting)
        for builder in self._builders:
            if builder.idle and (entries := _first(left)):
                request = Request(str(self._root), entries, [known(entry.rel) for entry in entries])
                builder.give(request)

    def take(self, seconds: float) -> list[Part]:
        """What has been finished; waits up to ``seconds`` for the first."""
        parts = []
        try:
            for connection in wait([builder.answers for builder in self._builders], seconds):
                builder = next(each for each in self._builders if each.answers is connection)
                part = builder.take()
                if part is not None:
                    parts.append(part)
            if any(builder.late for builder in self._builders):
                raise TimeoutError
        except (EOFError, OSError, pickle.UnpicklingError):
            self._failed = True
            self.notices = (Notice("builder-died"),)
            self.close()
        return parts

    def close(self) -> None:
        """End all processes."""
        for builder in self._builders:
            builder.end()
        self._builders = []


class _Builder:
    """One process."""

    def __init__(self, command: Sequence[str]) -> None:
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            cwd="/",
            # Out of the terminal's reach, and the terminal out of its.
            start_new_session=True,
        )
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._requests = Connection(os.dup(self._popen.stdin.fileno()), readable=False)
        self.answers = Connection(os.dup(self._popen.stdout.fileno()), writable=False)
        self._popen.stdin.close()
        self._popen.stdout.close()
        self._since = time.monotonic()
        self.ready = False
        self.entries: Sequence[Entry] = ()
        """What it is working on."""

    @property
    def idle(self) -> bool:
        return self.ready and not self.entries

    @property
    def late(self) -> bool:
        return not self.idle and time.monotonic() - self._since > LIMIT_SECONDS

    def give(self, request: Request) -> None:
        self.entries = request.entries
        self._since = time.monotonic()
        try:
            self._requests.send(request)
        except OSError:
            return  # it died: ``take`` finds the end of its answers

    def take(self) -> Part | None:
        """Its answer; None for its greeting.

        Raises:
            EOFError, OSError, UnpicklingError: it died.
        """
        part: Part | None = pickle.loads(self.answers.recv_bytes(LARGEST_ANSWER))
        self.ready, self.entries = True, ()
        return part

    def end(self) -> None:
        self._popen.kill()
        self._requests.close()
        self.answers.close()
        self._popen.wait()


def _first(left: Iterable[Entry]) -> list[Entry]:
    """The next of ``left`` that make one request."""
    entries: list[Entry] = []
    text = message = 0
    for entry in left:
        entries.append(entry)
        text += text_bytes(entry)
        message += 3 * len(entry.rel) + _ENTRY_BYTES
        if text >= REQUEST_BYTES or message >= _MESSAGE_BYTES:
            break
    return entries
