"""Taking knit out of an agent's configuration again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knit_tui.install import settings, toml
from knit_tui.install.agents import SERVER, Agent, Scope, Where
from knit_tui.install.command import is_hook, is_tool, words_of
from knit_tui.install.files import Config, check, load, replace
from knit_tui.install.jsonc import NotUnderstood
from knit_tui.install.plan import has_program, not_understood, ran, reading, servers_of, within
from knit_tui.install.records import Records


@dataclass(frozen=True, slots=True)
class Removed:
    """``how``: ``restored`` as it was before knit, ``removed`` knit's entries alone, ``ran`` a command."""

    path: Path
    how: str


def removed(agent: Agent, scope: Scope, where: Where, *, act: bool = True) -> list[Removed]:
    """Take out what knit put in; with ``act`` False only say what would be.

    Raises:
        Refused: something cannot be taken out; what was before that stays out.
    """
    done = []
    for named in _files(agent, scope, where):
        config = load(named, within(scope, where))
        how = _one(agent, scope, where, config, act) if config.exists and _holds(agent, config) else ""
        if how:
            done.append(Removed(named, how))
    return done


def _files(agent: Agent, scope: Scope, where: Where) -> list[Path]:
    """The configurations, the one last for which folders may have been made."""
    tool = agent.file(where, scope)
    hooks = agent.hooks.file(where, scope) if agent.hooks is not None else tool
    return [tool] if hooks == tool else [hooks, tool]


def _one(agent: Agent, scope: Scope, where: Where, config: Config, act: bool) -> str:
    check(config)
    records = Records(where.environ)
    if not act:
        return "removed"
    if records.restored(config):
        return "restored"
    records.forget(config.path)
    if scope is Scope.USER and _has_tool(agent, config) and has_program(agent.own_remove, where):
        ran(agent.own_remove, where)
        config = load(config.named)
        if not _holds(agent, config):
            return "ran"
    replace(config, _without(agent, config))
    return "removed"


def _holds(agent: Agent, config: Config) -> bool:
    return _has_tool(agent, config) or bool(_groups(agent, config))


def _has_tool(agent: Agent, config: Config) -> bool:
    return is_tool(words_of(servers_of(agent, reading(config))[1]))


def _groups(agent: Agent, config: Config) -> list[tuple[str, int]]:
    """The events and numbers of knit's hooks, the last first."""
    hooks = reading(config).get("hooks")
    if agent.hooks is None or not isinstance(hooks, dict):
        return []
    found = []
    for event in agent.hooks.events:
        groups = hooks.get(event)
        for number, group in enumerate(groups if isinstance(groups, list) else []):
            if is_hook(group, agent.name):
                found.append((event, number))
    return found[::-1]


def _without(agent: Agent, config: Config) -> str:
    text = config.text
    try:
        if _has_tool(agent, config):
            path = (*servers_of(agent, reading(config))[0], SERVER)
            text = toml.remove(text, path) if config.named.suffix == ".toml" else settings.remove(text, path)
        for event, number in _groups(agent, config):
            text = settings.remove(text, ("hooks", event), number)
    except NotUnderstood as error:
        raise not_understood(config, error) from None
    return text
