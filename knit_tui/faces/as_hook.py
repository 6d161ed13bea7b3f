"""A Snapshot as a few lines for a model: what to read first for the prompt it is about to get, and why."""

from __future__ import annotations

from knit_tui.faces.mcp.arguments import LONGEST_QUERY, Call
from knit_tui.faces.mcp.detail import LADDER
from knit_tui.faces.mcp.selected import PACK, Listing, by_tier, rows
from knit_tui.faces.mcp.text import text
from knit_tui.model import Snapshot

LONGEST = 1500
"""Bytes of the whole text."""
_HEAD = "From knit, for this request. "


def hook_text(snapshot: Snapshot, prompt: str) -> str:
    """The pack as the tool tells it, at most `LONGEST` bytes; empty when there is nothing in it.

    Detail goes first, then the last documents.
    """
    call = Call(query=prompt[:LONGEST_QUERY])
    view, items, _left_out = rows(call, snapshot)
    pack = [item for item in items if item.tier in PACK]
    for count in range(len(pack), 0, -1):
        listing = Listing(call, snapshot, view, by_tier(tuple(pack[:count])), 0)
        for details in LADDER if count == len(pack) else LADDER[-1:]:
            told = _HEAD + text(listing, "", details)
            if len(told.encode("utf-8", "replace")) <= LONGEST:
                return told
    return ""
