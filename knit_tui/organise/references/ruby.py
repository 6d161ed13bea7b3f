"""Files that Ruby requires and loads.

A target that begins with ``./`` or ``../`` is relative to the file; any other is looked for in the folders
that Ruby is usually told to look in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import Lines
from knit_tui.organise.tree import Tree, folder_of, joined, only

_STRING = r"(?:\"([^\"#\n]{1,300}+)\"|'([^'\n]{1,300}+)')"
_REQUIRE = re.compile(
    r"\n[ \t]*+(?:begin[ \t;]++)?(?:Kernel\.)?"
    r"(?:(?P<how>require_relative|require|load)\b[ \t]*+\(?[ \t]*+"
    r"(?P<expand>File\.(?:expand_path\(?|join\([ \t]*+(?:File\.)?dirname\(__FILE__\)[ \t]*+,)[ \t]*+)?"
    r"|(?:\w{1,80}+\.)?autoload\b[ \t]*+\(?[ \t]*+:\w++[ \t]*+,[ \t]*+)"
    rf"{_STRING}(?P<from>[ \t]*+,[ \t]*+(?:__FILE__|__dir__))?"
)
_LOAD_FOLDERS = ("lib", "test", "spec", "tests", "features")


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every ``require``, ``require_relative``, ``load`` and ``autoload`` of a fixed path."""
    text = f"\n{text}"
    lines = Lines(text)
    for found in _REQUIRE.finditer(text):
        target = _target(found, found[3] or found[4])
        if target:
            yield "i", target, lines.at(found.start() + 1)


def _target(found: re.Match[str], path: str) -> str:
    if found["how"] == "require_relative":
        return f"./{path}"
    if not found["expand"]:
        return path
    path = path.lstrip("/")
    if "join" in found["expand"] or (found["from"] or "").endswith("__dir__"):
        return f"./{path}"
    # From __FILE__ the first step up leads out of the file itself.
    if found["from"] and path.startswith("../"):
        return f"./{path[3:]}"
    return ""


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file: from the file itself, from a load folder above it, or the only one below a ``lib``."""
    own = folder_of(source)
    if target.startswith(("./", "../")):
        return only(_file(own, target, tree), source)
    folder = own
    while True:
        for name in _LOAD_FOLDERS:
            found = _file(f"{folder}/{name}", target, tree)
            if found:
                return only(found, source)
        if not folder:
            break
        folder = folder_of(folder)
    if target in tree:
        return only([target], source)
    return only(tree.ending(f"lib/{target.removesuffix('.rb')}.rb"), source)


def _file(folder: str, path: str, tree: Tree) -> list[str]:
    place = joined(folder, path)
    if not place:
        return []
    return [each for each in (f"{place}.rb", place) if each in tree][:1]
