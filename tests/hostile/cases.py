"""Finding cases, building one in a fresh folder, and what a built one holds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BUILD_SECONDS = 180
CLEANUP_SECONDS = 60


class NotBuilt(Exception):
    """A case that could not be built: the machine lacks something, or ``make.sh`` failed."""


@dataclass(frozen=True, slots=True)
class Case:
    """A folder with a ``make.sh``."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def expect(self) -> str:
        """The one line that says what knit must do."""
        text = self.path / "expect.txt"
        return text.read_text(encoding="utf-8").strip() if text.is_file() else ""


def find_cases(folders: Sequence[Path]) -> list[Case]:
    """The cases that ``folders`` are or hold, in the order given, each once.

    Raises:
        FileNotFoundError: a folder is no case and holds none.
    """
    found: dict[Path, Case] = {}
    for folder in folders:
        scripts = [folder / "make.sh"] if (folder / "make.sh").is_file() else sorted(folder.glob("*/make.sh"))
        inner = [script.parent for script in scripts]
        if not inner:
            raise FileNotFoundError(f"no make.sh in {folder} or one level below")
        for path in inner:
            found.setdefault(path.resolve(), Case(path.resolve()))
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Built:
    """One case as it stands on disk."""

    folder: Path
    oracle: Mapping[str, Any]
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment for knit: nothing of the caller's own settings is in it."""

    @property
    def workspace(self) -> Path:
        return self.folder / str(self.oracle.get("open", "ws"))

    @property
    def has_session(self) -> bool:
        return any((Path(self.env["HOME"]) / agent).is_dir() for agent in (".claude", ".codex"))


def clean_env(home: Path) -> dict[str, str]:
    """An environment with ``home`` for everything a program keeps, and no setting of the caller."""
    return {
        "HOME": str(home),
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "TERM": "tmux-256color",
        "COLORTERM": "truecolor",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_RUNTIME_DIR": str(home / ".run"),
    }


@contextmanager
def built(case: Case, keep: bool = False) -> Iterator[Built]:
    """Build ``case`` in a fresh temporary folder; remove it afterwards unless ``keep``.

    Raises:
        NotBuilt: ``make.sh`` failed, took too long, or wrote no readable oracle.
    """
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="knit-case-")))
    oracle: Mapping[str, Any] = {}
    try:
        env = clean_env(folder / "build-home")
        run_script(["bash", str(case.path / "make.sh"), str(folder)], folder, env, BUILD_SECONDS)
        oracle = _read_oracle(folder)
        home = folder / str(oracle.get("home", "home"))
        home.mkdir(exist_ok=True)
        (home / ".run").mkdir(mode=0o700, exist_ok=True)
        yield Built(folder, oracle, clean_env(home))
    finally:
        if not keep:
            _remove(folder, str(oracle.get("cleanup", "")))


def run_script(argv: Sequence[str], cwd: Path, env: Mapping[str, str], seconds: float) -> str:
    """Run a script of a case to its end; return what it printed.

    Raises:
        NotBuilt: it ended with another status than 0, or not in time.
    """
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end_group(process)
        raise NotBuilt(f"{Path(argv[1]).name} took longer than {seconds:.0f} s") from None
    text = output.decode("utf-8", "replace")
    if process.returncode != 0:
        raise NotBuilt(f"{Path(argv[1]).name} ended with {process.returncode}: {text.strip()[-300:]}")
    return text


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads its own group, and everything in the group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.communicate()


def _read_oracle(folder: Path) -> Mapping[str, Any]:
    try:
        oracle = json.loads((folder / "oracle.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotBuilt(f"oracle.json: {error}") from None
    if not isinstance(oracle, dict):
        raise NotBuilt("oracle.json holds no object")
    return oracle


def _remove(folder: Path, cleanup: str) -> None:
    if cleanup:
        subprocess.run(
            ["bash", "-c", cleanup], cwd=folder, timeout=CLEANUP_SECONDS, check=False, capture_output=True
        )
    shutil.rmtree(folder, ignore_errors=True)
