"""Modules of Rust: which files a file declares, uses and includes.

Targets: ``mod a::b`` is a module that the file declares (below its own inline modules); ``use PATH`` a path
that begins with ``crate``, ``super`` (as often as it climbs), ``self`` or a name, as seen from the module
that the file is, cut before the first type or constant; ``path FILE`` and ``file FILE`` are written paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import C_COMMENTS, Lines, Opaque
from knit_tui.organise.references.rustcrates import (
    crate_of,
    is_root,
    library_root,
    modules_folder,
    root_files,
    root_folder,
)
from knit_tui.organise.references.rustcrates import manifest as manifest
from knit_tui.organise.tree import Tree, folder_of, joined, name_of, stem_of

_ATTRIBUTES = r"(?:#\[[^\]\n]{0,200}+\][ \t]*+)*+"
_STATEMENT = re.compile(
    rf"\n[ \t]*+(?=[pume#]){_ATTRIBUTES}(?:pub(?:\([^()\n]{{0,60}}+\))?[ \t]++)?"
    r"(?:(?P<use>use)[ \t\n]++(?P<outer>::)?"
    r"|mod[ \t]++(?:r#)?(?P<mod>[A-Za-z_]\w*+)[ \t\n]*+(?P<end>[;{])"
    r"|extern[ \t]++crate[ \t]++(?P<crate>\w++))"
)
_INDENTATION = re.compile(r"[ \t]*+")
_PATH = re.compile(
    r"\n[ \t]*+#\[(?:cfg_attr\([^\"\n]{0,200}?(?<![\w])path|path)[ \t]*+=[ \t]*+\"([^\"\n]{1,300}+)\""
)
_INCLUDE = re.compile(r"include(?:_str|_bytes)?![ \t]*+[(\[{]\s*+r?#*+\"([^\"\n]{1,300}+)\"")
_OPAQUE = re.compile(
    C_COMMENTS + r"|\"(?:(?<=##\")(?:[^\"]++|\"(?!##))*+(?:\"##|\Z)|(?<=#\")(?:[^\"]++|\"(?!#))*+(?:\"#|\Z)"
    r"|(?<=r\")[^\"]*+\"?|(?:[^\"\\]++|\\[\s\S])*+\"?)"
    r"|'(?:\\[^\n]|[^\\'\n])'"
)
_TOKEN = re.compile(rf"\s++|{C_COMMENTS}|(?P<word>(?:r#)?\w++)|(?P<sign>::|[{{}},;*])")
_CLOSED = {"std", "core", "alloc", "proc_macro", "test"}
_DEEPEST = 16
_MOST = 500
"""Paths of one statement that are looked at."""


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every declared module, used path and included file, with inline modules resolved."""
    text = f"\n{text}"
    lines, inline = Lines(text), _Inline(text)
    # Most files have nothing of many lines in which a line could look like a statement.
    opaque = Opaque(text, _OPAQUE) if "/*" in text or '"#' in text else None
    hits = [*_STATEMENT.finditer(text)]
    if "#[path" in text or "#[cfg_attr" in text:
        hits += _PATH.finditer(text)
    if "include" in text:
        hits += _INCLUDE.finditer(text)
    attributed = -1
    for found in sorted(hits, key=lambda hit: (hit.start(), hit.end())):
        start = found.start() + 1
        if opaque and opaque.covers(start):
            continue
        if found.re is _INCLUDE:
            yield "i", f"file {found[1]}", lines.at(start)
            continue
        within = inline.at(start)
        if found.re is _PATH:
            if not within:
                yield "i", f"path {found[1]}", lines.at(start)
            attributed = found.end()
        elif found["mod"]:
            if found["end"] == "{":
                inline.enter(found["mod"], _indentation(text, start), found.end())
            elif attributed < 0 or text.count("\n", attributed, found.end()) > 3:
                yield "i", f"mod {'::'.join((*within, found['mod']))}", lines.at(start)
            attributed = -1
        elif found["crate"]:
            if found["crate"] not in _CLOSED:
                yield "i", f"use {found['crate']}", lines.at(start)
        else:
            outer = found["outer"] or ""
            for path, place in _used(text, found.end()):
                if target := _seen(path, within):
                    yield "i", f"use {outer}{target}", lines.at(place)


def _indentation(text: str, start: int) -> str:
    found = _INDENTATION.match(text, start)
    return found[0] if found else ""


class _Inline:
    """The inline modules around a place, told by the indentation of the brace that closes each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, int]] = []
        self._ends: dict[str, int] = {}

    def enter(self, name: str, indentation: str, place: int) -> None:
        """Go into the module whose brace is before ``place``."""
        end = self._ends.get(indentation, 0)
        if end < place:
            end = self._text.find(f"\n{indentation}}}", place)
            # Where none follows, none will follow later.
            self._ends[indentation] = end = len(self._text) if end < 0 else end
        if len(self._open) < _DEEPEST:
            self._open.append((name, end))

    def at(self, place: int) -> tuple[str, ...]:
        while self._open and self._open[-1][1] < place:
            self._open.pop()
        return tuple(name for name, _ in self._open)


def _used(text: str, place: int) -> Iterator[tuple[list[str], int]]:
    """Each path of a tree of uses, with the place of its last word."""
    stack: list[list[str]] = []
    path: list[str] = []
    last = place
    before = "::"
    for _ in range(_MOST * 8):
        token = _TOKEN.match(text, place)
        if not token:
            return
        place = token.end()
        if word := token["word"]:
            if word == "as" and before != "::":
                before = "as"
            elif before == "as":
                before = "name"
            elif before in ("::", "{", ","):
                path.append(word.removeprefix("r#"))
                before, last = "word", token.start()
            else:
                # Two words in a row: prose, not code.
                return
        elif sign := token["sign"]:
            if sign == "{":
                if before not in ("::", "{", ",") or len(stack) >= _DEEPEST or len(path) > _DEEPEST:
                    return
                stack.append(path)
                path = list(path)
            elif sign == "*":
                path.append("*")
                last = token.start()
            elif sign != "::":
                if not stack and sign != ";":
                    return
                if len(path) > len(stack[-1] if stack else ()):
                    yield path, last
                if sign == ";":
                    return
                if sign == "}":
                    stack.pop()
                path = list(stack[-1]) if stack else []
            before = sign


def _seen(path: list[str], within: tuple[str, ...]) -> str:
    """A used path as seen from the module of the file, without what can be no module; or nothing."""
    first = path[0]
    if first in _CLOSED:
        return ""
    if first in ("self", "super"):
        path = [*within, *path]
        climbed: list[str] = []
        supers = 0
        for part in path:
            if part == "super":
                if climbed:
                    climbed.pop()
                else:
                    supers += 1
            elif part != "self":
                climbed.append(part)
        path = [*(["super"] * supers or ["self"]), *climbed]
    kept = path[:1]
    for part in path[1:]:
        if part in ("*", "self") or part[:1].isupper():
            break
        kept.append(part)
    return "" if kept == ["self"] else "::".join(kept)


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The files that a target means from ``source``."""
    form, _, said = target.partition(" ")
    if form in ("path", "file"):
        place = joined(folder_of(source), said)
        found = place if place is not None and place in tree else ""
    elif form == "mod":
        found = _module(modules_folder(source, tree), said.split("::"), tree)
    elif form == "use":
        found = _use(said.split("::"), source, tree)
    else:
        found = ""
    return (found,) if found and found != source else ()


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """Its stem, its folder's name for ``mod.rs``; ``crate`` and its crate's name for a root; ``super``."""
    stem = stem_of(rel).casefold()
    found = {stem}
    if stem == "mod" and (folder := name_of(folder_of(rel))):
        found = {folder.casefold(), "mod.rs"}
    if tree.is_folder(modules_folder(rel, tree)):
        found.add("super")
    if is_root(rel, tree):
        found.update(("crate", crate_of(rel, tree)))
    return tuple(sorted(found - {""}))


def _use(path: list[str], source: str, tree: Tree) -> str:
    first, rest = path[0], path[1:]
    if not first:
        return _of_library(rest, source, tree)
    if first in ("self", "super"):
        folder = modules_folder(source, tree)
        top = root_folder(source, tree)
        climbs = 0
        while path and path[0] in ("self", "super"):
            climbs += path.pop(0) == "super"
        for _ in range(climbs):
            if top is None or folder == top or not folder:
                return ""
            folder = folder_of(folder)
        return _longest(folder, path, tree) or (_owner(folder, source, tree) if climbs else "")
    if first == "crate":
        top = root_folder(source, tree)
        if top is None:
            return ""
        return _longest(top, rest, tree) or _only(root_files(top, source, tree))
    return _longest(modules_folder(source, tree), path, tree) or _of_library(path, source, tree)


def _of_library(path: list[str], source: str, tree: Tree) -> str:
    root = library_root(path[0], source, tree)
    return (_longest(folder_of(root), path[1:], tree) or root) if root else ""


def _only(files: tuple[str, ...]) -> str:
    return files[0] if len(files) == 1 else ""


def _longest(folder: str, path: list[str], tree: Tree) -> str:
    """The file of the module that is deepest on a path; the rest of the path are its items."""
    for count in range(len(path), 0, -1):
        if found := _module(folder, path[:count], tree):
            return found
    return ""


def _module(folder: str, path: list[str], tree: Tree) -> str:
    place = "/".join((folder, *path)).lstrip("/")
    return next((rel for rel in (f"{place}.rs", f"{place}/mod.rs") if rel in tree), "")


def _owner(folder: str, source: str, tree: Tree) -> str:
    """The file of the module whose child modules are in a folder."""
    if folder == root_folder(source, tree):
        return _only(root_files(folder, source, tree))
    return next((rel for rel in (f"{folder}.rs", f"{folder}/mod.rs") if rel in tree), "")
