"""Where the paths of a log lead: one normaliser for every agent, and pure.

A path in a log may be relative to where a command ran, quoted, a ``file://`` address, of Windows
while the workspace is seen from WSL, or spelled through another symbolic link than the workspace.
All are brought into one spelling (absolute, POSIX, drives as ``/mnt/<letter>``), the workspace's
own spellings too, and compared there. Whoever builds a `Place` looks at the disk; this does not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

LONGEST = 4096
"""Characters; no file system has longer paths."""

_DRIVE = re.compile(r"([A-Za-z]):(?:[\\/]|$)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_WSL_SHARE = re.compile(r"[\\/]{2}wsl(?:\$|\.localhost)[\\/][^\\/]+", re.IGNORECASE)
_MOUNT = re.compile(r"/mnt/[A-Za-z](?:/|$)")
_LINE = re.compile(r"(?::\d{1,9}){1,2}$")
_QUOTES = "'\"`"


def scrub(value: object) -> str:
    """``value`` as a string that can be encoded; ``""`` for what is no string."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value


def absolute(path: str) -> str | None:
    """``path`` in the one spelling, or None when it is relative or leads to no file."""
    if path[:7].lower() == "file://":
        rest = path[7:]
        rest = rest[9:] if rest.lower().startswith("localhost/") else rest
        path = unquote(rest, errors="replace")
        if re.match(r"/[A-Za-z]:", path):
            path = path[1:]
    if not path or len(path) > LONGEST or "\0" in path or _SCHEME.match(path):
        return None
    if path.startswith(("\\\\?\\", "//?/")):
        path = path[4:]
        if path[:4].upper() == "UNC\\":
            path = "\\\\" + path[4:]
    share = _WSL_SHARE.match(path)
    if share:
        path = path[share.end() :].replace("\\", "/") or "/"
    drive = _DRIVE.match(path)
    if drive:
        path = f"/mnt/{drive.group(1).lower()}/{path[2:]}".replace("\\", "/")
    elif path.startswith("\\\\"):
        path = path.replace("\\", "/")
    if not path.startswith("/"):
        return None
    return "/" + posixpath.normpath(path).lstrip("/")


def _windows(path: str) -> bool:
    return bool(_DRIVE.match(path)) or path.startswith("\\\\")


@dataclass(frozen=True, slots=True)
class Place:
    """The workspace as a decoder sees it."""

    roots: tuple[str, ...]
    """Absolute spellings of the workspace folder, the one in use first."""
    home: str = ""
    fold: bool = False
    """File names here do not tell upper from lower case."""
    is_file: Callable[[str], bool] | None = None
    """Whether a relative path is a file in the workspace now; None when that cannot be asked."""

    def join(self, base: str | None, path: str) -> str | None:
        """``path`` as an absolute one, read from the folder ``base``; None when it has no meaning."""
        if len(path) > 1 and path[0] == path[-1] and path[0] in _QUOTES:
            path = path[1:-1]
        if not path or len(path) > LONGEST or "\0" in path:
            return None
        if path == "~" or path.startswith("~/"):
            return absolute(self.home + path[1:]) if self.home else None
        whole = absolute(path)
        if whole is not None or base is None or _SCHEME.match(path):
            return whole
        folder = absolute(base)
        if folder is None:
            return None
        if _windows(base):
            path = path.replace("\\", "/")
        return absolute(f"{folder}/{path}")

    def inside(self, whole: str) -> str | None:
        """An absolute path (as `absolute` spells it) relative to the workspace, or None outside it."""
        for root in self.roots:
            top = absolute(root)
            if top is None:
                continue
            same = whole
            if self.fold or (_MOUNT.match(top) and _MOUNT.match(whole)):
                same, top = whole.lower(), top.lower()
                if len(same) != len(whole):  # lower-casing changed a length: positions no longer agree
                    continue
            if same == top:
                return "."
            stem = top if top.endswith("/") else top + "/"
            if same.startswith(stem):
                return whole[len(stem) :]
        return None

    def name(self, base: str | None, path: str) -> str | None:
        """How an event calls a file: relative to the workspace, else as the log has it.

        None for what is no path at all (empty, a NUL, an address of the network, too long).
        """
        raw = scrub(path)
        if not raw.strip() or len(raw) > LONGEST or "\0" in raw:
            return None
        if _SCHEME.match(raw) and raw[:7].lower() != "file://":
            return None
        whole = self.join(base, raw)
        inner = None if whole is None else self.inside(whole)
        if inner is None:
            # A relative path would be taken for one in the workspace.
            return raw if whole is None or raw.startswith("~") or absolute(raw) is not None else whole
        line = _LINE.search(inner)
        if line and self.is_file and not self.is_file(inner) and self.is_file(inner[: line.start()]):
            return inner[: line.start()]
        return inner
