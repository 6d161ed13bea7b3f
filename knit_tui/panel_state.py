"""What the panel remembers from one run to the next: one small file in the user's folder for states.

It is convenience, not property: a file that cannot be used counts as empty and is overwritten, and what
cannot be kept is forgotten. Of two panels that write at the same moment the later one is believed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knit_tui.paths import NoFolder, state_folder
from knit_tui.workspace.own import Damaged, folder_name, read_whole, write_whole

NAME = "panel.json"
FORMAT = 1
LARGEST = 64 << 10
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
    """Cells of the list, by the name of the layout in which the divider was moved."""
    tab: str = ""
    """The tab that was shown last."""
    dismissed: tuple[str, ...] = ()
    """Hints that the user does not want again."""
    panes: Mapping[str, str] = field(default_factory=_nothing)
    """Where the agent of a workspace runs: a pane of tmux by `workspace_name`."""


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
        tab=next(iter(_words([said.get("tab")])), ""),
        dismissed=_words(said.get("dismissed")),
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


def _written(remembered: Remembered) -> bytes:
    said = {
        "format": FORMAT,
        "splits": dict(list(remembered.splits.items())[-_MOST:]),
        "tab": remembered.tab,
        "dismissed": list(remembered.dismissed[-_MOST:]),
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
