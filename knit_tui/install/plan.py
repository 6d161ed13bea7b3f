"""What registering knit with an agent takes, worked out before anything is done; and doing it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knit_tui.install import settings, toml
from knit_tui.install.agents import ROOT_VARIABLE, SERVER, Agent, Hooks, Scope, Where
from knit_tui.install.command import is_hook, is_tool, words_of
from knit_tui.install.files import Config, Refused, check, load, replace
from knit_tui.install.jsonc import NotUnderstood
from knit_tui.install.records import Records, noted

_LIMIT_SECONDS = 60.0


@dataclass(slots=True)
class Draft:
    """A configuration and what it is to become. ``added`` are the pieces of text that are new."""

    config: Config
    text: str
    added: list[str] = field(default_factory=list)

    def become(self, text: str) -> None:
        """Take over a further change."""
        self.added.append(_middle(self.text, text))
        self.text = text


@dataclass(frozen=True, slots=True)
class Run:
    """The agent's own command, and the files it may change."""

    words: tuple[str, ...]
    watched: tuple[Config, ...]


@dataclass(slots=True)
class Plan:
    """Steps in order. ``already``: what is registered as it should be (``tool``, ``hooks``), and where."""

    agent: Agent
    scope: Scope
    runs: list[Run] = field(default_factory=list)
    drafts: dict[Path, Draft] = field(default_factory=dict)
    already: list[tuple[str, Path]] = field(default_factory=list)
    tool: Path | None = None
    hooks: Path | None = None

    @property
    def empty(self) -> bool:
        return not self.runs and not self.drafts


def planned(agent: Agent, scope: Scope, where: Where, command: list[str], *, hook: bool) -> Plan:
    """What is to be done so that ``agent`` has knit as a tool and, with ``hook``, tells it of each prompt.

    Raises:
        Refused: it cannot be done; nothing was.
    """
    if hook and agent.hooks is None:
        raise Refused("no-hooks", agent=agent.title)
    plan = Plan(agent, scope)
    _plan_tool(plan, where, command)
    if hook and agent.hooks is not None:
        _plan_hooks(plan, where, agent.hooks, command)
    for draft in plan.drafts.values():
        check(draft.config)
    return plan


def carried_out(plan: Plan, where: Where) -> None:
    """Do what is planned.

    Raises:
        Refused: something could not be done; what was done before that stays.
    """
    records = Records(where.environ)
    for run in plan.runs:
        ran(run.words, where)
        for config in run.watched:
            noted(records, config)
        having = [config.named for config in run.watched if _has_tool(plan.agent, config.named)]
        if not having:
            raise Refused("not-registered", agent=plan.agent.title, command=shlex.join(run.words))
        plan.tool = having[0]  # which of several files it takes is up to the agent
    for draft in plan.drafts.values():
        folders = replace(draft.config, draft.text)
        noted(records, draft.config, folders)


def reading(config: Config) -> dict[str, Any]:
    """What a configuration says.

    Raises:
        Refused: it is not understood.
    """
    try:
        return toml.read(config.text) if _is_toml(config) else settings.read(config.text)
    except NotUnderstood as error:
        raise not_understood(config, error) from None


def not_understood(config: Config, error: NotUnderstood) -> Refused:
    line = f"{config.named}:{error.line}" if error.line else str(config.named)
    return Refused("not-understood", line, why=error.why, subject=error.subject)


def servers_of(agent: Agent, said: Mapping[str, Any]) -> tuple[tuple[str, ...], Any]:
    """The way to the tools in a configuration, and the one that has knit's name."""
    path = agent.servers
    inner = said.get("mcp")
    if agent.name == "opencode" and isinstance(inner, dict) and isinstance(inner.get("servers"), dict):
        path = ("mcp", "servers")  # as of its version 2; a tool of that name would have a type
        if "type" in inner["servers"]:
            path = agent.servers
    found: Any = said
    for name in (*path, SERVER):
        found = found.get(name) if isinstance(found, dict) else None
    return path, found


def ran(words: tuple[str, ...], where: Where) -> None:
    """Run an agent's own command.

    Raises:
        Refused: it failed.
    """
    line = shlex.join(words)
    try:
        done = subprocess.run(
            words,
            cwd=where.root,
            env=dict(where.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Refused("command-slow", command=line) from None
    except OSError as error:
        raise Refused("command-failed", command=line, said=error.strerror or "") from None
    if done.returncode:
        said = next((one for one in done.stdout.decode("utf-8", "replace").splitlines() if one.strip()), "")
        raise Refused("command-failed", command=line, said=said.strip()[:200])


def has_program(words: tuple[str, ...], where: Where) -> bool:
    """Whether the agent's own command is there."""
    return bool(words) and shutil.which(words[0], path=where.environ.get("PATH", os.defpath)) is not None


def within(scope: Scope, where: Where) -> Path | None:
    """The folder that a configuration of this scope lies in: a workspace must not reach out of itself."""
    return where.root if scope is Scope.PROJECT else None


def _plan_tool(plan: Plan, where: Where, command: list[str]) -> None:
    agent, scope = plan.agent, plan.scope
    wanted = [*command, "mcp", *(["--root", ROOT_VARIABLE] if agent.rooted else [])]
    config = load(agent.file(where, scope), within(scope, where))
    said = reading(config)
    path, present = servers_of(agent, said)
    plan.tool = config.named
    if present is not None:
        if words_of(present) != wanted:
            _refuse_other(config, words_of(present), agent)
        plan.already.append(("tool", config.named))
        return
    if scope is Scope.USER and has_program(agent.own, where):
        folder = config.named.parent
        others = [folder / "opencode.json", folder / "opencode.jsonc"] if agent.name == "opencode" else []
        watched = [config, *(load(other) for other in others if other != config.named)]
        plan.runs.append(Run((*agent.own, *wanted), tuple(watched)))
        return
    entry = agent.made(wanted)
    if len(path) > len(agent.servers):
        entry.pop("enabled", None)
    draft = plan.drafts.setdefault(config.path, Draft(config, config.text))
    try:
        put = toml.put if _is_toml(config) else settings.put
        draft.become(put(draft.text, (*path, SERVER), entry))
    except NotUnderstood as error:
        raise not_understood(config, error) from None


def _refuse_other(config: Config, words: list[str], agent: Agent) -> None:
    code = "other-command" if is_tool(words) else "other-server"
    raise Refused(code, config.named, command=shlex.join(words), agent=agent.name)


def _plan_hooks(plan: Plan, where: Where, hooks: Hooks, command: list[str]) -> None:
    agent = plan.agent
    config = load(hooks.file(where, plan.scope), within(plan.scope, where))
    said = reading(config)
    plan.hooks = config.named
    made = hooks.made(shlex.join([*command, "hook", agent.name]))
    missing = []
    for event in hooks.events:
        groups = said.get("hooks", {})
        groups = groups.get(event, []) if isinstance(groups, dict) else []
        ours = [one for one in groups if is_hook(one, agent.name)] if isinstance(groups, list) else []
        if not ours:
            missing.append(event)
        elif made not in ours:
            raise Refused("other-hook", config.named, agent=agent.name)
    if not missing:
        plan.already.append(("hooks", config.named))
        return
    draft = plan.drafts.setdefault(config.path, Draft(config, config.text))
    try:
        for key, value in hooks.start.items():
            if key not in said:
                draft.become(settings.put(draft.text, (key,), value))
        for event in missing:
            draft.become(settings.append(draft.text, ("hooks", event), made))
    except NotUnderstood as error:
        raise not_understood(config, error) from None


def _has_tool(agent: Agent, named: Path) -> bool:
    try:
        return is_tool(words_of(servers_of(agent, reading(load(named)))[1]))
    except Refused:
        return False


def _is_toml(config: Config) -> bool:
    return config.named.suffix == ".toml"


def _middle(old: str, new: str) -> str:
    """What is new in ``new``, without what it begins and ends with as ``old`` does."""
    start = _same(old, new)
    tail = _same(old[start:][::-1], new[start:][::-1])
    return new[start : len(new) - tail].lstrip(",\r\n").rstrip("\r\n")


def _same(one: str, other: str) -> int:
    """How many characters the two begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
