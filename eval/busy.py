"""How soon the panel answers while its engine works, and how soon it shows another document.

The engine is a real one, in its thread, over a folder in which another process saves a file every tenth of
a second and continues a session twice a second. The peers are OptionList, with as many rows and the same
engine at work beside it, and TextArea.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import OptionList, TextArea

from eval.measure import Row, ratio
from knit_tui.engine.host import Host
from knit_tui.faces.tui.app import KnitApp
from knit_tui.model import Snapshot

_SIZE = (120, 40)
_KEYS = 100
_ROUNDS = 3
_LINES = 4_000
_SWAPS = 20
_LIMIT_SECONDS = 60.0
_CHANGES = """
import itertools, json, pathlib, random, sys, time, uuid
root, log = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
files = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".md"))
pick, parent = random.Random(1), None
for turn in itertools.count():
    path = pick.choice(files)
    text = path.read_text(encoding="utf-8")
    path.write_text(text + f"\\n# changed {turn}\\n", encoding="utf-8")
    if turn % 5 == 0:
        words = " ".join(pick.sample(text.split(), 12))
        row = {"uuid": str(uuid.uuid4()), "parentUuid": parent, "type": "user", "cwd": str(root),
               "message": {"role": "user", "content": f"look at {words}"}, "sessionId": "eval",
               "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        parent = row["uuid"]
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\\n")
    time.sleep(0.1)
"""


@contextmanager
def _changing(root: Path) -> Iterator[Path]:
    """The log of a session; it grows, and files below ``root`` change, until this ends."""
    with tempfile.TemporaryDirectory(prefix="knit-eval-") as folder:
        log = Path(folder) / "session.jsonl"
        log.touch()
        process = subprocess.Popen([sys.executable, "-c", _CHANGES, str(root), str(log)])
        try:
            yield log
        finally:
            process.kill()
            process.wait()


class Frames:
    """Waits for the frames of an app without a terminal; what would be written is made all the same."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._display = app._display
        self._drawn = asyncio.Event()
        app._display = self._take  # type: ignore[assignment, method-assign]

    def _take(self, screen: Any, update: Any) -> None:
        if update is not None and not self._app._batch_count:
            update.render_segments(self._app.console)
            self._drawn.set()
        self._display(screen, update)

    async def until(self, seen: Callable[[], bool]) -> float:
        """Seconds to the end of the first frame after ``seen`` holds.

        Raises:
            TimeoutError: it never did.
        """
        start = time.perf_counter()
        while True:
            self._drawn.clear()
            async with asyncio.timeout(_LIMIT_SECONDS):
                await self._drawn.wait()
            if seen():
                return time.perf_counter() - start


def busy_rows(root: Path) -> list[Row]:
    """Seconds from a key to its frame while the engine works over ``root``."""
    ours: list[float] = []
    peer: list[float] = []
    orders = rows = 0
    with _changing(root) as log:
        for _ in range(_ROUNDS):  # in turn, so that what else the machine does disturbs both
            taken, rows, new = asyncio.run(_our_keys(root, log))
            ours += taken
            orders += new
            peer += asyncio.run(_peer_keys(root, log, rows))
    out = []
    for name, at, budget in (("p50", 9, ""), ("p95", 18, "50 ms")):
        a, b = (statistics.quantiles(times, n=20)[at] for times in (ours, peer))
        what = f"key to frame, engine busy, {name}"
        out.append(Row(what, f"{a * 1e3:.0f} ms wall", f"OptionList {b * 1e3:.0f} ms", ratio(a, b), budget))
    out.append(Row("  meanwhile", f"{rows:,} rows, {orders} new orders"))
    return out


async def _our_keys(root: Path, log: Path) -> tuple[list[float], int, int]:
    host = Host(root, session=str(log))
    app = KnitApp(host)
    async with app.run_test(size=_SIZE):
        frames = Frames(app)
        state, results = app.main.state, app.main.results
        await frames.until(lambda: state.latest is not None and state.latest.complete and results.cursor >= 0)
        before = state.latest
        taken = await _press(app, frames, lambda: results.cursor)
        host.stop()
        generations = state.latest.generation - before.generation if state.latest and before else 0
        return taken, results.listing.total, generations


class _Options(App[None]):
    """A list of as many rows, with the same engine beside it."""

    def __init__(self, host: Host, rows: int) -> None:
        super().__init__()
        self.host = host
        self._rows = rows
        self.latest: Snapshot | None = None

    def compose(self) -> ComposeResult:
        yield OptionList(*(f"{number}  src/part/file_{number}.py\n   text" for number in range(self._rows)))

    def on_mount(self) -> None:
        self.host.start(self._take, lambda why: None)

    def _take(self, snapshot: Snapshot) -> None:
        self.latest = snapshot

    def on_unmount(self) -> None:
        self.host.stop()


async def _peer_keys(root: Path, log: Path, rows: int) -> list[float]:
    app = _Options(Host(root, session=str(log)), rows)
    async with app.run_test(size=_SIZE) as pilot:
        options = app.query_one(OptionList)
        while app.latest is None or not app.latest.complete:
            await pilot.pause(0.05)
        taken = await _press(app, Frames(app), lambda: options.highlighted or 0)
        app.host.stop()
        return taken


async def _press(app: App[Any], frames: Frames, cursor: Callable[[], int]) -> list[float]:
    pause = random.Random(1)
    taken = []
    for turn in range(_KEYS):
        moved = _other_than(cursor)
        app.post_message(events.Key("down" if turn // 20 % 2 == 0 else "up", None))
        taken.append(await frames.until(moved))
        await asyncio.sleep(pause.uniform(0.02, 0.1))
    return taken


def _other_than(cursor: Callable[[], int]) -> Callable[[], bool]:
    before = cursor()
    return lambda: cursor() != before


def preview_rows() -> list[Row]:
    """Seconds from a key to the frame that shows another document of many lines, its colours aside."""
    with tempfile.TemporaryDirectory(prefix="knit-eval-") as folder:
        root = Path(folder)
        line = "    value = compute(first, second)  # {0} {1}\n"
        texts = ["".join(line.format(name, number) for number in range(_LINES)) for name in "ab"]
        for name, text in zip("ab", texts, strict=True):
            (root / f"{name}.py").write_text(text)
        ours = asyncio.run(_our_swaps(root))
    peer = asyncio.run(_peer_swaps(texts))
    what = f"preview of {_LINES:,} lines, key to frame"
    return [
        Row(
            what,
            f"{ours * 1e3:.0f} ms wall",
            f"TextArea {peer * 1e3:.0f} ms",
            ratio(ours, peer),
            "40 ms + 30 ms of waiting for more keys",
        )
    ]


async def _our_swaps(root: Path) -> float:
    host = Host(root, session="none")
    app = KnitApp(host)
    async with app.run_test(size=_SIZE) as pilot:
        frames = Frames(app)
        results, view = app.main.results, app.main.preview.view

        def shows(name: str) -> bool:
            return f"# {name} " in view.render_line(0).text

        await frames.until(lambda: len(results.listing.items) == 2 and (shows("a") or shows("b")))
        taken = []
        for _ in range(_SWAPS):
            await pilot.pause(0.05)
            other = "b" if shows("a") else "a"
            down = results.listing.items[1].rel.startswith(other)
            app.post_message(events.Key("down" if down else "up", None))
            taken.append(await frames.until(partial(shows, other)))
        host.stop()
        return statistics.median(taken)


class _Text(App[None]):
    def compose(self) -> ComposeResult:
        yield TextArea(read_only=True)


async def _peer_swaps(texts: list[str]) -> float:
    app = _Text()
    async with app.run_test(size=_SIZE) as pilot:
        area = app.query_one(TextArea)
        frames = Frames(app)
        taken = []
        for turn in range(_SWAPS):
            await pilot.pause(0.05)
            start = time.perf_counter()
            area.load_text(texts[turn % 2])
            await frames.until(lambda: True)
            taken.append(time.perf_counter() - start)
        return statistics.median(taken)
