"""What an agent waits for with knit_docs: the first answer of a new server, the tool's list, a later answer.

    python -m eval.tool [--documents 20000]

The peer of the same run is a server of the same SDK whose one tool returns a constant. Wall clock, the
median of several starts; both are driven by the SDK's own client.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
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

    async def until(self, arguments: list[str], ask: Callable[[Client], Awaitable[object]]) -> float:
        """Seconds from the start of the process until ``ask`` is answered."""
        begun = time.perf_counter()
        async with self.server(arguments) as client:
            await ask(client)
            return time.perf_counter() - begun

    async def knit(self, ask: Callable[[Client], Awaitable[object]]) -> float:
        return await self.until(_KNIT, ask)

    async def peer(self, ask: Callable[[Client], Awaitable[object]]) -> float:
        return await self.until(["-c", _PEER], ask)

    def forget(self) -> None:
        """As if knit had never been here."""
        shutil.rmtree(self.cache / "index", ignore_errors=True)


async def docs(client: Client) -> None:
    """A whole answer over all documents."""
    result = await client.call_tool("knit_docs", {"query": QUERY})
    assert not result.is_error and result.structured_content is not None
    assert "indexing" not in result.structured_content, "the index was not whole"


async def constant(client: Client) -> None:
    assert not (await client.call_tool("constant", {"query": QUERY})).is_error


async def tools(client: Client) -> None:
    assert (await client.list_tools()).tools


async def later_calls(trial: Trial) -> list[float]:
    """Seconds of each call to a server that has answered already."""
    took = []
    async with trial.server(_KNIT) as client:
        await docs(client)
        for _ in range(CALLS):
            begun = time.perf_counter()
            await docs(client)
            took.append(time.perf_counter() - begun)
    return took


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
        listed, listed_by_peer = [], []
        for _ in range(STARTS):
            large.forget()
            listed.append(await large.knit(tools))
            listed_by_peer.append(await large.peer(tools))
        await wait_for_index(warm)
        first, first_of_peer = [], []
        for _ in range(STARTS):
            first.append(await warm.knit(docs))
            first_of_peer.append(await warm.peer(constant))
        calls = await later_calls(warm)
    return [
        row(
            f"tool list, nothing indexed, {documents:,} documents", listed, listed_by_peer, f"{LIST_BUDGET} s"
        ),
        row(
            f"start to first whole answer, {WARM_DOCUMENTS:,} documents",
            first,
            first_of_peer,
            f"{START_BUDGET}x peer",
        ),
        Row(
            f"later answer, {WARM_DOCUMENTS:,} documents, median / worst of {CALLS}",
            f"{statistics.median(calls) * 1e3:.0f} / {max(calls) * 1e3:.0f} ms",
            budget=f"{CALL_BUDGET * 1e3:.0f} ms",
        ),
    ]


def row(what: str, ours: list[float], peers: list[float], budget: str) -> Row:
    mine, theirs = statistics.median(ours), statistics.median(peers)
    return Row(what, f"{mine:.2f} s", f"{theirs:.2f} s", ratio(mine, theirs), budget)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    print(table("knit_docs beside a bare server", asyncio.run(measure(parser.parse_args().documents))))


if __name__ == "__main__":
    main()
