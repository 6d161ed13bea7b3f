"""Near-duplicates: 64-bit difference hashes, compared by Hamming distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from shoebox.dates import SOURCES, Photo
from shoebox.order import natural_key

SAME = 3
"""Up to this distance a picture is the same one, saved again."""


def difference_hash(grey: Sequence[Sequence[int]]) -> int:
    """The fingerprint of eight rows of nine grey values each."""
    if len(grey) != 8 or any(len(row) != 9 for row in grey):
        raise ValueError("a difference hash needs 8 rows of 9 values")
    bits = 0
    for row in grey:
        for left, right in zip(row, row[1:]):
            bits = bits << 1 | (left > right)
    return bits


def distance(one: int, other: int) -> int:
    """How many bits of two fingerprints differ."""
    return (one ^ other).bit_count()


class _Sets:
    """Union-find with path halving."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        self.parent.setdefault(name, name)
        while self.parent[name] != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def join(self, one: str, other: str) -> None:
        self.parent[self.find(one)] = self.find(other)


def near_duplicates(
    photos: Sequence[Photo],
    hashes: Mapping[str, int],
    threshold: int = 8,
    window: timedelta = timedelta(seconds=120),
) -> list[list[Photo]]:
    """Groups of two or more photos that show nearly the same, in the order of ``photos``.

    Args:
        photos: in order of their capture time.
        hashes: fingerprint by name; a photo without one is left out.
        threshold: the largest distance of two near-duplicates.
        window: shots further apart in time are compared only as saved-again copies.
    """
    sets = _Sets()
    known = [photo for photo in photos if photo.name in hashes]
    exact: dict[int, str] = {}
    for position, photo in enumerate(known):
        first = exact.setdefault(hashes[photo.name], photo.name)
        sets.join(photo.name, first)
        for other in reversed(known[:position]):
            if photo.taken - other.taken > window:
                break
            if distance(hashes[photo.name], hashes[other.name]) <= threshold:
                sets.join(photo.name, other.name)
    groups: dict[str, list[Photo]] = {}
    for photo in known:
        groups.setdefault(sets.find(photo.name), []).append(photo)
    return [group for group in groups.values() if len(group) > 1]


def best_of(group: Sequence[Photo]) -> Photo:
    """The photo of a group to keep: best known date, then size, then name."""
    return min(
        group,
        key=lambda photo: (SOURCES.index(photo.source), -photo.size, natural_key(photo.name)),
    )
