"""The harness for hostile cases itself: a well-behaved stand-in passes, and each fault is noticed."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import __main__ as program
from tests.hostile import on_screen, panel
from tests.hostile.cases import Case, find_cases
from tests.hostile.harness import Report, run_case
from tests.hostile.on_screen import names
from tests.hostile.panel import Server, cursor, tmux_missing

FAKE = Path(__file__).with_name("hostile") / "fake_knit.py"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if missing := tmux_missing():
        pytest.skip(missing)
    with Server() as server:
        yield server


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in is quick, so what it does not show soon it will never show."""
    monkeypatch.setattr(on_screen, "SETTLE_SECONDS", 1.5)
    monkeypatch.setattr(panel, "QUIT_SECONDS", 1.5)


def case(tmp_path: Path, oracle: dict[str, Any], script: str = "") -> Case:
    """A case with ``a.md``, ``b.md`` and a link that leads outside."""
    folder = tmp_path / "90-invented"
    folder.mkdir(exist_ok=True)
    lines = [
        "set -eu",
        'D=$1; mkdir -p "$D/ws/sub" "$D/outside"',
        'echo "ALPHA word" > "$D/ws/a.md"; echo "BETA CANARY word" > "$D/ws/b.md"',
        'echo "OUTSIDE" > "$D/outside/out.md"; ln -s ../outside/out.md "$D/ws/link.md"',
        script,
        f"printf '%s' {shlex.quote(json.dumps(oracle))} > \"$D/oracle.json\"",
    ]
    (folder / "make.sh").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "expect.txt").write_text("Invented.\n", encoding="utf-8")
    return Case(folder)


def fake(*faults: str) -> list[str]:
    return [sys.executable, str(FAKE), *(word for fault in faults for word in ("--fault", fault))]


def report_on(one: Case, *faults: str, server: Server | None = None, seconds: float = 20) -> Report:
    return run_case(one, command=fake(*faults), server=server, seconds=seconds)


def keys(report: Report) -> set[str]:
    return {failure.key for failure in report.failures}


# ------------------------------------------------------------------ with the command alone

GIT = (
    'cd "$D/ws"; git init -q .; echo "*.log" > .gitignore; echo x > no.log;'
    ' git ls-files -coz --exclude-standard > "$D/list.z"; rm no.log'
)
BYTES = "cd \"$D/ws\"; printf 'BYTES' > \"$(printf 'caf\\351.md')\""
LOG = """L=$D/home/.claude/projects/x; mkdir -p "$L"; echo '{"text": "BETA"}' > $L/log.jsonl"""

COMMAND_CASES: list[tuple[str, dict[str, Any], str, tuple[str, ...]]] = [
    ("present", {"present": ["a.md", "b.md"]}, "", ("lose",)),
    ("absent", {"absent": ["link.md"]}, "", ("follow",)),
    ("find", {"find": {"ALPHA": "a.md"}}, "", ("deaf",)),
    ("not_found", {"not_found": ["GAMMA"]}, "", ("stale",)),
    ("once", {"once": {"ALPHA": 1}}, "", ("twice",)),
    ("tokens", {"tokens": ["ALPHA", "BETA"]}, "", ("deaf",)),
    ("query_equiv", {"query_equiv": [["ALPHA", "alpha"]]}, "", ()),
    ("present_bytes_hex", {"present_bytes_hex": [b"caf\xe9.md".hex()]}, BYTES, ("lose",)),
    ("command", {"tokens": ["BYTES"]}, BYTES, ("no-bytes",)),
    ("never", {"never": ["CANARY"], "find": {"BETA": "b.md"}}, "", ("leak",)),
    ("git_oracle", {"git_oracle": "list.z"}, GIT, ("lose",)),
    ("git_oracle", {"git_oracle": "list.z"}, GIT, ("dot-git",)),
    ("equals_disk", {"equals_disk": True}, "", ("lose",)),
    ("session_top", {"session_top": "b.md"}, LOG, ("deaf",)),
    ("max_seconds", {"max_seconds": 0.4}, "", ("slow",)),
    ("max_rss_mb", {"max_rss_mb": 100}, "", ("greedy",)),
    ("no_file", {"no_file": ["ws/made"]}, "", ("write",)),
    ("empty_dir", {"empty_dir": "ws/new"}, 'mkdir "$D/ws/new"', ()),
    ("must_exist", {"must_exist": ["ws/a.md"]}, "", ()),
    ("command", {}, "", ("crash",)),
    ("command", {}, "", ("status",)),
    ("command", {}, "", ("bad-json",)),
    ("queries.txt", {}, "printf '[/]\\n' > \"$D/queries.txt\"", ("crash",)),
]


@pytest.mark.parametrize(("key", "oracle", "script", "faults"), COMMAND_CASES)
def test_what_is_right_passes_and_each_fault_is_noticed(
    tmp_path: Path, key: str, oracle: dict[str, Any], script: str, faults: tuple[str, ...]
) -> None:
    one = case(tmp_path, oracle, script)
    report = report_on(one)
    assert report.ok, report.line()
    assert report.line().startswith("ok 90-invented ")
    if faults:
        report = report_on(one, *faults)
        assert key in keys(report), report.line()
        assert report.line().startswith("FAIL 90-invented ")


@pytest.mark.parametrize(
    ("key", "oracle"),
    [
        ("empty_dir", {"empty_dir": "ws"}),
        ("must_exist", {"must_exist": ["ws/none"]}),
        ("query_equiv", {"query_equiv": [["ALPHA", "BETA"]]}),
        ("no_such_key", {"no_such_key": 1}),
        ("git_oracle_sub", {"git_oracle_sub": ["sub", "list.z"]}),
    ],
)
def test_a_wrong_state_is_noticed(tmp_path: Path, key: str, oracle: dict[str, Any]) -> None:
    report = report_on(case(tmp_path, oracle, "printf 'x.md\\0' > \"$D/list.z\""))
    assert keys(report) == {key}


def test_raw_control_bytes_of_the_command_are_noticed(tmp_path: Path) -> None:
    script = "printf 'ALPHA \\033]52;c;x\\007' > \"$D/ws/c.md\""
    one = case(tmp_path, {"never_raw": ["\x1b]52"], "find": {"ALPHA": "c.md"}}, script)
    assert report_on(one).ok
    assert keys(report_on(one, "raw")) == {"never_raw"}


def test_a_command_that_hangs_is_stopped(tmp_path: Path) -> None:
    report = report_on(case(tmp_path, {}), "hang", seconds=0.5)
    assert "not finished" in report.line()


def test_files_skipped_with_a_reason_are_covered_and_counted(tmp_path: Path) -> None:
    script = "printf 'a.md\\0b.md\\0link.md\\0' > \"$D/list.z\""
    report = report_on(case(tmp_path, {"git_oracle": "list.z"}, script))
    assert report.ok
    assert any("1 of them skipped with a reason" in note and "symlink" in note for note in report.notes)


def test_scripts_of_a_case_are_run(tmp_path: Path) -> None:
    script = """printf 'echo one 0; : > out.one; echo two 1; echo Traceback > out.two' > "$D/v.sh"
printf 'echo one 0 ok; echo two 1 TRACEBACK; echo three 124 ok' > "$D/m.sh"
printf 'shift 3; exit 4' > "$D/w.sh"
printf 'exit 5' > "$D/c.sh" """
    oracle = {"variants": "v.sh", "matrix": "m.sh", "wrap": "w.sh", "then_plain_find": {"ALPHA": "a.md"}}
    report = report_on(case(tmp_path, {**oracle, "mcp_check": "c.sh"}, script))
    assert keys(report) == {"variants", "matrix", "wrap", "mcp_check"}
    assert [failure.key for failure in report.failures].count("matrix") == 2


def test_what_is_not_checked_is_named(tmp_path: Path) -> None:
    one = case(tmp_path, {"mcp_refuse": "x", "after_during": {}})
    report = report_on(one)
    assert report.ok
    client = "mcp_refuse (needs a client: tests/mcp/test_cases.py)"
    for text in (client, "after_during (no panel was asked for)"):
        assert f"not checked: {text}" in report.line()


def test_a_case_that_cannot_be_built_fails(tmp_path: Path) -> None:
    report = report_on(case(tmp_path, {}, "echo no such tool; exit 3"))
    assert not report.ok and "not built: make.sh ended with 3: no such tool" in report.line()


def test_built_folders_are_removed_after_their_cleanup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    one = case(tmp_path, {"cleanup": "touch ../cleaned"})
    assert report_on(one).ok
    assert [path.name for path in temporary.iterdir()] == ["cleaned"]
    report = run_case(one, command=fake(), keep=True)
    (folder,) = temporary.glob("knit-case-*")
    assert f"kept in {folder}" in report.notes and (folder / "oracle.json").exists()


# ------------------------------------------------------------------ with the panel


def test_a_good_panel_passes(tmp_path: Path, server: Server) -> None:
    oracle = {"session_top": "b.md", "never": ["CANARY"], "no_crash": True, "preview_each": False}
    script = LOG + "; printf '[/]\\n\\\\[esc]\\n' > \"$D/queries.txt\""
    report = report_on(case(tmp_path, oracle, script), server=server)
    assert report.ok, "\n".join(report.details())
    assert "not checked" not in report.line()
    assert any(note.startswith("panel: 2 of 2 readable files") for note in report.notes)


@pytest.mark.parametrize(
    ("key", "fault", "oracle", "script"),
    [
        ("no_crash", "panel-crash", {}, ""),
        ("no_crash", "stubborn", {}, ""),
        ("panel", "short", {}, ""),
        ("session_top", "frozen", {"session_top": "b.md"}, LOG),
        ("never_raw", "raw", {"never_raw": ["\x1b]52"]}, "printf '\\033]52;c;eA==\\007' > \"$D/ws/a.md\""),
        ("never", "leak", {"never": ["CANARY"]}, LOG + "; printf 'CANARY\\n' > \"$D/queries.txt\""),
    ],
)
def test_faults_of_the_panel_are_noticed(
    tmp_path: Path, server: Server, key: str, fault: str, oracle: dict[str, Any], script: str
) -> None:
    faults = (fault, "deaf") if fault == "frozen" else (fault,)
    report = report_on(case(tmp_path, oracle, script), *faults, server=server)
    assert key in keys(report), "\n".join(report.details())


DURING = 'printf \'cd "$(dirname "$0")/ws"; rm a.md; echo LATER > c.md\' > "$D/during.sh"'
AFTER = {
    "after_during": {
        "present": ["c.md"],
        "absent": ["a.md"],
        "find": {"LATER": "c.md"},
        "not_found": ["ALPHA"],
        "equals_disk": True,
        "settle_seconds": 2,
    }
}


def test_what_happens_meanwhile_must_reach_the_panel(tmp_path: Path, server: Server) -> None:
    one = case(tmp_path, AFTER, DURING)
    report = report_on(one, server=server)
    assert report.ok, "\n".join(report.details())
    report = report_on(one, "frozen", server=server)
    assert keys(report) == {"after_during.panel"}, report.line()
    assert "lost 'c.md', extra 'a.md'" in report.line()


def test_a_preview_of_what_was_there_before_is_noticed(tmp_path: Path, server: Server) -> None:
    oracle = {"after_during": {"find": {"ALPHA": "a.md"}, "not_found": ["word"], "settle_seconds": 1}}
    report = report_on(case(tmp_path, oracle, DURING.replace("rm a.md", "true")), server=server)
    assert "after_during.panel" in keys(report)


def test_the_command_is_asked_again_afterwards(tmp_path: Path, server: Server) -> None:
    report = report_on(case(tmp_path, AFTER, DURING), "stale", server=server)
    assert {"after_during.not_found"} <= keys(report)


def test_steps_of_a_session_are_watched(tmp_path: Path, server: Server) -> None:
    steps = LOG + "; printf '1 b.md\\n2 a.md\\n' > \"$D/steps.txt\"; "
    steps += """cat > "$D/during.sh" <<'E'
L=$(dirname "$0")/home/.claude/projects/x/log.jsonl; W=$(dirname "$0")/ws
echo STEP 1; sleep 1
echo '"ALPHA"' > "$L"; echo STEP 2; sleep 1
E"""
    one = case(tmp_path, {"session_steps": "steps.txt"}, steps)
    report = report_on(one, server=server)
    assert report.ok, "\n".join(report.details())
    report = report_on(one, "deaf", server=server)
    assert "session_steps" in keys(report)


def test_a_script_with_its_own_terminal_is_run(tmp_path: Path, server: Server) -> None:
    script = 'printf \'print("resize ok"); print("sighup FAIL")\' > "$D/drive.py"'
    report = report_on(case(tmp_path, {"pty": "drive.py"}, script), server=server)
    assert [failure.text for failure in report.failures] == ["sighup FAIL"]


def test_names_on_a_screen_are_whole_words() -> None:
    assert names("▌  1 a.md  docs", "docs/a.md")
    assert not names("  1 data.md", "a.md") and not names("  a.md~ x", "a.md")
    assert cursor("x\n▌ one\n  two\n") == [(1, "▌ one")]


# ------------------------------------------------------------------ the program


def test_exit_status_and_one_line_a_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case(tmp_path, {"present": ["a.md", "b.md"]})
    words = ["--no-screen", str(tmp_path)]
    assert program.main([*words, "--command", shlex.join(fake())]) == 0
    assert program.main([*words, "-v", "--command", shlex.join(fake("lose"))]) == 1
    assert program.main(["--no-screen", str(tmp_path / "none")]) == 2
    out, err = capsys.readouterr()
    first, second, *details = out.splitlines()
    assert first.startswith("ok 90-invented") and second.startswith("FAIL 90-invented")
    assert any(line.startswith("  expect: Invented.") for line in details)
    assert err.startswith("hostile: no make.sh in")


def test_a_case_given_twice_runs_once(tmp_path: Path) -> None:
    one = case(tmp_path, {})
    assert [found.name for found in find_cases([tmp_path, one.path])] == ["90-invented"]
