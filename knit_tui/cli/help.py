"""What ``--help`` prints and what is said of wrong use, in the language of the user."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from knit_tui.faces.i18n import N_, _
from knit_tui.faces.safe import CLOSING, cells, cut

_HEADINGS = (N_("Usage: "), N_("Options:"), N_("Commands:"), N_("Arguments:"))
"""What the lines of a help may begin with."""
_USAGE = (N_("[OPTIONS]"), N_("COMMAND [ARGS]..."))
"""What may stand in the first line."""
_FACTS = (N_("[default: {value}]"), N_("[required]"))
"""What may stand at the end of a line."""
_FAULTS = (
    N_("No such option: {option} (Possible options: {near})"),
    N_("No such option: {option}"),
    N_("No such command '{name}'."),
    N_("Missing argument '{name}'."),
    N_("Missing option '{name}'."),
    N_("Invalid value for '{name}': {why}"),
    N_("'{value}' is not one of {values}."),
    N_("'{value}' is not a valid int."),
    N_("'{value}' is not a valid integer."),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("Got unexpected extra argument ({words})"),
    N_("Got unexpected extra arguments ({words})"),
    N_("Option '{name}' requires an argument."),
    N_("Option '{name}' does not take a value."),
)
"""What the parser says, in any of its versions; ``why`` may be another of these."""


class Command(TyperCommand):
    """A command whose help speaks the language of the user."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        _translate(self)
        return _told(super().get_help(ctx), ctx.make_formatter().width)


class Group(TyperGroup):
    """Commands whose help speaks the language of the user."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        for command in (self, *self.commands.values()):
            _translate(command)
        return _told(super().get_help(ctx), ctx.make_formatter().width)


def texts(command: Any) -> Iterator[str]:
    """Every text of a command and of those below it that can be translated."""
    if command.help:
        yield command.help
    for parameter in command.get_params(typer.Context(command)):
        if getattr(parameter, "help", None):
            yield parameter.help
    for each in getattr(command, "commands", {}).values():
        yield from texts(each)


def fault_text(said: str) -> str:
    """What the parser ``said`` of wrong use; a sentence that is not known stays as it is."""
    for sentence in _FAULTS:
        found = _form(sentence).fullmatch(said)
        if found is not None:
            facts = found.groupdict()
            if "why" in facts:
                facts["why"] = fault_text(facts["why"])
            return _(sentence).format(**facts)
    return said


def _translate(command: Any) -> None:
    command.help = command.help and _(command.help)
    command.short_help = command.short_help and _(command.short_help)
    for parameter in command.get_params(typer.Context(command)):
        if getattr(parameter, "help", None):
            parameter.help = _(parameter.help)


def _told(text: str, width: int) -> str:
    first, *lines = text.split("\n")
    for words in _USAGE:
        first = first.replace(words, _(words))
    lines = [line for each in (first, *map(_fact, lines)) for line in _wrapped(each, width)]
    return "\n".join(map(_headed, lines))


def _headed(line: str) -> str:
    heading = next((each for each in _HEADINGS if line.startswith(each)), "")
    return _(heading) + line[len(heading) :] if heading else line


def _fact(line: str) -> str:
    for fact in _FACTS:
        found = re.search(_form(fact).pattern + r"\Z", line)
        if found is not None:
            return line[: found.start()] + _(fact).format(**found.groupdict())
    return line


def _form(sentence: str) -> re.Pattern[str]:
    """``sentence`` as an expression whose groups are its fields."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence)), re.DOTALL)


def _wrapped(line: str, width: int) -> list[str]:
    """``line`` in lines of ``width`` cells: the parser takes every character for one cell."""
    if cells(line) <= width:
        return [line]
    indent = max((found.end() for found in re.finditer(r"\A +|  +", line)), default=0)
    head = cut(line, width)
    while len(head) > indent + 1 and not _breaks(line, len(head)):
        head = head[:-1]
    rest = line[len(head) :].lstrip()
    return [head.rstrip(), *_wrapped(" " * indent + rest, width)] if indent < len(head) and rest else [line]


def _breaks(line: str, at: int) -> bool:
    before, after = line[at - 1], line[at]
    return after not in CLOSING and not (before.isascii() and after.isascii() and " " not in (before, after))
