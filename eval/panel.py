"""The panel in a terminal of its own: first frame, key to frame, idle cost, memory.

    python -m eval.panel [DIR …] [--documents 2000] [--many 100000]

measures all that the panel has a budget for, on generated trees and on each DIR: besides the above, new
orders and new sizes of long lists (``eval/apply.py``), and keys while the engine works (``eval/busy.py``,
which changes files and so works on a copy).
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from eval.apply import ROWS, apply_rows
from eval.busy import busy_rows, preview_rows
from eval.measure import Row, ratio, table
from eval.trees import generate
from knit_tui.paths import CACHE_VARIABLE, CONFIG_VARIABLE, STATE_VARIABLE

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
_RUNS = 5


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
        peer_first, peer_spent = peer.read_until(b"row"), peer.cpu_seconds()
        peer.until_quiet()
        peer_keys = sorted(peer.key(b"\x1b[B") for _ in range(_KEYS))
        peer_idle = peer.idle()
        peer_rss = peer.rss_mb()
    with terminal([sys.executable, "-m", "knit_tui", "--session", "none"], root) as panel:
        first, spent = panel.read_until(b"Context"), panel.cpu_seconds()
        panel.settle()
        keys = sorted(panel.key(b"j") for _ in range(_KEYS))
        idle = panel.idle()
        rss = panel.rss_mb()
    p95, peer_p95 = (statistics.quantiles(times, n=20)[-1] for times in (keys, peer_keys))
    return [
        Row("first frame", f"{first:.2f} s wall", f"{peer_first:.2f} s", ratio(first, peer_first), "0.4 s"),
        Row("first frame, CPU", f"{spent:.2f} s", f"{peer_spent:.2f} s", ratio(spent, peer_spent), ""),
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


def report(title: str, root: Path) -> None:
    """Measure the panel on the tree at ``root``, which is changed by it, and print the table."""
    print(table(title, panel_rows(root) + busy_rows(root)), flush=True)


def version_rows(folder: Path) -> list[Row]:
    """Wall time of the least that the command can do."""
    ours, bare = (
        min(_wall([sys.executable, *arguments], folder) for _ in range(_RUNS))
        for arguments in (("-m", "knit_tui", "--version"), ("-c", "pass"))
    )
    return [
        Row("knit --version", f"{ours:.2f} s wall", f"bare Python {bare:.2f} s", ratio(ours, bare), "0.15 s")
    ]


def _wall(command: list[str], folder: Path) -> float:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print one table a tree, and one of what depends on no tree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--documents", default="2000", help="sizes of the generated trees, or 0 for none")
    parser.add_argument("--many", type=int, default=100_000, help="rows of the longest list")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="knit-eval-") as place:
        os.environ[CACHE_VARIABLE] = f"{place}/cache"
        os.environ[STATE_VARIABLE] = f"{place}/state"
        os.environ[CONFIG_VARIABLE] = "off"
        for size in filter(None, map(int, options.documents.split(","))):
            root = Path(place) / f"tree{size}"
            generate(root, size)
            report(f"generated tree, {size:,} documents", root)
            shutil.rmtree(root)
        for folder in options.folders:
            root = Path(place) / folder.resolve().name
            shutil.copytree(folder, root, symlinks=True)
            report(folder.name, root)
            shutil.rmtree(root)
        rows = (
            apply_rows(ROWS) + apply_rows(options.many, times=3) + preview_rows() + version_rows(Path(place))
        )
        print(table("on any tree", rows), flush=True)


if __name__ == "__main__":
    main()
