"""Gemini CLI: going back, and histories that are put in place."""

from __future__ import annotations

from knit_tui.sessions.formats.gemini import FORMAT
from tests.sessions.gemini_rows import CONTEXT, WHEN, Row, begun, called, events, replaced, says, turn, user
from tests.sessions.laws import of_records, short
from tests.sessions.logs import ROOT


def talk() -> list[Row]:
    return [user("u1", "dim it"), says("a1", "Dimmed."), user("u2", "too dark"), says("a2", "Brighter.")]


TALK = ["user dim it", "agent Dimmed.", "user too dark", "agent Brighter."]


def test_a_rewind_keeps_what_came_before_the_message() -> None:
    assert events(*talk(), {"$rewindTo": "u2"}, user("u3", "as it was")) == [
        *TALK,
        "rewind a1 0",
        "user as it was",
    ]
    assert events(*talk(), {"$rewindTo": "u1"}) == [*TALK, "rewind  2"]
    assert events(*talk(), {"$rewindTo": "gone"}) == [*TALK, "rewind  2"]
    assert events(*talk(), {"$rewindTo": "a2"}) == [*TALK, "rewind u2 0"]
    assert events(*talk(), user("u3", "/stats"), {"$rewindTo": "u3"}) == TALK


def test_a_cancelled_prompt_is_taken_back() -> None:
    rest = replaced(user("env", CONTEXT), user("u1", "dim it"), turn("a1", "Dimmed."))
    assert events(*talk(), rest) == [*TALK, "rewind a1 0"]
    assert events(*talk()[:1], replaced(user("env", CONTEXT))) == ["user dim it", "rewind  1"]


def test_a_resume_writes_the_history_again_in_another_shape() -> None:
    read = called("read_file", file_path="a.md")
    history = replaced(
        user("env", CONTEXT),
        user("u1", "dim it"),
        turn("a1", "Dimmed.") | {"toolCalls": [read]},
        user("a1_response") | {"content": [{"functionResponse": {"response": {"output": "x"}}}]},
        user("u2", "too dark"),
        turn("a2", "Brighter."),
    )
    rows = [user("u1", "dim it"), says("a1", "Dimmed."), says("a1", "Dimmed.", read), *talk()[2:]]
    once = [*TALK[:2], "confirmed a.md ok", *TALK[2:]]
    assert events(*rows, {"$set": {"sessionId": "8fb3c9a6"}}, history, user("u3", "go on")) == [
        *once,
        "user go on",
    ]
    # Within the minute it began in, the new process writes its own start into the same file.
    again = [*begun(), {"$set": {"sessionId": "8fb3c9a6"}}, history]
    assert events(*rows, *again, *again, user("u3", "go on")) == [*once, "user go on"]


def test_a_compression_keeps_the_conversation() -> None:
    summary = [
        user("env", CONTEXT),
        user("s", "<scratchpad>so</scratchpad>\n<state_snapshot>\nThe lamp was dimmed."),
        turn("ack", "Got it. Thanks for the additional context!"),
    ]
    kept = [user("n1", "too dark"), turn("n2", "Brighter.")]
    shrunk = replaced(*summary, *kept)
    assert events(*talk(), shrunk) == [*TALK, "Compacted"]
    assert events(*talk(), shrunk, {"$set": {"sessionId": "8fb3c9a6"}}, shrunk) == [*TALK, "Compacted"]
    # The copies stand for what they are copies of.
    assert events(*talk(), shrunk, {"$rewindTo": "n1"}) == [*TALK, "Compacted", "rewind a1 0"]
    assert events(*talk(), shrunk, replaced(*summary, kept[0])) == [*TALK, "Compacted", "rewind u2 0"]
    assert events(*talk(), shrunk, user("u3", "go on"), {"$rewindTo": "u3"}) == [
        *TALK,
        "Compacted",
        "user go on",
        "rewind a2 0",
    ]


def test_a_summary_is_known_by_its_acknowledgement_too() -> None:
    rows = [user("s", "We dimmed the lamp."), turn("ack", "Got it. Thanks for the additional context!")]
    assert events(*talk(), replaced(user("env", CONTEXT), *rows)) == [*TALK, "Compacted"]


def test_copies_after_a_compression_are_the_newest() -> None:
    rows = [row for n in range(3) for row in (user(f"u{n}", "go on"), says(f"a{n}", "Done."))]
    summary = [user("env", CONTEXT), user("s", "<state_snapshot>"), user("n", "go on"), turn("m", "Done.")]
    assert events(*rows, replaced(*summary), {"$rewindTo": "n"})[-1] == "rewind a1 0"


def test_a_history_may_come_again_message_by_message() -> None:
    """When outputs were masked: every message under a new id, then the list of them."""
    copies = [
        user("c0", CONTEXT),
        user("c1", "dim it"),
        turn("c2", "Dimmed."),
        user("c3", "too dark"),
        turn("c4", "Brighter."),
    ]
    burst = [part for row in copies for part in (row, {"$set": {"lastUpdated": WHEN}})]
    rows = [*talk(), *burst, replaced(*copies)]
    assert events(*rows, user("u3", "dim it"), says("a3", "Dimmed.")) == [
        *TALK,
        "user dim it",
        "agent Dimmed.",
    ]
    assert events(*rows, {"$rewindTo": "c3"}) == [*TALK, "rewind a1 0"]
    # Another conversation that is put in place comes in the same way.
    other = [user("o0", CONTEXT), user("o1", "why does it hum?"), turn("o2", "The coil.")]
    assert events(*talk(), *other, replaced(*other)) == [*TALK, "user why does it hum?"]
    assert events(*talk(), user("o0", CONTEXT), says("a3", "Yes."), user("u3", "dim it")) == [
        *TALK,
        "agent Yes.",
        "user dim it",
    ]


def test_what_the_program_put_into_a_history_is_not_told() -> None:
    rows = [user("u1", "dim it"), turn("x", "[The previous response was interrupted before it completed.]")]
    assert events(user("u1", "dim it"), replaced(user("env", CONTEXT), *rows)) == ["user dim it"]


def test_a_log_read_from_its_middle_tells_the_history_it_meets() -> None:
    history = replaced(
        user("env", CONTEXT),
        user("s", "So far: <state_snapshot>"),
        turn("ack", "Got it. Thanks for the additional context!"),
        user("u1", "dim it"),
        turn("a1", "Dimmed."),
    )
    told = of_records(FORMAT, [history, user("u2", "too dark")], ROOT)
    assert [short(event) for event in told] == [
        f"session gemini s {ROOT}",
        "Compacted",
        "user dim it",
        "agent Dimmed.",
        "user too dark",
    ]
