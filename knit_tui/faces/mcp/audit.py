"""What became of the pack before this one, as far as the log tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knit_tui.faces.mcp.selected import Listing
from knit_tui.faces.mcp.words import line
from knit_tui.model import Snapshot, Tier, Usage


@dataclass(frozen=True, slots=True)
class Delivered:
    """An answer that was given, and what had been read then."""

    session: str
    epoch: int
    items: tuple[tuple[str, Tier], ...]
    reads: Mapping[str, int]


def delivered(listing: Listing) -> Delivered | None:
    """What is to be remembered of ``listing``; None when no session tells what is read of it."""
    usage = _usage(listing.snapshot)
    if usage is None:
        return None
    items = tuple((item.rel, item.tier) for item in listing.items)
    return Delivered(usage.session, usage.epoch, items, _reads(usage))


def audit(snapshot: Snapshot, before: Delivered | None) -> str:
    """One line on the pack that was given ``before``."""
    usage = _usage(snapshot)
    if usage is None:
        return "Audit: no session log tells what was read."
    if before is None or before.session != usage.session:
        return "Audit: this session got no pack before this one."
    reads = _reads(usage)
    since = {rel for rel, count in reads.items() if count > before.reads.get(rel, 0)}
    told = []
    for rel in (rel for rel, tier in before.items if tier is Tier.PRIMARY):
        how = "read" if rel in since else "read before it" if before.reads.get(rel) else "not read yet"
        told.append(f"primary {line(rel)} {how}")
    for tier in (Tier.PINNED, Tier.SUPPORTING, Tier.RELATED, Tier.OTHER):
        rels = [rel for rel, of in before.items if of is tier]
        if rels:
            told.append(f"{tier.value} {sum(rel in since for rel in rels)}/{len(rels)} read")
    outside = len(since - {rel for rel, _ in before.items})
    if outside:
        told.append(f"{outside} read outside it")
    if usage.epoch > before.epoch:
        told.append(f"the pack changed {usage.epoch - before.epoch}×")
    return "Since the last pack: " + (" · ".join(told) or "nothing read")


def _usage(snapshot: Snapshot) -> Usage | None:
    """What is known of the session, if one is followed."""
    return snapshot.usage if snapshot.session.state == "following" else None


def _reads(usage: Usage) -> Mapping[str, int]:
    return {rel: use.counts.reads for rel, use in usage.documents.items()}
