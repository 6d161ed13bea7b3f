"""With which agents knit is registered, as their own configurations have it. Nothing is changed."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knit_tui.install.agents import AGENTS, Agent, Scope, Where
from knit_tui.install.command import is_hook, is_tool, words_of
from knit_tui.install.files import Config, Refused, load
from knit_tui.install.plan import reading, servers_of, within


@dataclass(frozen=True, slots=True)
class Registered:
    """One entry. ``what`` is ``tool`` or ``hook``; ``words`` are the command that the agent runs."""

    agent: Agent
    scope: Scope
    path: Path
    what: str
    words: tuple[str, ...]
    runs: bool
    """The program of the command is there."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A configuration that cannot be read, and why."""

    agent: Agent
    refused: Refused


def registered(where: Where) -> Iterator[Registered | Unknown]:
    """Every entry of knit, and every configuration that may have one and cannot be read."""
    seen: set[tuple[str, Path]] = set()
    unread: set[Path] = set()
    # What nobody can enter has no configuration, for no agent.
    scopes = tuple(Scope) if os.access(where.root, os.X_OK) else (Scope.USER,)
    for agent in AGENTS.values():
        for scope in scopes:
            try:
                files = list(_files(agent, scope, where))
            except OSError as error:
                why = Refused("unreadable", os.fsdecode(error.filename or ""), why=error.strerror or "")
                yield Unknown(agent, why)
                continue
            for what, path in files:
                if (what, path) in seen or path in unread:  # the workspace may be the home
                    continue
                seen.add((what, path))
                try:
                    config = load(path, within(scope, where))
                    entries = list(_entries(agent, what, config)) if config.exists else []
                except Refused as refused:
                    unread.add(path)
                    yield Unknown(agent, refused)
                    continue
                for words in entries:
                    runs = shutil.which(words[0], path=where.environ.get("PATH", os.defpath)) is not None
                    yield Registered(agent, scope, path, what, words, runs)


def _files(agent: Agent, scope: Scope, where: Where) -> Iterator[tuple[str, Path]]:
    yield "tool", agent.file(where, scope)
    if agent.hooks is not None:
        yield "hook", agent.hooks.file(where, scope)


def _entries(agent: Agent, what: str, config: Config) -> Iterator[tuple[str, ...]]:
    said = reading(config)
    if what == "tool":
        words = words_of(servers_of(agent, said)[1])
        if is_tool(words):
            yield tuple(words)
    elif agent.hooks is not None and isinstance(hooks := said.get("hooks"), dict):
        groups = [hooks.get(event) for event in agent.hooks.events]
        ours = [one for some in groups if isinstance(some, list) for one in some if is_hook(one, agent.name)]
        yield from dict.fromkeys(command for group in ours for command in _commands(group))


def _commands(group: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The command lines of a group that `is_hook` knows as knit's."""
    inner = group.get("hooks")
    if isinstance(inner, list):
        for one in inner:
            yield from _commands(one)
    else:
        yield tuple(shlex.split(group.get("bash", group.get("command"))))
