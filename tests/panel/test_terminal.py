"""The panel in a real pseudo terminal: it starts, ends by every road, and gives the terminal back."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from knit_tui.faces.tui import terminal_problem
from knit_tui.faces.tui.terminal import HANGUP, Lifeline, heed_no_colour

SECONDS = 20.0
LEAVE_SCREEN = b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"
MOUSE_OFF = b"\x1b[?1000l"
TOP = Path(__file__).resolve().parents[2]


class Terminal:
    """A panel in a pseudo terminal."""

    def __init__(self, root: Path, **environment: str) -> None:
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                os.chdir(TOP)
                path = os.pathsep.join(sys.path)
                env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": path, **environment}
                os.execve(sys.executable, [sys.executable, "-m", "tests.panel.run_sample", str(root)], env)
            finally:
                os._exit(127)
        self.output = b""
        self.code: int | None = None
        self.resize(80, 24)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def drain(self) -> bool:
        """Take what the panel wrote; False when there will be no more."""
        if not select.select([self.fd], [], [], 0.05)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.output += data
        return bool(data)

    def until(self, text: bytes) -> None:
        """Wait for output."""
        start, end = len(self.output), time.monotonic() + SECONDS
        while text not in self.output[start:]:
            assert self.drain() and time.monotonic() < end, f"never came: {text!r}"

    def ended(self) -> int:
        """Wait for the end of the panel; its exit code, negative for a signal."""
        end = time.monotonic() + SECONDS
        open_ = True
        while self.code is None:
            assert time.monotonic() < end, "the panel lives on"
            open_ = open_ and self.drain()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        while open_ and select.select([self.fd], [], [], 0)[0]:
            open_ = self.drain()
        return self.code

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.fd >= 0:
            os.close(self.fd)

    def restored(self) -> bool:
        return all(
            self.output.rfind(each) > self.output.rfind(b"\x1b[?1049h")
            for each in (LEAVE_SCREEN, SHOW_CURSOR, MOUSE_OFF)
        )


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    started = Terminal(tmp_path)
    started.until(b"\x1b[?1049h")
    started.until(b"quit")
    yield started
    started.close()


def test_q_ends_it_and_gives_the_terminal_back(terminal: Terminal) -> None:
    os.write(terminal.fd, b"q")
    assert terminal.ended() == 0
    assert terminal.restored()


def test_ctrl_c_ends_it(terminal: Terminal) -> None:
    os.write(terminal.fd, b"\x03")
    assert terminal.ended() == 0
    assert terminal.restored()


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGHUP))
def test_signals_end_it_and_give_the_terminal_back(terminal: Terminal, number: signal.Signals) -> None:
    os.kill(terminal.pid, number)
    assert terminal.ended() == 128 + number
    assert terminal.restored()


def test_a_closed_terminal_ends_it(terminal: Terminal) -> None:
    terminal.resize(120, 40)
    terminal.until(b"Related")
    os.close(terminal.fd)
    terminal.fd = -1
    end = time.monotonic() + SECONDS
    while terminal.code is None:
        assert time.monotonic() < end, "the panel lives on without a terminal"
        pid, status = os.waitpid(terminal.pid, os.WNOHANG)
        if pid:
            terminal.code = os.waitstatus_to_exitcode(status)
    assert terminal.code in (HANGUP, -signal.SIGHUP)


def test_the_end_of_input_ends_it_without_a_signal(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
    panel = subprocess.Popen(
        [sys.executable, "-m", "tests.panel.run_sample", str(tmp_path)],
        cwd=TOP,
        env=env,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        # A session of its own that does not control the terminal: nobody sends it SIGHUP.
        start_new_session=True,
    )
    os.close(follower)
    try:
        seen, end = b"", time.monotonic() + SECONDS
        while b"Primary" not in seen:
            assert time.monotonic() < end, "the panel never came"
            if select.select([leader], [], [], 0.05)[0]:
                seen += os.read(leader, 65536)
        os.close(leader)
        assert panel.wait(SECONDS) == HANGUP
    finally:
        panel.kill()
        panel.wait()


def test_resizing_down_to_one_cell_and_back(terminal: Terminal) -> None:
    for width, height in ((1, 1), (2, 2), (1, 30), (60, 1), (500, 3), (3, 200), (0, 0), (80, 24)):
        terminal.resize(width, height)
        terminal.drain()
    terminal.resize(81, 24)
    terminal.until(b"quit")
    assert b"Traceback" not in terminal.output
    os.write(terminal.fd, b"q")
    assert terminal.ended() == 0


def test_the_terminal_says_its_size_and_not_the_environment(tmp_path: Path) -> None:
    started = Terminal(tmp_path, COLUMNS="200", LINES="50")
    try:
        started.until(b"\x1b[24;1H")
        assert b"\x1b[25;1H" not in started.output
        started.resize(81, 25)
        started.until(b"\x1b[25;1H")
    finally:
        started.close()


def test_an_encoding_without_our_signs_gets_them_in_ascii(tmp_path: Path) -> None:
    started = Terminal(tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    started.resize(80, 50)
    try:
        # A Chinese name keeps its width: what stands beside it does not move.
        started.until(b"????????.md")
        os.write(started.fd, b"q")
        assert started.ended() == 0
        assert b"Traceback" not in started.output
        assert b"-----" in started.output and b"\\u" not in started.output
    finally:
        started.close()


def test_without_a_terminal_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = terminal_problem()
    assert problem is not None and "knit --query" in problem
    leader, follower = pty.openpty()
    try:
        for name in ("__stdin__", "__stdout__", "__stderr__"):
            monkeypatch.setattr(sys, name, os.fdopen(os.dup(follower), "w"))
        monkeypatch.setenv("TERM", "xterm")
        assert terminal_problem() is None
        monkeypatch.setenv("TERM", "dumb")
        problem = terminal_problem()
        assert problem is not None and "dumb" in problem
        monkeypatch.setattr(sys, "__stdin__", None)
        assert terminal_problem() is not None
    finally:
        os.close(leader)
        os.close(follower)


def test_a_terminal_without_colours_is_one_whose_user_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import curses

    known = {"vt100": -1, "xterm": 8}

    def look_up(term: str, fd: int) -> None:
        if term not in known:
            raise curses.error("could not find terminal")
        monkeypatch.setattr(curses, "tigetnum", lambda name: known[term])

    monkeypatch.setattr(curses, "setupterm", look_up)
    for before, after in (
        ({"TERM": "vt100"}, "1"),
        ({"TERM": "xterm"}, None),
        ({"TERM": "unheard"}, None),
        ({}, None),
        ({"TERM": "xterm", "NO_COLOR": "yes"}, "yes"),
        ({"TERM": "xterm", "NO_COLOR": ""}, None),
        ({"TERM": "vt100", "COLORTERM": "truecolor"}, None),
    ):
        environ = dict(before)
        heed_no_colour(environ)
        assert environ.get("NO_COLOR") == after, before


def test_the_lifeline_calls_once_and_then_ends_the_process() -> None:
    leader, follower = pty.openpty()
    gone, ended = threading.Event(), threading.Event()
    lifeline = Lifeline(gone.set, fd=follower, look=0.05, grace=0.05, end=lambda code: ended.set())
    lifeline.start()
    os.close(leader)
    assert gone.wait(SECONDS)
    assert ended.wait(SECONDS)
    lifeline.join(SECONDS)
    os.close(follower)


def test_a_lifeline_that_was_told_of_the_end_grants_only_the_grace_and_gives_the_terminal_back() -> None:
    leader, follower = pty.openpty()
    called: list[object] = []
    before = termios.tcgetattr(follower)
    lifeline = Lifeline(lambda: called.append("gone"), fd=follower, look=0.05, grace=0.05, end=called.append)
    tty.setraw(follower)
    lifeline.start()
    lifeline.end_soon(7)
    lifeline.end_soon(0, SECONDS)
    lifeline.join(SECONDS / 2)
    assert not lifeline.is_alive() and called == [0]
    assert termios.tcgetattr(follower) == before
    said = os.read(leader, 4096)
    assert all(each in said for each in (LEAVE_SCREEN, SHOW_CURSOR, MOUSE_OFF))
    os.close(leader)
    os.close(follower)


def test_a_terminal_that_was_given_back_is_left_alone() -> None:
    leader, follower = pty.openpty()
    lifeline = Lifeline(lambda: None, fd=follower, look=0.05, grace=0.05, end=lambda code: None)
    lifeline.end_soon(0)
    lifeline.start()
    lifeline.join(SECONDS)
    assert not lifeline.is_alive() and not select.select([leader], [], [], 0)[0]
    os.close(leader)
    os.close(follower)
