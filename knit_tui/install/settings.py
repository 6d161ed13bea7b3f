"""Changes to a configuration text that is JSON: an entry put in or taken out, all else left alone.

Every change is proved before it is given: the new text means what the old one meant, and the entry.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from knit_tui.install.jsonc import (
    Edit,
    Node,
    NotUnderstood,
    changed,
    parse,
    skipped,
    with_part,
    without_part,
)


def read(text: str) -> dict[str, Any]:
    """What a configuration says; nothing for an empty one.

    Raises:
        NotUnderstood: it is no JSON object.
    """
    said = _tree(text)[1].value()
    assert isinstance(said, dict)
    return said


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """``text`` with ``value`` under ``path``, where nothing is yet.

    Raises:
        NotUnderstood: there is no such place in it.
    """
    base, node = _tree(text)
    rest = list(path)
    while len(rest) > 1 and (part := node.find(rest[0])) is not None:
        node = _object(part.node, rest.pop(0))
    if node.find(rest[0]) is not None:
        raise NotUnderstood("there", subject=rest[0])
    for name in reversed(rest[1:]):
        value = {name: value}
    return _proved(base, with_part(base, node, rest[0], value), _putting(path[: -len(rest)], rest[0], value))


def append(text: str, path: tuple[str, ...], value: Any) -> str:
    """``text`` with ``value`` at the end of the list under ``path``, which is made where there is none.

    Raises:
        NotUnderstood: there is something else.
    """
    base, node = _tree(text)
    for name in path:
        part = node.find(name)
        if part is None:
            return put(text, path, [value])
        node = part.node if name == path[-1] else _object(part.node, name)
    if node.mark != "[":
        raise NotUnderstood("no-list", subject=path[-1])

    def appended(said: Any) -> None:
        _at(said, path).append(value)

    return _proved(base, with_part(base, node, "", value), appended)


def remove(text: str, path: tuple[str, ...], number: int | None = None) -> str:
    """``text`` without what stands under ``path``, or without that element of the list there.

    Raises:
        NotUnderstood: nothing does, or it cannot be taken out.
    """
    base, node = _tree(text)
    upper = path if number is not None else path[:-1]
    for name in upper:
        part = node.find(name)
        if part is None:
            raise NotUnderstood("gone", subject=name)
        node = part.node
    if number is None:
        part = node.find(path[-1])
        if part is None:
            raise NotUnderstood("gone", subject=path[-1])
        place = node.parts.index(part)
    else:
        place = number

    def removed(said: Any) -> None:
        del _at(said, upper)[path[-1] if number is None else number]

    return _proved(base, without_part(base, node, place), removed)


def _tree(text: str) -> tuple[str, Node]:
    """A text that holds an object, made one if it holds nothing, and that object."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    if skipped(text, len(mark)) == len(text):
        text = (text if not text or text.endswith("\n") else text + "\n") + "{}\n"
    return text, _object(parse(text), "")


def _object(node: Node, name: str) -> Node:
    if node.mark != "{":
        raise NotUnderstood("no-object", subject=name)
    return node


def _at(said: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        said = said[name]
    return said


def _putting(path: tuple[str, ...], key: str, value: Any) -> Callable[[Any], None]:
    def putting(said: Any) -> None:
        _at(said, path)[key] = value

    return putting


def _proved(text: str, edits: list[Edit], change: Callable[[Any], None]) -> str:
    wanted = deepcopy(parse(text).value())
    change(wanted)
    new = changed(text, edits)
    try:
        same = parse(new).value() == wanted
    except NotUnderstood:
        same = False
    if not same:
        raise NotUnderstood("unsure")
    return new
