"""How the editors that knit knows are told to open a file at a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """An editor: its program and arguments, with ``{path}`` and ``{line}`` where those belong."""

    command: tuple[str, ...]
    terminal: bool
    """It runs in the terminal, so the panel has to make room."""


def _plus(program: str) -> Preset:
    return Preset((program, "+{line}", "{path}"), terminal=True)


def _colon(program: str, *, terminal: bool) -> Preset:
    return Preset((program, "{path}:{line}"), terminal)


def _goto(program: str) -> Preset:
    return Preset((program, "--goto", "{path}:{line}"), terminal=False)


EDITORS: Mapping[str, Preset] = {
    "vi": _plus("vi"),
    "vim": _plus("vim"),
    "nvim": _plus("nvim"),
    "nano": _plus("nano"),
    "emacs": Preset(("emacs", "-nw", "+{line}", "{path}"), terminal=True),
    "emacsclient": Preset(("emacsclient", "-n", "+{line}", "{path}"), terminal=False),
    "kakoune": _plus("kak"),
    "micro": Preset(("micro", "{path}", "+{line}"), terminal=True),
    "helix": _colon("hx", terminal=True),
    "vscode": _goto("code"),
    "vscodium": _goto("codium"),
    "cursor": _goto("cursor"),
    "zed": _colon("zed", terminal=False),
    "sublime": _colon("subl", terminal=False),
    "idea": Preset(("idea", "--line", "{line}", "{path}"), terminal=False),
}


def filled(command: Sequence[str], path: str, line: int = 1) -> list[str]:
    """``command`` for a file, as arguments of a process; the path comes last where it has no place."""
    parts = [part.replace("{line}", str(line)) for part in command]
    if not any("{path}" in part for part in parts):
        parts.append("{path}")
    return [part.replace("{path}", path) for part in parts]
