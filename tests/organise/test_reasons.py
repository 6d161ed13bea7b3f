"""The one fact that a row is shown with."""

import pytest

from knit_tui.model import Commit, Field, Hit, Kind, Lead, Reason, TermHit, Use
from knit_tui.organise.reasons import grounded, reason

COMMIT = Commit("a" * 40, 1, "fix the parser", ("a.py",))
BODY = TermHit("parser", (Field.BODY,), "parser")


def hit(*terms: TermHit, lead: Lead = Lead.TERMS, use: Use | None = None, **more: object) -> Hit:
    return Hit("a.py", 1.0, terms, lead, use=use, **more)  # type: ignore[arg-type]


def term(word: str, *fields: Field) -> TermHit:
    return TermHit("asked-" + word, fields, word)


@pytest.mark.parametrize(
    ("field", "kind", "code"),
    [
        (Field.TITLE, Kind.DOCS, "title"),
        (Field.NAME, Kind.CODE, "filename"),
        (Field.HEADINGS, Kind.CODE, "symbols"),
        (Field.HEADINGS, Kind.DOCS, "headings"),
        (Field.SUMMARY, Kind.DOCS, "summary"),
        (Field.DIRECTORY, Kind.CODE, "path"),
        (Field.BODY, Kind.DOCS, "body"),
    ],
)
def test_each_field_has_its_code(field: Field, kind: Kind, code: str) -> None:
    assert reason(hit(term("retry", field)), kind) == Reason(code, ("retry",))


def test_the_reason_is_the_strongest_field_in_the_words_of_the_document() -> None:
    strongest_first = [Field.TITLE, Field.NAME, Field.HEADINGS, Field.SUMMARY, Field.DIRECTORY, Field.BODY]
    for place in range(1, len(strongest_first)):
        weaker, stronger = strongest_first[place], strongest_first[place - 1]
        found = reason(
            hit(term("one", weaker), term("two", stronger), term("three", weaker, stronger)), Kind.DOCS
        )
        assert (found.terms, found.also) == (("two", "three"), ("one",))


@pytest.mark.parametrize(("edited", "code"), [(True, "edited"), (False, "read")])
def test_what_the_agent_did_leads_when_it_counts_most(edited: bool, code: str) -> None:
    use = Use(edited, 3)
    named = hit(BODY, lead=Lead.USE, use=use, defines=("Parser",), commit=COMMIT, named=True)
    assert reason(named, Kind.CODE) == Reason(code, also=("parser",), prompts_ago=3)
    assert reason(hit(lead=Lead.USE, use=use), Kind.CODE) == Reason(code, prompts_ago=3)
    assert reason(hit(BODY, use=use), Kind.CODE).code == "body"


def test_a_name_that_is_defined_is_told_once() -> None:
    title = term("other", Field.TITLE)
    found = hit(term("parser", Field.HEADINGS), title, defines=("Parser",), commit=COMMIT, named=True)
    for lead in (Lead.TERMS, Lead.HISTORY, Lead.MENTION):
        assert reason(Hit("a.py", 1.0, found.terms, lead, ("Parser",), COMMIT), Kind.CODE) == Reason(
            "defines", ("Parser",), ("other",)
        )


def test_what_is_named_says_so_when_that_counts_most_or_is_all() -> None:
    assert reason(hit(BODY, lead=Lead.MENTION, named=True), Kind.CODE) == Reason("named", also=("parser",))
    assert reason(hit(lead=Lead.MENTION, named=True, commit=COMMIT), Kind.CODE) == Reason("named")
    assert reason(hit(lead=Lead.TERMS, named=True), Kind.CODE) == Reason("named")
    assert reason(hit(BODY, named=True), Kind.CODE).code == "body"


def test_a_commit_is_the_reason_when_nothing_the_document_says_is_better() -> None:
    commit = Reason("commit", commit=COMMIT)
    assert reason(hit(lead=Lead.HISTORY, commit=COMMIT), Kind.CODE) == commit
    assert reason(hit(lead=Lead.TERMS, commit=COMMIT), Kind.CODE) == commit
    assert reason(hit(BODY, lead=Lead.HISTORY, commit=COMMIT), Kind.CODE) == Reason(
        "commit", also=("parser",), commit=COMMIT
    )
    grounded_hit = hit(term("parser", Field.TITLE), lead=Lead.HISTORY, commit=COMMIT)
    assert reason(grounded_hit, Kind.DOCS) == Reason("title", ("parser",))
    assert reason(hit(BODY, commit=COMMIT), Kind.CODE) == Reason("body", ("parser",))


@pytest.mark.parametrize("field", list(Field))
def test_grounded(field: Field) -> None:
    assert grounded(hit(term("x", Field.BODY, field))) == (field is not Field.BODY)
    assert not grounded(hit())
