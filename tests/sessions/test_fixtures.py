"""Whole small logs: what they give, and what every part of them gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knit_tui.sessions.events import AssistantText, EditDone, Event, ReadDone, Rewind, UserMessage
from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import FORMATS, claude, codex
from knit_tui.sessions.paths import Place
from tests.sessions.logs import FIXTURES, ROOT, decode_bytes

GIVEN = {
    "claude": [
        "user Why does the lamp flicker below 10 %? See @docs/dimming.md",
        "mention docs/dimming.md ok",
        "agent 先看驱动代码。",
        "confirmed src/driver.py ok",
        "confirmed src/pwm.py ok",
        "edit src/pwm.py ok",
        "agent The duty cycle was clamped 🔆.",
        "rewind a1 0",
        "user no, keep the clamp and smooth it",
        "Compacted",
        "agent Smoothed.",
    ],
    "codex-g0": [
        "user Why does the lamp flicker?",
        "agent Looking at the driver.",
        "confirmed src/driver.py ok",
        "agent It clamps the duty cycle.",
    ],
    "codex-g1": [
        "user Why does the lamp flicker?",
        "confirmed src/pwm.py ok",
        "edit src/pwm.py ok",
        "agent 降低了占空比。",
        "user undo that",
        "rewind  1",
        "Compacted",
    ],
    "codex-g2": [
        "user why does it flicker?",
        "agent Reading.",
        "confirmed src/driver.py ok",
        "edit src/driver.py ok",
        "agent Clamped.",
    ],
    "codex-g3": [
        "user why does it flicker?",
        "agent Reading.",
        "inferred src/driver.py ok",
        "agent Clamped.",
    ],
}


def form(name: str) -> Format:
    return claude.FORMAT if name == "claude" else codex.FORMAT


def data(name: str) -> bytes:
    return (FIXTURES / f"{name}.jsonl").read_bytes()


def short(event: Event) -> str:
    if isinstance(event, UserMessage):
        return f"user {event.text}"
    if isinstance(event, AssistantText):
        return f"agent {event.text}"
    if isinstance(event, ReadDone):
        return f"{event.certainty} {event.path} {'ok' if event.ok else 'failed'}"
    if isinstance(event, EditDone):
        return f"edit {event.path} {'ok' if event.ok else 'failed'}"
    if isinstance(event, Rewind):
        return f"rewind {event.keep_until_id} {event.turns}"
    return type(event).__name__


@pytest.mark.parametrize("name", GIVEN)
def test_what_a_log_gives(name: str) -> None:
    events = decode_bytes(form(name), data(name))
    assert [short(event) for event in events] == ["SessionInfo", *GIVEN[name]]


@pytest.mark.parametrize("size", [1, 7])
@pytest.mark.parametrize("name", GIVEN)
def test_chunks_do_not_matter(name: str, size: int) -> None:
    assert decode_bytes(form(name), data(name), size) == decode_bytes(form(name), data(name))


@pytest.mark.parametrize("name", GIVEN)
def test_a_log_cut_anywhere_gives_a_beginning_of_its_events(name: str) -> None:
    whole = decode_bytes(form(name), data(name))
    for end in range(len(data(name))):
        part = decode_bytes(form(name), data(name)[:end])
        assert part == whole[: len(part)], f"cut at byte {end}"


@pytest.mark.parametrize("name", ["claude", "codex-g2", "codex-g3"])
def test_a_log_that_is_read_twice_gives_no_prompt_twice(name: str) -> None:
    """Where records have ids; the older generations of Codex have none."""
    whole = decode_bytes(form(name), data(name))
    twice = decode_bytes(form(name), data(name) * 2)
    assert [e for e in twice if isinstance(e, UserMessage)] == [
        e for e in whole if isinstance(e, UserMessage)
    ]


@pytest.mark.parametrize("name", GIVEN)
def test_only_its_own_format_recognises_a_log(name: str) -> None:
    found = set()
    for line in data(name).splitlines():
        found |= {one.agent for one in FORMATS if one.recognises(json.loads(line))}
    assert found == {form(name).agent}


# Records that no program would write.

WORDS = st.sampled_from(
    "type payload item message content role text id uuid parentUuid sessionId cwd name input arguments"
    " call_id tool_use_id is_error toolUseResult attachment prompt command cmd file_path path output"
    " status exit_code parsed_cmd changes aggregated_output user assistant attachment system response_item"
    " event_msg session_meta turn_context compacted function_call function_call_output custom_tool_call"
    " custom_tool_call_output exec item_completed UserMessage AgentMessage CommandExecution FileChange"
    " tool_use tool_result Read Edit Bash user_message agent_message queued_command file compact_boundary"
    " subtype origin kind isMeta last-prompt lastPrompt timestamp thread_rolled_back num_turns apply_patch"
    " view_image shell exec_command".split()
)
VALUES = st.recursive(
    WORDS
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(
        [
            "cat a.md",
            '{"cmd":"cat a.md"}',
            'exec_command({cmd:"cat a"})',
            "*** Begin Patch\n*** Add File: a\n",
            "\ud83c\0",
            "<system-reminder>",
            "Script failed\nOutput:\n",
        ]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=8,
)
RECORDS = st.dictionaries(WORDS, VALUES, max_size=7)


@pytest.mark.parametrize("name", ["claude", "codex"])
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=st.lists(RECORDS, max_size=6))
def test_no_record_raises_and_every_text_can_be_encoded(name: str, rows: list[dict[str, Any]]) -> None:
    one = form(name)
    decoder = one.decoder(Place((ROOT,), home="/home/dev", is_file=lambda path: True), "s")
    for row in rows:
        one.recognises(row)
        for event in [*decoder.decode(row), *decoder.settle()]:
            repr(event).encode()
            for field in getattr(event, "__slots__", ()):
                value = getattr(event, field)
                if isinstance(value, str):
                    value.encode()


@pytest.mark.parametrize("name", GIVEN)
@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10_000), junk=st.binary(min_size=1, max_size=40))
def test_damage_costs_no_more_than_its_line(name: str, at: int, junk: bytes) -> None:
    whole = data(name)
    at %= len(whole)
    decode_bytes(form(name), whole[:at] + junk + whole[at:])
    start = whole.rfind(b"\n", 0, at) + 1
    end = whole.find(b"\n", at) + 1
    without = decode_bytes(form(name), whole[:start] + whole[end:])
    torn = decode_bytes(form(name), whole[:start] + b"\x07" + junk.replace(b"{", b"") + b"\n" + whole[end:])
    assert [short(event) for event in torn] == [short(event) for event in without]
