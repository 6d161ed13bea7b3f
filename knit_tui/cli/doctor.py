"""The command that tells how knit stands here: what it found, what is wrong and what to do."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knit_tui.cli.options import FOUND, NOTHING, Folder, ListFormat, Problem, workspace_root
from knit_tui.cli.settings import Chosen, actions_of, load_settings, session_of
from knit_tui.faces.i18n import _, use_language
from knit_tui.faces.safe import safe_text

if TYPE_CHECKING:
    from knit_tui.config import Fault, Loaded
    from knit_tui.faces.doctor import Fact, Section, Veil
    from knit_tui.faces.tui.background import Question
    from knit_tui.faces.tui.registry import Action
    from knit_tui.install.agents import Where
    from knit_tui.install.files import Refused
    from knit_tui.model import SessionOffer, SessionStatus

PATIENCE = 20.0
"""Seconds for everything together."""
_PACKAGES = ("textual", "rich", "mcp", "watchfiles")


def doctor(
    context: typer.Context,
    folder: Folder = None,
    output: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.TEXT,
    redact: Annotated[
        bool, typer.Option("--redact", help="Without your name, folders and sessions, to be shown to others.")
    ] = False,
) -> None:
    """Print how knit stands here: versions, terminal, workspace, sessions, index, settings, agents."""
    from knit_tui.faces.doctor import doctor_json, doctor_text, problems

    found = Examination(_root(folder or context.obj.folder), context.obj)
    if output is ListFormat.JSON:
        use_language("en")  # whatever the person speaks
    sections = found.sections(PATIENCE)
    if redact:
        sections = found.veil().over(sections)
    as_json = output is ListFormat.JSON
    print(doctor_json(sections, redacted=redact) if as_json else doctor_text(sections), end="")
    raise typer.Exit(NOTHING if problems(sections) else FOUND)


def _root(folder: str | None) -> Path:
    """The workspace, also when it cannot be read or is gone: that is something to be told."""
    try:
        return workspace_root(folder)
    except Problem:
        if folder is not None and not os.path.isdir(os.path.expanduser(folder)):
            raise
        return Path(folder or os.environ.get("PWD") or ".").expanduser().absolute()


class Examination:
    """Everything that is looked into. Whatever fails or takes too long is told in its place."""

    def __init__(self, root: Path, chosen: Chosen) -> None:
        self._root = root
        self._chosen = chosen
        self._loaded: Loaded = load_settings(root, chosen)
        self._actions: tuple[Action, ...]
        self._faults: tuple[Fault, ...]
        self._actions, self._faults = actions_of(self._loaded)
        self._status: SessionStatus | None = None
        self._offers: tuple[SessionOffer, ...] = ()

    def sections(self, patience: float) -> list[Section]:
        """All of them, within ``patience`` seconds."""
        from knit_tui.faces.doctor_words import titles, unanswered

        looks: dict[str, Callable[[], Section]] = {
            "versions": self._versions,
            "terminal": self._terminal,
            "workspace": self._workspace,
            "sessions": self._sessions,
            "index": self._index,
            "settings": self._settings,
            "agents": self._agents,
            "state": self._state,
        }
        probes = {name: Probe(look) for name, look in looks.items()}
        until = time.monotonic() + patience
        found = []
        for name, probe in probes.items():
            section, why = probe.result(until - time.monotonic())
            found.append(section or unanswered(name, titles()[name], why))
        return found

    def veil(self) -> Veil:
        """What is private in the sections that were made."""
        from knit_tui.faces.doctor import Veil

        homes = {os.environ.get("HOME", ""), os.path.expanduser("~")}
        homes |= {os.path.realpath(home) for home in homes if os.path.isabs(home)}
        # The name of the administrator is everybody's, and an ordinary word.
        names = {os.environ.get("USER", ""), os.environ.get("LOGNAME", ""), _account()} - {"root"}
        paths = dict.fromkeys(homes, "~")
        for number, above in enumerate((self._root, *self._root.parents)):
            # What everybody has, and what is above the home, tells nothing.
            if len(above.parts) > 2 and not any(Path(home).is_relative_to(above) for home in homes):
                paths.setdefault(str(above), "/".join(["ROOT", *[".."] * number]))
        paths.setdefault(str(self._root), "ROOT")
        words = dict.fromkeys(names, "USER")
        for offer in self._offers:
            words |= {offer.session_id: "SESSION", offer.session_id[:8]: "SESSION"}
            if offer.match == "worktree":
                paths.setdefault(offer.cwd, "WORKTREE")
        if self._status is not None:
            words |= {self._status.session_id: "SESSION", self._status.session_id[:8]: "SESSION"}
            paths.setdefault(self._status.path, "LOG")
        return Veil(paths, words)

    def _versions(self) -> Section:
        from importlib.metadata import PackageNotFoundError, version

        from knit_tui import __version__
        from knit_tui.faces.doctor_words import own_folder, versions
        from knit_tui.faces.tui.services.programs import System

        packages = {}
        for name in _PACKAGES:
            try:
                packages[name] = version(name)
            except PackageNotFoundError:
                packages[name] = ""
        programs = System()
        git = programs.find("git")
        said = programs.run((git, "--version"), answer=True).output.decode("utf-8", "replace") if git else ""
        system = os.uname()
        return versions(
            (__version__, own_folder()),
            (".".join(map(str, sys.version_info[:3])), sys.executable),
            packages,
            {
                "git": said.removeprefix("git version").strip(),
                "system": f"{system.sysname} {system.release} {system.machine}",
            },
        )

    def _terminal(self) -> Section:
        from knit_tui.faces.doctor_terminal import Terminal, terminal
        from knit_tui.faces.tui import abilities, background, terminal_problem
        from knit_tui.faces.tui.services.clipboard import ways
        from knit_tui.faces.tui.services.programs import System
        from knit_tui.faces.tui.terminal import lacks_colours
        from knit_tui.faces.usage_words import lacks_signs

        programs, environ, panel = System(), os.environ, self._loaded.settings.panel
        streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
        here = all(stream is not None and stream.isatty() for stream in streams)
        encoding = getattr(sys.__stderr__, "encoding", None) or ""
        tmux = abilities.tmux(programs)
        return terminal(
            Terminal(
                here=here,
                problem=terminal_problem() or "",
                program=abilities.terminal_name(environ),
                kind=environ.get("TERM", ""),
                size=_size() if here else None,
                encoding=encoding,
                colours="none" if here and lacks_colours(environ) else abilities.colours(environ),
                dark=_dark(background.ask() if here else None),
                mouse=panel.mouse,
                ascii=panel.ascii or lacks_signs(environ, encoding),
                copying=ways(programs),
                ssh="SSH_CONNECTION" in environ,
                tmux=tmux,
                taken=abilities.unreachable(self._actions, tmux.taken) if tmux else (),
            )
        )

    def _workspace(self) -> Section:
        from knit_tui.faces.doctor_words import workspace
        from knit_tui.workspace.git import work_tree
        from knit_tui.workspace.scan import Scanner
        from knit_tui.workspace.watchable import Late, limits, obstacle

        scan = Scanner(self._root).scan()
        found, late = None, False
        if scan.present:
            try:
                found = obstacle(self._root, scan.folders, PATIENCE / 2)
            except Late:
                late = True
        return workspace(scan, work_tree(str(self._root)), found, late, limits())

    def _sessions(self) -> Section:
        from knit_tui.faces.doctor_words import sessions
        from knit_tui.paths import home_folder
        from knit_tui.sessions.follow import Follower

        agents, choice = self._loaded.settings.session.agents, session_of(self._loaded, self._chosen)
        follower = Follower(self._root, choice, home=home_folder(), environ=os.environ, agents=agents)
        follower.poll()
        self._offers = follower.all_offers()
        self._status = follower.status
        root = str(self._root)
        return sessions(self._status, self._offers, follower.notices, agents, root, time.time_ns())

    def _index(self) -> Section:
        from knit_tui.cli.cache import _cache_report
        from knit_tui.faces.cache import CacheReport
        from knit_tui.faces.doctor_words import in_the_way_text, index
        from knit_tui.workspace.own import words_of
        from knit_tui.workspace.writable import in_the_way

        try:
            report = _cache_report(self._root)
        except OSError as error:
            where = os.fsdecode(error.filename or "")
            report = CacheReport(str(self._root), where, words_of(error), 0, None, ())
        blocked = in_the_way_text(in_the_way(Path(report.folder))) if report.folder else ""
        return index(report, blocked, time.time_ns())

    def _settings(self) -> Section:
        from knit_tui.faces.doctor_words import settings

        return settings(self._loaded, self._faults, os.environ)

    def _state(self) -> Section:
        from knit_tui.faces.doctor_words import in_the_way_text, state
        from knit_tui.paths import NoFolder, state_folder
        from knit_tui.workspace.keeping import Keeping
        from knit_tui.workspace.writable import in_the_way

        try:
            folder = state_folder()
        except NoFolder as error:
            return state(None, error.reason, "", "")
        keeping = Keeping(self._root)
        keeping.changed()
        return state(folder, "", in_the_way_text(in_the_way(folder)), keeping.trouble)

    def _agents(self) -> Section:
        from knit_tui.faces.doctor_words import agents
        from knit_tui.install.agents import Where

        home = os.environ.get("HOME", "")
        if not os.path.isabs(home):
            return agents((), home=False)
        return agents(_registrations(Where(Path(home), os.environ, self._root)), home=True)


class Probe:
    """A look in a thread of its own, so that one that hangs holds up nobody."""

    def __init__(self, look: Callable[[], Section]) -> None:
        self._look = look
        self._section: Section | None = None
        self._why = ""
        self._thread = threading.Thread(target=self._run, name="knit-probe", daemon=True)
        self._thread.start()

    def result(self, seconds: float) -> tuple[Section | None, str]:
        """The section, or why there is none, after so many seconds at the most."""
        self._thread.join(max(0.0, seconds))
        if self._thread.is_alive():
            return None, _("no answer within {seconds} seconds").format(seconds=round(PATIENCE))
        return self._section, self._why

    def _run(self) -> None:
        try:
            self._section = self._look()
        except Exception as error:
            # Whatever is broken, the other sections are told; a fault of ours is one more thing to tell.
            self._why = _("it could not be found out: {why}").format(why=f"{type(error).__name__}: {error}")


def _registrations(where: Where) -> Iterator[Fact]:
    from knit_tui.faces.doctor_words import registration, unknown
    from knit_tui.install.registered import Registered, registered

    for one in registered(where):
        agent = (one.agent.name, one.agent.title)
        if isinstance(one, Registered):
            missing = "" if one.runs else one.words[0]
            command = shlex.join(one.words)
            yield registration(agent, one.scope.value, one.what, str(one.path), command, missing)
        else:
            yield unknown(agent, one.refused.path, _why(one.refused))


def _why(refused: Refused) -> str:
    from knit_tui.cli.install import _misread
    from knit_tui.cli.install import _why as why

    if refused.code != "not-understood":
        return why(refused)
    said = _misread(refused.facts["why"], safe_text(refused.facts.get("subject", "")))
    return _("{path}: {why}").format(path=safe_text(refused.path), why=said)


def _dark(question: Question | None) -> bool | None:
    from knit_tui.faces.tui.background import said_by

    dark = None
    if question is not None:
        dark = question.wait(os.environ)
        question.close()
    return said_by(os.environ) if dark is None else dark


def _size() -> tuple[int, int] | None:
    try:
        size = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return None
    return size.columns, size.lines


def _account() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return ""
