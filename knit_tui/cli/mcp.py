"""The command that serves an agent."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from knit_tui.cli.options import FOUND
from knit_tui.cli.settings import Chosen, load_settings, orders_of, session_of
from knit_tui.faces.i18n import _, use_language
from knit_tui.paths import home_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from knit_tui.engine.engine import Engine


def mcp(
    context: typer.Context,
    root: Annotated[
        Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
        typer.Option("--root", metavar="DIR", help="The workspace, when the agent does not tell."),
    ] = None,
) -> None:
    """Serve the tool knit_docs to an agent, over MCP on stdin and stdout."""
    from knit_tui.faces.mcp.descriptors import claim

    wire = claim()
    if os.isatty(wire.input):
        text = _("mcp speaks to an agent on stdin, as: claude mcp add knit -- knit mcp (Ctrl-D ends it)")
        print("knit: " + text, file=sys.stderr)
    use_language("en")  # whatever the person speaks
    # What the SDK is made of stays: nothing of it is worth looking through for garbage.
    gc.disable()
    from knit_tui.faces.mcp.server import Settings, serve

    gc.freeze()
    gc.enable()
    chosen: Chosen = context.obj

    def open_it(workspace: Path, breathe: Callable[[], None]) -> Engine:
        from knit_tui.engine.host import open_engine

        loaded = load_settings(workspace, chosen)
        use_language("en")  # the settings are those of people
        orders, session = orders_of(loaded), session_of(loaded, chosen)
        return open_engine(
            workspace,
            session,
            breathe,
            git=orders.git,
            classic=orders.classic,
            counting=True,
            agents=loaded.settings.session.agents,
        )

    folder = root if root is not None else chosen.folder
    serve(wire, Settings(folder, os.environ, home_folder()), open_it)
    raise typer.Exit(FOUND)
