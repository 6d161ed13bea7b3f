"""Fingerprints, their distance, and the groups of near-duplicates."""

from datetime import UTC, datetime, timedelta

import pytest

from shoebox.dates import Photo
from shoebox.duplicates import best_of, difference_hash, distance, near_duplicates

START = datetime(2024, 7, 13, 18, 15, 2, tzinfo=UTC)


def photo(name: str, seconds: float = 0, source: str = "exif", size: int = 1000) -> Photo:
    return Photo(name, START + timedelta(seconds=seconds), source, size)


def test_a_hash_has_one_bit_for_each_step_down() -> None:
    falling = [list(range(9, 0, -1))] * 8
    assert difference_hash(falling) == 2**64 - 1
    assert difference_hash([[5] * 9] * 8) == 0


def test_a_hash_needs_nine_columns() -> None:
    with pytest.raises(ValueError, match="8 rows of 9"):
        difference_hash([[1, 2, 3]])


def test_distance_counts_bits() -> None:
    assert distance(0b1011, 0b0001) == 2


def test_burst_shots_are_one_group() -> None:
    burst = [photo("img1.png"), photo("img2.png", 1), photo("img3.png", 2)]
    hashes = {"img1.png": 0, "img2.png": 0b111111, "img3.png": 0b111111111111}
    assert near_duplicates(burst, hashes) == [burst]


def test_the_threshold_is_the_largest_distance() -> None:
    pair = [photo("a.png"), photo("b.png", 1)]
    assert near_duplicates(pair, {"a.png": 0, "b.png": 0xFF}, threshold=8) == [pair]
    assert near_duplicates(pair, {"a.png": 0, "b.png": 0x1FF}, threshold=8) == []


def test_shots_far_apart_in_time_are_not_compared() -> None:
    pair = [photo("a.png"), photo("b.png", 3600)]
    assert near_duplicates(pair, {"a.png": 0, "b.png": 1}) == []
    assert near_duplicates(pair, {"a.png": 7, "b.png": 7}) == [pair]


def test_the_best_known_date_wins_over_size() -> None:
    small, large = photo("a.png"), photo("b.png", source="mtime", size=9000)
    assert best_of([large, small]) == small
