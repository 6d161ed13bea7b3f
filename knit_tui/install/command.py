"""The command line that agents are to run, and telling it from others."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

_MODULE = "knit_tui"


def knit_command(program: str) -> list[str]:
    """How the knit that runs now is started from anywhere. ``program`` is its ``sys.argv[0]``."""
    path = os.path.abspath(program)
    if Path(path).name == "knit" and os.path.isfile(path) and os.access(path, os.X_OK):
        return [path]
    # With -P a module of that name in the folder where the agent runs is not taken for ours.
    return [sys.executable, "-P", "-m", _MODULE]


def words_of(entry: Any) -> list[str]:
    """The command line of a tool, however its agent writes it; empty if it is none."""
    if not isinstance(entry, dict):
        return []
    command, rest = entry.get("command"), entry.get("args", [])
    words = command if isinstance(command, list) else [command, *(rest if isinstance(rest, list) else [])]
    return words if all(isinstance(word, str) for word in words) else []


def is_tool(words: list[str]) -> bool:
    """Whether this starts a knit as a tool."""
    return _is_knit(words) and "mcp" in words


def is_hook(handler: Any, agent: str) -> bool:
    """Whether a hook's handler, or a group of one, is knit's."""
    if not isinstance(handler, dict):
        return False
    inner = handler.get("hooks")
    if isinstance(inner, list):
        return bool(inner) and all(is_hook(one, agent) for one in inner)
    line = handler.get("bash", handler.get("command"))
    try:
        words = shlex.split(line) if isinstance(line, str) else []
    except ValueError:
        return False
    return _is_knit(words) and words[-2:] == ["hook", agent]


def _is_knit(words: list[str]) -> bool:
    return bool(words) and (os.path.basename(words[0]) == "knit" or words[1:4] == ["-P", "-m", _MODULE])
