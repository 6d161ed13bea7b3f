"""What the project's own history says of its documents."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from knit_tui.find.history import FADING, MAX_FILES, VOTERS, Past, index_commits, recall
from knit_tui.model import Commit, QueryTerm

FORM = 0.4
DOCUMENTS = ("a.py", "b.py", "c.py")


def log(*newest_first: tuple[str, Sequence[str]]) -> list[Commit]:
    return [
        Commit(f"{number:040x}", -number, subject, tuple(paths))
        for number, (subject, paths) in enumerate(newest_first)
    ]


def recalled(
    commits: Sequence[Commit], *terms: str | QueryTerm, documents: Sequence[str] = DOCUMENTS
) -> Past | None:
    history = index_commits(commits)
    wanted = [each if isinstance(each, QueryTerm) else QueryTerm(each, 1.0) for each in terms]
    places = [documents.index(path) if path in documents else -1 for path in history.paths]
    return recall(history, wanted, np.array(places, np.int64), len(documents), len(documents), FORM)


def said(commits: Sequence[Commit], *terms: str | QueryTerm) -> Past:
    past = recalled(commits, *terms)
    assert past is not None
    return past


def test_subjects_are_bm25_over_all_commits_of_a_document() -> None:
    commits = log(
        ("fix parser", ["a.py"]), ("parser speed", ["a.py", "b.py"]), ("docs", ["b.py"]), ("x1", ["c.py"])
    )
    past = said(commits, "parser")
    # Words of the subjects: a.py 4, b.py 3, c.py 1; two documents hold the term, a.py twice.
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    average = (4 + 3 + 1) / 3

    def gain(tf: float, length: float) -> float:
        return idf * tf * (1.2 + 1) / (tf + 1.2 * (1 - 0.5 + 0.5 * length / average))

    assert past.subjects.tolist() == pytest.approx([gain(2, 4), gain(1, 3), 0.0])


def test_a_term_of_half_the_weight_counts_half() -> None:
    commits = log(("parser", ["a.py"]), ("loader", ["b.py"]), ("other", ["c.py"]))
    past = said(commits, QueryTerm("parser", 4.0), QueryTerm("loader", 2.0))
    assert past.subjects[0] == pytest.approx(2 * past.subjects[1])
    assert past.votes.tolist() == [1.0, pytest.approx(0.5 * (1 + 0) / (1 + 1 / FADING)), 0.0]


def test_another_form_counts_less_and_the_word_itself_hides_it() -> None:
    commits = log(("saved", ["a.py"]), ("save", ["b.py"]), ("save saved", ["c.py"]))
    past = said(commits, QueryTerm("save", 1.0, ("saved",)))
    a, b, _ = past.subjects
    assert 0 < a < b
    assert past.commit.tolist() == [0, 1, 2]
    only = said(log(("save saved", ["a.py"]), ("x1 x1", ["b.py"])), QueryTerm("save", 1.0, ("saved",)))
    plain = said(log(("save other", ["a.py"]), ("x1 x1", ["b.py"])), QueryTerm("save", 1.0))
    assert only.subjects.tolist() == pytest.approx(plain.subjects.tolist())


def test_a_commit_shares_its_vote_by_the_root_of_its_files() -> None:
    commits = log(("parser", ["a.py"]), ("x1", ["c.py"]), *[("pad", ["c.py"])] * 3)
    both = log(("parser", ["a.py"]), ("parser", ["b.py", "c.py"]))
    assert said(commits, "parser").votes.tolist() == [1.0, 0.0, 0.0]
    votes = said(both, "parser").votes
    share = 1 / (1 + 1 / FADING) / math.sqrt(2)
    assert votes.tolist() == pytest.approx([1.0, share, share])


def test_a_vote_that_is_split_is_no_full_one_even_if_there_is_no_other() -> None:
    share = 1 / math.sqrt(3)
    assert said(log(("parser", DOCUMENTS)), "parser").votes.tolist() == pytest.approx([share] * 3)


def test_files_that_are_gone_are_not_counted_among_those_of_a_commit() -> None:
    gone = [f"gone{number}.py" for number in range(8)]
    votes = said(log(("parser", ["b.py"]), ("parser", ["a.py", *gone])), "parser").votes
    assert votes.tolist() == pytest.approx([1 / (1 + 1 / FADING), 1.0, 0.0])


def test_votes_fade_with_the_commits_that_came_after() -> None:
    later = [("pad", ["c.py"])] * FADING
    commits = log(("parser", ["a.py"]), *later[1:], ("parser", ["b.py"]))
    past = said(commits, "parser")
    assert past.votes[0] == 1.0
    assert past.votes[1] == pytest.approx(0.5)
    assert past.subjects[0] == past.subjects[1], "what a file is about does not fade"


def test_only_the_loudest_vote() -> None:
    commits = log(*[("parser", ["a.py"])] * VOTERS, ("parser", ["b.py"]))
    past = said(commits, "parser")
    assert past.votes.tolist() == [1.0, 0.0, 0.0]
    assert past.subjects[1] > 0
    fewer = log(*[("parser", ["a.py"])] * (VOTERS - 1), ("parser", ["b.py"]))
    assert said(fewer, "parser").votes[1] > 0


def test_a_commit_that_changed_too_many_files_says_nothing() -> None:
    many = [f"m{number}.py" for number in range(MAX_FILES)]
    assert recalled(log(("parser", ["a.py", *many])), "parser") is None
    assert said(log(("parser", ["a.py", *many[1:]])), "parser").votes[0] == 1.0
    past = said(log(("parser", ["a.py", *many]), ("other", ["b.py"])), "parser")
    assert not past.subjects.any()
    assert not past.votes.any()
    assert (past.commit == -1).all()


def test_the_commit_of_a_document_is_the_most_similar_then_the_newest() -> None:
    commits = log(
        ("parser", ["a.py", "b.py"]),
        ("parser speed", ["a.py", "c.py"]),
        ("parser speed", ["a.py"]),
        ("parser", ["b.py"]),
        ("docs", ["b.py"]),
    )
    assert said(commits, "parser", "speed").commit.tolist() == [1, 0, 1]
    assert said(commits, "docs").commit.tolist() == [-1, 4, -1]


def test_nothing_to_say() -> None:
    commits = log(("parser", ["a.py"]))
    assert recalled([], "parser") is None
    assert recalled(log(("parser", ["gone.py"])), "parser") is None
    assert recalled(commits, "parser", documents=()) is None
    assert recalled(commits) is None
    past = said(commits, "absent")
    assert not past.subjects.any()
    assert (past.commit == -1).all()


def test_subjects_without_words_say_nothing() -> None:
    """The only words are of a commit whose files are gone."""
    assert recalled(log(("parser", ["gone.py"]), ("...", ["a.py"])), "parser") is None


def test_subjects_are_read_as_documents_are() -> None:
    commits = log(("Fix parseHeader", ["a.py"]), ("图片排序", ["b.py"]), ("cafe\u0301", ["c.py"]))
    history = index_commits(commits)
    assert all(map(history.holds, ["parseheader", "header", "fix", "图片", "排序", "café", "cafe"]))
    assert not history.holds("parser")
    assert said(commits, "header").commit.tolist() == [0, -1, -1]
    assert said(commits, "排序").commit.tolist() == [-1, 1, -1]
