"""``knit`` without its start: a process that has imported everything forks for each command.

What a test starts is a small client that hands its arguments, environment, folder and streams to that
process, passes signals on and ends as the command ends. Not for tests about the start itself, about memory,
process groups, parents or closed streams: those start ``python -m knit_tui``.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_REPOSITORY = _HERE.parents[1]


@cache
def command() -> tuple[str, ...]:
    """What to start in place of ``python -m knit_tui``."""
    folder = tempfile.mkdtemp(prefix="knit-warm-")
    place = os.path.join(folder, "socket")
    # One thread for numpy: a fork takes no other along.
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(_REPOSITORY)}
    server = subprocess.Popen(
        [sys.executable, "-P", str(_HERE / "server.py"), place],
        cwd=folder,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin is not None and server.stdout is not None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.wait)
    atexit.register(server.stdin.close)  # its end; last registered, first run
    if server.stdout.readline() != b"ready\n":
        raise RuntimeError("the process that forks knit did not start")
    return (sys.executable, "-I", "-S", str(_HERE / "client.py"), place)
