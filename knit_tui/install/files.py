"""Configuration files of others: read whole, and replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LONGEST = 4 << 20
"""Bytes of a configuration that is changed."""


class Refused(Exception):
    """Nothing was changed: ``code`` and ``facts`` say why. Codes are worded by the command."""

    def __init__(self, code: str, path: Path | str = "", **facts: str) -> None:
        super().__init__(code)
        self.code = code
        self.path = str(path)
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration as it is now. ``path`` is the file itself, where ``named`` is a link to it."""

    named: Path
    path: Path
    text: str = ""
    exists: bool = False
    mode: int = 0
    stamp: tuple[int, ...] = ()

    @property
    def data(self) -> bytes:
        return self.text.encode("utf-8")


def load(named: Path, within: Path | None = None) -> Config:
    """The configuration ``named``, which need not be there.

    Args:
        within: the folder that it must lie in, links followed; None for anywhere.

    Raises:
        Refused: it cannot be read, or is nothing that one may change.
    """
    path = Path(os.path.realpath(named))
    if within is not None and not path.is_relative_to(os.path.realpath(within)):
        raise Refused("outside", named, target=str(path))
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Config(named, path)
    except OSError as error:
        raise Refused("unreadable", named, why=error.strerror or "") from None
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        os.close(descriptor)
        raise Refused("no-file", named)
    try:
        with open(descriptor, "rb") as file:
            data = file.read(LONGEST + 1)
    except OSError as error:
        raise Refused("unreadable", named, why=error.strerror or "") from None
    if len(data) > LONGEST:
        raise Refused("long", named)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("no-utf8", named) from None
    return Config(named, path, text, True, stat.S_IMODE(state.st_mode), _stamp(state))


def check(config: Config) -> None:
    """That the file may be replaced.

    Raises:
        Refused: it may not, because its user or its owner does not want it.
    """
    if not config.exists:
        return
    state = os.lstat(config.path)
    if not state.st_mode & 0o222 or not os.access(config.path, os.W_OK):
        raise Refused("read-only", config.named)
    if state.st_uid != os.geteuid():
        raise Refused("foreign", config.named)
    if state.st_nlink > 1:
        raise Refused("several-names", config.named)


def replace(config: Config, text: str) -> list[str]:
    """Put ``text`` in the place of ``config`` at once, with the permissions it had.

    Returns:
        The folders that were made for it, the outer ones first.

    Raises:
        Refused: it cannot be written, or is no longer what was read.
    """
    check(config)
    folder = config.path.parent
    try:
        made = _make(folder)
        temporary = folder / f".{config.path.name}.knit-{os.urandom(6).hex()}"
        _write(temporary, text.encode("utf-8"), config.mode if config.exists else None)
        try:
            if _now(config.path) != config.stamp:
                raise Refused("moved", config.named)
            os.rename(temporary, config.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise Refused("unwritable", config.named, why=error.strerror or "") from None
    return made


def discard(config: Config, folders: list[str]) -> None:
    """Remove a file and, if nothing else is in them, the folders that were made for it.

    Raises:
        Refused: it cannot be removed.
    """
    try:
        os.unlink(config.path)
    except OSError as error:
        raise Refused("unwritable", config.named, why=error.strerror or "") from None
    for made in reversed(folders):
        if config.path.is_relative_to(made):
            with suppress(OSError):
                os.rmdir(made)


def _make(folder: Path) -> list[str]:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return [str(one) for one in reversed(missing)]


def _write(path: Path, data: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    # A new file gets the permissions that any new file of the user gets.
    descriptor = os.open(path, flags, 0o666 if mode is None else 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None:
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise


def _now(path: Path) -> tuple[int, ...]:
    try:
        return _stamp(os.lstat(path))
    except FileNotFoundError:
        return ()


def _stamp(state: os.stat_result) -> tuple[int, ...]:
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
