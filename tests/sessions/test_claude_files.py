"""Claude Code: what was read and edited."""

from __future__ import annotations

from typing import Any

import pytest

from knit_tui.sessions.events import Compacted, ReadDone
from tests.sessions.logs import (
    ROOT,
    Claude,
    answers,
    claude_events,
    edits,
    prompts,
    reads,
)


@pytest.fixture
def log() -> Claude:
    return Claude()


def test_parallel_reads_are_paired_by_id_whatever_their_order(log: Claude) -> None:
    events = claude_events(
        log.call("Read", "c1", file_path=f"{ROOT}/a.md"),
        log.call("Read", "c2", file_path=f"{ROOT}/b.md"),
        log.call("Read", "c3", file_path=f"{ROOT}/gone.md"),
        log.attached("hook_success", toolUseID="c1"),
        log.done(
            "c3", "<tool_use_error>File does not exist.</tool_use_error>", "Error: File does not exist.", True
        ),
        log.done("c2", "text", {"type": "text", "file": {"filePath": f"{ROOT}/b.md"}}),
        log.done("c1", [{"type": "text", "text": "text"}], {"type": "file_unchanged"}),
        log.done("c1", "text"),
        log.done("c9", "text"),
    )
    assert reads(events) == [
        ("gone.md", False, "confirmed"),
        ("b.md", True, "confirmed"),
        ("a.md", True, "confirmed"),
    ]


def test_results_that_share_a_record(log: Claude) -> None:
    events = claude_events(
        log.call("Read", "c1", file_path=f"{ROOT}/a.md"),
        log.call("NotebookRead", "c2", notebook_path=f"{ROOT}/b.ipynb"),
        log.user(
            [
                {"type": "tool_result", "tool_use_id": "c1", "content": "x"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "x", "is_error": True},
                {"type": "text", "text": "not a prompt"},
            ],
            toolUseResult="Error: only one of them",
        ),
    )
    assert reads(events) == [("a.md", True, "confirmed"), ("b.ipynb", False, "confirmed")]
    assert prompts(events) == []


def test_a_rejected_read_failed(log: Claude) -> None:
    said = "The user doesn't want to proceed with this tool use."
    events = claude_events(
        log.call("Read", "c1", file_path="/etc/hosts"), log.done("c1", said, "User rejected tool use", True)
    )
    assert reads(events) == [("/etc/hosts", False, "confirmed")]


@pytest.mark.parametrize(
    ("said", "detail", "failed"),
    [
        ("no such file", "Error: File does not exist.", None),
        ("<tool_use_error>no such file</tool_use_error>", None, None),
        ("no such file", None, True),
    ],
)
def test_each_sign_of_failure_is_enough(
    log: Claude, said: str, detail: str | None, failed: bool | None
) -> None:
    events = claude_events(
        log.call("Read", "c1", file_path=f"{ROOT}/a.md"), log.done("c1", said, detail, failed)
    )
    assert reads(events) == [("a.md", False, "confirmed")]


def test_a_call_without_result_is_nothing_after_the_next_prompt(log: Claude) -> None:
    events = claude_events(
        log.call("Read", "c1", file_path=f"{ROOT}/a.md"), log.user("stop"), log.done("c1", "text")
    )
    assert reads(events) == []


def test_an_interruption_drops_the_calls_that_run(log: Claude) -> None:
    events = claude_events(
        log.call("Read", "c1", file_path=f"{ROOT}/a.md"),
        log.user([{"type": "text", "text": "[Request interrupted by user]"}]),
        log.done("c1", "text"),
    )
    assert reads(events) == []


def test_searching_and_listing_are_no_reads(log: Claude) -> None:
    events = claude_events(
        log.call("Grep", "c1", pattern="x", path=ROOT), log.done("c1", "a.md"),
        log.call("Glob", "c2", pattern="*"), log.done("c2", "a.md"),
        log.call("LS", "c3", path=ROOT), log.done("c3", "a.md"),
    )  # fmt: skip
    assert reads(events) == []


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"file_path": f"{ROOT}/a.md", "old_string": "a", "new_string": "b"}),
        ("Write", {"file_path": f"{ROOT}/a.md", "content": "x"}),
        ("MultiEdit", {"file_path": f"{ROOT}/a.md", "edits": []}),
        ("NotebookEdit", {"notebook_path": f"{ROOT}/a.md"}),
    ],
)
def test_edits(log: Claude, tool: str, given: dict[str, Any]) -> None:
    events = claude_events(
        log.call(tool, "c1", **given), log.done("c1", "ok", {}),
        log.call(tool, "c2", **given), log.done("c2", "no", "Error: no", True),
    )  # fmt: skip
    assert edits(events) == [("a.md", True), ("a.md", False)]


def test_a_subagents_reads_are_told_as_its_own(log: Claude) -> None:
    events = claude_events(
        log.user("look at the docs", isSidechain=True),
        log.row(
            "assistant",
            isSidechain=True,
            message={
                "content": [
                    {"type": "text", "text": "reading"},
                    {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": f"{ROOT}/a.md"}},
                    {"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": "cat b.md"}},
                ]
            },
        ),
        log.done("c1", "text", isSidechain=True),
        log.done("c2", "text", {"stdout": "text", "stderr": ""}, isSidechain=True),
    )
    assert [(e.path, e.by) for e in events if isinstance(e, ReadDone)] == [
        ("a.md", "subagent"),
        ("b.md", "subagent"),
    ]
    assert prompts(events) == answers(events) == []


def test_mentions(log: Claude) -> None:
    events = claude_events(
        log.user("see @a.md"),
        log.attached("file", filename=f"{ROOT}/a.md", content={}),
        log.attached("already_read_file", filename=f"{ROOT}/b.md"),
        log.attached("edited_text_file", filename=f"{ROOT}/c.md"),
        log.attached("compact_file_reference", filename=f"{ROOT}/d.md"),
    )
    assert reads(events) == [("a.md", True, "mention"), ("b.md", True, "mention")]


def test_files_attached_again_after_a_compaction_are_no_mentions(log: Claude) -> None:
    events = claude_events(
        log.user("see @a.md"),
        log.attached("file", filename=f"{ROOT}/a.md"),
        log.row("system", subtype="compact_boundary", parent=None),
        log.user("This session is being continued from a previous conversation", isCompactSummary=True),
        log.attached("file", filename=f"{ROOT}/a.md"),
        log.user("see @b.md"),
        log.attached("file", filename=f"{ROOT}/b.md"),
    )
    assert reads(events) == [("a.md", True, "mention"), ("b.md", True, "mention")]
    assert Compacted() in events


def test_what_a_subagent_forgets_the_agent_still_has(log: Claude) -> None:
    boundary = log.row("system", subtype="compact_boundary", parent=None, isSidechain=True)
    assert Compacted() not in claude_events(log.user("see @a.md"), boundary)


# Shell reads.


def bash(log: Claude, command: str, said: str = "", detail: Any = None, **more: Any) -> list[dict[str, Any]]:
    call_id = f"sh{log.count}"
    detail = {"stdout": said, "stderr": "", "interrupted": False} if detail is None else detail
    return [log.call("Bash", call_id, command=command), log.done(call_id, said, detail, **more)]


def test_shell_reads(log: Claude) -> None:
    events = claude_events(
        *bash(log, "sed -n '1,9p' a.md", "text"),
        *bash(
            log,
            "cat gone.md",
            "Exit code 1\ncat: gone.md: No such file or directory",
            "Error: Exit code 1",
            failed=True,
        ),
        *bash(log, "ls; cat a.md | head", "text"),
        *bash(log, "grep x a.md", "text"),
    )
    assert reads(events) == [
        ("a.md", True, "confirmed"),
        ("gone.md", False, "confirmed"),
        ("a.md", True, "inferred"),
    ]


@pytest.mark.parametrize("detail", [{"interrupted": True}, {"backgroundTaskId": "b1"}])
def test_a_command_that_did_not_end_read_nothing(log: Claude, detail: dict[str, Any]) -> None:
    assert reads(claude_events(*bash(log, "cat a.md", "text", detail))) == []


def test_a_persons_own_command_is_no_read(log: Claude) -> None:
    events = claude_events(
        log.user("<bash-input>cat a.md</bash-input>"), log.user("<bash-stdout>text</bash-stdout>")
    )
    assert reads(events) == []
    assert prompts(events) == []


def test_cd_lasts_until_the_shell_is_set_back(log: Claude) -> None:
    records = [*bash(log, "cd src && ls")]
    log.cwd = f"{ROOT}/src"
    records += bash(log, "cat b.py")
    records += bash(log, "cd /tmp", detail={"stderr": f"Shell cwd was reset to {ROOT}"})
    records += bash(log, "cat a.md")
    assert [path for path, _, _ in reads(claude_events(*records))] == ["src/b.py", "a.md"]


def test_a_call_ran_where_the_shell_was_not_where_its_record_says(log: Claude) -> None:
    """Records of one answer are written together, after its calls ran."""
    log.user("look")
    records = [log.row("user", message={"role": "user", "content": "look"})]
    log.cwd = f"{ROOT}/src"
    records += [*bash(log, "cat a.md"), *bash(log, "cd src && ls"), *bash(log, "cat b.py")]
    assert [path for path, _, _ in reads(claude_events(*records))] == ["a.md", "src/b.py"]


def test_the_environment_and_the_next_prompt_say_where_the_shell_is(log: Claude) -> None:
    events = claude_events(
        log.user("look"),
        log.attached("environment", snapshot={"workingDirectory": f"{ROOT}/src"}),
        *bash(log, "cat b.py"),
        log.user("again"),
        *bash(log, "cat a.md"),
    )
    assert [path for path, _, _ in reads(events)] == ["src/b.py", "a.md"]


def test_an_unknown_folder_falls_back_to_the_record(log: Claude) -> None:
    log.user("x")
    events = claude_events(*bash(log, 'cd "$X"'), *bash(log, "cat a.md"))
    assert [path for path, _, _ in reads(events)] == ["a.md"]
