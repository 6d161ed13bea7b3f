"""The command that lists the sessions of a workspace and shows what a log tells."""

from __future__ import annotations

import os
import sys
import time
from typing import Annotated, Optional

import typer

from knit_tui.cli.options import FOUND, NOTHING, Folder, ListFormat, Problem, workspace_root
from knit_tui.cli.settings import load_settings, tell_agents, warn
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text
from knit_tui.paths import home_folder


def sessions(
    context: typer.Context,
    folder: Folder = None,
    events: Annotated[
        Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
        typer.Option(
            "--events", metavar="FILE", help="Print what this log tells; FILE#ID for one of a database."
        ),
    ] = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print them.")] = ListFormat.TEXT,
) -> None:
    """Print the agent sessions of this workspace, or the events of one log."""
    if events is not None:
        raise typer.Exit(_print_events(events, output))
    root = workspace_root(folder or context.obj[0])
    loaded = load_settings(root, context.obj)
    warn(loaded.faults)
    from knit_tui.faces.sessions import sessions_json, sessions_text
    from knit_tui.sessions.follow import Follower
    from knit_tui.sessions.unsupported import unsupported

    agents = loaded.settings.session.agents
    follower = Follower(root, home=home_folder(), environ=os.environ, agents=agents)
    follower.poll()
    offers = follower.all_offers()
    as_json = output is ListFormat.JSON
    print(sessions_json(str(root), offers) if as_json else sessions_text(offers, time.time_ns()), end="")
    if not offers:
        where = safe_text(str(root))
        text = _("no session found: no agent left a log of work in {root}, above or below it").format(
            root=where
        )
        print("knit: " + text, file=sys.stderr)
        if "amp" in unsupported(home_folder(), os.environ):
            text = _("Amp was used here, but keeps its threads on its server: there is no log to follow")
            print("knit: " + text, file=sys.stderr)
        tell_agents(loaded)
        raise typer.Exit(NOTHING)
    raise typer.Exit(FOUND)


def _print_events(path: str, output: ListFormat) -> int:
    from knit_tui.faces.sessions import events_json, events_text
    from knit_tui.sessions.events_of import NoLog, events_of

    try:
        decoded = events_of(path, home_folder())
    except NoLog as error:
        texts = {
            "missing": _("no such file: {path}"),
            "unreadable": _("cannot read {path}"),
            "none": _("nothing in this log yet: {path}"),
            "amp": _("a thread of Amp: {path}; knit cannot follow Amp, whose threads live on its server"),
            "not-a-log": _("not a session log of an agent that knit knows: {path}"),
        }
        raise Problem(texts[error.state].format(path=safe_text(path))) from None
    print(events_json(decoded) if output is ListFormat.JSON else events_text(decoded), end="")
    return FOUND if decoded.events else NOTHING
