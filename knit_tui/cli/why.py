"""The command that tells why a document is in the pack, or why not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from knit_tui.cli.controls import candidates
from knit_tui.cli.options import (
    FOUND,
    NOTHING,
    Folder,
    Git,
    ListFormat,
    Problem,
    Ranking,
    Session,
    workspace_root,
)
from knit_tui.cli.settings import load_settings, orders_of, session_of, warn
from knit_tui.cli.show import _query_text
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text


def why(
    context: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A document of the workspace.")],
    folder: Folder = None,
    session: Session = None,
    query: Annotated[
        Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
        typer.Option("--query", metavar="TEXT|-", help="For TEXT instead of the session (- reads stdin)."),
    ] = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.TEXT,
    git: Git = None,
    ranking: Ranking = None,
) -> None:
    """Print why a document is in the pack or not, what speaks for it, and who speaks of it."""
    chosen = context.obj.over(session, git, ranking)
    if query is not None:
        chosen = chosen._replace(session=chosen.session or "none")
    root = workspace_root(folder or chosen.folder)
    loaded = load_settings(root, chosen)
    warn(loaded.faults)
    from knit_tui.engine.changes import Ask, Change, Inspect
    from knit_tui.engine.host import open_engine
    from knit_tui.faces.session_words import session_text
    from knit_tui.faces.why import why_json, why_text
    from knit_tui.faces.wording import notice_text
    from knit_tui.model import Tab

    changes: list[Change] = [Inspect(_document(root, path))]
    if query is not None:
        changes.append(Ask(_query_text(query)))
    orders, followed = orders_of(loaded), session_of(loaded, chosen)
    engine = open_engine(
        root,
        followed,
        git=orders.git,
        classic=orders.classic,
        tabs=(Tab.CONTEXT,),
        agents=loaded.settings.session.agents,
    )
    try:
        snapshot = engine.settle(changes)
        if snapshot.session.state in ("missing", "unreadable", "not-a-log", "no-such-session"):
            raise Problem(session_text(snapshot.session))
        found = snapshot.inspection
        if not snapshot.present or found is None:
            raise Problem(_("workspace is gone: {root}").format(root=safe_text(str(root))))
        if output is ListFormat.JSON:
            print(why_json(snapshot, found))
        else:
            print(why_text(snapshot, found), end="")
        sys.stdout.flush()  # the answer does not wait for the upkeep
        engine.tend()
    finally:
        for notice in engine.close():
            print("knit: " + notice_text(notice), file=sys.stderr)
    raise typer.Exit(NOTHING if found.code == "missing" else FOUND)


def _document(root: Path, path: str) -> str:
    """The workspace's own name for what was typed: of a file seen from the current folder or the root, else
    of what would stand there."""
    found = list(candidates(root, path))
    if not found:
        raise Problem(_("not in the workspace: {path}").format(path=safe_text(path)))
    return next((rel for rel in found if os.path.lexists(os.path.join(root, rel))), found[0])
