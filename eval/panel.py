"""The panel in a terminal of its own: first frame, key to frame, idle cost, memory."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from eval.measure import Row, ratio

_PEER = """
from textual.app import App
from textual.widgets import OptionList
class Peer(App):
    def compose(self):
        yield OptionList(*(f"row {i}" for i in range(50)))
Peer().run()
"""
_QUIET_SECONDS = 0.4
_LIMIT_SECONDS = 30.0
_IDLE_SECONDS = 10.0
_KEYS = 40


class Terminal:
    """A child process on a pseudo-terminal of 120 by 40 cells."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            environment["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent)
            os.execve(command[0], command, environment)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def read_until(self, wanted: bytes) -> float:
        """Seconds since the start until ``wanted`` was written.

        Raises:
            TimeoutError: it never was.
        """
        seen = b""
        while wanted not in seen:
            seen += self._read(_LIMIT_SECONDS)
        return time.perf_counter() - self.started

    def until_quiet(self) -> None:
        """Drain what is written until nothing comes for a moment."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._read(_QUIET_SECONDS)

    def key(self, key: bytes) -> float:
        """Seconds from a key press to the first output it causes."""
        start = time.perf_counter()
        os.write(self._fd, key)
        self._read(_LIMIT_SECONDS)
        return time.perf_counter() - start

    def cpu_seconds(self) -> float:
        """CPU time of all threads so far, by the scheduler's clock: ticks count short wake-ups wrongly."""
        total = 0
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):
                total += int((thread / "schedstat").read_text().split()[0])
        return total / 1e9

    def settle(self) -> None:
        """Wait until the process rests: everything is indexed and drawn."""
        deadline = time.perf_counter() + _LIMIT_SECONDS
        while time.perf_counter() < deadline:
            before = self.cpu_seconds()
            self.until_quiet()
            time.sleep(_QUIET_SECONDS)
            if self.cpu_seconds() - before < 0.05 * _QUIET_SECONDS:
                return

    def idle(self) -> float:
        """The share of a core that the process takes while nothing happens."""
        self.settle()
        before = self.cpu_seconds()
        time.sleep(_IDLE_SECONDS)
        return (self.cpu_seconds() - before) / _IDLE_SECONDS

    def rss_mb(self) -> float:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def close(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        with contextlib.suppress(OSError, TimeoutError):
            while self._read(_LIMIT_SECONDS):
                pass
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._fd], [], [], seconds)[0]:
            raise TimeoutError
        return os.read(self._fd, 1 << 16)


@contextlib.contextmanager
def terminal(command: list[str], folder: Path) -> Iterator[Terminal]:
    """A Terminal that is closed in the end."""
    opened = Terminal(command, folder)
    try:
        yield opened
    finally:
        opened.close()


def panel_rows(root: Path) -> list[Row]:
    """The panel on the tree at ``root``; the peer is a Textual app that shows fifty plain options."""
    with terminal([sys.executable, "-c", _PEER], root) as peer:
        peer_first = peer.read_until(b"row")
        peer.until_quiet()
        peer_keys = sorted(peer.key(b"\x1b[B") for _ in range(_KEYS))
        peer_idle = peer.idle()
        peer_rss = peer.rss_mb()
    with terminal([sys.executable, "-m", "knit_tui", "--session", "none"], root) as panel:
        first = panel.read_until(b"Context")
        panel.settle()
        keys = sorted(panel.key(b"j") for _ in range(_KEYS))
        idle = panel.idle()
        rss = panel.rss_mb()
    p95, peer_p95 = (statistics.quantiles(times, n=20)[-1] for times in (keys, peer_keys))
    return [
        Row("first frame", f"{first:.2f} s wall", f"{peer_first:.2f} s", ratio(first, peer_first), "0.4 s"),
        Row(
            "key to frame, p95",
            f"{p95 * 1e3:.0f} ms wall",
            f"{peer_p95 * 1e3:.0f} ms",
            ratio(p95, peer_p95),
            "50 ms",
        ),
        Row(
            "idle",
            f"{idle * 100:.2f} % of a core",
            f"{peer_idle * 100:.2f} %",
            ratio(idle, peer_idle),
            "< 0.5 %",
        ),
        Row(
            "panel RSS",
            f"{rss:.0f} MB",
            f"{peer_rss:.0f} MB",
            ratio(rss, peer_rss),
            "120 / 350 MB at 2k / 20k",
        ),
    ]
