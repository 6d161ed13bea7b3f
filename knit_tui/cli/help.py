"""What ``--help`` prints, in the language of the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from knit_tui.faces.i18n import N_, _

HEADINGS = (N_("Usage: "), N_("Options:"), N_("Commands:"), N_("Arguments:"))
"""What the lines of a help may begin with."""


class Command(TyperCommand):
    """A command whose help speaks the language of the user."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        _translate(self)
        return _headed(super().get_help(ctx))


class Group(TyperGroup):
    """Commands whose help speaks the language of the user."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        for command in (self, *self.commands.values()):
            _translate(command)
        return _headed(super().get_help(ctx))


def texts(command: Any) -> Iterator[str]:
    """Every text of a command and of those below it that can be translated."""
    if command.help:
        yield command.help
    for parameter in command.get_params(typer.Context(command)):
        if getattr(parameter, "help", None):
            yield parameter.help
    for each in getattr(command, "commands", {}).values():
        yield from texts(each)


def _translate(command: Any) -> None:
    command.help = command.help and _(command.help)
    command.short_help = command.short_help and _(command.short_help)
    for parameter in command.get_params(typer.Context(command)):
        if getattr(parameter, "help", None):
            parameter.help = _(parameter.help)


def _headed(text: str) -> str:
    for heading in HEADINGS:
        text = text.replace("\n" + heading, "\n" + _(heading))
        if text.startswith(heading):
            text = _(heading) + text[len(heading) :]
    return text
