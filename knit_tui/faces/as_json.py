"""A Snapshot as JSON: one object, a schema version, no score.

``SCHEMA`` numbers the shape; it rises when a key changes its meaning or goes away, not when one is
added. Paths are strings; a name that is not UTF-8 has its exact bytes beside it in hexadecimal.
"""

from __future__ import annotations

import json
import os
from typing import Any

from knit_tui.faces.i18n import in_english
from knit_tui.faces.selection import Selection
from knit_tui.faces.wording import notice_text, reason_text
from knit_tui.model import Commit, Item, Notice, Passage, Relation, Scan, SessionStatus, Snapshot

SCHEMA = 1


def pack_json(snapshot: Snapshot, selection: Selection, *, explain: bool = False) -> str:
    """The selected rows of one tab, and what they were selected from, as one object.

    ``explain`` adds ``evidence``: everything that speaks for each row.
    """
    return _dump(pack_value(snapshot, selection, explain=explain))


def session_object(session: SessionStatus) -> dict[str, Any]:
    """Which session is followed and how it was found."""
    return {
        "state": session.state,
        "agent": session.agent,
        "id": session.session_id,
        "path": _printable(session.path),
        "how": session.how,
    }


@in_english()
def pack_value(snapshot: Snapshot, selection: Selection, *, explain: bool = False) -> dict[str, Any]:
    """What `pack_json` writes."""
    view, query = selection.view, snapshot.query
    return {
        "schema": SCHEMA,
        "kind": view.tab.value,
        "mode": view.mode.value,
        "root": _printable(snapshot.root),
        "query": {
            "source": query.source,
            "task": query.task,
            "topic": list(query.topic),
            "wish": query.wish.value,
            "terms": [term.term for term in query.terms],
            **({"forms": {term.term: list(term.forms) for term in query.terms}} if explain else {}),
        },
        "session": session_object(snapshot.session),
        "counts": {
            "shown": len(selection.items),
            "matched": view.matched,
            "total": view.total,
            "excluded": view.excluded,
            "skipped": snapshot.skipped,
        },
        "items": [
            _item(item) | ({"evidence": _evidence(item)} if explain else {}) for item in selection.items
        ],
        "notices": [_notice(notice) for notice in snapshot.notices],
    }


def line_json(value: dict[str, Any]) -> str:
    """``value`` on one line, with its end."""
    return json.dumps(value, ensure_ascii=True) + "\n"


@in_english()
def files_json(scan: Scan) -> str:
    """Every file of the workspace, and everything that was skipped with the reason."""
    return _dump(
        {
            "schema": SCHEMA,
            "root": _printable(scan.root),
            "files": [
                {
                    **_path(entry.rel),
                    "kind": entry.kind.value,
                    "language": entry.language,
                    "access": entry.access.value,
                    "size": entry.stamp.size,
                    "modified": entry.stamp.mtime_ns,
                }
                for entry in scan.entries
            ],
            "skipped": [
                {**_path(skip.rel), "reason": skip.reason, "detail": _printable(skip.detail)}
                for skip in scan.skips
            ],
            "notices": [_notice(notice) for notice in scan.notices],
        }
    )


def _item(item: Item) -> dict[str, Any]:
    return {
        **_path(item.rel),
        "tier": item.tier.value,
        "number": item.number,
        "kind": item.kind.value,
        "language": item.language,
        "role": item.role.value,
        "provenance": item.provenance.value,
        "title": item.title,
        "summary": item.summary,
        "size": item.size,
        "modified": item.mtime_ns,
        "reason": item.reason
        and {
            "code": item.reason.code,
            "terms": list(item.reason.terms),
            "also": list(item.reason.also),
            "commit": item.reason.commit and _commit(item.reason.commit),
            "relation": item.reason.relation and _relation(item.reason.relation),
            "text": reason_text(item.reason),
        },
        "passages": [_passage(passage) for passage in item.passages],
        "relations": [_relation(relation) for relation in item.relations],
        "relations_total": item.related,
        "missing": item.missing,
    }


def _relation(relation: Relation) -> dict[str, Any]:
    return {
        "type": relation.type.value,
        "incoming": relation.incoming,
        **_path(relation.other),
        "line": relation.line,
    }


def _evidence(item: Item) -> dict[str, Any] | None:
    hit = item.hit
    if hit is None:
        return None
    return {
        "terms": [
            {"term": term.term, "word": term.word, "fields": [field.name.lower() for field in term.fields]}
            for term in hit.terms
        ],
        "defines": list(hit.defines),
        "commit": hit.commit and _commit(hit.commit),
        "use": hit.use and {"edited": hit.use.edited, "prompts_ago": hit.use.prompts_ago},
        "named": hit.named,
        "lead": hit.lead.value,
    }


def _commit(commit: Commit) -> dict[str, Any]:
    return {"id": commit.id, "time": commit.time, "subject": commit.subject}


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "start": passage.start,
        "end": passage.end,
        "terms": list(passage.terms),
        "snippet": passage.snippet,
    }


def _notice(notice: Notice) -> dict[str, Any]:
    facts = {key: _printable(value) for key, value in notice.facts}
    return {"code": notice.code, "facts": facts, "text": notice_text(notice)}


def _path(rel: str) -> dict[str, str]:
    printable = _printable(rel)
    if printable == rel:
        return {"path": rel}
    return {"path": printable, "path_bytes_hex": os.fsencode(rel).hex()}


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _dump(value: dict[str, Any]) -> str:
    # ASCII escapes: no byte of a document can act on a terminal, whatever encoding it has.
    return json.dumps(value, ensure_ascii=True, indent=1)
