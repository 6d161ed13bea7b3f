"""What it costs to follow a session: a huge log, and hours in which nothing happens.

    python -m eval.following [--megabytes 200]

Beside it, as the peer of the same run, a program that reads the whole log and parses every line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

IDLE_SECONDS = 600.0
"""Of a clock that the follower is given; it is polled as the panel polls it."""
LONG_LINE = 20_000_000
_MEASURED = """
import re, sys, time
from pathlib import Path
{imports}
def size(what):  # that of getrusage would be the parent's where that was bigger
    return int(re.search(what + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1e3
before, began = size("VmRSS"), time.process_time()
{work}
print(time.process_time() - began, size("VmHWM") - before)
"""
_OURS = (
    "from knit_tui.sessions.follow import Follower",
    "Follower(Path.cwd(), sys.argv[1], home=Path.cwd(), environ={}).poll()",
)
_PEER = ("import json", "rows = [json.loads(line) for line in open(sys.argv[1], 'rb')]")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds and megabytes of memory beyond what the process had."""

    seconds: float
    megabytes: float


def write_log(path: Path, cwd: Path, size: int) -> None:
    """A session of Claude Code of about ``size`` bytes, one line of it of `LONG_LINE` bytes near its end."""
    parent: str | None = None
    written = number = 0
    long_line_due = True
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            number += 1
            long = long_line_due and written > size - LONG_LINE - 4_000_000
            said = "x" * (LONG_LINE if long else 3000)
            long_line_due = long_line_due and not long
            for kind, content in (
                ("user", f"look at the ranking, part {number}"),
                ("assistant", [_call(number)]),
                ("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": said}]),
                ("assistant", [{"type": "text", "text": "It weighs the fields. " * 20}]),
            ):
                row = _row(f"{number}-{kind}-{written}", parent, kind, content, cwd)
                parent = str(row["uuid"])
                line = json.dumps(row) + "\n"
                written += file.write(line)


def _call(number: int) -> dict[str, object]:
    return {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": "/x/a.py"}}


def _row(uuid: str, parent: str | None, kind: str, content: object, cwd: Path) -> dict[str, object]:
    return {
        "uuid": uuid,
        "parentUuid": parent,
        "type": kind,
        "message": {"role": kind, "content": content},
        "cwd": str(cwd),
        "sessionId": "eval",
        "timestamp": "2026-01-02T03:04:05Z",
    }


def cost(program: tuple[str, str], log: Path) -> Cost:
    """What ``program`` (imports, work) costs in a process of its own."""
    code = _MEASURED.format(imports=program[0], work=program[1])
    told = subprocess.run(
        [sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    seconds, megabytes = map(float, told.split())
    return Cost(seconds, megabytes)


def idle_share(home: Path) -> float:
    """The share of a core that following costs while nothing happens, all places looked at as usual."""
    from knit_tui.engine.host import POLL_SECONDS
    from knit_tui.sessions.follow import Follower

    clock = time.time()

    def now() -> float:
        return clock

    follower = Follower(home / "ws", home=home, environ={}, now=now)
    follower.poll()
    began = time.process_time()
    for _ in range(round(IDLE_SECONDS / POLL_SECONDS)):
        clock += POLL_SECONDS
        follower.poll()
    return (time.process_time() - began) / IDLE_SECONDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=200)
    size = parser.parse_args().megabytes * 1_000_000
    with tempfile.TemporaryDirectory(prefix="knit-eval-") as folder:
        home = Path(folder)
        workspace = home / "ws"
        workspace.mkdir()
        slug = str(workspace).replace("/", "-").replace("_", "-").replace(".", "-")
        log = home / ".claude/projects" / slug / "eval.jsonl"
        log.parent.mkdir(parents=True)
        write_log(log, workspace, size)
        ours, peer = cost(_OURS, log), cost(_PEER, log)
        print(f"log of {log.stat().st_size / 1e6:.0f} MB, one line of {LONG_LINE / 1e6:.0f} MB")
        print(f"  start       {ours.seconds:6.3f} s CPU, {ours.megabytes:6.1f} MB more")
        print(f"  whole log   {peer.seconds:6.3f} s CPU, {peer.megabytes:6.1f} MB more (parsed by json)")
        times, sizes = ours.seconds / peer.seconds, ours.megabytes / peer.megabytes
        print(f"  ratio       {times:6.3f}        {sizes:6.3f}")
        print(f"idle          {100 * idle_share(home):6.3f} % of a core")


if __name__ == "__main__":
    main()
