"""One process at a time that answers requests; one that is slow or dies is replaced."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from knit_tui.faces.tui.preview.process import Gone, Process, TooSlow

_FAILED_STARTS = 2
"""Processes that may fail to start before no more are tried."""

Reply = TypeVar("Reply")


class Unavailable(Exception):
    """There is no process to ask."""


class Servant:
    """Starts its process when first asked. Use it from one thread; only ``stop`` and ``pid`` from others."""

    def __init__(self, command: Callable[[], Sequence[str]], limit: float) -> None:
        """``limit`` is in seconds, for one request."""
        self._command = command
        self._limit = limit
        self._lock = threading.Lock()
        self._stopping = False
        self._process: Process | None = None
        self._failed_starts = 0

    @property
    def pid(self) -> int | None:
        """The running process, for whoever wants to look at it."""
        process = self._process
        return process.pid if process is not None else None

    def ask(
        self, request: dict[str, Any], check: Callable[[dict[str, Any]], Reply], file: int | None = None
    ) -> Reply:
        """What ``check`` makes of the reply to ``request``; the process gets ``file``, open, with it.

        ``check`` raises `Gone` for what is no reply.

        Raises:
            TooSlow: there was none in time.
            Gone: the request ends the process, or all it says is no reply.
            Unavailable: no process can be started.
        """
        while True:
            process = self._process or self._start()
            fresh = not process.answered
            try:
                return check(process.ask(request, self._limit, file))
            except TooSlow:
                self.end()
                raise
            except Gone:
                self.end()
                # It may have ended while nobody asked it; that a fresh one ends is the request's fault.
                if fresh or self._stopping:
                    raise

    def stop(self) -> None:
        """Start no more, and make the one that runs end now. Whoever asks it sees `Gone`."""
        with self._lock:
            self._stopping = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Leave no process behind."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.end()

    def _start(self) -> Process:
        if self._failed_starts >= _FAILED_STARTS:
            raise Unavailable
        try:
            process = Process(self._command())
            with self._lock:
                self._process = process
                if self._stopping:
                    process.kill()
            process.wait_ready()
        except (OSError, TooSlow, Gone) as error:
            self.end()
            self._failed_starts += 1
            raise Unavailable from error
        self._failed_starts = 0
        return process
