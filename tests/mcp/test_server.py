"""The process: what it says on which stream, when it ends, and what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from knit_tui.engine.build import cores
from tests.mcp.agent import COMMAND, PATIENCE, Agent, children, pipe, running, until

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    },
}


def call(request: int, **arguments: Any) -> dict[str, Any]:
    params = {"name": "knit_docs", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request, "method": "tools/call", "params": params}


def run(agent: Agent, data: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        COMMAND,
        cwd=agent.root,
        env=agent.environment(**environment),
        input=data,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def lines(*said: object) -> bytes:
    return b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in said)


def answers(result: subprocess.CompletedProcess[bytes]) -> list[Any]:
    assert result.returncode == 0, result.stderr
    assert result.stdout.isascii()
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_it_survives_every_sloppy_line_of_the_case(shared: Path, agent: Agent) -> None:
    make = shared / "cases/34-mcp-stdio/make.sh"
    if not make.exists():
        pytest.skip("needs the case 34-mcp-stdio")
    folder = agent.base / "case"
    subprocess.run(["bash", make, folder], check=True, capture_output=True, timeout=PATIENCE)
    result = subprocess.run(
        [folder / "check.sh", *COMMAND],
        cwd=folder / "ws",
        env=agent.environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert (folder / "err.txt").read_bytes() == b""


def test_what_was_asked_before_the_end_of_the_input_is_answered(agent: Agent) -> None:
    # However long that takes here: how long it may take is another question.
    program = (
        "from knit_tui.faces.mcp import wire; wire.LAST_SECONDS = 60; from knit_tui.cli import main; main()"
    )
    with pipe(agent, [sys.executable, "-P", "-c", program, "mcp"]) as server:
        server.hello()
        server.send(call(2, query="dimmer"))
        server.answer(2)
        assert server.process.stdin is not None
        server.process.stdin.write(
            lines(call(3, query="wiring"), call(4, query="lamp")) + b'{"jsonrpc":"2.0"'
        )
        server.process.stdin.close()
        assert server.process.stdout is not None
        said = {each["id"]: each for each in map(json.loads, server.process.stdout)}  # in any order
        assert said[None]["error"]["code"] == -32700
        assert said[3]["result"]["structuredContent"]["primary"][0]["path"] == "docs/wiring.md"
        assert not said[4]["result"]["isError"]
        assert server.process.wait(PATIENCE) == 0
        assert server.process.stderr is not None and server.process.stderr.read() == b""


def test_what_is_no_request_gets_the_error_that_json_rpc_has(agent: Agent) -> None:
    long_name = {"jsonrpc": "2.0", "id": 10, "method": "x" * 300}
    long_id = {"jsonrpc": "2.0", "id": "x" * 300, "method": "ping"}
    wrong = {"jsonrpc": "2.0", "id": 11, "method": "tools/list", "params": "x"}
    batch = [{"jsonrpc": "2.0", "id": 12, "method": "ping"}, 5]
    said = answers(run(agent, lines(INITIALIZE, long_name, long_id, wrong, batch, b"\xff\xfe{}\n", [])))
    by_id = {each["id"]: each for each in said if each["id"] is not None}
    assert by_id[10]["error"]["code"] == by_id[11]["error"]["code"] == -32600
    assert by_id[12]["result"] == {}
    codes = [each["error"]["code"] for each in said if each["id"] is None]
    assert sorted(codes) == [-32700, -32600, -32600, -32600]


def test_half_of_a_character_in_a_query_is_forgiven(agent: Agent) -> None:
    with pipe(agent) as server:
        server.hello()
        server.send(lines(call(2, query="dimmer HALF")).replace(b"HALF", b"\\ud83d").strip())
        assert server.answer(2)["result"]["structuredContent"]["primary"][0]["path"] == "src/dimmer.py"


def test_a_message_that_never_ends_is_refused_and_the_next_one_answered(agent: Agent) -> None:
    endless = b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"' + b"A" * (17 << 20) + b'"}}\n'
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    said = answers(run(agent, lines(INITIALIZE, endless, ping)))
    assert [each["id"] for each in said] == [1, None, 3]
    assert "16 MiB" in said[1]["error"]["message"]


@pytest.mark.parametrize("redirect", ["<&-", "</dev/null", "</dev/null >&-", "</dev/null 2>&-"])
def test_streams_that_are_closed_or_empty_end_it_quietly(agent: Agent, redirect: str) -> None:
    result = subprocess.run(
        f"{' '.join(COMMAND)} {redirect}",
        shell=True,
        cwd=agent.root,
        env=agent.environment(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_nobody_reads_the_output(agent: Agent) -> None:
    with pipe(agent) as server:
        server.hello()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send(*({"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(100, 110)))
        assert server.process.wait(PATIENCE) == 0


two_cores = pytest.mark.skipif(cores() < 2, reason="helpers are started where there are two cores")


@two_cores
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_and_all_that_it_started(agent: Agent, number: signal.Signals) -> None:
    agent.pile(1600)
    with pipe(agent) as server:
        server.hello()
        server.send(call(2, query="dimmer"))
        until(lambda: children(server.process.pid), "it starts helpers for so much text")
        started = children(server.process.pid)
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE) == 0
        until(lambda: not any(map(running, started)), "no orphan")


@two_cores
def test_killed_at_any_time_it_leaves_no_orphan_and_the_next_one_works(agent: Agent) -> None:
    agent.pile(1600)
    with pipe(agent) as server:
        server.hello()
        server.send(call(2, query="dimmer"))
        until(lambda: children(server.process.pid))
        started = children(server.process.pid)
        server.process.kill()
        server.process.wait()
        until(lambda: not any(map(running, started)), "no orphan")
    with pipe(agent) as server:
        server.hello()
        server.send(call(2, query="dimmer"))
        assert not server.answer(2)["result"]["isError"]
        assert server.close() == 0


def test_it_ends_with_its_parent_although_the_input_stays_open(agent: Agent) -> None:
    reading, writing = os.pipe()
    program = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen({COMMAND!r}, stdin={reading}, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
    )
    os.write(writing, lines(INITIALIZE))
    try:
        result = subprocess.run(
            [sys.executable, "-c", program],
            cwd=agent.root,
            env=agent.environment(),
            pass_fds=[reading],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        until(lambda: not running(int(result.stdout)), "it outlives its parent")
    finally:
        os.close(reading)
        os.close(writing)


def test_a_call_that_is_cancelled_is_not_answered_and_the_next_one_is(agent: Agent) -> None:
    agent.pile(1600)
    with pipe(agent) as server:
        server.hello()
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
        server.send(call(2, query="wiring"), cancel, call(3, query="dimmer"))
        assert server.process.stdout is not None
        ids = [json.loads(server.process.stdout.readline())["id"]]
        assert ids == [3]
        assert server.close() == 0


def test_the_panel_may_be_writing_the_same_index(agent: Agent) -> None:
    from knit_tui.engine.store import fingerprint
    from knit_tui.workspace.cache import Block, Cache

    agent.pile(100)
    held = Cache(agent.root, fingerprint(), {"KNIT_CACHE_DIR": str(agent.base / "cache")})
    assert held.save({"x": Block({})})
    try:
        with pipe(agent) as server:
            server.hello()
            server.send(call(2, query="dimmer"))
            assert server.answer(2)["result"]["structuredContent"]["primary"][0]["path"] == "src/dimmer.py"
            assert server.close() == 0
            assert server.process.stderr is not None and server.process.stderr.read() == b""
    finally:
        held.close()


LOADED = """
import sys
import knit_tui.faces.mcp.server as server
parsed, listed = server.parsed, server.definition
def told(function):
    def telling(*arguments):
        print(*sys.modules, file=sys.stderr, flush=True)
        return function(*arguments)
    return telling
server.parsed, server.definition = told(parsed), told(listed)
sys.argv = ["knit", "mcp"]
from knit_tui.cli import main
main()
"""


def test_the_tool_list_loads_neither_numpy_nor_the_engine_nor_the_panel(agent: Agent) -> None:
    heavy = {"numpy", "knit_tui.engine.engine", "knit_tui.find", "knit_tui.sessions", "knit_tui.workspace"}
    loaded = []
    with pipe(agent, [sys.executable, "-P", "-c", LOADED]) as server:
        server.hello()
        assert server.process.stderr is not None
        server.answer(server.request("tools/list"))
        loaded.append(set(server.process.stderr.readline().decode().split()))
        for _ in range(2):
            server.answer(server.request("tools/call", name="knit_docs", arguments={"query": "dimmer"}))
            loaded.append(set(server.process.stderr.readline().decode().split()))
    at_list, at_first_call, at_second_call = loaded
    assert not heavy & at_list and not heavy & at_first_call
    assert heavy <= at_second_call
    assert not {"textual", "pygments", "rich"} & at_second_call


def test_what_anything_else_writes_to_stdout_goes_to_stderr(agent: Agent) -> None:
    program = (
        "import os, subprocess, sys\n"
        "import knit_tui.faces.mcp.server as server\n"
        "parsed = server.parsed\n"
        "def noisy(arguments):\n"
        "    print('from print', flush=True)\n"
        "    os.write(1, b'from a descriptor\\n')\n"
        "    subprocess.run(['sh', '-c', 'echo from a child; cat'])\n"
        "    return parsed(arguments)\n"
        "server.parsed = noisy\n"
        "sys.argv = ['knit', 'mcp']\n"
        "from knit_tui.cli import main\n"
        "main()\n"
    )
    with pipe(agent, [sys.executable, "-c", program]) as server:
        server.hello()
        server.send(call(2, query="dimmer"))
        assert not server.answer(2)["result"]["isError"]  # the child that reads its input found none
        assert server.close() == 0
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b"from print\nfrom a descriptor\nfrom a child\n"


def test_a_person_who_types_it_is_told_what_it_is(agent: Agent) -> None:
    import pty

    master, slave = pty.openpty()
    try:
        process = subprocess.Popen(
            COMMAND,
            cwd=agent.root,
            env=agent.environment(),
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        said = process.stderr.readline()
        os.write(master, b"\x04")
        assert process.wait(PATIENCE) == 0
        assert said.startswith(b"knit: mcp speaks to an agent") and process.stderr.read() == b""
        process.stderr.close()
    finally:
        os.close(master)
        os.close(slave)
