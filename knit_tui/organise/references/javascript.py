"""Imports of JavaScript and TypeScript, and of the scripts in Vue, Svelte, Astro and HTML files.

A target is the specifier as it is written; one that names a folder by dots alone ends in ``index``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references import jsconfig
from knit_tui.organise.references.jsconfig import entries_naming, found_at
from knit_tui.organise.references.lexical import C_COMMENTS, DOUBLE_QUOTED, SINGLE_QUOTED, Lines, Opaque
from knit_tui.organise.tree import Tree, folder_of, joined, name_of

_SPECIFIER = r"[\"']([^\"'\n]{1,1000}+)[\"']"
_STATEMENT = re.compile(r"\n[ \t]*+(?:import|export)\b")
_CLAUSE = re.compile(
    r"\s*+((?:[\w$]++\s*+,?\s*+|\*\s*+|\{[^{}]*+\}\s*+,?\s*+){0,8}+)" + _SPECIFIER,
)
_CALL = re.compile(
    r"(?:import|require(?:\.resolve)?)\s*+\(\s*+(?:/\*[^*]*+\*/\s*+){0,3}"
    r"(?:" + _SPECIFIER + r"|`([^`$\\\n]{1,1000}+)`)\s*+[,)]"
)
_REFERENCE = re.compile(r"\n///[ \t]*+<reference[ \t]++path[ \t]*+=[ \t]*+" + _SPECIFIER)
_OPAQUE = re.compile(
    C_COMMENTS
    # A slash where no operand stands before it begins a regular expression.
    + r"|/(?:(?<=[(,=:\[!&|?{};\n]/)|(?<=[(,=:\[!&|?{};] /)|(?<==> /)|(?<=return /))"
    r"(?:[^\\/\[\n]++|\\.|\[(?:[^\]\\\n]++|\\.)*+\]?)*+/?"
    rf"|{DOUBLE_QUOTED}|{SINGLE_QUOTED}|`(?:[^`\\]++|\\[\s\S])*+`?"
)
_NO_FILE = re.compile(r"(?:[a-z][a-z\d+.-]++:|//|data:)", re.IGNORECASE)
"""What is fetched or built in: ``node:fs``, ``https://…``."""

_BLOCK = re.compile(r"<script\b([^<>]{0,1000}+)>", re.IGNORECASE)
_BLOCK_END = re.compile(r"</script\b", re.IGNORECASE)
_SOURCE = re.compile(r"\bsrc[ \t]*+=[ \t]*+" + _SPECIFIER, re.IGNORECASE)
_FRONT_MATTER = "---"


def manifest(name: str, text: str) -> Iterator[tuple[str, str, int]]:
    """What ``package.json`` and the compiler's configuration tell of names and where they lead."""
    return jsconfig.manifest(name, text)


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every import, re-export, dynamic import and ``require`` of a fixed specifier.

    A text that begins with a tag or a line of dashes is a page or component: its scripts are read.
    """
    begin = text.lstrip("\ufeff \t\r\n")[:4]
    if begin.startswith(("<", _FRONT_MATTER)):
        yield from _component(text)
    else:
        yield from _script(text, 0)


def _script(text: str, before: int) -> Iterator[tuple[str, str, int]]:
    """The references of a script that ``before`` lines stand before."""
    if "import" not in text and "require" not in text and "export" not in text and "///" not in text:
        return
    text = f"\n{text}"
    lines, opaque = Lines(text), Opaque(text, _OPAQUE)
    hits = [*_STATEMENT.finditer(text), *_CALL.finditer(text)]
    if "<reference" in text:
        hits += _REFERENCE.finditer(text)
    for found in sorted(hits, key=lambda hit: (hit.start(), hit.end())):
        if found.re is _REFERENCE:
            yield "i", found[1], before + lines.at(found.start(1))
        elif found.re is _CALL:
            start = found.start()
            if text[start - 1] not in "._$" and not text[start - 1].isalnum() and not opaque.covers(start):
                group = 1 if found[1] else 2
                yield from _target(found[group], before + lines.at(found.start(group)))
        elif clause := _CLAUSE.match(text, found.end()):
            words = clause[1].strip()
            if (words.endswith("from") or (not words and text.endswith("import", 0, found.end()))) and (
                not opaque.covers(found.start() + 1)
            ):
                yield from _target(clause[2], before + lines.at(clause.start(2)))


def _target(specifier: str, line: int) -> Iterator[tuple[str, str, int]]:
    target = specifier.strip()
    if target and not _NO_FILE.match(target):
        tail = name_of(target)
        if target[0] == "." and tail in ("", ".", "..") and not target.strip("./"):
            target = f"{target.rstrip('/')}/index"
        yield "i", target, line


def _component(text: str) -> Iterator[tuple[str, str, int]]:
    place = 0
    start = text.find(_FRONT_MATTER)
    if start >= 0 and not text[:start].strip("\ufeff \t\r\n"):
        end = text.find(f"\n{_FRONT_MATTER}", start)
        place = len(text) if end < 0 else end
        yield from _script(text[start + 3 : place], text.count("\n", 0, start))
    lines = Lines(text)
    while block := _BLOCK.search(text, place):
        line = lines.at(block.end())
        if (source := _SOURCE.search(block[1])) and not _NO_FILE.match(source[1]):
            path = source[1]
            yield "i", path if path[0] in "./" else f"./{path}", line + 1
        end_tag = _BLOCK_END.search(text, block.end())
        place = end_tag.start() if end_tag else len(text)
        yield from _script(text[block.end() : place], line)


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file that a specifier leads to: a path, or a name that a configuration or a package tells."""
    path = target.partition("?")[0]
    if path.startswith("."):
        place = joined(folder_of(source), path)
    elif path.startswith("/"):
        roots = [folder_of(rel) for rel, _ in tree.above("npm", source)] or [""]
        place = joined(roots[0], path)
    else:
        found = jsconfig.named(path, source, tree)
        return (found,) if found and found != source else ()
    found = "" if place is None else found_at(place, source, tree)
    return (found,) if found and found != source else ()


def keys(rel: str, tree: Tree) -> tuple[str, ...]:
    """Its name before the first dot, its folder's for an index, and the names that lead to it alone."""
    name = name_of(rel).casefold()
    stem = name[:1] + name[1:].partition(".")[0]
    found = {stem, *entries_naming(rel, tree)}
    if stem == "index" and (folder := name_of(folder_of(rel))):
        found.add(folder.casefold())
    return tuple(sorted(found))
