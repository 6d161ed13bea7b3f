"""One agent of a user, its configuration, and what became of it."""

from __future__ import annotations

import os
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from knit_tui.install.agents import AGENTS, Agent, Scope, Where
from knit_tui.install.files import Refused
from knit_tui.install.plan import carried_out, planned
from knit_tui.install.removal import removed
from knit_tui.install.settings import read

KNIT = ["/opt/knit"]
CASES = [(name, scope) for name in AGENTS for scope in Scope]


@dataclass
class Desk:
    """One agent of a user, in a scope; none of its own commands is there unless `fake` puts one."""

    agent: Agent
    scope: Scope
    folder: Path

    def __post_init__(self) -> None:
        self.home, self.root, self.bin = (self.folder / name for name in ("home", "ws", "bin"))
        for each in (self.home, self.root, self.bin):
            each.mkdir()
        environ = {
            "PATH": str(self.bin),
            "HOME": str(self.home),
            "KNIT_STATE_DIR": str(self.folder / "state"),
        }
        self.where = Where(self.home, environ, self.root, "linux")
        self.file = self.agent.file(self.where, self.scope)
        self.toml = self.file.suffix == ".toml"

    @property
    def hooks(self) -> Path:
        assert self.agent.hooks is not None
        return self.agent.hooks.file(self.where, self.scope)

    def write(self, text: str, mode: int = 0o640, file: Path | None = None) -> Path:
        path = file or self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        path.chmod(mode)
        return path

    def install(self, hook: bool = False, command: list[str] | None = None) -> None:
        carried_out(planned(self.agent, self.scope, self.where, command or KNIT, hook=hook), self.where)

    def uninstall(self) -> list[str]:
        return [one.how for one in removed(self.agent, self.scope, self.where)]

    def said(self) -> Any:
        text = self.file.read_text(encoding="utf-8-sig")
        return tomllib.loads(text) if self.toml else read(text)

    def entry(self) -> Any:
        said = self.said()
        for name in (*self.agent.servers, "knit"):
            said = said[name]
        return said

    def words(self) -> list[str]:
        command = self.entry()["command"]
        return command if isinstance(command, list) else [command, *self.entry()["args"]]

    def others(self) -> str:
        """A configuration with other tools and comments in it."""
        if self.toml:
            return '# top\nmodel = "m"  # why\n\n[mcp_servers.other]\ncommand = "x" # c\n'
        tools = f'"{self.agent.servers[0]}": {{\n\t\t"other": {{"command": "x"}} // c\n\t}}'
        return '{\n\t// top\n\t"z": 1, "a": [1,2,  3],\n\t' + tools + "\n}\n"

    def fake(self, script: str) -> None:
        """Put the agent's own command in the way."""
        program = self.bin / self.agent.own[0]
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        for name in ("cat", "cp", "sleep"):
            (self.bin / name).symlink_to(f"/bin/{name}")


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, with permissions and content; links as what they point to."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = (0, os.fsencode(os.readlink(path)))
        elif path.is_file():
            found[str(path)] = (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
    return found


def both(desk: Desk) -> dict[str, tuple[int, bytes]]:
    return state(desk.home) | state(desk.root)


def refused(desk: Desk, code: str, hook: bool = False) -> Refused:
    before = both(desk)
    with pytest.raises(Refused) as error:
        desk.install(hook=hook)
    assert error.value.code == code
    assert both(desk) == before, "nothing was changed"
    return error.value
