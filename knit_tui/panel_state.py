"""What the panel remembers from one run to the next: one small file in the user's folder for states.

It is convenience, not property: a file that cannot be used counts as empty and is overwritten, and what
cannot be kept is forgotten. Of two panels that write at the same moment the later one is believed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knit_tui.paths import NoFolder, state_folder
from knit_tui.workspace.own import Damaged, folder_name, read_whole, write_whole

NAME = "panel.json"
FORMAT = 1
LARGEST = 64 << 10
NEWCOMER = "newcomer"
"""The name of the hints for newcomers among those that are dismissed."""
_FIRST_RUNS = 2
_MOST = 64
"""Entries of each kind; the oldest go."""
_LONGEST = 128
_WIDEST = 1000


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Remembered:
    """What one run leaves for the next. Nothing in it is trusted: a reader takes what it knows."""

    splits: Mapping[str, int] = field(default_factory=_nothing)
    """Thousandths that the list takes, by the name of the layout in which the divider was moved."""
    layout: Mapping[str, str] = field(default_factory=_nothing)
    """How the panel is laid out: what was chosen, by what it is about."""
    dismissed: tuple[str, ...] = ()
    """Hints that the user does not want again."""
    panes: Mapping[str, str] = field(default_factory=_nothing)
    """Where the agent of a workspace runs: a pane of tmux by `workspace_name`."""
    runs: int = 0
    """How many runs have shown the hints for newcomers."""


def workspace_name(root: Path) -> str:
    """How `Remembered.panes` names the workspace ``root``."""
    return folder_name(root)


def load(folder: Path | None = None) -> Remembered:
    """What is remembered; what cannot be read counts as nothing. ``folder`` is for tests."""
    try:
        said = json.loads(read_whole((folder or state_folder()) / NAME, LARGEST))
    except (NoFolder, OSError, Damaged, ValueError, RecursionError):
        return Remembered()
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        return Remembered()
    return Remembered(
        splits=_entries(said.get("splits"), _is_size),
        layout=_entries(said.get("layout"), _is_word),
        dismissed=_words(said.get("dismissed")),
        runs=said["runs"] if _is_size(said.get("runs")) else 0,
        panes=_entries(said.get("panes"), _is_word),
    )


def change(how: Callable[[Remembered], Remembered], folder: Path | None = None) -> bool:
    """Change what is remembered as it is now; tells whether it is kept. ``folder`` is for tests."""
    try:
        place = folder or state_folder()
        before = load(place)
        after = how(before)
        if after == before:
            return True
        os.makedirs(place, mode=0o700, exist_ok=True)
        write_whole(place, NAME, _written(after))
    except (NoFolder, OSError):
        return False
    return True


def newcomer(folder: Path | None = None) -> bool:
    """Whether this run shows the hints for newcomers, and count it: the first do, until they are dismissed.

    None does where nothing can be kept, or every run would. ``folder`` is for tests.
    """
    known = load(folder)
    if NEWCOMER in known.dismissed or known.runs >= _FIRST_RUNS:
        return False
    return change(lambda before: replace(before, runs=before.runs + 1), folder)


def dismiss(hints: str, folder: Path | None = None, *, again: bool = False) -> bool:
    """Keep that the user does not want these hints, or wants them again; tells whether it is kept."""

    def changed(before: Remembered) -> Remembered:
        others = tuple(each for each in before.dismissed if each != hints)
        return replace(before, dismissed=others if again else (*others, hints))

    return change(changed, folder)


def _written(remembered: Remembered) -> bytes:
    said = {
        "format": FORMAT,
        "splits": dict(list(remembered.splits.items())[-_MOST:]),
        "layout": dict(list(remembered.layout.items())[-_MOST:]),
        "dismissed": list(remembered.dismissed[-_MOST:]),
        "runs": remembered.runs,
        "panes": dict(list(remembered.panes.items())[-_MOST:]),
    }
    return (json.dumps(said, indent=1) + "\n").encode("ascii")


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _WIDEST


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(word for word in value if _is_word(word)))[-_MOST:]


def _entries(value: object, fits: Callable[[object], bool]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        return _nothing()
    found = {name: entry for name, entry in value.items() if _is_word(name) and fits(entry)}
    return MappingProxyType(dict(list(found.items())[-_MOST:]))
