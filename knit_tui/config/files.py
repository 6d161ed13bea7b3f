"""A configuration file, read and parsed: bounded in bytes and in time, whatever lies there.

The user's own file may be a link, as those who keep their dotfiles in a repository have it; it must belong
to the user or to root. That of a workspace comes from a stranger: it is a plain file of the workspace folder.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knit_tui.config.faults import Fault

USER_NAME = "config.toml"
WORKSPACE_NAME = ".knit.toml"
LARGEST = 64 << 10
"""Bytes of a file."""
MOST_DOTS = 50
"""Dots in a line: the parser's time grows with the square of the parts of a key."""
_WHERE = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)\Z")
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@dataclass(frozen=True, slots=True)
class File:
    """A file at one moment; ``state`` is ``read``, ``none`` or ``faulty``."""

    origin: str
    """``user`` or ``workspace``."""
    path: str
    state: str = "none"
    table: dict[str, Any] = field(default_factory=dict)
    fault: Fault | None = None


class _Unfit(Exception):
    def __init__(self, code: str, *facts: tuple[str, str]) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def read_user(folder: Path) -> File:
    """The user's file in ``folder``, links followed."""
    return _file("user", str(folder / USER_NAME), follow=True)


def read_workspace(root: Path) -> File:
    """The file of the workspace ``root``, no link."""
    return _file("workspace", str(root / WORKSPACE_NAME), follow=False)


def _file(origin: str, path: str, *, follow: bool) -> File:
    try:
        return File(origin, path, "read", _parsed(_text(path, follow)))
    except (FileNotFoundError, NotADirectoryError):
        if follow and os.path.islink(path):
            return File(origin, path, "faulty", fault=Fault("link", path, "", (("why", "nowhere"),)))
        return File(origin, path)
    except OSError as error:
        fault = Fault("unreadable", path, "", (("why", error.strerror or type(error).__name__),))
    except _Unfit as error:
        fault = Fault(error.code, path, "", error.facts)
    return File(origin, path, "faulty", fault=fault)


def _text(path: str, follow: bool) -> str:
    mode = os.stat(path, follow_symlinks=follow).st_mode
    if stat.S_ISLNK(mode):
        raise _Unfit("link")
    if not stat.S_ISREG(mode):
        raise _Unfit("not-a-file")
    descriptor = os.open(path, _FLAGS | (0 if follow else os.O_NOFOLLOW))
    with open(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise _Unfit("not-a-file")
        if follow and facts.st_uid not in (0, os.geteuid()):
            raise _Unfit("owner")
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise _Unfit("too-long")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Unfit("encoding") from None


def _parsed(text: str) -> dict[str, Any]:
    import tomllib

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS and not line.lstrip().startswith("#"):
            raise _Unfit("dots", ("line", str(number)))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _Unfit("deep") from None
    except ValueError as error:
        why = str(error)
        where = _WHERE.search(why)
        facts = [("why", why[: where.start()] if where else why)]
        if where and where[1]:
            facts += [("line", where[1]), ("column", where[2])]
        elif where:
            last = text.rstrip("\n").split("\n")
            facts += [("line", str(len(last))), ("column", str(len(last[-1]) + 1))]
        raise _Unfit("broken", *facts) from None
