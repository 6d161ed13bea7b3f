"""A tmux server of one's own, with the real panel in its first pane."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

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

    def panel(self, *program: str, without: str = "", **environment: str) -> str:
        """The command of a panel, ``without`` a variable of its environment; ``program`` is run as knit."""
        environ = {"HOME": str(self.folder), "KNIT_CACHE_DIR": "off", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        environ |= {"KNIT_STATE_DIR": str(self.folder / "state"), "KNIT_CONFIG_DIR": "off"}
        environ |= {"PYTHONPATH": str(TOP), "EDITOR": str(self.editor), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        words = ["env", *(["-u", without] if without else [])]
        words += [f"{name}={value}" for name, value in (environ | environment).items()]
        words += [sys.executable, *(program or ("-m", "knit_tui")), "-C", str(self.root), "--session", "none"]
        return shlex.join(words)

    def start(
        self, *options: str, command: str = "", size: tuple[int, int] = (150, 30), **panel: str
    ) -> None:
        """Open a panel, the usual one unless ``command`` is given, after setting ``options``."""
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
            str(size[0]),
            "-y",
            str(size[1]),
            command or self.panel(**panel),
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

    def ends(self, code: int) -> None:
        """Wait until the panel has left the screen and ended with ``code``."""
        # A tmux that is busy may miss the end of a process, until it looks at another one's.
        ask = ("run-shell", "true", ";", "display-message", "-p", "-t", ":0.0")
        form = "#{pane_dead} #{pane_dead_status} #{alternate_on}"
        self.wait(lambda: self(*ask, form) == f"1 {code} 0\n", f"the end with {code}")
