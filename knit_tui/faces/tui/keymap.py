"""Keys that the user chose for actions: how they may be written, and who gets a key that two want.

A key that the user gave to an action is taken from one that has it by default; between two that the user
gave it to, the first keeps it. Both are told. Knows nothing of Textual but the names of its keys.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace

from knit_tui.config import Fault, Source
from knit_tui.faces.tui.actions import KEYS_OF_A_LINE
from knit_tui.faces.tui.registry import Action

_NAMED = frozenset(
    "up down left right home end insert delete pageup pagedown backspace enter escape tab space".split()
) | {f"f{number}" for number in range(1, 25)}
_OTHER_NAMES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
}
_SHORTER = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_MODIFIERS = ("alt", "ctrl", "shift")
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "escape", "ctrl+h": "backspace"}
"""Keys that a terminal sends as others."""
_RESERVED = ("ctrl+c",)
"""It always leaves the panel."""


def key_name(written: str) -> str | None:
    """Textual's name of a key as a person writes it: ``p``, ``/``, ``slash``, ``esc``, ``ctrl+d``, ``F2``.

    None where there is no such key, or it is not free.
    """
    head, plus, last = written.rpartition("+")
    if plus and not last and (not head or head.endswith("+")):  # the key + itself
        head, last = head[:-1], "+"
    modifiers = [word.strip().lower() for word in head.split("+")] if head else []
    name = _plain_key(last if len(last) == 1 else last.strip())
    if name is None or any(word not in _MODIFIERS for word in modifiers):
        return None
    if "shift" in modifiers and len(name) == 1:
        if modifiers != ["shift"] or not name.isascii() or not name.isalpha():
            return None
        return name.upper()
    if "ctrl" in modifiers and len(name) == 1:
        name = name.lower()
    name = "+".join([*sorted(set(modifiers)), name])
    name = _SAME.get(name, name)
    return None if name in _RESERVED else name


def _plain_key(word: str) -> str | None:
    if len(word) == 1:
        return _of_character(word)
    name = word.lower()
    name = _OTHER_NAMES.get(name, name)
    if name in _NAMED or name in _BY_NAME:
        return name
    return None


def _of_character(character: str) -> str | None:
    if character.isalnum():
        return character
    if not character.isprintable() or unicodedata.combining(character):
        return None
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return _SHORTER.get(name, name) or None


_BY_NAME = frozenset(
    name for code in range(0x21, 0x7F) if (name := _of_character(chr(code))) is not None and len(name) > 1
)
"""The signs of ASCII by their names."""


def types(key: str) -> bool:
    """Whether a key of this name writes a sign where text is typed."""
    return "+" not in key and (key == "space" or key not in _NAMED)


def rebound(
    actions: Iterable[Action], keys: Mapping[str, tuple[str, ...]], sources: Mapping[str, Source]
) -> tuple[tuple[Action, ...], tuple[Fault, ...]]:
    """``actions`` with the keys that the user chose, and what could not be done about them."""
    actions = tuple(actions)
    known = {action.id: action for action in actions if action.id not in KEYS_OF_A_LINE}
    chosen: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    faults: list[Fault] = []
    for action_id, written in keys.items():
        key = f"keys.{action_id}"
        place = sources[key].name if key in sources else ""
        if action_id not in known:
            faults.append(Fault("action", place, key, _near(action_id, known)))
            continue
        got: list[str] = []
        for word in written:
            name = key_name(word)
            if name is None:
                faults.append(Fault("key-name", place, key, (("value", word),)))
            elif owner.setdefault(name, action_id) == action_id:
                got.append(name)
            else:
                faults.append(Fault("taken", place, key, (("value", word), ("by", owner[name]))))
        if got or not written:  # nothing but faults leaves the action as it was
            chosen[action_id] = tuple(dict.fromkeys(got))
    for action in known.values():
        lost = [name for name in action.keys if owner.get(name, action.id) != action.id]
        if action.id in chosen or not lost:
            continue
        chosen[action.id] = tuple(name for name in action.keys if name not in lost)
        for name in lost:
            by = f"keys.{owner[name]}"
            place = sources[by].name if by in sources else ""
            faults.append(Fault("taken-over", place, by, (("value", name), ("from", action.id))))
    return tuple(replace(a, keys=chosen[a.id]) if a.id in chosen else a for a in actions), tuple(faults)


def _near(action_id: str, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    from difflib import get_close_matches

    known = list(known)
    same = [name for name in known if name.rpartition(".")[2] == action_id]
    close = same or get_close_matches(action_id[:60], known, 1)
    return (("near", close[0]),) if close else ()
