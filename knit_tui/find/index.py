"""The inverted index: which document holds which term, in which field, how often.

An Index is a value. It is a list of segments and a mask of the documents that are alive; a change
makes a new Index that shares the segments of the old one. Counts are taken over living documents
only, so an Index that grew by changes ranks exactly as one built in one go.

A change appends a segment. When ``JOIN`` segments of about the same size have come together they are
joined into one, up to a bound, so that there are few, and no change does more than a bounded work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from knit_tui.find.segment import (
    FIELDS,
    SEGMENT_DOCUMENTS,
    SEGMENT_POSTINGS,
    DocumentTerms,
    Lengths,
    Mask,
    Segment,
    build_segment,
    join_segments,
)
from knit_tui.find.terms import term_hash

JOIN = 8
"""Segments of one size class that are joined; each class is this many times the one below."""


@dataclass(frozen=True, eq=False, slots=True)
class Postings:
    """All postings of one term. ``documents``: positions in the Index, ascending, one an occurring field."""

    documents: npt.NDArray[np.int64]
    fields: npt.NDArray[np.int64]
    counts: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Index:
    """Segments and the documents in them that are alive.

    The position of a document counts through all segments, dead ones included; ``size`` positions in
    all. ``positions`` has the living documents only.
    """

    segments: tuple[Segment, ...] = ()
    alive: Mask = field(default_factory=lambda: np.empty(0, np.bool_))
    rels: tuple[str, ...] = ()
    """Path by position."""
    positions: Mapping[str, int] = field(default_factory=dict)
    _lengths: Lengths = field(default_factory=lambda: np.empty((0, FIELDS), np.int32))

    @property
    def size(self) -> int:
        return len(self.rels)

    def lengths(self) -> Lengths:
        """Field lengths by position, (size, FIELDS)."""
        return self._lengths

    def masks(self) -> list[Mask]:
        """The part of ``alive`` that belongs to each segment."""
        ends = list(accumulate(len(segment.rels) for segment in self.segments))
        return np.split(self.alive, ends[:-1]) if ends else []

    def changed(self, added: Sequence[DocumentTerms], removed: Iterable[str]) -> Index:
        """This Index without ``removed`` and with ``added``; an added path replaces its older self."""
        starts = range(0, len(added), SEGMENT_DOCUMENTS)
        return self.extended(
            [build_segment(added[start : start + SEGMENT_DOCUMENTS]) for start in starts], removed
        )

    def extended(self, fresh: Sequence[Segment], removed: Iterable[str]) -> Index:
        """As ``changed``, with the added documents in segments; no path may be in two of them."""
        added = [rel for segment in fresh for rel in segment.rels]
        gone = {*removed, *added} & self.positions.keys()
        if not gone and not added:
            return self
        alive = np.concatenate([self.alive, np.ones(len(added), np.bool_)])
        alive[[self.positions[rel] for rel in gone]] = False
        positions = dict(self.positions)
        for rel in gone:
            del positions[rel]
        positions.update(zip(added, range(self.size, self.size + len(added)), strict=True))
        grown = Index(
            (*self.segments, *fresh),
            alive,
            (*self.rels, *added),
            positions,
            np.concatenate([self._lengths, *(segment.lengths for segment in fresh)]),
        )
        return _tidied(grown)

    @cached_property
    def _parts(self) -> list[tuple[Segment, int, Mask | None]]:
        """Each segment, its first position, and its mask if any document in it is dead."""
        found = []
        start = 0
        for segment, mask in zip(self.segments, self.masks(), strict=True):
            found.append((segment, start, None if mask.all() else mask))
            start += len(mask)
        return found

    def lookup(self, term: str) -> Postings:
        """The postings of ``term`` in living documents; empty arrays when there are none."""
        wanted = _hash(term)
        documents, fields, counts = [], [], []
        for segment, start, mask in self._parts:
            place = segment.find(wanted)
            if place is None:
                continue
            postings, times = segment.postings[place], segment.counts[place]
            if mask is not None:
                living = mask[postings >> 3]
                postings, times = postings[living], times[living]
            documents.append((postings >> 3).astype(np.int64) + start)
            fields.append(postings & 7)
            counts.append(times)
        if not documents:
            return Postings(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))
        return Postings(
            np.concatenate(documents),
            np.concatenate(fields).astype(np.int64),
            np.concatenate(counts).astype(np.float64),
        )

    def known(self, terms: Sequence[str]) -> list[bool]:
        """For each term whether any living document holds it; many at once cost little more than one."""
        wanted = np.array([_hash(term) for term in terms], np.uint64)
        found = [False] * len(terms)
        for segment, _, mask in self._parts:
            if not len(segment.terms):
                continue
            places = segment.terms.searchsorted(wanted)
            places[places == len(segment.terms)] = 0
            for number in np.flatnonzero(segment.terms[places] == wanted).tolist():
                if not found[number]:
                    place = places[number]
                    postings = segment.postings[segment.starts[place] : segment.starts[place + 1]]
                    found[number] = mask is None or bool(mask[postings >> 3].any())
        return found


def assembled(segments: Sequence[Segment], masks: Sequence[Mask]) -> Index:
    """An Index of these segments, each with the mask of its living documents."""
    alive = np.concatenate(masks) if masks else np.empty(0, np.bool_)
    rels = tuple(rel for segment in segments for rel in segment.rels)
    positions = {rels[place]: place for place in np.flatnonzero(alive).tolist()}
    lengths = [segment.lengths for segment in segments] or [np.empty((0, FIELDS), np.int32)]
    return Index(tuple(segments), alive, rels, positions, np.concatenate(lengths))


@lru_cache(maxsize=1 << 12)
def _hash(term: str) -> np.uint64:
    return np.uint64(term_hash(term))


def _tidied(index: Index) -> Index:
    """The same documents in fewer segments, if it is time; the very same Index if not."""
    masks = index.masks()
    groups = _groups(index.segments, [int(np.count_nonzero(mask)) for mask in masks])
    if not groups:
        return index
    taken = {number for group in groups for number in group}
    kept = [number for number in range(len(masks)) if number not in taken]
    segments = [index.segments[number] for number in kept]
    parts = [masks[number] for number in kept]
    for group in groups:
        living = [number for number in group if masks[number].any()]
        if living:
            joined = join_segments(
                [index.segments[number] for number in living], [masks[number] for number in living]
            )
            segments.append(joined)
            parts.append(np.ones(len(joined.rels), np.bool_))
    return assembled(segments, parts)


def _groups(segments: Sequence[Segment], living: Sequence[int]) -> list[list[int]]:
    """Which segments, by number, are written anew, each group as one: those of which less than half is
    alive, and ``JOIN`` of one size class as far as they fit into a segment together."""
    groups = []
    classes: defaultdict[int, list[int]] = defaultdict(list)
    for number, segment in enumerate(segments):
        if 2 * living[number] < len(segment.rels):
            groups.append([number])
        else:
            classes[(living[number].bit_length() - 1) // (JOIN.bit_length() - 1)].append(number)
    for members in classes.values():
        if len(members) < JOIN:
            continue
        fitting: list[int] = []
        documents = postings = 0
        for number in sorted(members, key=lambda member: (living[member], member)):
            documents += living[number]
            postings += len(segments[number].postings)
            if documents > SEGMENT_DOCUMENTS or postings > SEGMENT_POSTINGS:
                break
            fitting.append(number)
        if len(fitting) > 1:
            groups.append(fitting)
    return groups
