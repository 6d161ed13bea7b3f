"""Documents to a segment of the inverted index: sorted terms, and the postings of each side by side.

While it is made, a posting is one number: term hash (41 bits), document within the segment (12 bits),
field (3 bits), occurrences (8 bits). Sorted, all postings of a term lie side by side; what is kept is
the compressed sparse row form of that: the distinct hashes, where each begins, and three bytes a
posting. Occurrences saturate at 255, which moves no score that counts: the formula has by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from knit_tui.find.terms import (
    HASH_BITS,
    definition_term,
    is_cjk,
    occurring_terms,
    term_digest,
    word_length,
    words,
)
from knit_tui.model import Field

FIELDS = len(Field)
SEGMENT_DOCUMENTS = 1 << 12
SEGMENT_POSTINGS = 1 << 22
"""Postings beyond which segments are not joined: it bounds the time that a change can take."""
MOST = 255
"""Greatest number of occurrences that is told from a greater one."""

_COUNT_BITS, _FIELD_BITS = 8, 3
_HASH_SHIFT = 64 - HASH_BITS
_HASH_MASK = (1 << 64) - (1 << _HASH_SHIFT)
_DOCUMENT_SHIFT = _COUNT_BITS + _FIELD_BITS
_VOCABULARY = 1 << 16
_LONGEST_KEPT = 80

Keys = npt.NDArray[np.uint64]
Lengths = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class DocumentTerms:
    """One document ready to be indexed; made by ``tokenise``.

    ``keys``: term hash, field and occurrences, see above, in any order; a term that several words give
    comes several times. ``lengths``: words a field, ``FIELDS`` numbers.
    """

    rel: str
    keys: Keys
    lengths: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Segment:
    """The postings of some documents.

    ``terms`` (T): distinct hashes, ascending. ``starts`` (T + 1): where the postings of each begin.
    ``postings`` (P): document << 3 | field, ascending within a term. ``counts`` (P): occurrences.
    ``lengths`` (documents, ``FIELDS``): words.
    """

    rels: tuple[str, ...]
    terms: Keys
    starts: npt.NDArray[np.uint32]
    postings: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.uint8]
    lengths: Lengths

    def find(self, term: np.uint64) -> slice | None:
        """Where the postings of the term with this hash lie, dead documents included."""
        place = int(self.terms.searchsorted(term))
        if place == len(self.terms) or self.terms[place] != term:
            return None
        return slice(int(self.starts[place]), int(self.starts[place + 1]))


class _Vocabulary(dict[str, bytes]):
    """From a word to the digests of its terms, eight bytes each. Forgets when it is full."""

    def __missing__(self, word: str) -> bytes:
        found = b"".join(map(_digest, occurring_terms(word)))
        if len(word) <= _LONGEST_KEPT:
            if len(self) >= _VOCABULARY:
                self.clear()
            self[word] = found
        return found


_digest = lru_cache(maxsize=_VOCABULARY)(term_digest)
_vocabulary = _Vocabulary()


def tokenise(rel: str, fields: Iterable[tuple[Field, str]], defined: Collection[str] = ()) -> DocumentTerms:
    """Count the terms of every field of a document. A field may come more than once.

    ``defined``: names that the document defines, distinct; each is found by its ``definition_term``.
    """
    digests: list[bytes] = []
    counts: list[int] = []
    kinds, sizes = [], []
    lengths = [0] * FIELDS
    for kind, text in fields:
        found = words(text)
        distinct = Counter(found)
        digests += map(_vocabulary.__getitem__, distinct)
        counts += distinct.values()
        kinds.append(kind << _COUNT_BITS)
        sizes.append(len(distinct))
        lengths[kind] += len(found)
        if not text.isascii():
            others = [word for word in distinct if not word.isascii() and is_cjk(word)]
            lengths[kind] += sum((word_length(word) - 1) * distinct[word] for word in others)
    digests += [_digest(definition_term(name)) for name in defined]
    counts += [1] * len(defined)
    kinds.append(Field.HEADINGS << _COUNT_BITS)
    sizes.append(len(defined))
    marks = np.minimum(np.array(counts, np.uint64), np.uint64(MOST))
    marks |= np.repeat(np.array(kinds, np.uint64), sizes)
    repeats = np.fromiter(map(len, digests), np.intp, len(digests)) >> 3
    keys = np.frombuffer(b"".join(digests), "<u8") & np.uint64(_HASH_MASK)
    return DocumentTerms(rel, keys | np.repeat(marks, repeats), tuple(lengths))


def build_segment(documents: Sequence[DocumentTerms]) -> Segment:
    """Sort the terms of up to ``SEGMENT_DOCUMENTS`` documents into one segment.

    Raises:
        ValueError: there are more.
    """
    if len(documents) > SEGMENT_DOCUMENTS:
        raise ValueError(f"a segment holds {SEGMENT_DOCUMENTS} documents, not {len(documents)}")
    sizes = [len(document.keys) for document in documents]
    keys = np.concatenate([document.keys for document in documents]) if documents else np.empty(0, np.uint64)
    keys |= np.repeat(np.arange(len(documents), dtype=np.uint64) << np.uint64(_DOCUMENT_SHIFT), sizes)
    keys.sort()
    return _segment(
        tuple(document.rel for document in documents),
        _summed(keys),
        np.array([document.lengths for document in documents], dtype=np.int32).reshape(-1, FIELDS),
    )


def join_segments(segments: Sequence[Segment], masks: Sequence[Mask]) -> Segment:
    """One segment of the documents of several that are alive by ``masks``, in their order.

    Together they must keep within ``SEGMENT_DOCUMENTS``.
    """
    rels: list[str] = []
    keys, lengths = [], []
    for segment, mask in zip(segments, masks, strict=True):
        renumbered = (np.cumsum(mask) - 1 + len(rels)).astype(np.uint64) << np.uint64(_DOCUMENT_SHIFT)
        documents = segment.postings >> np.uint16(_FIELD_BITS)
        fields = segment.postings & np.uint16((1 << _FIELD_BITS) - 1)
        whole = np.repeat(segment.terms << np.uint64(_HASH_SHIFT), np.diff(segment.starts))
        whole |= renumbered[documents]
        whole |= fields.astype(np.uint64) << np.uint64(_COUNT_BITS)
        whole |= segment.counts
        keys.append(whole if mask.all() else whole[mask[documents]])
        lengths.append(segment.lengths[mask])
        rels += [rel for rel, lives in zip(segment.rels, mask.tolist(), strict=True) if lives]
    joined = np.concatenate(keys)
    joined.sort(kind="stable")  # merges runs that are sorted already in linear time
    return _segment(tuple(rels), joined, np.concatenate(lengths))


def _summed(keys: Keys) -> Keys:
    """Sorted ``keys`` with those that differ in occurrences alone made one."""
    places = keys >> np.uint64(_COUNT_BITS)
    first = _changes(places)
    if len(first) == len(keys):
        return keys
    counts = np.add.reduceat(keys & np.uint64(MOST), first)
    return places[first] << np.uint64(_COUNT_BITS) | np.minimum(counts, np.uint64(MOST))


def _segment(rels: tuple[str, ...], keys: Keys, lengths: Lengths) -> Segment:
    hashes = keys >> np.uint64(_HASH_SHIFT)
    first = _changes(hashes)
    return Segment(
        rels,
        hashes[first],
        np.append(first, len(keys)).astype(np.uint32),
        (keys >> np.uint64(_COUNT_BITS)).astype(np.uint16) & np.uint16(SEGMENT_DOCUMENTS * 8 - 1),
        keys.astype(np.uint8),
        lengths,
    )


def _changes(values: Keys) -> npt.NDArray[np.intp]:
    """The places at which ``values`` differ from the one before, the first place included."""
    changes = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return np.flatnonzero(changes)
