"""An agent in its own home with a workspace, and ``knit mcp`` as that agent starts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client import ClientRequestContext
from mcp_types import CallToolResult, Implementation, ListRootsResult, Root

from tests import warm
from tests.engine.desk import OLD
from tests.sessions.logs import Claude, append, codex_event, codex_meta, codex_prompt, write

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-P", "-m", "knit_tui", "mcp"]
ERAS = ("2026-07-28", "legacy")
SESSION = "5b0c7a10-1111-4222-8333-944455566677"
OTHER = "6c1d8b21-1111-4222-8333-944455566677"
PATIENCE = 60.0


class Agent:
    """``home``, the workspace ``root``, and logs in the shape of real agents."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home = base / "home"
        self.root = base / "lamp"
        self.home.mkdir()
        self.root.mkdir()
        self._logs: dict[str, Claude] = {}

    def write(self, rel: str, text: str, seconds_ago: float | None = None) -> None:
        """A file of long ago, or of some seconds ago."""
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        when = OLD if seconds_ago is None else time.time_ns() - int(seconds_ago * 1e9)
        os.utime(path, ns=(when, when))

    def project(self) -> None:
        """A small project about a lamp, most of it about dimming."""
        self.write("docs/dimmer.md", "# Dimmer\n\nHow the dimmer dims the lamp slowly.\n")
        self.write("src/dimmer.py", "def dimmer(lamp):\n    return lamp.dim()\n")
        self.write("src/lamp.py", "from dimmer import dimmer\n\n\ndef lamp():\n    dimmer(lamp)\n")
        self.write(
            "tests/test_dimmer.py", "from src.dimmer import dimmer\n\n\ndef test_dimmer():\n    dimmer(0)\n"
        )
        self.write("docs/wiring.md", "# Wiring\n\nWhich cable goes where; the dimmer comes last.\n")
        self.write("img/dimmer.png", "")

    def pile(self, files: int) -> None:
        """So many notes of nine kilobytes: with enough of them, processes are started to help."""
        words = " ".join(f"word{number}" for number in range(1000))
        for number in range(files):
            self.write(f"pile/{number % 50}/n{number}.md", f"# Note {number}\n\n{words}\n")

    def log(self, session: str = SESSION) -> Path:
        slug = str(self.root).replace("/", "-").replace("_", "-").replace(".", "-")
        return self.home / ".claude/projects" / slug / f"{session}.jsonl"

    def prompts(self, text: str, session: str = SESSION, seconds_ago: float = 0.0) -> None:
        self._append(session, seconds_ago, self._rows(session).user(text))

    def reads(self, rel: str, session: str = SESSION, seconds_ago: float = 0.0) -> None:
        rows, path = self._rows(session), str(self.root / rel)
        call = f"toolu_{rows.count}"
        asked = rows.call("Read", call, file_path=path)
        detail = {"type": "text", "file": {"filePath": path, "content": "", "numLines": 1}}
        self._append(session, seconds_ago, asked, rows.done(call, "1 x", detail))

    def compacts(self, session: str = SESSION) -> None:
        """The agent replaces its context by a summary."""
        self._append(session, 0.0, self._rows(session).row("system", subtype="compact_boundary", parent=None))

    def codex_log(self, session: str, text: str) -> Path:
        """A session of Codex with one prompt, now."""
        day = time.strftime("%Y/%m/%d")
        path = self.home / f".codex/sessions/{day}/rollout-{session}.jsonl"
        rows = [
            codex_meta(str(self.root), id=session),
            *codex_prompt(text),
            codex_event("agent_message", message="ok"),
        ]
        return write(path, [row | {"timestamp": stamp(0)} for row in rows])

    def _rows(self, session: str) -> Claude:
        return self._logs.setdefault(session, Claude(str(self.root), session))

    def _append(self, session: str, seconds_ago: float, *rows: dict[str, Any]) -> None:
        path = self.log(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        append(path, *(row | {"timestamp": stamp(seconds_ago)} for row in rows))

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "KNIT_CACHE_DIR": str(self.base / "cache"),
            "KNIT_STATE_DIR": str(self.base / "state"),
            **more,
        }

    @asynccontextmanager
    async def client(
        self,
        era: str = ERAS[0],
        *,
        arguments: Iterable[str] = (),
        cwd: Path | None = None,
        roots: Iterable[str] | None = None,
        name: str = "claude-code",
        **environment: str,
    ) -> AsyncIterator[Client]:
        """The SDK's own client on a server that it started."""
        parameters = StdioServerParameters(
            command=warm.command()[0],
            args=[*warm.command()[1:], "mcp", *arguments],
            cwd=cwd or self.root,
            env=self.environment(**environment),
        )

        async def list_roots(context: ClientRequestContext) -> ListRootsResult:
            return ListRootsResult(roots=[Root(uri=uri) for uri in roots or ()])

        with (self.base / "stderr").open("w") as errors:
            client = Client(
                stdio_client(parameters, errors),
                mode=era,
                read_timeout_seconds=PATIENCE,
                client_info=Implementation(name=name, version="1"),
                list_roots_callback=None if roots is None else list_roots,
            )
            async with client:
                yield client

    @property
    def stderr(self) -> str:
        return (self.base / "stderr").read_text()

    def knit(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Another command of knit in the workspace."""
        return subprocess.run(
            [*warm.command(), *arguments],
            cwd=self.root,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


def stamp(seconds_ago: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time.time() - seconds_ago, UTC).isoformat()


async def ask(client: Client, meta: Mapping[str, Any] | None = None, **arguments: Any) -> CallToolResult:
    """The tool's answer; its object is what the schema says, and its text is fit to be read."""
    result = await client.call_tool("knit_docs", arguments, meta=dict(meta) if meta else None)  # type: ignore[arg-type]
    sound(result)
    return result


def sound(result: CallToolResult) -> None:
    assert [content.type for content in result.content] == ["text"]
    for told in (text(result), *strings(result.structured_content)):
        assert not any((ord(char) < 32 and char != "\n") or 0x7F <= ord(char) < 0xA0 for char in told)
    if result.is_error:
        assert result.structured_content is None
    else:
        jsonschema.validate(result.structured_content, schema())


def strings(value: Any) -> Iterator[str]:
    """Every text in what an object holds, its names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def schema() -> Any:
    return json.loads((resources.files("knit_tui.faces") / "schema" / "knit_docs.json").read_text())


def text(result: CallToolResult) -> str:
    content = result.content[0]
    assert content.type == "text"
    return content.text


def paths(result: CallToolResult, *tiers: str) -> list[str]:
    """The listed paths, in their order."""
    wanted = tiers or ("pinned", "primary", "supporting", "related", "other", "newest")
    return [item["path"] for tier in wanted for item in result.structured_content.get(tier, [])]


def item(result: CallToolResult, path: str) -> dict[str, Any]:
    tiers = ("pinned", "primary", "supporting", "related", "other", "newest")
    rows = [row for tier in tiers for row in result.structured_content.get(tier, [])]
    found: dict[str, Any] = next(row for row in rows if row["path"] == path)
    return found


class Pipe:
    """A server on two pipes, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._id = 0

    def send(self, *lines: Any) -> None:
        assert self.process.stdin is not None
        for line in lines:
            data = line if isinstance(line, bytes) else json.dumps(line).encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, **params: Any) -> int:
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def answer(self, request: int | None) -> Any:
        """The answer with this id; others that come before it are of no interest."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            if "method" not in said and said["id"] == request:
                return said
        raise EOFError("the server ended")

    def hello(self) -> None:
        self.answer(
            self.request(
                "initialize",
                protocolVersion="2025-11-25",
                capabilities={},
                clientInfo={"name": "t", "version": "0"},
            )
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def close(self) -> int:
        """End the input; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


@contextmanager
def pipe(agent: Agent, command: Sequence[str] = COMMAND) -> Iterator[Pipe]:
    """A server that is killed at the end if it still runs."""
    process = subprocess.Popen(
        command,
        cwd=agent.root,
        env=agent.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    limit = threading.Timer(2 * PATIENCE, os.killpg, (process.pid, signal.SIGKILL))
    limit.start()
    try:
        yield Pipe(process)
    finally:
        limit.cancel()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        if process.poll() is None:
            process.kill()
        process.wait()


def children(parent: int) -> list[int]:
    """The processes that ``parent`` started and that still run."""
    listing = ["ps", "-A", "-o", "pid=,ppid=,stat="]
    found = subprocess.run(listing, capture_output=True, text=True, check=True)
    rows = [row.split() for row in found.stdout.splitlines()]
    return [int(pid) for pid, ppid, state in rows if int(ppid) == parent and not state.startswith("Z")]


def until(true: Callable[[], object], why: str = "") -> None:
    """Wait until something is the case."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, why or "it did not come to be"
        time.sleep(0.02)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
