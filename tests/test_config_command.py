"""`knit config`, and the settings in the real command."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knit_tui.config import SPECS
from tests.test_cli import knit as run
from tests.test_cli import one_line, schema


class Here:
    """A workspace, and a home below the test's own folder."""

    def __init__(self, top: Path) -> None:
        self.root = top / "ws"
        self.folder = top / "home/.config/knit"
        self.root.mkdir()
        self.folder.mkdir(parents=True)
        self.user = self.folder / "config.toml"
        self.workspace = self.root / ".knit.toml"
        (self.root / "note.md").write_text("# Needle\n\nA needle.\n")

    def knit(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return run(*arguments, cwd=self.root, **{"KNIT_CONFIG_DIR": str(self.folder), **environment})


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


def test_it_prints_every_setting_with_its_source(here: Here) -> None:
    here.user.write_text('[panel]\ntheme = "nord"\n[keys]\nitem.pin = ["Q", "/"]\nitem.exclude = "x"\n')
    here.workspace.write_text('[ranking]\norder = "classic"\n')
    result = here.knit("--no-git", "config", KNIT_PANEL_MOUSE="no")
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 0
    assert [line.split()[-1] for line in lines[:2]] == ["read", "read"]
    table = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[3:]}
    assert set(SPECS) <= set(table)
    squeezed = {key: " ".join(rest.split()) for key, rest in table.items()}
    assert squeezed["panel.theme"] == '"nord" your file'
    assert squeezed["ranking.order"] == '"classic" workspace'
    assert squeezed["panel.mouse"] == "false KNIT_PANEL_MOUSE"
    assert squeezed["ranking.git"] == "false --no-git"
    assert squeezed["panel.ascii"] == "false default"
    assert squeezed["keys.item.pin"] == '["Q", "slash"] your file'
    starts = {len(line) - len(line.split("  ")[-1].lstrip()) for line in lines[3:]}
    assert len(starts) == 1, "the sources stand in a column"
    assert one_line(result).endswith("keys.item.pin: slash was a key of filter.open, which has it no more\n")


def test_json_validates_and_tells_the_warnings_too(here: Here) -> None:
    here.user.write_text('[panel]\ntheme = "pink"\n[keys]\n"\\u001b[2J" = "x"\nitem.pin = "hyper+q"\n')
    result = here.knit("--ranking", "classic", "config", "--format", "json")
    answer = json.loads(result.stdout)
    jsonschema.validate(answer, schema("config"))
    assert result.returncode == 0
    assert len(answer["warnings"]) == 3
    assert result.stderr.decode() == "".join(f"knit: {text}\n" for text in answer["warnings"])
    assert b"\x1b" not in result.stdout + result.stderr
    order = next(each for each in answer["settings"] if each["key"] == "ranking.order")
    assert (order["value"], order["source"], order["from"]) == ("classic", "option", "--ranking")
    pin = next(each for each in answer["keys"] if each["action"] == "item.pin")
    assert pin == {"action": "item.pin", "keys": ["p"], "source": "user", "from": str(here.user)}


def test_path_says_where_and_init_writes_there_once(here: Here) -> None:
    here.folder.rmdir()
    assert here.knit("config", "--path").stdout.decode() == f"{here.user}\n"
    assert not here.folder.exists()
    result = here.knit("config", "--init")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == f"wrote {here.user}\n"
    written = here.user.read_text()
    assert '#item.pin = "p"\n' in written and '#filter.open = ["/", "f3"]\n' in written
    after = here.knit("config")
    assert after.stderr == b""
    assert {line.split()[-1] for line in after.stdout.decode().splitlines()[3:]} == {"default"}
    here.user.write_text("# mine\n")
    again = here.knit("config", "--init")
    assert again.returncode == 1
    assert "already" in one_line(again)
    assert here.user.read_text() == "# mine\n"


def test_every_line_of_the_written_file_may_be_used(here: Here) -> None:
    here.knit("config", "--init")
    lines = here.user.read_text().splitlines()
    used = [line[1:] if line.startswith("#") and " = " in line and line[1] != " " else line for line in lines]
    assert used != lines
    here.user.write_text("\n".join(used))
    result = here.knit("config", "--format", "json")
    assert result.stderr == b""
    answer = json.loads(result.stdout)
    assert {each["source"] for each in answer["settings"]} == {"user"}
    assert all(each["value"] == each["default"] for each in answer["settings"])
    assert {each["source"] for each in answer["keys"]} == {"user"}


def test_init_writes_through_no_link(here: Here, tmp_path: Path) -> None:
    here.user.symlink_to(tmp_path / "elsewhere")
    assert here.knit("config", "--init").returncode == 1
    assert not (tmp_path / "elsewhere").exists()


def test_init_says_what_stands_in_the_way(here: Here) -> None:
    here.folder.rmdir()
    here.folder.write_text("")
    result = here.knit("config", "--init")
    assert result.returncode == 2
    assert "cannot write" in one_line(result)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["config", "--path", "--init"], "not both"),
        (["config", "--format", "xml"], "--format"),
        (["config", "--nonsense"], "--nonsense"),
        (["config", "-C", "nowhere"], "nowhere"),
        (["--lang", "tlh", "config"], "--lang"),
    ],
)
def test_wrong_use(here: Here, arguments: list[str], says: str) -> None:
    result = here.knit(*arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert says in one_line(result)


def test_without_a_folder_there_is_no_path(here: Here) -> None:
    for arguments in (["config", "--path"], ["config", "--init"]):
        result = here.knit(*arguments, KNIT_CONFIG_DIR="off")
        assert result.returncode == 2
        assert "KNIT_CONFIG_DIR is off" in one_line(result)
    result = here.knit("config", KNIT_CONFIG_DIR="off")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode().startswith("no file is read")


def _query(here: Here, *arguments: str, **environment: str) -> Any:
    return here.knit(*arguments, "--query", "needle", "--format", "json", **environment)


def test_the_order_is_the_one_that_is_set(here: Here) -> None:
    """The order that ran tells itself apart by the form of its terms: classic has no other forms."""
    (here.root / "note.md").write_text("# Needles\n\nNeedles and needling.\n")
    knit_terms = json.loads(_query(here).stdout)["query"]
    classic_terms = json.loads(_query(here, "--ranking", "classic").stdout)["query"]
    assert knit_terms != classic_terms
    here.workspace.write_text('[ranking]\norder = "classic"\n')
    assert json.loads(_query(here).stdout)["query"] == classic_terms
    assert json.loads(_query(here, "--ranking", "knit").stdout)["query"] == knit_terms
    assert json.loads(_query(here, KNIT_RANKING_ORDER="knit").stdout)["query"] == knit_terms
    assert json.loads(_query(here, KNIT_CONFIG_DIR="off").stdout)["query"] == knit_terms
    elsewhere = here.root.parent / "elsewhere"
    elsewhere.mkdir()
    outer = run(
        "-C", str(here.root), "--query", "needle", "--format", "json", cwd=elsewhere, KNIT_CONFIG_DIR=""
    )
    assert json.loads(outer.stdout)["query"] == classic_terms


def test_a_session_that_is_not_to_be_followed(here: Here) -> None:
    log = here.root.parent / "s.jsonl"
    log.write_text(
        json.dumps(
            {
                "type": "user",
                "uuid": "u1",
                "parentUuid": None,
                "isSidechain": False,
                "cwd": str(here.root),
                "sessionId": "s1",
                "version": "2.1.0",
                "message": {"role": "user", "content": "the needle"},
            }
        )
        + "\n"
    )
    here.user.write_text('[session]\nfollow = "none"\n')
    off = json.loads(here.knit("pack", "--format", "json").stdout)
    assert off["session"]["state"] == "off"
    named = json.loads(here.knit("pack", "--session", str(log), "--format", "json").stdout)
    assert named["session"]["state"] == "following"


def test_a_warning_stands_beside_the_answer(here: Here) -> None:
    here.workspace.write_text('[editor]\ncommand = "vim"\n')
    result = _query(here)
    assert result.returncode == 0
    assert "only your own file" in one_line(result)
    assert json.loads(result.stdout)["items"]


@pytest.mark.parametrize("command", ["--version", "--help"])
def test_what_needs_no_settings_reads_none(here: Here, command: str) -> None:
    os.mkfifo(here.user)
    result = here.knit(command)
    assert (result.returncode, result.stderr) == (0, b"")


def test_config_loads_no_panel(here: Here) -> None:
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "sys.argv = ['knit', 'config']\n"
        "from knit_tui.cli import main\n"
        "main()\n"
    )
    here.user.write_text('[keys]\nitem.pin = "P"\n')
    root = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "HOME": str(here.root.parent), "KNIT_CONFIG_DIR": str(here.folder)}
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=here.root,
        env={**environment, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=60,
    )
    loaded = result.stderr.split()
    assert result.returncode == 0 and "knit_tui.faces.tui.keymap" in loaded
    assert not [name for name in loaded if name.split(".")[0] in ("textual", "pygments", "numpy")]


def test_the_real_panel_takes_theme_keys_and_warnings(here: Here) -> None:
    """In a terminal of its own: a rebound key leaves it, and what is wrong is on screen."""
    here.user.write_text(
        '[panel]\ntheme = "knit-light"\nmouse = false\n[keys]\npanel.quit = "Z"\nfoo.bar = "y"\n'
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("CLAUDE", "CODEX"))}
    environment |= {
        "HOME": str(here.root.parent / "home"),
        "KNIT_CONFIG_DIR": str(here.folder),
        "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "knit_tui", "--session", "none"],
        cwd=here.root,
        env=environment,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    screen = b""
    try:

        def until(what: bytes) -> None:
            nonlocal screen
            deadline = time.monotonic() + 60
            while what not in screen:
                ready, _writable, _failed = select.select([master], [], [], 1)
                assert time.monotonic() < deadline, (what, screen[-2000:])
                if ready:
                    screen += os.read(master, 65536)

        until(b"note.md")
        assert screen.startswith(b"knit: ")
        assert b"foo.bar: no such action" in screen.partition(b"\x1b")[0]
        assert b"\x1b[?1000h" not in screen, "the mouse is left to the terminal"
        assert b"48;2;251;251;249" in screen, "the light background"
        os.write(master, b"q")
        os.write(master, b"Z")
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            ready, _writable, _failed = select.select([master], [], [], 0.2)
            if ready:
                try:
                    screen += os.read(master, 65536)
                except OSError:
                    break
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait(10)
        os.close(master)


def test_the_language_is_that_of_the_option_else_the_setting_else_the_locale(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knit_tui.cli import settings

    spoken: list[str | None] = []
    monkeypatch.setattr(settings, "use_language", spoken.append)
    monkeypatch.setenv("KNIT_CONFIG_DIR", str(here.folder))
    here.workspace.write_text('[panel]\nlanguage = "zh_CN"\n')
    for root, language in ((None, None), (here.root, None), (here.root, "en"), (here.root, "auto")):
        settings.load_settings(root, settings.Chosen(language=language))
    assert spoken == [None, "zh_CN", "en", None]


@pytest.mark.parametrize("ascii", [True, False])
def test_the_panel_is_run_as_it_is_set(ascii: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from typing import cast

    from knit_tui.config import Panel, Settings
    from knit_tui.faces.tui import app

    ran: list[Any] = []
    asked: list[bool] = []

    def run_no_more(work: Any) -> int:
        ran.append(dict(work.cr_frame.f_locals))
        work.close()
        return 0

    monkeypatch.setattr(app, "prepare_terminal", lambda: None)
    monkeypatch.setattr(app, "use_ascii", asked.append)
    monkeypatch.setattr(app.asyncio, "run", run_no_more)
    wanted = Settings(panel=Panel(theme="nord", mouse=False, ascii=ascii))
    assert app.run_panel(cast(Any, None), wanted) == 0
    assert (ran[0]["mouse"], ran[0]["app"].theme) == (False, "nord")
    assert asked == [True] * ascii
