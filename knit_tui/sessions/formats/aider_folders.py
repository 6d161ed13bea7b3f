"""Where aider keeps its log: ``.aider.chat.history.md`` in the root of the repository, else where it runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from knit_tui.sessions.listing import Address, Found, look

_NAME = ".aider.chat.history.md"


class AiderLocator:
    """The log of the workspace, that of the repository it lies in, and the one the environment names."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        moved = environ.get("AIDER_CHAT_HISTORY_FILE", "")
        self._name = os.path.expanduser(moved) if moved else _NAME

    def logs(self, roots: tuple[str, ...], now: float) -> Iterator[Found]:
        folders = [folder for root in roots for folder in (root, _repository(root)) if folder]
        paths = dict.fromkeys(os.path.realpath(os.path.join(folder, self._name)) for folder in folders)
        yield from filter(None, map(look, paths))


def _repository(folder: str) -> str:
    """The nearest folder at or above ``folder`` with a ``.git`` in it; ``""`` when there is none."""
    for one in (folder, *map(str, Path(folder).parents)):
        if os.path.exists(os.path.join(one, ".git")):
            return one
    return ""


def folder(address: Address) -> str:
    """The folder that the paths in a log are relative to: the one it lies in."""
    return os.path.dirname(address.path)
