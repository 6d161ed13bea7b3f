"""How much is told of each document, so that an answer stays short.

Claude Code and Codex give their models the object of an answer, Gemini CLI the text, Copilot CLI and Qwen
Code both: so both are short, and tell the same. What stands furthest down loses its detail first; no
document, path or reason is left out for that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knit_tui.faces.mcp.selected import Listing
from knit_tui.model import Tier

TEXT_BUDGET, OBJECT_BUDGET = 1_500, 2_500
"""Bytes of UTF-8 for a pack of nine; whole paths and reasons may need more."""
FURTHER = 150
"""Bytes for each further document."""
IN_FULL = 2.5
"""How many times as much it may be when what was read is told in full, too."""
_ROWS = 9


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is told of one document."""

    summary: bool = True
    relations: int = 2
    snippet: int | None = 200
    """Characters; None leaves out the matching lines as well."""
    reason: int = 160


FULL = Detail()
Details = Mapping[Tier, Detail]
"""What is told tier by tier; ``FULL`` of a tier that is not named."""

_LINES = Detail(summary=False, relations=1, snippet=0)
_BARE = Detail(summary=False, relations=0, snippet=None, reason=80)
LADDER: tuple[Details, ...] = (
    {},
    {Tier.RELATED: Detail(summary=False, snippet=80)},
    {Tier.RELATED: _LINES},
    {Tier.RELATED: _LINES, Tier.SUPPORTING: Detail(summary=False, snippet=120)},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: Detail(summary=False, snippet=80)},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: Detail(summary=False, relations=1, snippet=60)},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: _LINES},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: _LINES, Tier.PRIMARY: Detail(summary=False, snippet=100)},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: _BARE, Tier.PRIMARY: Detail(summary=False, snippet=60)},
    {Tier.RELATED: _BARE, Tier.SUPPORTING: _BARE, Tier.PRIMARY: _LINES},
    dict.fromkeys(Tier, _BARE),
    dict.fromkeys(Tier, Detail(summary=False, relations=0, snippet=None, reason=40)),
)
"""From most to least."""


def fits(listing: Listing, text: str, content: Mapping[str, Any]) -> bool:
    """Whether an answer is short enough."""
    further = FURTHER * max(0, len(listing.items) - _ROWS)
    factor = IN_FULL if listing.call.include_read else 1
    said = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return all(
        len(told.encode("utf-8", "replace")) <= (budget + further) * factor
        for told, budget in ((text, TEXT_BUDGET), (said, OBJECT_BUDGET))
    )
