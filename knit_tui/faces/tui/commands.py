"""What the palette offers: every action by a name of its own, and each value of what can be set."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from knit_tui.config.settings import LANGUAGES, THEMES
from knit_tui.faces.i18n import N_, _
from knit_tui.faces.tui.actions import BY_ID, keys_text
from knit_tui.faces.tui.registry import GROUPS, Action

_LANGUAGE_NAMES = {"auto": N_("automatic"), "en": "English", "zh_CN": "中文"}

_KINDS = {
    "copy": N_("copy"),
    "edit": N_("document"),
    "excluded": N_("view"),
    "filter": N_("view"),
    "focus": N_("move"),
    "inspect": N_("document"),
    "item": N_("document"),
    "language": N_("language"),
    "move": N_("move"),
    "pane": N_("document"),
    "preview": N_("document"),
    "recent": N_("view"),
    "scroll": N_("preview"),
    "session": N_("session"),
    "sort": N_("sort"),
    "split": N_("view"),
    "tab": N_("tab"),
    "task": N_("task"),
    "theme": N_("theme"),
    "usage": N_("usage"),
    "view": N_("view"),
    "workspace": N_("workspace"),
    "workspace.copy": N_("copy"),
}
"""What a name begins with, by an id or its first part; of all others it is the panel."""

_NAMES = {
    "copy.path": N_("path"),
    "copy.line": N_("path:line"),
    "copy.absolute": N_("absolute path"),
    "copy.link": N_("Markdown link"),
    "copy.passage": N_("passage"),
    "excluded.show": N_("what is excluded"),
    "pane.choose": N_("choose the agent's pane"),
    "recent.show": N_("recent documents"),
    "scroll.next_match": N_("next match"),
    "scroll.previous_match": N_("previous match"),
    "session.choose": N_("choose"),
    "tab.previous": N_("to the left"),
    "tab.next": N_("to the right"),
    "task.ask": N_("one of your own"),
    "task.follow": N_("that of the session"),
    "usage.lens": N_("more or less"),
    "usage.off": N_("off"),
    "view.sort": N_("other order"),
    "view.wrap": N_("wrap long lines"),
    "workspace.copy": N_("path of the workspace"),
    "workspace.open": N_("folder"),
}
"""Where the label says what the beginning says, or too little without its neighbours."""

_LEFT_OUT = ("panel.commands",)


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to choose; every text is translated."""

    action: Action
    name: str
    """Its kind and what it does or sets: ``theme: nord``."""
    help: str
    value: str = ""
    """What holds now of what it changes."""
    why_not: str = ""
    """Why it would do nothing now."""


def choices() -> tuple[Action, ...]:
    """An action without a key for each value of sort, theme and language."""
    shown, panel = BY_ID["view.sort"].group, BY_ID["panel.help"].group
    sort_help = N_("Set the order of the list")
    theme_help = N_("Until knit ends; panel.theme in the settings keeps it")
    language_help = N_("Until knit ends; panel.language in the settings keeps it")
    sorts = (("relevance", N_("relevance")), ("newest", N_("newest first")))
    return (
        *(Action(f"sort.{name}", (), label, sort_help, shown) for name, label in sorts),
        *(Action(f"theme.{name}", (), name, theme_help, panel) for name in THEMES),
        *(
            Action(f"language.{name}", (), _LANGUAGE_NAMES.get(name, name), language_help, panel)
            for name in LANGUAGES
        ),
    )


def offered(
    actions: Iterable[Action], values: Mapping[str, str], useless: Mapping[str, str]
) -> tuple[Command, ...]:
    """``actions`` and the choices as commands, in the order of the help.

    Args:
        actions: With the keys that they have.
        values: What holds now, by action.
        useless: Why an action would do nothing now, by action.
    """
    every = [action for action in (*actions, *choices()) if action.group and action.id not in _LEFT_OUT]
    every.sort(key=lambda action: GROUPS.index(action.group))
    return tuple(
        Command(action, _name(action), _(action.help), values.get(action.id, ""), useless.get(action.id, ""))
        for action in every
    )


def _name(action: Action) -> str:
    kind = _KINDS.get(action.id) or _KINDS.get(action.id.partition(".")[0]) or N_("panel")
    return _("{kind}: {name}").format(kind=_(kind), name=_(_NAMES.get(action.id, action.label)))


def search(commands: Sequence[Command], text: str, recent: Sequence[str] = ()) -> tuple[Command, ...]:
    """The commands that hold every word of ``text``, in any order, the best first.

    A word counts most where it begins a word of the name, then elsewhere in the name, then in the help, its
    heading, its id or its keys. Equals stay in their order, but for one whose name is ``text``; without a
    text, the ids of ``recent`` come first.
    """
    words = text.lower().split()
    if not words:
        last = {action_id: place for place, action_id in enumerate(recent)}
        return tuple(sorted(commands, key=lambda each: last.get(each.action.id, len(last))))
    found = []
    for command in commands:
        costs = [_cost(command, word) for word in words]
        if None not in costs:
            found.append((sum(filter(None, costs)), command))
    written = " ".join(words)
    found.sort(key=lambda each: (each[0], each[1].name.lower() != written))
    return tuple(command for _sum, command in found)


def _cost(command: Command, word: str) -> int | None:
    name = command.name.lower()
    if word in name:
        return 0 if any(part.startswith(word) for part in _parts(name)) else 1
    action = command.action
    more = f"{command.help}\n{_(action.group)}\n{action.id}\n{keys_text(action)}".lower()
    if word in more:
        return 3 if any(part.startswith(word) for part in _parts(more)) else 4
    return None


def _parts(text: str) -> Collection[str]:
    return (*text.split(), *re.split(r"[^\w]+", text))


def remembered(recent: Sequence[str], action_id: str, most: int = 5) -> tuple[str, ...]:
    """``recent`` with ``action_id`` as the last that was used."""
    return (action_id, *(each for each in recent if each != action_id))[:most]
