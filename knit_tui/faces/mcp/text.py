"""The answer as text, in as few words as say it."""

from __future__ import annotations

from collections.abc import Iterable

from knit_tui.faces.mcp.detail import FULL, Detail, Details
from knit_tui.faces.mcp.selected import Listing
from knit_tui.faces.mcp.words import DATA, QUIET, SUMMARY, line, notices
from knit_tui.faces.relation_words import relations_text
from knit_tui.faces.wording import looked_for, reason_text, topic_text
from knit_tui.model import Access, Item, Tier

_TITLES = {
    Tier.PINNED: "Pinned by the user",
    Tier.PRIMARY: "Read first",
    Tier.SUPPORTING: "Evidence, implementation, next step",
    Tier.RELATED: "Background, do not start here",
    Tier.OTHER: "Other matches",
}
_KINDS = {
    "context": "documents and code files",
    "docs": "documents",
    "code": "code files",
    "media": "media files",
}


def text(listing: Listing, usage: str, details: Details) -> str:
    """The answer; ``usage`` is the line that an audit gave."""
    return "\n".join(_lines(listing, usage, details)) + "\n"


def _lines(listing: Listing, usage: str, details: Details) -> Iterable[str]:
    yield _header(listing)
    place = 0
    for tier, items in listing.tiers.items():
        plain = not listing.ranked and tier is Tier.OTHER
        yield ""
        yield "Newest first" if plain else _TITLES[tier]
        for item in items:
            place += 1
            number = f"{item.number}." if item.number else f"{place}." if tier is Tier.OTHER else "-"
            yield from _row(number, item, listing, None if plain else details.get(tier, FULL))
    if usage:
        yield ""
        yield usage
    limits = "; ".join(each["text"] for each in notices(listing) if each["code"] not in QUIET)
    if listing.items or limits:
        yield ""
    if limits:
        yield f"Note: {limits}."
    if listing.items:
        yield DATA


def _header(listing: Listing) -> str:
    view, query = listing.view, listing.snapshot.query
    what = _KINDS[view.tab.value]
    if not view.total and not listing.items:
        return f"Nothing to rank: there are no {what} in the workspace."
    if query.source == "typed" and not query.terms:
        return "Nothing to search for in these words."
    if not listing.ranked:
        return f"Not enough conversation to rank by: the most recently modified of {view.total} {what}."
    if not listing.items:
        words = ", ".join(looked_for(query)[:6])
        searched = "Files are searched in full up to 256 KB; media have no text."
        return f"0 of {view.total} {what} contain the terms: {words}. {searched}"
    topic = topic_text(query)
    unnamed = "these words" if query.source == "typed" else "the current conversation"
    subject = f"「{topic}」" if topic else unnamed
    return (
        f"Context for {subject}: {view.matched} of {view.total} {what} match. "
        "Split by fixed local rules, in reading order, each tier by relevance:"
    )


def _row(number: str, item: Item, listing: Listing, detail: Detail | None) -> Iterable[str]:
    head = f"{number} {line(item.rel)}"
    if item.rel in listing.unchanged:
        yield f"{head} — already read, unchanged"
        return
    named = detail is None or detail.summary or item.tier is Tier.PRIMARY
    if named and item.title not in ("", item.rel.rpartition("/")[2]):
        head += f" — {line(item.title, SUMMARY)}"
    yield head + (" — read before compaction" if item.rel in listing.compacted else "")
    if detail is None:
        return
    if item.missing:
        yield "   no such file now"
        return
    if item.access is Access.WITHHELD:
        yield "   looks like a secret: content withheld"
    if item.summary and detail.summary:
        yield f"   {line(item.summary, SUMMARY)}"
    if item.reason and item.tier is not Tier.PINNED:
        yield f"   Why: {line(reason_text(item.reason), detail.reason)}"
    if item.relations and detail.relations:
        yield f"   relations: {relations_text(item.relations, item.related, detail.relations)}"
    if item.passages and detail.snippet is not None:
        passage = item.passages[0]
        match = f"   match: lines {passage.start}–{passage.end}"
        yield match + (f" — {line(passage.snippet, detail.snippet)}" if detail.snippet else "")
