"""The parent's end of a process that is fed what nobody vouches for: start it, ask it, end it.

Such a process runs one file of this folder by itself: `child` with Pygments, `picture_child` with Pillow.

Everything is bounded in time and size, and nothing the process writes is trusted.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from knit_tui.faces.tui.preview import child

START_LIMIT = 10.0
"""Seconds a new process has to say that it is ready."""
LARGEST_REPLY = 16 << 20
"""Bytes. Runs for the longest text that is asked about take a quarter of it."""

_LENGTH = struct.Struct(">I")
# Where a Python that is not installed in the usual place finds its own libraries; nothing else of the
# environment has a meaning for the process.
_ENVIRONMENT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class TooSlow(Exception):
    """No whole reply within the limit."""


class Gone(Exception):
    """The process ended, or says things that are no reply."""


def default_command() -> list[str]:
    """The command of the process that runs Pygments."""
    return command_of(child.__file__, "pygments")


def command_of(program: str, library: str) -> list[str]:
    """The command that runs a file, isolated from the folder, environment and user site it runs in.

    Where this process would take ``library`` from is the last place it looks for its own.
    """
    spec = find_spec(library)
    folders = [str(Path(spec.origin).resolve().parent.parent)] if spec and spec.origin else []
    return [sys.executable, "-I", str(Path(program).resolve()), *folders]


class Process:
    """One running process. Use it from one thread; only ``kill`` may be called from another.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._channel, its_end = socket.socketpair()
        try:
            with its_end:
                self._popen = self._started(command, its_end)
        except OSError:
            self._channel.close()
            raise
        assert self._popen.stdout is not None
        self._in = self._channel.fileno()
        self._out = self._popen.stdout.fileno()
        self._channel.setblocking(False)
        os.set_blocking(self._out, False)
        self.answered = False
        """Whether it has ever answered a request."""

    def _started(self, command: Sequence[str], channel: socket.socket) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=channel.fileno(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            cwd="/",
            # Out of the terminal's reach, and the terminal out of its.
            start_new_session=True,
            bufsize=0,
        )

    @property
    def pid(self) -> int:
        return self._popen.pid

    def wait_ready(self, limit: float = START_LIMIT) -> None:
        """Wait for the greeting.

        Raises:
            TooSlow: it is not ready within ``limit`` seconds.
            Gone: it ended, or said something else.
        """
        if self._exchange(b"", time.monotonic() + limit) != {"ready": True}:
            raise Gone("no greeting")

    def ask(self, request: dict[str, Any], limit: float, file: int | None = None) -> dict[str, Any]:
        """The reply to ``request``, within ``limit`` seconds; the process gets ``file``, open, with it.

        Raises:
            TooSlow: there was none in time.
            Gone: the process ended or wrote something else.
        """
        deadline = time.monotonic() + limit
        payload = child.frame(request)
        if file is not None:
            payload = payload[self._hand_over(payload, file) :]
        reply = self._exchange(payload, deadline)
        self.answered = True
        return reply

    def kill(self) -> None:
        """Make the process end now; whoever waits for its reply sees ``Gone``."""
        self._popen.kill()

    def end(self) -> None:
        """End the process and leave nothing of it behind."""
        self._popen.kill()
        self._channel.close()
        if self._popen.stdout is not None:
            self._popen.stdout.close()
        self._popen.wait()

    def _exchange(self, payload: bytes, deadline: float) -> dict[str, Any]:
        """Write ``payload`` and read one frame, both at once: neither side can block the other."""
        unsent = memoryview(payload)
        got = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            if unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TooSlow
                for key, _ in selector.select(left):
                    if key.fd == self._out:
                        got += self._read()
                        if (reply := _whole_frame(got)) is not None:
                            return reply
                    else:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(self._in)

    def _read(self) -> bytes:
        try:
            data = os.read(self._out, 1 << 16)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise Gone(str(error)) from error
        if not data:
            raise Gone("end of output")
        return data

    def _hand_over(self, data: bytes, file: int) -> int:
        """Send ``file`` with the start of ``data``; how much of it was sent."""
        try:
            return socket.send_fds(self._channel, [data], [file])
        except OSError as error:
            raise Gone(str(error)) from error

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._in, data[: 1 << 16])
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Gone(str(error)) from error


def _whole_frame(got: bytearray) -> dict[str, Any] | None:
    """The message in ``got`` when it is all there, else None.

    Raises:
        Gone: it is not a message.
    """
    if len(got) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack_from(got)
    if length > LARGEST_REPLY:
        raise Gone("reply too long")
    if len(got) < _LENGTH.size + length:
        return None
    try:
        reply = json.loads(got[_LENGTH.size : _LENGTH.size + length])
    except (ValueError, RecursionError) as error:
        raise Gone("reply is not JSON") from error
    if not isinstance(reply, dict):
        raise Gone("reply is not an object")
    return reply
