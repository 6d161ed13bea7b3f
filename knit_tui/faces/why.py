"""Why one document is in the Context Pack or not, as text and as JSON."""

from __future__ import annotations

from knit_tui.faces.as_json import SCHEMA, _dump, _evidence, _item, _notice, _path, _printable, _relation
from knit_tui.faces.i18n import _, in_english
from knit_tui.faces.inspection_words import (
    group_text,
    grouped,
    inspection_text,
    place_text,
    searched_text,
    unlisted_text,
)
from knit_tui.faces.safe import pad, safe_text
from knit_tui.faces.wording import evidence, notice_text
from knit_tui.model import Inspection, Snapshot

_PATHS = ("where", "last")
"""Facts that are paths."""


def why_text(snapshot: Snapshot, inspection: Inspection) -> str:
    """The document, the sentence, what speaks for it, and who speaks of it."""
    lines = [safe_text(inspection.rel), "  " + _sentence(inspection)]
    searched = searched_text(inspection)
    if searched:
        lines.append("  " + searched)
    if inspection.item is not None:
        lines += [f"  {pad(name, 15)} {fact}" for name, fact in evidence(inspection.item)]
    for group, relations in grouped(inspection.relations):
        lines += ["", group_text(group), *("  " + place_text(relation) for relation in relations)]
    unlisted = unlisted_text(len(inspection.relations), inspection.related)
    lines += ["", unlisted] if unlisted else []
    notes = [notice_text(notice) for notice in snapshot.notices]
    lines += ["", *notes] if notes else []
    return "\n".join(lines) + "\n"


@in_english()
def why_json(snapshot: Snapshot, inspection: Inspection) -> str:
    """The same as one object."""
    item, query = inspection.item, snapshot.query
    return _dump(
        {
            "schema": SCHEMA,
            "root": _printable(snapshot.root),
            **_path(inspection.rel),
            "code": inspection.code,
            "facts": _facts(inspection),
            "text": _sentence(inspection),
            "searched_bytes": inspection.cut_bytes or None,
            "item": item and (_item(item) | {"evidence": _evidence(item)}),
            "relations": [_relation(relation) for relation in inspection.relations],
            "relations_total": inspection.related,
            "query": {
                "source": query.source,
                "task": query.task,
                "terms": [term.term for term in query.terms],
            },
            "notices": [_notice(notice) for notice in snapshot.notices],
        }
    )


def _facts(inspection: Inspection) -> dict[str, str]:
    """The facts; of a path that is not UTF-8 the exact bytes too."""
    found: dict[str, str] = {}
    for name, value in inspection.facts:
        if name in _PATHS:
            found |= {name + key.removeprefix("path"): said for key, said in _path(value).items()}
        else:
            found[name] = _printable(value)
    return found


def _sentence(inspection: Inspection) -> str:
    return inspection_text(inspection, restore=_("knit restore lets it in again"))
