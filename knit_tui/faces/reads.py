"""What the agent read and edited, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knit_tui.faces.as_json import SCHEMA, _dump, _notice, _path, _printable, session_object
from knit_tui.faces.i18n import in_english, pgettext
from knit_tui.faces.safe import cells, pad, safe_text
from knit_tui.faces.session_words import session_text
from knit_tui.faces.usage_lines import Line, Section, lines
from knit_tui.faces.usage_words import coverage_count, coverage_dots, seen, seen_texts, sums
from knit_tui.faces.wording import notice_text
from knit_tui.model import Counts, Delta, DocumentUsage, Edit, PackItem, Read, Snapshot, Usage

_GAP = "  "


def reads_text(snapshot: Snapshot, usage: Usage) -> str:
    """The sums, the tiers of the pack, and every document that was used, one a line."""
    groups = lines(usage, 0, per_group=1, opened=tuple(Section))
    groups[1:1] = [_documents(usage)] if usage.read else []
    told = [line for group in groups for line in group if line.section is not Section.RECENT]
    width = max((cells(line.label) for line in told), default=0)
    paths = max((cells(safe_text(line.rel)) for line in told if line.rel), default=0)
    dots = max((cells(_dots(line)) for line in told if line.coverage), default=0)
    out = [session_text(snapshot.session)]
    if usage.task:
        out.append(f"“{safe_text(usage.task)}”")
    out += [" · ".join(sums(usage, whole=True)), ""]
    for before, line in zip([None, *told], told, strict=False):
        if before is not None and before.coverage and not line.coverage:
            out.append("")
        if line.section is Section.LIMIT:
            out.append(line.fact)
            continue
        subject, column = (_dots(line), dots) if line.coverage else (safe_text(line.rel), paths)
        parts = [pad(line.label, width), pad(subject, column) if subject else "", line.fact]
        out.append(_GAP.join(part for part in parts if part).rstrip())
    notes = [notice_text(notice) for notice in snapshot.notices]
    return "\n".join([*out, *(["", *notes] if notes else [])]) + "\n"


def _documents(usage: Usage) -> list[Line]:
    """Everything that was read, newest first, and how that stands to the file now."""
    found: list[Line] = []
    for rel in usage.read:
        mark = seen(usage.documents[rel], tiered=False)
        label = "" if found else pgettext("heading", "Read") + f" {len(usage.read):,}"
        found.append(Line(Section.READS, label, rel, seen_texts(mark, 0)[0] if mark else ""))
    return found


def _dots(line: Line) -> str:
    assert line.coverage is not None
    return "".join(coverage_dots(line.coverage)) + coverage_count(line.coverage)


@in_english()
def reads_json(snapshot: Snapshot, usage: Usage) -> str:
    """All that is known of the agent and the documents, as one object; lists of paths are in their order."""
    value = {
        "schema": SCHEMA,
        "root": _printable(snapshot.root),
        "session": session_object(snapshot.session),
        "epoch": usage.epoch,
        "task": usage.task,
        "topic": list(usage.topic),
        "counts": _counts(usage.counts),
        "elsewhere": usage.elsewhere,
        "coverage": [
            {"tier": one.tier.value, "read": _paths(one.read), "unread": _paths(one.unread)}
            for one in usage.coverage
        ],
        "documents": [_document(one) for one in usage.documents.values()],
        "read": _paths(usage.read),
        "edited": _paths(usage.edited),
        "outside": _paths(usage.outside),
        "not_shown": _paths(usage.not_shown),
        "continued": _paths(usage.continued),
        "reentries": _paths(usage.reentries),
        "first": usage.first and _read(usage.first),
        "recent": usage.recent and _read(usage.recent),
        "delta": usage.delta and _delta(usage.delta),
        "churn": {
            "changes": usage.changes,
            "entered": usage.churn.entered,
            "left": usage.churn.left,
            "moved": usage.churn.moved,
            "tasks": usage.churn.tasks,
        },
        "cut": {
            "documents": usage.cut.documents,
            "reads": usage.cut.reads,
            "packs": usage.cut.packs,
            "places": usage.cut.places,
            "sessions": usage.cut.sessions,
        },
        "notices": [_notice(notice) for notice in snapshot.notices],
    }
    return _dump(value) + "\n"


def _paths(rels: Iterable[str]) -> list[dict[str, str]]:
    return [_path(rel) for rel in rels]


def _counts(counts: Counts) -> dict[str, Any]:
    return {
        "reads": counts.reads,
        "inferred": counts.inferred,
        "by_subagents": counts.by_subagents,
        "inside": {tier.value: count for tier, count in counts.tiers.items()},
        "outside": counts.outside,
        "rereads": counts.rereads,
        "continued": counts.continued,
        "reentries": counts.reentries,
        "mentions": counts.mentions,
        "edits": counts.edits,
    }


def _document(document: DocumentUsage) -> dict[str, Any]:
    return {
        **_path(document.rel),
        "status": document.status.value,
        "changed": document.changed and document.changed.value,
        "tier": document.tier and document.tier.value,
        "number": document.number,
        "lost": document.lost and document.lost.value,
        "counts": _counts(document.counts),
        "first_read": document.first_read and _read(document.first_read),
        "last_read": document.last_read and _read(document.last_read),
        "last_edit": document.last_edit and _edit(document.last_edit),
    }


def _read(read: Read) -> dict[str, Any]:
    place = read.place
    return {
        **_path(read.rel),
        "seq": read.seq,
        "at": read.at,
        "by": read.by,
        "inferred": read.inferred,
        "epoch": place.epoch,
        "tier": place.tier and place.tier.value,
        "number": place.number,
        "continued": place.continued,
        "reentry": place.reentry,
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {**_path(edit.rel), "seq": edit.seq, "at": edit.at, "by": edit.by}


def _delta(delta: Delta) -> dict[str, Any]:
    return {
        "from_epoch": delta.from_epoch,
        "to_epoch": delta.to_epoch,
        "at": delta.at,
        "entered": [_place(item) for item in delta.entered],
        "left": [_place(item) for item in delta.left],
        "moved": [{"before": _place(before), "after": _place(after)} for before, after in delta.moved],
        "stayed": delta.stayed,
        "task_changed": delta.task_changed,
    }


def _place(item: PackItem) -> dict[str, Any]:
    return {**_path(item.rel), "tier": item.tier.value, "number": item.number}
