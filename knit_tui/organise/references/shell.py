"""Files that shell scripts source, and that Bats tests load.

A target is the fixed end of the path; ``$`` stands before it when something that only a run can tell comes
first, such as the folder of the script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knit_tui.organise.references.lexical import Lines
from knit_tui.organise.tree import Tree, folder_of, joined, only

_COMMAND = re.compile(r"(?:source|\.|load)[ \t]++(?=[\"'$\w./`])")
_PART = re.compile(
    r"(?P<varies>\$\((?:[^()\n]++|\([^()\n]*+\))*+\)|\$\{[^{}\n]*+\}|\$\w++|\$[@*#?$!-]|`[^`\n]*+`)"
    r"|[\"']|(?P<fixed>[\w./@+:,%=~-]++)"
)
_BEFORE = ("&&", "||", ";", "{", "(", "!", "then", "do", "else", "if")
_LONGEST = 400
"""Characters of a line before a command, and of the word after it, that are looked at."""


def extract(text: str) -> Iterator[tuple[str, str, int]]:
    """Every ``source``, ``.`` and ``load`` of a path that ends in something fixed."""
    lines = Lines(f"\n{text}")
    for found in _COMMAND.finditer(text):
        if _begins(text, found.start()):
            target = _target(text[found.end() : found.end() + _LONGEST])
            if target:
                yield "i", target, lines.at(found.start() + 1)


def _begins(text: str, place: int) -> bool:
    """Whether a command begins there, and no comment stands before it."""
    low = max(0, place - _LONGEST)
    start = text.rfind("\n", low, place) + 1
    if not start and low:
        return False
    before = text[start:place].strip()
    return not before or (before.endswith(_BEFORE) and not before.startswith("#") and " #" not in before)


def _target(text: str) -> str:
    varies, fixed, place = False, "", 0
    while part := _PART.match(text, place):
        place = part.end()
        if part["varies"]:
            varies, fixed = True, ""
        else:
            fixed += part["fixed"] or ""
    if varies:
        return f"${fixed.lstrip('/')}" if fixed.startswith("/") and fixed.strip("/.") else ""
    return "" if fixed.startswith(("/", "~", "-")) or not fixed.strip("/.") else fixed


def resolve(target: str, source: str, tree: Tree) -> tuple[str, ...]:
    """The file: seen from the script, or else from the workspace or a folder between them."""
    path = target.removeprefix("$")
    folder = folder_of(source)
    while True:
        place = joined(folder, path)
        for ending in ("", ".bash", ".sh"):
            if place and place + ending in tree:
                return only([place + ending], source)
        if not folder:
            return ()
        folder = folder_of(folder) if path is not target else ""
