"""The ``knit`` command: parse, call, print.

Exit status: 0 something was found or done, 1 nothing matched, 2 wrong use or a workspace that cannot
be read. Errors are one line on stderr. Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from knit_tui import __version__
from knit_tui.faces.i18n import _, use_language
from knit_tui.faces.safe import safe_text

if TYPE_CHECKING:
    from knit_tui.faces.cache import CacheReport
    from knit_tui.model import Snapshot, Tab

FOUND, NOTHING, WRONG = 0, 1, 2


class Problem(Exception):
    """Wrong use, or a workspace that cannot be read: one line for the user, exit status 2."""


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    PATHS = "paths"


class RankingOption(StrEnum):
    KNIT = "knit"
    CLASSIC = "classic"


@dataclass(frozen=True, slots=True)
class Orders:
    """How documents are ordered."""

    git: bool
    classic: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What to print. ``query`` is None for the pack of the session."""

    query: str | None
    kind: KindOption
    limit: int
    output: Format
    explain: bool


class ListFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class KindOption(StrEnum):
    CONTEXT = "context"
    DOCS = "docs"
    CODE = "code"
    MEDIA = "media"


Folder = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
    typer.Option("-C", metavar="DIR", help="The workspace; the current folder when not given."),
]
Session = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--session", metavar="FILE|none", help="Follow this session log, or none."),
]
Kinds = Annotated[KindOption, typer.Option("--kind", help="Which documents.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="At most this many documents.")]
Output = Annotated[Format, typer.Option("--format", help="How to print them.")]
Explain = Annotated[bool, typer.Option("--explain", help="Print everything that speaks for each document.")]
Ranking = Annotated[
    RankingOption, typer.Option("--ranking", help="How to order: classic has no history and no session.")
]
NoGit = Annotated[bool, typer.Option("--no-git", help="Leave the project's git history out of the order.")]

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

cache_app = typer.Typer(rich_markup_mode=None, help="What is kept of the workspaces, to start faster.")
app.add_typer(cache_app, name="cache")


@app.callback(invoke_without_command=True)
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
    output: Output = Format.TEXT,
    explain: Explain = False,
    no_git: NoGit = False,
    ranking: Ranking = RankingOption.KNIT,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """The right files for what your coding agent is working on.

    Without a command, opens the panel: run it in a split pane beside your agent.
    """
    if version:
        print(f"knit {__version__}")
        raise typer.Exit(FOUND)
    if context.invoked_subcommand is not None:
        context.obj = (folder, session, no_git, ranking)
        return
    orders = Orders(not no_git, ranking is RankingOption.CLASSIC)
    if query is not None:
        asked = Asked(_query_text(query), kind, limit, output, explain)
        raise typer.Exit(_answer(folder, session or "none", asked, orders))
    raise typer.Exit(_panel(_root(folder), session, orders))


@app.command()
def pack(
    context: typer.Context,
    folder: Folder = None,
    session: Session = None,
    kind: Kinds = KindOption.CONTEXT,
    limit: Limit = 20,
    output: Output = Format.TEXT,
    explain: Explain = False,
    no_git: NoGit = False,
    ranking: Ranking = RankingOption.KNIT,
) -> None:
    """Print the Context Pack of the session: what the panel shows now."""
    outer_folder, outer_session, outer_no_git, outer_ranking = context.obj
    asked = Asked(None, kind, limit, output, explain)
    classic = RankingOption.CLASSIC in (ranking, outer_ranking)
    orders = Orders(not (no_git or outer_no_git), classic)
    raise typer.Exit(_answer(folder or outer_folder, session or outer_session, asked, orders))


@app.command()
def files(
    context: typer.Context,
    folder: Folder = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print them.")] = ListFormat.TEXT,
) -> None:
    """Print every file of the workspace and its kind, and what was skipped and why."""
    from knit_tui.faces.as_json import files_json
    from knit_tui.faces.as_text import files_text
    from knit_tui.workspace.scan import Scanner

    root = _root(folder or context.obj[0])
    scan = Scanner(root).scan()
    if not scan.present:
        raise Problem(_("workspace is gone: {root}").format(root=safe_text(str(root))))
    print(files_json(scan) if output is ListFormat.JSON else files_text(scan), end="")
    raise typer.Exit(FOUND if scan.entries else NOTHING)


@app.command()
def demo() -> None:
    """Open the panel on a small bundled workspace whose session plays itself."""
    from knit_tui.demo import Demo

    with Demo() as scene:
        scene.play()
        status = _panel(scene.root, None, Orders(git=True, classic=False), home=scene.home)
    raise typer.Exit(status)


@cache_app.command("info")
def cache_info(
    context: typer.Context,
    folder: Folder = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.TEXT,
) -> None:
    """Print what is stored of this workspace, and of all."""
    from knit_tui.faces.cache import cache_json, cache_text

    report = _cache_report(_root(folder or context.obj[0]))
    print(cache_json(report) if output is ListFormat.JSON else cache_text(report, time.time_ns()), end="")
    raise typer.Exit(FOUND if report.mine else NOTHING)


@cache_app.command("clear")
def cache_clear(
    context: typer.Context,
    folder: Folder = None,
    every: Annotated[bool, typer.Option("--all", help="Of every workspace.")] = False,
) -> None:
    """Remove what is stored of this workspace; the next start builds it anew."""
    from knit_tui.faces.i18n import ngettext
    from knit_tui.paths import NoFolder, cache_folder
    from knit_tui.workspace.cache import folder_name
    from knit_tui.workspace.caches import cleared

    root = None if every else _root(folder or context.obj[0])
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


def _panel(root: Path, session: str | None, orders: Orders, home: Path | None = None) -> int:
    from knit_tui.faces.tui import run_panel, terminal_problem

    problem = terminal_problem()
    if problem:
        raise Problem(problem)
    from knit_tui.engine.host import Host

    return run_panel(Host(root, session=session, home=home, git=orders.git, classic=orders.classic))


def _answer(folder: str | None, session: str | None, asked: Asked, orders: Orders) -> int:
    if asked.limit < 1:
        raise Problem(_("--limit must be 1 or more, not {limit}").format(limit=asked.limit))
    root = _root(folder)
    from knit_tui.engine.changes import Ask
    from knit_tui.engine.host import open_engine
    from knit_tui.faces.as_json import pack_json
    from knit_tui.faces.as_text import pack_text, paths_bytes
    from knit_tui.faces.selection import select
    from knit_tui.faces.wording import notice_text, session_text
    from knit_tui.model import Tab

    tab = Tab(asked.kind.value)
    engine = open_engine(root, session, git=orders.git, classic=orders.classic, tabs=(tab,))
    try:
        snapshot = engine.settle([] if asked.query is None else [Ask(asked.query)])
        if snapshot.session.state in ("missing", "unreadable", "not-a-log"):
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
    terms = ", ".join(safe_text(term.term) for term in snapshot.query.terms[:6])
    return _("none of {total} files matches: {terms}").format(total=total, terms=terms)


def _query_text(query: str) -> str:
    if query != "-":
        # Where the locale is not UTF-8, Python may have decoded the argument as something else.
        try:
            return os.fsencode(query).decode("utf-8")
        except UnicodeError:
            return query
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _root(folder: str | None) -> Path:
    """The workspace, absolute, symbolic links resolved."""
    try:
        root = Path(folder or os.getcwd()).expanduser().resolve(strict=True)
    except FileNotFoundError:
        where = safe_text(folder) if folder else _("the current folder")
        raise Problem(_("no such folder: {folder}").format(folder=where)) from None
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Problem(
            _("cannot open {folder}: {why}").format(folder=safe_text(folder or "."), why=why)
        ) from None
    if not root.is_dir():
        raise Problem(_("not a folder: {folder}").format(folder=safe_text(str(root))))
    if not os.access(root, os.R_OK | os.X_OK):
        raise Problem(_("cannot read folder: {folder}").format(folder=safe_text(str(root))))
    return root


def main() -> None:
    """Run the command and leave the process with its exit status."""
    _open_streams()
    use_language()
    sys.exit(_run())


def _open_streams() -> None:
    """Make the standard streams take any text; a closed one becomes the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _run() -> int:
    command = typer.main.get_command(app)
    try:
        status = command.main(standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has all it wants; what is left in the buffer must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except OSError as error:
        # The output cannot be written, to a full disk perhaps; nothing more may go there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"knit: {error.strerror or error}", file=sys.stderr)
        return WRONG
    except Problem as problem:
        print(f"knit: {problem}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        print(f"knit: {error.format_message()} (knit --help tells more)", file=sys.stderr)
        return WRONG
    return int(status or 0)
