"""Answers deep inside a file are found and shown."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from eval import classic_passages
from eval.corpora.depths import ARCHIVE, CASES, KEYS, Depth
from eval.deep import LEGACY_BODY, Metrics, classic_answer, measure, our_answer
from eval.pages import lay


def test_classic_clears_the_bar() -> None:
    metrics = measure([classic_answer(case) for case in CASES])
    assert metrics.deep_hit_rate == 1.0
    assert metrics.passage_hit_at_1 >= 0.8
    assert metrics.passage_recall >= 0.8
    assert metrics.long_doc_noise_rate == 0
    assert measure([classic_answer(case) for case in CASES]) == metrics


def test_knit_clears_it_too() -> None:
    metrics = measure([our_answer(case) for case in CASES])
    assert metrics.deep_hit_rate == 1.0
    assert metrics.passage_hit_at_1 >= 0.8
    assert metrics.passage_recall >= 0.8
    assert metrics.long_doc_noise_rate == 0


def test_with_short_texts_almost_nothing_is_found() -> None:
    assert measure([classic_answer(case, LEGACY_BODY) for case in CASES]).deep_hit_rate <= 0.2


def test_only_the_four_measures_are_told() -> None:
    assert [field.name for field in fields(Metrics)] == [
        "deep_hit_rate",
        "passage_hit_at_1",
        "passage_recall",
        "long_doc_noise_rate",
    ]


def test_exactly_one_workspace_is_the_control() -> None:
    assert [case.name for case in CASES if not case.deep] == ["control-title"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_wanted_lines_hold_the_key_in_the_file(case: Depth, tmp_path: Path) -> None:
    lay(tmp_path, case.pages())
    text = (tmp_path / case.target.rel).read_text(encoding="utf-8")
    lines = text.split("\n")
    key = next(key for key in KEYS if key in case.question)
    held = [number for number, line in enumerate(lines, 1) if key in line.lower()]
    assert case.lines
    assert set(case.lines) <= set(held)
    if case.deep:
        assert list(case.lines) == held
        assert min(sum(len(line) + 1 for line in lines[: number - 1]) for number in case.lines) > LEGACY_BODY
    archive = (tmp_path / ARCHIVE).read_text(encoding="utf-8")
    assert all(archive.count(each) == 1 for each in KEYS)


def test_passages_that_miss_a_line_lower_the_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classic_passages, "SHOWN", 1)
    metrics = measure([classic_answer(case) for case in CASES])
    assert metrics.passage_recall < 1.0
    assert metrics.passage_hit_at_1 < 1.0


def test_an_archive_in_the_first_tiers_is_counted() -> None:
    answers = [classic_answer(case) for case in CASES]
    spoiled = [replace(answers[0], first_tiers=frozenset({ARCHIVE})), *answers[1:]]
    assert measure(spoiled).long_doc_noise_rate == pytest.approx(1 / 6)


def test_the_archive_matches_every_question_all_the_same() -> None:
    assert all(ARCHIVE in classic_answer(case).order for case in CASES)
