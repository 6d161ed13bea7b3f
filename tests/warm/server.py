"""Imports knit once, then forks for every client that asks; ends with its standard input."""

from __future__ import annotations

import gc
import io
import marshal
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress


def preload() -> None:
    """Import what the commands import when they run."""
    import knit_tui.cli.app
    import knit_tui.engine.build
    import knit_tui.engine.host
    import knit_tui.engine.library
    import knit_tui.faces.as_json
    import knit_tui.faces.as_text
    import knit_tui.faces.mcp.answering
    import knit_tui.faces.mcp.audit
    import knit_tui.faces.mcp.marks
    import knit_tui.faces.mcp.own
    import knit_tui.faces.mcp.selected
    import knit_tui.faces.mcp.server
    import knit_tui.faces.reads
    import knit_tui.faces.sessions
    import knit_tui.faces.why
    import knit_tui.workspace.scan
    import knit_tui.workspace.watch  # noqa: F401


class Server:
    """Commands that run, each with the connection of its client."""

    def __init__(self, place: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(place)
        self._listener.listen(64)
        self._running: dict[int, socket.socket] = {}
        self._gone: set[int] = set()
        """Commands whose client is no longer there."""
        self._selector = selectors.DefaultSelector()
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake)
        self._selector.register(0, selectors.EVENT_READ, "end")
        self._selector.register(woken, selectors.EVENT_READ, "ended")
        self._selector.register(self._listener, selectors.EVENT_READ, "asked")
        self._woken = woken

    def serve(self) -> list[bytes] | None:
        """In a fork: the words of the command to run. In the server: None, at the end."""
        while True:
            for key, _events in self._selector.select():
                if key.data == "end":
                    return None
                if key.data == "ended":
                    os.read(self._woken, 4096)
                    self._reap()
                elif key.data == "asked":
                    words = self._accept()
                    if words is not None:
                        return words
                else:
                    self._pass_on(key.data)

    def _accept(self) -> list[bytes] | None:
        link, _address = self._listener.accept()
        head, streams, _flags, _from = socket.recv_fds(link, 8, 4)
        said = bytearray()
        while len(said) < int.from_bytes(head, "big"):
            said += link.recv(1 << 20)
        words, environ = marshal.loads(bytes(said))
        pid = os.fork()
        if pid == 0:
            self._become(streams, environ)
            return list(words)
        for number in streams:
            os.close(number)
        self._running[pid] = link
        self._selector.register(link, selectors.EVENT_READ, pid)
        return None

    def _become(self, streams: list[int], environ: dict[bytes, bytes]) -> None:
        """Make this fork what the client is: its folder, its environment, its streams."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for link in (self._listener, *self._running.values()):
            link.close()
        os.setsid()
        os.fchdir(streams[3])
        os.environ.clear()
        os.environb.update(environ)
        time.tzset()
        for number, stream in enumerate(streams[:3]):
            os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        for name, number in (("stdout", 1), ("stderr", 2)):
            raw = open(number, "wb", closefd=False)  # noqa: SIM115
            setattr(sys, name, io.TextIOWrapper(raw, "utf-8", line_buffering=number == 2 or raw.isatty()))

    def _reap(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            link = self._running.pop(pid)
            if pid in self._gone:
                self._gone.remove(pid)
            else:
                self._selector.unregister(link)
                with suppress(OSError):  # the client was killed in this moment
                    link.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            link.close()

    def _pass_on(self, pid: int) -> None:
        """Hand a signal to the command; a client that is gone was killed, and so is its command."""
        try:
            got = self._running[pid].recv(16)
        except OSError:
            got = b""
        for number in got or [signal.SIGKILL]:
            os.kill(pid, number)
        if not got:
            self._selector.unregister(self._running[pid])
            self._gone.add(pid)


def main() -> None:
    preload()
    gc.collect()
    gc.freeze()
    server = Server(sys.argv[1])
    print("ready", flush=True)
    words = server.serve()
    if words is not None:
        sys.argv = ["knit", *map(os.fsdecode, words)]
        from knit_tui.cli import main as knit

        knit()


if __name__ == "__main__":
    main()
