"""Title, summary and headings of Markdown."""

from __future__ import annotations

import re

from knit_tui.workspace.markup import LONGEST, Parts, paragraph

_FRONT_MATTER_LINES = 200
_HEADING_LENGTH = 120
"""Characters of a paragraph that an underline makes a heading; below a longer one it is a rule."""
_KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*[:=][ \t]*(.*)")
_LIST_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_REFERENCE = re.compile(r"\[[^\]]{1,200}\]:")
_NO_PROSE = ("#", ">", "|", "<", ":::", "{%", "{{", "!!!", "???", "$$")
_FENCES = ("```", "~~~")
_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^>]{0,300})?>(.*)", re.IGNORECASE)

_MARKS = re.compile(r"[\\`*_\[<~]")
_CODE_SPAN = re.compile(r"(`{1,3})([^`]+)\1")
_IMAGE = re.compile(r"!\[[^\[\]]{0,500}\](?:\([^()]{0,1000}\)|\[[^\[\]]{0,200}\])")
_LINK = re.compile(r"\[([^\[\]]{0,500})\](?:\([^()]{0,1000}\)|\[[^\[\]]{0,200}\])")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]{1,500})>")
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|center|code|div|em|font|h[1-6]|i|img|kbd|p|picture|s|samp|small|source|span|strong"
    r"|sub|summary|sup|u)(?:\s[^<>]{0,500})?/?>|<!--.{0,500}?-->",
    re.IGNORECASE,
)
_STARS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]{1,500})(?<=\S)\1(?!\w)")
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^_]{1,500})(?<=\S)\1(?!\w)")
_TILDES = re.compile(r"~~([^~]{1,500})~~")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~])")

_ESCAPED = 0xF0000
"""Where escaped characters wait while marks are taken out: nobody uses that plane of Unicode."""
_ESCAPED_CHARACTER = re.compile("[\U000f0000-\U000f007f]")


def outline_markdown(lines: list[str]) -> Parts:
    """Outline Markdown: front matter, headings of both kinds, the first paragraph of prose."""
    position, matter = _front_matter(lines)
    parts = Parts(title=matter.get("title", ""), summary=matter.get("description", ""))
    comments_end = True
    in_item = False
    while position < len(lines):
        line = lines[position]
        text = line.strip()
        position += 1
        fence = _fence_of(line, text) if text[:3] in _FENCES else ""
        if fence:
            position = _after_fence(lines, position, fence)
            continue
        if not text or _is_indented(line) or (in_item and line[0] == " "):
            continue
        in_item = not text[0].isalpha() and bool(_LIST_ITEM.match(text))
        if text.startswith("<!--") and comments_end and "-->" not in text:
            end = next((n for n in range(position, len(lines)) if "-->" in lines[n]), -1)
            comments_end = end >= 0
            position = end + 1 if comments_end else position
            continue
        level, heading = _atx(text) if text[0] == "#" else (0, "")
        start = position
        if text[:2].lower() == "<h":
            level, heading, position = _html_heading(lines, position - 1)
        if level:
            parts.head(start, level, clean(heading))
        elif _is_prose(text):
            words, position = paragraph(lines, position - 1, _is_prose_line)
            level = _underline(lines[position].strip()) if position < len(lines) else 0
            if level and len(words) <= _HEADING_LENGTH:
                parts.head(start, level, clean(words))
                position += 1
            elif not parts.summary:
                parts.summary = clean(words)
    return parts


def clean(text: str) -> str:
    """The text of a line without its marks; the underscores of identifiers stay."""
    if not _MARKS.search(text):
        return " ".join(text[:LONGEST].split())
    pieces: list[str] = []
    done = 0
    text = _ESCAPE.sub(lambda found: chr(_ESCAPED + ord(found[1])), text[:LONGEST])
    text = _IMAGE.sub("", text)
    text = _LINK.sub(r"\1", text)
    for code in _CODE_SPAN.finditer(text):
        pieces += _unmarked(text[done : code.start()]), code[2]
        done = code.end()
    pieces.append(_unmarked(text[done:]))
    plain = _ESCAPED_CHARACTER.sub(lambda found: chr(ord(found[0]) - _ESCAPED), "".join(pieces))
    return " ".join(plain.split())


def _unmarked(text: str) -> str:
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    text = _TILDES.sub(r"\1", _STARS.sub(r"\2", text))
    return _UNDERSCORES.sub(_without_underscores, text)


def _without_underscores(found: re.Match[str]) -> str:
    """Emphasis loses its marks; ``__init__`` is no emphasis to anybody."""
    return found[0] if len(found[1]) > 1 and found[2].isidentifier() else found[2]


def _front_matter(lines: list[str]) -> tuple[int, dict[str, str]]:
    """Where the text begins, and what the front matter before it says of title and description."""
    mark = lines[0].strip()
    if mark not in ("---", "+++"):
        return 0, {}
    said: dict[str, str] = {}
    keys = 0
    for number, line in enumerate(lines[1:_FRONT_MATTER_LINES], 1):
        text = line.strip()
        if text == mark or (mark == "---" and text == "..."):
            # A rule at the top and another further down hold no front matter between them.
            return (number + 1, said) if keys or number == 1 else (0, {})
        key = _KEY.match(line)
        if key:
            keys += 1
            if key[1].lower() in ("title", "description") and key[2]:
                said[key[1].lower()] = _value(key[2])
        elif not keys and text and not text.startswith("#"):
            break
    return 0, {}


def _value(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].strip()
    return "" if text in ("|", ">", "|-", ">-") else text


def _fence_of(line: str, text: str) -> str:
    """The marks of a code fence at the start of a line that may be one, or nothing."""
    if _is_indented(line):
        return ""
    marks = text[: len(text) - len(text.lstrip(text[0]))]
    return "" if marks[0] == "`" and "`" in text[len(marks) :] else marks


def _after_fence(lines: list[str], position: int, fence: str) -> int:
    """The line after the one that closes a code fence."""
    while position < len(lines):
        line = lines[position]
        position += 1
        if fence in line and not line.strip().strip(fence[0]) and not _is_indented(line):
            break
    return position


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t"))


def _atx(text: str) -> tuple[int, str]:
    """Level and text of a ``#`` heading; level 0 when it is none."""
    content = text.lstrip("#")
    level = len(text) - len(content)
    if not 1 <= level <= 6 or (content and content[0] not in " \t"):
        return 0, ""
    content = content.strip()
    without = content.rstrip("#")
    if without != content and (not without or without[-1] in " \t"):
        content = without.rstrip()
    return level, content


def _underline(text: str) -> int:
    """The level of the heading that a line underlines, or 0."""
    if not text:
        return 0
    return 1 if not text.strip("=") else 2 if not text.strip("-") else 0


def _html_heading(lines: list[str], position: int) -> tuple[int, str, int]:
    """Level and text of an ``<h1>`` to ``<h6>`` at a line, and the line after it."""
    text = " ".join(line.strip() for line in lines[position : position + 6])
    found = _HTML_HEADING.match(text)
    if not found:
        return 0, "", position + 1
    end = f"</h{found[1]}>"
    inside = re.split(end, found[2], maxsplit=1, flags=re.IGNORECASE)
    if len(inside) == 1:
        return 0, "", position + 1
    while end not in lines[position].lower():
        position += 1
    return int(found[1]), inside[0], position + 1


def _is_prose(text: str) -> bool:
    if text[0].isalpha():
        return not text.startswith(("import ", "export "))
    return not (
        text.startswith(_NO_PROSE) or _LIST_ITEM.match(text) or _RULE.match(text) or _REFERENCE.match(text)
    )


def _is_prose_line(line: str) -> bool:
    text = line.strip()
    return bool(text) and _is_prose(text) and bool(text.strip("=")) and text[:3] not in _FENCES
