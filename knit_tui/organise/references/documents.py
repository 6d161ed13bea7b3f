"""Files that documents mention: Markdown, reStructuredText, AsciiDoc, Org and plain text.

What counts is decided when a mention is resolved, against the files there are; so anything that may be a
path is taken up here, and a wrong guess costs a few bytes. Three forms:

``p``  a path that is mentioned: relative to the document, from a folder above it, or the only path that
       ends so
``w``  only a whole path: from a block of code, with blanks in it, or a link without an ending, where a part
       of a path would invent too much
``n``  the name of a document without its ending: ``[[name]]``, ``:doc:`name```, entries of a ``toctree``
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from knit_tui.organise.references.blocks import code_blocks, entries, markup_of

_LONGEST = 1_024
"""Characters of a path that are looked at."""
_ENDING = r"\.(?P<ending>[A-Za-z][A-Za-z0-9]{0,9}(?![A-Za-z0-9_@+/~%(-]|\.\w))"
"""The ending of a path, where the path ends."""
_MENTION = re.compile(
    rf"{_ENDING}"
    r"|``(?P<double>[^`\n]++)``"
    r"|`(?P<span>[^`\n]++)`"
    r"|\](?:\((?P<link>[^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+)\)"
    r"|:[ \t]*+(?P<definition><[^<>\n]*+>|[^\s<]\S*+))"
    r"|\[\[(?P<wiki>[^\[\]\n]++)\](?=[\[\]])"
    r"|=[\"'](?P<value>[^\"'<>\n]*+)[\"']"
    r"|:(?P<url>//)[!#-&*-;=?-Z\\^_a-~]*+"
)
"""Whatever mentions a file. Each branch begins with a character that is rare in prose, which makes the
search fast, and none crosses the end of a line."""
_BARE = re.compile(_ENDING)
_RUN = re.compile(r"[\w./@+~%（）-]*+")
"""What a path that is not marked as one is made of."""
_OPENS = frozenset(" \t\n\r\f\v\u00a0\u3000([{<（【「『《〈\"'“‘*|>,;，、。；：│├└─")
"""What may stand before such a path."""
_BEFORE_DOT = frozenset(" \t\n\r(（\"'")
"""What may stand before a name that begins with its dot."""
_MACRO = re.compile(r":{1,2}(?:ecnatsni|edulcni|egami|feilt|ferx|knil|oediv)\b")
"""Words of AsciiDoc, read from their end, that a path follows after colons."""
_PATH = re.compile(r"[\w./@+~%（）()-]+(?: [\w./@+~%（）()-]+){0,20}\Z")
_ROLE = re.compile(r"(?::([\w.+:-]{1,30}):|\{([\w.+:-]{1,30})\})\Z")
"""A role of reStructuredText or MyST, before a span."""
_LONGEST_ROLE = 32
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?!\d)|//")
_SUFFIX = re.compile(r"[#?]|::|:\d|:L\d")
"""Where what follows a path begins: an anchor, a query, a test, a line."""
_HAS_ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}\Z")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})++")
_TITLES = (' "', " '", " (")
_BARE_NAMES = frozenset(
    """
    Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Justfile justfile Procfile Rakefile Gemfile
    Vagrantfile Brewfile Podfile Fastfile Tiltfile Caddyfile BUILD WORKSPACE LICENSE LICENCE COPYING NOTICE
    README CHANGELOG CHANGES CONTRIBUTING AUTHORS CODEOWNERS
    """.split()
)
"""Names without an ending that a code span means a file with."""


class Found(NamedTuple):
    """A mention, as ``references.extract`` wants it."""

    form: str
    target: str
    line: int


def extract(name: str, text: str) -> Iterator[Found]:
    """Every mention of what may be a file in a document called ``name``; targets are decoded."""
    markup = markup_of(name)
    yield from (Found("n", _plain(target), line) for target, line in entries(markup, text))
    blocks = code_blocks(markup, text)
    start, end = next(blocks, (len(text), len(text)))
    line = 1
    counted = floor = 0
    after_url = False
    for found in _MENTION.finditer(text):
        place = found.start()
        line += text.count("\n", counted, place)
        counted = place
        while place >= end:
            start, end = next(blocks, (len(text), len(text)))
        kind = found.lastgroup
        if kind == "ending":
            path = _bare(text, place, found.end(), floor, after_url)
            if path:
                yield Found("w" if place >= start or " " in path else "p", path, line)
        elif place >= start:
            yield from (Found("w", path, line) for path in _paths_in(found[0]))
        elif kind != "url":
            for form, target in _marked(text, found, markup):
                if target:
                    yield Found(form, target, line)
        floor = found.end()
        after_url = kind == "url"


def _bare(text: str, dot: int, end: int, floor: int, after_url: bool) -> str:
    """The path that ends in the ending at ``dot``; nothing when what stands before it is not one."""
    # A match runs forward only, and the path begins somewhere before its ending: read backwards.
    before = text[max(floor, dot - _LONGEST) : dot][::-1]
    length = _RUN.match(before).end()  # type: ignore[union-attr]
    opening = before[length : length + 1]
    if not opening and (dot - length > floor or (floor and after_url)):
        return ""
    if opening and opening not in _OPENS and not (opening == ":" and _MACRO.match(before, length)):
        return ""
    if not length and (opening not in _BEFORE_DOT if opening else floor):
        return ""
    path = _inside(text[dot - length : end])
    return "" if path.startswith("//") else _decoded(path)


def _inside(path: str) -> str:
    """What follows the last full-width parenthesis that is not closed again."""
    depth = 0
    for place in range(len(path) - 1, -1, -1) if "（" in path else ():
        depth += (path[place] == "）") - (path[place] == "（")
        if depth < 0:
            return path[place + 1 :]
    return path


def _paths_in(text: str) -> Iterator[str]:
    """The bare paths of a part of a line."""
    floor = 0
    for found in _BARE.finditer(text):
        path = _bare(text, found.start(), found.end(), floor, False)
        floor = found.end()
        if path:
            yield path


def _marked(text: str, found: re.Match[str], markup: str) -> Iterator[tuple[str, str]]:
    """What a span, a link or a definition mentions: form and target."""
    kind = found.lastgroup
    if kind in ("span", "double"):
        yield from _in_span(text, found, found[kind].strip())
    elif kind == "link":
        if "{" in found["link"]:
            yield from (("p", path) for path in _paths_in(found["link"]))
        else:
            yield _link(found["link"])
    elif kind == "definition":
        if _begins_line(text, found.start()):
            yield _link(found["definition"])
    elif kind == "wiki":
        yield _wiki(found["wiki"], markup)
    elif text[max(0, found.start() - 4) : found.start()].lower().endswith(("src", "href")):
        yield _link(found["value"])
    else:
        yield from (("p", path) for path in _paths_in(found["value"]))


def _in_span(text: str, found: re.Match[str], span: str) -> Iterator[tuple[str, str]]:
    role = _ROLE.search(text, max(0, found.start() - _LONGEST_ROLE), found.start())
    if role:
        name = role[1] or role[2]
        if name in ("doc", "std:doc"):
            yield "n", _plain(_angled(span))
        elif name in ("file", "download"):
            yield _link(_angled(span))
    elif text.startswith("_", found.end()) and span.endswith(">"):
        yield _link(_angled(span))
    elif "/" not in span and "." not in span:
        if span in _BARE_NAMES:
            yield "p", span
    elif not _SCHEME.match(span):
        path = _unsuffixed(span)
        if _PATH.match(path):
            if path.strip("./") and ("/" in path or _BARE.search(path)):
                yield "p", _decoded(path).rstrip("/")
        else:
            yield from (("p", each) for each in _paths_in(span))


def _link(raw: str) -> tuple[str, str]:
    target = raw.strip()
    if target.startswith("<"):
        target = target[1:].partition(">")[0]
    elif target.endswith(('"', "'", ")")):
        for mark in _TITLES:
            target = target.partition(mark)[0]
    target = target.removeprefix("file:")
    if _SCHEME.match(target):
        return "", ""
    target = _plain(target)
    # A page of the site that is made of the documents has the path of its document, but not its ending.
    vague = " " in target or target.endswith(".html") or not _HAS_ENDING.search(target)
    return "w" if vague else "p", target


def _wiki(raw: str, markup: str) -> tuple[str, str]:
    target = raw.partition("|")[0].strip()
    target = target.removeprefix("file:")
    if _SCHEME.match(target):
        return "", ""
    target = _plain(target)
    return "p" if markup == "org" else "n", target


def _begins_line(text: str, bracket: int) -> bool:
    """Whether the ``]`` there closes the label of a link definition."""
    start = max(text.rfind("\n", max(0, bracket - 200), bracket) + 1, bracket - 200)
    label = text[start:bracket].lstrip(" \t>")
    return label.startswith("[") and not label.startswith("[^") and "]" not in label


def _angled(span: str) -> str:
    """The target of ``title <target>``, or all of it."""
    return span[span.rfind("<") + 1 : -1] if span.endswith(">") else span


def _plain(target: str) -> str:
    """A target without what follows its path, its escapes taken back."""
    return _decoded(_ESCAPE.sub(r"\1", _unsuffixed(target).strip())).rstrip("/")


def _unsuffixed(target: str) -> str:
    suffix = _SUFFIX.search(target)
    return target[: suffix.start()] if suffix else target


def _decoded(target: str) -> str:
    if "%" not in target:
        return target
    return _ENCODED.sub(
        lambda code: bytes.fromhex(code[0].replace("%", "")).decode("utf-8", "replace"), target
    )
