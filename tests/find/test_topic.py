from knit_tui.find.topic import MAX_TEXT, MAX_TOTAL, substantive, task, texts
from knit_tui.model import Message, Speaker


def user(text: str) -> Message:
    return Message(Speaker.USER, text)


def agent(text: str) -> Message:
    return Message(Speaker.ASSISTANT, text)


def test_texts_come_newest_first_and_of_each_agent_turn_only_the_last() -> None:
    messages = [
        user("one"),
        agent("on the way"),
        agent("answer one"),
        user("two"),
        agent("step"),
        agent("answer two"),
    ]
    assert texts(messages) == ("answer two", "two", "answer one", "one")


def test_texts_have_bounds() -> None:
    long = [user("x" * 5_000) for _ in range(9)]
    assert [len(text) for text in texts(long)] == [MAX_TEXT] * (MAX_TOTAL // MAX_TEXT)
    assert len(texts([user(f"prompt {i}") for i in range(20)])) == 6


def test_blank_texts_take_no_place() -> None:
    assert texts([user("one"), user("  \n ")]) == ("one",)


def test_the_task_is_the_newest_prompt_that_says_something() -> None:
    messages = [user("Fix the  retry\nbackoff"), agent("Done."), user("ok, go on"), user("好的，继续")]
    assert task(messages) == "Fix the retry backoff"
    assert task([agent("only me")]) == ""


def test_the_task_is_quoted_and_cut_never_summarised() -> None:
    assert task([user("x" * 80)]) == "x" * 80
    assert task([user("x" * 81)]) == "x" * 79 + "…"


def test_what_says_something() -> None:
    for text in ("ok", "Thanks!", "继续", "好的", "12345", "x", "", "...", "got it", "yes please"):
        assert not substantive(text), text
    for text in ("fix it", "排序", "why?", "ok then rename the loader"):
        assert substantive(text), text


def test_a_prompt_that_says_nothing_is_passed_over() -> None:
    messages = [
        Message(Speaker.USER, "fix the retry"),
        Message(Speaker.ASSISTANT, "the backoff is wrong"),
        Message(Speaker.USER, "ok, go on"),
    ]
    assert texts(messages) == ("the backoff is wrong", "fix the retry")
    assert texts([Message(Speaker.USER, "继续")]) == ()
