"""One answer, as text and as an object that tell the same."""

from __future__ import annotations

from typing import Any

from knit_tui.faces.mcp.detail import LADDER, fits
from knit_tui.faces.mcp.selected import Listing
from knit_tui.faces.mcp.structured import structured
from knit_tui.faces.mcp.text import text


def answered(listing: Listing, usage: str) -> tuple[str, dict[str, Any]]:
    """As much of ``listing`` as is short enough; ``usage`` is the line that an audit gave."""
    for details in LADDER:
        told, content = text(listing, usage, details), structured(listing, usage, details)
        if fits(listing, told, content):
            break
    return told, content
