"""One case from its ``make.sh`` to a verdict."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from . import on_command as on_command  # for the checks it registers
from . import on_end, on_screen
from .cases import Built, Case, NotBuilt, built
from .command import Knit
from .panel import Server
from .trial import CHECKS, Failure, Stage, Trial, guarded

KNIT = (sys.executable, "-P", "-m", "knit_tui")
"""The real command; ``-P`` keeps a workspace's own ``json.py`` out of it."""

COMMAND_SECONDS = 60.0
MEASURED = {"max_seconds", "max_rss_mb"}

ELSEWHERE = {
    "home": "the home folder of every run",
    "open": "the workspace of every run",
    "cleanup": "run when the case is over",
    "no_crash": "every panel and every command",
}
"""Keys that steer the harness, or are checked in every case."""

ON_SCREEN = {"after_during", "session_steps", "during_rc", "preview_each", "max_seconds_each"}
"""Keys that the panel's part checks as it goes along."""

BY_CLIENT = "needs a client: tests/mcp/test_cases.py"
NO_PROVIDER = "knit speaks to no provider"
UNCHECKED = {
    "mcp_refuse": BY_CLIENT,
    "never_mcp": BY_CLIENT,
    "provider": NO_PROVIDER,
    "modes": NO_PROVIDER,
    "env": NO_PROVIDER,
    "background": "takes a limit of the whole machine",
    "no_network": "needs a network of its own",
}
"""Keys that are not checked here, and why."""


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on one case."""

    case: Case
    seconds: float
    failures: tuple[Failure, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    not_built: str = ""

    @property
    def ok(self) -> bool:
        return not self.failures and not self.not_built

    def line(self) -> str:
        """One line: the verdict, and what was not checked."""
        name, took = self.case.name, f"{self.seconds:.1f}s"
        if self.not_built:
            return f"FAIL {name} {took}: not built: {self.not_built}"
        left = "".join(f"; not checked: {key} ({why})" for key, why in self.unchecked)
        if self.failures:
            first, *more = self.failures
            text = first.text.splitlines()[0]
            return f"FAIL {name} {took}: {first.key}: {text}" + (f" (+{len(more)})" if more else "") + left
        return f"ok {name} {took}{left}"

    def details(self) -> list[str]:
        """Everything that was found, a line or more each."""
        failed = [f"  {failure.key}: {failure.text}" for failure in self.failures]
        return [f"  expect: {self.case.expect}", *failed, *(f"  note: {note}" for note in self.notes)]


def run_case(
    case: Case,
    *,
    command: Sequence[str] = KNIT,
    quick: Sequence[str] = (),
    server: Server | None = None,
    no_screen: str = "no panel was asked for",
    keep: bool = False,
    seconds: float = COMMAND_SECONDS,
) -> Report:
    """Build ``case``, check it, and remove it.

    Args:
        command: the program that is ``knit``.
        quick: the same, started by a shorter way, for most runs of a case that does not measure them.
        server: where panels run; None leaves out what needs one, and says so.
        no_screen: why there is no server.
        keep: leave the built folder where it is and name it in the notes.
        seconds: the longest any run of the command may take before it is stopped.
    """
    started = time.monotonic()
    try:
        with built(case, keep) as ready:
            measured = ready.oracle.keys() & MEASURED
            shorter = () if measured else tuple(quick)
            knit = Knit(tuple(command), ready.workspace, ready.env, seconds, shorter)
            trial = judge(ready, knit, server, no_screen)
            if keep:
                trial.notes.append(f"kept in {ready.folder}")
    except NotBuilt as failed:
        return Report(case, time.monotonic() - started, not_built=str(failed))
    return Report(
        case,
        time.monotonic() - started,
        tuple(trial.failures),
        tuple(sorted(trial.unchecked.items())),
        tuple(trial.notes),
    )


def judge(ready: Built, knit: Knit, server: Server | None, no_screen: str) -> Trial:
    """Check every key of a built case; what is not checked is named in the result."""
    trial = Trial(ready, knit, server)
    _sort_out(trial, no_screen)
    guarded(trial, "command", trial.listing)
    _stage(trial, Stage.COMMAND)
    on_screen.query_each_line(trial)
    on_end.speak_plainly(trial)
    if server is not None:
        on_screen.on_screen(trial)
    _stage(trial, Stage.END)
    return trial


def _stage(trial: Trial, wanted: Stage) -> None:
    for key, value in trial.oracle.items():
        stage, function = CHECKS.get(key, (None, None))
        if stage is wanted and function is not None:
            guarded(trial, key, partial(function, trial, value))


def _sort_out(trial: Trial, no_screen: str) -> None:
    """Name the keys that will not be checked, and fail on those nobody knows."""
    for key in trial.oracle:
        if key in UNCHECKED:
            trial.unchecked[key] = UNCHECKED[key]
        elif key in ON_SCREEN or (key in CHECKS and CHECKS[key][0] is Stage.SCREEN):
            if trial.server is None:
                trial.unchecked[key] = no_screen
        elif key not in CHECKS and key not in ELSEWHERE:
            trial.fail(key, "unknown key")
    if trial.server is None:
        trial.unchecked["the panel"] = no_screen
