"""Small files of ours in the user's folders: read whole and bounded, written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path


class Damaged(Exception):
    """Bytes that no writer of ours left like this."""


def folder_name(root: Path) -> str:
    """The name of the folder that belongs to the workspace ``root``."""
    return blake2b(os.fsencode(root), digest_size=12).hexdigest()


def read_whole(path: Path, limit: int) -> bytes:
    """The content of a small regular file.

    Raises:
        OSError: it cannot be read.
        Damaged: it is none of ours.
    """
    descriptor = open_own(path)
    with open(descriptor, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Damaged("too long")
    return data


def open_own(path: Path) -> int:
    """A descriptor of a regular file of the user's own, opened to read.

    Raises:
        OSError: it cannot be opened.
        Damaged: it is something else.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
        os.close(descriptor)
        raise Damaged("not a file of ours")
    return descriptor


def write_whole(folder: Path, name: str, data: bytes | bytearray) -> None:
    """Put ``data`` under ``name``, whole or not at all."""
    temporary = folder / f"tmp-{os.urandom(8).hex()}"
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    try:
        with open(descriptor, "wb", buffering=0) as file:
            os.fchmod(descriptor, 0o600)
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) or 0 :]
        os.rename(temporary, folder / name)
    except OSError:
        with suppress(OSError):  # of the two failures the first one is told
            os.unlink(temporary)
        raise


def words_of(error: OSError) -> str:
    """What the system says of ``error``."""
    return error.strerror or errno.errorcode.get(error.errno or 0, type(error).__name__)
