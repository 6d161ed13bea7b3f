"""What a setting may hold, as TOML has it in a file and as one line of text has it in the environment."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

_LONGEST = 4096
_MOST = 64
"""Entries of a list."""
_YES = ("true", "1", "yes", "on")
_NO = ("false", "0", "no", "off")


class Bad(Exception):
    """It may not hold that."""


class Kind(Protocol):
    """What one setting may hold."""

    @property
    def code(self) -> str:
        """How faces word it: ``flag``, ``choice``, ``list``, ``command``."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The words it may be, where there are only some."""
        ...

    @property
    def program(self) -> bool:
        """Whether it names a program that is run; a workspace may not set it."""
        ...

    def check(self, value: object) -> object:
        """The setting for a value from a file.

        Raises:
            Bad: there is none.
        """
        ...

    def read(self, text: str) -> object:
        """The same for a value from the environment."""
        ...


@dataclass(frozen=True, slots=True)
class Flag:
    """``true`` or ``false``."""

    code: str = "flag"
    names: tuple[str, ...] = ()
    program: bool = False

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise Bad
        return value

    def read(self, text: str) -> bool:
        word = text.strip().lower()
        if word not in (*_YES, *_NO):
            raise Bad
        return word in _YES


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    names: tuple[str, ...]
    code: str = "choice"
    program: bool = False

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.names:
            raise Bad
        return value

    def read(self, text: str) -> str:
        return self.check(text.strip())


@dataclass(frozen=True, slots=True)
class Words:
    """A list of some words, each once; in the environment with commas between."""

    known: Callable[[], Iterable[str]]
    """The words there are; asked only when a list is looked at."""
    code: str = "list"
    program: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.known())

    def check(self, value: object) -> tuple[str, ...]:
        names = self.names
        if not isinstance(value, list) or not all(isinstance(word, str) and word in names for word in value):
            raise Bad
        return tuple(dict.fromkeys(value))

    def read(self, text: str) -> tuple[str, ...]:
        return self.check([word.strip() for word in text.split(",") if word.strip()])


@dataclass(frozen=True, slots=True)
class Command:
    """A word for a program that knit knows how to call, or a program and its arguments as a list.

    In the environment a command is one line, split as a shell splits it; nothing else of a shell holds.
    """

    names: tuple[str, ...]
    code: str = "command"
    program: bool = True

    def check(self, value: object) -> str | tuple[str, ...]:
        if isinstance(value, str):
            if value not in self.names:
                raise Bad
            return value
        if not isinstance(value, list) or not 0 < len(value) <= _MOST or not value[0]:
            raise Bad
        if not all(isinstance(part, str) and "\0" not in part and len(part) <= _LONGEST for part in value):
            raise Bad
        return tuple(value)

    def read(self, text: str) -> str | tuple[str, ...]:
        if text.strip() in self.names:
            return text.strip()
        try:
            return self.check(shlex.split(text))
        except ValueError:
            raise Bad from None
