"""The real panel in a real tmux: copy, the agent's pane, and an editor that comes and goes."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SECONDS = 30.0
TOP = Path(__file__).resolve().parents[2]
NAME = "docs/指 南.md"
EDITOR = """\
import os, pathlib, sys
here = pathlib.Path(sys.argv[1])
print("EDITING", flush=True)
(here / "new").write_text("\\n".join([os.getcwd(), *sys.argv[2:]]))
(here / "new").rename(here / "edited")
said = input()
with open(sys.argv[-1], "a") as file:
    print(said, file=file)
"""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Tmux:
    """A server of its own with the panel in its first pane."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "work #(touch ran)"
        self.socket = folder / "s"
        (self.root / "docs").mkdir(parents=True)
        (self.root / NAME).write_text("# First line\n")
        self.editor = folder / "nano"  # called as that editor is
        self.editor.write_text(
            f"#!/bin/sh\nexec {shlex.join([sys.executable, str(folder / 'ed.py')])} "
            f'{shlex.quote(str(folder))} "$@"\n'
        )
        self.editor.chmod(0o755)
        (folder / "ed.py").write_text(EDITOR)

    def __call__(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self.socket), "-f", os.devnull, *words],
            env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"},
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
        )
        return done.stdout

    def start(self, *options: str, without: str = "", **environment: str) -> None:
        """Open the panel, ``without`` a variable of its environment."""
        environ = {"HOME": str(self.folder), "KNIT_CACHE_DIR": "off", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        environ |= {"KNIT_STATE_DIR": str(self.folder / "state"), "KNIT_CONFIG_DIR": "off"}
        environ |= {"PYTHONPATH": str(TOP), "EDITOR": str(self.editor), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        words = ["env", *(["-u", without] if without else [])]
        words += [f"{name}={value}" for name, value in (environ | environment).items()]
        words += [sys.executable, "-m", "knit_tui", "-C", str(self.root), "--session", "none"]
        self(
            "start-server",
            ";",
            "set",
            "-g",
            "remain-on-exit",
            "on",
            ";",
            *options,
            "new-session",
            "-d",
            "-x",
            "150",
            "-y",
            "30",
            shlex.join(words),
        )
        self.shows("First line")

    def screen(self, pane: str = "0") -> str:
        return self("capture-pane", "-p", "-t", f":0.{pane}")

    def shows(self, text: str, pane: str = "0") -> None:
        self.wait(lambda: text in self.screen(pane), f"{text!r} in pane {pane}")

    def wait(self, predicate: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + SECONDS
        while not predicate():
            assert time.monotonic() < end, f"never came: {what}\n{self.screen()}"
            time.sleep(0.05)

    def press(self, *keys: str, pane: str = "0") -> None:
        self("send-keys", "-t", f":0.{pane}", *keys)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path)
    yield server
    assert not list(tmp_path.rglob("ran"))
    server("kill-server")


# Copy


@pytest.mark.parametrize("way", ("external", "on", "off"))
def test_tmux_has_what_was_copied(tmux: Tmux, way: str) -> None:
    tmux.start("set", "-s", "set-clipboard", way, ";")
    tmux.press("y")
    tmux.shows(f"copied by tmux: {NAME}")
    assert tmux("show-buffer") == NAME
    tmux.press("Y")
    tmux.shows(f"{NAME}:1")
    assert tmux("show-buffer") == f"{NAME}:1"


def test_a_tmux_that_cannot_be_asked_is_sent_it(tmux: Tmux) -> None:
    tmux.start("set", "-s", "set-clipboard", "on", ";", without="TMUX", TERM="tmux-256color")
    tmux.press("y")
    tmux.shows("sent to tmux, which takes it if set-clipboard is on")
    tmux.wait(lambda: tmux("show-buffer") == NAME, "the text")


# The agent's pane


def test_a_mention_is_typed_into_the_pane_that_was_chosen(tmux: Tmux) -> None:
    claude = tmux.folder / "claude"
    claude.write_text("import sys\nfor line in sys.stdin:\n    print('told', line)\n")
    tmux.start()
    inside = str(tmux.root / "docs").replace("#", "##")
    tmux("split-window", "-d", "-h", "-c", "/", "cat")
    tmux("split-window", "-d", "-h", "-t", ":0.1", "-c", inside, shlex.join([sys.executable, str(claude)]))
    tmux.press("@")
    tmux.shows("Which pane")
    tmux.shows("▌ pane 2  claude")
    tmux.press("Enter")
    tmux.shows('@"指 南.md"', "2")
    tmux.shows("typed into claude, pane 2")
    assert not tmux.screen("1").strip() and "told" not in tmux.screen("2")


def test_the_pane_is_remembered_and_may_be_scrolled_back(tmux: Tmux) -> None:
    tmux.start()
    tmux("split-window", "-d", "-c", str(tmux.root).replace("#", "##"), "cat")
    tmux.press("@")
    tmux.shows("Which pane does the agent run in?")
    tmux.press("Enter")
    text = f'@"{NAME}"'
    tmux.shows(text, "1")
    tmux("copy-mode", "-t", ":0.1")
    tmux.press("@")
    tmux.wait(lambda: tmux.screen("1").count(text) == 2, "the second mention")
    # cat says a line again when it ends: nothing has ended it.
    assert tmux.screen("1").strip() == f"{text} {text}"
    tmux("kill-pane", "-t", ":0.1")
    tmux.press("@")
    tmux.shows("there is no other pane in this session of tmux")


# The editor


def edited(tmux: Tmux) -> list[str]:
    tmux.wait(lambda: (tmux.folder / "edited").exists(), "the editor")
    return (tmux.folder / "edited").read_text().splitlines()


def test_an_editor_comes_and_goes(tmux: Tmux) -> None:
    tmux.start()
    tmux.press("e")
    assert edited(tmux) == [str(tmux.root), "+1", str(tmux.root / NAME)]
    tmux.shows("EDITING")
    assert "First line" not in tmux.screen()
    tmux.press("C-c")  # is the editor's own, which ends by it
    tmux.shows("nano ended with")
    (tmux.folder / "edited").unlink()
    tmux.press("e")
    edited(tmux)
    tmux.press("more words", "Enter")
    tmux.shows("more words")
    tmux.shows("First line")
    assert "EDITING" not in tmux.screen()
    tmux.press("y")
    tmux.shows("copied by tmux")
    tmux.press("q")
    tmux.wait(lambda: tmux("display-message", "-p", "#{pane_dead} #{pane_dead_status}") == "1 0\n", "the end")


def test_a_signal_ends_the_editor_and_then_the_panel(tmux: Tmux) -> None:
    tmux.start()
    tmux.press("e")
    edited(tmux)
    os.kill(int(tmux("display-message", "-p", "#{pane_pid}")), signal.SIGTERM)
    wanted = f"1 {128 + signal.SIGTERM} 0\n"
    form = "#{pane_dead} #{pane_dead_status} #{alternate_on}"
    tmux.wait(lambda: tmux("display-message", "-p", form) == wanted, "the end")


def test_an_editor_in_a_pane_of_its_own(tmux: Tmux) -> None:
    tmux.start(KNIT_EDITOR_PLACE="pane")
    tmux.press("e")
    assert edited(tmux) == [str(tmux.root), "+1", str(tmux.root / NAME)]
    tmux.shows("EDITING", "1")
    tmux.shows("opened in nano, beside the panel")
    tmux.press("more words", "Enter", pane="1")
    tmux.shows("more words")
