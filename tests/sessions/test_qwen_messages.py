"""Qwen Code: prompts, answers, going back, and calls."""

from __future__ import annotations

from typing import Any

import pytest

from knit_tui.sessions.paths import Place
from tests.sessions.logs import ROOT
from tests.sessions.qwen_rows import Qwen, events


@pytest.fixture
def log() -> Qwen:
    return Qwen()


# Prompts.


def test_prompts_are_what_a_person_wrote(log: Qwen) -> None:
    assert events(
        log.user("dim it"),
        log.user("old versions do not say whose it is", provenance=None),
        log.user("the sensor is dark", subtype="mid_turn_user_message"),
        log.user("说得慢一点", subtype="realtime_message"),
        log.user("a task ended", subtype="notification", provenance="system"),
        log.user("water the plants", subtype="cron", provenance="system"),
        log.user("go on with the goal", subtype="goal_runtime", provenance="goal_runtime"),
        log.user("anything else", provenance="system"),
        log.user("  \n"),
    ) == [
        "user dim it",
        "user old versions do not say whose it is",
        "user the sensor is dark",
        "user 说得慢一点",
    ]


def test_the_text_that_was_shown_counts(log: Qwen) -> None:
    hook = "<qwen:user-prompt-submit-context>\nbranch: main\n</qwen:user-prompt-submit-context>"
    shown = {"displayText": "dim it", "hookContext": "branch: main"}
    assert events(log.user("dim it, expanded", hook, systemPayload=shown)) == ["user dim it"]
    assert events(log.user("dim it", hook)) == ["user dim it"]
    assert events(log.user("made up", systemPayload={"displayText": ""})) == []
    assert events(log.user("<system-reminder>\nx\n</system-reminder>\ndim it")) == ["user dim it"]


def test_files_that_a_prompt_names(log: Qwen) -> None:
    content = (
        "\n--- Content from referenced files ---",
        "\nContent from docs/a.md:\n",
        "# A",
        "\n--- End of content ---",
    )
    rows = [
        log.named("docs/a.md", f"{ROOT}/b.md", typed="see @docs/a.md"),
        log.user("see @docs/a.md", *content),
    ]
    told = ["mention docs/a.md ok", "mention b.md ok", "user see @docs/a.md"]
    assert events(*rows) == told
    # A folder, or a server, is named in the same way.
    files = Place((ROOT,), is_file=lambda name: name == "b.md")
    assert events(*rows, place=files) == told[1:]


def test_a_prompt_that_named_a_file_in_vain_was_not_sent(log: Qwen) -> None:
    assert events(log.named("a.md", typed="@a.md", status="error"), log.user("dim it")) == ["user dim it"]


def test_what_was_typed_belongs_to_the_next_prompt_only(log: Qwen) -> None:
    named = log.named("a.md", typed="see @a.md")
    assert events(named, log.user("see a.md"), log.user("dim it")) == [
        "mention a.md ok",
        "user see @a.md",
        "user dim it",
    ]
    assert events(log.named("a.md", typed="see @a.md"), log.user("dim it", parent="q9"))[1:] == [
        "user dim it"
    ]


def test_answers_are_whole_texts_without_thoughts(log: Qwen) -> None:
    thought = log.says("Dim", "med.")
    thought["message"]["parts"].insert(0, {"text": "Hm.", "thought": True})
    assert events(thought, log.says(" \n")) == ["agent Dimmed."]


def test_a_record_counts_once(log: Qwen) -> None:
    row = log.user("dim it")
    assert events(row, row, row | {"uuid": ""}, row | {"uuid": ""}) == ["user dim it"] * 3


# Going back.


def talk(log: Qwen) -> list[dict[str, Any]]:
    return [log.user("dim it"), log.says("Dimmed."), log.user("too dark"), log.says("Brighter.")]


TALK = ["user dim it", "agent Dimmed.", "user too dark", "agent Brighter."]


def test_a_rewind_says_what_stays(log: Qwen) -> None:
    rows = [*talk(log), log.system("rewind", {"truncatedCount": 2}, parent="q2"), log.user("as it was")]
    assert events(*rows) == [*TALK, "rewind q2 0", "user as it was"]


def test_a_rewind_to_the_start(log: Qwen) -> None:
    rows = [*talk(log), log.system("rewind", parent=None), log.system("session_model"), log.user("hum?")]
    assert events(*rows) == [*TALK, "rewind  2", "user hum?"]


def test_a_prompt_with_an_older_parent_goes_back_too(log: Qwen) -> None:
    rows = [
        log.system("attribution_snapshot"),
        *talk(log),
        log.system("ui_telemetry"),
        log.user("as it was", parent="q3"),
        log.user("start anew", parent="q1"),
    ]
    assert events(*rows) == [*TALK, "rewind q3 0", "user as it was", "rewind  2", "user start anew"]


def test_records_between_messages_are_no_way_back(log: Qwen) -> None:
    rows = [
        log.user("dim it"),
        log.call("read_file", "c1", file_path="a.md"),
        log.call("read_file", "c2", file_path="b.md"),
        log.done("c1"),
        log.done("c2", parent="q2"),
        log.system("custom_title"),
        log.user("go on"),
    ]
    assert events(*rows) == ["user dim it", "confirmed a.md ok", "confirmed b.md ok", "user go on"]


def test_a_gap_in_the_chain_is_no_way_back(log: Qwen) -> None:
    rows = [*talk(log), log.user("go on", parent="never written")]
    assert events(*rows) == [*TALK, "user go on"]
    assert events(*rows, log.system("rewind", parent="q4")) == [*TALK, "user go on", "rewind q4 0"]


def test_a_compression_keeps_the_conversation(log: Qwen) -> None:
    summary = {"compressedHistory": [{"role": "user", "parts": [{"text": "a summary"}]}]}
    rows = [*talk(log), log.system("chat_compression", summary), log.user("go on")]
    assert events(*rows) == [*TALK, "Compacted", "user go on"]


def test_a_copied_session_has_the_conversation_it_was_copied_from(log: Qwen) -> None:
    copied = [
        row | {"forkedFrom": {"sessionId": "00000000", "messageUuid": row["uuid"]}} for row in talk(log)
    ]
    assert events(*copied, log.user("go on")) == [*TALK, "user go on"]


# Calls.


def test_reads_and_edits(log: Qwen) -> None:
    rows = [
        log.call("read_file", "c1", file_path=f"{ROOT}/a.md", offset=0, limit=12),
        log.call("read_file", "c2", absolute_path=f"{ROOT}/b.md"),
        log.call("read_file", "c3", path="c.md"),
        log.call("edit", "c4", file_path=f"{ROOT}/src/d.py"),
        log.call("write_file", "c5", file_path=f"{ROOT}/e.md"),
        log.call("notebook_edit", "c6", notebook_path=f"{ROOT}/f.ipynb"),
        log.call("grep_search", "c7", pattern="x"),
        log.done("c2", "File not found", "error"),
        log.done("c1"),
        log.done("c3", status="cancelled"),
        log.done("c4", "has not been read in this session", "error"),
        *(log.done(call) for call in ("c5", "c6", "c7", "c8", "c1")),
    ]
    assert events(*rows) == [
        "confirmed b.md failed",
        "confirmed a.md ok",
        "confirmed c.md failed",
        "edit src/d.py failed",
        "edit e.md ok",
        "edit f.ipynb ok",
    ]


def test_results_as_older_versions_wrote_them(log: Qwen) -> None:
    def response(call_id: str, **said: str) -> dict[str, Any]:
        return {"functionResponse": {"id": call_id, "name": "read_file", "response": said}}

    results = [response("c1", output="x"), response("c2", error="File not found")]
    rows = [
        log.call("read_file", "c1", file_path="a.md"),
        log.call("read_file", "c2", file_path="b.md"),
        log.user(message={"role": "user", "parts": results}, provenance=None),
        log.call("read_file", "c3", file_path="c.md"),
        log.done("c3", status=None),
    ]
    assert events(*rows) == ["confirmed a.md ok", "confirmed b.md failed", "confirmed c.md ok"]


def test_calls_are_not_waited_for_after_the_next_prompt(log: Qwen) -> None:
    rows = [
        log.call("read_file", "c1", file_path="a.md"),
        log.user("only the docs", subtype="mid_turn_user_message"),
        log.done("c1"),
        log.call("read_file", "c2", file_path="b.md"),
        log.user("dim it"),
        log.done("c2"),
    ]
    assert events(*rows) == ["user only the docs", "confirmed a.md ok", "user dim it"]


def shell(outcome: str = "completed", code: int | None = 0, output: str = "x") -> dict[str, Any]:
    return {"type": "shell_result", "version": 1, "exitCode": code, "outcome": outcome, "output": output}


TEXT = "Command: cat a.md\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: {}\nSignal: (none)"


@pytest.mark.parametrize(
    ("display", "said", "told"),
    [
        (shell(), "", ["confirmed a.md ok"]),
        (shell("failed", 1), "", ["confirmed a.md failed"]),
        (shell("failed", None), "", ["confirmed a.md failed"]),
        (shell("cancelled", None), "", []),
        (shell("timed_out", None), "", []),
        ("x", TEXT.format(0), ["confirmed a.md ok"]),
        ("x", TEXT.format(1), ["confirmed a.md failed"]),
        ("x", TEXT.format("(none)"), ["inferred a.md ok"]),
        ("x", "Background shell started.", []),
    ],
)
def test_shell_reads(log: Qwen, display: Any, said: str, told: list[str]) -> None:
    rows = [log.call("run_shell_command", "c1", command="cat a.md"), log.done("c1", said, display=display)]
    assert events(*rows) == told


def test_a_shell_command_runs_where_it_is_told_to(log: Qwen) -> None:
    rows = [
        log.call("run_shell_command", "c1", command="cat a.md", directory=f"{ROOT}/docs"),
        log.done("c1", display=shell()),
    ]
    assert events(*rows) == ["confirmed docs/a.md ok"]
