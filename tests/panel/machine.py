"""A machine without any program: it has those that a test gives it, and writes down what they are told."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knit_tui.faces.tui.services.programs import Done

TMUX = {"TMUX": "/tmp/tmux-1000/default,4711,0", "TMUX_PANE": "%0"}
"""Inside of tmux."""
SHOWN = {"DISPLAY": ":0"}
NO = Done(1)

Answer = Done | Callable[[Sequence[str]], Done]


@dataclass
class Machine:
    """Every program of ``has`` lies in ``/bin``; ``answers`` are by the name of a program."""

    has: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    platform: str = "linux"
    answers: dict[str, Answer] = field(default_factory=dict)
    ran: list[tuple[str, ...]] = field(default_factory=list)
    fed: list[bytes] = field(default_factory=list)
    started: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    attended: list[tuple[tuple[str, ...], str]] = field(default_factory=list)

    def find(self, name: str) -> str | None:
        if name.startswith("/"):
            return name
        return f"/bin/{name}" if name in self.has else None

    def run(self, command: Sequence[str], *, data: bytes = b"", answer: bool = False) -> Done:
        self.ran.append(_bare(command))
        self.fed.append(data)
        return self._answer(command)

    def start(self, command: Sequence[str], folder: str) -> Done:
        self.started.append((_bare(command), folder))
        return self._answer(command, Done(None))

    def attend(self, command: Sequence[str], folder: str) -> Done:
        self.attended.append((_bare(command), folder))
        return self._answer(command)

    def _answer(self, command: Sequence[str], usual: Done | None = None) -> Done:
        answer = self.answers.get(_bare(command)[0], usual or Done(0))
        return answer if isinstance(answer, Done) else answer(_bare(command))


def _bare(command: Sequence[str]) -> tuple[str, ...]:
    return (command[0].removeprefix("/bin/"), *command[1:])


def odd_workspace(tmp_path: Path) -> Path:
    """Files with odd names, links and a pipe."""
    root = tmp_path / "work"
    (root / "docs").mkdir(parents=True)
    for name in ("a.py", "-n.py", "+7.py", "a b;$(id).md", "docs/x:3", "page.html", "run.sh", "p.png", "x;"):
        (root / name).write_text("x")
    (tmp_path / "out.py").write_text("x")
    (root / "link.py").symlink_to(root / "a.py")
    (root / "away").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.py")
    return root
