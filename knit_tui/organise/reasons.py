"""The fact that brought a document into a view."""

from __future__ import annotations

from knit_tui.model import Field, Hit, Kind, Lead, Reason

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
    """The fact that counts most for the document; words that it holds besides are told with it."""
    words = tuple(term.word for term in hit.terms)
    if hit.lead is Lead.USE and hit.use is not None:
        return Reason("edited" if hit.use.edited else "read", also=words, prompts_ago=hit.use.prompts_ago)
    if hit.defines:
        return Reason("defines", hit.defines, _without(words, hit.defines))
    if hit.lead is Lead.MENTION or not (hit.terms or hit.commit):
        return Reason("named", also=words)
    if hit.commit is not None and (hit.lead is Lead.HISTORY or not hit.terms) and not grounded(hit):
        return Reason("commit", also=words, commit=hit.commit)
    return _matched(hit, kind)


def _matched(hit: Hit, kind: Kind) -> Reason:
    strongest, code = _CODES[min(_RANKS[field] for term in hit.terms for field in term.fields)]
    if code == "headings" and kind is Kind.CODE:
        code = "symbols"
    terms = tuple(term.word for term in hit.terms if strongest in term.fields)
    also = tuple(term.word for term in hit.terms if strongest not in term.fields)
    return Reason(code, terms, also)


def _without(words: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    known = {name.casefold() for name in names}
    return tuple(word for word in words if word not in known)


def grounded(hit: Hit) -> bool:
    """Whether any term stands in what the document says of itself, not only somewhere in its text."""
    return any(field is not Field.BODY for term in hit.terms for field in term.fields)
