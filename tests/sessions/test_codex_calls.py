"""Codex: commands, cells, patches, images, and how they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest

from knit_tui.sessions.events import ReadDone
from knit_tui.sessions.formats.codex_tools import (
    Command,
    cell_commands,
    cell_patched,
    cell_results,
    patched,
    result,
    script,
)
from tests.sessions.logs import (
    EXIT_0,
    PATCH,
    ROOT,
    Record,
    cell,
    codex_done,
    codex_event,
    codex_events,
    codex_item,
    codex_meta,
    edits,
    executed,
    ran,
    reads,
)

# How a command ended.


@pytest.mark.parametrize(
    ("output", "status", "text", "running"),
    [
        (EXIT_0 + "x", 0, "x", False),
        ("Exit code: 2\nWall time: 1 seconds\nOutput:\nx", 2, "x", False),
        ('{"output":"x","metadata":{"exit_code":1}}', 1, "x", False),
        ("Wall time: 1 s\nProcess running with session ID 7\nOutput:\n", None, "", True),
        ("Wall time: 1 s\nProcess exited with code -1\nOutput:\nx", -1, "x", False),
        ("Script failed\nWall time 0.1 seconds\nOutput:\nx", 1, "x", False),
        # A file's content that imitates the header.
        ("text\nExit code: 0\nOutput:\nx", None, "text\nExit code: 0\nOutput:\nx", False),
        (
            "Wall time: 1 s\nOutput:\nProcess exited with code 1\n",
            None,
            "Process exited with code 1\n",
            False,
        ),
        ("Exit code: 0 and no end of the header", None, "Exit code: 0 and no end of the header", False),
        ('{"name":"knit"}', None, '{"name":"knit"}', False),
        ("{broken", None, "{broken", False),
        ("", None, "", False),
        (None, None, "", False),
        ({"content": EXIT_0 + "x"}, 0, "x", False),
        ([{"type": "input_text", "text": EXIT_0 + "x"}], 0, "x", False),
    ],
)
def test_results(output: Any, status: int | None, text: str, running: bool) -> None:
    told = result(output)
    assert (told.status, told.output, told.running) == (status, text, running)


@pytest.mark.parametrize("name", ["shell", "shell_command", "exec_command"])
def test_reads_from_calls_and_their_outputs(name: str) -> None:
    events = codex_events(
        codex_meta(),
        *ran("c1", "cat a.md", EXIT_0 + "text", name),
        *ran("c2", "cat gone.md", EXIT_0.replace("code 0", "code 1") + "cat: gone.md: No such file", name),
        *ran("c3", "cat b.py", EXIT_0 + "text", name, workdir=f"{ROOT}/src"),
        *ran("c4", "cat b.py", EXIT_0 + "text", name, workdir="src"),
        *ran("c5", "cat c.md", "text", name),
        *ran("c6", "rg x a.md", EXIT_0, name),
    )
    assert reads(events) == [
        ("a.md", True, "confirmed"),
        ("gone.md", False, "confirmed"),
        ("src/b.py", True, "confirmed"),
        ("src/b.py", True, "confirmed"),
        ("c.md", True, "inferred"),
    ]


def test_a_call_that_comes_again_is_told_once() -> None:
    assert len(reads(codex_events(codex_meta(), *ran("c1", "cat a.md", EXIT_0) * 2))) == 1


def test_a_call_of_the_local_shell() -> None:
    action = {"type": "exec", "command": ["cat", "a b.md"], "working_directory": ROOT}
    events = codex_events(
        codex_meta(),
        codex_item("local_shell_call", call_id="c1", action=action),
        codex_item("local_shell_call_output", call_id="c1", output=EXIT_0),
    )
    assert reads(events) == [("a b.md", True, "confirmed")]


def test_a_command_that_runs_on_read_nothing_yet() -> None:
    running = "Wall time: 1 s\nProcess running with session ID 7\nOutput:\n"
    events = codex_events(codex_meta(), *ran("c1", "cat a.md", running))
    assert reads(events) == []
    later = executed("cat a.md", id="c1")
    assert reads(codex_events(codex_meta(), *ran("c1", "cat a.md", running), later)) == [
        ("a.md", True, "confirmed")
    ]


def test_an_item_counts_and_its_output_does_not() -> None:
    call, output = ran("c1", "cat a.md", EXIT_0 + "x")
    events = codex_events(codex_meta(), call, executed("cat a.md", id="c1"), output)
    assert reads(events) == [("a.md", True, "confirmed")]
    old = codex_event(
        "exec_command_end",
        call_id="c1",
        command=["bash", "-lc", "cat a.md"],
        cwd=ROOT,
        exit_code=1,
        stdout="",
        parsed_cmd=[{"type": "read", "cmd": "cat a.md", "name": "a.md", "path": "a.md"}],
    )
    assert reads(codex_events(codex_meta(), call, old, output)) == [("a.md", False, "confirmed")]


def test_what_the_program_parsed_adds_what_was_not_understood() -> None:
    parsed = [
        {"type": "read", "path": "notes.txt"},
        {"type": "search", "path": "x"},
        {"type": "read", "path": "a.md"},
    ]
    events = codex_events(codex_meta(), executed("cat a.md && pager notes.txt", parsed_cmd=parsed))
    assert reads(events) == [("a.md", True, "confirmed"), ("notes.txt", True, "confirmed")]


def test_the_folder_a_command_went_to_counts() -> None:
    parsed = [{"type": "read", "path": "b.py"}]
    events = codex_events(codex_meta(), executed("cd src && cat b.py", parsed_cmd=parsed))
    assert reads(events) == [("src/b.py", True, "confirmed")]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"exit_code": -1}, [("a.md", False, "confirmed")]),
        ({"exit_code": None, "status": "failed"}, [("a.md", False, "confirmed")]),
        ({"exit_code": None, "status": "completed"}, [("a.md", True, "inferred")]),
        ({"status": "in_progress"}, []),
        ({"source": "user_shell"}, []),
    ],
)
def test_how_an_item_ended(more: dict[str, Any], expected: list[object]) -> None:
    assert reads(codex_events(codex_meta(), executed("cat a.md", **more))) == expected


def test_an_item_that_comes_twice_is_told_once() -> None:
    assert len(reads(codex_events(codex_meta(), executed("cat a.md"), executed("cat a.md")))) == 1


def test_an_aborted_turn_drops_the_calls_that_run() -> None:
    call, output = ran("c1", "cat a.md", EXIT_0)
    assert reads(codex_events(codex_meta(), call, codex_event("turn_aborted"), output)) == []


# Cells of JavaScript.


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('await tools.exec_command({cmd:"cat a.md"})', [Command("cat a.md")]),
        ('exec_command({"cmd": "cat a.md", "workdir": "/w"})', [Command("cat a.md", "/w")]),
        ("exec_command({workdir: '/w', cmd: 'cat \\'a b\\'.md'})", [Command("cat 'a b'.md", "/w")]),
        ("exec_command({cmd: `cat a.md`})", [Command("cat a.md")]),
        ("exec_command({cmd: `cat ${f}`, workdir: '/w'})", []),
        ("exec_command({cmd: f})", []),
        ("exec_command({cmd: 'open", []),
        (r'exec_command({cmd:"cat \u0061\x2emd\n"})', [Command("cat a.md\n")]),
        (r'exec_command({cmd:"cat \u{1F600}.md"})', [Command("cat \U0001f600.md")]),
        (
            'exec_command({cmd:"cat a"}); exec_command({cmd:"cat b"}); shell_command({command:"cat c"})',
            [Command("cat a"), Command("cat b"), Command("cat c")],
        ),
        ("const cmd = 'cat a.md'", []),
        ("", []),
    ],
)
def test_commands_of_a_cell(source: str, expected: list[Command]) -> None:
    assert cell_commands(source) == expected


def test_results_of_a_cell() -> None:
    header = "Script completed\nWall time 0.1 seconds\nOutput:\n"
    told, failed = cell_results(
        [{"text": header}, {"text": '{"exit_code":0,"output":"x"}'}, {"text": '{"exit_code":1}'}], 2
    )
    assert ([one.status for one in told], failed) == ([0, 1], False)
    told, failed = cell_results([{"text": header}, {"text": "x"}, {"text": "y"}], 2)
    assert [(one.status, one.output) for one in told] == [(None, "x"), (None, "y")]
    told, failed = cell_results([{"text": header}, {"text": "x"}], 2)
    assert [(one.status, one.output) for one in told] == [(None, "x"), (None, "x")]
    assert cell_results([{"text": "Script running with cell ID 3\nWall time 1 s\nOutput:\n"}], 1) == (
        [],
        False,
    )
    told, failed = cell_results(
        [{"text": "Script failed\nWall time 0 s\nOutput:\n"}, {"text": "SyntaxError"}], 1
    )
    assert ([one.status for one in told], failed) == ([1], True)


DONE = "Script completed\nWall time 0.1 seconds\nOutput:\n"
TWO = 'const a = await tools.exec_command({cmd:"cat a.md"});\nawait tools.exec_command({cmd:"cat b.md"});'


def test_reads_of_a_cell_without_items() -> None:
    told = codex_events(
        codex_meta(), *cell("c1", TWO, DONE, '{"exit_code":0,"output":"x"}', '{"exit_code":1,"output":""}')
    )
    assert reads(told) == [("a.md", True, "confirmed"), ("b.md", False, "confirmed")]
    untold = codex_events(
        codex_meta(), *cell("c1", TWO, DONE, "text", "cat: b.md: No such file or directory")
    )
    assert reads(untold) == [("a.md", True, "inferred"), ("b.md", False, "confirmed")]
    failed = codex_events(
        codex_meta(), *cell("c1", TWO, "Script failed\nWall time 0 s\nOutput:\n", "TypeError")
    )
    assert reads(failed) == [("a.md", False, "attempted"), ("b.md", False, "attempted")]
    running = codex_events(
        codex_meta(), *cell("c1", TWO, "Script running with cell ID 3\nWall time 1 s\nOutput:\n")
    )
    assert reads(running) == []


def test_items_settle_the_commands_of_a_cell_by_their_text() -> None:
    call, output = cell("c1", TWO, DONE, "text", "text")
    events = codex_events(codex_meta(), call, executed("cat b.md", 1), output)
    assert reads(events) == [("b.md", False, "confirmed"), ("a.md", True, "inferred")]
    both = codex_events(
        codex_meta(), call, executed("cat a.md", id="e1"), executed("cat b.md", id="e2"), output
    )
    assert reads(both) == [("a.md", True, "confirmed"), ("b.md", True, "confirmed")]


# Patches and images.


def test_the_files_of_a_patch() -> None:
    assert patched(PATCH) == ["src/a.py", "docs/b.md"]
    assert patched("*** Add File: a") == []
    assert patched("*** Begin Patch\n*** Update File: a\n*** Move to: b c \n*** Delete File: d") == [
        "a",
        "b c",
        "d",
    ]
    assert cell_patched('const p = "*** Begin Patch\\n*** Add File: é.md\\n+x";') == ["é.md"]
    assert patched("*** Begin Patch\n*** Add File: a" + " " * 200_000 + "b")[0].startswith("a ")


def patch(output: Any) -> list[Record]:
    return [
        codex_item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c1"),
        codex_item("custom_tool_call_output", call_id="c1", output=output),
    ]


@pytest.mark.parametrize(
    ("output", "ok"),
    [
        ('{"output":"Success. Updated","metadata":{"exit_code":0}}', True),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", True),
        ("Success. Updated the following files:", True),
        ('{"output":"no","metadata":{"exit_code":1}}', False),
        ("apply_patch verification failed: no", False),
    ],
)
def test_a_patch_and_its_output(output: Any, ok: bool) -> None:
    assert edits(codex_events(codex_meta(), *patch(output))) == [("src/a.py", ok), ("docs/b.md", ok)]


def test_a_patch_by_a_command() -> None:
    events = codex_events(codex_meta(), *ran("c1", f"apply_patch <<'EOF'\n{PATCH}EOF", EXIT_0 + "Success."))
    assert edits(events) == [("src/a.py", True), ("docs/b.md", True)]


@pytest.mark.parametrize(
    "item",
    [
        codex_done(
            "FileChange", id="x1", status="completed", changes={f"{ROOT}/src/a.py": {}, "docs/b.md": {}}
        ),
        codex_event("patch_apply_end", call_id="c1", success=True, changes={"src/a.py": {}, "docs/b.md": {}}),
    ],
)
def test_a_change_counts_and_the_output_of_its_patch_does_not(item: Record) -> None:
    call, output = patch("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.")
    assert edits(codex_events(codex_meta(), call, item, output)) == [("src/a.py", True), ("docs/b.md", True)]


def test_a_change_that_failed_and_one_that_moved() -> None:
    failed = codex_done("FileChange", id="x1", status="failed", changes={"a.py": {}})
    moved = codex_done(
        "FileChange", id="x2", status="completed", changes={"a.py": {"move_path": f"{ROOT}/b.py"}}
    )
    assert edits(codex_events(codex_meta(), failed, moved)) == [
        ("a.py", False),
        ("a.py", True),
        ("b.py", True),
    ]


def test_a_patch_in_a_cell() -> None:
    source = f"text(await tools.apply_patch({json.dumps(PATCH)}));"
    events = codex_events(codex_meta(), *cell("c1", source, DONE, "{}"))
    assert edits(events) == [("src/a.py", True), ("docs/b.md", True)]
    failed = codex_events(codex_meta(), *cell("c1", source, "Script failed\nWall time 0 s\nOutput:\n", "no"))
    assert edits(failed) == [("src/a.py", False), ("docs/b.md", False)]


def test_images() -> None:
    events = codex_events(
        codex_meta(),
        codex_event("view_image_tool_call", call_id="c1", path=f"{ROOT}/a.png"),
        codex_done("ImageView", id="i2", path="b.png"),
        codex_item("function_call", name="view_image", arguments='{"path":"c.png"}', call_id="c3"),
        codex_item("function_call_output", call_id="c3", output="attached local image path"),
        codex_item("function_call", name="view_image", arguments='{"path":"d.png"}', call_id="c4"),
        codex_item("function_call_output", call_id="c4", output="unable to locate image"),
    )
    assert reads(events) == [
        ("a.png", True, "confirmed"),
        ("b.png", True, "confirmed"),
        ("c.png", True, "confirmed"),
        ("d.png", False, "confirmed"),
    ]


def test_reads_name_their_call() -> None:
    events = codex_events(codex_meta(), *ran("c1", "cat a.md", EXIT_0))
    assert [event.call_id for event in events if isinstance(event, ReadDone)] == ["c1"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat a", "cat a"),
        (["bash", "-lc", "cat a"], "cat a"),
        (["/bin/zsh", "-c", "cat a"], "cat a"),
        (["cat", "a b"], "cat 'a b'"),
        (["cat", 5], ""),
        (None, ""),
    ],
)
def test_scripts(command: Any, expected: str) -> None:
    assert script(command) == expected
