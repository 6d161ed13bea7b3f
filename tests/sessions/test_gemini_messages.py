"""Gemini CLI: prompts, answers and calls."""

from __future__ import annotations

import pytest

from tests.sessions.gemini_rows import CONTEXT, WHEN, called, calls, events, says, user
from tests.sessions.logs import ROOT


def test_a_message_counts_once_however_often_it_is_written() -> None:
    read = called("read_file", file_path="src/a.md")
    edit = called("replace", file_path="src/b.py")
    assert events(
        user("u1", "dim it"),
        says("a1", "Looking."),
        says("a1", "Looking.") | {"tokens": {"total": 5}},
        says("a1", "Looking.", read),
        says("a1", "Looking.", read, edit),
        {"$set": {"lastUpdated": WHEN}},
    ) == ["user dim it", "agent Looking.", "confirmed src/a.md ok", "edit src/b.py ok"]


def test_the_same_words_under_another_id_are_another_message() -> None:
    given = events(user("u1", "go on"), says("a1", "Done."), user("u2", "go on"), says("a2", "Done."))
    assert given == ["user go on", "agent Done."] * 2


def test_a_call_counts_when_it_ended() -> None:
    call = called("read_file", file_path="a.md")
    assert events(says("a1", "", call | {"status": "executing"}), says("a1", "", call)) == [
        "confirmed a.md ok"
    ]


@pytest.mark.parametrize(
    "text",
    [
        CONTEXT,
        "<hook_context>remember</hook_context>",
        "/stats",
        "?",
        "Please continue.",
        "System: Potential loop detected. Details: x",
        "I ran the following shell command:\n```sh\ncat a.md\n```\n\nThis produced the following result:",
        "Here is the user's editor context as a JSON object. This is for your information only.",
        "User has manually exited Plan Mode. Switching to Default mode.",
        "Background execution update:\n<background_output>\nx\n</background_output>",
        "  \n\0",
        "<state_snapshot>\nThe lamp was dimmed.",
    ],
)
def test_what_the_program_says_in_a_persons_name_is_no_prompt(text: str) -> None:
    assert events(user("u1", text)) == []


def test_notes_around_a_prompt_are_not_part_of_it() -> None:
    rows = [
        user("u1", "dim it", "<hook_context>branch: main</hook_context>"),
        user("u2", "@helper dim it", "\n<system_note>\nThe user selected it.\n</system_note>\n"),
        user("u3", "<hook_context>a</hook_context>\n<hook_context>b</hook_context> why <hook_context>?"),
    ]
    assert events(*rows) == ["user dim it", "user @helper dim it", "user why <hook_context>?"]


def test_files_a_prompt_names_are_mentioned_and_their_text_is_not_in_it() -> None:
    parts = [
        "Compare @docs/a.md and @docs/b c.md",
        "\n--- Content from referenced files ---",
        "\nContent from @docs/a.md:\n",
        "# A\nContent from @docs/no.md:\nx",
        f"\nContent from @{ROOT}/docs/b c.md:\n",
        "# B",
        "\n--- End of content ---",
        "Be quick.",
        "<hook_context>x</hook_context>",
    ]
    told = [
        "user Compare @docs/a.md and @docs/b c.md\nBe quick.",
        "mention docs/a.md ok",
        "mention docs/b c.md ok",
    ]
    assert events(user("u1", *parts)) == told
    shown = [{"text": "Compare @docs/a.md and @docs/b c.md\nBe quick."}]
    assert events(user("u1", "expanded", *parts[1:], displayContent=shown)) == told


def test_files_in_one_text_with_the_prompt_are_taken_off() -> None:
    text = "see @a.md\n--- Content from referenced files ---\nx\n--- End of content ---\nthanks"
    assert events(user("u1", text)) == ["user see @a.md\n\nthanks"]
    assert events(user("u1", "what does '--- Content from referenced files ---' mean?")) == [
        "user what does '--- Content from referenced files ---' mean?"
    ]


def test_results_of_calls_are_no_prompt_but_what_was_typed_meanwhile_is() -> None:
    result = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "x"}}}
    steering = "User steering update:\n<user_input>\nonly the docs\n</user_input>\nInternal instruction: x"
    rows = [
        user("r1") | {"content": [result, {"text": "more of the file"}]},
        user("r2") | {"content": [result, {"text": steering}]},
    ]
    assert events(*rows, user("u3", steering)) == ["user only the docs"] * 2


def test_thoughts_and_notices_are_not_told() -> None:
    thought = {"id": "t", "timestamp": WHEN, "type": "gemini", "content": [{"text": "Hm.", "thought": True}]}
    notice = {"id": "n", "timestamp": WHEN, "type": "info", "content": "Request cancelled."}
    assert events(thought | {"model": "m"}, notice, says("a1", "", called("glob", pattern="*"))) == []


# Calls.


def test_reads_and_edits() -> None:
    assert calls(
        called("read_file", file_path="a.md"),
        called("read_file", absolute_path=f"{ROOT}/old.md"),
        called("read_file", "error", file_path="docs", said="Path is a directory, not a file"),
        called("read_file", "cancelled", file_path="secret.md"),
        called("write_file", file_path=f"{ROOT}/new file.md"),
        called("replace", "error", file_path="src/b.py"),
        called("read_file", file_path="/etc/hosts"),
        called("read_file"),
        called("grep_search", pattern="x", dir_path="src"),
    ) == [
        "confirmed a.md ok",
        "confirmed old.md ok",
        "confirmed docs failed",
        "confirmed secret.md failed",
        "edit new file.md ok",
        "edit src/b.py failed",
        "confirmed /etc/hosts ok",
    ]


def test_many_files_are_those_the_person_was_shown() -> None:
    shown = {"summary": "Read 2", "files": ["docs/a.md", "docs/b.md"], "skipped": [{"path": "x.png"}]}
    assert calls(called("read_many_files", display=shown, include=["docs/*.md"])) == [
        "confirmed docs/a.md ok",
        "confirmed docs/b.md ok",
    ]
    text = (
        "### ReadManyFiles Result\n\nSuccessfully read 2.\n\n**Processed Files:**\n- `a.md`\n- `b.md`\n\n"
        "**Skipped 1 item(s):**\n- `c.md` (Reason: x)\n"
    )
    assert calls(called("read_many_files", display=text, paths=["*.md"])) == [
        "confirmed a.md ok",
        "confirmed b.md ok",
    ]
    assert calls(called("read_many_files", "cancelled", display=shown, include=["docs/*.md"])) == []


def output(text: str, *tail: str) -> str:
    lines = "\n".join([f"Output: {text}", *tail, "Process Group PGID: 22103"])
    return f"<untrusted_context>\n{lines}\n</untrusted_context>"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (output("hello"), ["confirmed a.md ok"]),
        (output("Exit Code: 3"), ["confirmed a.md ok"]),
        (output("the lamp\nExit Code: 3\nwas an example"), ["confirmed a.md ok"]),
        (output("(empty)", "Exit Code: 1"), ["confirmed a.md failed"]),
        (output("x", "Signal: 9"), ["confirmed a.md failed"]),
        (output("cat: a.md: No such file or directory", "Exit Code: 1"), ["confirmed a.md failed"]),
        (
            "Command: cat a.md\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 0\nSignal: (none)",
            ["confirmed a.md ok"],
        ),
        (
            "Command: cat a.md\nOutput: x\nError: (none)\nExit Code: 2\nSignal: (none)",
            ["confirmed a.md failed"],
        ),
        ("Command: cat a.md\nOutput: x\nError: (none)\nExit Code: (none)", ["inferred a.md ok"]),
        ("Command moved to background (PID: 5). Output hidden.", []),
        ("Command was cancelled by user before it could complete. Below is the output:\nOutput: x", []),
        ("", []),
    ],
)
def test_shell_reads(said: str, told: list[str]) -> None:
    assert calls(called("run_shell_command", command="cat a.md", said=said)) == told


def test_a_shell_command_runs_where_it_is_told_to() -> None:
    rows = [
        called("run_shell_command", command="cat a.md", dir_path="docs", said=output("x")),
        called("run_shell_command", command="cat b.md", directory=f"{ROOT}/docs", said=output("x")),
    ]
    assert calls(*rows) == ["confirmed docs/a.md ok", "confirmed docs/b.md ok"]
