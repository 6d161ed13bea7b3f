"""The inverted index: which document holds which term, in which field, how often.

An Index is a value. It is a list of segments, each three arrays, and a mask of the documents that
are alive; a change makes a new Index that shares the arrays of the old one. Counts are taken over
living documents only, so an Index that grew by changes ranks exactly as one built in one go.

A posting is one number: term hash (43 bits), document within the segment (18 bits), field (3 bits).
Sorted, all postings of a term lie side by side.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from knit_tui.find.terms import occurring_terms, term_hash, word_length, words
from knit_tui.model import Field

FIELDS = len(Field)
_DOC_BITS = 18
_FIELD_BITS = 3
SEGMENT_DOCUMENTS = 1 << _DOC_BITS
_FIELD_MASK = (1 << _FIELD_BITS) - 1
_MERGE_SEGMENTS = 8
_LONGEST_MEMO = 80

Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint32]
Lengths = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DocumentTerms:
    """One document ready to be indexed; made by ``tokenise``, cheap to send between processes.

    ``keys``: hash << 3 | field, one a distinct (term, field). ``counts``: occurrences, same order.
    ``lengths``: words a field, ``FIELDS`` numbers.
    """

    rel: str
    keys: array[int]
    counts: array[int]
    lengths: tuple[int, ...]


def tokenise(rel: str, fields: Iterable[tuple[Field, str]]) -> DocumentTerms:
    """Count the terms of every field of a document. A field may come more than once."""
    counts: dict[int, int] = {}
    lengths = [0] * FIELDS
    for kind, text in fields:
        length = 0
        for word, occurrences in Counter(words(text)).items():
            keys, size = _memo_word(word) if len(word) <= _LONGEST_MEMO else _word(word)
            length += size * occurrences
            for key in keys:
                place = key | kind
                counts[place] = counts.get(place, 0) + occurrences
        lengths[kind] += length
    return DocumentTerms(rel, array("Q", counts), array("I", counts.values()), tuple(lengths))


def _word(word: str) -> tuple[tuple[int, ...], int]:
    """The term hashes of ``word``, shifted to leave room for a field, and its length in words."""
    return tuple(term_hash(term) << _FIELD_BITS for term in occurring_terms(word)), word_length(word)


_memo_word = lru_cache(maxsize=1 << 16)(_word)


@dataclass(frozen=True, eq=False, slots=True)
class Segment:
    """Postings of some documents: sorted ``keys``, their ``counts``, and ``lengths`` (documents, FIELDS)."""

    rels: tuple[str, ...]
    keys: Keys
    counts: Counts
    lengths: Lengths


@dataclass(frozen=True, eq=False, slots=True)
class Postings:
    """All postings of one term. ``documents``: positions in the Index, ascending, one an occurring field."""

    documents: npt.NDArray[np.int64]
    fields: npt.NDArray[np.int64]
    counts: npt.NDArray[np.float64]


def build_segment(documents: Sequence[DocumentTerms]) -> Segment:
    """Sort the terms of up to ``SEGMENT_DOCUMENTS`` documents into one segment."""
    if len(documents) > SEGMENT_DOCUMENTS:
        raise ValueError(f"a segment holds {SEGMENT_DOCUMENTS} documents, not {len(documents)}")
    parts = []
    for number, document in enumerate(documents):
        keys = np.frombuffer(document.keys, dtype=np.uint64) if document.keys else np.empty(0, np.uint64)
        hashes = keys >> np.uint64(_FIELD_BITS) << np.uint64(_DOC_BITS + _FIELD_BITS)
        parts.append(hashes | np.uint64(number << _FIELD_BITS) | keys & np.uint64(_FIELD_MASK))
    counts = [np.array(document.counts, dtype=np.uint32) for document in documents]
    return _sorted_segment(
        tuple(document.rel for document in documents),
        np.concatenate(parts) if parts else np.empty(0, np.uint64),
        np.concatenate(counts) if counts else np.empty(0, np.uint32),
        np.array([document.lengths for document in documents], dtype=np.int64).reshape(-1, FIELDS),
    )


def _sorted_segment(rels: tuple[str, ...], keys: Keys, counts: Counts, lengths: Lengths) -> Segment:
    order = np.argsort(keys)  # keys are distinct, so any sort gives one order
    return Segment(rels, keys[order], counts[order], lengths)


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
    positions: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.rels)

    def lengths(self) -> Lengths:
        """Field lengths by position, (size, FIELDS)."""
        if not self.segments:
            return np.empty((0, FIELDS), np.int64)
        return np.concatenate([segment.lengths for segment in self.segments])

    def changed(self, added: Sequence[DocumentTerms], removed: Iterable[str]) -> Index:
        """This Index without ``removed`` and with ``added``; an added path replaces its older self."""
        gone = {*removed, *(document.rel for document in added)} & self.positions.keys()
        if not gone and not added:
            return self
        alive = self.alive.copy()
        alive[[self.positions[rel] for rel in gone]] = False
        starts = range(0, len(added), SEGMENT_DOCUMENTS)
        fresh = [build_segment(added[start : start + SEGMENT_DOCUMENTS]) for start in starts]
        segments = [*self.segments, *fresh]
        return _assemble(_merged(segments, _spread(segments, alive, len(added))))

    def lookup(self, term: str) -> Postings:
        """The postings of ``term`` in living documents; empty arrays when there are none."""
        wanted = term_hash(term) << (_DOC_BITS + _FIELD_BITS)
        bounds = np.array([wanted, wanted + (1 << (_DOC_BITS + _FIELD_BITS))], dtype=np.uint64)
        documents, fields, counts = [], [], []
        offset = 0
        for segment in self.segments:
            first, last = np.searchsorted(segment.keys, bounds)
            if first < last:
                keys = segment.keys[first:last]
                places = (keys >> np.uint64(_FIELD_BITS) & np.uint64(SEGMENT_DOCUMENTS - 1)).astype(np.int64)
                places += offset
                living = self.alive[places]
                documents.append(places[living])
                fields.append((keys & np.uint64(_FIELD_MASK)).astype(np.int64)[living])
                counts.append(segment.counts[first:last].astype(np.float64)[living])
            offset += len(segment.rels)
        if not documents:
            return Postings(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))
        return Postings(np.concatenate(documents), np.concatenate(fields), np.concatenate(counts))

    def holds(self, term: str) -> bool:
        """Whether any living document holds ``term`` in any field."""
        return bool(len(self.lookup(term).documents))


def _spread(segments: Sequence[Segment], alive: Mask, added: int) -> list[Mask]:
    """The living mask of each segment; the ``added`` newest documents, at the end, all live."""
    whole = np.concatenate([alive, np.ones(added, np.bool_)])
    ends = np.cumsum([len(segment.rels) for segment in segments])
    return np.split(whole, ends[:-1]) if segments else []


def _merged(segments: Sequence[Segment], masks: Sequence[Mask]) -> list[tuple[Segment, Mask]]:
    """The same documents in few segments: neighbours join, without their dead, while each is no
    more than twice the next. A large old segment is so left alone by small changes."""
    merged: list[tuple[Segment, Mask]] = []
    for segment, mask in zip(segments, masks, strict=True):
        merged.append((segment, mask))
        while len(merged) > 1 and _should_join(merged):
            (left, left_mask), (right, right_mask) = merged[-2:]
            joined = _join(left, left_mask, right, right_mask)
            merged[-2:] = [(joined, np.ones(len(joined.rels), np.bool_))]
    return merged


def _should_join(merged: Sequence[tuple[Segment, Mask]]) -> bool:
    left, right = len(merged[-2][0].rels), len(merged[-1][0].rels)
    return left + right <= SEGMENT_DOCUMENTS and (left <= 2 * right or len(merged) > _MERGE_SEGMENTS)


def _join(left: Segment, left_mask: Mask, right: Segment, right_mask: Mask) -> Segment:
    rels: list[str] = []
    keys, counts, lengths = [], [], []
    for segment, mask in ((left, left_mask), (right, right_mask)):
        renumbered = np.cumsum(mask) - 1 + len(rels)
        places = (segment.keys >> np.uint64(_FIELD_BITS) & np.uint64(SEGMENT_DOCUMENTS - 1)).astype(np.int64)
        living = mask[places]
        high = (
            segment.keys[living] >> np.uint64(_DOC_BITS + _FIELD_BITS) << np.uint64(_DOC_BITS + _FIELD_BITS)
        )
        moved = renumbered[places[living]].astype(np.uint64) << np.uint64(_FIELD_BITS)
        keys.append(high | moved | segment.keys[living] & np.uint64(_FIELD_MASK))
        counts.append(segment.counts[living])
        lengths.append(segment.lengths[mask])
        rels += [rel for rel, lives in zip(segment.rels, mask, strict=True) if lives]
    return _sorted_segment(tuple(rels), np.concatenate(keys), np.concatenate(counts), np.concatenate(lengths))


def _assemble(parts: Sequence[tuple[Segment, Mask]]) -> Index:
    segments = tuple(segment for segment, mask in parts if mask.any())
    masks = [mask for _, mask in parts if mask.any()]
    alive = np.concatenate(masks) if masks else np.empty(0, np.bool_)
    rels = tuple(rel for segment in segments for rel in segment.rels)
    positions = {rel: place for place, rel in enumerate(rels) if alive[place]}
    return Index(segments, alive, rels, positions)
