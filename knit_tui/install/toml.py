"""Changes to a configuration text that is TOML: one table put at its end or taken out, all else left alone.

Every change is proved before it is given: the new text means what the old one meant, and the table.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from knit_tui.install.jsonc import NotUnderstood

_HEADER = re.compile(r"[ \t]*\[{1,2}[ \t]*(?P<name>[^\]\r\n]+?)[ \t]*\]{1,2}[ \t]*(?:#.*)?$")


def read(text: str) -> dict[str, Any]:
    """What a configuration says.

    Raises:
        NotUnderstood: it is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise NotUnderstood("toml", int(found[1]) if found else 0) from None
    except RecursionError:
        raise NotUnderstood("deep") from None


def put(text: str, path: tuple[str, ...], table: dict[str, str | int | list[str]]) -> str:
    """``text`` with a table of its own for ``path`` at the end.

    Raises:
        NotUnderstood: there is something at that place, or none can be put there.
    """
    wanted = read(text)
    place = wanted
    for name in path[:-1]:
        place = place.setdefault(name, {})
        if not isinstance(place, dict):
            raise NotUnderstood("no-object", subject=name)
    if path[-1] in place:
        raise NotUnderstood("there", subject=path[-1])
    place[path[-1]] = table
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = ["[" + ".".join(path) + "]", *(f"{key} = {_value(value)}" for key, value in table.items()), ""]
    gap = newline if text and not text.endswith("\n") else ""
    gap += newline if text.strip() else ""
    return _proved(text + gap + newline.join(lines), wanted)


def remove(text: str, path: tuple[str, ...]) -> str:
    """``text`` without the table for ``path`` and those below it.

    Raises:
        NotUnderstood: it is written in another way than as tables.
    """
    wanted = read(text)
    place = wanted
    for name in path[:-1]:
        place = place.get(name, {})
    if not isinstance(place, dict) or path[-1] not in place:
        raise NotUnderstood("gone", subject=path[-1])
    del place[path[-1]]
    new = _cut(text, path)
    try:
        return _proved(new, wanted)
    except NotUnderstood:
        if place:
            raise
    _forget(wanted, path[:-1])  # an empty table, there only because of ours, means nothing
    return _proved(new, wanted)


def _cut(text: str, path: tuple[str, ...]) -> str:
    """``text`` without the lines from a header of ``path`` to the next other one.

    What looks like a header within a text of several lines is taken for one; the proof finds that out.
    """
    kept: list[str] = []
    block: list[str] = []
    for line in text.splitlines(keepends=True):
        found = _HEADER.match(line.rstrip("\r\n"))
        header = _names(found["name"]) if found else None
        if header is not None and header[: len(path)] == path:
            if not block and kept and not kept[-1].strip():
                kept.pop()
            block.append(line)
        elif header is not None:
            kept += [*_tail(block), line]  # what stands above the next table belongs to that one
            block = []
        else:
            (block or kept).append(line)
    return "".join(kept)


def _tail(block: list[str]) -> list[str]:
    """The blank lines and comments that a block of lines ends with."""
    start = len(block)
    while start > 1 and (not block[start - 1].strip() or block[start - 1].lstrip().startswith("#")):
        start -= 1
    return block[start:]


def _forget(said: dict[str, Any], path: tuple[str, ...]) -> None:
    for name in path[:-1]:
        said = said[name]
    if path:
        del said[path[-1]]


def _names(dotted: str) -> tuple[str, ...] | None:
    try:
        said = tomllib.loads(f"[{dotted}]")
    except tomllib.TOMLDecodeError:
        return None
    names: list[str] = []
    while isinstance(said, dict) and said:
        name, said = next(iter(said.items()))
        names.append(name)
    return tuple(names)


def _value(value: str | int | list[str]) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        # A basic string of TOML is written as one of JSON is, but for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _proved(text: str, wanted: dict[str, Any]) -> str:
    try:
        same = read(text) == wanted
    except NotUnderstood:
        same = False
    if not same:
        raise NotUnderstood("unsure")
    return text
