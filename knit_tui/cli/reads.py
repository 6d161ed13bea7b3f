"""The command that tells what the agent read and edited in its session."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from knit_tui.cli.options import (
    FOUND,
    NOTHING,
    Folder,
    ListFormat,
    Problem,
    Session,
    workspace_root,
)
from knit_tui.cli.settings import load_settings, orders_of, session_of, tell_agents, warn
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text


def reads(
    context: typer.Context,
    folder: Folder = None,
    session: Session = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print them.")] = ListFormat.TEXT,
) -> None:
    """Print what the agent of the session read and edited, and how much of the pack that is."""
    chosen = context.obj.over(session)
    root = workspace_root(folder or chosen.folder)
    loaded = load_settings(root, chosen)
    warn(loaded.faults)
    from knit_tui.engine.host import open_engine
    from knit_tui.faces.reads import reads_json, reads_text
    from knit_tui.faces.session_words import session_text
    from knit_tui.faces.usage_words import lacks_signs, use_ascii
    from knit_tui.faces.wording import notice_text
    from knit_tui.model import Tab

    orders = orders_of(loaded)
    engine = open_engine(
        root,
        session_of(loaded, chosen),
        git=orders.git,
        classic=orders.classic,
        tabs=(Tab.CONTEXT,),
        counting=True,
        agents=loaded.settings.session.agents,
    )
    try:
        snapshot = engine.settle()
        if not snapshot.present:
            raise Problem(_("workspace is gone: {root}").format(root=safe_text(str(root))))
        if snapshot.session.state in ("missing", "unreadable", "not-a-log", "no-such-session"):
            raise Problem(session_text(snapshot.session))
        usage = snapshot.usage
        if snapshot.session.state != "following" or usage is None:
            print("knit: " + _nothing(snapshot.session.state, str(root)), file=sys.stderr)
            if snapshot.session.state == "none":
                tell_agents(loaded)
            raise typer.Exit(NOTHING)
        use_ascii(loaded.settings.panel.ascii or lacks_signs(os.environ, sys.stdout.encoding))
        as_json = output is ListFormat.JSON
        print(reads_json(snapshot, usage) if as_json else reads_text(snapshot, usage), end="")
        sys.stdout.flush()  # the answer does not wait for the upkeep
        engine.tend()
    finally:
        for notice in engine.close():
            print("knit: " + notice_text(notice), file=sys.stderr)
    raise typer.Exit(FOUND)


def _nothing(state: str, root: str) -> str:
    if state == "off":
        return _("no session is followed, so nothing is known to be read")
    return _("no session found: no agent left a log of work in {root}, above or below it").format(
        root=safe_text(root)
    )
