"""Real agents with knit registered by its own command: the tool answers, the hook's pack reaches the model.

Needs the folder that drives the agents with a scripted model, as `test_live` does, and an installed ``knit``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from knit_tui.faces.mcp.words import DATA
from knit_tui.sessions.told import Board, folder

AGENTS = ("claude", "codex", "gemini", "opencode", "qwen", "copilot")
HOOKED = ("claude", "codex", "gemini", "qwen", "copilot")
PROMPT = "How does the loader decide which files to load, and in what order?"
TOOL = {"call": "mcp", "server": "knit", "tool": "knit_docs", "args": {"query": "loader file order"}}
STEPS = [
    {"text": "I look.", "calls": [{"call": "read", "path": "README.md"}]},
    {"text": "I ask knit.", "calls": [TOOL]},
    {"text": "That is all."},
]
SCENARIO = {
    "side_text": "Loader file order",
    "side_json": {"reasoning": "Over.", "next_speaker": "user", "model_choice": "flash"},
    "turns": [{"user": PROMPT, "steps": STEPS}],
}
FORGET = r"""
import json, pathlib, re, sys
home = pathlib.Path(sys.argv[1])
for name in (
    ".gemini/settings.json", ".qwen/settings.json", ".copilot/mcp-config.json",
    ".config/opencode/opencode.json", "mcp.json",
):
    path = home / name
    if path.exists():
        said = json.loads(path.read_text())
        for key in ("mcpServers", "mcp"):
            said.get(key, {}).pop("knit", None)
        path.write_text(json.dumps(said, indent=2))
path = home / ".codex/config.toml"
if path.exists():
    path.write_text(re.sub(r"\[mcp_servers\.knit\]\n(?:\w+ = .*\n)*", "", path.read_text()))
"""
"""Takes out what the lab put in for its own tool."""
DRIVE = r"""
. <(sed "\$d" "$0")
export KNIT_CACHE_DIR=$HOME_DIR/knit-cache
python3 -c "$FORGET" "$HOME_DIR"
KNIT=("${CLEAN[@]}" PATH="$PROGRAMS:$PATH" KNIT_CACHE_DIR="$KNIT_CACHE_DIR"
  CLAUDE_CONFIG_DIR="$HOME_DIR/.claude" "$PROGRAM" -C "$WS")
"${KNIT[@]}" install "$AGENT" $OPTIONS
"${KNIT[@]}" --query loader > /dev/null || true
FIRST=(env -i KNIT_HOOK_MS=4000 KNIT_CACHE_DIR="$KNIT_CACHE_DIR" "${FIRST[@]:2}")
[ "$AGENT" != codex ] || FIRST+=(--dangerously-bypass-hook-trust)
turn 1 "${FIRST[@]}" "$(prompt 1)"
"${KNIT[@]}" install "$AGENT" --uninstall
"""
"""Registers knit, has it index the workspace, gives the agent one prompt, and takes knit out again."""


class Lab:
    """One agent with a home and a workspace of its own, and one turn of it."""

    def __init__(self, scripts: Path, agent: str, place: Path) -> None:
        self.scripts, self.agent, self.place = scripts, agent, place
        self.workspace, self.home, self.run = place / "ws", place / "home", place / "run"
        self.out = place / "agent.out"

    def turn(self, options: str = "") -> None:
        scenario = self.place / "scenario.json"
        scenario.write_text(json.dumps(SCENARIO), encoding="utf-8")
        modules = [str(path) for path in self.scripts.glob(f"agents/{self.agent}*/node_modules")]
        programs = [f"{path}/@anthropic-ai/claude-code-linux-x64" for path in modules]
        places = map(str, (self.workspace, self.home, self.run))
        with self.out.open("wb") as out:
            subprocess.run(
                ["bash", "-c", DRIVE, str(self.scripts / f"run_{self.agent}.sh"), *places],
                env=os.environ
                | {
                    "DELAY": "0.02",
                    "SCENARIO": str(scenario),
                    "FORGET": FORGET,
                    "OPTIONS": options,
                    "PROGRAM": str(Path(sys.executable).with_name("knit")),
                    "PROGRAMS": ":".join([*programs, *(f"{path}/.bin" for path in modules)]),
                },
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=180,
                check=False,
            )

    def bodies(self) -> list[str]:
        """The requests of the agent, the first one first."""
        return [path.read_text(encoding="utf-8") for path in sorted((self.run / "bodies").glob("*.json"))]

    def troubles(self) -> str:
        files = [self.out, *sorted(self.run.glob("turn1.*"))]
        return "\n".join(file.read_text(errors="replace")[-2000:] for file in files if file.exists())


@pytest.fixture
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Lab:
    agent = request.param
    named = os.environ.get("KNIT_AGENTLAB")
    scripts = Path(named) if named else request.getfixturevalue("shared") / "agentlab"
    if not list((scripts / "agents").glob(f"{agent}*/node_modules")):
        pytest.skip(f"{agent} is not installed below {scripts / 'agents'}")
    if not Path(sys.executable).with_name("knit").exists():
        pytest.skip("knit is not installed beside this Python")
    return Lab(scripts, agent, tmp_path)


@pytest.mark.parametrize("lab", AGENTS, indirect=True)
def test_the_tool_answers_a_real_agent(lab: Lab) -> None:
    lab.turn()
    said = lab.out.read_text()
    assert "knit is now a tool of" in said and "knit" in said.splitlines()[-1], lab.troubles()
    last = lab.bodies()[-1]
    assert DATA in last and DATA not in lab.bodies()[0], lab.troubles()
    assert "src/loader.py" in last
    assert "From knit, for this request" not in last


@pytest.mark.parametrize("lab", HOOKED, indirect=True)
def test_the_pack_reaches_the_model_of_a_real_agent_with_its_prompt(lab: Lab) -> None:
    lab.turn("--hook")
    first = next((body for body in lab.bodies() if PROMPT in body), "")
    assert "From knit, for this request" in first, lab.troubles()
    assert "src/loader.py" in first
    (told,) = Board(folder(lab.home, {})).read(time.time()).values()
    assert (told.agent, told.cwd) == (lab.agent, str(lab.workspace))
    assert Path(told.path).is_file()
    assert told.session_id in Path(told.path).read_text(encoding="utf-8")
