"""Agents whose sessions cannot be followed, so that a person is told why and not left looking."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def unsupported(home: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The agents of that kind that were used on this machine, by name."""
    data = environ.get("XDG_DATA_HOME", "")
    base = Path(data) if os.path.isabs(data) else home / ".local" / "share"
    folders = {"amp": (base / "amp", home / ".cache" / "amp", home / ".config" / "amp")}
    return tuple(agent for agent, places in folders.items() if any(map(os.path.isdir, places)))


def is_thread(path: str) -> bool:
    """Whether a file is a thread that Amp kept on the machine, before it kept them on its server."""
    folder, name = os.path.split(path)
    return name.startswith("T-") and name.endswith(".json") and os.path.basename(folder) == "threads"
