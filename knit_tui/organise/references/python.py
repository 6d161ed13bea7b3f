"""Imports of Python: the modules and packages of this workspace that a file takes in.

A target is a dotted module path, with its leading dots when it is relative; ``:`` and the imported names
follow it when names are taken out of it, for each of them may be a module of its own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from knit_tui.organise.references.lexical import Lines, Opaque
from knit_tui.organise.tree import Tree, folder_of, name_of, nearest, stem_of

_REST = r"[^\n;#\\]*+(?:\\\r?\n[^\n;#\\]*+)*+"
"""What follows on the same logical line."""
_BREAK = r"[ \t]*+(?:\\\r?\n[ \t]*+)?"
_STATEMENT = re.compile(
    r"\n[ \t\f]*+(?:(?:try|else|finally|if [^\n:\"'#]{1,100}+):[ \t]*+)?+"
    rf"(?:(?P<word>c?import)[ \t]++(?P<modules>{_REST})"
    rf"|from[ \t]*+(?P<dots>[. \t]*+)(?P<base>(?:(?!c?import\b)[\w.]++)?+){_BREAK}c?import\b{_BREAK}"
    rf"(?:\((?P<inside>(?:[^()#]++|#[^\n]*+)*+)|(?P<names>{_REST})))"
)
_CALL = re.compile(r"import(?:_module|orskip)\([ \t\n]*+[\"']([\w.]{1,300}+)[\"'][ \t\n]*+([,)])")
_OPAQUE = re.compile(
    r'"(?:""(?:[^"\\]++|\\[\s\S]|"(?!""))*+(?:"""|\Z)|(?:[^"\\\n]++|\\[\s\S])*+"?)'
    r"|'(?:''(?:[^'\\]++|\\[\s\S]|'(?!''))*+(?:'''|\Z)|(?:[^'\\\n]++|\\[\s\S])*+'?)"
    r"|#[^\n]*+"
)
_COMMENT = re.compile(r"#[^\n]*+")
_PATH = re.compile(r"[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+")

_LONGEST = 1_000
"""Characters of a target; a longer list of names makes several."""
_ENDINGS = (".py", ".pyx", ".pyi", ".pxd")
_SOURCE_FOLDERS = ("src", "lib", "python")
"""Folders of a project that hold its packages."""
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_SCRIPT_FOLDERS = frozenset(("", "scripts", "script", "tools", "bin", "examples"))
"""Folders whose files are run, so that what lies beside them is found before the standard library."""


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every import statement, also below functions and conditions, and every import by a fixed name."""
    if "import" not in text:
        return
    text = f"\n{text}"
    opaque, lines = Opaque(text, _OPAQUE), Lines(text)
    hits = [*_STATEMENT.finditer(text), *_CALL.finditer(text)]
    for found in sorted(hits, key=lambda hit: (hit.start(), hit.end())):
        start = found.start() + 1
        if opaque.covers(start):
            continue
        line = lines.at(start)
        for target in _statement(found) if found.re is _STATEMENT else _call(found):
            yield "i", target, line


def _statement(found: re.Match[str]) -> Iterator[str]:
    if found["word"]:
        for part in found["modules"].split(","):
            words = part.split(None, 1)
            if words and _PATH.fullmatch(words[0]):
                yield words[0]
        return
    base = "".join(found["dots"].split()) + found["base"]
    path = base.lstrip(".")
    if not base or len(base) > _LONGEST // 2 or (path and not _PATH.fullmatch(path)):
        return
    listed = found["names"] if found["inside"] is None else _COMMENT.sub("", found["inside"])
    first = (part.replace("\\", " ").split(None, 1) for part in listed.split(","))
    names = [words[0] for words in first if words]
    yield from _listed(base, [name for name in names if name.isidentifier() or name == "*"])


def _listed(base: str, names: Iterable[str]) -> Iterator[str]:
    target = f"{base}:"
    for name in dict.fromkeys(names):
        if len(target) + len(name) > _LONGEST:
            yield target.rstrip(",")
            target = f"{base}:"
        if len(target) + len(name) <= _LONGEST:
            target += f"{name},"
    if not target.endswith(":"):
        yield target.rstrip(",")


def _call(found: re.Match[str]) -> Iterator[str]:
    # A relative name counts from a package that is told elsewhere.
    if _PATH.fullmatch(found[1]):
        yield found[1]


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The files that an import means: submodules where the names are some, else the module or package."""
    base, colon, listed = target.partition(":")
    names = listed.split(",") if colon else None
    path = base.lstrip(".")
    parts = path.split(".") if path else []
    dots = len(base) - len(path)
    if dots:
        folder: str | None = folder_of(source)
        for _ in range(dots - 1):
            folder = folder_of(folder) if folder else None
        return () if folder is None else _found(folder, parts, names, source, tree)
    if not parts:
        return ()
    for root in _roots(source, parts[0], tree):
        if found := _found(root, parts, names, source, tree):
            return found
    return ()


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """Its stem; of a package its folder's name, or the dot of an import from the package one is in."""
    stem = stem_of(rel).casefold()
    if stem != "__init__":
        return (stem,)
    name = name_of(folder_of(rel)).casefold()
    return (".:", name) if name else (".:",)


def _found(root: str, parts: list[str], names: list[str] | None, source: str, tree: Tree) -> tuple[str, ...]:
    place = "/".join((root, *parts)).lstrip("/")
    own = _file(f"{place}/__init__" if place else "__init__", tree)
    if not own and (module := _file(place, tree)):
        return () if module == source else (module,)
    if names is None:
        return (own,) if own and own != source else ()
    found = {_module(f"{place}/{name}".lstrip("/"), tree) or own for name in names}
    return tuple(sorted(rel for rel in found if rel and rel != source))


def _module(place: str, tree: Tree) -> str:
    return _file(f"{place}/__init__", tree) or _file(place, tree)


def _file(place: str, tree: Tree) -> str:
    return next((place + ending for ending in _ENDINGS if place + ending in tree), "")


def _is_package(folder: str, tree: Tree) -> bool:
    return f"{folder}/__init__.py" in tree or f"{folder}/__init__.pyi" in tree


def _roots(source: str, first: str, tree: Tree) -> Iterator[str]:
    """The folders where the package ``first`` may begin for ``source``, the likeliest first.

    These are the folder that the top package of ``source`` is in, or that of ``source`` itself when it is in
    no package; those above, with the folders where projects keep their sources; and at last the one other
    project of the workspace that has such a package.
    """
    folder = base = folder_of(source)
    while folder:
        if _is_package(folder, tree):
            base = folder_of(folder)
        folder = folder_of(folder)
    if first in sys.stdlib_module_names:
        if base == folder_of(source) and name_of(base) in _SCRIPT_FOLDERS:
            yield base
        return
    yield base
    at = base
    while True:
        if at != base:
            yield at
        for name in _SOURCE_FOLDERS:
            yield f"{at}/{name}" if at else name
        if not at:
            break
        at = folder_of(at)
    packages = tree.derived(_project_packages).get(first, ())
    for chosen in nearest(source, packages):
        yield folder_of(folder_of(chosen))


def _project_packages(tree: Tree) -> dict[str, tuple[str, ...]]:
    """By name, the ``__init__`` files of top packages at the root of a project or in its source folder."""
    found: dict[str, list[str]] = {}
    for rel in (*tree.named("__init__.py"), *tree.named("__init__.pyi")):
        package = folder_of(rel)
        root = folder_of(package)
        if package and not _is_package(root, tree) and _is_project(root, tree):
            found.setdefault(name_of(package), []).append(rel)
    return {name: tuple(rels) for name, rels in found.items()}


def _is_project(root: str, tree: Tree) -> bool:
    folders = [root]
    if name_of(root) in _SOURCE_FOLDERS:
        folders.append(folder_of(root))
    return any(f"{folder}/{name}".lstrip("/") in tree for folder in folders for name in _PROJECT_FILES)
