"""Includes of C, C++, Objective-C and their kin.

A target is the path that is included; ``<`` stands before it when it was in angle brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import C_COMMENTS, DOUBLE_QUOTED, SINGLE_QUOTED, Lines, Opaque
from knit_tui.organise.tree import Tree, folder_of, joined, only

_INCLUDE = re.compile(
    r"\n[ \t]*+#[ \t]*+(?:include(?:_next)?|import)[ \t]*+"
    r"(?:\"([^\"\n]{1,300}+)\"|<([^<>\n]{1,300}+)>)"
)
_OPAQUE = re.compile(rf"{C_COMMENTS}|{DOUBLE_QUOTED}|{SINGLE_QUOTED}")

_FOLDERS = ("", "include", "inc", "src", "source", "lib")
"""Folders of a project, and of its parts, that headers are looked for in."""
_STANDARD = frozenset(
    f"{name}.h"
    for name in """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stdbit stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
    wchar wctype aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw getopt glob grp iconv langinfo libgen malloc
    memory monetary mqueue ndbm netdb nl_types poll pthread pwd regex sched search semaphore spawn strings
    stropts syslog tar termios ucontext ulimit unistd utime utmpx wordexp alloca endian err execinfo features
    windows winsock2 ws2tcpip io process direct tchar
    """.split()
)
"""Headers of the system: a file of that name in the workspace is a stand-in for where it is missing."""
_SYSTEM_FOLDERS = ("sys/", "arpa/", "netinet/", "bits/")


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every include that is not in a comment, whatever conditions it is under."""
    if "#" not in text:
        return
    text = f"\n{text}"
    opaque, lines = Opaque(text, _OPAQUE), Lines(text)
    for found in _INCLUDE.finditer(text):
        start = found.start() + 1
        if not opaque.covers(start):
            yield "i", (found[1] or f"<{found[2]}").strip(), lines.at(start)


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The header: beside ``source``, below a folder above it, or the only one whose path ends so."""
    path = target.removeprefix("<")
    own = folder_of(source)
    if path is target:
        beside = joined(own, path)
        if beside in tree:
            return only([beside] if beside else [], source)
    elif _of_the_system(path):
        return ()
    if path.startswith(("../", "./", "/")):
        return ()
    folder = own
    while True:
        for name in _FOLDERS:
            place = joined(f"{folder}/{name}", path)
            if place and place in tree:
                return only([place], source)
        if not folder:
            return only(tree.ending(joined("", path) or path), source)
        folder = folder_of(folder)


def _of_the_system(path: str) -> bool:
    return "." not in path or path in _STANDARD or path.startswith(_SYSTEM_FOLDERS)
