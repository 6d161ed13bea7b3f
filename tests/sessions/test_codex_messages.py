"""Codex: the session, what was said, and by whom."""

from __future__ import annotations

from typing import Any

import pytest

from knit_tui.sessions.events import Compacted, Rewind, SessionInfo, UserMessage
from knit_tui.sessions.formats import codex
from knit_tui.sessions.formats.codex_prompts import written
from knit_tui.sessions.paths import Place
from tests.sessions.logs import (
    ROOT,
    Record,
    answers,
    codex_copy,
    codex_done,
    codex_event,
    codex_events,
    codex_item,
    codex_meta,
    codex_prompt,
    executed,
    prompts,
    ran,
    reads,
    rewinds,
)

# The session.


def test_the_session_and_where_it_moves() -> None:
    turn = {"type": "turn_context", "payload": {"cwd": f"{ROOT}/web"}}
    events = codex_events(codex_meta(), turn, turn)
    assert events == [
        SessionInfo("codex", "0199-a", ROOT, "0.150.0"),
        SessionInfo("codex", "0199-a", f"{ROOT}/web", "0.150.0"),
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"thread_source": "subagent"},
        {"source": {"subagent": "review"}},
        {"source": {"subagent": {"thread_spawn": {"depth": 1}}}, "thread_source": "subagent"},
    ],
)
def test_a_subagents_thread_tells_nothing(more: dict[str, Any]) -> None:
    decoder = codex.FORMAT.decoder(Place((ROOT,)), "x")
    for record in [codex_meta(**more), *codex_prompt("dim it"), executed("cat a.md")]:
        assert decoder.decode(record) == []
    assert decoder.foreign


def test_a_fork_keeps_its_own_name() -> None:
    events = codex_events(
        codex_meta(forked_from_id="0199-b"), codex_meta("/elsewhere", id="0199-b"), *codex_prompt("dim it")
    )
    assert [(e.session_id, e.cwd) for e in events if isinstance(e, SessionInfo)] == [("0199-a", ROOT)]
    assert prompts(events) == ["dim it"]


def test_the_first_generation_without_envelope() -> None:
    bare = [
        {"id": "67c5", "timestamp": "2025-09-13T04:30:17Z", "instructions": None, "git": {}},
        codex_copy("user", f"<environment_context>\n  <cwd>{ROOT}</cwd>\n</environment_context>")["payload"],
        codex_copy("user", "dim it")["payload"],
        {"record_type": "state"},
        codex_copy("assistant", "looking")["payload"],
        *(
            record["payload"]
            for record in ran("c1", "", "", "shell", command=["bash", "-lc", "sed -n '1,9p' a.py"])[:1]
        ),
        codex_item("function_call_output", call_id="c1", output='{"output":"x","metadata":{"exit_code":0}}')[
            "payload"
        ],
        codex_copy("assistant", "done")["payload"],
    ]
    decoder = codex.FORMAT.decoder(Place((ROOT,)), "x")
    events = [event for record in bare for event in decoder.decode(record)] + decoder.settle()
    assert events[0] == SessionInfo("codex", "67c5", ROOT)
    assert (prompts(events), answers(events)) == (["dim it"], ["looking", "done"])
    assert reads(events) == [("a.py", True, "confirmed")]
    assert decoder.unknown == 0


def test_records_of_unknown_types_are_counted() -> None:
    decoder = codex.FORMAT.decoder(Place((ROOT,)), "x")
    for record in (
        {"type": "future", "payload": {}},
        {"type": "future"},
        {"type": ["x"]},
        {},
        {"type": "user"},
    ):
        assert decoder.decode(record) == []
    assert decoder.unknown == 5


# Who wrote it.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dim it", "dim it"),
        ("<environment_context>\n<cwd>/x</cwd>", ""),
        ("<user_instructions>x", ""),
        ("# AGENTS.md instructions for /x\n<INSTRUCTIONS>", ""),
        ("<INSTRUCTIONS>x", ""),
        ("<turn_aborted>x", ""),
        ("<skill>x", ""),
        ("<subagent_notification>x", ""),
        ("<user_shell_command>ls", ""),
        ("<codex_internal_context kind='x'>", ""),
        ("<goal_context>x", ""),
        ("<recommended_plugins>x", ""),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\ndim it\n",
            "dim it",
        ),
        ("<b>dim</b> it", "<b>dim</b> it"),
        (" \n", ""),
    ],
)
def test_what_a_person_wrote(text: str, expected: str) -> None:
    assert written([{"type": "input_text", "text": text}]) == expected


def test_each_part_is_judged_by_itself() -> None:
    parts = [
        {"text": "<environment_context>x"},
        {"text": "dim it"},
        {"image_url": "data:"},
        {"text": "now"},
        "x",
    ]
    assert written(parts) == "dim it\nnow"
    kinds = {"content_item_kinds": ["environments.environment_context", "user.text", "images", "host.note"]}
    item = codex_item(
        "message", role="user", content=parts[:4], internal_chat_message_metadata_passthrough=kinds
    )
    assert prompts(codex_events(codex_meta(), item)) == ["dim it"]


def test_kinds_that_name_no_person_are_no_prompt() -> None:
    kinds = {"content_item_kinds": ["plugins.recommendations"]}
    copy = codex_copy("user", "some text", internal_chat_message_metadata_passthrough=kinds)
    assert prompts(codex_events(codex_meta(), copy)) == []


def test_events_of_injected_text_are_no_prompts() -> None:
    events = codex_events(
        codex_meta(),
        codex_event("user_message", message="x", kind="environment_context"),
        codex_event("user_message", message="<user_instructions>x"),
        codex_event("user_message", message="dim it", kind="plain"),
    )
    assert prompts(events) == ["dim it"]


@pytest.mark.parametrize("role", ["developer", "system", "tool", None])
def test_other_roles_are_never_told(role: Any) -> None:
    assert len(codex_events(codex_meta(), codex_copy(role, "text"))) == 1


# Two copies of every message.


def test_a_prompt_is_told_once_from_its_two_copies() -> None:
    events = codex_events(codex_meta(), *codex_prompt("dim it"), *codex_prompt("dim it"))
    assert prompts(events) == ["dim it", "dim it"]


def test_an_item_of_a_person_and_its_copy() -> None:
    item = codex_done("UserMessage", id="i1", content=[{"type": "text", "text": "dim it"}])
    events = codex_events(codex_meta(), codex_copy("user", "dim it", id="m1"), item, item)
    assert [event for event in events if isinstance(event, UserMessage)] == [UserMessage("m1", "dim it")]
    assert prompts(codex_events(codex_meta(), item)) == ["dim it"]


def test_the_turn_may_stand_between_the_copies() -> None:
    copy, event = codex_prompt("dim it")
    turn = {"type": "turn_context", "payload": {"cwd": ROOT}}
    assert prompts(codex_events(codex_meta(), copy, turn, event)) == ["dim it"]


def test_where_there_are_events_a_copy_without_one_is_no_message() -> None:
    events = codex_events(
        codex_meta(),
        *codex_prompt("dim it"),
        codex_copy("user", "an unknown notice"),
        codex_copy("assistant", "ok"),
    )
    assert prompts(events) == ["dim it"]


def test_a_copy_that_says_a_person_wrote_it_needs_no_event() -> None:
    kinds = {"content_item_kinds": ["user.text"]}
    copy = codex_copy("user", "and red", internal_chat_message_metadata_passthrough=kinds)
    events = codex_events(
        codex_meta(), *codex_prompt("dim it"), copy, codex_event("agent_message", message="ok")
    )
    assert prompts(events) == ["dim it", "and red"]


def test_a_copy_after_its_event_is_not_told_again() -> None:
    kinds = {"content_item_kinds": ["user.text"]}
    copy = codex_copy("user", "dim it", internal_chat_message_metadata_passthrough=kinds)
    event = codex_event("user_message", message="dim it")
    assert prompts(codex_events(codex_meta(), event, copy)) == ["dim it"]
    assert prompts(codex_events(codex_meta(), event, copy, copy)) == ["dim it", "dim it"]


def test_a_copy_that_was_told_because_its_event_is_late_is_not_told_again() -> None:
    copy, event = codex_prompt("dim it")
    decoder = codex.FORMAT.decoder(Place((ROOT,)), "x")
    events = decoder.decode(codex_meta()) + decoder.decode(copy)
    assert prompts(events) == []
    events += decoder.settle()
    assert prompts(events) == ["dim it"]
    events += decoder.decode(event)
    assert prompts(events) == ["dim it"]
    events += [e for record in codex_prompt("dim it") for e in decoder.decode(record)]
    assert prompts(events) == ["dim it", "dim it"]


def test_the_same_answer_four_times_is_told_four_times() -> None:
    both = [codex_event("agent_message", message="done"), codex_copy("assistant", "done")]
    assert answers(codex_events(codex_meta(), *both * 4)) == ["done"] * 4


def test_the_summary_of_a_compaction_is_no_answer() -> None:
    compacted = {
        "type": "compacted",
        "payload": {"message": "x", "replacement_history": [codex_copy("user", "old")]},
    }
    alone = codex_events(codex_meta(), codex_copy("assistant", "summary"), compacted)
    assert answers(alone) == [] and alone[-1] == Compacted()
    events = codex_events(
        codex_meta(), codex_event("agent_message", message="a"), codex_copy("assistant", "a"),
        codex_copy("assistant", "summary"), codex_event("token_count"), compacted,
    )  # fmt: skip
    assert answers(events) == ["a"]
    assert prompts(events) == []


def test_a_rollback() -> None:
    events = codex_events(
        codex_meta(), *codex_prompt("dim it"), codex_event("thread_rolled_back", num_turns=2)
    )
    assert rewinds(events) == [Rewind(turns=2)]
    for turns in (0, -1, None, "2", True):
        assert rewinds(codex_events(codex_meta(), codex_event("thread_rolled_back", num_turns=turns))) == []


@pytest.mark.parametrize(
    ("record", "ours"),
    [
        (codex_meta(), True),
        ({"record_type": "state"}, True),
        ({"id": "x", "timestamp": "t", "instructions": None, "git": {}}, True),
        ({"type": "function_call", "call_id": "c", "name": "shell"}, True),
        ({"type": "response_item", "payload": []}, False),
        ({"type": "user", "uuid": "u", "parentUuid": None}, False),
        ({}, False),
    ],
)
def test_recognises(record: Record, ours: bool) -> None:
    assert codex.FORMAT.recognises(record) is ours
