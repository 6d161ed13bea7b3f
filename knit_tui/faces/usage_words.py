"""What the agent did with documents in words: marks of one document, sums of a session, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.wording import age_text, tier_text
from knit_tui.model import Change, Coverage, DocumentUsage, Lost, PackItem, Status, Usage

_DOTS = 12
"""Documents of a tier that have a dot each; more are told by their numbers alone."""


class Mark(StrEnum):
    """What a row says of the agent and its document."""

    READ = "read"
    COMPACTED = "compacted"
    UNREAD = "unread"
    UPDATED = "updated"
    REREAD = "reread"
    EDITED = "edited"
    GONE = "gone"


GLYPHS: Mapping[Mark, tuple[str, str]] = {
    Mark.READ: ("◉", "o"),
    Mark.COMPACTED: ("◍", "c"),
    Mark.UNREAD: ("◌", "."),
    Mark.UPDATED: ("∆", "^"),
    Mark.REREAD: ("↻", "@"),
    Mark.EDITED: ("✎", "~"),
    Mark.GONE: ("✕", "!"),
}
"""The sign of each mark, and the one for terminals without it. Every terminal gives each one cell: none is
of those that have two in East Asian ones. A font may draw it wider all the same, so a blank follows it."""

_ascii = False


def use_ascii(on: bool) -> None:
    """Draw every later mark with ASCII signs, or not."""
    global _ascii
    _ascii = on


def in_ascii() -> bool:
    """Whether marks are drawn with ASCII signs."""
    return _ascii


def lacks_signs(environ: Mapping[str, str], encoding: str | None) -> bool:
    """Whether what is written to may have no sign but those of ASCII: another encoding, a bare console."""
    unicode = (encoding or "").lower().replace("-", "").startswith("utf")
    return not unicode or environ.get("TERM") in ("linux", "dumb")


def glyph(mark: Mark) -> str:
    return GLYPHS[mark][_ascii]


@dataclass(frozen=True, slots=True)
class Seen:
    """The mark of one document. ``at`` is None when the moment is not known."""

    mark: Mark
    at: int | None = None
    times: int = 1


def seen(usage: DocumentUsage | None, *, tiered: bool) -> Seen | None:
    """What to say of a document; of one that is unread only when it stands in a tier."""
    if usage is not None:
        read, edit = usage.last_read, usage.last_edit
        if usage.status is Status.GONE:
            return Seen(Mark.GONE)
        if usage.status is Status.UPDATED and usage.changed is Change.OTHER:
            return Seen(Mark.UPDATED)
        if edit is not None and usage.status in (Status.UPDATED, Status.UNREAD):
            return Seen(Mark.EDITED, edit.at)
        if read is not None:
            if usage.lost is Lost.COMPACTED:
                return Seen(Mark.COMPACTED, read.at, usage.counts.reads)
            mark = Mark.REREAD if usage.status is Status.REREAD else Mark.READ
            return Seen(mark, read.at, usage.counts.reads)
    return Seen(Mark.UNREAD) if tiered else None


def seen_texts(found: Seen, now: int) -> tuple[str, ...]:
    """The mark in words, from all that is known to the sign alone."""
    long, short = {
        Mark.READ: (_("read"), _("read")),
        Mark.COMPACTED: (_("read before compaction"), _("read")),
        Mark.UNREAD: (_("unread"), _("unread")),
        Mark.UPDATED: (_("updated after read"), _("updated")),
        Mark.REREAD: (_("re-read after update"), _("re-read")),
        Mark.EDITED: (_("edited"), _("edited")),
        Mark.GONE: (_("gone since"), _("gone")),
    }[found.mark]
    sign = glyph(found.mark)
    age = "" if found.at is None else " " + age_text(found.at, now)
    times = "" if found.times < 2 else " " + times_text(found.times)
    texts = (long + age + times, short + age + times, short + age, short)
    return (*dict.fromkeys(f"{sign} {text}" for text in texts), sign)


def times_text(times: int) -> str:
    return _("x{count}").format(count=times)


def ago_text(at: int | None, now: int) -> str:
    """How long ago that was; nothing when it was before knit looked."""
    if at is None:
        return ""
    age = age_text(at, now)
    return _("just now") if age == age_text(now, now) else _("{age} ago").format(age=age)


def sums(usage: Usage, *, whole: bool = False, complete: bool = True) -> list[str]:
    """The session in a few words each; what is zero is left out, and without ``whole`` the particulars."""
    parts = [_("pack {number}").format(number=usage.epoch)] if usage.epoch else []
    if usage.counts.reads:
        parts.append(reads_text(usage, whole=whole))
    elif usage.epoch or complete:
        parts.append(_("nothing read yet"))
    else:
        parts.append(_("counting begins when the files are indexed"))
    if usage.changes:
        text = ngettext("{count} change", "{count} changes", usage.changes)
        parts.append(text.format(count=f"{usage.changes:,}"))
    return parts


def reads_text(usage: Usage, *, whole: bool) -> str:
    """How many reads, and of these how many outside the pack; ``whole`` tells how sure and whose they are."""
    counts = usage.counts
    text = ngettext("{count} read", "{count} reads", counts.reads).format(count=f"{counts.reads:,}")
    particulars = reads_particulars(usage)
    if whole and particulars:
        text = _("{text} ({more})").format(text=text, more=particulars)
    if counts.outside:
        text += _(", ") + _("{count} outside").format(count=f"{counts.outside:,}")
    return text


def reads_particulars(usage: Usage) -> str:
    """How many reads are not certain, and how many the agent itself did not do; empty when none."""
    counts = usage.counts
    texts = []
    if counts.inferred:
        texts.append(_("{count} inferred").format(count=f"{counts.inferred:,}"))
    if counts.by_subagents:
        text = ngettext("{count} by a subagent", "{count} by subagents", counts.by_subagents)
        texts.append(text.format(count=f"{counts.by_subagents:,}"))
    return _(", ").join(texts)


def coverage_dots(coverage: Coverage) -> tuple[str, str]:
    """A dot for each document of the tier, each with a blank: those that were read, and the others."""
    if coverage.total > _DOTS:
        return "", ""
    read, unread = glyph(Mark.READ) + " ", glyph(Mark.UNREAD) + " "
    return read * len(coverage.read), unread * len(coverage.unread)


def coverage_count(coverage: Coverage) -> str:
    """How many of how many, when that is not seen at once."""
    return f"{len(coverage.read):,} / {coverage.total:,}" if coverage.total > 1 else ""


def place_text(item: PackItem) -> str:
    """A place in the pack, as ``Supporting 2``; a tier of one has no numbers."""
    return tier_text(item.tier) if item.tier.value == "primary" else f"{tier_text(item.tier)} {item.number}"


def limit_texts(usage: Usage) -> list[str]:
    """What is not told of, or would be told otherwise after another start, one sentence each."""
    cut = usage.cut
    texts = []
    if usage.elsewhere:
        text = ngettext(
            "{count} read or edit of a file that is not in this workspace",
            "{count} reads and edits of files that are not in this workspace",
            usage.elsewhere,
        )
        texts.append(text.format(count=f"{usage.elsewhere:,}"))
    if cut.documents:
        text = ngettext(
            "{count} document used long ago is no longer listed ({reads})",
            "{count} documents used long ago are no longer listed ({reads})",
            cut.documents,
        )
        reads = ngettext("{count} read", "{count} reads", cut.reads).format(count=f"{cut.reads:,}")
        texts.append(text.format(count=f"{cut.documents:,}", reads=reads))
    for count, text in (
        (
            cut.packs,
            ngettext(
                "{count} pack is too long ago to compare reads with",
                "{count} packs are too long ago to compare reads with",
                cut.packs,
            ),
        ),
        (
            cut.places,
            ngettext(
                "{count} read or edit would be placed anew should the log be told again",
                "{count} reads and edits would be placed anew should the log be told again",
                cut.places,
            ),
        ),
        (
            cut.sessions,
            ngettext(
                "{count} earlier session begins anew when it is followed again",
                "{count} earlier sessions begin anew when they are followed again",
                cut.sessions,
            ),
        ),
    ):
        if count:
            texts.append(text.format(count=f"{count:,}"))
    return texts
