"""Checks that only need the command."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .cases import NotBuilt, run_script
from .command import Listing, run
from .trial import Stage, Trial, check

SHOWN = 3
"""How many of many faults one line names."""


def few(things: Sequence[object]) -> str:
    """The first of ``things``, and how many more there are."""
    text = ", ".join(repr(thing) for thing in things[:SHOWN])
    return text + (f" and {len(things) - SHOWN} more" if len(things) > SHOWN else "")


@check("present", Stage.COMMAND)
def present(trial: Trial, paths: list[str]) -> None:
    listed = set(trial.listing().files)
    missing = [path for path in paths if path not in listed]
    if missing:
        why = {path: trial.listing().skipped.get(path, "not mentioned") for path in missing[:SHOWN]}
        trial.fail("present", f"not listed: {few(missing)}; {why}")


@check("absent", Stage.COMMAND)
def absent(trial: Trial, paths: list[str]) -> None:
    listed = set(trial.listing().files)
    extra = [path for path in paths if path in listed]
    if extra:
        trial.fail("absent", f"listed: {few(extra)}")


@check("present_bytes_hex", Stage.COMMAND)
def present_bytes_hex(trial: Trial, names: list[str]) -> None:
    listing = trial.listing()
    wanted = [os.fsdecode(bytes.fromhex(name)) for name in names]
    missing = [path for path in wanted if path not in listing.files]
    if missing:
        trial.fail("present_bytes_hex", f"not listed: {few(missing)}")
    unnamed = [path for path in wanted if path in listing.files and path not in listing.named_by_bytes]
    if unnamed := [path for path in unnamed if any("\ud800" <= char <= "\udfff" for char in path)]:
        trial.fail("present_bytes_hex", f"without path_bytes_hex: {few(unnamed)}")


@check("tokens", Stage.COMMAND)
def tokens(trial: Trial, words: list[str]) -> None:
    lost = [word for word in words if not any(item.holds(word) for item in trial.knit.query(word))]
    if lost:
        trial.fail("tokens", f"not found: {few(lost)}")


@check("find", Stage.COMMAND)
def find(trial: Trial, wanted: Mapping[str, str]) -> None:
    lost, later = [], 0
    for text, path in wanted.items():
        paths = [item.path for item in trial.knit.query(text)]
        if path not in paths:
            lost.append(f"{text} in {path!r} (hits: {few(paths) or 'none'})")
        elif paths[0] != path:
            later += 1
    if lost:
        trial.fail("find", f"{len(lost)} of {len(wanted)} not found: " + "; ".join(lost[:SHOWN]))
    if later:
        trial.notes.append(f"find: {later} of {len(wanted)} among the hits, not first")


@check("not_found", Stage.COMMAND)
def not_found(trial: Trial, words: list[str]) -> None:
    for word in words:
        hits = [item.path for item in trial.knit.query(word) if item.holds(word)]
        if hits:
            trial.fail("not_found", f"{word} found in {few(hits)}")


@check("once", Stage.COMMAND)
def once(trial: Trial, counts: Mapping[str, int]) -> None:
    for word, count in counts.items():
        hits = [item.path for item in trial.knit.query(word) if item.holds(word)]
        if len(hits) != count:
            trial.fail("once", f"{word} has {len(hits)} hits, not {count}: {few(hits)}")


@check("query_equiv", Stage.COMMAND)
def query_equiv(trial: Trial, groups: list[list[str]]) -> None:
    for group in groups:
        answers = {tuple(sorted(item.path for item in trial.knit.query(text))) for text in group}
        if len(answers) != 1:
            trial.fail("query_equiv", f"{few(group)} give different hits")


@check("git_oracle", Stage.COMMAND)
def git_oracle(trial: Trial, name: str) -> None:
    wanted = (trial.built.folder / name).read_bytes()
    compare_with_git(trial, "git_oracle", trial.listing(), wanted)


@check("git_oracle_sub", Stage.COMMAND)
def git_oracle_sub(trial: Trial, where: list[str]) -> None:
    folder, name = where
    listing = trial.knit.files(workspace=trial.built.workspace / folder)
    compare_with_git(trial, "git_oracle_sub", listing, (trial.built.folder / name).read_bytes())


def compare_with_git(trial: Trial, key: str, listing: Listing, told_by_git: bytes) -> None:
    """The listed files, and those skipped with a reason, must be what git lists (NUL-separated)."""
    wanted = {os.fsdecode(path) for path in told_by_git.split(b"\0") if path}
    skipped = {path for path in listing.skipped if path in wanted and path not in listing.files}
    missing = sorted(wanted - set(listing.files) - skipped)
    extra = sorted(set(listing.files) - wanted)
    if missing:
        trial.fail(key, f"git lists, knit does not: {few(missing)}")
    if extra:
        trial.fail(key, f"knit lists, git does not: {few(extra)}")
    reasons = sorted(f"{path}: {listing.skipped[path]}" for path in skipped)
    told = f" ({few(reasons)})" if reasons else ""
    trial.notes.append(f"{key}: {len(wanted)} files, {len(skipped)} of them skipped with a reason{told}")


@check("equals_disk", Stage.COMMAND)
def equals_disk(trial: Trial, wanted: bool) -> None:
    if wanted:
        compare_with_git(trial, "equals_disk", trial.knit.files(), on_disk(trial.built.workspace))


def on_disk(workspace: Path) -> bytes:
    """Every regular file of ``workspace`` that git does not ignore, NUL-separated as git tells it."""
    if (workspace / ".git").exists():
        command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=workspace, capture_output=True, check=True, timeout=60).stdout
        paths = [os.fsdecode(path) for path in listed.split(b"\0") if path]
    else:
        paths = [
            os.path.relpath(os.path.join(folder, name), workspace)
            for folder, _, names in os.walk(workspace)
            for name in names
        ]
    regular = [path for path in paths if (workspace / path).is_file() and not (workspace / path).is_symlink()]
    return b"\0".join(os.fsencode(path) for path in sorted(regular))


@check("session_top", Stage.COMMAND)
def session_top(trial: Trial, path: str) -> None:
    items = trial.knit.pack()
    if not items:
        trial.fail("session_top", "the pack is empty")
    elif items[0].path != path:
        trial.fail("session_top", f"first is {items[0].path!r}, not {path!r}")


@check("variants", Stage.COMMAND)
def variants(trial: Trial, script: str) -> None:
    """Every line ``variant rc`` of the script must tell 0, and its output holds no traceback."""
    for name, rc in _table(trial, "variants", script, r"(\S+) (\d+)$"):
        output = (trial.built.folder / f"out.{name}").read_bytes()
        if rc != "0":
            trial.fail("variants", f"{name}: exit status {rc}: {output[-200:].decode('utf-8', 'replace')!r}")
        if b"Traceback" in output:
            trial.fail("variants", f"{name}: traceback")


@check("matrix", Stage.COMMAND)
def matrix(trial: Trial, script: str) -> None:
    """Every line ``variant rc traceback?`` must tell ok, and a status that knit means to give: 0 or 2."""
    for name, rc, fault in _table(trial, "matrix", script, r"(\S+) (\d+) (\S+)$"):
        if fault != "ok" or rc not in ("0", "2"):
            trial.fail("matrix", f"{name}: {fault}, exit status {rc}")


@check("wrap", Stage.COMMAND)
def wrap(trial: Trial, script: str) -> None:
    """The command must survive the bad environment the script makes."""
    text = next(iter(trial.oracle.get("then_plain_find", {"knit": ""})))
    argv = ["bash", script, *trial.knit.command, "-C", str(trial.built.workspace), f"--query={text}"]
    try:
        output = run_script(argv, trial.built.folder, trial.knit.env, trial.knit.seconds)
    except NotBuilt as failed:
        trial.fail("wrap", str(failed))
        return
    if "Traceback" in output:
        trial.fail("wrap", f"traceback: {output.strip().splitlines()[-1]!r}")


@check("then_plain_find", Stage.COMMAND)
def then_plain_find(trial: Trial, wanted: Mapping[str, str]) -> None:
    find(trial, wanted)


@check("mcp_check", Stage.COMMAND)
def mcp_check(trial: Trial, script: str) -> None:
    """The script feeds the tool's server sloppy lines and must find its answers in order."""
    argv = ["bash", str(trial.built.folder / script), *trial.knit.command, "mcp"]
    done = run(argv, cwd=trial.built.workspace, env=trial.knit.env, seconds=trial.knit.seconds)
    if done.rc != 0:
        trial.fail(
            "mcp_check", f"exit status {done.rc}: {(done.out + done.err)[-300:].decode('utf-8', 'replace')!r}"
        )


def _table(trial: Trial, key: str, script: str, form: str) -> list[tuple[str, ...]]:
    """What a script that runs the command in many ways told, line by line."""
    text = next(iter(trial.oracle.get("find", {"ENVCONTROL": ""})))
    argv = ["bash", script, *trial.knit.command, "-C", str(trial.built.workspace), f"--query={text}"]
    try:
        output = run_script(argv, trial.built.folder, trial.knit.env, 60 * trial.knit.seconds)
    except NotBuilt as failed:
        trial.fail(key, str(failed))
        return []
    rows = [match.groups() for line in output.splitlines() if (match := re.match(form, line))]
    if not rows:
        trial.fail(key, f"{script} told nothing")
    return rows
