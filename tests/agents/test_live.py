"""Real agents at work in one place, the panel beside them in another: what it shows while they work.

Needs tmux, and the folder that drives the agents with a scripted model: ``KNIT_AGENTLAB``, else
``shared/agentlab``. An agent that is not installed there is skipped.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

AGENTS = ("claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot")
CLEARING = """
open_tui "${TUI[@]}"; type_turn 1
tm send-keys -l /clear; sleep 1; tm send-keys Enter; sleep 3
type_turn 2; close_tui
open_tui "${TUI_AGAIN[@]}"; type_turn 3; close_tui
"""
"""A first turn, ``/clear``, a second turn, and a third one in a process that resumes."""
PATIENCE = 120.0


class Lab:
    """One agent with a home and a workspace of its own, and a panel beside it."""

    def __init__(self, scripts: Path, agent: str, folder: Path) -> None:
        self.scripts, self.agent, self.folder = scripts, agent, folder
        self.workspace, self.home, self.run = folder / "ws", folder / "home", folder / "run"
        self.turns = [
            turn["user"]
            for turn in json.loads((scripts / "scenario.json").read_text(encoding="utf-8"))["turns"]
        ]
        self._agent: subprocess.Popen[bytes] | None = None
        self._socket = folder / "tmux"

    def start_agent(self, script: str = "drive", **more: str) -> None:
        """Run the agent's turns; ``script`` is what drives it, in the words of the lab."""
        command = f'. <(sed "\\$d" "$0"); {script}'
        places = map(str, (self.workspace, self.home, self.run))
        self._agent = subprocess.Popen(
            ["bash", "-c", command, str(self.scripts / f"run_{self.agent}.sh"), *places],
            env=os.environ | {"DELAY": "0.1"} | more,
            stdout=(self.folder / "agent.out").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def start_panel(self) -> None:
        """Open the panel as its user does, before the agent has written anything."""
        wait(lambda: (self.workspace / ".git").exists(), "the workspace", self.troubles)
        words = [sys.executable, "-m", "knit_tui", "-C", str(self.workspace)]
        environ = {"HOME": str(self.home), "KNIT_CACHE_DIR": "off", "TERM": "tmux-256color"}
        environ |= {"KNIT_STATE_DIR": str(self.folder / "state"), "XDG_DATA_HOME": "", "LANG": "C.UTF-8"}
        command = " ".join(["env", *(f"{k}={shlex.quote(v)}" for k, v in environ.items()), shlex.join(words)])
        self._tmux("new-session", "-d", "-x", "170", "-y", "50", command)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p").stdout

    def done(self, turn: int) -> bool:
        """Whether the model gave its last answer of a turn."""
        log = self.run / "requests.jsonl"
        return log.exists() and f'"turn-done", "turn": {turn}' in log.read_text(encoding="utf-8")

    def shows(self, text: str) -> None:
        """Wait until the panel shows ``text``."""
        wait(lambda: text in self.screen(), f"{text!r} on screen", lambda: self.screen() + self.troubles())

    def troubles(self) -> str:
        out = self.folder / "agent.out"
        return out.read_text(errors="replace")[-2000:] if out.exists() else ""

    def stop(self) -> None:
        self._tmux("kill-server")
        if (self.run / "tmux").exists():
            subprocess.run(["tmux", "-S", str(self.run / "tmux"), "kill-server"], capture_output=True)
        if self._agent is not None and self._agent.poll() is None:
            os.killpg(self._agent.pid, 15)
            self._agent.wait(30)

    def _tmux(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = ["tmux", "-u", "-S", str(self._socket), "-f", "/dev/null", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def wait(ready: Callable[[], bool], what: str, told: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > deadline:
            raise AssertionError(f"no {what}:\n{told()}")
        time.sleep(0.05)


@pytest.fixture
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lab]:
    agent = getattr(request, "param", "claude")
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    named = os.environ.get("KNIT_AGENTLAB")
    scripts = Path(named) if named else request.getfixturevalue("shared") / "agentlab"
    if not list((scripts / "agents").glob(f"{agent}*/node_modules")):
        pytest.skip(f"{agent} is not installed below {scripts / 'agents'}")
    one = Lab(scripts, agent, tmp_path)
    yield one
    one.stop()


def beginning(prompt: str) -> str:
    """As much of a prompt as the title always has room for."""
    return prompt[:24]


@pytest.mark.parametrize("lab", AGENTS, indirect=True)
def test_the_panel_follows_a_real_agent_through_three_turns_and_two_resumes(lab: Lab) -> None:
    lab.start_agent()
    lab.start_panel()
    lab.shows(beginning(lab.turns[0]))
    assert not lab.done(2), "the task is shown while it is worked on"
    lab.shows("by the agent since your prompt")
    assert not lab.done(3)
    lab.shows(beginning(lab.turns[1]))
    lab.shows(beginning(lab.turns[2]))
    assert f"{lab.agent} session" in lab.screen()


def test_a_cleared_session_gives_way_to_the_next_one(lab: Lab) -> None:
    lab.start_agent(CLEARING, MODE="tui")
    lab.start_panel()
    lab.shows(beginning(lab.turns[0]))
    wait(lambda: lab.done(1), "end of the first turn", lab.troubles)
    wait(lambda: beginning(lab.turns[0]) not in lab.screen(), "clear panel", lab.screen)
    lab.shows(beginning(lab.turns[1]))
    lab.shows(beginning(lab.turns[2]))
