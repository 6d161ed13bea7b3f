"""Copilot CLI: what its events tell."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import Compacted, Event, Rewind, SessionInfo, UserMessage
from knit_tui.sessions.formats.copilot import FORMAT
from knit_tui.sessions.paths import Place
from tests.sessions.laws import PROJECT, of_records, short

COUNT = iter(range(10**9))


def event(kind: str, **data: Any) -> dict[str, Any]:
    name = f"e{next(COUNT)}"
    return {"type": kind, "data": data, "id": name, "timestamp": "2026-06-07T10:00:00Z", "parentId": None}


def start(cwd: str | None = PROJECT, **more: Any) -> dict[str, Any]:
    context = {} if cwd is None else {"context": {"cwd": cwd}}
    return event("session.start", sessionId="b1c0", copilotVersion="1.0.85", **context, **more)


def user(text: str, **more: Any) -> dict[str, Any]:
    return event("user.message", content=text, transformedContent=f"<x/>{text}", **more)


def says(text: str, **more: Any) -> dict[str, Any]:
    return event("assistant.message", content=text, reasoningText="hm", **more)


def call(tool: str, call_id: str = "c", **given: Any) -> dict[str, Any]:
    return event("tool.execution_start", toolCallId=call_id, toolName=tool, arguments=given)


def done(call_id: str = "c", success: bool = True, content: str = "", **more: Any) -> dict[str, Any]:
    result = {"content": content, "detailedContent": more.pop("shown", "")}
    return event("tool.execution_complete", toolCallId=call_id, success=success, result=result, **more)


def told(*events: dict[str, Any]) -> list[Event]:
    return of_records(FORMAT, [start(), *events])[1:]


def shorts(*events: dict[str, Any]) -> list[str]:
    return [short(one) for one in told(*events)]


def test_the_start_tells_the_session() -> None:
    assert of_records(FORMAT, [start()]) == [SessionInfo("copilot", "b1c0", PROJECT, "1.0.85")]


def test_the_file_beside_the_log_tells_the_folder_when_the_start_does_not() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "events", "/beside")
    assert decoder.decode(start(None)) == [SessionInfo("copilot", "b1c0", "/beside", "1.0.85")]
    assert of_records(FORMAT, [start(None)]) == [SessionInfo("copilot", "b1c0", "", "1.0.85")]


def test_a_session_that_moves() -> None:
    web = f"{PROJECT}/web"
    moves = [event("session.context_changed", cwd=web), event("session.context_changed", cwd=web)]
    moves += [
        event("session.resume", context={"cwd": web}),
        event("session.resume", context={"cwd": PROJECT}),
    ]
    assert told(*moves) == [
        SessionInfo("copilot", "b1c0", web, "1.0.85"),
        SessionInfo("copilot", "b1c0", PROJECT, "1.0.85"),
    ]


def test_paths_are_seen_from_where_the_session_is() -> None:
    moved = event("session.context_changed", cwd=f"{PROJECT}/web")
    rows = [moved, call("bash", command="cat a.md"), done(shellExecution={"exitCode": 0})]
    assert shorts(*rows)[1:] == ["confirmed web/a.md ok"]


def test_a_run_that_another_session_started_is_no_session() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "events")
    assert decoder.decode(start(detachedFromSpawningParentSessionId="x")) == []
    assert decoder.foreign
    assert decoder.decode(user("go on")) == []


def test_prompts_and_answers() -> None:
    assert shorts(user(" hello\n"), says("One."), says("")) == ["user hello", "agent One."]


@pytest.mark.parametrize("delivery", ["idle", "steering", "queued"])
def test_a_prompt_counts_however_it_was_delivered(delivery: str) -> None:
    assert shorts(user("hello", delivery=delivery, source="user")) == ["user hello"]


@pytest.mark.parametrize(
    "row",
    [
        user("body", source="skill-gh"),
        user("do this", source="agent-1"),
        user("go on", source="autopilot"),
        user("go on", isAutopilotContinuation=True),
        user('<skill-context name="gh">\nbody\n</skill-context>'),
        user("a task") | {"agentId": "agent-1"},
        user("a task", parentToolCallId="c"),
        event("system.notification", content="<system_notification>done</system_notification>"),
        event("system.message", role="system", content="You are"),
    ],
)
def test_what_no_person_typed(row: dict[str, Any]) -> None:
    assert told(row) == []


def test_attached_files_are_mentions() -> None:
    attached = [
        {"type": "file", "path": f"{PROJECT}/a.md", "displayName": "a.md"},
        {"type": "selection", "filePath": f"{PROJECT}/b.py", "text": "x"},
        {"type": "directory", "path": f"{PROJECT}/docs"},
        {"type": "github_reference", "number": 1},
        "x",
    ]
    assert shorts(user("see", attachments=attached)) == ["user see", "mention a.md ok", "mention b.py ok"]


def test_parallel_calls_end_in_any_order() -> None:
    assert shorts(
        call("view", "1", path=f"{PROJECT}/a.md"),
        call("view", "2", path=f"{PROJECT}/b.md", view_range=[1, 9]),
        call("grep", "3", pattern="x", path=PROJECT),
        done("2"),
        done("3"),
        done("1", success=False, error={"message": "Path does not exist"}),
        done("unknown"),
    ) == ["confirmed b.md ok", "confirmed a.md failed"]


def test_a_call_is_known_from_the_answer_too() -> None:
    asked = [{"toolCallId": "c", "name": "view", "arguments": '{"path": "a.md"}'}, 3]
    assert shorts(says("", toolRequests=asked), done()) == ["confirmed a.md ok"]


def test_a_folder_that_was_looked_at_is_no_read() -> None:
    shown = (
        "\ndiff --git a/x/docs b/x/docs\ncreate file mode 100644\n--- a/dev/null\n@@ -1,0 +1,1 @@\n a.md\n"
    )
    assert shorts(call("view", path="docs"), done(content="a.md", shown=shown)) == []
    shown = "\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n \ncreate file mode 100644\n"
    assert shorts(call("view", path="x"), done(shown=shown)) == ["confirmed x ok"]


def test_edits() -> None:
    edited = [{"path": f"{PROJECT}/b.py", "kind": "edit"}, {"path": f"{PROJECT}/b.py"}, {"path": "c.py"}, 1]
    patch = "*** Begin Patch\n*** Update File: e.py\n@@\n-x\n+y\n*** Add File: f.py\n+z\n*** End Patch\n"
    rows = [
        call("edit", "1", path=f"{PROJECT}/a.py", old_str="x", new_str="y"),
        done("1", success=False, error={"message": "No match found"}),
        call("edit", "2", path=f"{PROJECT}/b.py"),
        done("2", fileEdits=edited),
        call("create", "3", path="d.py"),
        done("3"),
        call("apply_patch", "4", input=patch),
        done("4"),
        call("str_replace_editor", "5", command="insert", path="g.py"),
        done("5"),
        call("str_replace_editor", "6", command="view", path="h.py"),
        done("6", fileEdits="?"),
    ]
    assert shorts(*rows) == [
        "edit a.py failed",
        "edit b.py ok",
        "edit c.py ok",
        "edit d.py ok",
        "edit e.py ok",
        "edit f.py ok",
        "edit g.py ok",
        "confirmed h.py ok",
    ]


def test_a_patch_given_as_text() -> None:
    row = event(
        "tool.execution_start",
        toolCallId="c",
        toolName="apply_patch",
        arguments="*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n",
    )
    assert shorts(row, done()) == ["edit a ok"]


@pytest.mark.parametrize(
    ("given", "complete", "expected"),
    [
        ({"command": "cat a.md"}, {"shellExecution": {"exitCode": 0}}, ["confirmed a.md ok"]),
        ({"command": "cat a.md"}, {"shellExecution": {"exitCode": 1}}, ["confirmed a.md failed"]),
        ({"command": "cat a.md"}, {"content": "# A\n<exited with exit code 0>"}, ["confirmed a.md ok"]),
        (
            {"command": "cat a.md"},
            {"content": "<shellId: 0 completed with exit code 1>"},
            ["confirmed a.md failed"],
        ),
        (
            {"command": "cat a.md; sleep 99"},
            {"content": "# A\n<command with shellId: 2 is still running>"},
            ["inferred a.md ok"],
        ),
        ({"command": "cat a.md", "mode": "async"}, {"content": "<started>"}, []),
        ({"command": "cat a.md", "detach": True}, {"content": "<started>"}, []),
        ({"command": "cat a.md"}, {"success": False, "error": {"code": "denied"}}, []),
        ({"command": "cat a.md"}, {"isUserRequested": True, "shellExecution": {"exitCode": 0}}, []),
    ],
)
def test_shell_reads(given: dict[str, Any], complete: dict[str, Any], expected: list[str]) -> None:
    assert shorts(call("bash", **given), done(**complete)) == expected


def test_sub_agents_read_and_do_not_talk() -> None:
    sub = [call("view", "1", path="a.md"), says("I read it"), done("1")]
    old = [call("view", "2", path="b.md"), done("2")]
    old[0]["data"]["parentToolCallId"] = "c"
    assert shorts(*(row | {"agentId": "agent-1"} for row in sub), *old) == [
        "confirmed a.md ok by subagent",
        "confirmed b.md ok by subagent",
    ]


def test_a_compaction_that_succeeded() -> None:
    assert told(
        event("session.compaction_start"),
        event("session.compaction_complete", success=False),
        event("session.compaction_complete", success=True, summaryContent="s"),
    ) == [Compacted()]


def test_a_context_that_was_cleared_drops_every_prompt() -> None:
    rows = [user("one"), says("1"), user("two"), event("session.context_cleared", messagesCleared=3)]
    rows += [event("session.context_cleared"), user("three"), event("session.context_cleared")]
    assert [one for one in told(*rows) if isinstance(one, Rewind)] == [Rewind(turns=2), Rewind(turns=1)]


def test_a_person_who_goes_back() -> None:
    rows = [user("one"), says("1"), event("assistant.turn_end"), user("two"), says("2")]
    back = event("session.snapshot_rewind", upToEventId=rows[3]["id"], eventsRemoved=2)
    assert told(*rows, back, user("drei"))[4] == Rewind(keep_until_id=rows[1]["id"])
    first = event("session.snapshot_rewind", upToEventId=rows[0]["id"])
    assert told(*rows, first)[4:] == [Rewind(turns=2)]
    assert told(*rows, event("session.snapshot_rewind", upToEventId="long-gone"))[4:] == []


def test_the_prompts_left_are_counted() -> None:
    rows = [user("one"), user("two"), user("three")]
    back = event("session.snapshot_rewind", upToEventId=rows[1]["id"])
    assert told(*rows, back, user("4"), event("session.context_cleared"))[-1] == Rewind(turns=2)


def test_an_event_is_told_once() -> None:
    row = user("hello")
    assert told(row, row) == [UserMessage(row["id"], "hello")]


def test_unknown_events_are_counted() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    for row in (event("future.thing"), {"type": "abort"}, {"data": {}}, event("hook.start")):
        assert decoder.decode(row) == []
    assert decoder.unknown == 3


WORDS = st.sampled_from(
    "type data id agentId session.start session.resume session.context_changed session.snapshot_rewind"
    " session.context_cleared context cwd user.message assistant.message content source attachments file path"
    " tool.execution_start tool.execution_complete toolCallId toolName name arguments view edit bash"
    " apply_patch command success result detailedContent fileEdits shellExecution exitCode toolRequests"
    " upToEventId c".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["\ud83c\0 cat a.md", '{"command":"cat a"}', "<exit code 3>"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.dictionaries(WORDS, VALUES, max_size=7), max_size=6))
def test_no_record_raises(rows: list[dict[str, Any]]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,), is_file=lambda path: True), "s")
    for row in rows:
        FORMAT.recognises(row)
        for one in decoder.decode(row):
            repr(one).encode()


def test_every_text_can_be_encoded() -> None:
    assert shorts(user("\ud83c"), call("view", path="\ud83c.md"), done()) == ["user ?", "confirmed ?.md ok"]
