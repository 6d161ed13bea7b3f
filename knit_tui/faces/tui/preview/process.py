"""The parent's end of the process that runs Pygments: start it, ask it, end it.

Everything is bounded in time and size, and nothing the process writes is trusted.
"""

from __future__ import annotations

import json
import os
import selectors
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
    """The command that starts the process, isolated from the folder, environment and user site it runs in."""
    return [sys.executable, "-I", str(Path(child.__file__).resolve()), *_library_folders()]


def _library_folders() -> list[str]:
    """Where this process would take Pygments from, without loading it."""
    spec = find_spec("pygments")
    return [str(Path(spec.origin).resolve().parent.parent)] if spec and spec.origin else []


class Process:
    """One running process. Use it from one thread; only ``kill`` may be called from another.

    Raises:
        OSError: it cannot be started.
    """

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
            bufsize=0,
        )
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._in = self._popen.stdin.fileno()
        self._out = self._popen.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self.answered = False
        """Whether it has ever answered a request."""

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

    def ask(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """The reply to ``request``, within ``limit`` seconds.

        Raises:
            TooSlow: there was none in time.
            Gone: the process ended or wrote something else.
        """
        reply = self._exchange(child.frame(request), time.monotonic() + limit)
        self.answered = True
        return reply

    def kill(self) -> None:
        """Make the process end now; whoever waits for its reply sees ``Gone``."""
        self._popen.kill()

    def end(self) -> None:
        """End the process and leave nothing of it behind."""
        self._popen.kill()
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream is not None:
                stream.close()
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
