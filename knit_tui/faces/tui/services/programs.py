"""Other programs on this machine: found, run, started and left alone, or given the terminal.

They are the user's own and get the user's whole environment: without it an editor has no settings and a
clipboard no display. Never a shell, never a program that a relative entry of ``PATH`` leads to.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from knit_tui.faces.safe import safe_text

_PATIENCE = 1.0
"""Seconds a helper may take."""
_GLANCE = 0.7
"""Seconds in which a program that cannot start says so by ending."""
_TOLD = ("SIGTERM", "SIGHUP")


class Refused(Exception):
    """It is not done; ``str`` of it says why in one line of safe text."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended."""

    code: int | None
    """Its exit code, negative for a signal; None when it still runs, never ran or took too long."""
    output: bytes = b""
    fault: str = ""
    """Why it never ran, in the words of the system, or ``timeout``."""

    @property
    def well(self) -> bool:
        return self.code == 0


class Programs(Protocol):
    """What the services need of a machine; tests have their own."""

    @property
    def environ(self) -> Mapping[str, str]: ...

    @property
    def platform(self) -> str:
        """As ``sys.platform``."""
        ...

    def find(self, name: str) -> str | None:
        """The absolute path of a program."""

    def run(self, command: Sequence[str], *, data: bytes = b"", answer: bool = False) -> Done:
        """Run a helper to its end, or to that of a second; its output is taken only for an ``answer``."""

    def start(self, command: Sequence[str], folder: str) -> Done:
        """Start a program that lives on by itself, also after the panel; whether it ended at once."""

    def attend(self, command: Sequence[str], folder: str) -> Done:
        """Give a program the terminal and wait for it. Whoever calls has left the terminal first."""


@dataclass(frozen=True, slots=True)
class System:
    """The machine we are on."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    platform: str = sys.platform
    patience: float = _PATIENCE
    glance: float = _GLANCE

    def find(self, name: str) -> str | None:
        if os.path.dirname(name):
            return name if os.path.isabs(name) and os.access(name, os.X_OK) else None
        places = self.environ.get("PATH", os.defpath).split(os.pathsep)
        return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, places)))

    def run(self, command: Sequence[str], *, data: bytes = b"", answer: bool = False) -> Done:
        try:
            process = subprocess.Popen(
                command,
                env=dict(self.environ),
                stdin=subprocess.PIPE if data else subprocess.DEVNULL,
                # Helpers that serve a clipboard live on, and would keep a pipe open.
                stdout=subprocess.PIPE if answer else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Done(None, fault=_words(error))
        with process:
            try:
                output, _nothing = process.communicate(data or None, timeout=self.patience)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                return Done(None, fault="timeout")
        return Done(process.returncode, output or b"")

    def start(self, command: Sequence[str], folder: str) -> Done:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Done(None, fault=_words(error))
        try:
            return Done(process.wait(self.glance))
        except subprocess.TimeoutExpired:
            threading.Thread(target=process.wait, name="knit-started", daemon=True).start()
            return Done(None)

    def attend(self, command: Sequence[str], folder: str) -> Done:
        try:
            process = subprocess.Popen(command, cwd=folder, env=dict(self.environ))
        except (OSError, ValueError) as error:
            return Done(None, fault=_words(error))
        with process, _passing_on(process):
            return Done(process.wait())


@contextlib.contextmanager
def _passing_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While a program has the terminal, Ctrl+C is its own, and who asks the panel to end asks it first."""

    told: list[int] = []

    def tell(number: int, _frame: object) -> None:
        told.append(number)
        if process.returncode is None:
            process.send_signal(number)

    def nothing(_number: int, _frame: object) -> None:
        pass

    before = {signal.SIGINT: signal.signal(signal.SIGINT, nothing)}
    for name in _TOLD:
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, tell)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in told[:1]:
            signal.raise_signal(number)


def _words(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return safe_text(text or type(error).__name__)
