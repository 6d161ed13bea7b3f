"""The fact that brought a document into a view."""

from __future__ import annotations

from knit_tui.model import Field, Hit, Kind, Reason

_STRONGEST_FIRST = (
    Field.TITLE,
    Field.NAME,
    Field.HEADINGS,
    Field.SUMMARY,
    Field.DIRECTORY,
    Field.BODY,
)
_CODES = {
    Field.TITLE: "title",
    Field.NAME: "filename",
    Field.HEADINGS: "headings",
    Field.SUMMARY: "summary",
    Field.DIRECTORY: "path",
    Field.BODY: "body",
}
_GROUNDING = frozenset(_STRONGEST_FIRST) - {Field.BODY}


def reason(hit: Hit, kind: Kind) -> Reason:
    """Which field was hit, the strongest one, and by which terms."""
    hit_fields = {field for term in hit.terms for field in term.fields}
    strongest = next(field for field in _STRONGEST_FIRST if field in hit_fields)
    code = _CODES[strongest]
    if code == "headings" and kind is Kind.CODE:
        code = "symbols"
    terms = tuple(term.term for term in hit.terms if strongest in term.fields)
    also = tuple(term.term for term in hit.terms if strongest not in term.fields)
    return Reason(code, terms, also)


def grounded(hit: Hit) -> bool:
    """Whether any term stands in what the document says of itself, not only somewhere in its text."""
    return any(field in _GROUNDING for term in hit.terms for field in term.fields)
