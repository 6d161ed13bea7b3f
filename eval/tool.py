"""What an agent waits for with knit_docs: the first answer of a new server, the tool's list, a later answer.

    python -m eval.tool [--documents 20000]

The peer of the same run is a server of the same SDK whose one tool returns a constant; both are driven by
the SDK's own client. Medians of several starts: wall clock, and what the process took of a core until its
end, which says more on a machine that has other things to do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

from eval.measure import Row, ratio, table
from eval.trees import generate

STARTS = 5
CALLS = 25
WARM_DOCUMENTS = 10_000
LIST_BUDGET = 1.0
"""Seconds until the tool's list without an index."""
CALL_BUDGET = 0.05
"""Seconds of a call when the index is in memory."""
START_BUDGET = 1.5
"""Of the peer's time from the start to the first answer."""
QUERY = "how is the retry backoff computed"
_KNIT = ["-P", "-m", "knit_tui", "mcp"]
_PEER = """
from mcp.server import MCPServer
server = MCPServer("constant")
@server.tool()
def constant(query: str = "") -> str:
    return "nothing to tell " * 60
server.run()
"""


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds until an answer, and seconds of a core until the process had ended."""

    wall: float
    cpu: float


class Trial:
    """Servers started over one folder, with a cache of their own."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self.cache = cache

    @asynccontextmanager
    async def server(self, arguments: list[str]) -> Any:
        environment = {
            "HOME": str(self.cache),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "KNIT_CACHE_DIR": str(self.cache / "index"),
            "KNIT_STATE_DIR": str(self.cache / "state"),
        }
        parameters = StdioServerParameters(
            command=sys.executable, args=arguments, env=environment, cwd=str(self.root)
        )
        async with Client(stdio_client(parameters), mode="legacy") as client:
            yield client

    async def until(self, arguments: list[str], ask: Callable[[Client], Awaitable[object]]) -> Took:
        """What it took from the start of the process until ``ask`` was answered."""
        before, begun = spent(), time.perf_counter()
        async with self.server(arguments) as client:
            await ask(client)
            wall = time.perf_counter() - begun
        return Took(wall, spent() - before)

    async def knit(self, ask: Callable[[Client], Awaitable[object]]) -> Took:
        return await self.until(_KNIT, ask)

    async def peer(self, ask: Callable[[Client], Awaitable[object]]) -> Took:
        return await self.until(["-c", _PEER], ask)

    def forget(self) -> None:
        """As if knit had never been here."""
        shutil.rmtree(self.cache / "index", ignore_errors=True)


def spent() -> float:
    """Seconds of a core that all processes took which were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def docs(client: Client) -> None:
    """A whole answer over all documents."""
    result = await client.call_tool("knit_docs", {"query": QUERY})
    assert not result.is_error and result.structured_content is not None
    assert "indexing" not in result.structured_content, "the index was not whole"


async def constant(client: Client) -> None:
    assert not (await client.call_tool("constant", {"query": QUERY})).is_error


async def tools(client: Client) -> None:
    assert (await client.list_tools()).tools


async def later_calls(trial: Trial) -> tuple[list[float], float]:
    """Seconds of each call to a server that has answered already, and what it took until it had ended."""
    took = []
    before = spent()
    async with trial.server(_KNIT) as client:
        await docs(client)
        for _ in range(CALLS):
            begun = time.perf_counter()
            await docs(client)
            took.append(time.perf_counter() - begun)
    return took, spent() - before


async def wait_for_index(trial: Trial) -> None:
    """Until an answer is over all documents and the index is kept."""
    async with trial.server(_KNIT) as client:
        while True:
            result = await client.call_tool("knit_docs", {"query": QUERY})
            if not result.is_error and "indexing" not in (result.structured_content or {}):
                break


async def measure(documents: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        large, warm = Trial(base / "large", base / "keeplarge"), Trial(base / "warm", base / "keep")
        for trial, count in ((large, documents), (warm, WARM_DOCUMENTS)):
            trial.cache.mkdir()
            generate(trial.root, count)
        listed: list[Took] = []
        listed_by_peer: list[Took] = []
        for _ in range(STARTS):
            large.forget()
            listed.append(await large.knit(tools))
            listed_by_peer.append(await large.peer(tools))
        await wait_for_index(warm)
        first: list[Took] = []
        first_of_peer: list[Took] = []
        for _ in range(STARTS):
            first.append(await warm.knit(docs))
            first_of_peer.append(await warm.peer(constant))
        calls, cpu = await later_calls(warm)
    each = (cpu - statistics.median(one.cpu for one in first)) / CALLS
    return [
        *rows(f"tool list, nothing indexed, {documents:,} documents", listed, listed_by_peer, LIST_BUDGET),
        *rows(f"start to first whole answer, {WARM_DOCUMENTS:,} documents", first, first_of_peer),
        Row(
            f"later answer, {WARM_DOCUMENTS:,} documents, median / worst of {CALLS}",
            f"{statistics.median(calls) * 1e3:.0f} / {max(calls) * 1e3:.0f} ms",
            budget=f"{CALL_BUDGET * 1e3:.0f} ms",
        ),
        Row("  CPU", f"{each * 1e3:.0f} ms"),
    ]


def rows(what: str, ours: list[Took], peers: list[Took], budget: float | None = None) -> list[Row]:
    """One line of wall clock and one of CPU; ``budget`` in seconds, else as a ratio to the peer."""
    told = f"{START_BUDGET}x peer" if budget is None else f"{budget} s"
    found = []
    for name, mine, theirs in (
        (what, [one.wall for one in ours], [one.wall for one in peers]),
        ("  CPU", [one.cpu for one in ours], [one.cpu for one in peers]),
    ):
        a, b = statistics.median(mine), statistics.median(theirs)
        found.append(Row(name, f"{a:.2f} s", f"{b:.2f} s", ratio(a, b), told))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    print(table("knit_docs beside a bare server", asyncio.run(measure(parser.parse_args().documents))))


if __name__ == "__main__":
    main()
