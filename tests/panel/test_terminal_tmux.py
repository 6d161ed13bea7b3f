"""The panel in tmux from its first frame to every end it can have: keys, sizes, focus, and what it leaves."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import string
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.keys import _character_to_key

from knit_tui.faces.tui.registry import ACTIONS
from tests.panel.in_tmux import Tmux

USUAL, WIDE = (80, 24), (200, 60)
WIDTHS = (140, 79, 40, 12, 3, 1, 2, 30, 100, 200)
HEIGHTS = (24, 7, 2, 1, 3, 40, 60)
ROUNDS = 8
PROGRAMS = ("tmux", "git", "sh", "env", "cat", "stty")
FLAGS = "mouse_any_flag mouse_standard_flag mouse_button_flag mouse_all_flag mouse_sgr_flag mouse_utf8_flag"
CLEAN = "#{alternate_on}#{cursor_flag}#{wrap_flag} " + "".join(f"#{{{name}}}" for name in FLAGS.split())
NAMES = {_character_to_key(sign): sign for sign in string.punctuation}
NAMES |= {"escape": "Escape", "enter": "Enter", "tab": "Tab", "shift+tab": "BTab", "space": "Space"}
NAMES |= {"pagedown": "PageDown", "pageup": "PageUp", "home": "Home", "end": "End"}
NAMES |= {"up": "Up", "down": "Down", "left": "Left", "right": "Right", "semicolon": "\\;"}

pytestmark = [
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="there is no /proc"),
]


class Watched:
    """A panel in a shell in a pane, that tells what happens in it."""

    def __init__(self, tmux: Tmux, pane: str) -> None:
        self.tmux, self.pane = tmux, pane
        self.folder = tmux.folder / pane
        self.folder.mkdir()
        shown = {"PATH": str(tmux.folder / "bin"), "ESCDELAY": "20"}
        knit = tmux.panel("-m", "tests.panel.run_watched", str(self.folder), **shown)
        # The shell stays behind, and says what it finds.
        self.command = shlex.join(["sh", "-c", f'{knit}; echo "ended $?"; stty -a; exec cat'])

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    def log(self) -> list[str]:
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / "log").read_text().splitlines()
        return []

    def count(self, line: str, times: int) -> None:
        self.tmux.wait(lambda: self.log().count(line) >= times, f"{line!r} for the {times}th time")

    def shows(self, text: str) -> None:
        self.tmux.shows(text, self.pane)

    def key(self, key: str) -> None:
        """Press a key as Textual calls it, and wait until the panel has got it."""
        before = self.log().count(f"key {key}")
        self.tmux.press(_tmux_name(key), pane=self.pane)
        self.count(f"key {key}", before + 1)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, and wait until the panel knows."""
        before = self.log().count(f"size {width} {height}")
        self.tmux("resize-window", "-x", str(width), "-y", str(height))
        self.count(f"size {width} {height}", before + 1)

    def told(self) -> dict[str, Any]:
        """What is in the process now."""
        before = sum(line.startswith("{") for line in self.log())
        os.kill(self.pid, signal.SIGUSR1)
        found: list[str] = []

        def new() -> bool:
            found[:] = [line for line in self.log() if line.startswith("{")][before:]
            return bool(found)

        self.tmux.wait(new, "an answer to SIGUSR1")
        answer: dict[str, Any] = json.loads(found[0])
        return answer

    def family(self) -> list[int]:
        """The process and all that it started, once it has started any."""
        found = [self.pid]

        def complete() -> bool:
            found[1:] = list(_below(self.pid))
            return len(found) > 1

        self.tmux.wait(complete, "the process that colours the preview")
        return found

    def left(self, code: int) -> None:
        """Wait for the end of the panel, and find the terminal as it was."""
        self.shows(f"ended {code}")
        self.shows(" echo ")
        screen = self.tmux.screen(self.pane)
        assert not {"-echo", "-icanon", "-isig", "-icrnl", "-ixon"} & set(screen.replace(";", " ").split())
        assert self.tmux("display-message", "-p", "-t", f":0.{self.pane}", CLEAN) == "011 000000\n"
        self.tmux.press("typed", "Enter", pane=self.pane)
        self.tmux.wait(lambda: self.tmux.screen(self.pane).split()[-2:] == ["typed", "typed"], "cat's answer")
        self.tmux("set-buffer", "pasted", ";", "paste-buffer", "-p", "-t", f":0.{self.pane}")
        # No longer are there marks around what is pasted.
        self.tmux.wait(lambda: self.tmux.screen(self.pane).split()[-1] == "pasted", "what was pasted")


def _tmux_name(key: str) -> str:
    """What tmux calls a key of Textual's."""
    modifiers, plus, name = key.rpartition("+")
    held = modifiers.replace("ctrl", "C").replace("shift", "S") + "-" * len(plus)
    return NAMES.get(key) or held + NAMES.get(name, name)


def _below(pid: int) -> Iterator[int]:
    with contextlib.suppress(FileNotFoundError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from _below(child)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path)
    (server.root / "a.py").write_text("def first_line():\n    return 'First line'\n")
    (tmp_path / "bin").mkdir()
    for name in PROGRAMS:
        if place := shutil.which(name):
            (tmp_path / "bin" / name).symlink_to(place)
    server.editor.write_text("#!/bin/sh\n")
    yield server
    server("kill-server")


def test_all_keys_all_sizes_and_the_focus_again_and_again(tmux: Tmux) -> None:
    panel = Watched(tmux, "0")
    tmux.start("set", "-g", "status", "off", ";", command=panel.command, size=WIDE)
    panel.shows("First line")
    family = panel.family()
    seen = [told_after_focus(panel, ROUNDS) for _ in range(3)]
    assert len({(*each["threads"], each["files"]) for each in seen[1:]}) == 1
    # What grows with each round grows each time.
    assert min(after["objects"] - before["objects"] for before, after in pairwise(seen)) < ROUNDS, seen

    screen = tmux.screen()
    for width in WIDTHS:
        panel.resize(width, WIDE[1])
    tmux.wait(lambda: tmux.screen() == screen, f"the same screen again\n{screen}")
    for height in HEIGHTS:
        panel.resize(WIDE[0], height)
    tmux.wait(lambda: tmux.screen() == screen, f"the same screen again\n{screen}")
    panel.resize(*USUAL)

    for action in ACTIONS:
        for key in action.keys if action.id not in ("panel.quit", "panel.suspend") else ():
            panel.key(key)
            panel.key("escape")
    suspend = next(action for action in ACTIONS if action.id == "panel.suspend")
    tmux.press(_tmux_name(suspend.keys[0]))
    stopped = Path(f"/proc/{panel.pid}/stat")
    tmux.wait(lambda: stopped.read_text().rpartition(")")[2].split()[0] == "T", "the panel to stop")
    assert tmux("display-message", "-p", CLEAN) == "011 000000\n"
    os.kill(panel.pid, signal.SIGCONT)
    panel.key("question_mark")
    tmux.press("quit")
    panel.shows("Leave knit")
    panel.key("escape")
    tmux.press("q")
    panel.left(0)
    tmux.wait(lambda: not any(map(_runs, family)), "the end of all processes")


def told_after_focus(panel: Watched, rounds: int) -> dict[str, Any]:
    """What is in the process after the focus went and came, as tmux tells its panes."""
    done = panel.log().count("focus")
    panel.tmux("send-keys", "-t", ":0.0", "-H", *"1b 5b 4f 1b 5b 49".split() * rounds)
    panel.count("focus", done + rounds)
    told: list[dict[str, Any]] = []

    def rests() -> bool:
        told.append(panel.told())
        return told[-1] in told[-2:-1]

    panel.tmux.wait(rests, "rest")
    return told[-1]


def test_a_stuck_panel_a_hangup_and_a_closed_pane_leave_nothing_behind(tmux: Tmux) -> None:
    stuck, hung_up, closed = (Watched(tmux, pane) for pane in "012")
    tmux.start(command=stuck.command, size=(WIDE[0], 3 * WIDE[1]))
    for each in (hung_up, closed):
        tmux("split-window", "-d", "-v", "-t", f":0.{int(each.pane) - 1}", each.command)
    panels = (stuck, hung_up, closed)
    for each in panels:
        each.shows("First line")
    family = [pid for each in panels for pid in each.family()]
    os.kill(stuck.pid, signal.SIGUSR2)
    stuck.count("stuck", 1)
    os.kill(stuck.pid, signal.SIGTERM)
    os.kill(hung_up.pid, signal.SIGHUP)
    tmux("kill-pane", "-t", ":0.2")
    hung_up.left(128 + signal.SIGHUP)
    stuck.left(128 + signal.SIGTERM)
    tmux.wait(lambda: not any(map(_runs, family)), "the end of all processes")
