"""The bar that ``classic`` must clear, over an invented workspace."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.classic import Result, evaluate, shortfalls
from eval.corpora import harbour, harbour_code
from eval.corpora.harbour import Wording
from eval.counting import counted_order
from eval.pages import classic_order, classic_ranking
from knit_tui.find import classic, classic_keywords
from knit_tui.model import Access, Kind
from knit_tui.workspace.scan import Scanner

PAGES = harbour.PAGES
WITH_PAGE = (*PAGES, harbour_code.ARCHITECTURE)
WITH_CODE = (*WITH_PAGE, *harbour_code.CODE)
CODE_CASES = (*harbour_code.CODE_CASES, harbour_code.MIXED_CASE)


def test_the_corpus_is_what_it_claims_to_be() -> None:
    assert len(PAGES) == 15
    assert [page.kind for page in PAGES if not page.text] == [Kind.IMAGE]
    assert Counter(case.group for case in harbour.CASES) == {
        "chinese": 8,
        "english": 3,
        "mixed": 2,
        "project name": 2,
        "long document": 2,
        "grams": 3,
        "rare word": 1,
    }
    rels = {page.rel for page in PAGES}
    assert all({case.expected, *case.never_first} <= rels for case in harbour.CASES)
    named = sum("Driftlog" in page.title + page.summary + page.text for page in PAGES)
    assert named >= 12
    assert [page.rel for page in PAGES if "seiche" in page.text] == ["docs/glossary.md"]


def test_classic_is_clearly_better_than_counting() -> None:
    ours = evaluate(classic_order, PAGES, harbour.CASES)
    older = evaluate(counted_order, PAGES, harbour.CASES)
    assert shortfalls(ours, older) == []


def test_the_bar_is_not_cleared_by_the_engine_it_measures_against() -> None:
    older = evaluate(counted_order, PAGES, harbour.CASES)
    short = shortfalls(older, older)
    assert any("top-1" in line for line in short)
    assert any("MRR" in line for line in short)
    assert any("misled" in line for line in short)


def test_the_bar_is_not_cleared_when_the_heaviest_keyword_drowns_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(classic, "QUERY_EXPONENT", 1.0)
    older = evaluate(counted_order, PAGES, harbour.CASES)
    assert shortfalls(evaluate(classic_order, PAGES, harbour.CASES), older) != []


def test_the_bar_is_not_cleared_with_glued_grams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classic_keywords, "EDGE_CHARACTERS", frozenset())
    older = evaluate(counted_order, PAGES, harbour.CASES)
    assert shortfalls(evaluate(classic_order, PAGES, harbour.CASES), older) != []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"top1": 0.79}, "under 0.8"),
        ({"mrr": 0.84}, "under 0.85"),
        ({"traps": ("a",)}, "misled in a"),
        ({"misses": ("a",)}, "solved before, not now: a"),
        ({"degenerate": 1}, "nothing to rank in 1 of 2"),
    ],
)
def test_each_condition_of_the_bar(change: dict[str, Any], told: str) -> None:
    older = Result(0.5, 0.5, ("b",), (), 0, {"a": 1, "b": 2})
    good = Result(1.0, 1.0, (), (), 0, {"a": 1, "b": 1})
    assert shortfalls(good, older) == []
    assert any(told in line for line in shortfalls(replace(good, **change), older))


def test_code_does_not_push_documents_out_of_their_place() -> None:
    assert (len(WITH_PAGE), len(WITH_CODE)) == (16, 24)
    without = evaluate(classic_order, WITH_PAGE, harbour.CASES)
    with_code = evaluate(classic_order, WITH_CODE, harbour.CASES)
    assert with_code.top1 >= without.top1
    assert with_code.mrr >= without.mrr
    assert [name for name in with_code.misses if without.ranks[name] == 1] == []
    assert with_code.traps == ()


def test_code_answers_what_documents_cannot() -> None:
    without = evaluate(classic_order, WITH_PAGE, CODE_CASES)
    with_code = evaluate(classic_order, WITH_CODE, CODE_CASES)
    assert without.top1 == 0
    assert with_code.top1 >= 0.8
    assert with_code.mrr >= 0.85
    assert harbour_code.ARCHITECTURE.rel in classic_order(harbour_code.MIXED_CASE.messages, WITH_CODE)[:3]


def test_noise_of_a_real_tree_takes_no_part(tmp_path: Path) -> None:
    rels = [page.rel for page in WITH_CODE]
    for rel in (*rels, *harbour_code.NOISE):
        (tmp_path / rel).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / rel).write_text("plugin loader metadata\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("dist/\ncoverage/\n", encoding="utf-8")
    searched = {
        entry.rel for entry in Scanner(tmp_path).scan().entries if entry.access in (Access.TEXT, Access.NAME)
    }
    assert searched & set(harbour_code.NOISE) == set()
    assert set(rels) <= searched


@pytest.mark.parametrize("wording", harbour.WORDINGS, ids=lambda wording: wording.message)
def test_labels_are_words_of_the_user(wording: Wording) -> None:
    labels = classic_ranking([wording.message], PAGES).labels
    assert set(wording.shown) <= set(labels)
    assert not set(wording.hidden) & set(labels)
    assert all(label in wording.message for label in labels)


def test_the_same_input_gives_the_same_order() -> None:
    for case in harbour.CASES:
        assert classic_order(case.messages, PAGES) == classic_order(case.messages, PAGES[::-1])
