"""The user's folders for what knit keeps: XDG base directories, or Library on a Mac."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

CACHE_VARIABLE = "KNIT_CACHE_DIR"
"""A folder for the cache, or ``off`` for none."""
STATE_VARIABLE = "KNIT_STATE_DIR"
"""A folder for what the user set (pins, exclusions …), or ``off`` to keep none of it."""
CONFIG_VARIABLE = "KNIT_CONFIG_DIR"
"""A folder for the user's configuration, or ``off`` to read none, not that of a workspace either."""
OFF = "off"


class NoFolder(Exception):
    """There is no such folder: ``reason`` is ``off`` (the user wants none) or ``home`` (no home folder)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where caches go; it need not exist.

    Raises:
        NoFolder: the user turned the cache off, or has no home.
    """
    return _wanted(environ, CACHE_VARIABLE) or (
        _base(environ, "XDG_CACHE_HOME", ".cache", "Library/Caches") / "knit"
    )


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where that goes what the user set and knit remembers; it need not exist.

    Raises:
        NoFolder: the user turned it off, or has no home.
    """
    return _wanted(environ, STATE_VARIABLE) or (
        _base(environ, "XDG_STATE_HOME", ".local/state", "Library/Application Support") / "knit"
    )


def config_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the user's configuration lies; it need not exist.

    Where there is no ``XDG_CONFIG_HOME``, a Mac has it in ``~/.config`` like everyone else: it is written by
    hand and kept with other dotfiles.

    Raises:
        NoFolder: the user turned it off, or has no home.
    """
    return _wanted(environ, CONFIG_VARIABLE) or (
        _base(environ, "XDG_CONFIG_HOME", ".config", ".config") / "knit"
    )


def home_folder() -> Path:
    """The user's home, where agents keep what is theirs; ``/`` for somebody who has none."""
    try:
        return Path.home()
    except RuntimeError:  # no variable, and nobody whom the system knows
        return Path("/")


def _wanted(environ: Mapping[str, str], variable: str) -> Path | None:
    wanted = environ.get(variable, "")
    if wanted == OFF:
        raise NoFolder("off")
    return Path(wanted).absolute() if wanted else None


def _base(environ: Mapping[str, str], variable: str, elsewhere: str, mac: str) -> Path:
    wanted = environ.get(variable, "")
    if os.path.isabs(wanted):  # a relative one is to be ignored, says the specification
        return Path(wanted)
    home = environ.get("HOME", "")
    if not os.path.isabs(home) or not os.path.isdir(home):
        raise NoFolder("home")
    return Path(home) / (mac if sys.platform == "darwin" else elsewhere)
