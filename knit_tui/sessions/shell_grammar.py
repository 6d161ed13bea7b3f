"""A shell command line as pipelines of words, by one pass over its text.

Quotes, escapes, comments, lists, pipelines, groups and redirections are understood. What is only
known when the line runs (variables, substitutions, globs) is marked, not guessed. A here-document
ends the reading: what follows it is data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_PLAIN = re.compile(r"[^\s'\"\\$`*?{;&|<>()]+")
_OPERATOR = re.compile(r"&&|\|\||\|&|<<<|<<-?|<>|&>>|&>|>>|>&|<&|>\||;;|[;&|<>()\n]")
_DOUBLE = re.compile(r'[^"\\$`]+')


class Unreadable(Exception):
    """The text is no command line that can be understood."""


@dataclass(slots=True)
class Simple:
    """One command: its words, each with whether it is only known at run time."""

    words: list[tuple[str, bool]] = field(default_factory=list)
    redirected: bool = False
    """Its output, or its input, is a file."""


@dataclass(slots=True)
class Pipeline:
    """Commands joined by ``|``, and what stands around them."""

    before: str
    """The operator before it; ``""`` at the start."""
    stages: list[Simple]
    after: str = ""
    depth: int = 0
    """Parentheses around it."""


def split_line(command: str) -> tuple[list[Pipeline], bool]:
    """The pipelines in order, and whether the line was read to its end (a here-document ends it).

    Raises Unreadable when a quote or a parenthesis is left open. Linear in the text.
    """
    found: list[Pipeline] = []
    current = Pipeline("", [Simple()])
    depth = 0
    target = False  # the next word is where output goes
    for kind, text, dynamic, touching in _tokens(command):
        simple = current.stages[-1]
        if kind == "word":
            if target:
                target = False
            else:
                simple.words.append((text, dynamic))
            continue
        if text in ("|", "|&"):
            current.stages.append(Simple())
        elif text in ("<<", "<<-"):
            return found, False
        elif text[0] in "<>&" and text not in ("&", "&&"):
            number = "1"
            if touching and simple.words and simple.words[-1][0].isdigit():
                number = simple.words.pop()[0]
            if text[0] == "<":
                simple.redirected = True
            elif text != ">&" or number == "1":
                simple.redirected |= number == "1" or text[0] == "&"
            target = True
        else:
            if current.stages[0].words:
                current.after, current.depth = text, depth
                found.append(current)
                current = Pipeline(text, [Simple()])
            elif text != "\n":
                current = Pipeline(text, [Simple()])
            depth += (text == "(") - (text == ")")
            if depth < 0 or depth > 32:
                raise Unreadable
    if current.stages[0].words:
        current.depth = depth
        found.append(current)
    return found, True


def _tokens(command: str) -> Iterator[tuple[str, str, bool, bool]]:
    """(``word`` | ``operator``, text, known only at run time, follows the last word without a space)."""
    at, size = 0, len(command)
    word: list[str] = []
    inside = dynamic = False
    while at < size:
        char = command[at]
        plain = _PLAIN.match(command, at)
        if plain and (inside or char != "#"):
            word.append(plain.group())
            inside, at = True, plain.end()
            continue
        if plain:  # a comment
            end = command.find("\n", at)
            at = size if end < 0 else end
            continue
        operator = _OPERATOR.match(command, at)
        if operator or char.isspace():
            if inside:
                yield "word", "".join(word), dynamic, False
            if operator:
                yield "operator", operator.group(), False, inside
            word, inside, dynamic = [], False, False
            at = operator.end() if operator else at + 1
            continue
        inside = True
        if char == "\\":
            if command[at + 1 : at + 2] != "\n":
                word.append(command[at + 1 : at + 2])
            at += 2
        elif char == "'":
            end = command.find("'", at + 1)
            if end < 0:
                raise Unreadable
            word.append(command[at + 1 : end])
            at = end + 1
        elif char == '"':
            at, moving = _quoted(command, at + 1, word)
            dynamic |= moving
        elif char in "$`":
            dynamic = True
            at = _substitution(command, at)
        else:  # * ? {  (a bracket is left alone: folders are called [id] more often than not)
            dynamic |= not (char == "{" and command[at + 1 : at + 2].isspace())
            word.append(char)
            at += 1
    if inside:
        yield "word", "".join(word), dynamic, False


def _quoted(command: str, at: int, word: list[str]) -> tuple[int, bool]:
    """The end of a double-quoted string whose inside begins at ``at``; whether it holds substitutions."""
    moving = False
    while at < len(command):
        plain = _DOUBLE.match(command, at)
        if plain:
            word.append(plain.group())
            at = plain.end()
        elif command[at] == '"':
            return at + 1, moving
        elif command[at] == "\\":
            after = command[at + 1 : at + 2]
            word.append(after if after in '"\\$`' else "" if after == "\n" else "\\" + after)
            at += 2
        else:
            moving = True
            at = _substitution(command, at)
    raise Unreadable


def _substitution(command: str, at: int) -> int:
    """The end of a ``$…`` or a backquoted command that begins at ``at``."""
    if command[at] == "`":
        end = command.find("`", at + 1)
        if end < 0:
            raise Unreadable
        return end + 1
    opener = command[at + 1 : at + 2]
    if opener not in ("(", "{") or not opener:
        return at + 1
    closer = ")" if opener == "(" else "}"
    depth = 0
    for position in range(at + 1, len(command)):
        if command[position] == opener:
            depth += 1
        elif command[position] == closer:
            depth -= 1
            if depth == 0:
                return position + 1
    raise Unreadable
