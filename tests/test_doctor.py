"""``knit doctor``: what it tells, what it calls a problem, what it keeps to itself."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from knit_tui.cli import doctor
from knit_tui.cli.options import Problem
from knit_tui.faces.doctor import Fact, Section, Veil, doctor_text, problems
from knit_tui.faces.doctor_words import workspace
from knit_tui.install.agents import Where
from knit_tui.install.registered import Registered, Unknown, registered
from knit_tui.model import Notice, Scan, Skip
from knit_tui.workspace.watchable import Late, limits, obstacle
from knit_tui.workspace.writable import in_the_way
from tests.headless import Knit, knit  # noqa: F401 - a fixture
from tests.sessions.logs import Claude, write

NAMES = ["versions", "terminal", "workspace", "sessions", "index", "settings", "agents", "state"]


def facts(answer: Any, section: str) -> dict[str, Any]:
    """The facts of a section by name; of several the last."""
    (found,) = (each["facts"] for each in answer["sections"] if each["name"] == section)
    return {fact["name"]: fact for fact in found}


def session(knit: Knit, name: str, cwd: Path, text: str) -> None:  # noqa: F811
    slug = "".join(char if char.isalnum() and char.isascii() else "-" for char in str(cwd))
    write(knit.home / f".claude/projects/{slug}/{name}.jsonl", [Claude(str(cwd), name).user(text)])


# The command.


def test_where_nothing_is_wrong(knit: Knit) -> None:  # noqa: F811
    (knit.root / "note.md").write_text("# Note\n")
    (knit.root / ".env").write_text("KEY=1\n")
    (knit.root / "blob.dat").write_bytes(b"\0\1")
    session(knit, "5b0c7a10-aaaa", knit.root, "the secret prompt")
    done = knit("doctor", "--format", "json")
    answer = done.json("doctor")
    assert (done.status, done.err, answer["problems"], answer["redacted"]) == (0, "", 0, False)
    assert [each["name"] for each in answer["sections"]] == NAMES
    found = facts(answer, "workspace")
    assert found["root"]["value"] == str(knit.root) and found["git"]["value"] is None
    assert found["files"]["value"] == {"code": 1, "docs": 1}
    assert found["unsearched"]["value"] == {"withheld": 1} and found["skipped"]["value"] == {"binary": 1}
    assert found["watching"]["value"] in ("events", "polling")
    found = facts(answer, "sessions")
    assert (found["followed"]["value"], found["how"]["value"]) == ("following", "directory")
    assert found["found"]["value"] == {"claude": 1} and found["session"]["value"] == "5b0c7a10-aaaa"
    assert facts(answer, "index")["state"]["value"] == "none"
    assert facts(answer, "terminal")["panel"]["value"] is False, "a pipe is no problem"
    text = knit("doctor").text
    assert text.endswith("nothing is wrong\n") and "problem" not in text
    assert "the secret prompt" not in text + done.text
    assert not list((knit.base / "state").glob("**/*")) and not (knit.base / "cache").exists()


def test_every_problem_is_marked_and_says_what_to_do(knit: Knit) -> None:  # noqa: F811
    (knit.base / "state").write_text("")
    (knit.base / "cache").write_text("")
    config = knit.base / "config/config.toml"
    config.parent.mkdir()
    config.write_text('[panel]\ntheme = "pink"\nascii = "\x1b[2J"\n[keys]\nitem.pin = "/"\n')
    gone = {"mcpServers": {"knit": {"command": "/opt/gone/knit", "args": ["mcp"]}}}
    (knit.home / ".claude.json").write_text(json.dumps(gone))
    (knit.home / ".codex").mkdir()
    (knit.home / ".codex/config.toml").write_text("x = [")
    answer = knit("--session", "absent.jsonl", "doctor", "--format", "json").json("doctor")
    assert "absent.jsonl" in facts(answer, "sessions")["followed"]["problem"]
    assert "KNIT_CACHE_DIR" in str(facts(answer, "index"))
    assert "KNIT_STATE_DIR" in facts(answer, "state")["place"]["problem"]
    found = facts(answer, "settings")
    assert found["file-user"]["value"] == "faulty" and str(config) in found["fault"]["problem"]
    found = facts(answer, "agents")
    assert "knit install claude --user --uninstall" in found["claude-tool"]["problem"]
    assert "no valid TOML" in found["codex-unknown"]["problem"]
    done = knit("--session", "absent.jsonl", "doctor")
    assert done.status == 1 and done.err == ""
    assert done.text.count("problem: ") == answer["problems"] >= 6
    assert done.text.endswith(f"{answer['problems']} problems\n")
    assert "\x1b" not in done.text


def test_redacted_it_tells_nobody(knit: Knit) -> None:  # noqa: F811
    knit.patch.setenv("USER", "quillon")
    root = knit.home / "velvet"
    (root / "sub").mkdir(parents=True)
    knit.patch.chdir(root)
    session(knit, "5b0c7a10-aaaa", root, "the secret prompt")
    session(knit, "77aabbcc-bbbb", root / "sub", "another prompt of quillon")
    (root / ".cursor").mkdir()
    entry = {"command": "/home/quillon/bin/knit", "args": ["mcp"]}
    (root / ".cursor/mcp.json").write_text(json.dumps({"mcpServers": {"knit": entry}}))
    (knit.home / ".claude.json").write_text(json.dumps({"mcpServers": {"knit": entry}}))
    for output in ("text", "json"):
        plain = knit("doctor", "--format", output)
        told = knit("doctor", "--redact", "--format", output)
        private = ("velvet", str(knit.home), "quillon", "5b0c7a10", "aaaa", "77aabbcc", "bbbb")
        assert all(word in plain.text for word in private)
        assert not [word for word in (*private, "prompt of", "secret") if word in told.text]
        assert told.status == plain.status == 1
        for instead in ("ROOT", "~/.claude.json", "USER", "SESSION", "ROOT/sub"):
            assert instead in told.text
    answer = knit("doctor", "--redact", "--format", "json").json("doctor")
    assert answer["redacted"] is True


def test_without_a_home_it_says_what_that_costs(knit: Knit) -> None:  # noqa: F811
    for name in ("HOME", "KNIT_CACHE_DIR", "KNIT_STATE_DIR", "KNIT_CONFIG_DIR"):
        knit.patch.delenv(name)
    done = knit("doctor", "--format", "json")
    answer = done.json("doctor")
    assert done.status == 1
    assert "home" in facts(answer, "state")["place"]["problem"]
    assert "home" in facts(answer, "index")["state"]["problem"]
    assert facts(answer, "agents")["none"]["problem"] is None


def test_a_folder_that_is_gone_or_cannot_be_read_is_told(knit: Knit) -> None:  # noqa: F811
    knit.patch.setenv("PWD", str(knit.root))
    knit.root.rmdir()
    done = knit("doctor", "--format", "json")
    answer = done.json("doctor")
    assert done.status == 1 and "gone" in facts(answer, "workspace")["root"]["problem"]

    def refuse(_folder: str | None) -> Path:
        raise Problem("cannot read folder")

    knit.root.mkdir()
    knit.patch.setattr(doctor, "workspace_root", refuse)
    assert doctor._root(str(knit.root)) == knit.root
    with pytest.raises(Problem):
        doctor._root("nowhere")
    closed = workspace(Scan("/w", True, skips=(Skip("", "unreadable"),)), None, None, False, {})
    assert problems([closed]) == 1 and "read and enter" in closed.facts[0].problem


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["-C", "nowhere"], "nowhere"), (["--format", "paths"], "--format"), (["extra"], "extra")],
)
def test_wrong_use_is_one_line(arguments: list[str], says: str, knit: Knit) -> None:  # noqa: F811
    done = knit("doctor", *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)
    assert says in done.err


def test_it_loads_no_panel_and_needs_no_stream_but_one(knit: Knit) -> None:  # noqa: F811
    (knit.root / "note.md").write_text("# Note\n")
    program = (
        "import sys; sys.argv = ['knit', 'doctor', '--format', 'json']\n"
        "from knit_tui.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=open('../modules', 'w'))\n"
    )
    root = str(Path(__file__).resolve().parents[1])
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -c {shlex.quote(program)} <&- 2>&-",
        shell=True,
        cwd=knit.root,
        env={**os.environ, "PYTHONPATH": root, "LC_ALL": "C", "TERM": "xterm-256color"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 and done.stdout.isascii()
    assert json.loads(done.stdout)["problems"] == 0
    loaded = (knit.base / "modules").read_text().split()
    assert "knit_tui.cli.doctor" in loaded
    assert not [
        name for name in loaded if name.split(".")[0] in ("textual", "rich", "pygments", "PIL", "mcp")
    ]


# Probes.


def test_a_look_that_hangs_or_fails_holds_up_nobody() -> None:
    waiting = threading.Event()

    def hang() -> Section:
        waiting.wait()
        return Section("late", "Late", ())

    def fail() -> Section:
        raise OSError(5, "no disk")

    section, why = doctor.Probe(hang).result(0)
    assert section is None and "no answer" in why
    waiting.set()
    section, why = doctor.Probe(fail).result(60)
    assert section is None and "no disk" in why


def test_sections_that_fail_are_told_in_their_place(knit: Knit) -> None:  # noqa: F811
    def fail(_self: object) -> Section:
        raise ValueError("\x1b[2Jodd")

    knit.patch.setattr(doctor.Examination, "_sessions", fail)
    answer = knit("doctor", "--format", "json").json("doctor")
    assert [each["name"] for each in answer["sections"]] == NAMES
    assert "odd" in facts(answer, "sessions")["probe"]["problem"]
    text = knit("doctor").text
    assert "problem: it could not be found out: ValueError" in text and "\x1b" not in text


def test_where_something_could_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_the_way(tmp_path / "a/b/c") is None
    (tmp_path / "file").write_text("")
    assert in_the_way(tmp_path / "file/b") == (tmp_path / "file", "no-folder")
    assert in_the_way(tmp_path / "file") == (tmp_path / "file", "no-folder")
    monkeypatch.setattr(os, "access", lambda path, _mode: path != tmp_path)
    assert in_the_way(tmp_path / "a/b") == (tmp_path, "read-only")


def test_whether_it_can_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert obstacle(tmp_path, ("",), 60) is None
    monkeypatch.setattr("knit_tui.workspace.watch.file_system", lambda _path: "nfs")
    assert obstacle(tmp_path, ("",), 60) == Notice("watch-polling", (("why", "network"),))
    monkeypatch.setattr("knit_tui.workspace.watch.Watcher._run", lambda _self: None)
    with pytest.raises(Late):
        obstacle(tmp_path, ("",), 0)
    (tmp_path / "max_user_watches").write_text("8192\n")
    (tmp_path / "max_user_instances").write_text("odd\n")
    assert limits(str(tmp_path)) == {"watches": 8192}


def _workspace(**more: Any) -> dict[str, Fact]:
    scan = more.pop("scan", Scan("/w", True, folders=("", "a")))
    section = workspace(scan, "/w", more.get("obstacle"), more.get("late", False), {})
    return {fact.name: fact for fact in section.facts}


def test_which_limits_of_watching_and_of_git_are_problems() -> None:
    assert _workspace()["watching"].value == "events"
    assert "try again" in _workspace(late=True)["watching"].problem
    for why, wrong in (("limit", True), ("error", True), ("network", False), ("folders", False)):
        found = _workspace(obstacle=Notice("watch-polling", (("why", why),)))["watching"]
        assert found.value == "polling" and bool(found.problem) == wrong
        assert ("max_user_watches" in found.problem) == wrong
    for why, todo in (
        ("missing", "install git"),
        ("refused", "safe.directory /w/a"),
        ("broken", "git status"),
    ):
        notice = Notice("git-fallback", (("why", why), ("folder", "a"), ("folders", "1")))
        assert todo in _workspace(scan=Scan("/w", True, notices=(notice,)))["notice"].problem
    assert not _workspace(scan=Scan("/w", True, notices=(Notice("root-ignored"),)))["notice"].problem


# Agents.


def test_what_is_registered_where(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "ws"
    for place in (home / ".gemini", home / ".claude", root / ".github/hooks", home / ".qwen"):
        place.mkdir(parents=True)
    alive = tmp_path / "knit"
    alive.write_text("")
    alive.chmod(0o755)
    tool = {"mcpServers": {"knit": {"command": str(alive), "args": ["mcp"]}}}
    hook = {"hooks": [{"type": "command", "command": f"{alive} hook gemini"}]}
    both = tool | {"hooks": {"BeforeAgent": [hook], "SessionStart": [hook, {"hooks": []}], "Other": "x"}}
    (home / ".gemini/settings.json").write_text(json.dumps(both))
    other = {"mcpServers": {"knit": {"command": "needle", "args": ["mcp"]}}}
    (home / ".claude.json").write_text(json.dumps(other))
    (root / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"knit": {"command": "/gone/knit", "args": ["mcp"]}}})
    )
    (home / ".qwen/settings.json").write_text("{")
    line = {"type": "command", "bash": "/gone/knit hook copilot"}
    (root / ".github/hooks/knit.json").write_text(
        json.dumps({"version": 1, "hooks": {"sessionStart": [line]}})
    )
    found = list(registered(Where(home, {"PATH": "/bin"}, root)))
    entries = {
        (one.agent.name, one.scope.value, one.what, one.runs) for one in found if isinstance(one, Registered)
    }
    assert entries == {
        ("gemini", "user", "tool", True),
        ("gemini", "user", "hook", True),
        ("claude", "project", "tool", False),
        ("copilot", "project", "hook", False),
    }
    unknown = [(one.agent.name, one.refused.code) for one in found if isinstance(one, Unknown)]
    assert unknown == [("qwen", "not-understood")], "once, though tool and hook share the file"


def test_a_home_that_is_the_workspace_too_is_told_once(tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    tool = {"mcpServers": {"knit": {"command": "knit", "args": ["mcp"]}}}
    (tmp_path / ".gemini/settings.json").write_text(json.dumps(tool))
    assert len(list(registered(Where(tmp_path, {"PATH": ""}, tmp_path)))) == 1


# Private words.


def test_private_words_go_and_longer_ones_stay() -> None:
    veil = Veil(
        {"/home/ann": "~", "/home/ann/proj": "ROOT", "/": "never", "": "never"}, {"ann": "USER", "": "no"}
    )
    texts = {
        "/home/ann/proj/a.md": "ROOT/a.md",
        "/home/ann/.cache": "~/.cache",
        "/home/anna/x": "/home/anna/x",
        "of ann, annex": "of USER, annex",
        "-home-ann-x": "-home-USER-x",
        "plain": "plain",
    }
    sections = [Section("s", "ann", tuple(Fact("ann", "ann", (text,), text, text) for text in texts))]
    (told,) = veil.over(sections)
    assert told.title == "ann" and {fact.name for fact in told.facts} == {
        fact.label for fact in told.facts
    } == {"ann"}
    for fact, wanted in zip(told.facts, texts.values(), strict=True):
        assert (fact.value, fact.text, fact.problem) == ((wanted,), wanted, wanted)


def test_text_is_aligned_and_cannot_act() -> None:
    rows = (Fact("a", "名", 1, "one"), Fact("b", "long label", 2, "two\x1b[2J", "bad\nline"))
    assert doctor_text([Section("s", "Title", rows)]) == (
        "Title\n  名          one\n  long label  two␛[2J\n              problem: bad␊line\n\n1 problem\n"
    )
