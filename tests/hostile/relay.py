"""``relay.py RAW STATUS COMMAND…``: run COMMAND in a terminal of its own inside this one.

Every byte it writes goes to the file RAW and on to this terminal; keys and the window size go the
other way. At the end STATUS holds ``{"rc": exit status, "rss_mb": peak memory}`` as JSON.
Standard library only: it runs by its path, inside a terminal multiplexer.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
import termios
import tty


def copy_size(inner: int) -> None:
    """Give the inner terminal the size of this one."""
    fcntl.ioctl(inner, termios.TIOCSWINSZ, fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))


def write_all(to: int, data: bytes) -> None:
    while data:
        data = data[os.write(to, data) :]


def copy(inner: int, raw: int) -> None:
    """Copy in both directions until the inner terminal is closed."""
    sources = [0, inner]
    while True:
        for ready in select.select(sources, [], [])[0]:
            try:
                data = os.read(ready, 65536)
            except OSError:  # EIO: the program behind the inner terminal is gone
                data = b""
            if ready == inner:
                if not data:
                    return
                write_all(raw, data)
                write_all(1, data)
            elif data:
                write_all(inner, data)
            else:
                sources.remove(0)


def main() -> None:
    raw_path, status_path, *command = sys.argv[1:]
    inner, behind = os.openpty()
    copy_size(inner)
    child = os.fork()
    if child == 0:
        os.close(inner)
        os.login_tty(behind)
        os.execvp(command[0], command)
    os.close(behind)
    signal.signal(signal.SIGWINCH, lambda *_: copy_size(inner))
    tty.setraw(0)
    raw = os.open(raw_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    copy(inner, raw)
    _, status, usage = os.wait4(child, 0)
    facts = {"rc": os.waitstatus_to_exitcode(status), "rss_mb": usage.ru_maxrss / 1024}
    with open(status_path + ".new", "w", encoding="ascii") as file:
        json.dump(facts, file)
    os.replace(status_path + ".new", status_path)


if __name__ == "__main__":
    main()
