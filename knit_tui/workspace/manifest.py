"""What the manifest of a cache says, as bytes and back; nothing in it is trusted before it is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import prod
from typing import Any

from knit_tui.workspace.own import Damaged

FORMAT = 1
DTYPES = {"<u8": 8, "<i8": 8, "<u4": 4, "<i4": 4, "<u2": 2, "|u1": 1}
"""Types an array may have, and their bytes."""

_BLOCK_FILE = re.compile(r"[0-9a-f]{32}\.block")
_DIGEST = 32


@dataclass(frozen=True, slots=True)
class StoredArray:
    """Where an array lies in its file, and what it is."""

    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def count(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Stored:
    """One file of arrays: its name, bytes, CRC-32 and arrays by name."""

    file: str
    size: int
    checksum: int
    arrays: Mapping[str, StoredArray]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The blocks of one workspace by name."""

    root: bytes
    fingerprint: str
    blocks: Mapping[str, Stored]


def written_manifest(manifest: Manifest) -> bytes:
    """One line with the digest of the rest, then JSON."""
    body = json.dumps(
        {
            "format": FORMAT,
            "root": manifest.root.hex(),
            "fingerprint": manifest.fingerprint,
            "blocks": [
                [
                    name,
                    block.file,
                    block.size,
                    block.checksum,
                    [[key, each.dtype, each.shape, each.offset] for key, each in block.arrays.items()],
                ]
                for name, block in manifest.blocks.items()
            ],
        },
        separators=(",", ":"),
    ).encode()
    return _digest(body) + b"\n" + body


def read_manifest(data: bytes) -> Manifest:
    """The other way.

    A manifest of another format has the fingerprint ``format N``, which no writer gives, and no blocks.

    Raises:
        Damaged: it is not what was written.
    """
    digest, _, body = data.partition(b"\n")
    if digest != _digest(body):
        raise Damaged("manifest")
    try:
        facts = json.loads(body)
        root = bytes.fromhex(facts["root"])
        if facts["format"] != FORMAT:
            return Manifest(root, f"format {facts['format']}", {})
        blocks = {name: _stored(*rest) for name, *rest in facts["blocks"]}
        return Manifest(root, str(facts["fingerprint"]), blocks)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Damaged("manifest") from error


def _stored(file: Any, size: Any, checksum: Any, arrays: Any) -> Stored:
    if not _BLOCK_FILE.fullmatch(file):
        raise ValueError("no name of a block")
    found = {}
    for name, dtype, shape, offset in arrays:
        array = StoredArray(dtype, tuple(shape), offset)
        if not all(type(each) is int and each >= 0 for each in (*array.shape, offset, size, checksum)):
            raise ValueError("no size")
        if offset + array.count * DTYPES[dtype] > size:
            raise ValueError("beyond the end")
        found[name] = array
    return Stored(file, size, checksum, found)


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST).hexdigest().encode()
