"""Checks at the end: everything that came out of the command and the panels, and what lies on disk."""

from __future__ import annotations

import re
from functools import partial

from .command import Item
from .on_command import few
from .trial import Stage, Trial, check, guarded

_C1 = re.compile(b"\xc2[\x80-\x9f]")
_WORD = re.compile(r"[A-Za-z0-9][\w-]*")


def speak_plainly(trial: Trial) -> None:
    """Ask for the texts a person would read, so that the checks on all output see them."""
    for word in ("files", "pack"):
        guarded(trial, "command", partial(trial.knit.run, word, "--format", "text"))
    for text in list(trial.oracle.get("find", {}))[:5]:
        guarded(trial, "command", partial(trial.knit.run, f"--query={text}", "--format", "text"))


@check("never", Stage.END)
def never(trial: Trial, texts: list[str]) -> None:
    for text in texts:
        data = text.encode()
        for done in trial.knit.runs:
            if data in done.out or data in done.err:
                trial.fail("never", f"{text} came out of: {done.words}")
                break
        for screen in trial.screens:
            if text in screen:
                (line, *_) = (line for line in screen.splitlines() if text in line)
                trial.fail("never", f"{text} is on the screen: {line.strip()!r}")
                break
    for text in texts:
        if _WORD.fullmatch(text):
            hits = _revealing(trial.knit.query(text), text)
            if hits:
                trial.fail("never", f"{text} can be searched for: {few(hits)}")


def _revealing(items: list[Item], text: str) -> list[str]:
    """Paths of the items that a query for ``text`` finds by the word itself."""
    return [item.path for item in items if item.holds(text)]


@check("never_raw", Stage.END)
def never_raw(trial: Trial, texts: list[str]) -> None:
    """None of ``texts`` may reach a terminal, nor any C1 control."""
    outputs = [(f"the command {done.words}", done.out + done.err) for done in trial.knit.runs]
    outputs += [("the panel", raw) for raw in trial.raw]
    for where, output in outputs:
        reached = [text for text in texts if text.encode() in output]
        if reached:
            trial.fail("never_raw", f"{where} wrote {few(reached)}")
        if match := _C1.search(output):
            trial.fail("never_raw", f"{where} wrote the control {match[0].decode()!r}")


@check("no_file", Stage.END)
def no_file(trial: Trial, names: list[str]) -> None:
    made = [name for name in names if (trial.built.folder / name).exists()]
    if made:
        trial.fail("no_file", f"made: {few(made)}")


@check("must_exist", Stage.END)
def must_exist(trial: Trial, names: list[str]) -> None:
    gone = [name for name in names if not (trial.built.folder / name).exists()]
    if gone:
        trial.fail("must_exist", f"gone: {few(gone)}")


@check("empty_dir", Stage.END)
def empty_dir(trial: Trial, name: str) -> None:
    folder = trial.built.folder / name
    inside = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    if inside:
        trial.fail("empty_dir", f"{name} holds {few(inside)}")


@check("max_seconds", Stage.END)
def max_seconds(trial: Trial, limit: float) -> None:
    slowest = max(trial.knit.runs, key=lambda done: done.seconds)
    trial.notes.append(f"max_seconds: slowest command {slowest.seconds:.1f} s of {limit}")
    if slowest.seconds > limit:
        trial.fail("max_seconds", f"{slowest.words} took {slowest.seconds:.1f} s, not {limit}")
    if trial.ready_seconds > limit:
        trial.fail("max_seconds", f"the panel took {trial.ready_seconds:.1f} s to its list, not {limit}")


@check("max_rss_mb", Stage.END)
def max_rss_mb(trial: Trial, limit: float) -> None:
    command = max(done.rss_mb for done in trial.knit.runs)
    trial.notes.append(f"max_rss_mb: command {command:.0f}, panel {trial.panel_rss_mb:.0f} of {limit}")
    if command > limit:
        trial.fail("max_rss_mb", f"the command took {command:.0f} MB, not {limit}")
    if trial.panel_rss_mb > limit:
        trial.fail("max_rss_mb", f"the panel took {trial.panel_rss_mb:.0f} MB, not {limit}")
