"""The measures against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from eval.metrics import MEASURES, interval, mean, scores


def test_the_first_document_is_the_only_answer() -> None:
    assert scores(["a", "b"], {"a"}) == {
        "hit@1": 1.0,
        "hit@4": 1.0,
        "mrr": 1.0,
        "recall@9": 1.0,
        "ndcg@10": 1.0,
    }


def test_answers_at_two_and_four() -> None:
    found = scores(["x", "a", "y", "b", "z"], {"a", "b", "c"})
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert found == {
        "hit@1": 0.0,
        "hit@4": 1.0,
        "mrr": 0.5,
        "recall@9": pytest.approx(2 / 3),
        "ndcg@10": pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal),
    }
    assert found["ndcg@10"] == pytest.approx(0.498189, abs=1e-6)


@pytest.mark.parametrize(
    ("rank", "hit_4", "recall_9", "ndcg_10"),
    [
        (4, 1.0, 1.0, 1 / math.log2(5)),
        (5, 0.0, 1.0, 1 / math.log2(6)),
        (9, 0.0, 1.0, 1 / math.log2(10)),
        (10, 0.0, 0.0, 1 / math.log2(11)),
        (11, 0.0, 0.0, 0.0),
    ],
)
def test_where_each_measure_stops_looking(rank: int, hit_4: float, recall_9: float, ndcg_10: float) -> None:
    order = [f"x{number}" for number in range(20)]
    order[rank - 1] = "a"
    assert scores(order, {"a"}) == {
        "hit@1": 0.0,
        "hit@4": hit_4,
        "mrr": pytest.approx(1 / rank),
        "recall@9": recall_9,
        "ndcg@10": pytest.approx(ndcg_10),
    }


def test_more_answers_than_places_can_still_be_perfect_for_ndcg() -> None:
    relevant = {f"d{number}" for number in range(12)}
    found = scores(sorted(relevant), relevant)
    assert found["ndcg@10"] == 1.0
    assert found["recall@9"] == pytest.approx(9 / 12)


def test_no_answer_is_zero() -> None:
    nothing = dict.fromkeys(MEASURES, 0.0)
    assert scores(["x", "y"], {"a"}) == nothing
    assert scores([], {"a"}) == nothing


def test_the_mean_is_over_queries() -> None:
    rows = [scores(["a"], {"a"}), scores(["x", "a"], {"a"}), scores([], {"a"})]
    assert mean(rows)["mrr"] == pytest.approx(0.5)
    assert mean(rows)["hit@1"] == pytest.approx(1 / 3)
    assert set(mean(rows)) == set(MEASURES)
    assert mean([]) == dict.fromkeys(MEASURES, 0.0)


def test_an_interval_holds_the_difference_and_is_the_same_every_time() -> None:
    ours = [0.5 + (number % 5) / 10 for number in range(60)]
    theirs = [0.45 + (number % 3) / 10 for number in range(60)]
    low, high = interval(ours, theirs)
    assert low < sum(ours) / 60 - sum(theirs) / 60 < high
    assert interval(ours, theirs) == (low, high)
    assert interval(theirs, ours)[0] < 0
    assert interval(ours, ours) == (0.0, 0.0)


def test_a_constant_difference_is_sure() -> None:
    assert interval([0.5] * 9, [0.25] * 9) == (0.25, 0.25)


def test_a_pair_is_drawn_as_a_pair() -> None:
    """The same queries, in another order, are another pairing and so less sure."""
    ours = [number / 10 for number in range(10)]
    assert interval(ours, [value - 0.1 for value in ours]) == pytest.approx((0.1, 0.1))
    low, high = interval(ours, [value - 0.1 for value in reversed(ours)])
    assert high - low > 0.2


def test_different_numbers_of_queries_are_refused() -> None:
    with pytest.raises(ValueError):
        interval([1.0], [1.0, 2.0])
