"""What the terminal can do for the panel, told without opening it and without loading its library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knit_tui.faces.tui.keymap import key_name
from knit_tui.faces.tui.registry import Action
from knit_tui.faces.tui.services.programs import Programs

_BY_VARIABLE = {
    "KITTY_WINDOW_ID": "kitty",
    "WEZTERM_PANE": "WezTerm",
    "GHOSTTY_RESOURCES_DIR": "Ghostty",
    "ALACRITTY_WINDOW_ID": "Alacritty",
    "KONSOLE_VERSION": "Konsole",
    "WT_SESSION": "Windows Terminal",
    "TERMINAL_EMULATOR": "JetBrains",
    "VTE_VERSION": "VTE",
    "XTERM_VERSION": "xterm",
}
"""Terminals that do not say their name, by a variable that only they set."""
_BOUND = re.compile(rb"(?m)^bind-key\b.*? -T root +(\S+)")
_TMUX_NAMES = {
    "PPage": "pageup",
    "PageUp": "pageup",
    "NPage": "pagedown",
    "PageDown": "pagedown",
    "BSpace": "backspace",
    "DC": "delete",
    "IC": "insert",
    "BTab": "shift+tab",
}
_TMUX_MODIFIERS = {"C": "ctrl", "M": "alt", "S": "shift"}


@dataclass(frozen=True, slots=True)
class Tmux:
    """The tmux that the panel would run in. ``escape_ms`` is None when it does not tell."""

    version: str
    answers: bool
    escape_ms: int | None = None
    taken: tuple[str, ...] = ()
    """Keys that it keeps for itself, as Textual names them."""


def terminal_name(environ: Mapping[str, str]) -> str:
    """The program that draws, with its version where it says so; empty when nothing tells."""
    name = environ.get("TERM_PROGRAM") or environ.get("LC_TERMINAL", "")
    if name and name != "tmux":
        version = "TERM_PROGRAM_VERSION" if environ.get("TERM_PROGRAM") else "LC_TERMINAL_VERSION"
        return f"{name} {environ.get(version, '')}".strip()
    return next((called for variable, called in _BY_VARIABLE.items() if environ.get(variable)), "")


def colours(environ: Mapping[str, str]) -> str:
    """How many colours the panel takes the terminal to have, as Rich finds it: ``truecolor``, ``256``,
    ``16`` or ``none``."""
    term = environ.get("TERM", "").strip().lower()
    if environ.get("NO_COLOR") or term in ("dumb", "unknown"):
        return "none"
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    return "256" if term.rpartition("-")[2] in ("kitty", "256color") else "16"


def tmux(programs: Programs) -> Tmux | None:
    """The tmux around us; None where there is none."""
    if not programs.environ.get("TMUX"):
        return None
    program = programs.find("tmux")
    if program is None:
        return Tmux("", False)
    version = programs.run((program, "-V"), answer=True).output.decode("ascii", "replace").split()
    keys = programs.run((program, "list-keys", "-T", "root"), answer=True)
    return Tmux(
        version[1] if len(version) > 1 else "",
        keys.well,
        _number(programs.run((program, "show-options", "-sv", "escape-time"), answer=True).output),
        _taken(keys.output, *(_option(programs, program, name) for name in ("prefix", "prefix2"))),
    )


def unreachable(
    actions: Iterable[Action], taken: Iterable[str]
) -> tuple[tuple[Action, tuple[str, ...]], ...]:
    """The actions of which keys are ``taken`` by another program, and which of them those are."""
    gone = frozenset(taken)
    found = ((action, tuple(key for key in action.keys if key in gone)) for action in actions)
    return tuple((action, keys) for action, keys in found if keys)


def _option(programs: Programs, program: str, name: str) -> bytes:
    return programs.run((program, "show-options", "-gv", name), answer=True).output.strip()


def _number(output: bytes) -> int | None:
    text = output.strip()
    return int(text) if text.isdigit() and len(text) < 10 else None


def _taken(listing: bytes, *prefixes: bytes) -> tuple[str, ...]:
    written = [*_BOUND.findall(listing), *prefixes]
    names = (_name(word.decode("utf-8", "replace")) for word in written)
    return tuple(sorted({name for name in names if name}))


def _name(written: str) -> str | None:
    """Textual's name of a key as tmux writes it, ``C-h``, ``M-Up``; None for the mouse."""
    if len(written) > 2 and written[0] == written[-1] and written[0] in "\"'":
        written = written[1:-1]
    written = re.sub(r"\\(.)", r"\1", written)
    parts = []
    while (found := re.match("([CMS])-(?=.)", written)) is not None:
        parts.append(_TMUX_MODIFIERS[found[1]])
        written = written[2:]
    return key_name("+".join([*parts, _TMUX_NAMES.get(written, written)]))
