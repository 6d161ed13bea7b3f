"""Checks that need the panel: it is opened, walked through, typed into, and watched while things happen."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from .cases import end_group
from .command import run
from .on_command import compare_with_git, few, on_disk
from .panel import NotShown, Panel, cursor
from .trial import CHECKS, READY_SECONDS, Stage, Trial, check, guarded

STEP_SECONDS = 1.5
"""The longest one move of the cursor may take to show, where the case sets no limit."""
SETTLE_SECONDS = 5.0
"""The longest a change on disk may take to show, where the case sets no limit."""
SCRIPT_SECONDS = 180
ONE_SCREEN = 8
"""Files that surely fit on one screen."""
WALK_LIMIT = 200
"""A longer list is not walked to its end; the note says how far the walk came."""
WALKED_TABS = ("2", "3", "4")
"""Docs, Code and Media, which between them list everything when no session is followed."""


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def names(screen: str, path: str) -> bool:
    """Whether the file name of ``path`` stands on the screen as a word of its own."""
    return re.search(rf"(?<![^\s▌│]){re.escape(name_of(path))}(?![^\s│])", screen) is not None


def top_is(screen: str, path: str) -> bool:
    """Whether the item under the cursor, which starts at the top, is ``path``."""
    lines = cursor(screen)
    return bool(lines) and names(lines[0][1].partition("│")[0], path)


def ready(trial: Trial, panel: Panel, *, listed: bool = False) -> str:
    """The first settled screen of a panel: with a list when ``listed``, else with any text."""

    def shown(screen: str) -> bool:
        written = [line for line in screen.splitlines() if line.strip()]
        return bool(cursor(screen)) or (not listed and len(written) > 3)

    panel.wait("a first list" if listed else "a first screen", shown, READY_SECONDS)
    trial.ready_seconds = max(trial.ready_seconds, time.monotonic() - panel.started)
    return trial.see(panel.settled(SETTLE_SECONDS))


def on_screen(trial: Trial) -> None:
    """Everything that is checked in the panel."""
    guarded(trial, "panel", lambda: _walk_through(trial))
    guarded(trial, "panel", lambda: _live(trial))
    for key, value in trial.oracle.items():
        stage, function = CHECKS.get(key, (None, None))
        if stage is Stage.SCREEN and function is not None:
            guarded(trial, key, partial(function, trial, value))


# ------------------------------------------------------------------ every item under the cursor


def _walk_through(trial: Trial) -> None:
    """Put the cursor, and with it the preview, on every item there is."""
    limit = float(trial.oracle.get("max_seconds_each", STEP_SECONDS))
    with trial.open("--session", "none") as panel:
        try:
            ready(trial, panel, listed=trial.listing().documents > 0)
            walked = sum(_walk_tab(trial, panel, tab, limit) for tab in WALKED_TABS)
        finally:
            trial.close(panel)
    readable = trial.listing().readable
    text = f"{walked} of {readable} readable files came under the cursor"
    trial.notes.append(f"panel: {text}, ready in {trial.ready_seconds:.1f} s")
    if walked < readable <= WALK_LIMIT:
        trial.fail("panel", f"only {text}")


def _walk_tab(trial: Trial, panel: Panel, tab: str, limit: float) -> int:
    """Walk through one tab, to ``WALK_LIMIT`` items at most; how many came under the cursor."""
    panel.press(tab)
    count, moment = 0, time.monotonic()
    for screen in panel.walk(limit):
        took = time.monotonic() - moment
        if took > limit and "max_seconds_each" in trial.oracle:
            trial.fail("max_seconds_each", f"{took:.1f} s for item {count + 1} of tab {tab}")
        trial.see(screen)
        count += bool(cursor(screen))
        if count == WALK_LIMIT:
            break
        moment = time.monotonic()
    return count


@check("open_each", Stage.SCREEN)
def open_each(trial: Trial, folders: list[str]) -> None:
    for folder in folders:
        path = trial.built.folder / folder
        trial.knit.files(workspace=path)
        with trial.open(workspace=path) as panel:
            try:
                ready(trial, panel)
            finally:
                trial.close(panel)


@check("pty", Stage.SCREEN)
def pty(trial: Trial, script: str) -> None:
    """The script drives the panel by itself; every scene it tells must be ok."""
    argv = [sys.executable, script, *trial.knit.command, "-C", str(trial.built.workspace)]
    done = run(argv, cwd=trial.built.folder, env=trial.knit.env, seconds=SCRIPT_SECONDS)
    scenes = done.out.decode("utf-8", "replace").splitlines()
    for scene in scenes:
        if not re.match(r"\S+ ok\b", scene):
            trial.fail("pty", scene)
    if not scenes or done.rc not in (0, 1):
        trial.fail("pty", f"{script} ended with {done.rc}: {done.err[-200:]!r}")


# ------------------------------------------------------------------ a panel that stays open


def _live(trial: Trial) -> None:
    """The panel as a user has it: following the session, while the case does its worst."""
    queries = trial.built.folder / "queries.txt"
    script = trial.built.folder / "during.sh"
    if not (queries.exists() or script.exists() or trial.built.has_session):
        return
    with trial.open() as panel:
        try:
            ready(trial, panel)
            if "session_top" in trial.oracle:
                _session_top(trial, panel, trial.oracle["session_top"])
            if queries.exists():
                _type_queries(trial, panel, queries.read_text(encoding="utf-8").splitlines())
            if script.exists():
                _during(trial, panel, script)
        finally:
            trial.close(panel)


def _session_top(trial: Trial, panel: Panel, path: str) -> None:
    def work() -> None:
        seconds = float(trial.oracle.get("max_seconds", SETTLE_SECONDS))
        trial.see(panel.wait(f"{path!r} on top", lambda screen: top_is(screen, path), seconds))

    guarded(trial, "session_top", work)


def _type_queries(trial: Trial, panel: Panel, queries: list[str]) -> None:
    for text in queries:
        filter_by(panel, text)
        trial.see(panel.settled(STEP_SECONDS))
        if panel.ended() is not None:
            trial.fail("queries.txt", f"the panel ended when {text!r} was typed")
            return
    panel.close_filter()


def filter_by(panel: Panel, text: str) -> None:
    """Type ``text`` as the filter, whatever was typed before."""
    panel.close_filter()
    panel.open_filter()
    panel.type(text)


# ------------------------------------------------------------------ what happens meanwhile


def _during(trial: Trial, panel: Panel, script: Path) -> None:
    with (trial.built.folder / "during.out").open("w+b") as output:
        process = subprocess.Popen(
            ["bash", str(script)],
            cwd="/",
            env=dict(trial.knit.env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        steps = _read_steps(trial)
        told, reached, deadline = 0, 0, time.monotonic() + SCRIPT_SECONDS
        while process.poll() is None:
            trial.see(panel.settled(0.2, calm=1))
            told, fresh = _new_lines(Path(output.name), told)
            for line in fresh:
                if (match := re.fullmatch(r"STEP (\d+)", line)) and int(match[1]) in steps:
                    guarded(trial, "session_steps", _step(trial, panel, int(match[1]), steps[int(match[1])]))
                    reached += 1
            if panel.ended() is not None:
                end_group(process)
                raise NotShown("the panel ended while during.sh ran", panel.screen())
            if time.monotonic() > deadline:
                end_group(process)
                trial.fail("during.sh", f"not finished after {SCRIPT_SECONDS} s")
                return
    if reached < len(steps):
        trial.fail("session_steps", f"only {reached} of {len(steps)} steps were reached")
    if "during_rc" in trial.oracle and process.returncode != trial.oracle["during_rc"]:
        trial.fail("during_rc", f"during.sh ended with {process.returncode}")
    trial.changed()
    if "git_oracle" in trial.oracle:
        compare_with_git(
            trial, "git_oracle after during.sh", trial.knit.files(), on_disk(trial.built.workspace)
        )
    after = trial.oracle.get("after_during")
    if after is not None:
        _after(trial, panel, after)


def _read_steps(trial: Trial) -> dict[int, str]:
    name = trial.oracle.get("session_steps")
    if name is None:
        return {}
    lines = (trial.built.folder / str(name)).read_text(encoding="utf-8").splitlines()
    return {int(number): path for number, _, path in (line.partition(" ") for line in lines)}


def _step(trial: Trial, panel: Panel, number: int, path: str) -> Callable[[], None]:
    def work() -> None:
        trial.see(panel.wait(f"step {number}: {path!r} on top", lambda s: top_is(s, path), SETTLE_SECONDS))

    return work


def _new_lines(path: Path, told: int) -> tuple[int, list[str]]:
    """Complete lines of ``path`` after the first ``told`` bytes, and how many bytes are told now."""
    data = path.read_bytes()[told:]
    complete = data[: data.rfind(b"\n") + 1]
    return told + len(complete), complete.decode("utf-8", "replace").splitlines()


def _after(trial: Trial, panel: Panel, wanted: Mapping[str, Any]) -> None:
    trial.prefix = "after_during."
    seconds = float(wanted.get("settle_seconds", SETTLE_SECONDS))
    try:
        guarded(trial, "panel", lambda: _panel_shows(trial, panel, wanted, seconds))
        for key, value in wanted.items():
            stage, function = CHECKS.get(key, (None, None))
            if stage is Stage.COMMAND and function is not None:
                guarded(trial, key, partial(function, trial, value))
            elif key != "settle_seconds":
                trial.fail(key, "unknown key")
    finally:
        trial.prefix = ""


def _panel_shows(trial: Trial, panel: Panel, wanted: Mapping[str, Any], seconds: float) -> None:
    """The open panel must come to the same truth as a fresh command, within ``seconds``."""
    present, absent = wanted.get("present", []), wanted.get("absent", [])
    if len(trial.listing().files) > ONE_SCREEN:
        trial.notes.append(
            "after_during: the list is longer than the screen, so the panel was only asked to find"
        )
    elif present or absent:

        def right(screen: str) -> bool:
            return all(names(screen, path) for path in present) and not any(names(screen, p) for p in absent)

        try:
            trial.see(panel.wait("the files that are there now, and no other", right, seconds))
        except NotShown as missing:
            lost = [path for path in present if not names(missing.screen, path)]
            extra = [path for path in absent if names(missing.screen, path)]
            raise NotShown(f"{missing} (lost {few(lost)}, extra {few(extra)})", missing.screen) from None
    stale = wanted.get("not_found", [])
    for text, path in wanted.get("find", {}).items():
        filter_by(panel, name_of(path))
        shown = partial(_previewed, path=path, text=text, stale=stale)
        trial.see(panel.wait(f"{path!r} with {text} in its preview", shown, seconds))
    panel.close_filter()


def _previewed(screen: str, path: str, text: str, stale: list[str]) -> bool:
    """Whether ``path`` is listed and its text is beside it, as it is now and not as it was."""
    return names(screen, path) and text in screen and not any(old in screen for old in stale)


def query_each_line(trial: Trial) -> None:
    """Every line of ``queries.txt`` must be a query that the command survives."""
    path = trial.built.folder / "queries.txt"
    if path.exists():
        for text in path.read_text(encoding="utf-8").splitlines():
            guarded(trial, "queries.txt", partial(_query, trial, text))


def _query(trial: Trial, text: str) -> None:
    trial.knit.query(text)
