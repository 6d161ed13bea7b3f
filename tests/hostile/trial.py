"""One case on trial: what the checks may use, and what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from .cases import Built
from .command import Broken, Knit, Listing
from .panel import NotShown, Panel, Server

READY_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Failure:
    """``key`` of the oracle (or the part of the harness) and what was wrong."""

    key: str
    text: str


class Stage(Enum):
    """When a check runs."""

    COMMAND = "the command"
    SCREEN = "the panel"
    END = "what came out of both, and what lies on disk"


@dataclass(slots=True)
class Trial:
    """A built case, the command over it, and the panels opened on it."""

    built: Built
    knit: Knit
    server: Server | None
    """None when nothing is to be checked on a screen."""
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unchecked: dict[str, str] = field(default_factory=dict)
    """Why, by key."""
    screens: set[str] = field(default_factory=set)
    """Every different screen that was seen."""
    raw: list[bytes] = field(default_factory=list)
    """All that each panel wrote."""
    panel_rss_mb: float = 0.0
    ready_seconds: float = 0.0
    prefix: str = ""
    """Put before a key in reports, as ``after_during.``."""
    _listing: Listing | None = None

    @property
    def oracle(self) -> Mapping[str, Any]:
        return self.built.oracle

    def fail(self, key: str, text: str) -> None:
        self.failures.append(Failure(self.prefix + key, text))

    def listing(self) -> Listing:
        """What ``knit files`` tells, asked once until ``changed``."""
        if self._listing is None:
            self._listing = self.knit.files()
        return self._listing

    def changed(self) -> None:
        """The workspace is not as it was."""
        self._listing = None

    def see(self, screen: str) -> str:
        self.screens.add(screen)
        return screen

    def open(self, *words: str, workspace: Path | None = None) -> Panel:
        """A panel on the workspace, not yet started."""
        assert self.server is not None
        folder = workspace or self.knit.workspace
        command = [*self.knit.command, "-C", str(folder), *words]
        return Panel(self.server, command, cwd=folder, env=self.knit.env)

    def close(self, panel: Panel) -> None:
        """Quit a panel that is to be still well, and keep what it wrote."""
        crashed = panel.ended() is not None
        self.see(panel.screen())
        ended = panel.quit()
        raw = panel.raw()
        self.raw.append(raw)
        if b"Traceback (most recent call last)" in raw:
            self.fail("no_crash", "a traceback reached the terminal")
        if crashed:
            self.fail("no_crash", f"the panel ended by itself: {ended}")
        elif ended is None:
            self.fail("no_crash", "the panel does not end on q")
        elif ended.rc != 0:
            self.fail("no_crash", f"the panel ended with {ended.rc} on q")
        if ended is not None:
            self.panel_rss_mb = max(self.panel_rss_mb, ended.rss_mb)


Check = Callable[[Trial, Any], None]

CHECKS: dict[str, tuple[Stage, Check]] = {}
"""The check of each key of an oracle."""


def check(key: str, stage: Stage) -> Callable[[Check], Check]:
    """Register the check of ``key``."""

    def register(function: Check) -> Check:
        CHECKS[key] = (stage, function)
        return function

    return register


def guarded(trial: Trial, key: str, work: Callable[[], object]) -> None:
    """Do ``work``; what must never happen becomes a failure of ``key``."""
    try:
        work()
    except Broken as broken:
        trial.fail(key, str(broken))
    except NotShown as missing:
        trial.see(missing.screen)
        trial.fail(key, f"{missing}\n{framed(missing.screen)}")


def framed(screen: str) -> str:
    """A screen for a report: indented, without the blank lines at its end."""
    return "\n".join("    | " + line for line in screen.rstrip().splitlines())
