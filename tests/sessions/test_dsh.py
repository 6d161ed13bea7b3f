"""DSH: what its events tell, in every format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import AssistantText, Compacted, Event, SessionInfo, UserMessage
from knit_tui.sessions.formats.dsh import FORMAT
from knit_tui.sessions.paths import Place
from tests.sessions.laws import PROJECT, of_records, short

HEADER = {
    "type": "session",
    "version": 4,
    "id": "5551",
    "createdAt": 1786707340000,
    "cwd": PROJECT,
    "delegationDepth": 0,
}


class Dsh:
    """Events, numbered."""

    def __init__(self) -> None:
        self.seq = -1

    def event(self, kind: str, data: Any, **more: Any) -> dict[str, Any]:
        self.seq += 1
        return {"type": kind, "data": data, "seq": self.seq, "time": 1786707340000 + self.seq} | more

    def user(self, text: str, kind: str = "user", op: Any = "append", **source: Any) -> dict[str, Any]:
        data = {"id": f"u{self.seq + 1}", "role": "user", "content": [{"type": "text", "text": text}]}
        return self.event("user/message", data | {"source": {"kind": kind} | source}, surfaceOp=op)

    def says(self, *texts: str) -> dict[str, Any]:
        content = [{"type": "reasoning", "text": "hm"}, *({"type": "text", "text": t} for t in texts)]
        message = {"id": f"a{self.seq + 1}", "role": "assistant", "content": content}
        return self.event("assistant/message", {"turn": 1, "step": 1, "message": message}, surfaceOp="append")

    def call(self, tool: str, call_id: str = "c", **given: Any) -> dict[str, Any]:
        data = {"turn": 1, "step": 1, "callId": call_id, "name": tool, "arguments": json.dumps(given)}
        return self.event("tool/call", data)

    def done(
        self, said: str = "", failed: bool = False, call_id: str = "c", op: Any = "append", **more: Any
    ) -> dict[str, Any]:
        message = {
            "role": "tool",
            "source": {"kind": "tool", "callId": call_id},
            "toolCallId": call_id,
            "content": [{"type": "text", "text": said}],
            "isError": failed,
        }
        return self.event("tool/result", {"turn": 1, "step": 1, "message": message} | more, surfaceOp=op)


def told(*events: dict[str, Any]) -> list[Event]:
    return of_records(FORMAT, [HEADER, *events])[1:]


def shorts(*events: dict[str, Any]) -> list[str]:
    return [short(event) for event in told(*events)]


def test_the_header_tells_the_session() -> None:
    assert of_records(FORMAT, [HEADER, HEADER]) == [SessionInfo("dsh", "5551", PROJECT)]
    without = {key: value for key, value in HEADER.items() if key not in ("cwd", "id")}
    assert of_records(FORMAT, [without], name="the-file") == [SessionInfo("dsh", "the-file", "")]


@pytest.mark.parametrize("more", [{"origin": "subagent"}, {"delegationDepth": 1}])
def test_a_sub_agent_has_a_log_of_its_own(more: dict[str, Any]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    assert decoder.decode(HEADER | more) == []
    assert decoder.foreign
    assert decoder.decode(Dsh().user("a task")) == []


def test_prompts_and_answers() -> None:
    dsh = Dsh()
    assert told(dsh.user(" hello\n"), dsh.says("One.", "Two."), dsh.says()) == [
        UserMessage("u0", "hello"),
        AssistantText("a1", "One.\nTwo."),
    ]


@pytest.mark.parametrize("kind", ["plugin", "skill-invocation", "agent-message", "runtime-context", "tool"])
def test_what_others_put_in_is_no_prompt(kind: str) -> None:
    assert told(Dsh().user("context", kind=kind, plugin="x")) == []


def test_a_prompt_without_a_source_is_none() -> None:
    dsh = Dsh()
    assert told(dsh.event("user/message", {"content": [{"type": "text", "text": "x"}]})) == []


def test_steering_of_the_oldest_logs() -> None:
    dsh = Dsh()
    content = [{"type": "text", "text": "no, the other"}]
    bare = {"turn": 1, "content": content, "source": {"kind": "user"}}
    wrapped = {"turn": 1, "message": {"id": "m", "content": content, "source": {"kind": "user"}}}
    assert told(dsh.event("steering/message", bare), dsh.event("steering/message", wrapped)) == [
        UserMessage("record-0", "no, the other"),
        UserMessage("m", "no, the other"),
    ]


def test_messages_of_the_oldest_logs_have_no_wrapper() -> None:
    dsh = Dsh()
    text = [{"type": "text", "text": "t"}]
    assert shorts(
        dsh.event("assistant/message", {"turn": 1, "content": text}),
        dsh.call("read", file_path="a.md"),
        dsh.event("tool/result", {"callId": "c", "content": text, "isError": True}),
    ) == ["agent t", "confirmed a.md failed"]


def test_reads_and_edits_are_told_where_they_end() -> None:
    dsh = Dsh()
    assert shorts(
        dsh.call("read", "1", file_path="a.md"),
        dsh.call("edit", "2", file_path=f"{PROJECT}/b.py", old_string="x", new_string="y"),
        dsh.call("write", "3", file_path="c.py", content=""),
        dsh.call("read_image", "4", path="d.png"),
        dsh.call("grep", "5", pattern="x"),
        dsh.done(call_id="2"),
        dsh.done(call_id="1", failed=True),
        dsh.done(call_id="3", error={"name": "FsError", "code": "FS_NOT_OBSERVED"}),
        dsh.done(call_id="4"),
        dsh.done(call_id="5"),
        dsh.done(call_id="unknown"),
    ) == ["edit b.py ok", "confirmed a.md failed", "edit c.py failed", "confirmed d.png ok"]


@pytest.mark.parametrize("error", [True, False])
def test_results_of_formats_0_to_3_are_a_block_in_a_message(error: bool) -> None:
    dsh = Dsh()
    block = {
        "type": "tool-result",
        "toolCallId": "c",
        "content": [{"type": "text", "text": "x"}],
        "isError": error,
    }
    message = {"role": "user", "source": {"kind": "tool", "callId": "c"}, "content": [block]}
    rows = dsh.call("read", file_path="a.md"), dsh.event("tool/result", {"message": message})
    assert shorts(*rows) == [f"confirmed a.md {'failed' if error else 'ok'}"]


def test_the_other_editor() -> None:
    dsh = Dsh()
    listing = "Here're the files and directories up to 2 levels deep in /x:\n"
    rows = []
    for number, (command, said) in enumerate([("view", "1 x"), ("view", listing), ("insert", "")]):
        rows.append(dsh.call("str_replace_editor", str(number), command=command, path=f"{number}.md"))
        rows.append(dsh.done(said, call_id=str(number)))
    assert shorts(*rows) == ["confirmed 0.md ok", "edit 2.md ok"]


def test_results_that_a_crash_made_up_tell_nothing() -> None:
    dsh = Dsh()
    for code in ("TOOL_NOT_STARTED", "TOOL_OUTCOME_UNKNOWN"):
        error = {"name": "E", "code": code}
        assert told(dsh.call("write", file_path="a"), dsh.done(error=error)) == []


def test_a_result_that_is_made_shorter_is_not_told_again() -> None:
    dsh = Dsh()
    rows = [dsh.call("read", file_path="a.md"), dsh.done("x")]
    rows.append(dsh.done("x", op={"op": "replace", "startSeq": 1, "endSeq": 1}))
    assert shorts(*rows) == ["confirmed a.md ok"]


@pytest.mark.parametrize("tag", ["tool/code-dispatch", "tool/ptc-dispatch"])
def test_tools_that_a_program_ran(tag: str) -> None:
    dsh = Dsh()
    data = {"subCallId": "c:code:1", "name": "read", "arguments": {"file_path": "a.md"}, "content": []}
    assert shorts(
        dsh.event(f"{tag}-start", data),
        dsh.event(tag, data | {"isError": False}),
        dsh.event(tag, data | {"isError": True, "name": "edit"}),
    ) == ["confirmed a.md ok", "edit a.md failed"]


@pytest.mark.parametrize(
    ("command", "said", "expected"),
    [
        ("cat a.md", "# A\n", ["confirmed a.md ok"]),
        ("cat a.md", "[stderr]\ncat: a.md: No such file\n[exit code: 1]", ["confirmed a.md failed"]),
        ("cat a.md; false", "# A\n[exit code: 1]", ["inferred a.md ok"]),
        (
            "cat a.md && sleep 9",
            "# A\n[timed out after 5000ms]\n[killed by signal: SIGTERM]",
            ["inferred a.md ok"],
        ),
        ("cat a.md", "Your command timed out after 300 seconds", ["inferred a.md ok"]),
        ("cat a.md; exit 0", "# A\n[shell exited: code 0]\nThe shell was reset", ["inferred a.md ok"]),
        ("cat a.md", "started background job job-1", []),
        ("ls", "a.md", []),
    ],
)
def test_shell_reads(command: str, said: str, expected: list[str]) -> None:
    dsh = Dsh()
    assert shorts(dsh.call("bash", command=command), dsh.done(said)) == expected


def test_where_a_command_ran() -> None:
    dsh = Dsh()
    rows = [dsh.call("bash", command="cat a.md", workdir="docs"), dsh.done("x")]
    assert shorts(*rows) == ["confirmed docs/a.md ok"]
    rows = [dsh.call("bash", command="cat a.md"), dsh.done("could not start", failed=True)]
    assert shorts(*rows) == []


@pytest.mark.parametrize("keys", [("start", "end"), ("startSeq", "endSeq")])
def test_a_compaction_stands_for_several_messages(keys: tuple[str, str]) -> None:
    dsh = Dsh()
    summary = {"op": "replace", keys[0]: 1, keys[1]: 6}
    refreshed = {"op": "replace", keys[0]: 2, keys[1]: 2}
    assert told(
        dsh.user("a summary", kind="plugin", op=summary),
        dsh.user("context", kind="plugin", op=refreshed),
        dsh.user("a prompt without its image", op=refreshed),
        dsh.user("two prompts in one", op=summary),
    ) == [Compacted()]


def test_a_fork_tells_what_it_was_made_from() -> None:
    dsh = Dsh()
    rows = [HEADER | {"isSeeded": True, "parentSession": "p"}, dsh.user("one"), dsh.says("1")]
    rows += [dsh.event("session/end-seed", {"inherited": True}), dsh.user("two")]
    assert [short(event) for event in of_records(FORMAT, rows)][1:] == ["user one", "agent 1", "user two"]


def test_streams_are_not_told() -> None:
    dsh = Dsh()
    rows = [
        {"type": "text-chunks", "seq0": 7, "data": {"texts": ["a", "b"]}},
        dsh.event("assistant/chunk", {"chunk": {"type": "text-delta", "text": "a"}}),
        dsh.event("assistant/attempt", {"stream": []}),
    ]
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    assert [event for row in rows for event in decoder.decode(row)] == []
    assert decoder.unknown == 0


def test_unknown_records_are_counted() -> None:
    decoder = FORMAT.decoder(Place((PROJECT,)), "s")
    for row in (
        {"type": "plugin:x/y", "data": {}, "seq": 3},
        {"type": "turn/start"},
        {"type": 3, "data": {}},
    ):
        assert decoder.decode(row) == []
    assert decoder.unknown == 3


WORDS = st.sampled_from(
    "type data seq session user/message assistant/message tool/call tool/result tool/code-dispatch id"
    " message content source kind user surfaceOp replace start end callId toolCallId name read edit bash"
    " arguments file_path command text isError error code tool-result subCallId cwd c".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["\ud83c\0 cat a.md", '{"command":"cat a"}', '{"file_path":3}']),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(st.dictionaries(WORDS, VALUES, max_size=7), max_size=6))
def test_no_record_raises(rows: list[dict[str, Any]]) -> None:
    decoder = FORMAT.decoder(Place((PROJECT,), is_file=lambda path: True), "s")
    for row in rows:
        FORMAT.recognises(row)
        FORMAT.written(row)
        for event in decoder.decode(row):
            repr(event).encode()


def test_every_text_can_be_encoded() -> None:
    dsh = Dsh()
    rows = [dsh.user("\ud83c"), dsh.call("read", file_path="\ud83c.md"), dsh.done()]
    assert shorts(*rows) == ["user ?", "confirmed ?.md ok"]
