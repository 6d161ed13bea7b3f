"""What the agent read and changed as lines, each about one document or one tier; knows no screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text
from knit_tui.faces.usage_words import (
    ago_text,
    limit_texts,
    place_text,
    reads_particulars,
    times_text,
)
from knit_tui.faces.wording import tier_text
from knit_tui.model import Coverage, Delta, Status, Tier, Usage

OUTSIDE = 10
"""Documents read outside the context that are listed before the others are asked for."""


class Section(StrEnum):
    """What a line is about."""

    READS = "reads"
    COVERAGE = "coverage"
    RECENT = "recent"
    OUTSIDE = "outside"
    CHANGE = "change"
    ENTERED = "entered"
    LEFT = "left"
    MOVED = "moved"
    EDITED = "edited"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. It leads to a document, to a tier, or to the rest of its section."""

    section: Section
    label: str = ""
    """What the section is, on its first line only; safe text."""
    rel: str = ""
    """The document, as it is, unsafe."""
    fact: str = ""
    """What is so; safe text."""
    coverage: Coverage | None = None
    """The tier."""
    more: int = 0
    """How many documents of the section are not listed."""

    @property
    def tier(self) -> Tier | None:
        return self.coverage.tier if self.coverage is not None else None

    @property
    def leads(self) -> bool:
        """Whether there is something to go to."""
        return bool(self.rel or self.coverage or self.more)

    @property
    def key(self) -> tuple[object, ...]:
        """What stays the same when the numbers change."""
        return self.section, self.rel, self.tier, bool(self.more)


def lines(
    usage: Usage,
    now: int,
    *,
    per_group: int,
    outside: int = OUTSIDE,
    opened: Collection[Section] = (),
    particulars: bool = False,
) -> list[list[Line]]:
    """The lines in groups, most telling first; empty groups are left out.

    A section lists its first ``per_group`` documents (``outside`` of those read outside the context), all
    of them when it is ``opened``, and says how many more there are. With ``particulars`` it is told how sure
    the reads are and whose.
    """
    groups = [
        _reads(usage) if particulars else [],
        _coverage(usage),
        _recent(usage, now),
        _limited(_outside(usage, now), outside, opened),
        *_delta(usage.delta, now, per_group, opened),
        _limited(_edited(usage, now), per_group, opened),
        [Line(Section.LIMIT, fact=text) for text in limit_texts(usage)],
    ]
    return [group for group in groups if group]


def _reads(usage: Usage) -> list[Line]:
    text = reads_particulars(usage)
    return [Line(Section.READS, _("Reads"), fact=text)] if text else []


def _coverage(usage: Usage) -> list[Line]:
    """The tiers of the pack now that hold documents."""
    found = []
    for coverage in usage.coverage:
        if not coverage.total:
            continue
        names = ", ".join(safe_text(rel.rpartition("/")[2]) for rel in coverage.unread)
        fact = _("unread: {names}").format(names=names) if coverage.unread else ""
        found.append(Line(Section.COVERAGE, tier_text(coverage.tier), fact=fact, coverage=coverage))
    return found


def _recent(usage: Usage, now: int) -> list[Line]:
    read = usage.recent
    if read is None:
        return []
    facts = [ago_text(read.at, now)]
    if read.by == "subagent":
        facts.append(_("by a subagent"))
    if read.inferred:
        facts.append(_("inferred"))
    return [Line(Section.RECENT, _("Last read"), read.rel, _joined(facts))]


def _outside(usage: Usage, now: int) -> Iterable[Line]:
    """What was read outside the context in force then."""
    label = _("Outside") + f" {len(usage.outside):,}"
    for rel in usage.outside:
        known = usage.documents[rel]
        facts = [times_text(known.counts.outside)] if known.counts.outside > 1 else []
        if known.last_read is not None:
            facts.append(ago_text(known.last_read.at, now))
        yield Line(Section.OUTSIDE, label, rel, _joined(facts))


def _edited(usage: Usage, now: int) -> Iterable[Line]:
    label = _("Edited") + f" {len(usage.edited):,}"
    for rel in usage.edited:
        known = usage.documents[rel]
        facts = [times_text(known.counts.edits)] if known.counts.edits > 1 else []
        if known.last_edit is not None:
            facts.append(ago_text(known.last_edit.at, now))
        if known.status is Status.GONE:
            facts.append(_("gone since"))
        yield Line(Section.EDITED, label, rel, _joined(facts))


def _delta(
    delta: Delta | None, now: int, per_group: int, opened: Collection[Section]
) -> Iterable[list[Line]]:
    """What the newest pack changed: its numbers are all documents of the pack before and of this one."""
    if delta is None:
        return
    facts = [ago_text(delta.at, now)]
    if delta.task_changed:
        facts.append(_("another task"))
    facts.append(_("{count} stayed").format(count=delta.stayed))
    label = _("Pack {number}").format(number=delta.to_epoch)
    change = [Line(Section.CHANGE, label, fact=_joined(facts))]
    entered = (
        Line(Section.ENTERED, _("Entered") + f" {len(delta.entered)}", item.rel, place_text(item))
        for item in delta.entered
    )
    left = (
        Line(
            Section.LEFT,
            _("Left") + f" {len(delta.left)}",
            item.rel,
            _("was {place}").format(place=place_text(item)),
        )
        for item in delta.left
    )
    moved = (
        Line(
            Section.MOVED,
            _("Moved") + f" {len(delta.moved)}",
            after.rel,
            _("{before} to {after}").format(before=place_text(before), after=place_text(after)),
        )
        for before, after in delta.moved
    )
    for group in (entered, left, moved):
        change += _limited(group, per_group, opened)
    yield change


def _limited(group: Iterable[Line], limit: int, opened: Collection[Section]) -> list[Line]:
    """The first lines of one section, and how many more there are; only the first keeps the label."""
    everything = list(group)
    if not everything:
        return []
    section = everything[0].section
    # A line that says "1 more" takes the room of that one.
    shown = everything if section in opened or len(everything) <= limit + 1 else everything[:limit]
    found = [shown[0], *(replace(line, label="") for line in shown[1:])]
    more = len(everything) - len(shown)
    if more:
        found.append(Line(section, more=more))
    return found


def _joined(facts: Iterable[str]) -> str:
    return _(", ").join(filter(None, facts))


def more_text(line: Line) -> str:
    return ngettext("+{count} more", "+{count} more", line.more).format(count=f"{line.more:,}")
