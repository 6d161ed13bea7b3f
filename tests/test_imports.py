"""What may be loaded when: static contracts are import-linter's, this is the proof at run time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEADLESS = {
    "version": ["--version"],
    "help": ["--help"],
    "query": ["--query", "needle", "--format", "json"],
    "pack": ["--session", "none", "pack"],
    "files": ["files"],
    "reads": ["--session", "none", "reads"],
    "why": ["why", "note.md", "--query", "needle"],
    "sessions": ["sessions"],
    "config": ["config"],
    "doctor": ["doctor"],
}
PANEL_ONLY = ("textual", "pygments", "PIL")


def modules_after(arguments: list[str], folder: Path) -> set[str]:
    """The modules a ``knit`` process has loaded when it ends."""
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        f"sys.argv = ['knit', *{arguments!r}]\n"
        "from knit_tui.cli import main\n"
        "main()\n"
    )
    environment = {**os.environ, "HOME": str(folder / "home")}
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode in (0, 1), result.stderr
    return set(result.stderr.split())


@pytest.mark.parametrize("name", HEADLESS)
def test_a_headless_command_never_loads_the_panel(name: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# needle\n")
    loaded = modules_after(HEADLESS[name], tmp_path)
    assert "knit_tui.cli" in loaded
    assert not [module for module in loaded if module.split(".")[0] in PANEL_ONLY]


def test_asking_for_the_version_loads_nothing_heavy(tmp_path: Path) -> None:
    loaded = modules_after(["--version"], tmp_path)
    heavy = ("numpy", "watchfiles", "pathspec", "asyncio", "knit_tui.engine", "knit_tui.faces.tui")
    assert not [module for module in loaded if module.startswith(heavy)]
