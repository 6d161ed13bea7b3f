"""Imports of Java, Kotlin, Scala and Groovy: the files of the classes that are named.

A target is a dotted path that ends in a class, in one of its members, or in ``*`` for all that is there.
Each file tells the package it is in (``package a.b``), so that no source root needs to be known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import C_COMMENTS, SINGLE_QUOTED, Lines, Opaque
from knit_tui.organise.tree import Tree, nearest, stem_of

MOST_FILES = 8
"""Files of a package that an import of all of it leads to; a larger one says too little."""
_TESTS = frozenset(("test", "tests", "androidTest", "testFixtures"))

_STATEMENT = re.compile(
    r"\n[ \t]*+(?P<word>package|import)[ \t]++(?:static[ \t]++)?"
    r"(?P<path>(?:[\w.$]++|`[^`\n]{1,100}+`)++)(?P<group>\{[^{}\n]{0,2000}+\}|\*)?"
)
_OPAQUE = re.compile(
    C_COMMENTS
    + r'|"(?:""(?:[^"\\]++|\\[\s\S]|"(?!""))*+(?:"""|\Z)|(?:[^"\\\n]++|\\.)*+"?)'
    + rf"|{SINGLE_QUOTED}"
)
_ENDINGS = (".java", ".kt", ".kts", ".scala", ".groovy")


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """The package of a file as a fact, and every import."""
    text = f"\n{text}"
    lines, opaque = Lines(text), Opaque(text, _OPAQUE)
    packages: list[str] = []
    for found in _STATEMENT.finditer(text):
        start = found.start() + 1
        if opaque.covers(start):
            continue
        line = lines.at(start)
        path = found["path"].replace("`", "").removesuffix("._")
        if found["word"] == "import":
            for target in _targets(path.strip("."), found["path"], found["group"] or ""):
                yield "i", target, line
        elif path and not path.endswith(".") and len(packages) < 3:
            # In Scala the packages of following lines are nested.
            packages.append(path)
            yield "m", f"package {'.'.join(packages)}", line


def _targets(path: str, written: str, group: str) -> Iterator[str]:
    if group == "*" or written.endswith("._"):
        yield f"{path}.*"
    elif group:
        for part in group.strip("{} ").split(","):
            name = part.split("=>")[0].split(" as ")[0].strip().strip("`")
            if name in ("_", "*"):
                yield f"{path}.*"
            elif name.isidentifier():
                yield f"{path}.{name}"
    elif "." in path:
        yield path


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file of the class, or, when everything of a small package is imported, the files of the package."""
    parts = target.split(".")
    everything = parts[-1] == "*"
    if everything:
        parts.pop()
        package = [rel for rel in _package(".".join(parts), tree) if rel != source]
        if package:
            seen = [rel for rel in package if not _is_test(rel) or _is_test(source)]
            return tuple(seen) if len(package) <= MOST_FILES else ()
    classes = tree.derived(_classes)
    for count in range(len(parts), 1, -1):
        if theirs := classes.get(".".join(parts[:count])):
            return tuple(rel for rel in _one(theirs, source) if rel != source)
    return ()


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """The class it is named after, and everything of its package."""
    package = tree.derived(_packages).get(rel)
    name = _class_of(rel).casefold()
    return (f".{name}", f"{package}.*".casefold()) if package else ()


def _package(name: str, tree: Tree) -> list[str]:
    packages = tree.derived(_packages)
    return [rel for rel in tree.stating("package", name) if packages.get(rel) == name]


def _packages(tree: Tree) -> dict[str, str]:
    """The package of each file; of nested ones the innermost."""
    found: dict[str, str] = {}
    for rel, name in tree.facts("package"):
        if rel.endswith(_ENDINGS):
            found[rel] = max(name, found.get(rel, ""), key=len)
    return found


def _classes(tree: Tree) -> dict[str, list[str]]:
    """The files that are named after each class, by its whole name."""
    found: dict[str, list[str]] = {}
    for rel, package in sorted(tree.derived(_packages).items()):
        found.setdefault(f"{package}.{_class_of(rel)}", []).append(rel)
    return found


def _class_of(rel: str) -> str:
    """The name without its endings: ``Clock.jvm.kt`` is a ``Clock`` too."""
    return stem_of(rel).partition(".")[0]


def _one(theirs: list[str], source: str) -> tuple[str, ...]:
    if len(theirs) > 1 and not _is_test(source):
        theirs = [rel for rel in theirs if not _is_test(rel)] or theirs
    return nearest(source, theirs)


def _is_test(rel: str) -> bool:
    return not _TESTS.isdisjoint(rel.split("/"))
