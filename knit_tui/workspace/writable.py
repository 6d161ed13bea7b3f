"""Whether something could be written below a folder that need not be there yet; nothing is."""

from __future__ import annotations

import os
from pathlib import Path


def in_the_way(folder: Path) -> tuple[Path, str] | None:
    """What would keep ``folder`` from being made or written to: a path and why, ``no-folder`` or
    ``read-only``; None when nothing does, as far as can be told without trying."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            if not os.path.isdir(place):
                return place, "no-folder"
            return None if os.access(place, os.W_OK | os.X_OK) else (place, "read-only")
        if not os.access(place.parent, os.X_OK):
            continue  # whether it is there is not to be seen: what is above it tells why
    return folder, "no-folder"
