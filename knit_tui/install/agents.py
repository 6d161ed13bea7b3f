"""The agents knit can be registered with: where each keeps its configuration, and what goes in there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

SERVER = "knit"
"""The name under which agents know the tool."""
ROOT_VARIABLE = "${workspaceFolder}"
# Codex hands on only what is named.
_CODEX_VARIABLES = [
    "CODEX_HOME",
    "KNIT_CACHE_DIR",
    "KNIT_ROOT",
    "KNIT_STATE_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
]
_SECONDS = 5


class Scope(StrEnum):
    """For whom: the user in all workspaces, or everybody in this one."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Where:
    """The folders of this user. ``root`` is the workspace."""

    home: Path
    environ: Mapping[str, str]
    root: Path
    platform: str = sys.platform

    def moved(self, variable: str, elsewhere: str) -> Path:
        """The folder that a variable of the environment names, else the one below the home."""
        named = self.environ.get(variable, "")
        return Path(named).absolute() if named else self.home / elsewhere

    @property
    def config(self) -> Path:
        named = self.environ.get("XDG_CONFIG_HOME", "")
        return Path(named) if os.path.isabs(named) else self.home / ".config"


@dataclass(frozen=True, slots=True)
class Hooks:
    """Where hooks go, by event. ``made``: the entry of a command line; ``start``: what a file must hold."""

    file: Callable[[Where, Scope], Path]
    events: tuple[str, ...]
    made: Callable[[str], dict[str, Any]]
    start: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Agent:
    """``file``: the configuration; ``servers``: the way to its tools; ``made``: the entry of a command."""

    name: str
    title: str
    default: Scope
    file: Callable[[Where, Scope], Path]
    servers: tuple[str, ...]
    made: Callable[[list[str]], dict[str, Any]]
    hooks: Hooks | None = None
    rooted: bool = False
    """Its tools do not run in the workspace, so they are told where it is."""
    own: tuple[str, ...] = ()
    """Its own command that registers a tool for the user, where that writes as carefully as knit does: it
    keeps comments, permissions and links. Those of Codex, Gemini, Qwen and Copilot do not."""
    own_remove: tuple[str, ...] = ()


def _folder(variable: str, elsewhere: str, name: str, project: str) -> Callable[[Where, Scope], Path]:
    def file(where: Where, scope: Scope) -> Path:
        return where.moved(variable, elsewhere) / name if scope is Scope.USER else where.root / project

    return file


def _claude(where: Where, scope: Scope) -> Path:
    if scope is Scope.PROJECT:
        return where.root / ".mcp.json"
    return where.moved("CLAUDE_CONFIG_DIR", ".") / ".claude.json"


def _gemini(where: Where, scope: Scope) -> Path:
    folder = where.moved("GEMINI_CLI_HOME", ".") if scope is Scope.USER else where.root
    return folder / ".gemini" / "settings.json"


def _opencode(where: Where, scope: Scope) -> Path:
    folder = where.config / "opencode" if scope is Scope.USER else where.root
    names = ("opencode.jsonc", "opencode.json")
    return next((folder / name for name in names if (folder / name).exists()), folder / names[1])


def _vscode(where: Where, scope: Scope) -> Path:
    if scope is Scope.PROJECT:
        return where.root / ".vscode" / "mcp.json"
    base = where.home / "Library/Application Support" if where.platform == "darwin" else where.config
    return base / "Code" / "User" / "mcp.json"


def _cursor(where: Where, scope: Scope) -> Path:
    return (where.home if scope is Scope.USER else where.root) / ".cursor" / "mcp.json"


def _plain(command: list[str]) -> dict[str, Any]:
    return {"command": command[0], "args": command[1:]}


def _typed(command: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(command)}


def _codex_table(command: list[str]) -> dict[str, Any]:
    return {**_plain(command), "startup_timeout_sec": 20, "env_vars": list(_CODEX_VARIABLES)}


def _grouped(**more: Any) -> Callable[[str], dict[str, Any]]:
    return lambda line: {"hooks": [{"type": "command", "command": line, **more}]}


AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            "claude",
            "Claude Code",
            Scope.USER,
            _claude,
            ("mcpServers",),
            _typed,
            Hooks(
                _folder("CLAUDE_CONFIG_DIR", ".claude", "settings.json", ".claude/settings.local.json"),
                ("SessionStart", "UserPromptSubmit"),
                _grouped(timeout=_SECONDS),
            ),
            own=("claude", "mcp", "add", "-s", "user", SERVER, "--"),
            own_remove=("claude", "mcp", "remove", "-s", "user", SERVER),
        ),
        Agent(
            "codex",
            "Codex",
            Scope.USER,
            _folder("CODEX_HOME", ".codex", "config.toml", ".codex/config.toml"),
            ("mcp_servers",),
            _codex_table,
            Hooks(
                _folder("CODEX_HOME", ".codex", "hooks.json", ".codex/hooks.json"),
                ("SessionStart", "UserPromptSubmit"),
                _grouped(timeout=_SECONDS),
            ),
        ),
        Agent(
            "gemini",
            "Gemini CLI",
            Scope.USER,
            _gemini,
            ("mcpServers",),
            _plain,
            Hooks(_gemini, ("SessionStart", "BeforeAgent"), _grouped(name="knit", timeout=1000 * _SECONDS)),
        ),
        Agent(
            "qwen",
            "Qwen Code",
            Scope.USER,
            _folder("QWEN_HOME", ".qwen", "settings.json", ".qwen/settings.json"),
            ("mcpServers",),
            _plain,
            Hooks(
                _folder("QWEN_HOME", ".qwen", "settings.json", ".qwen/settings.json"),
                ("SessionStart", "UserPromptSubmit"),
                _grouped(name="knit", timeout=_SECONDS),
            ),
        ),
        Agent(
            "opencode",
            "OpenCode",
            Scope.USER,
            _opencode,
            ("mcp",),
            lambda command: {"type": "local", "command": command, "enabled": True},
            own=("opencode", "mcp", "add", SERVER, "--"),
        ),
        Agent(
            "copilot",
            "Copilot CLI",
            Scope.USER,
            _folder("COPILOT_HOME", ".copilot", "mcp-config.json", ".github/mcp.json"),
            ("mcpServers",),
            lambda command: {"type": "local", **_plain(command), "tools": ["*"]},
            Hooks(
                _folder("COPILOT_HOME", ".copilot", "hooks/knit.json", ".github/hooks/knit.json"),
                ("sessionStart", "userPromptSubmitted"),
                lambda line: {"type": "command", "bash": line, "timeoutSec": _SECONDS},
                {"version": 1},
            ),
        ),
        Agent("vscode", "VS Code", Scope.PROJECT, _vscode, ("servers",), _typed, rooted=True),
        Agent("cursor", "Cursor", Scope.PROJECT, _cursor, ("mcpServers",), _plain, rooted=True),
    )
}
