"""Where the HEAD of a repository stands, read from its files; git is asked when they do not tell."""

from __future__ import annotations

import contextlib
import os
import re
import stat

from knit_tui.workspace.beneath import NotRegular, open_regular, parts_of, read_head
from knit_tui.workspace.git import Blocked, GitError, ask

_REF_LIMIT = 4 * 1024
"""Bytes of a file that holds one reference."""
_PACKED_LIMIT = 16 * 1024 * 1024
"""Bytes of ``packed-refs``: some 200,000 references."""
_LONGEST_CHAIN = 5
"""References that refer to references; git follows as many."""
_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OWN_REFS = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
"""What each work tree of a repository has for itself."""


class _Unsure(Exception):
    """The files do not tell; git may."""


def head(folder: str, top: str) -> str | None:
    """The commit that HEAD stands at, in hexadecimal; None before the first commit or when git cannot tell.

    Args:
        folder: an absolute path, ``top`` or below it.
        top: the top of its work tree.
    """
    with contextlib.suppress(GitError):
        return find_head(folder, top)
    return None


def find_head(folder: str, top: str) -> str | None:
    """The same as ``head``, for who wants to know why there is none.

    Raises:
        GitError: neither the files nor git tell.
    """
    with contextlib.suppress(_Unsure):
        return _read_head(top)
    answer = ask(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], folder, top, passing=(0, 1)).strip()
    return answer.decode("ascii") if _ID.fullmatch(answer) else None


def shallow(top: str) -> frozenset[str]:
    """The commits at which a shallow clone ends: git shows each as if it added all its files.

    Raises:
        GitError: the file that names them keeps its readers waiting.
    """
    try:
        text = _content(_folders(top)[1], "shallow", _PACKED_LIMIT)
    except _Unsure:
        return frozenset()
    return frozenset(found.decode("ascii") for found in _ID.findall(text or b""))


def _read_head(top: str) -> str | None:
    own, common = _folders(top)
    if os.path.isdir(f"{common}/reftable"):
        raise _Unsure
    ref = "HEAD"
    for _ in range(_LONGEST_CHAIN):
        place = own if ref == "HEAD" or ref.startswith(_OWN_REFS) else common
        text = (_content(place, ref, _REF_LIMIT) or b"").strip()
        if _ID.fullmatch(text):
            return text.decode("ascii")
        if text[:4] == b"ref:":
            ref = os.fsdecode(text[4:].strip())
            if parts_of(ref) is None or not ref.startswith("refs/"):
                raise _Unsure
            continue
        if text or ref == "HEAD":
            raise _Unsure
        return _packed(common, ref)
    raise _Unsure


def _packed(common: str, ref: str) -> str | None:
    text = _content(common, "packed-refs", _PACKED_LIMIT)
    if text is None:
        return None
    end = text.find(b" " + os.fsencode(ref) + b"\n")
    if end < 0:
        return None
    found = text[text.rfind(b"\n", 0, end) + 1 : end]
    if not _ID.fullmatch(found):
        raise _Unsure
    return found.decode("ascii")


def _folders(top: str) -> tuple[str, str]:
    """The git folder of a work tree, and the one that it shares with the other work trees."""
    own = f"{top}/.git"
    if not os.path.isdir(own):
        said = _content(top, ".git", _REF_LIMIT) or b""
        if not said.startswith(b"gitdir:"):
            raise _Unsure
        own = os.path.join(top, os.fsdecode(said[7:].strip()))
    shared = (_content(own, "commondir", _REF_LIMIT) or b"").strip()
    return own, os.path.normpath(os.path.join(own, os.fsdecode(shared))) if shared else own


def _content(folder: str, rel: str, limit: int) -> bytes | None:
    """A file of git's, or None when there is none.

    Raises:
        Blocked: it is no file, and git would wait for it.
        _Unsure: it is a link, longer than the limit, or cannot be read.
    """
    place, _, name = f"{folder}/{rel}".rpartition("/")
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            file = open_regular(name, descriptor)
        finally:
            os.close(descriptor)
        try:
            data = read_head(file, limit + 1)
        finally:
            os.close(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except NotRegular as error:
        if stat.S_ISDIR(error.mode):  # refs/heads/a beside refs/heads/a/b: it is packed, if anywhere
            return None
        if stat.S_ISLNK(error.mode):
            raise _Unsure from error
        raise Blocked(f"{place}/{name}") from error
    except (OSError, ValueError) as error:
        raise _Unsure from error
    if len(data) > limit:
        raise _Unsure
    return data
