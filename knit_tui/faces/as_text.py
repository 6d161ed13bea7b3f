"""A Snapshot as plain text: aligned, no colour, nothing from outside raw."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from knit_tui.faces.file_words import access_text, kind_text, skip_detail, skip_text
from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.relation_words import relations_text
from knit_tui.faces.safe import cells, pad, safe_text, shorten
from knit_tui.faces.selection import Selection
from knit_tui.faces.wording import (
    evidence,
    listed,
    looked_for,
    notice_text,
    reason_text,
    tier_text,
    topic_text,
    wish_text,
)
from knit_tui.model import Access, Item, Mode, Query, Scan, Snapshot

_SNIPPET_WIDTH = 100
_RELATIONS = 3
"""Relations that are told of one document."""


def pack_text(snapshot: Snapshot, selection: Selection, *, explain: bool = False) -> str:
    """The selected rows by tier, each with its reason and passages as ``path:line``.

    ``explain`` adds what was looked for and everything that speaks for each row.
    """
    lines = [_header(snapshot, selection)]
    if explain:
        lines += _asked(snapshot.query)
    tier = None
    for item in selection.items:
        if selection.view.mode is Mode.RELEVANCE or item.pinned:
            if item.tier is not tier:
                tier = item.tier
                lines += ["", tier_text(tier)]
        elif tier is not None or lines[-1] == lines[0]:
            tier = None
            lines.append("")
        lines += _rows(item)
        if explain:
            lines += [f"      {pad(name, 15)} {fact}" for name, fact in evidence(item)]
    if selection.left_out:
        more = ngettext(
            "{count} more; --limit shows them", "{count} more; --limit shows them", selection.left_out
        )
        lines += ["", more.format(count=selection.left_out)]
    notes = [notice_text(notice) for notice in snapshot.notices]
    if notes:
        lines += ["", *notes]
    return "\n".join(lines) + "\n"


def _header(snapshot: Snapshot, selection: Selection) -> str:
    view, query = selection.view, snapshot.query
    subject = f"“{safe_text(query.task)}”  " if query.task else ""
    if view.mode is Mode.NEWEST:
        return subject + _("newest of {total}").format(total=view.total)
    counts = _("{matched} of {total} match").format(matched=view.matched, total=view.total)
    topic = topic_text(query)
    return subject + counts + (_(", sorted by {topic}").format(topic=topic) if topic else "")


def _asked(query: Query) -> Iterable[str]:
    yield _("looked for: {terms}").format(terms=listed(looked_for(query)))
    if query.names:
        yield _("names: {names}").format(names=listed(query.names))
    yield _("asked for: {wish}").format(wish=wish_text(query.wish))


def _rows(item: Item) -> Iterable[str]:
    number = f"{item.number:2}" if item.number else "  "
    title = safe_text(item.title)
    name = item.rel.rpartition("/")[2]
    yield f"{number}  {safe_text(item.rel)}" + (f"  {title}" if item.title not in ("", name) else "")
    facts = []
    if item.missing:
        facts.append(_("no such file now"))
    if item.access is Access.WITHHELD:
        facts.append(_("looks like a secret: content withheld"))
    if item.reason:
        facts.append(reason_text(item.reason))
    if facts:
        yield "      " + _("; ").join(facts)
    if item.relations:
        yield "      " + relations_text(item.relations, item.related, _RELATIONS)
    for passage in item.passages:
        lines = f"{passage.start}-{passage.end}"
        yield f"      {lines:>9}  {shorten(safe_text(passage.snippet), _SNIPPET_WIDTH)}"


def paths_bytes(selection: Selection) -> bytes:
    """One path a line, exact bytes. A name with a control character is written with escapes and
    quoted, as ``git`` quotes it, so that a line is always one path and nothing acts on a terminal."""
    return b"".join(_path_line(item.rel) + b"\n" for item in selection.items)


def _path_line(rel: str) -> bytes:
    raw = os.fsencode(rel)
    if safe_text(rel) == rel and '"' not in rel:
        return raw
    quoted = bytearray(b'"')
    for byte in raw:
        if byte in b'"\\':
            quoted += b"\\" + bytes([byte])
        elif 0x20 <= byte < 0x7F:
            quoted.append(byte)
        else:
            quoted += b"\\%03o" % byte
    return bytes(quoted + b'"')


def files_text(scan: Scan) -> str:
    """Every file with kind, language and size, then everything skipped, with why."""
    rows = [
        (
            kind_text(entry.kind),
            entry.language or "-",
            access_text(entry.access),
            str(entry.stamp.size),
            safe_text(entry.rel),
        )
        for entry in scan.entries
    ]
    lines = _aligned(rows)
    if scan.skips:
        lines += ["", _("Skipped")]
        lines += _aligned(
            [(skip_text(skip.reason), safe_text(skip.rel), skip_detail(skip)) for skip in scan.skips]
        )
    lines += [
        "",
        _("{files} files, {skipped} skipped").format(files=len(scan.entries), skipped=len(scan.skips)),
    ]
    lines += [notice_text(notice) for notice in scan.notices]
    return "\n".join(lines) + "\n"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        padded = [pad(text, width) for text, width in zip(row[:-1], widths, strict=True)]
        lines.append("  ".join([*padded, row[-1]]).rstrip())
    return lines
