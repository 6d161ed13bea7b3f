"""Imports of Go. A target is an import path; it means the files of one package, so of one folder."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import C_COMMENTS, Lines, Opaque
from knit_tui.organise.tree import Tree, folder_of, joined, nearest

MOST_FILES = 8
"""Files of a package that an import leads to; of a larger one it leads to the file that stands for it."""

_PATH = r"[\"`]([^\"`\n]{1,500}+)[\"`]"
_IMPORT = re.compile(rf"\nimport\b[ \t]*+(?:(?P<open>\()|(?:[\w.]++[ \t]*+)?{_PATH})")
_LISTED = re.compile(rf"[\s;]*+(?:(?P<close>\))|(?:[\w.]++[ \t]*+)?{_PATH}|{C_COMMENTS})")
_DECLARATION = re.compile(r"\n(?:func|type|var|const)\b")
"""What no import may follow."""
_OPAQUE = re.compile(C_COMMENTS)
_MODULE = re.compile(r"\nmodule[ \t]++\"?([^\s\"(]{1,300}+)")
_VERSION = re.compile(r"v\d+")


def manifest(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """The path that a ``go.mod`` gives its module: ``module PATH``."""
    text = f"\n{text}"
    if found := _MODULE.search(text):
        yield "m", f"module {found[1]}", Lines(text).at(found.start(1))


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every import, single or in a block."""
    text = f"\n{text}"
    end = found.start() if (found := _DECLARATION.search(text)) else len(text)
    lines, opaque = Lines(text), Opaque(text, _OPAQUE)
    place = 0
    while found := _IMPORT.search(text, place, end):
        place = found.end()
        if opaque.covers(found.start() + 1):
            continue
        if not found["open"]:
            yield "i", found[2], lines.at(found.start(2))
            continue
        while (listed := _LISTED.match(text, place, end)) and not listed["close"]:
            place = listed.end()
            if listed[2]:
                yield "i", listed[2], lines.at(listed.start(2))


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The files of the package without its tests; of a large one the file named like it, or ``doc.go``."""
    folder = _folder(target, source, tree)
    if folder is None or folder == folder_of(source):
        return ()
    files = [rel for rel in tree.within(folder) if rel.endswith(".go") and not rel.endswith("_test.go")]
    if len(files) <= MOST_FILES:
        return tuple(files)
    inside = f"{folder}/" if folder else ""
    name = next((part for part in reversed(target.split("/")) if not _VERSION.fullmatch(part)), "")
    return next(((rel,) for rel in (f"{inside}{name}.go", f"{inside}doc.go") if rel in tree), ())


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """The path that its package is imported by; none when it is in no module."""
    folder = folder_of(rel)
    for modfile, path in tree.above("module", rel):
        rest = folder.removeprefix(folder_of(modfile)).strip("/")
        return (f"{path}/{rest}".rstrip("/").casefold(),)
    return ()


def _folder(target: str, source: str, tree: Tree) -> str | None:
    """The folder of an imported package: that of the module with the longest path the target begins with."""
    parts = target.split("/")
    for count in range(len(parts), 0, -1):
        theirs = tree.stating("module", "/".join(parts[:count]))
        if theirs:
            return next(
                (joined(folder_of(rel), "/".join(parts[count:])) for rel in _of(theirs, source)), None
            )
    return None


def _of(theirs: tuple[str, ...], source: str) -> tuple[str, ...]:
    """The module that is meant when several have the same path: the one that ``source`` is in, or near."""
    around = [rel for rel in theirs if not folder_of(rel) or source.startswith(f"{folder_of(rel)}/")]
    return nearest(source, around or theirs)
