"""The commands about what is kept of the workspaces."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knit_tui.cli.help import Command, Group
from knit_tui.cli.options import FOUND, NOTHING, Folder, ListFormat, Problem, workspace_root
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text

if TYPE_CHECKING:
    from knit_tui.faces.cache import CacheReport

cache_app = typer.Typer(
    cls=Group, rich_markup_mode=None, help="What is kept of the workspaces, to start faster."
)


@cache_app.command("info", cls=Command)
def cache_info(
    context: typer.Context,
    folder: Folder = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.TEXT,
) -> None:
    """Print what is stored of this workspace, and of all."""
    from knit_tui.faces.cache import cache_json, cache_text

    report = _cache_report(workspace_root(folder or context.obj[0]))
    print(cache_json(report) if output is ListFormat.JSON else cache_text(report, time.time_ns()), end="")
    raise typer.Exit(FOUND if report.mine else NOTHING)


@cache_app.command("clear", cls=Command)
def cache_clear(
    context: typer.Context,
    folder: Folder = None,
    every: Annotated[bool, typer.Option("--all", help="Of every workspace.")] = False,
) -> None:
    """Remove what is stored of this workspace; the next start builds it anew."""
    from knit_tui.faces.i18n import ngettext
    from knit_tui.paths import NoFolder, cache_folder
    from knit_tui.workspace.caches import cleared
    from knit_tui.workspace.own import folder_name

    root = None if every else workspace_root(folder or context.obj[0])
    try:
        count = cleared(cache_folder(), folder_name(root) if root else None)
    except NoFolder:
        count = 0
    except OSError as error:
        where = safe_text(str(error.filename))
        raise Problem(_("cannot remove {path}: {why}").format(path=where, why=error.strerror)) from None
    if not count:
        print("knit: " + _("nothing is stored"), file=sys.stderr)
        raise typer.Exit(NOTHING)
    text = ngettext("removed the cache of {count} workspace", "removed {count} caches", count)
    print(text.format(count=count))
    raise typer.Exit(FOUND)


def _cache_report(root: Path) -> CacheReport:
    from knit_tui.engine.store import Store, fingerprint
    from knit_tui.faces.cache import CacheReport
    from knit_tui.workspace.cache import Cache, Unusable
    from knit_tui.workspace.caches import info

    cache = Cache(root, fingerprint())
    try:
        folder = cache.folder
    except Unusable as error:
        return CacheReport(str(root), "", error.why, 0, None, ())
    store = Store(cache)
    memory = store.recall()
    whys = [dict(notice.facts)["why"] for notice in store.notices]
    found = info(folder.parent)
    mine = next((facts for facts in found if facts.folder == folder), None)
    state = whys[0] if whys else "ready" if memory else "none"
    return CacheReport(str(root), str(folder), state, len(memory.entries) if memory else 0, mine, found)
