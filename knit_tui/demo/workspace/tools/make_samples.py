"""Draws the sample pictures: python tools/make_samples.py FOLDER

They are computed, not photographed, so nobody has to ask for permission to share them.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

WIDTH, HEIGHT = 96, 64

Colour = tuple[int, int, int]
Painter = Callable[[int, int], Colour]


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two, in steps that compress well."""
    red, green, blue = (round((a + (b - a) * share) / 4) * 4 for a, b in zip(one, other))
    return min(red, 255), min(green, 255), min(blue, 255)


def harbour(x: int, y: int) -> Colour:
    """A low sun over calm water, a sailing boat in front of it."""
    horizon = 38
    if abs(x - 30) <= (y - 14) / 2.2 and 14 <= y <= 42 and x != 30:
        return (244, 236, 220) if x > 30 else (196, 120, 88)
    if 43 <= y <= 47 and 18 + (y - 43) <= x <= 46 - (y - 43):
        return (72, 44, 52)
    if y < horizon:
        if (x - 70) ** 2 + (y - 30) ** 2 <= 49:
            return (255, 224, 140)
        return mix((52, 72, 132), (248, 168, 112), y / horizon)
    glitter = abs(x - 70) < 3 + (y - horizon) / 3 and (x + 3 * y) % 5 < 2
    return (255, 212, 148) if glitter else mix((132, 104, 124), (24, 40, 84), (y - horizon) / 26)


def kite(x: int, y: int) -> Colour:
    """A red and yellow kite above a green hill."""
    hill = 50 - round(8 * (1 - ((x - 60) / 60) ** 2))
    if y >= hill:
        return mix((116, 172, 84), (48, 104, 60), (y - hill) / (HEIGHT - hill))
    across, down = x - 34, y - 22
    if abs(across) / 11 + abs(down) / 15 <= 1:
        return (224, 64, 56) if (across < 0) == (down < 0) else (252, 204, 72)
    if down > 14 and abs(across - (down - 15) * 0.9 - 2 * ((down // 3) % 2)) < 1:
        return (88, 72, 96)
    return mix((104, 168, 228), (220, 236, 248), y / 50)


def png(paint: Painter) -> bytes:
    """A true-colour PNG, each row filtered by the one above it."""
    rows, above = bytearray(), bytes(WIDTH * 3)
    for y in range(HEIGHT):
        row = bytes(value for x in range(WIDTH) for value in paint(x, y))
        rows += b"\2" + bytes((value - up) & 255 for value, up in zip(row, above))
        above = row

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


PICTURES: dict[str, Painter] = {"harbour.png": harbour, "kite-10.png": kite}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, paint in PICTURES.items():
        (folder / name).write_bytes(png(paint))
