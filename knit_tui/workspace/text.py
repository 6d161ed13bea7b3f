"""The text of one file: opened safely, decoded, secrets out."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knit_tui.model import Text
from knit_tui.workspace.beneath import Beneath, NotRegular, open_regular, parts_of, read_head
from knit_tui.workspace.charset import guess
from knit_tui.workspace.secrets import mask, secret_content, secret_name

TEXT_LIMIT = 256 * 1024
"""Bytes of a file that are read unless told otherwise."""
_BLANK_REACH = 4
"""Times the limit that is read of a file which is mostly blank: emptiness does not use up the limit."""
HEAD = 8 * 1024
"""Bytes at the start of a file that tell text from binary."""

_STRAY_NUL_EVERY = 512
"""Bytes of text in which one NUL may stray: logs and pasted output hold some."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\b\x1b")
_LONGEST_TOKEN = 512
_TOKEN_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=-")


class Unreadable(Exception):
    """A file whose text is not given: ``reason`` is a code, ``detail`` a fact or empty.

    Reasons: ``outside`` (no path below the root, or a link on the way), ``symlink``, ``special``
    (folder, FIFO, socket, device), ``binary``, ``secret``, ``gone``, ``unreadable``.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


def read_text(root: Path, rel: str, limit: int = TEXT_LIMIT) -> Text:
    """Read at most ``limit`` bytes of the file ``rel`` below ``root`` as text, tokens masked.

    While more than half of what was read is blank, as much again is read, up to ``_BLANK_REACH`` times.
    Of a longer file the last word may be left out, since the cut could hide what it is.

    Raises:
        Unreadable: there is no text to give, see there.
    """
    parts = parts_of(rel)
    if parts is None:
        raise Unreadable("outside")
    if secret_name(rel):
        raise Unreadable("secret", "name")
    data, total = _read(root, parts, limit)
    if looks_binary(data[:HEAD]):
        raise Unreadable("binary")
    complete = len(data) >= total
    body, encoding = decode(data, complete)
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    if secret_content(body):
        raise Unreadable("secret", "private key")
    if not complete:
        body = _without_cut_word(body)
    return Text(mask(body), encoding, total, len(data))


def open_file(root: Path, rel: str) -> int:
    """The file ``rel`` below ``root``, open for reading; whoever asks for it closes it.

    Raises:
        Unreadable: it is no regular file below the root, or cannot be opened.
    """
    parts = parts_of(rel)
    if parts is None:
        raise Unreadable("outside")
    with _opened(root, parts) as descriptor:
        return os.dup(descriptor)


def _read(root: Path, parts: list[str], limit: int) -> tuple[bytes, int]:
    """The first bytes of a regular file and its size in bytes."""
    with _opened(root, parts) as descriptor:
        data = _first_text(descriptor, limit)
        # Some file systems give no size, so that the size alone may not say that all was read.
        return data, max(os.fstat(descriptor).st_size, len(data))


@contextmanager
def _opened(root: Path, parts: list[str]) -> Iterator[int]:
    """A regular file, open for reading; what goes wrong with it, in the block too, is `Unreadable`."""
    try:
        with Beneath(root) as beneath:
            try:
                folder = beneath.folder("/".join(parts[:-1]))
            except NotADirectoryError as error:
                raise Unreadable("outside", "a link or a file on the way") from error
            descriptor = open_regular(parts[-1], folder)
            try:
                yield descriptor
            finally:
                os.close(descriptor)
    except NotRegular as error:
        if stat.S_ISLNK(error.mode):
            raise Unreadable("symlink") from error
        raise Unreadable("special", special_kind(error.mode)) from error
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ESTALE):
            raise Unreadable("gone") from error
        if error.errno == errno.ELOOP:
            raise Unreadable("symlink") from error
        raise Unreadable("unreadable", errno.errorcode.get(error.errno or 0, "")) from error
    except ValueError as error:
        # A name that the file system's encoding cannot express.
        raise Unreadable("gone") from error


def _first_text(descriptor: int, limit: int) -> bytes:
    data = read_head(descriptor, limit)
    for times in range(1, _BLANK_REACH):
        if len(data) < times * limit or 2 * len(b" ".join(data.split())) > len(data):
            break
        data += read_head(descriptor, limit)
    return data


def special_kind(mode: int) -> str:
    """What a file that is no regular one is, in one word."""
    for test, word in (
        (stat.S_ISDIR, "folder"),
        (stat.S_ISLNK, "symlink"),
        (stat.S_ISFIFO, "fifo"),
        (stat.S_ISSOCK, "socket"),
    ):
        if test(mode):
            return word
    return "device"


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes of a file (at most ``HEAD``) are no text.

    NUL bytes without a byte order mark say so, except a few strays in what is otherwise plain text.
    """
    if b"\0" not in head or _bom(head):
        return False
    if head.count(0) > 1 + len(head) // _STRAY_NUL_EVERY:
        return True
    rest = head.translate(None, b"\0")
    if not rest or len(rest.translate(None, _CONTROLS)) != len(rest):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(rest, len(head) < HEAD)
    except UnicodeDecodeError:
        return True
    return False


def decode(data: bytes, complete: bool) -> tuple[str, str]:
    """Decode a text and name its encoding; never raises.

    Args:
        data: the bytes of the file, or its first ones.
        complete: False when ``data`` may end in the middle of a character.
    """
    bom = _bom(data)
    if bom:
        mark, encoding = bom
        return _decoded(data[len(mark) :], encoding, "replace", complete), encoding
    try:
        return _decoded(data, "utf-8", "strict", complete), "utf-8"
    except UnicodeDecodeError:
        pass
    text = _decoded(data, "utf-8", "replace", complete)
    bad = text.count("\ufffd") - data.count("\ufffd".encode())
    good = sum(1 for character in text if not character.isascii()) - bad
    if bad > good:
        encoding = guess(data) or "utf-8"
        if encoding != "utf-8":
            return _decoded(data, encoding, "replace", complete), encoding
    return text, "utf-8"


def _bom(data: bytes) -> tuple[bytes, str] | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return mark, encoding
    return None


def _decoded(data: bytes, encoding: str, errors: str, complete: bool) -> str:
    return codecs.getincrementaldecoder(encoding)(errors).decode(data, complete)


def _without_cut_word(body: str) -> str:
    """Drop the word at the end of a cut text: half a token would not be known as one."""
    end = len(body)
    while end and len(body) - end < _LONGEST_TOKEN and body[end - 1] in _TOKEN_CHARACTERS:
        end -= 1
    return body[:end]
