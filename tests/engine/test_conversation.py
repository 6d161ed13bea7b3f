from knit_tui.engine.conversation import KEPT, told
from knit_tui.model import Message, Speaker
from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)

PROMPTS = (UserMessage("u1", "one"), AssistantText("a1", "answer"), UserMessage("u2", "two"))


def texts(messages: tuple[Message, ...]) -> list[str]:
    return [message.text for message in messages]


def test_prompts_and_answers_become_messages() -> None:
    assert told((), PROMPTS)[:2] == (
        Message(Speaker.USER, "one", "u1"),
        Message(Speaker.ASSISTANT, "answer", "a1"),
    )


def test_what_says_nothing_changes_nothing() -> None:
    before = told((), PROMPTS)
    events = [SessionInfo("codex", "s", "/w"), Compacted(), ReadDone("a.py", True, "confirmed")]
    assert told(before, events) is before


def test_a_rewind_to_a_message_drops_what_came_after() -> None:
    assert texts(told((), [*PROMPTS, Rewind("a1"), UserMessage("u3", "three")])) == ["one", "answer", "three"]
    assert texts(told((), [*PROMPTS, Rewind("gone")])) == ["one", "answer", "two"]


def test_a_rewind_by_turns_drops_prompts_and_their_answers() -> None:
    assert texts(told((), [*PROMPTS, Rewind(turns=1)])) == ["one", "answer"]
    assert texts(told((), [*PROMPTS, Rewind(turns=9)])) == []


def test_a_reset_forgets_everything() -> None:
    assert texts(told((), [*PROMPTS, Reset("session"), UserMessage("v", "new")])) == ["new"]


def test_the_memory_is_bounded() -> None:
    many = [UserMessage(str(i), f"prompt {i}") for i in range(KEPT + 50)]
    messages = told((), many)
    assert len(messages) == KEPT
    assert messages[-1].text == f"prompt {KEPT + 49}"
