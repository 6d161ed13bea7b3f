"""How documents speak of one another, in words."""

from __future__ import annotations

from collections.abc import Sequence

from knit_tui.faces.i18n import _
from knit_tui.faces.safe import safe_text
from knit_tui.model import Relation, RelationType


def relation_text(relation: Relation) -> str:
    """A relation as seen from its document, with the line where the other one says so."""
    texts = {
        (RelationType.REFERENCES, True): _("named in {other}"),
        (RelationType.REFERENCES, False): _("names {other}"),
        (RelationType.IMPORTS, True): _("imported by {other}"),
        (RelationType.IMPORTS, False): _("imports {other}"),
        (RelationType.TESTS, True): _("tested by {other}"),
        (RelationType.TESTS, False): _("tests {other}"),
        (RelationType.DOCUMENTS, True): _("described in {other}"),
        (RelationType.DOCUMENTS, False): _("describes {other}"),
    }
    other = safe_text(relation.other)
    if relation.line is None:
        return texts[relation.type, relation.incoming].format(other=other)
    if relation.incoming:  # the line is in the other document
        return texts[relation.type, True].format(other=f"{other}:{relation.line}")
    text = texts[relation.type, False].format(other=other)
    return _("{what} (line {line})").format(what=text, line=relation.line)


def relations_text(relations: Sequence[Relation], total: int, limit: int) -> str:
    """The first ``limit`` relations in one line, and how many there are when some are left out."""
    told = _("; ").join(relation_text(relation) for relation in relations[:limit])
    if total > limit:
        told = _("{relations} ({total} relations in all)").format(relations=told, total=total)
    return told
