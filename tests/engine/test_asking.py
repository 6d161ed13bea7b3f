"""From what was said or typed to the query."""

from __future__ import annotations

from knit_tui.engine.asking import mentions_of, query_of, wanted_terms
from knit_tui.find.history import CommitIndex, index_commits
from knit_tui.find.index import Index
from knit_tui.find.segment import tokenise
from knit_tui.find.session import ASKED_FOR, Names
from knit_tui.model import Commit, Field, Message, Query, Speaker, Wish

DOCUMENTS = {"a.py": "backoff retried", "docs/b.md": "jitter"}
INDEX = Index().changed([tokenise(rel, [(Field.BODY, text)]) for rel, text in DOCUMENTS.items()], ())
NOTHING = CommitIndex()


def user(text: str) -> Message:
    return Message(Speaker.USER, text)


def agent(text: str) -> Message:
    return Message(Speaker.ASSISTANT, text)


def query(*messages: Message, typed: str | None = None, commits: CommitIndex = NOTHING) -> Query:
    return query_of(wanted_terms(messages, typed), messages, typed, INDEX, commits)


def words(found: Query) -> list[str]:
    return [term.term for term in found.terms]


def test_a_conversation_gives_its_terms_task_wish_and_names() -> None:
    found = query(user("How does backoff relate to BackoffPolicy?"), agent("There is jitter."))
    assert (found.source, found.task) == ("conversation", "How does backoff relate to BackoffPolicy?")
    assert words(found) == ["jitter", "backoff"]
    assert found.wish is Wish.CHANGE
    assert found.names == ("BackoffPolicy",)


def test_names_and_wish_are_those_of_the_prompt_not_of_the_agent() -> None:
    found = query(user("write tests for load_all"), agent("Done. See README and RetryPolicy."), user("ok"))
    assert found.wish is Wish.TESTS
    assert found.names == ("load_all",)
    assert found.task == "write tests for load_all"


def test_a_typed_text_takes_the_place_of_all_that_was_said() -> None:
    found = query(user("fix jitter"), typed="How does backoff relate to BackoffPolicy?")
    assert (found.source, found.task) == ("typed", "")
    assert words(found) == ["backoff"]
    assert found.wish is Wish.UNDERSTANDING
    assert found.names == ("BackoffPolicy",)
    assert query(user("fix jitter"), typed="").terms == ()


def test_the_history_holds_terms_too() -> None:
    commits = index_commits([Commit("a" * 40, 1, "speed up zeppelin", ("a.py",))])
    assert words(query(user("zeppelin, backoff"))) == ["backoff"]
    assert words(query(user("zeppelin, backoff"), commits=commits)) == ["zeppelin", "backoff"]


def test_other_forms_are_found_in_documents_and_in_the_history() -> None:
    commits = index_commits([Commit("a" * 40, 1, "save", ("a.py",))])
    [retry, saving] = query(user("retry, saving"), commits=commits).terms[:2][::-1]
    assert (retry.term, retry.forms) == ("retry", ("retried",))
    assert (saving.term, saving.forms) == ("saving", ("save",))


def test_no_conversation_no_query() -> None:
    assert query() == Query()
    assert query(agent("the and of")).terms == ()


def test_a_conversation_names_documents() -> None:
    messages = (user("look at a.py"), agent("and docs/b.md"), user("ok"))
    assert mentions_of(messages, Names(DOCUMENTS)) == {"a.py": ASKED_FOR, "docs/b.md": 1.0}
    assert mentions_of((), Names(DOCUMENTS)) == {}
