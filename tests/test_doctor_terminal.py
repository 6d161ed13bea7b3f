"""What ``knit doctor`` tells of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from knit_tui.faces.doctor import Fact
from knit_tui.faces.doctor_terminal import Terminal, terminal
from knit_tui.faces.tui.abilities import Tmux, colours, terminal_name, tmux, unreachable
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.faces.tui.services.clipboard import ways
from knit_tui.faces.tui.services.programs import Done as Ended
from tests.panel.machine import TMUX, Machine


def test_colours_are_counted_as_the_library_of_the_panel_does() -> None:
    from rich.console import Console

    names = {"standard": "16", "256": "256", "truecolor": "truecolor", None: "none"}
    for term in ("xterm", "xterm-256color", "tmux-256color", "xterm-kitty", "linux", "dumb", "unknown", ""):
        for colorterm in ("", "truecolor", " 24BIT", "yes"):
            environ = {"TERM": term, "COLORTERM": colorterm}
            console = Console(force_terminal=True, _environ=environ)
            assert colours(environ) == names[console.color_system], environ
    assert colours({"TERM": "xterm-256color", "NO_COLOR": "1"}) == "none"


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.2"}, "ghostty 1.2"),
        ({"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"LC_TERMINAL": "iTerm2", "LC_TERMINAL_VERSION": "3.5"}, "iTerm2 3.5"),
        ({"VTE_VERSION": "7600"}, "VTE"),
        ({}, ""),
    ],
)
def test_the_name_of_the_terminal(environ: Mapping[str, str], name: str) -> None:
    assert terminal_name(environ) == name


BOUND = rb"""bind-key    -T root MouseDown1Pane       select-pane -t = \; send-keys -M
bind-key    -T root C-h                  select-pane -L
bind-key -r -T root \\                   split-window -h
bind-key    -T root M-Up                 select-pane -U
bind-key    -T root S-Up                 select-pane -U
bind-key    -T root '"'                  display "bind-key -T root z"
bind-key    -T root F1                   display help
bind-key    -T root PPage                copy-mode
"""


def _tmux(command: Any) -> Ended:
    if command[1] == "-V":
        return Ended(0, b"tmux 3.3a\n")
    if command[1] == "list-keys":
        return Ended(0, BOUND)
    return Ended(0, {"escape-time": b"500\n", "prefix": b"C-p\n", "prefix2": b"None\n"}[command[-1]])


def test_what_tmux_keeps_for_itself() -> None:
    assert tmux(Machine()) is None
    assert tmux(Machine(environ=TMUX)) == Tmux("", False)
    found = tmux(Machine(has=("tmux",), environ=TMUX, answers={"tmux": _tmux}))
    assert found == Tmux(
        "3.3a",
        True,
        500,
        tuple(
            sorted(
                ["backspace", "backslash", "alt+up", "shift+up", "quotation_mark", "f1", "pageup", "ctrl+p"]
            )
        ),
    )
    silent = tmux(Machine(has=("tmux",), environ=TMUX, answers={"tmux": Ended(None, fault="timeout")}))
    assert silent == Tmux("", False)


def _terminal(**more: Any) -> dict[str, Fact]:
    plain: dict[str, Any] = {
        "here": True,
        "problem": "",
        "program": "kitty",
        "kind": "xterm-kitty",
        "size": (80, 24),
        "encoding": "utf-8",
        "colours": "256",
        "dark": True,
        "mouse": True,
        "ascii": False,
        "copying": ("xclip",),
        "ssh": False,
        "tmux": None,
        "taken": (),
    }
    return {fact.name: fact for fact in terminal(Terminal(**{**plain, **more})).facts}


def test_a_terminal_in_words() -> None:
    found = _terminal()
    assert not any(fact.problem for fact in found.values())
    assert found["pictures"].value is True and found["size"].value == ("80", "24")
    assert _terminal(colours="16")["pictures"].value is False
    assert _terminal(ascii=True)["pictures"].value is False
    assert _terminal(dark=None)["background"].value is None
    assert _terminal(problem="TERM is dumb")["panel"].problem == "TERM is dumb"
    assert not _terminal(problem="a pipe", here=False)["panel"].problem
    assert "xclip" in _terminal(copying=())["copying"].text, "what to install"


def test_a_key_of_tmux_is_a_problem_where_the_action_has_no_other() -> None:
    by_id = {action.id: action for action in ACTIONS}
    several = next(action for action in ACTIONS if len(action.keys) > 1)
    inside = Tmux("3.3a", True, 500, ("p", several.keys[0]))
    taken = unreachable(ACTIONS, inside.taken)
    assert {action.id for action, _keys in taken} >= {"item.pin", several.id}
    found = _terminal(tmux=inside, taken=taken)
    assert "item.pin" in found["taken"].problem and several.id not in found["taken"].problem
    assert "escape-time" in found["escape"].text
    found = _terminal(tmux=Tmux("3.5", True, 10, ()), taken=unreachable([by_id["item.pin"]], ("q",)))
    assert not found["taken"].problem and "escape-time" not in found["escape"].text


def test_the_way_of_copying_is_the_one_that_would_be_tried() -> None:
    shown = {"DISPLAY": ":0", "TERM": "xterm"}
    assert ways(Machine(environ=shown)) == ("terminal",)
    assert ways(Machine(has=("xsel",), environ=shown)) == ("xsel",)
    machine = Machine(has=("tmux", "xclip", "xsel"), environ={**shown, **TMUX})
    assert ways(machine) == ("tmux", "xclip") and not machine.ran
    assert ways(Machine(environ={"TERM": "linux"})) == ()
