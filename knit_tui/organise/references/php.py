"""Classes that PHP uses and files that it includes.

A target that begins with a backslash is a class by its full name; one with ``./`` or ``../`` is relative to
the file; one with ``/`` counts from a folder that a constant names; any other from the include path.
Facts: ``namespace NAME`` of each file, ``psr4 PREFIX FOLDER`` of ``composer.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from knit_tui.organise.references.lexical import C_COMMENTS, DOUBLE_QUOTED, SINGLE_QUOTED, Lines, Opaque
from knit_tui.organise.tree import Tree, folder_of, joined, name_of, only, stem_of

_STATEMENT = re.compile(
    r"\n[ \t]*+(?:<\?php[ \t]++)?(?:"
    r"namespace[ \t]++(?P<namespace>[\w\\]{1,300}+)[ \t]*+[;{\r\n]"
    r"|use[ \t]++(?P<uses>[\w\\][\w\\ \t,]*+)(?:\{(?P<group>[^{}]*+)\})?[ \t]*+[;{]"
    r"|(?:\$\w{1,80}+[ \t]*+=[ \t]*+|return[ \t]++|@)?(?:require|include)(?:_once)?\b[ \t]*+\(?[ \t]*+"
    r"(?P<base>(?:dirname\()?(?:__DIR__|__FILE__)(?:[ \t]*+,[ \t]*+(?P<levels>\d))?\)?[ \t]*+\.[ \t]*+"
    r"|[A-Z_]{2,80}+[ \t]*+\.[ \t]*+)?"
    r"(?:\"(?P<double>[^\"$\n]{1,300}+)\"|'(?P<single>[^'\n]{1,300}+)')[ \t]*+[;)])"
)
_OPAQUE = re.compile(rf"{C_COMMENTS}|#(?!\[)[^\n]*+|{DOUBLE_QUOTED}|{SINGLE_QUOTED}")


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every class used and file included by a fixed name, and the namespace the file is in."""
    text = f"\n{text}"
    opaque, lines = Opaque(text, _OPAQUE), Lines(text)
    namespace = ""
    for found in _STATEMENT.finditer(text):
        start = found.start() + 1
        if opaque.covers(start):
            continue
        line = lines.at(start)
        if found["namespace"]:
            namespace = found["namespace"].strip("\\")
            yield "m", f"namespace {namespace}", line
        elif found["uses"]:
            for name, further in _used(found["uses"], found["group"]):
                yield "i", _full(name, namespace), line + further
        else:
            yield "i", _included(found), line


def _used(uses: str, group: str | None) -> Iterator[tuple[str, int]]:
    """Names, and how many lines below the statement each stands."""
    if group is None:
        listed, prefix = uses, ""
    else:
        listed, prefix = group, uses.strip().rpartition(",")[2].strip()
    further = 0
    for part in listed.split(","):
        words = part.split()
        if words and words[0] not in ("function", "const"):
            blank = len(part) - len(part.lstrip())
            yield prefix + words[0], further + part.count("\n", 0, blank)
        further += part.count("\n")


def _full(name: str, namespace: str) -> str:
    """The full name of a class. A name of one part, below a class, is a trait beside it."""
    if "\\" in name or not namespace:
        return "\\" + name.lstrip("\\")
    return f"\\{namespace}\\{name}"


def _included(found: re.Match[str]) -> str:
    path: str = found["double"] or found["single"]
    base = found["base"]
    if not base:
        return path
    path = path.lstrip("/")
    if "__" not in base:
        return f"/{path}"
    up = 0
    if "dirname" in base:
        up = int(found["levels"] or 1) - ("__FILE__" in base)
    return f"{'../' * max(0, up) or './'}{path}"


def manifest(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """Where the classes are, as ``composer.json`` tells."""
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError):
        return
    for section in ("autoload", "autoload-dev"):
        rules = _table(_table(settings).get(section)).get("psr-4")
        for prefix, folders in _table(rules).items():
            for folder in folders if isinstance(folders, list) else [folders]:
                if isinstance(folder, str) and not prefix.split(" ", 1)[1:]:
                    yield "m", f"psr4 {prefix} {folder.strip('/')}", 1


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file of the class, by what composer or the files themselves say; or the file included."""
    if target.startswith("\\"):
        return only(_class(target[1:], tree), source)
    own = folder_of(source)
    if target.startswith(("./", "../")):
        folders = [own]
    elif target.startswith("/"):
        folders = [*_above(own)]
    else:
        folders = [own, ""]
    for folder in folders:
        place = joined(folder, target)
        if place and place in tree:
            return only([place], source)
    return ()


def _above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder_of(folder)
    yield ""


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """The class it is named after, at the end of a full name, and its whole name in a path."""
    return (f"\\{stem_of(rel)}\n".casefold(), name_of(rel).casefold())


def _class(name: str, tree: Tree) -> list[str]:
    found = {place for place in _places(name, tree) if place in tree}
    return sorted(found) or list(tree.derived(_classes).get(name, ()))


def _places(name: str, tree: Tree) -> Iterator[str]:
    for prefix, folder in tree.derived(_prefixes):
        if name.startswith(prefix):
            rest = name[len(prefix) :].replace("\\", "/")
            yield f"{folder}/{rest}.php".lstrip("/")


def _prefixes(tree: Tree) -> list[tuple[str, str]]:
    """What full names begin with, and the folder that such classes are in."""
    rows = []
    for rel, said in tree.facts("psr4"):
        prefix, _, path = said.partition(" ")
        folder = joined(folder_of(rel), path)
        if folder is not None:
            rows.append((prefix, folder))
    return rows


def _classes(tree: Tree) -> dict[str, list[str]]:
    """The files of each class, by the namespace they say they are in and their own names."""
    found: dict[str, list[str]] = {}
    for rel, space in tree.facts("namespace"):
        found.setdefault(f"{space}\\{stem_of(rel)}", []).append(rel)
    return found
