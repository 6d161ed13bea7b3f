"""Git's ignore rules, for folders that git itself does not answer for.

A pattern becomes one regular expression that cannot backtrack: between two wildcards the leftmost
match is as good as any other, so every wildcard is an atomic group and a hostile pattern costs no
more than a plain one. Matching is by bytes, as in git: text is handled as Latin-1 of its bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SIZE_LIMIT = 1024 * 1024
"""Bytes of one ignore file; a longer one is no ignore file to knit."""
WILDCARD_LIMIT = 2_000
"""Patterns with wildcards of one ignore file; each costs a little for every name below it."""

_POSIX_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\x0b\\x0c",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}

_SPECIAL = re.compile(r"[*?\[\\]")


class BadIgnoreFile(ValueError):
    """Not a text of ignore patterns; the message says why."""


class _Never(ValueError):
    """A pattern that is malformed and so matches nothing, as in git."""


@dataclass(frozen=True, slots=True)
class _Wildcard:
    number: int
    expression: re.Pattern[str]
    negated: bool
    folders_only: bool


@dataclass(slots=True)
class IgnoreFile:
    """The patterns of one ignore file; the last one that matches decides."""

    _names: dict[str, list[tuple[int, bool, bool]]] = field(default_factory=dict)
    _paths: dict[str, list[tuple[int, bool, bool]]] = field(default_factory=dict)
    _endings: dict[str, list[tuple[int, bool, bool]]] = field(default_factory=dict)
    _name_wildcards: list[_Wildcard] = field(default_factory=list)
    _path_wildcards: list[_Wildcard] = field(default_factory=list)
    _any_name: re.Pattern[str] | None = None
    _any_path: re.Pattern[str] | None = None
    _ending_lengths: tuple[int, ...] = ()

    def verdict(self, path: str, name: str, is_folder: bool) -> bool | None:
        """True: ignored, False: re-included, None: no pattern speaks of it.

        Args:
            path: relative to the folder of this ignore file, as ``byte_text``.
            name: its last segment.
            is_folder: whether it is a folder itself, no symbolic link to one.
        """
        best, decision = -1, None
        literal = [self._names.get(name), self._paths.get(path)]
        literal += [self._endings.get(name[-length:]) for length in self._ending_lengths]
        for found in literal:
            for number, negated, folders_only in found or ():
                if number > best and (is_folder or not folders_only):
                    best, decision = number, not negated
        for text, gate, wildcards in (
            (name, self._any_name, self._name_wildcards),
            (path, self._any_path, self._path_wildcards),
        ):
            if gate is None or not gate.match(text):
                continue
            for wildcard in reversed(wildcards):
                if wildcard.number < best:
                    break
                if (is_folder or not wildcard.folders_only) and wildcard.expression.match(text):
                    best, decision = wildcard.number, not wildcard.negated
                    break
        return decision


def byte_text(name: str) -> str:
    """A file name as one character for each of its bytes."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


def parse(data: bytes) -> IgnoreFile:
    """Read the patterns of an ignore file.

    Raises:
        BadIgnoreFile: too long, too many wildcards, or no text.
    """
    if len(data) > SIZE_LIMIT:
        raise BadIgnoreFile(f"longer than {SIZE_LIMIT} bytes")
    if b"\0" in data:
        raise BadIgnoreFile("holds NUL bytes")
    rules = IgnoreFile()
    for number, (pattern, negated, folders_only) in enumerate(_lines(data)):
        _add(rules, number, pattern, negated, folders_only)
    if len(rules._name_wildcards) + len(rules._path_wildcards) > WILDCARD_LIMIT:
        raise BadIgnoreFile(f"more than {WILDCARD_LIMIT} patterns with wildcards")
    rules._any_name = _gate(rules._name_wildcards)
    rules._any_path = _gate(rules._path_wildcards)
    rules._ending_lengths = tuple({len(ending) for ending in rules._endings})
    return rules


def _lines(data: bytes) -> Iterator[tuple[str, bool, bool]]:
    """(pattern, negated, folders only) of each line that says something."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    for line in data.decode("latin-1").split("\n"):
        pattern = _without_trailing_blanks(line.removesuffix("\r"))
        if pattern.startswith("#"):
            continue
        negated = pattern.startswith("!")
        if negated:
            pattern = pattern[1:]
        folders_only = pattern.endswith("/")
        if folders_only:
            pattern = pattern[:-1]
        if pattern:
            yield pattern, negated, folders_only


def _without_trailing_blanks(line: str) -> str:
    """Cut the blanks at the end that no backslash protects."""
    end = len(line.rstrip(" "))
    if end == len(line):
        return line
    backslashes = end - len(line[:end].rstrip("\\"))
    return line[: end + backslashes % 2]


def _add(rules: IgnoreFile, number: int, pattern: str, negated: bool, folders_only: bool) -> None:
    anchored = "/" in pattern
    if anchored:
        pattern = pattern.removeprefix("/")
    facts = (number, negated, folders_only)
    if not _SPECIAL.search(pattern):
        (rules._paths if anchored else rules._names).setdefault(pattern, []).append(facts)
    elif not anchored and pattern[0] == "*" and len(pattern) > 1 and not _SPECIAL.search(pattern, 1):
        rules._endings.setdefault(pattern[1:], []).append(facts)
    else:
        try:
            expression = re.compile(translate(pattern, anchored), re.DOTALL)
        except _Never:
            return
        target = rules._path_wildcards if anchored else rules._name_wildcards
        target.append(_Wildcard(number, expression, negated, folders_only))


def _gate(wildcards: list[_Wildcard]) -> re.Pattern[str] | None:
    """One expression that tells whether any of them matches: nearly always none does."""
    if not wildcards:
        return None
    return re.compile("|".join(wildcard.expression.pattern for wildcard in wildcards), re.DOTALL)


def translate(pattern: str, anchored: bool) -> str:
    r"""Turn a pattern into a regular expression that matches a whole path and never backtracks.

    Only in an ``anchored`` pattern, one with a slash, does ``**`` stand for folders.
    What follows a wildcard, up to the next one, is found leftmost and kept. That is safe: after a
    ``*`` in the same segment, or a ``**/`` in the same path, a later place could match no more.

    Raises:
        _Never: the pattern is malformed.
    """
    out: list[str] = []
    in_folders = in_segment = False
    plain = len(_SPECIAL.split(pattern, maxsplit=1)[0])
    """Git compares the plain beginning by itself, so that a ``**`` right after it stands at a start."""
    position = 0
    while position < len(pattern):
        if pattern[position] != "*":
            token, position = _token(pattern, position)
            out.append(token)
            if token == "/" and in_segment:
                out.append(")")
                in_segment = False
            continue
        end = position
        while end < len(pattern) and pattern[end] == "*":
            end += 1
        whole_segment = (
            anchored and end - position >= 2 and (position == plain or pattern[position - 1] == "/")
        )
        if in_segment:
            out.append(")")
            in_segment = False
        if whole_segment and pattern[end : end + 1] in ("", "/"):
            if in_folders:
                out.append(")")
            in_folders = end < len(pattern)
            out.append("(?>(?:[^/]*/)*?" if in_folders else ".*")
            position = end + 1
        else:
            out.append("(?>[^/]*?")
            in_segment = True
            position = end
    out.append("\\Z" + ")" * (in_segment + in_folders))
    return "".join(out)


def _token(pattern: str, position: int) -> tuple[str, int]:
    """The expression of one character, class or escape, and where the next one starts."""
    character = pattern[position]
    if character == "?":
        return "[^/]", position + 1
    if character == "[":
        return _class(pattern, position + 1)
    literal, position = _literal(pattern, position)
    return re.escape(literal), position


def _class(pattern: str, position: int) -> tuple[str, int]:
    """The expression of a ``[...]`` whose first character inside is at ``position``."""
    negated = pattern[position : position + 1] in ("!", "^")
    if negated:
        position += 1
    parts: list[str] = []
    first = True
    while True:
        character = pattern[position : position + 1]
        if not character:
            raise _Never("a bracket that does not end")
        if character == "]" and not first:
            break
        first = False
        if character == "[" and pattern[position + 1 : position + 2] == ":":
            end = pattern.find("]", position + 2)
            if end < 0:
                raise _Never("a bracket that does not end")
            if pattern[end - 1] == ":" and end - 1 >= position + 2:
                name = pattern[position + 2 : end - 1]
                if name not in _POSIX_CLASSES:
                    raise _Never("an unknown class of characters")
                parts.append(_POSIX_CLASSES[name])
                position = end + 1
                continue
        low, position = _literal(pattern, position)
        if pattern[position : position + 1] == "-" and pattern[position + 1 : position + 2] not in ("", "]"):
            high, position = _literal(pattern, position + 1)
            # A range the wrong way round still holds its first character.
            parts.append(f"{_inside(low)}-{_inside(max(low, high))}")
            continue
        parts.append(_inside(low))
    body = "".join(parts)
    return (f"[^/{body}]" if negated else f"(?!/)[{body}]"), position + 1


def _literal(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position] == "\\":
        position += 1
        if position == len(pattern):
            raise _Never("a backslash at the end")
    return pattern[position], position + 1


def _inside(character: str) -> str:
    """A character as it must stand inside brackets."""
    return f"\\x{ord(character):02x}"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The ignore files that hold in one folder, the innermost first."""

    file: IgnoreFile
    base: str
    """The folder of the file as ``byte_text`` with a slash at its end, or empty for the top."""
    outer: IgnoreRules | None = None

    def ignored(self, path: str, name: str, is_folder: bool) -> bool:
        """Whether a path (``byte_text``, relative to the top) is ignored, its folder being not."""
        rules: IgnoreRules | None = self
        while rules is not None:
            verdict = rules.file.verdict(path[len(rules.base) :], name, is_folder)
            if verdict is not None:
                return verdict
            rules = rules.outer
        return False
