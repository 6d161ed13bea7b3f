"""The working set of a session."""

import pytest

from knit_tui.engine.usage import KEPT, Usage, used
from knit_tui.model import Use
from knit_tui.sessions.events import (
    AssistantText,
    Certainty,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)

PROMPT = UserMessage("u", "go on")


def read(path: str, certainty: Certainty = "confirmed", ok: bool = True) -> ReadDone:
    return ReadDone(path, ok, certainty)


def edit(path: str, ok: bool = True) -> EditDone:
    return EditDone(path, ok)


def uses(*events: Event) -> dict[str, Use]:
    return used(Usage(), events).uses()


@pytest.mark.parametrize("certainty", ["confirmed", "inferred"])
def test_a_read_that_happened_counts(certainty: Certainty) -> None:
    assert uses(PROMPT, read("a.py", certainty)) == {"a.py": Use(False, 0)}


@pytest.mark.parametrize(
    "event",
    [
        read("a.py", "attempted", ok=False),
        read("a.py", "mention"),
        read("a.py", "confirmed", ok=False),
        read("a.py", "inferred", ok=False),
        edit("a.py", ok=False),
        AssistantText("t", "a.py"),
        SessionInfo("claude", "s", "/ws"),
        Compacted(),
        Rewind("u"),
    ],
)
def test_what_did_not_happen_does_not_count_and_gives_the_same_object(event: Event) -> None:
    usage = used(Usage(), [PROMPT, edit("b.py")])
    assert used(usage, [event]) is usage
    assert uses(PROMPT, event) == {}


def test_the_newest_comes_first_and_the_newest_use_of_a_file_is_told() -> None:
    found = uses(read("a.py"), edit("b.py"), read("c.py"), edit("a.py"))
    assert list(found.items()) == [("a.py", Use(True, 0)), ("c.py", Use(False, 0)), ("b.py", Use(True, 0))]
    assert list(uses(edit("a.py"), read("b.py"), read("a.py")).items()) == [
        ("a.py", Use(False, 0)),
        ("b.py", Use(False, 0)),
    ]


def test_uses_grow_older_with_every_prompt() -> None:
    found = uses(read("z.py"), PROMPT, edit("a.py"), PROMPT, PROMPT, read("b.py"))
    assert found == {"b.py": Use(False, 0), "a.py": Use(True, 2), "z.py": Use(False, 3)}


def test_another_session_forgets_what_the_first_used() -> None:
    assert uses(PROMPT, edit("a.py"), Reset("session"), PROMPT, read("b.py")) == {"b.py": Use(False, 0)}
    assert used(used(Usage(), [PROMPT, edit("a.py")]), [Reset("session")]) == Usage()


def test_going_back_does_not_undo_what_was_read_and_edited() -> None:
    assert uses(PROMPT, edit("a.py"), Rewind(turns=1)) == {"a.py": Use(True, 0)}


def test_events_may_come_in_any_pieces() -> None:
    events = [PROMPT, read("a.py"), PROMPT, edit("b.py"), read("a.py"), Reset("moved"), edit("c.py"), PROMPT]
    whole = used(Usage(), events)
    for cut in range(len(events)):
        parts = used(used(Usage(), events[:cut]), events[cut:])
        assert list(parts.uses().items()) == list(whole.uses().items())


def test_what_was_used_long_ago_is_forgotten() -> None:
    found = uses(*(read(f"d{number}.py") for number in range(KEPT + 3)))
    assert len(found) == KEPT
    assert next(iter(found)) == f"d{KEPT + 2}.py"
    assert "d2.py" not in found
    assert "d3.py" in found


def test_the_same_use_again_changes_nothing_and_another_order_does() -> None:
    usage = used(Usage(), [PROMPT, read("a.py"), read("b.py")])
    assert used(usage, []) is usage
    assert used(usage, [read("b.py")]) is usage
    again = used(usage, [read("a.py")])
    assert list(again.uses()) == ["a.py", "b.py"]
    assert list(usage.uses()) == ["b.py", "a.py"], "a value"
    assert used(usage, [PROMPT]) is not usage
