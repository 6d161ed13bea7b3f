"""The command that registers knit with an agent."""

from __future__ import annotations

import os
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from knit_tui.cli.options import FOUND, NOTHING, Folder, Problem, workspace_root
from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text

if TYPE_CHECKING:
    from knit_tui.install.agents import Where
    from knit_tui.install.files import Refused
    from knit_tui.install.plan import Plan
    from knit_tui.install.removal import Removed


class AgentName(StrEnum):
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    QWEN = "qwen"
    OPENCODE = "opencode"
    COPILOT = "copilot"
    VSCODE = "vscode"
    CURSOR = "cursor"


def install(
    context: typer.Context,
    agent: Annotated[
        Optional[AgentName],  # noqa: UP045 - Typer reads the annotation at run time
        typer.Argument(metavar="AGENT", help=", ".join(AgentName)),
    ] = None,
    folder: Folder = None,
    hook: Annotated[
        bool,
        typer.Option("--hook", help="Also hand the agent the pack with each prompt, and follow its log."),
    ] = False,
    project: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option("--project/--user", help="For this workspace, or for you in all of them."),
    ] = None,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it out again.")] = False,
    dry: Annotated[bool, typer.Option("--print", help="Say what would be done, and do nothing.")] = False,
) -> None:
    """Give an agent knit as a tool: put it into the agent's own configuration."""
    from knit_tui.install.agents import AGENTS, Scope, Where
    from knit_tui.install.command import knit_command
    from knit_tui.install.files import Refused
    from knit_tui.install.plan import carried_out, planned
    from knit_tui.install.removal import removed

    if agent is None:
        raise Problem(_("which agent? One of: {agents}").format(agents=", ".join(AgentName)))
    one = AGENTS[agent.value]
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        raise Problem(
            _("HOME names no folder: where would {agent} keep its settings?").format(agent=one.title)
        )
    where = Where(Path(home), os.environ, workspace_root(folder or context.obj[0]))
    scope = one.default if project is None else Scope.PROJECT if project else Scope.USER
    try:
        if uninstall:
            raise typer.Exit(_tell_removed(removed(one, scope, where, act=not dry), one.title, dry))
        plan = planned(one, scope, where, knit_command(sys.argv[0]), hook=hook)
        if dry:
            _print_plan(plan)
        else:
            carried_out(plan, where)
            _tell(plan, where)
    except Refused as refused:
        raise Problem(_why(refused)) from None
    raise typer.Exit(FOUND)


def _print_plan(plan: Plan) -> None:
    for run in plan.runs:
        print(_("would run: {command}").format(command=safe_text(shlex.join(run.words))))
    for draft in plan.drafts.values():
        print(_("would put into {path}:").format(path=safe_text(str(draft.config.named))))
        for added in draft.added if draft.config.exists else [draft.text.rstrip("\n")]:
            print(safe_text(added.replace("\r\n", "\n"), keep_newlines=True))
    _tell_already(plan)


def _tell(plan: Plan, where: Where) -> None:
    new = {path for path in (plan.tool, plan.hooks) if path is not None} if not plan.empty else set()
    known = {what for what, _path in plan.already}
    if plan.tool in new and "tool" not in known:
        text = _("knit is now a tool of {agent}: {path}")
        print(text.format(agent=plan.agent.title, path=safe_text(str(plan.tool))))
    if plan.hooks in new and "hooks" not in known:
        text = _("{agent} now hands its prompts to knit hook: {path}")
        print(text.format(agent=plan.agent.title, path=safe_text(str(plan.hooks))))
        print(_("the hook is silent in a workspace until the panel, the tool or a query has indexed it"))
        if plan.agent.name == "codex":
            print(_("Codex runs a new hook only after you have trusted it: type /hooks there"))
    _tell_already(plan)
    if not plan.empty:
        if plan.scope == "project" and plan.agent.name in ("codex", "gemini", "qwen"):
            print(_("{agent} reads this only in a folder that you trust").format(agent=plan.agent.title))
        if where.environ.get("KNIT_STATE_DIR") == "off":
            print(_("no copy of what was there is kept: KNIT_STATE_DIR is off"))


def _tell_already(plan: Plan) -> None:
    for what, path in plan.already:
        text = _("already registered: {path}") if what == "tool" else _("hooks already registered: {path}")
        print(text.format(path=safe_text(str(path))))


def _tell_removed(done: list[Removed], title: str, dry: bool) -> int:
    for one in done:
        texts = {
            "restored": _("as it was before knit: {path}"),
            "removed": _("knit taken out of {path}"),
            "ran": _("knit taken out of {path}"),
        }
        text = _("would take knit out of {path}") if dry else texts[one.how]
        print(text.format(path=safe_text(str(one.path))))
    if not done:
        print("knit: " + _("knit is not registered with {agent}").format(agent=title), file=sys.stderr)
    return FOUND if done else NOTHING


def _why(refused: Refused) -> str:
    facts = {name: safe_text(text) for name, text in refused.facts.items()}
    path = safe_text(refused.path)
    if refused.code == "not-understood":
        return _("cannot change {path}: {why}").format(
            path=path, why=_misread(facts["why"], facts.get("subject", ""))
        )
    texts = {
        "outside": _("{path} leads out of the workspace, to {target}"),
        "unreadable": _("cannot read {path}: {why}"),
        "unwritable": _("cannot write {path}: {why}"),
        "no-file": _("{path} is no regular file"),
        "long": _("{path} is too long to be changed safely"),
        "no-utf8": _("{path} is not UTF-8: save it as such first"),
        "read-only": _("{path} is read-only: make it writable first"),
        "foreign": _("{path} belongs to another user"),
        "several-names": _("{path} has a second name (a hard link), which a change would cut off"),
        "moved": _("{path} has just been changed by another program: try again"),
        "no-hooks": _("knit knows no hook of {agent} that hands prompts on; without --hook it gets the tool"),
        "other-server": _(
            "{path} has another tool named knit, started by {command}: remove or rename it first"
        ),
        "other-command": _(
            "{path} has knit with another command, {command}: run knit install {agent} --uninstall first"
        ),
        "other-hook": _("{path} has other hooks of knit: run knit install {agent} --uninstall first"),
        "command-slow": _("no end of {command} within a minute"),
        "command-failed": _("{command} failed: {said}"),
        "not-registered": _("{command} went well, but {agent} does not have knit now"),
    }
    return texts[refused.code].format(path=path, **facts)


def _misread(why: str, subject: str) -> str:
    texts = {
        "comment": _("a comment has no end"),
        "more": _("something stands after its end"),
        "deep": _("it is nested too deeply"),
        "comma": _("a comma is missing"),
        "key": _("a name in quotation marks is expected"),
        "colon": _("a colon is missing"),
        "string": _("a text is not closed, or not as JSON has it"),
        "value": _("no value of JSON"),
        "toml": _("no valid TOML"),
        "no-object": _("no object where one is expected ({subject})").format(subject=subject)
        if subject
        else _("no object where one is expected"),
        "no-list": _("no list where one is expected ({subject})").format(subject=subject),
        "twice": _("{subject} is given twice").format(subject=subject),
        "there": _("{subject} is there already").format(subject=subject),
        "gone": _("{subject} is gone").format(subject=subject),
        "unsure": _("written in a way that knit cannot change safely; do it by hand"),
    }
    return texts[why]
