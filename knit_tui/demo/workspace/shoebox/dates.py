"""When a photo was taken: from EXIF, else from its name, else from the file system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

EARLIEST = 1990
SOURCES = ("exif", "name", "mtime")

_NAME_DATE = re.compile(
    r"(?<!\d)(20\d\d|19\d\d)[-_.]?(\d\d)[-_.]?(\d\d)"  # 2024-07-13, 20240713
    r"(?:[-_. T]?(\d\d)[-_.:]?(\d\d)[-_.:]?(\d\d))?(?!\d)"  # 18.15.02, 181502
)


@dataclass(frozen=True)
class Photo:
    """One picture of the library. ``taken`` always has a time zone."""

    name: str
    taken: datetime
    source: str
    size: int


def from_exif(tags: Mapping[str, str], zone: tzinfo) -> datetime | None:
    """The capture time that EXIF tells, in ``zone`` when the camera wrote no offset."""
    text = tags.get("DateTimeOriginal") or tags.get("DateTimeDigitized")
    if not text:
        return None
    try:
        taken = datetime.strptime(text.strip(), "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
    offset = tags.get("OffsetTimeOriginal", "").strip()
    if offset:
        try:
            return datetime.fromisoformat(taken.isoformat() + offset)
        except ValueError:
            pass  # "+2" and the like: as good as no offset
    return taken.replace(tzinfo=zone)


def from_name(name: str, zone: tzinfo) -> datetime | None:
    """The date in a file name such as ``IMG_20240713_181502.jpg``."""
    match = _NAME_DATE.search(name)
    if match is None:
        return None
    numbers = [int(part) if part else 0 for part in match.groups()]
    try:
        return datetime(*numbers, tzinfo=zone)
    except ValueError:  # month 13, hour 25: digits that are no date
        return None


def believable(taken: datetime, now: datetime) -> bool:
    """False for the year a camera falls back to, and for the future."""
    return taken.year >= EARLIEST and taken <= now


def photo_of(
    name: str, size: int, mtime: float, tags: Mapping[str, str], zone: tzinfo, now: datetime
) -> Photo:
    """The photo with the best capture time there is; ``mtime`` is asked last."""
    candidates = (
        ("exif", from_exif(tags, zone)),
        ("name", from_name(name, zone)),
    )
    for source, taken in candidates:
        if taken is not None and believable(taken, now):
            return Photo(name, taken, source, size)
    return Photo(name, datetime.fromtimestamp(mtime, UTC), "mtime", size)
