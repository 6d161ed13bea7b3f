"""The real panel in tmux on a private server: keys in, the rendered screen and the raw bytes out.

Inside the tmux pane runs ``relay.py``, which gives the panel a terminal of its own and keeps every
byte the panel writes: the screen alone would hide what a terminal has swallowed.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BAR = "▌"
"""What the lines of the item under the cursor begin with."""
POLL_SECONDS = 0.03
TRIES = 5
ESCAPE_LOOKS = 5
"""Looks at the screen that take longer than a terminal program waits for what follows an Escape."""
TMUX_SECONDS = 20
QUIT_SECONDS = 10.0
WIDTH, HEIGHT = 110, 34

_RELAY = Path(__file__).with_name("relay.py")
_names = itertools.count(1)


class NotShown(Exception):
    """The panel did not show in time what it had to; the last screen is in ``screen``."""

    def __init__(self, what: str, screen: str) -> None:
        super().__init__(what)
        self.screen = screen


def tmux_missing() -> str:
    """Why there can be no panel here; empty when there can."""
    return "" if shutil.which("tmux") else "tmux is not installed"


@dataclass(frozen=True, slots=True)
class Ended:
    """How the panel ended."""

    rc: int
    rss_mb: float


class Server:
    """A tmux server of our own, on a socket in its own temporary folder."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="knit-tmux-")
        self._name = f"knit-hostile-{os.getpid()}"
        self._env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self._folder,
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": self._folder,
        }

    def __enter__(self) -> Server:
        self.tmux("new-session", "-d", "-s", "base", "-x", "80", "-y", "24", "cat")
        for option in (
            ("-s", "escape-time", "0"),
            ("-g", "default-terminal", "tmux-256color"),
            ("-g", "status", "off"),
            ("-g", "remain-on-exit", "on"),
        ):
            self.tmux("set-option", *option)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.tmux("kill-server")
        shutil.rmtree(self._folder, ignore_errors=True)

    def tmux(self, *words: str) -> str:
        """Run one tmux command; return what it prints.

        Raises:
            subprocess.CalledProcessError: tmux refused it.
        """
        command = ["tmux", "-u", "-L", self._name, "-f", "/dev/null", *words]
        done = subprocess.run(command, env=self._env, capture_output=True, timeout=TMUX_SECONDS, check=True)
        return done.stdout.decode("utf-8", "replace")


class Panel:
    """One running panel. A context manager: leaving it ends the panel, politely or not."""

    def __init__(
        self,
        server: Server,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        size: tuple[int, int] = (WIDTH, HEIGHT),
    ) -> None:
        self._server = server
        self._command = command
        self._cwd = cwd
        self._env = env
        self._size = size
        self._name = f"panel{next(_names)}"
        self._folder = Path(tempfile.mkdtemp(prefix="knit-panel-"))
        self._status = self._folder / "status.json"

    def __enter__(self) -> Panel:
        settings = [f"{name}={value}" for name, value in self._env.items()]
        relay = [sys.executable, "-P", "-S", str(_RELAY), str(self._folder / "raw"), str(self._status)]
        argv = ["env", "-i", *settings, *relay, *self._command]
        width, height = (str(cells) for cells in self._size)
        place = ["-s", self._name, "-x", width, "-y", height, "-c", str(self._cwd)]
        self.started = time.monotonic()
        self._server.tmux("new-session", "-d", *place, *argv)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._server.tmux("kill-session", "-t", f"={self._name}")
        shutil.rmtree(self._folder, ignore_errors=True)

    # What it shows

    def screen(self) -> str:
        """The rendered screen, one line a row, without trailing blanks."""
        return self._server.tmux("capture-pane", "-p", "-t", f"={self._name}:")

    def raw(self) -> bytes:
        """Every byte the panel has written to its terminal so far."""
        path = self._folder / "raw"
        return path.read_bytes() if path.exists() else b""

    def ended(self) -> Ended | None:
        """How it ended; None while it runs."""
        if not self._status.exists():
            return None
        facts = json.loads(self._status.read_text(encoding="ascii"))
        return Ended(facts["rc"], facts["rss_mb"])

    # Waiting

    def wait(self, what: str, shown: Callable[[str], bool], seconds: float) -> str:
        """Look at the screen until ``shown`` says it is as wanted; return that screen.

        Raises:
            NotShown: not within ``seconds``, or the panel ended.
        """
        deadline = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if shown(screen):
                return screen
            ended = self.ended()
            if ended is not None:
                raise NotShown(f"{what}: the panel ended with {ended.rc}", screen)
            if time.monotonic() > deadline:
                raise NotShown(f"{what}: not on screen after {seconds:.1f} s", screen)
            time.sleep(POLL_SECONDS)

    def settled(self, seconds: float, calm: int = 4) -> str:
        """The screen once it has stayed the same for ``calm`` looks, or the last one after ``seconds``."""
        deadline = time.monotonic() + seconds
        before, same = self.screen(), 0
        while same < calm and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            screen = self.screen()
            same = same + 1 if screen == before else 0
            before = screen
        return before

    # Keys

    def press(self, *keys: str) -> None:
        """Press keys by their tmux names: ``Down``, ``Enter``, ``Escape``, ``4``."""
        self._server.tmux("send-keys", "-t", f"={self._name}:", *keys)

    def escape(self) -> None:
        """Press Escape, and let no key follow before it can no longer be the start of an Alt sequence."""
        self.press("Escape")
        self.settled(2, calm=ESCAPE_LOOKS)

    def type(self, text: str) -> None:
        """Type ``text`` exactly as it is, as its UTF-8 bytes."""
        data = text.encode("utf-8", "surrogateescape").hex(" ").split()
        for start in range(0, len(data), 200):
            self._server.tmux("send-keys", "-t", f"={self._name}:", "-H", *data[start : start + 200])

    def quit(self) -> Ended | None:
        """Ask it to quit; how it ended, or None when it did not within ``QUIT_SECONDS``.

        Asked more than once: a busy panel may take an Escape and the next key for one.

        Raises:
            NotShown: a filter is open and does not close.
        """
        deadline = time.monotonic() + QUIT_SECONDS
        while (ended := self.ended()) is None and time.monotonic() < deadline:
            if filter_line(self.screen()) is not None:
                self.close_filter()
            self.press("q")
            self._poll(lambda: self.ended() is not None, min(2.0, QUIT_SECONDS))
        return ended

    @staticmethod
    def _poll(reached: Callable[[], bool], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not (now := reached()) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return now

    def open_filter(self) -> None:
        """Press ``/`` until the line to type in is there.

        Raises:
            NotShown: it does not come.
        """
        for _ in range(TRIES):
            self.press("/")
            if self._poll(lambda: filter_line(self.screen()) is not None, 1.0):
                return
        raise NotShown("a line to type a filter in", self.screen())

    def close_filter(self) -> None:
        """Press Escape until no filter is left.

        Raises:
            NotShown: it does not go.
        """
        for _ in range(TRIES):
            self.escape()
            if self._poll(lambda: filter_line(self.screen()) is None, 3.0):
                return
        raise NotShown("no filter", self.screen())

    def walk(self, seconds_each: float) -> Iterator[str]:
        """Move the cursor down to the end of the list; the settled screen at every item.

        Raises:
            NotShown: the panel ended on the way.
        """
        screen = self.settled(seconds_each)
        yield screen
        while cursor(screen):
            before = cursor(screen)
            self.press("Down")
            deadline = time.monotonic() + seconds_each
            while cursor(screen := self.screen()) == before and time.monotonic() < deadline:
                if self.ended() is not None:
                    raise NotShown("the panel ended while the cursor moved down", screen)
                time.sleep(POLL_SECONDS)
            if cursor(screen) == before:
                return
            screen = self.settled(seconds_each)
            yield screen


def filter_line(screen: str) -> str | None:
    """What is typed as the filter, after a ``/`` near the top; None when there is no such line."""
    lines = (line.strip() for line in screen.splitlines()[:3])
    return next((line[1:] for line in lines if line.startswith("/")), None)


def cursor(screen: str) -> list[tuple[int, str]]:
    """The lines of the item under the cursor, each with its row: empty when no list is shown."""
    return [(row, line) for row, line in enumerate(screen.splitlines()) if line.startswith(BAR)]
