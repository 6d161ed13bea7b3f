"""Parts of documents that are not prose: blocks of code, and tables of contents."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKUP = {
    "md": "markdown",
    "markdown": "markdown",
    "mdown": "markdown",
    "mkd": "markdown",
    "mkdn": "markdown",
    "mdx": "markdown",
    "qmd": "markdown",
    "rmd": "markdown",
    "rst": "rst",
    "rest": "rst",
    "adoc": "asciidoc",
    "asciidoc": "asciidoc",
    "org": "org",
}
_INDENT = 60
"""Characters of indentation that are looked at."""
_BEFORE_FENCE = " \t>-*+.:0123456789"
_FENCE = re.compile(r"```(`*+)[^`\n]*+(?:\n|\Z)|~~~(~*+)[^\n]*+(?:\n|\Z)")
_FENCE_END = re.compile(r"[`~]++[ \t\r]*+(?:\n|\Z)")
_RST_BLOCK = re.compile(r"::[ \t]*+([\w.+-]{0,30}+)[ \t\r]*+\n")
_RST_CODE = frozenset(
    "code code-block sourcecode parsed-literal literal prompt highlight ipython doctest testcode".split()
)
_ADOC_BLOCK = re.compile(r"(?:^|\n)(-{4,}+|\.{4,}+)[ \t\r]*+(?=\n|\Z)")
_ORG_BLOCK = re.compile(r"#\+(begin|end)_(?:src|example)\b", re.IGNORECASE)
_TOCTREE = re.compile(r"\{toctree\}|\.\. toctree::")


def markup_of(name: str) -> str:
    """How a document of this name is written: ``markdown``, ``rst``, ``asciidoc``, ``org`` or ``plain``."""
    return _MARKUP.get(name.rpartition(".")[2].lower(), "plain") if "." in name else "plain"


def code_blocks(markup: str, text: str) -> Iterator[tuple[int, int]]:
    """Where blocks of code begin and end, in order."""
    if markup in ("markdown", "plain"):
        return _fenced(text)
    if markup == "rst":
        return _indented(text)
    return _paired(text) if markup == "asciidoc" else _org(text)


def entries(markup: str, text: str) -> Iterator[tuple[str, int]]:
    """The documents a table of contents (``toctree``) lists, with their lines from 1."""
    if markup not in ("markdown", "rst") or "toctree" not in text:
        return
    line = 1
    counted = 0
    for found in _TOCTREE.finditer(text):
        first = text.find("\n", found.end()) + 1
        if not first or first < counted:
            continue
        line += text.count("\n", counted, first)
        counted = first
        number = line
        indent = found.start() - (text.rfind("\n", max(0, found.start() - _INDENT), found.start()) + 1)
        fenced = found[0][0] == "{"
        while counted < len(text):
            stop = text.find("\n", counted)
            stop = len(text) if stop < 0 else stop
            row = text[counted:stop]
            entry = row.strip()
            deeper = len(row) - len(row.lstrip()) > indent
            if (fenced and entry.startswith(("```", "~~~", ":::"))) or (not fenced and entry and not deeper):
                break
            if (entry and entry[0] not in ":#.") or entry.startswith(("./", "../")):
                target = entry[entry.rfind("<") + 1 : -1] if entry.endswith(">") else entry
                if "*" not in target and "://" not in target and target != "self":
                    yield target.strip(), number
            counted = min(stop + 1, len(text))
            number += 1
        line = number


def _first_on_line(text: str, place: int, before: str) -> bool:
    """Whether nothing but characters of ``before`` stands before ``place`` on its line."""
    low = max(0, place - _INDENT)
    start = text.rfind("\n", low, place) + 1
    return (start > 0 or low == 0) and not text[start:place].strip(before)


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    while opened := _FENCE.search(text, place):
        place = opened.end()
        if not _first_on_line(text, opened.start(), _BEFORE_FENCE):
            continue
        fence = text[opened.start() : opened.end(opened.lastindex or 0)]
        end = text.find(fence, place)
        while end >= 0 and not (_first_on_line(text, end, " \t>") and _FENCE_END.match(text, end)):
            end = text.find(fence, end + len(fence))
        place = end + len(fence) if end >= 0 else len(text)
        yield opened.start(), end if end >= 0 else len(text)


def _indented(text: str) -> Iterator[tuple[int, int]]:
    """Literal blocks of reStructuredText: what is deeper than the line that announces it."""
    place = 0
    while found := _RST_BLOCK.search(text, place):
        place = found.end()
        start = text.rfind("\n", max(0, found.start() - 2_000), found.start()) + 1
        row = text[start : found.start()]
        head = row.lstrip()
        if found[1] if not head.startswith(".. ") else head[3:] not in _RST_CODE:
            continue
        indent = len(row) - len(head)
        end = place
        while end < len(text):
            stop = text.find("\n", end)
            stop = len(text) if stop < 0 else stop
            line = text[end:stop]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            end = min(stop + 1, len(text))
        yield place, end
        place = end


def _paired(text: str) -> Iterator[tuple[int, int]]:
    opened: re.Match[str] | None = None
    for found in _ADOC_BLOCK.finditer(text):
        if opened is None:
            opened = found
        elif opened[1] == found[1]:
            yield opened.start(), found.end()
            opened = None


def _org(text: str) -> Iterator[tuple[int, int]]:
    start = -1
    for found in _ORG_BLOCK.finditer(text):
        if found[1].lower() == "begin":
            start = found.start() if start < 0 else start
        elif start >= 0:
            yield start, found.end()
            start = -1
