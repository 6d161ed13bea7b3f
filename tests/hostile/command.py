"""The ``knit`` command as a harness runs it: bounded, measured, and its answers read as the JSON they are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TRACEBACK = b"Traceback (most recent call last)"
ASKED_COLD = 4
"""Runs of each case that start the command as a person does."""
MANY = 10_000
"""A ``--limit`` above what any case holds."""


class Broken(Exception):
    """The command did something it must never do, whatever the workspace holds."""


@dataclass(frozen=True, slots=True)
class Done:
    """One run that ended, or was ended. ``rc`` is None when it was stopped for taking too long."""

    argv: tuple[str, ...]
    rc: int | None
    out: bytes
    err: bytes
    seconds: float
    rss_mb: float

    @property
    def words(self) -> str:
        """The arguments after the program, to name the run in a report."""
        return " ".join(repr(word) if not word.isprintable() or " " in word else word for word in self.argv)


def run(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float, shown: int = 0) -> Done:
    """Run ``argv`` with nothing on stdin for at most ``seconds``; the first ``shown`` words go unreported."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        rc, rss = _wait(process, started + seconds)
        took = time.monotonic() - started
        out.seek(0)
        err.seek(0)
        return Done(tuple(argv[shown:]), rc, out.read(), err.read(), took, rss)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> tuple[int | None, float]:
    """Exit status and peak memory in MB; kills the group at ``deadline``.

    The peak is read while the process lives: what the kernel tells of one that has ended counts
    the memory it shared with us before it became another program.
    """
    stopped = False
    peak = 0.0
    while True:
        peak = max(peak, _peak_mb(process.pid))
        pid, status = os.waitpid(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return (None if stopped else process.returncode), peak
        if time.monotonic() > deadline and not stopped:
            os.killpg(process.pid, signal.SIGKILL)
            stopped = True
        time.sleep(0.005)


def _peak_mb(pid: int) -> float:
    """The greatest resident size of a running process so far; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


@dataclass(frozen=True, slots=True)
class Item:
    """One found document: its path and the whole record."""

    path: str
    record: Mapping[str, Any]

    def holds(self, token: str) -> bool:
        """Whether ``token`` is in what the record says of the document, whatever the case of its letters."""
        facts: list[str] = [self.path, str(self.record.get("title", "")), str(self.record.get("summary", ""))]
        facts += (self.record.get("reason") or {}).get("terms", [])
        for passage in self.record.get("passages", []):
            facts += [passage.get("snippet", ""), *passage.get("terms", [])]
        return any(token.casefold() in fact.casefold() for fact in facts)


@dataclass(frozen=True, slots=True)
class Listing:
    """What ``knit files`` told: exact paths, and why others are not among them."""

    files: tuple[str, ...]
    named_by_bytes: frozenset[str]
    """Paths whose record carries ``path_bytes_hex``."""
    skipped: Mapping[str, str]
    """Reason by path."""
    readable: int
    """How many files are not withheld or generated: those a panel surely shows."""
    documents: int
    """How many of these are documents or code: those the first tab lists."""


def exact_path(record: Mapping[str, Any]) -> str:
    """The path of a record, as ``os.fsdecode`` gives it.

    Raises:
        Broken: the name is not UTF-8 and the record does not carry its bytes, or they disagree.
    """
    path, bytes_hex = record["path"], record.get("path_bytes_hex")
    if bytes_hex is not None:
        return os.fsdecode(bytes.fromhex(bytes_hex))
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Broken(f"no path_bytes_hex for {path!r}") from None
    return str(path)


@dataclass(slots=True)
class Knit:
    """The command, over one workspace. ``runs`` is everything that was run, for checks on all output."""

    command: tuple[str, ...]
    workspace: Path
    env: Mapping[str, str]
    seconds: float
    """The longest a run may take before it is stopped."""
    quick: tuple[str, ...] = ()
    """The same command, started by a shorter way: for queries after the first `ASKED_COLD`."""
    runs: list[Done] = field(default_factory=list)

    def run(self, *words: str, workspace: Path | None = None) -> Done:
        """Run it with ``words`` inside the workspace; whatever comes out is recorded.

        Raises:
            Broken: it took too long, ended with another status than 0 or 1, or printed a traceback.
        """
        folder = workspace or self.workspace
        command = self.quick if self.quick and len(self.runs) >= ASKED_COLD else self.command
        argv = [*command, "-C", str(folder), *words]
        cwd = folder if folder.is_dir() else Path("/")
        done = run(argv, cwd=cwd, env=self.env, seconds=self.seconds, shown=len(command) + 2)
        self.runs.append(done)
        if done.rc is None:
            raise Broken(f"{done.words}: not finished after {self.seconds:.0f} s")
        if TRACEBACK in done.err or TRACEBACK in done.out:
            raise Broken(f"{done.words}: traceback: {_last_line(done.err or done.out)}")
        if done.rc not in (0, 1):
            raise Broken(f"{done.words}: exit status {done.rc}: {_last_line(done.err)}")
        return done

    def answer(self, *words: str, workspace: Path | None = None) -> Mapping[str, Any]:
        """What it says as JSON.

        Raises:
            Broken: as ``run``, or the answer is no JSON object of the known schema.
        """
        done = self.run(*words, "--format", "json", workspace=workspace)
        try:
            answer = json.loads(done.out)
        except ValueError as error:
            raise Broken(f"{done.words}: no JSON: {error}") from None
        if not isinstance(answer, dict) or answer.get("schema") != 1:
            raise Broken(f"{done.words}: not an object of schema 1")
        return answer

    def files(self, workspace: Path | None = None) -> Listing:
        """Everything it lists, and everything it skips."""
        answer = self.answer("files", workspace=workspace)
        paths = [exact_path(record) for record in answer["files"]]
        if len(set(paths)) != len(paths):
            raise Broken("files: a path is listed twice")
        named = frozenset(
            path for path, record in zip(paths, answer["files"], strict=True) if "path_bytes_hex" in record
        )
        skipped = {exact_path(record): str(record["reason"]) for record in answer["skipped"]}
        readable = [record for record in answer["files"] if record.get("access", "text") in ("text", "name")]
        documents = [record for record in readable if record.get("kind", "docs") in ("docs", "code")]
        return Listing(tuple(paths), named, skipped, len(readable), len(documents))

    def query(self, text: str) -> list[Item]:
        """Every document that a typed query finds, in order."""
        answer = self.answer(f"--query={text}", "--limit", str(MANY))
        return [Item(exact_path(record), record) for record in answer["items"]]

    def pack(self) -> list[Item]:
        """Every document that fits the session, in order."""
        answer = self.answer("pack", "--limit", str(MANY))
        return [Item(exact_path(record), record) for record in answer["items"]]


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return repr(lines[-1])[:200] if lines else "no message"
