"""What a text says of itself: its title, a line about it, its headings or the names it defines."""

from __future__ import annotations

from knit_tui.model import Kind, Outline
from knit_tui.workspace.classify import markup_of, stem_of
from knit_tui.workspace.comments import LOOKED_AT, purpose
from knit_tui.workspace.definitions import definitions
from knit_tui.workspace.markdown import outline_markdown
from knit_tui.workspace.markup import Parts, outline_asciidoc, outline_org, outline_plain, outline_rst

SUMMARY_LENGTH = 60
"""Characters of a summary; a longer one ends in an ellipsis."""
LINE_LENGTH = 2_000
"""Characters of a line that are looked at."""

_DOCUMENTS = {
    "markdown": outline_markdown,
    "rst": outline_rst,
    "asciidoc": outline_asciidoc,
    "org": outline_org,
    "plain": outline_plain,
}


def outline(rel: str, kind: Kind, language: str | None, body: str) -> Outline:
    """Outline the text of a file.

    Args:
        rel: its path; only the name counts.
        kind: what it is; media have a title alone.
        language: Pygments alias of code.
        body: its text, or the beginning of it, with ``\\n`` at the end of lines.
    """
    name = rel.rpartition("/")[2]
    if kind in (Kind.IMAGE, Kind.VIDEO):
        return Outline(stem_of(rel), "", ())
    body = body.removeprefix("\ufeff")
    if kind is Kind.DOCS:
        lines = [line[:LINE_LENGTH] for line in body.split("\n")]
        parts: Parts = _DOCUMENTS[markup_of(rel)](lines)
        return Outline(parts.title or stem_of(rel), _short(parts.summary), tuple(parts.headings))
    top = [line[:LINE_LENGTH] for line in body.split("\n", LOOKED_AT)[:LOOKED_AT]]
    return Outline(name, _short(purpose(top, language)), tuple(definitions(body, language)))


def _short(summary: str) -> str:
    if len(summary) <= SUMMARY_LENGTH:
        return summary
    return f"{summary[:SUMMARY_LENGTH].rstrip()}…"
