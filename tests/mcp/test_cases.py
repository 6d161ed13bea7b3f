"""Hostile workspaces through the tool: what their oracles forbid is in no answer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.mcp.agent import PATIENCE, Agent, ask, text


@pytest.mark.parametrize(
    "name", ["03-symlink-escape", "05-content-terminal-escapes", "07-bidi-invisible", "30-secrets"]
)
async def test_what_must_never_be_seen_is_in_no_answer(shared: Path, agent: Agent, name: str) -> None:
    make = shared / "cases" / name / "make.sh"
    if not make.exists():
        pytest.skip(f"needs the case {name}")
    folder = agent.base / "case"
    subprocess.run(["bash", make, folder], check=True, capture_output=True, timeout=PATIENCE)
    oracle = json.loads((folder / "oracle.json").read_text("utf-8"))
    queries = [*list(oracle.get("find", {}))[:6], *oracle.get("not_found", [])[:6]]
    if "mcp_refuse" in oracle:
        queries += (folder / oracle["mcp_refuse"]).read_text("utf-8").splitlines()
    never = [*oracle.get("never", []), *oracle.get("never_mcp", [])]
    found = set()
    async with agent.client(cwd=folder / "ws") as client:
        for query in filter(None, queries):
            for kind in ("context", "docs"):
                result = await ask(client, query=query, kind=kind)
                whole = json.dumps(result.structured_content, ensure_ascii=False) + text(result)
                assert not [word for word in never if word in whole and word not in query]
                found |= {query} if result.structured_content["matched"] else set()
    assert found or not oracle.get("find")
