"""The order of photos, and albums as cuts in that order. Rules: docs/图片排序.md."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from shoebox.dates import Photo

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key under which ``img2.png`` comes before ``img10.png``.

    Digits compare by value and stand before text, so the two are never compared with
    each other. Full-width digits count as digits.
    """
    parts = _DIGITS.split(unicodedata.normalize("NFKC", name).casefold())
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part
    )


def in_order(photos: Iterable[Photo]) -> list[Photo]:
    """Photos by capture time; shots of the same second by name."""
    return sorted(photos, key=lambda photo: (photo.taken, photo.name))


def albums(
    photos: Sequence[Photo],
    gap: timedelta = timedelta(hours=6),
    midnight: timedelta = timedelta(hours=2),
    largest: int = 500,
) -> Iterator[list[Photo]]:
    """Cut ``photos``, which are in order, into albums.

    A new album begins after a gap, at a change of date that is no party going on past
    midnight, and when the current album is full.
    """
    album: list[Photo] = []
    for photo in photos:
        if album:
            pause = photo.taken - album[-1].taken
            new_day = photo.taken.date() != album[-1].taken.date()
            if pause > gap or (new_day and pause > midnight) or len(album) >= largest:
                yield album
                album = []
        album.append(photo)
    if album:
        yield album


def titles(cut: Iterable[Sequence[Photo]]) -> list[str]:
    """The date of each album's first photo; a second album of a day gets a number."""
    seen: dict[str, int] = {}
    result = []
    for album in cut:
        day = album[0].taken.date().isoformat()
        seen[day] = seen.get(day, 0) + 1
        result.append(day if seen[day] == 1 else f"{day} ({seen[day]})")
    return result
