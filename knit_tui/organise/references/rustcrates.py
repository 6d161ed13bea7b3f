"""Crates of Rust: where each begins, what it is called and which files are its roots.

Facts of a ``Cargo.toml``: ``crate NAME`` as it is written in code, ``library PATH`` and ``target PATH`` where
they are not in the usual places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import Lines
from knit_tui.organise.tree import Tree, folder_of, joined, name_of, nearest, stem_of

_LINE = re.compile(
    r"\n[ \t]*+(?:\[++[ \t]*+(?P<table>[\w.-]++)[ \t]*+\]"
    r"|(?P<key>name|path)[ \t]*+=[ \t]*+[\"'](?P<value>[^\"'\s]{1,300}+)[\"'])"
)
_TARGETS = ("bin", "test", "example", "bench")
_TARGET_FOLDERS = ("tests", "examples", "benches")
_ROOT_NAMES = ("lib.rs", "main.rs")
_MOST = 200
"""Facts of one file."""
_ASIDE = frozenset(("testdata", "fixtures", "test-data", "examples"))


def manifest(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """The name of the package or its library, and the paths of its targets."""
    text = f"\n{text}"
    lines = Lines(text)
    table = ""
    package: tuple[str, int] | None = None
    count = 0
    for found in _LINE.finditer(text):
        if found["table"]:
            table = found["table"]
            continue
        line = lines.at(found.start("value"))
        fact = ""
        if found["key"] == "name":
            if table == "lib" or (table == "package" and package is None):
                package = found["value"], line
        elif table == "lib":
            fact = f"library {found['value']}"
        elif table in _TARGETS:
            fact = f"target {found['value']}"
        if fact and (count := count + 1) <= _MOST:
            yield "m", fact, line
    if package:
        yield "m", f"crate {package[0].replace('-', '_')}", package[1]


def is_root(rel: str, tree: Tree) -> bool:
    """Whether a crate begins with this file."""
    folder, name = folder_of(rel), name_of(rel)
    if name in _ROOT_NAMES or rel in tree.derived(_told):
        return True
    if name_of(folder) in _TARGET_FOLDERS or name == "build.rs":
        return _has_manifest(folder if name == "build.rs" else folder_of(folder), tree)
    return folder == "src/bin" or folder.endswith("/src/bin")


def root_folder(rel: str, tree: Tree) -> str | None:
    """The folder that the modules of its crate are counted from; None when that is unknown."""
    if is_root(rel, tree):
        return folder_of(rel)
    told = tree.derived(_told_folders)
    folder = folder_of(rel)
    while True:
        inside = f"{folder}/" if folder else ""
        if folder in told or any(inside + name in tree for name in _ROOT_NAMES):
            return folder
        if not folder or _has_manifest(folder, tree):
            return None
        folder = folder_of(folder)


def root_files(folder: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The roots of a crate whose modules are counted from ``folder``: the library alone where it has one."""
    if is_root(source, tree) and folder_of(source) == folder:
        return (source,)
    told = [rel for rel in tree.derived(_told) if folder_of(rel) == folder]
    inside = f"{folder}/" if folder else ""
    return (
        *told,
        *(inside + name for name in _ROOT_NAMES if inside + name in tree and inside + name not in told),
    )


def modules_folder(rel: str, tree: Tree) -> str:
    """The folder that the child modules of a file are in."""
    folder, name = folder_of(rel), name_of(rel)
    if name == "mod.rs" or is_root(rel, tree):
        return folder
    return f"{folder}/{stem_of(name)}" if folder else stem_of(name)


def crate_of(rel: str, tree: Tree) -> str:
    """The name that others use the library ``rel`` by, case-folded; empty when it is no library."""
    return tree.derived(_names).get(rel, "")


def library_root(crate: str, source: str, tree: Tree) -> str:
    """The root of the library of that name in this workspace, the nearest one; empty when there is no one."""
    own = set(source.split("/"))
    roots = {
        rel: root
        for rel in tree.stating("crate", crate)
        if all(part in own for part in rel.split("/") if part in _ASIDE) and (root := _library(rel, tree))
    }
    around = [rel for rel in roots if f"/{source}".startswith(f"/{folder_of(rel)}".rstrip("/") + "/")]
    return next((roots[rel] for rel in nearest(source, around or roots)), "")


def _library(manifest_at: str, tree: Tree) -> str:
    folder = folder_of(manifest_at)
    told = tree.derived(_libraries).get(manifest_at)
    place = joined(folder, told or "src/lib.rs")
    return place if place is not None and place in tree else ""


def _has_manifest(folder: str, tree: Tree) -> bool:
    return (f"{folder}/Cargo.toml" if folder else "Cargo.toml") in tree


def _libraries(tree: Tree) -> dict[str, str]:
    return dict(tree.facts("library"))


def _told(tree: Tree) -> dict[str, None]:
    """The roots that manifests name, in order."""
    places = (
        joined(folder_of(rel), said) for fact in ("library", "target") for rel, said in tree.facts(fact)
    )
    return dict.fromkeys(sorted({place for place in places if place is not None and place in tree}))


def _told_folders(tree: Tree) -> frozenset[str]:
    return frozenset(map(folder_of, tree.derived(_told)))


def _names(tree: Tree) -> dict[str, str]:
    return {root: name.casefold() for rel, name in tree.facts("crate") if (root := _library(rel, tree))}
