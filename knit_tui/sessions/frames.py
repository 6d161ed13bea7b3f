"""A log that is a chain of Zstandard frames, read as it grows.

An agent that compresses its log appends one frame for each batch of lines, so lines come as frames
do. The chain is cut at the ends of blocks, which its headers tell without decompressing: a block
gives at most 128 KiB, whatever it claims, so neither a torn frame nor a crafted one costs more
memory than that, and one call decompresses at most `sources.SLICE` bytes. A block that is not whole
yet waits. Where reading does not begin at the start it begins with a frame, never in one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from knit_tui.sessions.lines import LineBuffer, Record
from knit_tui.sessions.sources import HEADER, SLICE, ByteTail, open_regular

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj

MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"
"""Bytes 2 to 4 of a frame that holds no text; the first is 0x50 to 0x5f."""
_BLOCK = 128 * 1024
"""Most bytes a block may hold or give."""
_WINDOW = 32 * 1024 * 1024
"""Most bytes a frame may ask to be remembered while it is decompressed."""
_CHUNK = 1024 * 1024
_BEFORE = 64
_COST = 256
"""Bytes of text that going through one block is charged for, besides those it gives."""
_LEAPS = 1_000_000
"""Most blocks that are passed over to find where to begin."""
_RATIO = 8
"""How many bytes of text a byte of the log stands for, about."""


class Broken(Exception):
    """What follows is no chain of frames; where its next frame begins cannot be told."""


class Blocks:
    """Chunks of a chain of frames in, its headers and blocks out, each whole, none decompressed."""

    def __init__(self) -> None:
        self.place = 0
        """Bytes gone by so far."""
        self._held = bytearray()
        self._skip = 0
        self._inside = False
        self._checksum = 0

    def feed(self, chunk: bytes) -> None:
        self._held += chunk

    def pieces(self) -> Iterator[tuple[bytes, bool, bool]]:
        """What is whole now: (bytes, it begins a frame, it ends one). Raises Broken."""
        while True:
            passed = min(self._skip, len(self._held))
            self._skip -= passed
            self._pass(passed)
            length, ends = self._block() if self._inside else (self._header(), False)
            if self._skip or length == 0 or len(self._held) < length:
                return
            piece, begins = bytes(self._held[:length]), not self._inside
            self._pass(length)
            if begins and piece[1:4] == _SKIPPABLE:
                self._skip = int.from_bytes(piece[4:8], "little")
            else:
                self._inside = not ends
            yield piece, begins, ends

    def _pass(self, length: int) -> None:
        del self._held[:length]
        self.place += length

    def _header(self) -> int:
        """The length of the frame header that comes; 0 when that cannot be told yet."""
        start = bytes(self._held[:5])
        if start[:1] and start[0] & 0xF0 == 0x50 and _SKIPPABLE.startswith(start[1:4]):
            return 8
        if not MAGIC.startswith(start[:4]):
            raise Broken
        if len(start) < 5:
            return 0
        flags = start[4]
        single = flags >> 5 & 1
        self._checksum = 4 * (flags >> 2 & 1)
        return 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6]

    def _block(self) -> tuple[int, bool]:
        """The length of the block that comes, with its header, and whether it is its frame's last."""
        if len(self._held) < 3:
            return 0, False
        head = int.from_bytes(self._held[:3], "little")
        ends, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        if kind == 3 or size > _BLOCK:
            raise Broken
        return 3 + (1 if kind == 1 else size) + (self._checksum if ends else 0), ends


class FrameTail(ByteTail):
    """The records of a log of compressed lines; see `sources.ByteTail`.

    ``window`` is meant in bytes of text, and taken for an eighth of that in the file; ``started`` is
    in bytes of the file.
    """

    def _begin(self, window: int) -> None:
        super()._begin(window)
        self._blocks = Blocks()
        self._frame: ZstdDecompressionObj | None = None
        self._more = False
        """Whole blocks are held that the last call did not get to."""
        self._dead = False
        """What follows cannot be understood."""

    def check(self) -> str:
        state = super().check()
        return "grown" if state == "same" and self._more else state

    def _compare(self, file: BinaryIO) -> str:
        first = self._identity is None
        state = super()._compare(file)
        if first:
            self._lines = LineBuffer()
            self.started = self._offset = _boundary(file, self._size - self.window // _RATIO)
            state = "grown" if self._offset < self._size else "same"
        return state

    def head(self) -> Iterator[Record]:
        """The records in the first `sources.HEADER` bytes of text that lie before the window."""
        if not self.started:
            return
        start = FrameTail(self.path, self.started * _RATIO)
        start._identity, start._size = self._identity, self.started
        yield from start._read(HEADER)

    def records(self) -> Iterator[Record]:
        """The records of the lines that ended since the last call. To be run through to its end."""
        return self._read(SLICE)

    def _read(self, budget: int) -> Iterator[Record]:
        """As many as lie in about ``budget`` bytes of text."""
        if self._identity is None or not (self._more or self._offset < self._size):
            return
        try:
            with open_regular(self.path) as file:
                found = os.fstat(file.fileno())
                if (found.st_dev, found.st_ino) != self._identity:
                    self._stamp = None  # replaced since the check: the next check sees it
                    return
                self._more = False
                file.seek(self._offset)
                while True:
                    for data in self._texts():
                        budget -= len(data) + _COST
                        for line in self._lines.feed(data):
                            here, damaged = self._parse(line)
                            self.damaged += damaged
                            yield from here
                        if budget <= 0:
                            self._more = True
                            return
                    chunk = file.read(min(_CHUNK, self._size - self._offset))
                    if not chunk:
                        return
                    self._offset += len(chunk)
                    self._before = (self._before + chunk[-_BEFORE:])[-_BEFORE:]
                    if not self._dead:
                        self._blocks.feed(chunk)
        except OSError:
            self._failed = True

    def _texts(self) -> Iterator[bytes]:
        """What the blocks that are whole give."""
        from zstandard import ZstdDecompressor, ZstdError

        try:
            for piece, begins, ends in self._blocks.pieces():
                if begins and piece[:4] == MAGIC:
                    self._frame = ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
                text = b""
                if self._frame is not None:
                    try:
                        text = self._frame.decompress(piece)
                    except ZstdError:
                        self.damaged += 1
                        self._frame = None
                        text = b"\n"  # the line it was in is torn; the next frame begins another
                if ends:
                    self._frame = None
                yield text
        except Broken:
            self.damaged += 1
            self._dead = True
            self._blocks, self._frame = Blocks(), None


def _boundary(file: BinaryIO, target: int) -> int:
    """Where the first frame begins that lies behind ``target``; failing that, the last one found."""
    if target <= 0:
        return 0
    blocks, begun, leaps = Blocks(), 0, 0
    file.seek(0)
    try:
        while leaps < _LEAPS and (chunk := file.read(_CHUNK)):
            blocks.feed(chunk)
            for piece, begins, _ in blocks.pieces():
                leaps += 1
                if begins:
                    begun = blocks.place - len(piece)
                    if begun >= target:
                        return begun
    except Broken:
        pass
    return begun
