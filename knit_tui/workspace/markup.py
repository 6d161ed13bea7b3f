"""Title, summary and headings of reStructuredText, AsciiDoc, Org and plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_ENOUGH = 100
"""Characters of a paragraph that are gathered: more than any summary shows."""
LONGEST = 400
"""Characters of a heading or paragraph whose marks are taken out."""
_PAIRS = frozenset(2 * mark for mark in "=-~^\"'`#*+.:_<>$%&!,;?@\\|/")
_PLAIN_ADORNMENTS = "=-~*#"
_PLAIN_MARKS = frozenset(2 * mark for mark in _PLAIN_ADORNMENTS)


@dataclass(slots=True)
class Parts:
    """An outline while it is gathered."""

    title: str = ""
    summary: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)

    def head(self, line: int, level: int, text: str) -> None:
        """Take in a heading at a line (from 1); the first one of level 1 is the title."""
        if not text:
            return
        self.headings.append((line, text))
        if level == 1 and not self.title:
            self.title = text


def paragraph(lines: list[str], position: int, goes_on: Callable[[str], bool]) -> tuple[str, int]:
    """The text of the paragraph that starts at a line, as far as it matters, and the line after it."""
    words: list[str] = []
    length = 0
    while position < len(lines) and (not words or goes_on(lines[position])):
        text = lines[position].strip()
        if length < _ENOUGH:
            words.append(text)
        length += len(text) + 1
        position += 1
    return " ".join(words), position


_RST_LITERAL = re.compile(r"``([^`]{1,500})``")
_RST_ROLE = re.compile(r":[\w:+.-]{1,60}:`([^`]{1,500})`")
_RST_LINK = re.compile(r"`([^`<]{1,500}?)\s*(?:<[^`>]{0,500}>)?`_{0,2}")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,2})(?=[^\s*])([^*]{1,500})(?<=\S)\1(?!\w)")
_RST_OPTION = re.compile(r":[\w -]{1,60}:")
_LIST_ITEM = re.compile(r"(?:[-*+•]|#\.|\(?(?:\d{1,9}|[A-Za-z])[.)])(?:[ \t]|\Z)")


def outline_rst(lines: list[str]) -> Parts:
    """Outline reStructuredText: the style of the first heading is that of titles."""
    parts = Parts()
    styles: list[str] = []
    position = 0
    lines = [*lines, ""]
    while position < len(lines):
        line = lines[position]
        text = line.strip()
        indented = line[:1] in (" ", "\t")
        if not text or (indented and text[:2] not in _PAIRS):
            position += 1
            continue
        marked = text[:2] in _PAIRS or lines[position + 1].lstrip()[:2] in _PAIRS
        found = _underlined(lines, position) if marked else None
        if found:
            text, style, at, position = found
            if style not in styles:
                styles.append(style)
            parts.head(at, styles.index(style) + 1, _clean_rst(text))
            continue
        if indented or _adornment(text):
            position += 1
        elif not _is_rst_prose(text):
            position += 1
            while position < len(lines) and lines[position][:1] in (" ", "\t"):
                position += 1
        else:
            words, position = paragraph(lines, position, lambda following: bool(following.strip()))
            parts.summary = parts.summary or _clean_rst(words)
    return parts


def _is_rst_prose(text: str) -> bool:
    return not (
        text.startswith(("..", "|", "+-", ">>>", "__")) or _RST_OPTION.match(text) or _LIST_ITEM.match(text)
    )


def outline_plain(lines: list[str]) -> Parts:
    """Outline plain text: the first paragraph, and headings that are underlined."""
    parts = Parts()
    position = 0
    marks = [number for number, line in enumerate(lines) if line.lstrip()[:2] in _PLAIN_MARKS]
    marks.reverse()
    while position < len(lines):
        if parts.summary:  # only what an underline makes a heading matters now
            while marks and marks[-1] < position:
                marks.pop()
            if not marks:
                break
            position = max(position, marks[-1] - 1)
        text = lines[position].strip()
        if not text:
            position += 1
            continue
        found = _underlined(lines, position)
        if found and found[1][-1] in _PLAIN_ADORNMENTS:
            text, _, at, position = found
            parts.head(at, 2, " ".join(text.split()))
            continue
        if parts.summary or not any(character.isalnum() for character in text):
            position += 1
            continue
        words, position = paragraph(lines, position, lambda following: bool(following.strip()))
        parts.summary = " ".join(words.split())
    return parts


def _underlined(lines: list[str], position: int) -> tuple[str, str, int, int] | None:
    """A heading that starts at a line: its text, its style, its line from 1, and the line after it."""
    first = lines[position].strip()
    over = _adornment(first)
    if over and len(first) < 3:
        return None
    start = position + 1 if over else position
    if start + 1 >= len(lines):
        return None
    under = lines[start + 1].strip()
    mark = _adornment(under)
    if not mark or (over and (mark != over or len(under) != len(first))):
        return None
    text = lines[start].rstrip()
    if not text.strip() or _adornment(text.strip()) or (not over and text[0] in " \t"):
        return None
    if len(under) < min(len(text.strip()), 4) or len(text) > 200:
        return None
    return text.strip(), (over + mark), start + 1, start + 2


def _adornment(text: str) -> str:
    """The character that a line is made of, when it is one of those that underline."""
    if text[:2] in _PAIRS and not text.strip(text[0]):
        return text[0]
    return ""


def _clean_rst(text: str) -> str:
    text = _RST_LITERAL.sub(r"\1", text[:LONGEST])
    text = _RST_ROLE.sub(lambda found: re.sub(r"\s*<[^<>]*>\Z", "", found[1]), text)
    text = _RST_LINK.sub(r"\1", text)
    return " ".join(_EMPHASIS.sub(r"\2", text).split())


_ADOC_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ADOC_BLOCKS = ("----", "....", "++++", "////", "|===", "```")
_ADOC_NO_PROSE = (
    " ", "\t", ":", "[", ".", "|", "//", "'''", "<<<", "**",
    "image:", "include::", "ifdef", "ifndef", "endif", "toc::",
)  # fmt: skip
_ADOC_LINK = re.compile(r"(?:link:|xref:|https?://)[^\s\[\]]{1,500}\[([^\[\]]{0,300})\]")
_ADOC_MARKS = re.compile(r"(?<!\w)([*`#]{1,2}|\+{1,2})(?=\S)([^*`#+]{1,300})(?<=\S)\1(?!\w)")


def outline_asciidoc(lines: list[str]) -> Parts:
    """Outline AsciiDoc."""
    parts = Parts()
    position = 0
    ends_missing: set[str] = set()
    while position < len(lines):
        text = lines[position].rstrip()
        position += 1
        block = next((mark for mark in _ADOC_BLOCKS if text.startswith(mark)), "")
        if block and text not in ends_missing:
            end = next((n for n in range(position, len(lines)) if lines[n].rstrip() == text), -1)
            if end < 0:
                ends_missing.add(text)
            else:
                position = end + 1
            continue
        heading = _ADOC_HEADING.match(text)
        if heading:
            parts.head(position, len(heading[1]), _clean_adoc(heading[2].rstrip("= ")))
            while len(heading[1]) == 1 and position < len(lines) and lines[position].strip():
                position += 1  # author, revision and attributes of the document
        elif not parts.summary and text and _is_adoc_prose(text):
            words, position = paragraph(lines, position - 1, lambda following: bool(following.strip()))
            parts.summary = _clean_adoc(words)
    return parts


def _is_adoc_prose(text: str) -> bool:
    return not (text.startswith(_ADOC_NO_PROSE) or _LIST_ITEM.match(text) or _adornment(text))


def _clean_adoc(text: str) -> str:
    text = _ADOC_LINK.sub(r"\1", text[:LONGEST])
    return " ".join(_ADOC_MARKS.sub(r"\2", text).split())


_ORG_HEADING = re.compile(r"(\*{1,20})[ \t]+(\S.*)")
_ORG_KEYWORD = re.compile(r"#\+(\w{1,40}):?[ \t]*(.*)")
_ORG_TAGS = re.compile(r"[ \t]+:[\w@#%:]+:\Z")
_ORG_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELLED)[ \t]+|\[#[A-Z]\][ \t]*")
_ORG_LINK = re.compile(r"\[\[[^\[\]]{1,500}\](?:\[([^\[\]]{1,300})\])?\]")


def outline_org(lines: list[str]) -> Parts:
    """Outline Org: the title is what ``#+TITLE`` says."""
    parts = Parts()
    position = 0
    block = ""
    while position < len(lines):
        text = lines[position].strip()
        position += 1
        keyword = _ORG_KEYWORD.match(text)
        if keyword:
            name = keyword[1].lower()
            if block:
                block = "" if name == f"end_{block}" else block
            elif name.startswith("begin_"):
                block = name[6:]
            elif name == "title" and not parts.title:
                parts.title = _clean_org(keyword[2])
            elif name == "description" and not parts.summary:
                parts.summary = _clean_org(keyword[2])
            continue
        heading = _ORG_HEADING.match(lines[position - 1])
        if block and not heading:
            continue
        if heading:
            block = ""
            words = _ORG_STATE.sub("", _ORG_TAGS.sub("", heading[2]), count=2)
            parts.head(position, len(heading[1]) + 1, _clean_org(words))
        elif not parts.summary and _is_org_prose(text):
            words, position = paragraph(
                lines, position - 1, lambda following: _is_org_prose(following.strip())
            )
            parts.summary = _clean_org(words)
    return parts


def _is_org_prose(text: str) -> bool:
    return bool(text) and text[0] not in "#|:*" and not _LIST_ITEM.match(text) and not _adornment(text)


def _clean_org(text: str) -> str:
    text = _ORG_LINK.sub(lambda found: found[1] or found[0].strip("[]"), text[:LONGEST])
    text = re.sub(r"(?<!\w)([=~*/])(?=\S)([^=~*/\n]{1,300})(?<=\S)\1(?!\w)", r"\2", text)
    return " ".join(text.split())
