"""The answer as an object: ``faces/schema/knit_docs.json`` says what is in it. Nothing else ever is: no
score, no text of a file but one snippet, no absolute path."""

from __future__ import annotations

import os
from typing import Any

from knit_tui.faces.mcp.detail import FULL, Detail, Details
from knit_tui.faces.mcp.selected import Listing
from knit_tui.faces.mcp.words import DATA, SUMMARY, line, notices
from knit_tui.faces.relation_words import relation_text
from knit_tui.faces.wording import reason_text, topic_text
from knit_tui.model import Access, Item, Tier


def structured(listing: Listing, usage: str, details: Details) -> dict[str, Any]:
    """The answer; ``usage`` is the line that an audit gave."""
    snapshot, view = listing.snapshot, listing.view
    answer: dict[str, Any] = {
        "note": DATA,
        "mode": view.mode.value,
        "kind": view.tab.value,
        "topic": topic_text(snapshot.query),
        "matched": view.matched,
        "total": view.total,
    }
    session = snapshot.session
    if session.state == "following":
        answer["session"] = {"agent": line(session.agent), "how": listing.how}
    if not snapshot.complete:
        answer["indexing"] = {"done": snapshot.indexed, "total": snapshot.documents}
    tiers = {
        tier: [_item(item, listing, details.get(tier, FULL)) for item in items]
        for tier, items in listing.tiers.items()
    }
    if Tier.PINNED in tiers:
        answer["pinned"] = tiers[Tier.PINNED]
    for tier in (Tier.PRIMARY, Tier.SUPPORTING, Tier.RELATED):
        answer[tier.value] = tiers.get(tier, [])
    if Tier.OTHER in tiers:
        answer["other" if listing.ranked else "newest"] = tiers[Tier.OTHER]
    if listing.left_out:
        answer["left_out"] = listing.left_out
    if told := notices(listing):
        answer["notices"] = told
    if usage:
        answer["usage"] = usage
    return answer


def _item(item: Item, listing: Listing, detail: Detail) -> dict[str, Any]:
    row: dict[str, Any] = path_of(item.rel)
    if item.number:
        row["number"] = item.number
    if item.rel in listing.unchanged:
        return row | {"read": "unchanged"}
    if item.rel in listing.compacted:
        row["read"] = "compacted"
    plain = not listing.ranked and item.tier is Tier.OTHER
    named = plain or detail.summary or item.tier is Tier.PRIMARY
    if named and item.title not in ("", item.rel.rpartition("/")[2]):
        row["title"] = line(item.title, SUMMARY)
    if plain:
        return row | {"modified_ms": item.mtime_ns // 1_000_000}
    if item.missing:
        return row | {"missing": True}
    if item.access is Access.WITHHELD:
        row["withheld"] = True
    if item.summary and detail.summary:
        row["summary"] = line(item.summary, SUMMARY)
    row["role"] = item.role.value
    if item.reason:
        row |= {"reason": item.reason.code, "why": line(reason_text(item.reason), detail.reason)}
    if item.relations and detail.relations:
        row["relations"] = [relation_text(relation) for relation in item.relations[: detail.relations]]
        if item.related > detail.relations:
            row["relations_total"] = item.related
    if item.passages and detail.snippet is not None:
        passage = item.passages[0]
        row["lines"] = f"{passage.start}-{passage.end}"
        if detail.snippet:
            row["snippet"] = line(passage.snippet, detail.snippet)
    return row


def path_of(rel: str) -> dict[str, Any]:
    """A path, and its exact bytes when it cannot be shown as it is."""
    shown = line(rel)
    return {"path": shown} if shown == rel else {"path": shown, "path_bytes_hex": os.fsencode(rel).hex()}
