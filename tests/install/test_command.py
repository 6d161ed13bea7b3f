"""``knit install`` as its user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from knit_tui.install.command import is_hook, is_tool, knit_command

ROOT = Path(__file__).resolve().parents[2]


class Desk:
    def __init__(self, place: Path) -> None:
        self.home, self.root = place / "home", place / "ws"
        self.home.mkdir()
        self.root.mkdir()
        self.environ = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
        }

    def knit(self, *words: str, status: int = 0, **environ: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "knit_tui", *words],
            cwd=self.root,
            env=self.environ | environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == status, done
        return done.stdout, done.stderr

    def one_line(self, *words: str, **environ: str) -> str:
        out, error = self.knit(*words, status=2, **environ)
        assert out == ""
        assert error.startswith("knit: ") and error.count("\n") == 1
        return error


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_there_and_back(desk: Desk) -> None:
    file = desk.home / ".gemini/settings.json"
    out, error = desk.knit("install", "gemini", "--hook")
    assert out.splitlines() == [
        f"knit is now a tool of Gemini CLI: {file}",
        f"Gemini CLI now hands its prompts to knit hook: {file}",
        "the hook is silent in a workspace until the panel, the tool or a query has indexed it",
    ]
    assert error == ""
    said = json.loads(file.read_text())
    assert said["mcpServers"]["knit"] == {"command": sys.executable, "args": ["-P", "-m", "knit_tui", "mcp"]}
    out, error = desk.knit("install", "gemini", "--hook")
    assert out.splitlines() == [f"already registered: {file}", f"hooks already registered: {file}"]
    assert desk.knit("install", "gemini", "--uninstall") == (f"as it was before knit: {file}\n", "")
    assert not file.exists() and not file.parent.exists()
    out, error = desk.knit("install", "gemini", "--uninstall", status=1)
    assert error == "knit: knit is not registered with Gemini CLI\n"


def test_print_does_nothing_and_shows_no_secret(desk: Desk) -> None:
    file = desk.home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "key": "s3cret",\n  "mcpServers": {\n    "a": {"env": {"KEY": "s3cret"}}\n  }\n}\n')
    before = file.read_bytes()
    out, _ = desk.knit("install", "gemini", "--hook", "--print")
    assert f"would put into {file}:" in out
    assert '"knit": {' in out and '"BeforeAgent": [' in out
    assert "s3cret" not in out
    assert file.read_bytes() == before
    desk.knit("install", "gemini")
    assert desk.knit("install", "gemini", "--uninstall", "--print")[0] == f"would take knit out of {file}\n"
    assert "knit" in file.read_text()


def test_project_files_lie_in_the_workspace(desk: Desk) -> None:
    desk.knit("install", "claude", "--project")
    desk.knit("-C", str(desk.root), "install", "vscode")
    desk.knit("install", "cursor", "-C", str(desk.root))
    assert [str(path.relative_to(desk.root)) for path in sorted(desk.root.rglob("*.json"))] == [
        ".cursor/mcp.json",
        ".mcp.json",
        ".vscode/mcp.json",
    ]
    assert desk.knit("install", "codex", "--project")[0].endswith("only in a folder that you trust\n")
    assert list(desk.home.rglob("*.json*")) == list((desk.home / ".local/state/knit/install").iterdir())


def test_codex_wants_hooks_to_be_trusted(desk: Desk) -> None:
    assert "type /hooks there" in desk.knit("install", "codex", "--hook")[0]


@pytest.mark.parametrize("words", [["install"], ["install", "emacs"], ["install", "claude", "--what"]])
def test_wrong_use(desk: Desk, words: list[str]) -> None:
    desk.one_line(*words)


def test_each_refusal_is_one_line_that_names_the_file(desk: Desk) -> None:
    file = desk.home / ".qwen/settings.json"
    file.parent.mkdir()
    for text, says in (
        ('{\n"a": 1,,\n}', f"cannot change {file}:2: a name in quotation marks is expected"),
        ('{"mcpServers": 1}', f"cannot change {file}: no object where one is expected"),
        ('{"mcpServers": {"knit": {"command": "wool\\u001b[2J"}}}', f"{file} has another tool named knit"),
        ('{"hooks": {"SessionStart": 1}}', "no list where one is expected (SessionStart)"),
    ):
        file.write_text(text)
        line = desk.one_line("install", "qwen", "--hook")
        assert says in line
        assert "\x1b" not in line
        assert file.read_text() == text
    file.unlink()
    assert "knit knows no hook of Cursor" in desk.one_line("install", "cursor", "--hook")
    assert "HOME" in desk.one_line("install", "qwen", HOME="")


def test_the_command_is_the_one_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "knit"
    assert knit_command(str(program)) == [sys.executable, "-P", "-m", "knit_tui"]
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert knit_command(str(program)) == [str(program)]
    monkeypatch.chdir(tmp_path)
    assert knit_command("./knit") == [str(program)]


def test_ours_is_told_from_others() -> None:
    assert is_tool(["/a b/knit", "mcp", "--root", "x"])
    assert is_tool([sys.executable, "-P", "-m", "knit_tui", "mcp"])
    assert not is_tool(["/a/knit-wool", "mcp"])
    assert not is_tool(["python", "-m", "other", "mcp"])
    assert not is_tool([])
    assert is_hook({"command": "'/a b/knit' hook claude"}, "claude")
    assert is_hook({"hooks": [{"command": "/a/knit hook claude"}]}, "claude")
    assert not is_hook({"hooks": [{"command": "/a/knit hook claude"}, {"command": "x"}]}, "claude")
    assert not is_hook({"hooks": []}, "claude")
    for line in ("knit hook codex", "knit hook claude; rm x", "'knit hook claude", 5, None):
        assert not is_hook({"command": line}, "claude")
