"""The facts of ``knit doctor`` in words. Whoever found them out hands them over plain."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from knit_tui.config import Fault, Loaded
from knit_tui.faces.cache import CacheReport, cache_state_text
from knit_tui.faces.config import fault_text
from knit_tui.faces.doctor import Fact, Section
from knit_tui.faces.file_words import access_text, kind_text, skip_text
from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.session_words import how_text, offer_facts, session_text
from knit_tui.faces.wording import age_text, notice_text, size_text
from knit_tui.model import Access, Notice, Scan, SessionOffer, SessionStatus

_SESSIONS = 5
"""Sessions that are told one by one."""
_MENDABLE = ("limit", "error")
"""Why nothing is watched, where something can be done about it."""


def versions(
    own: tuple[str, str], python: tuple[str, str], packages: Mapping[str, str], programs: Mapping[str, str]
) -> Section:
    """``own`` and ``python`` are a version and where that is; an empty version is one that is not there."""
    facts = [
        Fact("knit", "knit", own[0], _("{version} in {path}").format(version=own[0], path=own[1])),
        Fact(
            "python", "Python", python[0], _("{version} in {path}").format(version=python[0], path=python[1])
        ),
    ]
    for name, version in packages.items():
        problem = "" if version else _("{name} is not installed: install knit again").format(name=name)
        facts.append(Fact(name, name, version or None, version, problem))
    for name, version in programs.items():
        label = _("system") if name == "system" else name
        facts.append(Fact(name, label, version or None, version or _("not found")))
    return Section("versions", _("Versions"), tuple(facts))


def workspace(
    scan: Scan, top: str | None, obstacle: Notice | None, late: bool, limits: Mapping[str, int]
) -> Section:
    """``top`` is that of the work tree of git; ``late``: watching was tried and not ready in time."""
    facts = [Fact("root", _("folder"), scan.root, scan.root, _root_problem(scan))]
    if not scan.present:
        return Section("workspace", _("Workspace"), tuple(facts))
    git = _("work tree {path}").format(path=top) if top else _("none: the folder is read by itself")
    facts.append(Fact("git", "git", top, git))
    kinds = Counter(entry.kind.value for entry in scan.entries)
    facts.append(_counted("files", _("files"), kinds, kind_text))
    closed = Counter(e.access.value for e in scan.entries if e.access in (Access.GENERATED, Access.WITHHELD))
    if closed:
        facts.append(_counted("unsearched", _("not searched"), closed, access_text))
    facts.append(_counted("skipped", _("skipped"), Counter(skip.reason for skip in scan.skips), skip_text))
    facts += [_noticed(each, notice_text(each), _git_problem(each, scan.root)) for each in scan.notices]
    facts.append(_watching(len(scan.folders), obstacle, late))
    for name, limit in limits.items():
        label = {"watches": _("limit of watches"), "instances": _("limit of watchers")}[name]
        facts.append(Fact(f"limit-{name}", label, limit, str(limit)))
    return Section("workspace", _("Workspace"), tuple(facts))


def _git_problem(notice: Notice, root: str) -> str:
    if notice.code != "git-fallback":
        return ""
    facts = dict(notice.facts)
    todo = {
        "missing": _("{text}: install git"),
        "refused": _("{text}: git config --global --add safe.directory {folder} lets it"),
    }.get(facts["why"], _("{text}: git status in {folder} may say more"))
    folder = os.path.normpath(os.path.join(root, facts["folder"]))
    return todo.format(text=notice_text(notice), folder=shlex.quote(folder))


def _root_problem(scan: Scan) -> str:
    if not scan.present:
        return _("it is gone: go to another folder, or name one with -C")
    if Counter((skip.rel, skip.reason) for skip in scan.skips)["", "unreadable"]:
        return _("it cannot be read: let yourself read and enter it")
    return ""


def _counted(name: str, label: str, counts: Mapping[str, int], word: Callable[[str], str]) -> Fact:
    parts = [f"{count} {word(called)}" for called, count in sorted(counts.items())]
    return Fact(name, label, dict(sorted(counts.items())), _(", ").join(parts) or _("none"))


def _noticed(notice: Notice, text: str, problem: str = "") -> Fact:
    return Fact("notice", _("note"), notice.code, "" if problem else text, problem)


def _watching(folders: int, obstacle: Notice | None, late: bool) -> Fact:
    label = _("watching")
    if late:
        return Fact("watching", label, None, "", _("the system is slow to watch the folders; try again"))
    if obstacle is None:
        text = ngettext("by events, {count} folder", "by events, {count} folders", folders)
        return Fact("watching", label, "events", text.format(count=folders))
    text, why = notice_text(obstacle), dict(obstacle.facts).get("why", "")
    todo = _(
        "{text}: raise fs.inotify.max_user_watches and max_user_instances (sysctl), or end other watchers"
    )
    return Fact("watching", label, "polling", text, todo.format(text=text) if why in _MENDABLE else "")


def sessions(
    status: SessionStatus,
    offers: Sequence[SessionOffer],
    notices: Iterable[Notice],
    agents: Sequence[str],
    root: str,
    now_ns: int,
) -> Section:
    """``offers`` are all sessions of the workspace; ``agents`` the only ones that are looked for, if any."""
    facts = []
    if agents:
        facts.append(Fact("agents", _("looked for"), tuple(agents), ", ".join(agents)))
    text, wrong = session_text(status), status.state not in ("following", "none", "off")
    if status.state == "none":
        text = _("no session found: no agent left a log of work in {root}, above or below it").format(
            root=root
        )
    problem = _("{text}: knit sessions lists those of this folder").format(text=text) if wrong else ""
    facts.append(Fact("followed", _("followed"), status.state, "" if wrong else text, problem))
    if status.state == "following":
        facts.append(Fact("how", _("why this one"), status.how, how_text(status.how) or _rule()))
    facts.append(_counted("found", _("found"), Counter(offer.agent for offer in offers), str))
    for offer in offers[:_SESSIONS]:
        mark = "● " if offer.followed else "  "
        known = _(", ").join(offer_facts(offer, now_ns))
        line = f"{mark}{offer.agent} {offer.session_id}  {known}"
        facts.append(Fact("session", _("session"), offer.session_id, line))
    if len(offers) > _SESSIONS:
        more = len(offers) - _SESSIONS
        text = ngettext("{count} more: knit sessions", "{count} more: knit sessions", more)
        facts.append(Fact("more", "", more, text.format(count=more)))
    facts += [_noticed(notice, notice_text(notice)) for notice in notices]
    return Section("sessions", _("Sessions"), tuple(facts))


def _rule() -> str:
    return _("of those written in the last 12 hours the nearest folder, then the newest prompt")


def index(report: CacheReport, blocked: str, now_ns: int) -> Section:
    """``blocked``: what keeps its folder from being written to, see `in_the_way_text`."""
    usable = report.state in ("ready", "none", "off", "damaged", "version", "foreign")
    text = cache_state_text(report.state)
    if report.state in ("damaged", "version", "foreign"):
        text = _("{state}: the next start builds it anew").format(state=text)
    facts = []
    if report.folder:
        problem = _unwritten(blocked, "KNIT_CACHE_DIR") if usable else ""
        facts.append(Fact("place", _("folder"), report.folder, report.folder, problem))
    problem = _("nothing can be stored: {why}; KNIT_CACHE_DIR may name another folder").format(why=text)
    facts.append(Fact("state", _("state"), report.state, text if usable else "", "" if usable else problem))
    if report.mine is not None:
        saved = age_text(report.mine.saved_ns, now_ns)
        facts += [
            Fact("documents", _("documents"), report.documents, str(report.documents)),
            Fact("bytes", _("size"), report.mine.size, size_text(report.mine.size)),
            Fact("saved", _("saved"), report.mine.saved_ns, saved),
        ]
    return Section("index", _("Index"), tuple(facts))


def in_the_way_text(found: tuple[Path, str] | None) -> str:
    """What `workspace.writable.in_the_way` found."""
    if found is None:
        return ""
    place, why = found
    text = _("{path} is no folder") if why == "no-folder" else _("{path} cannot be written to")
    return text.format(path=place)


def _unwritten(blocked: str, variable: str) -> str:
    text = _("{why}: make it writable, or name another folder with {variable}")
    return text.format(why=blocked, variable=variable) if blocked else ""


def settings(loaded: Loaded, faults: Iterable[Fault], environ: Mapping[str, str]) -> Section:
    """The files, the variables of the environment by name, and everything that is not used."""
    facts, told = [], _("{path}: {why}")
    for file in loaded.files:
        label = _("your file") if file.origin == "user" else _("workspace")
        state = {"read": _("read"), "none": _("not there"), "faulty": _("not used")}[file.state]
        facts.append(Fact(f"file-{file.origin}", label, file.state, told.format(path=file.path, why=state)))
    if not loaded.files:
        why = _("no file is read: KNIT_CONFIG_DIR is off")
        facts.append(Fact("file-user", _("your file"), "off", why))
    names = sorted(name for name, value in environ.items() if name.startswith("KNIT_") and value)
    facts.append(Fact("environment", _("environment"), tuple(names), ", ".join(names) or _("nothing set")))
    for fault in faults:
        text = fault_text(fault)
        taken = fault.code == "taken-over"  # as it was asked for
        facts.append(Fact("fault", _("setting"), fault.code, text if taken else "", "" if taken else text))
    return Section("settings", _("Settings"), tuple(facts))


def state(folder: Path | None, why: str, blocked: str, trouble: str) -> Section:
    """``why``: there is no ``folder``, as `NoFolder.reason` has it; ``trouble`` as `Keeping` has it."""
    if folder is None:
        off = why == "off"
        text = _("turned off: what you set lasts for one run") if off else ""
        problem = _("there is no home folder: set HOME, or name a folder with KNIT_STATE_DIR")
        return Section(
            "state", _("What you set"), (Fact("place", _("folder"), None, text, "" if off else problem),)
        )
    facts = [Fact("place", _("folder"), str(folder), str(folder), _unwritten(blocked, "KNIT_STATE_DIR"))]
    if trouble:
        facts.append(
            _noticed(Notice("state-unused"), "", notice_text(Notice("state-unused", (("why", trouble),))))
        )
    return Section("state", _("What you set"), tuple(facts))


def agents(rows: Iterable[Fact], home: bool) -> Section:
    """``rows`` as `registration` and `unknown` make them."""
    found = tuple(rows)
    if not home:
        found = (Fact("none", "", None, _("not looked for: HOME names no folder")),)
    elif not found:
        found = (Fact("none", "", None, _("knit is registered with none: knit install AGENT does that")),)
    return Section("agents", _("Agents that have knit"), found)


def registration(
    agent: tuple[str, str], scope: str, what: str, path: str, command: str, program: str
) -> Fact:
    """``agent`` is its name and title; ``program`` the one of ``command`` if it is not there."""
    name, title = agent
    texts = {
        ("tool", "user"): _("the tool, for you: {command} ({path})"),
        ("tool", "project"): _("the tool, in this workspace: {command} ({path})"),
        ("hook", "user"): _("the hook, for you: {command} ({path})"),
        ("hook", "project"): _("the hook, in this workspace: {command} ({path})"),
    }
    problem = ""
    if program:
        again = f"knit install {name} --{scope}" + (" --hook" if what == "hook" else "")
        text = _("no program {program}: {remove}, then {again}")
        problem = text.format(
            program=program, remove=f"{again.removesuffix(' --hook')} --uninstall", again=again
        )
    return Fact(f"{name}-{what}", title, path, texts[what, scope].format(command=command, path=path), problem)


def unknown(agent: tuple[str, str], path: str, why: str) -> Fact:
    """An agent whose configuration cannot be read."""
    text = _("{why}; mend it, or knit cannot tell whether it is there")
    return Fact(f"{agent[0]}-unknown", agent[1], path, "", text.format(why=why))


def unanswered(name: str, title: str, why: str) -> Section:
    """Instead of a section that could not be found out."""
    return Section(name, title, (Fact("probe", "", None, "", why),))


def titles() -> Mapping[str, str]:
    """The title of each section, where it cannot say it itself."""
    return {
        "versions": _("Versions"),
        "terminal": _("Terminal"),
        "workspace": _("Workspace"),
        "sessions": _("Sessions"),
        "index": _("Index"),
        "settings": _("Settings"),
        "agents": _("Agents that have knit"),
        "state": _("What you set"),
    }


def own_folder() -> str:
    """Where this knit is installed."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
