"""JSON with comments, read with the place of each value, so that a text can be changed where it must be.

Comments, the order of keys, indentation and line ends of everything else stay as they are. Comments and a
trailing comma are understood; any other departure from JSON is not, nor is a key that is given twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 100
"""Objects and lists within each other."""
_BLANK = " \t\r\n"
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"[-+.A-Za-z0-9]+")
_MARKS = {"{": "}", "[": "]"}


class NotUnderstood(Exception):
    """The text is not what this editor knows how to change. ``line`` is from 1, 0 when it is nowhere."""

    def __init__(self, why: str, line: int = 0, subject: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.subject = subject


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` takes the place of what stands from ``start`` to ``end``."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class Node:
    """A value and where it stands. ``parts`` are the elements of a list, or the members of an object."""

    start: int
    mark: str
    """``{``, ``[``, or empty for a plain value."""
    end: int = 0
    plain: Any = None
    parts: list[Part] = field(default_factory=list)
    comma: bool = False
    """A comma stands after the last part."""

    def value(self) -> Any:
        """What it means to Python; of a key that is given twice, the last."""
        if self.mark == "{":
            return {part.key: part.node.value() for part in self.parts}
        if self.mark == "[":
            return [part.node.value() for part in self.parts]
        return self.plain

    def find(self, key: str) -> Part | None:
        """The member with this key.

        Raises:
            NotUnderstood: this is no object, or has the key twice.
        """
        if self.mark != "{":
            raise NotUnderstood("no-object")
        found = [part for part in self.parts if part.key == key]
        if len(found) > 1:
            raise NotUnderstood("twice", subject=key)
        return found[0] if found else None


@dataclass(slots=True)
class Part:
    """An element; ``start`` is that of its key where it has one."""

    start: int
    key: str
    node: Node
    comma: int = -1
    """Where the comma after it stands, if one does."""


def changed(text: str, edits: Sequence[Edit]) -> str:
    """``text`` after ``edits``, none of which overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def parse(text: str) -> Node:
    """The value that ``text`` is.

    Raises:
        NotUnderstood: it is none.
    """
    return _Reader(text).whole()


def skipped(text: str, position: int, *, line: bool = False) -> int:
    """Where the next thing stands that is neither space nor comment; with ``line``, or this line ends.

    Raises:
        NotUnderstood: a comment has no end.
    """
    while position < len(text):
        if line and text[position] in "\r\n":
            return position
        if text[position] in _BLANK:
            position += 1
        elif text.startswith("//", position):
            found = re.compile(r"[\r\n]|$").search(text, position)
            position = found.start() if found else len(text)
        elif text.startswith("/*", position):
            end = text.find("*/", position + 2)
            if end < 0:
                raise NotUnderstood("comment", text.count("\n", 0, position) + 1)
            if line and "\n" in text[position:end]:
                return position
            position = end + 2
        else:
            break
    return position


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 1 if text.startswith("\ufeff") else 0

    def whole(self) -> Node:
        node = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._wrong("more")
        return node

    def _wrong(self, why: str) -> NotUnderstood:
        return NotUnderstood(why, self._text.count("\n", 0, self._at) + 1)

    def _skip(self) -> None:
        self._at = skipped(self._text, self._at)

    def _next(self) -> str:
        self._skip()
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> Node:
        mark = self._next()
        if mark in ("{", "["):
            if depth >= DEEPEST:
                raise self._wrong("deep")
            return self._group(mark, depth + 1)
        node = Node(self._at, "")
        node.plain = self._string() if mark == '"' else self._scalar()
        node.end = self._at
        return node

    def _group(self, mark: str, depth: int) -> Node:
        node = Node(self._at, mark)
        self._at += 1
        while self._next() != _MARKS[mark]:
            if node.parts and not node.comma:
                raise self._wrong("comma")
            part = self._part(mark, depth)
            node.parts.append(part)
            node.comma = self._next() == ","
            if node.comma:
                part.comma = self._at
                self._at += 1
        self._at += 1
        node.end = self._at
        return node

    def _part(self, mark: str, depth: int) -> Part:
        start, key = self._at, ""
        if mark == "{":
            if self._next() != '"':
                raise self._wrong("key")
            key = self._string()
            if self._next() != ":":
                raise self._wrong("colon")
            self._at += 1
        return Part(start, key, self._value(depth))

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            raise self._wrong("string")
        try:
            said = json.loads(found[0])
        except ValueError:
            raise self._wrong("string") from None
        self._at = found.end()
        return str(said)

    def _scalar(self) -> Any:
        found = _SCALAR.match(self._text, self._at)
        try:
            if found is None or len(found[0]) > 1000:
                raise ValueError
            said = json.loads(found[0], parse_constant=_no_constant)
        except ValueError:
            raise self._wrong("value") from None
        self._at = found.end()
        return said


def _no_constant(name: str) -> None:
    raise ValueError(name)


def with_part(text: str, group: Node, key: str, value: Any) -> list[Edit]:
    """What puts ``value`` at the end of ``group``: under ``key`` in an object, else as an element."""
    style = _Style(text)
    if not group.parts:
        return _first_part(style, group, key, value)
    last = group.parts[-1]
    if not style.own_line(group.parts[0].start):
        said = _rendered(key, value)
        if group.comma:
            return [Edit(last.comma + 1, last.comma + 1, f" {said},")]
        return [Edit(last.node.end, last.node.end, f", {said}")]
    indent = style.indent(group.parts[0].start)
    said = style.newline + indent + style.lines(key, value, indent)
    if group.comma:
        place = skipped(text, last.comma + 1, line=True)
        return [Edit(place, place, said + ",")]
    place = _line_end(text, last.node.end)
    if place == last.node.end:
        return [Edit(place, place, "," + said)]
    return [Edit(last.node.end, last.node.end, ","), Edit(place, place, said)]


def _line_end(text: str, position: int) -> int:
    """After the comments that stand behind a value on its line."""
    place = skipped(text, position, line=True)
    return position if not text[position:place].strip() else place


def _first_part(style: _Style, group: Node, key: str, value: Any) -> list[Edit]:
    text, close = style.text, group.end - 1
    outer = style.indent(group.start)
    inner = outer + style.unit
    said = style.newline + inner + style.lines(key, value, inner)
    if not text[group.start + 1 : close].strip():
        return [Edit(group.start + 1, close, said + style.newline + outer)]
    # Comments are in there.
    tail = len(text[:close]) - len(text[:close].rstrip())
    if "\n" in text[close - tail : close]:
        return [Edit(close - tail, close - tail, said)]
    return [Edit(close, close, _rendered(key, value) + " ")]


def without_part(text: str, group: Node, number: int) -> list[Edit]:
    """What takes the part with this number out of ``group``, and the line that only it stood on."""
    part, style = group.parts[number], _Style(text)
    start, end = part.start, part.comma + 1 if part.comma >= 0 else part.node.end
    edits = []
    if part.comma < 0 and number:  # the last one takes the comma before it along
        comma = group.parts[number - 1].comma
        edits.append(Edit(comma, comma + 1, ""))
    alone = style.own_line(start)
    rest = re.compile(r"[ \t]*(\r?\n|$)").match(text, end)
    if len(group.parts) == 1 and not (text[group.start + 1 : start] + text[end : group.end - 1]).strip():
        return [Edit(group.start + 1, group.end - 1, "")]
    if alone and rest:
        return [*edits, Edit(style.line_start(start), rest.end(), "")]
    if alone:
        return [*edits, Edit(start, end, "")]
    while text[start - 1] in " \t" and (not edits or start - 1 > edits[0].start):
        start -= 1
    return [*edits, Edit(start, end, "")]


class _Style:
    """How a text is laid out."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        found = re.search(r"^([ \t]+)\S", text, re.M)
        self.unit = found[1] if found else "  "

    def line_start(self, position: int) -> int:
        return self.text.rfind("\n", 0, position) + 1

    def own_line(self, position: int) -> bool:
        """Whether only spaces stand before ``position`` on its line, which is not the first."""
        start = self.line_start(position)
        return start > 0 and not self.text[start:position].strip()

    def indent(self, position: int) -> str:
        line = self.text[self.line_start(position) : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def lines(self, key: str, value: Any, indent: str) -> str:
        """``value`` over several lines, all but the first indented."""
        said = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return _named(key) + said.replace("\n", self.newline + indent)


def _rendered(key: str, value: Any) -> str:
    return _named(key) + json.dumps(value, ensure_ascii=False)


def _named(key: str) -> str:
    return json.dumps(key, ensure_ascii=False) + ": " if key else ""
