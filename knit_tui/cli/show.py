"""The commands that show documents: the panel, a query, the pack, the files, the demo."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from knit_tui import __version__
from knit_tui.cli.options import (
    FOUND,
    NOTHING,
    Explain,
    Folder,
    Format,
    Git,
    KindOption,
    Kinds,
    Language,
    Limit,
    ListFormat,
    Output,
    Problem,
    Ranking,
    Session,
    Watch,
    workspace_root,
)
from knit_tui.cli.settings import Chosen, actions_of, load_settings, orders_of, session_of, warn
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text

if TYPE_CHECKING:
    from knit_tui.model import Snapshot, Tab


@dataclass(frozen=True, slots=True)
class Asked:
    """What to print. ``query`` is None for the pack of the session."""

    query: str | None
    kind: KindOption
    limit: int
    output: Format
    explain: bool
    watch: bool


def knit(
    context: typer.Context,
    folder: Folder = None,
    session: Session = None,
    query: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--query", metavar="TEXT|-", help="Print the documents for TEXT (- reads stdin) and end."
        ),
    ] = None,
    kind: Kinds = KindOption.CONTEXT,
    limit: Limit = 20,
    output: Output = None,
    explain: Explain = False,
    watch: Watch = False,
    git: Git = None,
    ranking: Ranking = None,
    language: Language = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """The right files for what your coding agent is working on.

    Without a command, opens the panel: run it in a split pane beside your agent.
    """
    if version:
        print(f"knit {__version__}")
        raise typer.Exit(FOUND)
    chosen = Chosen(folder, session, git, ranking, language.value if language else None)
    if context.invoked_subcommand is not None:
        _refuse_early(context, context.invoked_subcommand)
        context.obj = chosen
        load_settings(Path(folder or "."), chosen)
        return
    if query is not None:
        asked = Asked(_query_text(query), kind, limit, _format(output, watch), explain, watch)
        raise typer.Exit(_answer(folder, chosen._replace(session=session or "none"), asked))
    if watch:
        raise Problem(_("--watch goes with a command: knit pack --watch, or --query TEXT --watch"))
    raise typer.Exit(_panel(workspace_root(folder), chosen))


def pack(
    context: typer.Context,
    folder: Folder = None,
    session: Session = None,
    kind: Kinds = KindOption.CONTEXT,
    limit: Limit = 20,
    output: Output = None,
    explain: Explain = False,
    watch: Watch = False,
    git: Git = None,
    ranking: Ranking = None,
) -> None:
    """Print the Context Pack of the session: what the panel shows now."""
    chosen = context.obj.over(session, git, ranking)
    asked = Asked(None, kind, limit, _format(output, watch), explain, watch)
    raise typer.Exit(_answer(folder or chosen.folder, chosen, asked))


def files(
    context: typer.Context,
    folder: Folder = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print them.")] = ListFormat.TEXT,
) -> None:
    """Print every file of the workspace and its kind, and what was skipped and why."""
    from knit_tui.faces.as_json import files_json
    from knit_tui.faces.as_text import files_text
    from knit_tui.workspace.scan import Scanner

    root = workspace_root(folder or context.obj[0])
    scan = Scanner(root).scan()
    if not scan.present:
        raise Problem(_("workspace is gone: {root}").format(root=safe_text(str(root))))
    print(files_json(scan) if output is ListFormat.JSON else files_text(scan), end="")
    raise typer.Exit(FOUND if scan.entries else NOTHING)


def demo(context: typer.Context) -> None:
    """Open the panel on a small bundled workspace whose session plays itself."""
    from knit_tui.demo import Demo

    with Demo() as scene:
        scene.play()
        status = _panel(scene.root, context.obj, home=scene.home)
    raise typer.Exit(status)


def _panel(root: Path, chosen: Chosen, home: Path | None = None) -> int:
    from knit_tui.faces.tui import run_panel, terminal_problem

    loaded = load_settings(root, chosen)
    problem = terminal_problem()
    if problem:
        raise Problem(problem)
    from knit_tui.engine.host import Host
    from knit_tui.faces.config import settings_notice
    from knit_tui.faces.tui.actions import use_actions

    actions, faults = actions_of(loaded)
    warn(faults)
    use_actions(actions)
    orders = orders_of(loaded)
    session = session_of(loaded, chosen) if home is None else None
    agents = loaded.settings.session.agents if home is None else ()
    host = Host(root, session=session, home=home, git=orders.git, classic=orders.classic, agents=agents)
    return run_panel(host, loaded.settings, lambda: settings_notice(faults))


def _answer(folder: str | None, chosen: Chosen, asked: Asked) -> int:
    if asked.limit < 1:
        raise Problem(_("--limit must be 1 or more, not {limit}").format(limit=asked.limit))
    root = workspace_root(folder)
    loaded = load_settings(root, chosen)
    warn(loaded.faults)
    if asked.watch:
        from knit_tui.cli.watch import watch

        return watch(root, loaded, chosen, asked)
    from knit_tui.engine.changes import Ask
    from knit_tui.engine.host import open_engine
    from knit_tui.faces.as_json import pack_json
    from knit_tui.faces.as_text import pack_text, paths_bytes
    from knit_tui.faces.selection import select
    from knit_tui.faces.session_words import session_text
    from knit_tui.faces.wording import notice_text
    from knit_tui.model import Tab

    tab = Tab(asked.kind.value)
    orders, session = orders_of(loaded), session_of(loaded, chosen)
    agents = loaded.settings.session.agents
    engine = open_engine(root, session, git=orders.git, classic=orders.classic, tabs=(tab,), agents=agents)
    try:
        snapshot = engine.settle([] if asked.query is None else [Ask(asked.query)])
        if snapshot.session.state in ("missing", "unreadable", "not-a-log", "no-such-session"):
            raise Problem(session_text(snapshot.session))
        if not snapshot.present:
            raise Problem(_("workspace is gone: {root}").format(root=safe_text(str(root))))
        selection = select(snapshot, tab, asked.limit)
        if asked.output is Format.JSON:
            print(pack_json(snapshot, selection, explain=asked.explain))
        elif selection.items:
            if asked.output is Format.PATHS:
                sys.stdout.flush()
                sys.stdout.buffer.write(paths_bytes(selection))
            else:
                print(pack_text(snapshot, selection, explain=asked.explain), end="")
        sys.stdout.flush()  # the answer does not wait for the upkeep
        engine.tend()
    finally:
        for notice in engine.close():
            print("knit: " + notice_text(notice), file=sys.stderr)
    if not selection.items:
        print("knit: " + _nothing(snapshot, tab), file=sys.stderr)
        return NOTHING
    return FOUND


def _nothing(snapshot: Snapshot, tab: Tab) -> str:
    total = snapshot.views[tab].total
    if not total:
        return _("no such files in {root}").format(root=safe_text(snapshot.root))
    if not snapshot.query.terms:
        return _("nothing to search for in these words")
    from knit_tui.faces.wording import listed

    terms = listed(term.term for term in snapshot.query.terms[:6])
    return _("none of {total} files matches: {terms}").format(total=total, terms=terms)


def _format(output: Format | None, watch: bool) -> Format:
    if not watch:
        return output or Format.TEXT
    if output not in (None, Format.JSON):
        raise Problem(_("--watch prints lines of JSON: leave --format {format} out").format(format=output))
    return Format.JSON


def _refuse_early(context: typer.Context, command: str) -> None:
    """Let no option be lost that stands before a command and belongs behind it."""
    for name in ("query", "kind", "limit", "output", "explain", "watch"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--format" if name == "output" else f"--{name}"
            text = _("{option} stands before {command}: it belongs behind it, if that has it")
            raise Problem(text.format(option=option, command=command))


def _query_text(query: str) -> str:
    if query != "-":
        # Where the locale is not UTF-8, Python may have decoded the argument as something else.
        try:
            return os.fsencode(query).decode("utf-8")
        except UnicodeError:
            return query
    return sys.stdin.buffer.read().decode("utf-8", "replace")
