"""The commands that pin and exclude documents, for the panel, the command and the agent alike."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from knit_tui.cli.options import FOUND, NOTHING, Folder, Problem, workspace_root
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text

Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Documents of the workspace.")]


def pin(context: typer.Context, paths: Paths, folder: Folder = None) -> None:
    """Keep documents in the pack, whatever the task is."""
    raise typer.Exit(_act(context, "pin", paths, folder))


def unpin(context: typer.Context, paths: Paths, folder: Folder = None) -> None:
    """Take pins off again."""
    raise typer.Exit(_act(context, "unpin", paths, folder))


def exclude(context: typer.Context, paths: Paths, folder: Folder = None) -> None:
    """Leave documents out before anything is ranked."""
    raise typer.Exit(_act(context, "exclude", paths, folder))


def restore(
    context: typer.Context,
    paths: Annotated[list[str] | None, typer.Argument(metavar="[PATH...]")] = None,
    folder: Folder = None,
    every: Annotated[bool, typer.Option("--all", help="Every excluded document.")] = False,
) -> None:
    """Let excluded documents in again."""
    if not (paths or every):
        raise Problem(_("which documents? Name them, or give --all"))
    raise typer.Exit(_act(context, "restore", paths or [], folder, every=every))


def _act(
    context: typer.Context, action: str, paths: list[str], folder: str | None, *, every: bool = False
) -> int:
    from knit_tui.engine.keeper import Keeper
    from knit_tui.faces.wording import notice_text
    from knit_tui.workspace.keeping import Keeping

    root = workspace_root(folder or context.obj[0])
    keeper = Keeper(Keeping(root))
    keeper.look()
    now = keeper.history.now
    known = {*now.pinned, *now.excluded}
    wanted = [_document(root, path, known) for path in paths] + (list(now.excluded) if every else [])
    changed = 0
    for rel in wanted:
        before = keeper.history.now
        keeper.act(action, rel)
        if keeper.history.now != before:
            changed += 1
            print(_done(action).format(path=safe_text(rel)))
    if keeper.notices:
        raise Problem(_("; ").join(notice_text(notice) for notice in keeper.notices))
    if not keeper.persisted and changed:
        raise Problem(_("nothing is kept: KNIT_STATE_DIR is off"))
    if not changed:
        print("knit: " + _("nothing changed: it is so already"), file=sys.stderr)
    return FOUND if changed else NOTHING


def _done(action: str) -> str:
    return {
        "pin": _("pinned {path}"),
        "unpin": _("unpinned {path}"),
        "exclude": _("excluded {path}"),
        "restore": _("restored {path}"),
    }[action]


def _document(root: Path, path: str, known: set[str]) -> str:
    """The workspace's own name for what was typed: seen from the current folder, else from the root."""
    for rel in candidates(root, path):
        if os.path.isfile(os.path.join(root, rel)) or rel in known:
            return rel
    shown = safe_text(path)
    raise Problem(_("no such document in the workspace: {path}").format(path=shown))


def candidates(root: Path, path: str) -> Iterator[str]:
    """What a typed path may mean below ``root``: seen from the current folder, then from the root."""
    for base in (os.getcwd(), str(root)):
        # The file itself is not resolved: a link in the workspace is a document of its own.
        whole = os.path.join(base, os.path.expanduser(path))
        where, name = os.path.split(os.path.normpath(whole))
        rel = os.path.relpath(os.path.join(os.path.realpath(where), name), root).replace(os.sep, "/")
        if rel != ".." and not rel.startswith("../") and rel != ".":
            yield rel
