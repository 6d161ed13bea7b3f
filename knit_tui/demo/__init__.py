"""A small bundled project and a recorded agent session over it, to see knit at work without an agent.

``session.jsonl`` holds one ``{"after": seconds, "line": record}`` a line: ``line`` is a record as
Claude Code writes it, ``after`` the pause before it. Two placeholders stand in the records until
they are played: ``{{root}}`` for the workspace folder and ``{{time}}`` for the time of writing.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROJECT = "shoebox"
"""Name of the bundled project and of the folder it is copied into."""

_HOUR = 3600
_DAY = 24 * _HOUR

AGES: Mapping[str, int] = {
    "README.md": 9 * _DAY,
    "docs/architecture.md": 34 * _DAY,
    "docs/duplicates.md": 3 * _DAY,
    "docs/web-api.md": 12 * _DAY,
    "docs/图片排序.md": 5 * _DAY,
    "docs/常见问题.md": 61 * _DAY,
    "docs/相册规则.md": 20 * _DAY,
    "samples/harbour.png": 96 * _DAY,
    "samples/kite-10.png": 96 * _DAY,
    "shoebox.toml": 16 * _DAY,
    "shoebox/dates.py": 27 * _DAY,
    "shoebox/duplicates.py": 26 * _HOUR,
    "shoebox/order.py": 4 * _HOUR,
    "shoebox/server.py": 11 * _DAY,
    "tests/test_duplicates.py": 25 * _HOUR,
    "tests/test_order.py": 6 * _DAY,
    "tools/make_samples.py": 97 * _DAY,
    "web/sheet.ts": 8 * _DAY,
}
"""Seconds since the last change of each file of the workspace, when the demo starts."""


@dataclass(frozen=True, slots=True)
class Step:
    """One record of the recorded session, with its placeholders, and the pause before it in seconds."""

    after: float
    record: Mapping[str, Any]


@cache
def steps() -> tuple[Step, ...]:
    """The recorded session, in order."""
    text = files(__name__).joinpath("session.jsonl").read_text(encoding="utf-8")
    return tuple(Step(step["after"], step["line"]) for step in map(json.loads, text.splitlines()))


class Demo:
    """A private copy of the workspace with a session log beside it that grows when played.

    A context manager: the folders exist between entering and leaving. Nothing outside its own
    temporary folder is read or written.

    Args:
        now: the clock for file times and record times, seconds since the epoch.

    Raises:
        OSError: on entering, when there is no place for a temporary folder.
    """

    root: Path
    """The workspace."""
    home: Path
    """A home folder of its own; ``session`` is where an agent started in ``root`` would log."""
    session: Path
    """The growing log; it exists, empty, from the start."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._next = 0
        self.fault = ""
        """Why playing ended early, when the folder or the disk is gone; empty otherwise."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="knit-demo-", ignore_cleanup_errors=True)
        base = Path(os.path.realpath(self._folder.name))
        self.root, self.home = base / PROJECT, base / "home"
        _copy(files(__name__).joinpath("workspace"), self.root)
        for rel, age in AGES.items():
            changed = self._now() - age
            os.utime(self.root / rel, (changed, changed))
        folder = self.home / ".claude" / "projects" / _slug(str(self.root))
        folder.mkdir(parents=True)
        self.session = folder / f"{steps()[0].record['sessionId']}.jsonl"
        self.session.touch()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        self._folder.cleanup()

    def play(self, speed: float = 1.0) -> None:
        """Write the rest of the session in a daemon thread, with the recorded pauses.

        Args:
            speed: how many times faster than recorded, above 0.

        Raises:
            ValueError: ``speed`` is not above 0.
            RuntimeError: it is playing already.
        """
        if not speed > 0:
            raise ValueError("speed must be above 0")
        if self._thread is not None:
            raise RuntimeError("the session is playing already")
        self._thread = threading.Thread(target=self._play, args=(speed,), name="knit-demo", daemon=True)
        self._thread.start()

    def _play(self, speed: float) -> None:
        for step in steps()[self._next :]:
            if self._stopped.wait(step.after / speed):
                return
            try:
                self.step()
            except OSError as error:
                self.fault = str(error)
                return

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until playing has ended, for ``timeout`` seconds at most; False when it still plays."""
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def step(self) -> str | None:
        """Append the next line of the session now; return it, or None at the end.

        An edit of the agent is made in the workspace before the line that tells of it, unless
        the text it replaces is no longer there.
        """
        with self._lock:
            if self._next == len(steps()):
                return None
            record = steps()[self._next].record
            line = self._fill(record, self._now())
            self._edit(record)
            with self.session.open("a", encoding="utf-8", errors="surrogateescape") as log:
                log.write(line + "\n")
            self._next += 1
            return line

    def all_lines(self) -> list[str]:
        """Every line of the session, without line ends, as if it had just been played to its end."""
        moment = self._now() - sum(step.after for step in steps())
        lines = []
        for step in steps():
            moment += step.after
            lines.append(self._fill(step.record, moment))
        return lines

    def _fill(self, record: Mapping[str, Any], moment: float) -> str:
        stamp = datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        line = line.replace("{{time}}", stamp.replace("+00:00", "Z"))
        return line.replace("{{root}}", json.dumps(str(self.root), ensure_ascii=False)[1:-1])

    def _edit(self, record: Mapping[str, Any]) -> None:
        result = record.get("toolUseResult")
        if not (isinstance(result, dict) and "oldString" in result):
            return
        path = Path(result["filePath"].replace("{{root}}", str(self.root)))
        text = path.read_text(encoding="utf-8")
        beside = path.with_name(path.name + ".new")
        beside.write_text(text.replace(result["oldString"], result["newString"], 1), encoding="utf-8")
        beside.replace(path)


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir()
    for entry in source.iterdir():
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def _slug(path: str) -> str:
    """The name of the log folder of a working directory, as Claude Code forms it; cut at 200 characters."""
    units = path.encode("utf-16-le", "surrogatepass")
    text = "".join(chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2))
    return re.sub(r"[^A-Za-z0-9-]", "-", text)[:200]
