"""The fact that brought a document into a view."""

from __future__ import annotations

from knit_tui.model import Field, Hit, Kind, Reason

_CODES = (
    (Field.TITLE, "title"),
    (Field.NAME, "filename"),
    (Field.HEADINGS, "headings"),
    (Field.SUMMARY, "summary"),
    (Field.DIRECTORY, "path"),
    (Field.BODY, "body"),
)
"""Fields and their codes, the strongest fact first."""
_RANKS = [next(rank for rank, (each, _) in enumerate(_CODES) if each is field) for field in Field]


def reason(hit: Hit, kind: Kind) -> Reason:
    """Which field was hit, the strongest one, and by which terms."""
    strongest, code = _CODES[min(_RANKS[field] for term in hit.terms for field in term.fields)]
    if code == "headings" and kind is Kind.CODE:
        code = "symbols"
    terms = tuple(term.term for term in hit.terms if strongest in term.fields)
    also = tuple(term.term for term in hit.terms if strongest not in term.fields)
    return Reason(code, terms, also)


def grounded(hit: Hit) -> bool:
    """Whether any term stands in what the document says of itself, not only somewhere in its text."""
    return any(field is not Field.BODY for term in hit.terms for field in term.fields)
