"""Where the terms of the query stand in a line."""

from __future__ import annotations

from itertools import pairwise

import pytest

from knit_tui.faces.tui.preview.marks import marks
from knit_tui.find.passages import TermFinder
from knit_tui.model import QueryTerm

CASES = [
    ("retry the Retry and RETRY", {"retry"}, ["retry", "Retry", "RETRY"]),
    ("retrying a preretry", {"retry"}, []),
    ("def retry_policy(maxRetry, RetryPolicy):", {"retry"}, ["retry", "Retry", "Retry"]),
    ("parseHTTPHeader", {"http"}, ["HTTP"]),
    ("latestTest attest_test", {"test"}, ["Test", "test"]),
    ("retry_policy = policy", {"retry_policy"}, ["retry_policy"]),
    ("utf8 and v2_beta", {"utf", "v"}, ["utf"]),
    ("错误重试机制", {"重试"}, ["重试"]),
    ("错误重试机制", {"重试", "试机", "重试机"}, ["重试机"]),
    ("使用retry机制", {"retry"}, ["retry"]),
    ("재시도 정책", {"재시도"}, ["재시도"]),
    ("straße STRASSE", {"strasse"}, ["straße", "STRASSE"]),
    ("résumé", {"resume"}, ["résumé"]),
    ("nothing here", {"retry"}, []),
    ("anything", set(), []),
]


@pytest.mark.parametrize(("line", "terms", "expected"), CASES)
def test_terms_are_found_as_words_and_parts(line: str, terms: set[str], expected: list[str]) -> None:
    assert [line[start:end] for start, end in marks(line, frozenset(terms))] == expected


@pytest.mark.parametrize(("line", "terms", "expected"), CASES)
def test_a_line_is_marked_when_the_index_finds_it(line: str, terms: set[str], expected: list[str]) -> None:
    assert bool(marks(line, frozenset(terms))) == bool(
        TermFinder([QueryTerm(term, 1.0) for term in terms]).find(line)
    )


def test_a_pair_at_the_end_of_a_run_is_marked_without_what_follows() -> None:
    line = "结果必须相同。早的"
    assert [line[start:end] for start, end in marks(line, frozenset(["相同"]))] == ["相同"]


def test_marks_are_in_order_and_apart() -> None:
    spans = marks("重试重试重试 retry_retry " * 50, frozenset({"重试", "试重", "retry", "retry_retry"}))
    assert all(end < start for (_, end), (start, _) in pairwise(spans))
