"""What the registry of actions means for keys: bindings, and how keys are written on screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.registry import ACTIONS, Action

if TYPE_CHECKING:
    from textual.binding import BindingType

KEYS_OF_A_LINE = ("filter.keep", "task.keep")
"""Their keys are those of the line in which something is typed."""

BY_ID = {action.id: action for action in ACTIONS}

_current = ACTIONS


def use_actions(actions: tuple[Action, ...]) -> None:
    """Show and bind these from now on: `ACTIONS`, some of them with other keys."""
    global _current
    _current = actions


def actions_now() -> tuple[Action, ...]:
    """Every action with the keys that it has now."""
    return _current


def key_of(action_id: str) -> str:
    """How the first key of an action is written on screen; its label when the user left it none."""
    action = next(each for each in _current if each.id == action_id)
    return key_text(action.keys[0]) if action.keys else _(action.label)


_KEY_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "at": "@",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "equals_sign": "=",
    "minus": "-",
    "comma": ",",
    "full_stop": ".",
    "percent_sign": "%",
    "colon": ":",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
}


def key_text(key: str) -> str:
    """How a key is written on screen."""
    return _KEY_NAMES.get(key, key)


def keys_text(action: Action) -> str:
    """How the keys of an action are written on screen."""
    return " ".join(map(key_text, action.keys))


_WITH_NAME = ("split", "language", "move", "scroll", "sort", "tab", "theme")


def command(action_id: str) -> str:
    """The action as Textual runs it: ``group_name``, or ``group('name')`` where one method serves a group."""
    group, _, name = action_id.partition(".")
    return f"{group}({name!r})" if group in _WITH_NAME else f"{group}_{name}"


def bindings(actions: Iterable[Action] = ACTIONS) -> list[BindingType]:
    """Key bindings for the screen whose methods run ``actions``.

    Each twice: a key that comes to the widgets first, as one must where text is typed, is done when the keys
    behind it are already on their way to what has the focus now. ``at_once`` is done before, and the screen
    refuses it while text is typed.
    """
    from textual.binding import Binding

    usual = [
        Binding(",".join(action.keys), command(action.id), action.label, show=False, id=action.id)
        for action in actions
        if action.id not in KEYS_OF_A_LINE and action.keys
    ]
    return [
        *(Binding(each.key, f"at_once({each.id!r})", show=False, priority=True) for each in usual),
        *usual,
    ]
