"""What a library knows, to blocks of a cache and back.

A segment of the index and the cards of its documents never change together, so they are one block each;
what may change without a document being read anew (its stamp, whether it is alive) is one more, small
block for all. A change so costs one small segment and that block.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from knit_tui import __version__
from knit_tui.engine.reading import Card
from knit_tui.find.index import Index, assembled
from knit_tui.find.segment import FIELDS, Segment
from knit_tui.model import Access, Entry, Kind, Notice, Stamp
from knit_tui.paths import OFF
from knit_tui.workspace.cache import Block, Cache, Outdated, Unusable

STATE = "state"
CURSOR = "cursor"
HISTORY = "history"

_TEXTS = 4
"""Texts of a card."""
_LASTING_PROBLEMS = ("", "secret", "binary")
"""What the content of a file makes so; other problems may be gone although the file is as it was."""
_SHAPING = (
    "model/*.py",
    "engine/reading.py",
    "engine/store.py",
    "engine/worker.py",
    "find/segment.py",
    "find/terms.py",
    "organise/references/*.py",
    "organise/tree.py",
    "workspace/*.py",
)
"""The code that decides what is stored of a file: what another version of it stored is of no use."""


@dataclass(frozen=True, eq=False)
class Memory:
    """What is known of the documents of a workspace. ``doubtful``: see ``Reading``."""

    index: Index
    entries: Mapping[str, Entry]
    """As they were when they were indexed."""
    cards: Mapping[str, Card]
    doubtful: frozenset[str]


class Store:
    """The memory of one workspace on disk. ``notices`` say what went wrong, each once."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._blocks: list[tuple[Segment, Block]] = []
        self._usable = True
        self.notices: tuple[Notice, ...] = ()

    def recall(self) -> Memory | None:
        """What was kept last; None when there is nothing of use."""
        try:
            blocks = self._cache.load()
            if blocks is None:
                return None
            return self._recalled(blocks)
        except Outdated as error:
            self.notices = (Notice("cache-rebuilt", (("why", error.why),)),)
        except (ValueError, KeyError, IndexError):
            self.notices = (Notice("cache-rebuilt", (("why", "damaged"),)),)
        except Unusable as error:
            self._turn_off(error)
        return None

    def keep(self, memory: Memory) -> bool:
        """Store ``memory``; False when it was not, because another process does or because it cannot be."""
        if not self._usable:
            return False
        known = {id(segment): block for segment, block in self._blocks}
        blocks = [
            (segment, known.get(id(segment)) or _segment_block(segment, memory.cards))
            for segment in memory.index.segments
        ]
        named = {f"segment-{number}": block for number, (_, block) in enumerate(blocks)}
        try:
            kept = self._cache.save({STATE: _state_block(memory), **named})
        except Unusable as error:
            self._turn_off(error)
            return False
        self._blocks = blocks if kept else self._blocks
        return kept

    def cursor(self) -> bytes:
        """The path after which verification goes on, as the file system has it."""
        return self._cache.noted(CURSOR) if self._usable else b""

    def move_cursor(self, path: bytes) -> None:
        """Remember ``path`` for the next process."""
        if self._usable:
            self._cache.note(CURSOR, path)

    def history(self) -> bytes:
        """What ``keep_history`` kept last; empty when there is nothing."""
        return self._cache.noted(HISTORY) if self._usable else b""

    def keep_history(self, data: bytes) -> None:
        """Remember ``data`` for the next process."""
        if self._usable:
            self._cache.note(HISTORY, data)

    def close(self) -> None:
        """Let another process be the writer."""
        self._cache.close()

    def _turn_off(self, error: Unusable) -> None:
        self._usable = False
        if error.why != OFF:
            notice = Notice("cache-off", (("path", str(error.path)), ("why", error.why)))
            self.notices = (*self.notices, notice)

    def _recalled(self, blocks: Mapping[str, Block]) -> Memory:
        state = blocks[STATE].arrays
        parts = [blocks[f"segment-{number}"] for number in range(len(blocks) - 1)]
        segments = [_segment(block.arrays) for block in parts]
        self._blocks = list(zip(segments, parts, strict=True))
        sizes = [len(segment.rels) for segment in segments]
        alive = state["alive"].astype(np.bool_)
        if len(alive) != sum(sizes):
            raise ValueError("no mask of these segments")
        masks = np.split(alive, list(accumulate(sizes))[:-1]) if segments else []
        index = assembled(segments, masks)
        cards: dict[str, Card] = {}
        for segment, block, mask in zip(segments, parts, masks, strict=True):
            cards.update(_cards(segment.rels, block.arrays, mask))
        shapes = _shapes(state["shapes"])
        places = np.flatnonzero(alive).tolist()
        columns = [state[name][alive].tolist() for name in ("mtimes", "sizes", "inodes", "shape")]
        entries: dict[str, Entry] = {}
        for place, mtime, size, inode, shape in zip(places, *columns, strict=True):
            rel = index.rels[place]
            kind, language, access = shapes[shape]
            entries[rel] = Entry(rel, kind, language, access, Stamp(mtime, size, inode))
        doubtful = frozenset(index.rels[place] for place in np.flatnonzero(state["doubtful"]).tolist())
        return Memory(index, entries, cards, doubtful)


@cache
def fingerprint() -> str:
    """Stands for all that the stored content depends on besides the files of the workspace."""
    found = blake2b(digest_size=16)
    found.update(f"{__version__} {sys.version_info[:2]} {unicodedata.unidata_version}".encode())
    package = Path(__file__).parent.parent
    for pattern in _SHAPING:
        for file in sorted(package.glob(pattern)):
            found.update(file.read_bytes())
    return found.hexdigest()


def _state_block(memory: Memory) -> Block:
    index = memory.index
    shapes: dict[tuple[Kind, str | None, Access], int] = {}
    rows: list[tuple[int, int, int, int, int, bool]] = []
    for rel, place in index.positions.items():
        entry, card = memory.entries.get(rel), memory.cards.get(rel)
        if entry is None or card is None or card.problem not in _LASTING_PROBLEMS:
            continue
        shape = shapes.setdefault((entry.kind, entry.language, entry.access), len(shapes))
        stamp = entry.stamp
        rows.append((place, stamp.mtime_ns, stamp.size, stamp.inode, shape, rel in memory.doubtful))
    columns = list(zip(*rows, strict=True)) or [()] * 6
    places = np.array(columns[0], np.int64)
    types = {
        "mtimes": np.int64,
        "sizes": np.int64,
        "inodes": np.uint64,
        "shape": np.uint32,
        "doubtful": np.uint8,
    }
    arrays: dict[str, npt.NDArray[Any]] = {"alive": np.zeros(index.size, np.uint8)}
    arrays["alive"][places] = 1
    for (name, dtype), values in zip(types.items(), columns[1:], strict=True):
        arrays[name] = np.zeros(index.size, dtype)
        arrays[name][places] = np.array(values, dtype)
    lines = [f"{kind}\0{language or ''}\0{access}" for kind, language, access in shapes]
    arrays["shapes"] = _bytes("\n".join(lines).encode())
    return Block(arrays)


def _shapes(stored: npt.NDArray[np.uint8]) -> list[tuple[Kind, str | None, Access]]:
    lines = [line.split("\0") for line in stored.tobytes().decode().split("\n") if line]
    return [(Kind(kind), language or None, Access(access)) for kind, language, access in lines]


def _segment_block(segment: Segment, cards: Mapping[str, Card]) -> Block:
    blank = Card("", "", cut=False)
    rows = [cards.get(rel, blank) for rel in segment.rels]
    texts = [text for card in rows for text in (card.title, card.summary, card.problem, card.references)]
    return Block(
        {
            "terms": segment.terms,
            "starts": segment.starts,
            "postings": segment.postings,
            "counts": segment.counts,
            "lengths": segment.lengths,
            "rels": _bytes(b"\0".join(os.fsencode(rel) for rel in segment.rels)),
            "texts": _bytes("".join(texts).encode("utf-8", "surrogatepass")),
            "text_lengths": np.array([len(text) for text in texts], np.uint32).reshape(-1, _TEXTS),
            "cut": np.array([card.cut for card in rows], np.uint8),
            "digests": np.array([card.digest for card in rows], np.uint64),
        }
    )


def _segment(arrays: Mapping[str, npt.NDArray[Any]]) -> Segment:
    """The segment in a block.

    Raises:
        ValueError: the arrays do not belong together.
    """
    rels = tuple(os.fsdecode(arrays["rels"].tobytes()).split("\0"))
    starts, postings = arrays["starts"], arrays["postings"]
    fits = (
        arrays["lengths"].shape == (len(rels), FIELDS)
        and arrays["text_lengths"].shape == (len(rels), _TEXTS)
        and len(arrays["cut"]) == len(arrays["digests"]) == len(rels)
        and len(starts) == len(arrays["terms"]) + 1
        and len(postings) == len(arrays["counts"]) == starts[-1]
        and (not len(postings) or postings.max() >> 3 < len(rels))
        and not np.any(starts[1:] < starts[:-1])
    )
    if not fits:
        raise ValueError("no segment")
    return Segment(rels, arrays["terms"], starts, postings, arrays["counts"], arrays["lengths"])


def _cards(
    rels: Sequence[str], arrays: Mapping[str, npt.NDArray[Any]], mask: npt.NDArray[np.bool_]
) -> Iterable[tuple[str, Card]]:
    text = arrays["texts"].tobytes().decode("utf-8", "surrogatepass")
    ends = [0, *np.cumsum(arrays["text_lengths"].reshape(-1), dtype=np.int64).tolist()]
    cuts, digests = arrays["cut"].astype(np.bool_).tolist(), arrays["digests"].tolist()
    for number in np.flatnonzero(mask).tolist():
        a, b, c, d, e = ends[_TEXTS * number : _TEXTS * (number + 1) + 1]
        yield rels[number], Card(text[a:b], text[b:c], cuts[number], text[c:d], digests[number], text[d:e])


def _bytes(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)
