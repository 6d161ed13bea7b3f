"""The order of photos and the cut into albums."""

from datetime import UTC, datetime, timedelta

from shoebox.dates import Photo
from shoebox.order import albums, in_order, natural_key, titles

START = datetime(2024, 7, 13, 18, 15, 2, tzinfo=UTC)


def photo(name: str, after: timedelta = timedelta()) -> Photo:
    return Photo(name, START + after, "exif", 1000)


def test_earlier_photos_come_first() -> None:
    late, early = photo("a.png", timedelta(seconds=1)), photo("b.png")
    assert in_order([late, early]) == [early, late]


def test_numbers_in_names_compare_by_value() -> None:
    names = ["img10.png", "img2.png", "img1.png"]
    assert sorted(names, key=natural_key) == ["img1.png", "img2.png", "img10.png"]


def test_chinese_names_and_full_width_digits() -> None:
    names = ["第10天.png", "第２天.png", "第1天.png"]
    assert sorted(names, key=natural_key) == ["第1天.png", "第２天.png", "第10天.png"]


def test_digits_and_text_never_meet() -> None:
    assert sorted(["b.png", "2.png", "a.png"], key=natural_key) == ["2.png", "a.png", "b.png"]


def test_a_long_pause_begins_a_new_album() -> None:
    first, second = photo("a.png"), photo("b.png", timedelta(hours=7))
    assert list(albums([first, second])) == [[first], [second]]


def test_a_party_past_midnight_stays_together() -> None:
    evening = photo("a.png", timedelta(hours=5, minutes=40))
    night = photo("b.png", timedelta(hours=6))
    assert evening.taken.date() != night.taken.date()
    assert list(albums([evening, night])) == [[evening, night]]


def test_a_second_album_of_a_day_gets_a_number() -> None:
    cut = [[photo("a.png")], [photo("b.png", timedelta(hours=1))]]
    assert titles(cut) == ["2024-07-13", "2024-07-13 (2)"]
