"""Which folder the agent works in. A folder that is named and cannot be used is an error, never a reason to
take another one: the documents of another project are worse than none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

VARIABLES = ("KNIT_ROOT", "CLAUDE_PROJECT_DIR")
"""Variables that name the workspace, the first one that is set counts."""
ADVICE = "Start it as knit mcp --root FOLDER, or set KNIT_ROOT."


class NoWorkspace(Exception):
    """There is no folder to work in; the text says why and what to do, and names no path."""

    def __init__(self, why: str) -> None:
        super().__init__(f"knit has no workspace: {why}. {ADVICE}")


@dataclass(frozen=True, slots=True)
class Named:
    """A folder, and what named it."""

    folder: str
    by: str


def named(option: str | None, environ: Mapping[str, str]) -> Named | None:
    """The folder that the user or the agent's settings named; None when nothing did."""
    if option is not None:
        return Named(option, "--root")
    for variable in VARIABLES:
        if environ.get(variable):
            return Named(environ[variable], variable)
    return None


def declared(uris: Iterable[str]) -> Named | None:
    """The first folder among the roots that a client declared."""
    for uri in uris:
        try:
            parts = urlsplit(uri)
        except ValueError:
            continue
        if parts.scheme == "file" and parts.netloc in ("", "localhost"):
            return Named(unquote(parts.path, errors="surrogateescape"), "the client's root")
    return None


def current(home: Path) -> Named:
    """The current folder, or the nearest one above it that holds a ``.git``, short of the home folder.

    Raises:
        NoWorkspace: the current folder is gone.
    """
    try:
        here = Path(os.getcwd())
    except OSError:
        raise NoWorkspace("the current folder is gone") from None
    ends = (_real(home), Path(here.anchor))
    for folder in (here, *here.parents):
        if folder in ends:
            break
        if os.path.lexists(folder / ".git"):
            return Named(str(folder), "the current folder")
    return Named(str(here), "the current folder")


def checked(root: Named, home: Path) -> Path:
    """The folder, absolute, symbolic links resolved.

    Raises:
        NoWorkspace: it cannot be a workspace.
    """
    if "${" in root.folder:
        raise NoWorkspace(f"{root.by} holds a placeholder that was not filled in")
    if "\0" in root.folder or not root.folder:
        raise NoWorkspace(f"{root.by} names no folder")
    try:
        folder = Path(root.folder).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise NoWorkspace(f"{root.by} names a folder that is not there") from None
    if folder == Path(folder.anchor):
        raise NoWorkspace(f"{root.by} is the root of the file system")
    if folder == _real(home):
        raise NoWorkspace(f"{root.by} is the home folder")
    if not folder.is_dir():
        raise NoWorkspace(f"{root.by} names no folder")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise NoWorkspace(f"{root.by} names a folder that cannot be read")
    return folder


def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))
