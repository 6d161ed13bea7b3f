"""The registry of actions: keys that every keyboard has, hints, README, and that no key does harm."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.binding import Binding

from knit_tui.engine.changes import (
    Ask,
    Exclude,
    Follow,
    Inspect,
    Pin,
    Redo,
    Restore,
    Track,
    Undo,
    Unpin,
    WorkspaceChanged,
)
from knit_tui.faces.tui.actions import BY_ID, KEYS_OF_A_LINE, command, key_text
from knit_tui.faces.tui.keymap import types
from knit_tui.faces.tui.registry import ACTIONS, Action
from knit_tui.faces.tui.screens.main import MainScreen
from knit_tui.faces.tui.widgets.hint_bar import HintBar
from tests.panel.sample import snapshot

Open = Callable[..., Any]

AWKWARD = {key_text(name) for name in ("at", "left_square_bracket", "right_square_bracket")} | set(
    "{}<>\\|~^`#"
)
"""Signs that some keyboards have only with AltGr, or as dead keys."""
ESSENTIAL_NOT = ("panel.suspend",)
"""The shell's own key, which has no other name anywhere."""


def test_every_action_has_a_key_of_its_own_and_a_method() -> None:
    keys = [key for action in ACTIONS if action.id not in KEYS_OF_A_LINE for key in action.keys]
    assert len(keys) == len(set(keys))
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    for action in ACTIONS:
        name = command(action.id).partition("(")[0]
        assert hasattr(MainScreen, f"action_{name}"), action.id
        assert action.help and action.label


def test_the_bindings_follow_the_registry() -> None:
    ids = {each.id for each in MainScreen.BINDINGS if isinstance(each, Binding) and not each.priority}
    assert ids == {action.id for action in ACTIONS if action.keys} - set(KEYS_OF_A_LINE)


def test_no_action_needs_ctrl_or_a_sign_that_a_keyboard_may_lack() -> None:
    for action in ACTIONS:
        if not action.keys or action.id in ESSENTIAL_NOT:
            continue
        sure = [
            key
            for key in action.keys
            if not key.startswith(("ctrl+", "alt+")) and key_text(key) not in AWKWARD
        ]
        assert sure, f"{action.id} has nothing but {action.keys}"


# Hints


def hints(where: str, width: int) -> list[str]:
    bar = HintBar()
    bar._where = where
    line = bar.pieces(width)
    assert sum(cell_len(piece.text) for piece in line) <= max(width, 0)
    return list(dict.fromkeys(piece.action for piece in line if piece.action))


@pytest.mark.parametrize("where", ("list", "preview", "filter", "task", "lens"))
def test_hints_leave_from_the_right_and_help_stays(where: str) -> None:
    at_the_right = {"panel.help", "panel.commands", "panel.quit", "panel.back"}
    before = hints(where, 400)
    assert len(before) <= 9
    for width in range(200, 1, -1):
        now = hints(where, width)
        assert "panel.help" in now and set(now) <= set(before)
        left = [each for each in now if each not in at_the_right]
        assert left == [each for each in before if each not in at_the_right][: len(left)]
    assert len(hints(where, 40)) >= 3
    assert where == "list" or "panel.back" in hints(where, 40)


def test_hints_name_no_key_that_would_be_typed() -> None:
    bar = HintBar()
    bar._where = "filter"
    keys = {piece.text for piece in bar.pieces(200) if piece.style == "key"}
    assert keys == {"enter", "esc", "f1", "ctrl+p"}


# README


def table() -> Iterator[tuple[list[str], str]]:
    """The keys of each row of README's table, and what is said of them."""
    readme = Path(__file__).resolve().parents[2] / "README.md"
    rows = readme.read_text("utf-8").split("| key | |\n| --- | --- |\n")[1].split("\n\n")[0]
    for row in rows.splitlines():
        cell, meaning = row.strip("| ").split(" | ", 1)
        cell = cell.replace("arrows", "`up` `down`")
        for first, last in re.findall(r"`(\d)` – `(\d)`", cell):
            cell += " ".join(f"`{number}`" for number in range(int(first), int(last)))
        yield list(dict.fromkeys(re.findall(r"`([^`]+)`", cell))), meaning


def said_of(action: Action) -> set[str]:
    return set(re.findall(r"\w{3,}", f"{action.id} {action.label} {action.help}".lower().replace("_", " ")))


def test_every_key_of_readme_is_a_key_with_that_meaning() -> None:
    rows = list(table())
    assert len(rows) > 8
    by_key = {key_text(key): action for action in ACTIONS for key in action.keys if action.group}
    for keys, meaning in rows:
        words = set(re.findall(r"\w{3,}", meaning.lower())) - {"the", "and", "for"}
        for key in keys:
            assert key in by_key, f"README has {key}, and no action has"
            said = said_of(by_key[key])
            alike = [w for w in words for s in said if w.startswith(s) or s.startswith(w)]
            assert alike, f"README says of {key}: {meaning}, and it is {by_key[key].help}"


# Every key, anywhere

HARMLESS = (Ask, Exclude, Follow, Inspect, Pin, Redo, Restore, Track, Undo, Unpin, WorkspaceChanged)
LEAVE = ("panel.quit", "panel.suspend")
NOBODYS = ("f9", "ctrl+y", "alt+q", "ctrl+shift+f7", "ü", "section_sign", "insert", "ctrl+pagedown")
PLACES: dict[str, tuple[str, ...]] = {
    "list": (),
    "preview": ("enter",),
    "lens": ("a", "enter", "tab"),
    "filter": ("slash",),
    "task": ("t",),
    "HelpScreen": ("question_mark",),
    "PaletteScreen": ("colon",),
    "WhyScreen": ("w",),
    "ExcludedScreen": ("X",),
    "SessionScreen": ("S",),
}


async def strike(panel: Any, *keys: str) -> None:
    """Press keys as a terminal reports them, without waiting between them."""
    for key in keys:
        sign = key if len(key) == 1 else {"space": " ", "slash": "/", "colon": ":"}.get(key)
        event = events.Key(key, sign)
        event.set_sender(panel.app)
        panel.app._driver.send_message(event)
    await panel.pilot.pause()


async def home(panel: Any) -> None:
    for _round in range(5):
        await strike(panel, "escape", "escape")
        if panel.app.screen is panel.main:
            break
    assert panel.app.screen_stack == [panel.main]


async def test_keys_in_any_order_do_no_harm(open_panel: Open) -> None:
    keys = [key for action in ACTIONS for key in action.keys if action.id not in LEAVE]
    chance = random.Random(7)
    chance.shuffle(keys)
    async with open_panel(snapshot()) as panel:
        before = (panel.rel, panel.main.state.tab, panel.line("#title"), panel.line("#hints"))
        await strike(panel, *NOBODYS)
        assert (panel.rel, panel.main.state.tab, panel.line("#title"), panel.line("#hints")) == before
        assert panel.host.sent == [] and panel.app.screen is panel.main
        for key in keys:
            await strike(panel, key, "escape", "escape")
        await home(panel)
        for place, opener in PLACES.items():
            await strike(panel, *opener)
            for _round in range(5):
                await strike(panel, *chance.choices([*keys, *NOBODYS], k=5))
            await home(panel)
            assert panel.app.is_running, place
        assert all(isinstance(change, HARMLESS) for change in panel.host.sent)
        assert panel.host.sent
        await strike(panel, "f1")
        assert type(panel.app.screen).__name__ == "HelpScreen"


async def test_the_same_keys_without_any_document(open_panel: Open) -> None:
    async with open_panel(snapshot(1, ())) as panel:
        for action in ACTIONS:
            if action.keys and action.id not in (*LEAVE, *KEYS_OF_A_LINE):
                await strike(panel, action.keys[0], "escape")
        await home(panel)
        about = {type(change) for change in panel.host.sent}
        assert about <= {Inspect, Redo, Track, Undo, WorkspaceChanged}, about


def test_the_places_are_those_where_keys_go() -> None:
    assert {opener[0] for opener in PLACES.values() if opener} <= {
        key for action in ACTIONS for key in action.keys
    }
    assert not any(types(key) for key in BY_ID["panel.back"].keys)
