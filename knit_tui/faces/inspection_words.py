"""Why a document is in the Context Pack or not, in one plain sentence; and who speaks of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text
from knit_tui.faces.wording import listed, tier_text, wordlike
from knit_tui.model import Inspection, Relation, RelationType, Tier

_TERMS = 6


def inspection_text(inspection: Inspection, *, restore: str) -> str:
    """The sentence. ``restore`` says how an exclusion is taken back, as safe text."""
    facts = dict(inspection.facts)
    gone = "gone" in facts
    if inspection.code == "pack":
        tier = tier_text(Tier(facts["tier"]))
        return _("in the pack: number {number}, {tier}").format(number=facts["number"], tier=tier)
    if inspection.code == "pinned":
        return _("pinned by you, but there is no such file now") if gone else _("in the pack: pinned by you")
    if inspection.code == "excluded":
        text = _("left out by you ({restore})").format(restore=restore)
        return text + _("; ") + _("there is no such file now") if gone else text
    if inspection.code == "waiting":
        return _("not in the pack yet: it is still to be indexed")
    why = _cause(inspection.code, inspection.rel, facts)
    if "pinned" in facts:
        return _("pinned by you, but not in the pack: {why}").format(why=why)
    return _("not in the pack: {why}").format(why=why)


def _cause(code: str, rel: str, facts: dict[str, str]) -> str:
    if code == "beaten":
        text = _("number {rank} of {matched} matches, and the pack holds {places}; {last} is the last in it")
        return text.format(
            rank=_number(facts["rank"]),
            matched=_number(facts["matched"]),
            places=facts["places"],
            last=safe_text(facts["last"]),
        )
    if code == "weak":
        text = _("it holds {terms}, too little beside the matches")
        return text.format(terms=_terms(facts["terms"]))
    if code == "no-hit":
        return _("it holds none of: {terms}").format(terms=_terms(facts["terms"]))
    if code == "unreadable":
        return _why(facts["why"])
    if code == "skipped":
        if facts["where"] == rel:
            return _why(facts["why"])
        where = safe_text(facts["where"]) or "."
        return _("it is below {folder}: {why}").format(folder=where, why=_why(facts["why"], folder=True))
    return {
        "missing": _("there is no such file in this folder"),
        "folder": _("it is a folder; documents are files"),
        "ignored": _("ignore rules leave this file out of the workspace"),
        "secret": _("it looks like a secret, so it is never read"),
        "generated": _("generated files are shown, not searched"),
        "media": _("of pictures and films only the name is searched"),
        "no-query": _("there is nothing to rank by yet, so the newest come first"),
    }.get(code, safe_text(code))


def _why(why: str, *, folder: bool = False) -> str:
    """Why a file or a whole folder is skipped, or a text is not read."""
    if folder:
        texts = {
            "folder": _("folders of that name are left out"),
            "symlink": _("a symbolic link, which is not followed"),
            "unreadable": _("it cannot be read"),
            "repository": _("git's own folder"),
        }
    else:
        texts = {
            "binary": _("it is a binary file"),
            "special": _("it is no regular file"),
            "symlink": _("it is a symbolic link, which is not followed"),
            "outside": _("it lies behind a symbolic link"),
            "unreadable": _("it cannot be read"),
            "gone": _("there is no such file now"),
            "folder": _("folders of that name are left out"),
            "repository": _("it is git's own folder"),
            "ignore-file": _("it cannot be used as an ignore file"),
        }
    return texts.get(why, safe_text(why))


def _terms(joined: str) -> str:
    terms = wordlike(tuple(joined.split(", ")))
    more = len(terms) - _TERMS
    return listed(terms[:_TERMS]) + (f" +{more}" if more > 0 else "")


def _number(text: str) -> str:
    return f"{int(text):,}"


def searched_text(inspection: Inspection) -> str:
    """What of the file is searched, when that is not all of it; else nothing."""
    if not inspection.cut_bytes:
        return ""
    return _("searched in its first {size} KiB only").format(size=inspection.cut_bytes // 1024)


# Relations by what they are

Group = tuple[RelationType, bool]
"""Type, and whether the others are the ones that mention."""


def grouped(relations: Iterable[Relation]) -> list[tuple[Group, tuple[Relation, ...]]]:
    """The relations by type, those in which others speak of the document first."""
    found: dict[Group, list[Relation]] = {
        (type_, incoming): [] for incoming in (True, False) for type_ in RelationType
    }
    for relation in relations:
        found[relation.type, relation.incoming].append(relation)
    return [(group, tuple(rows)) for group, rows in found.items() if rows]


def group_text(group: Group) -> str:
    """The heading of a group."""
    return {
        (RelationType.REFERENCES, True): _("Named in"),
        (RelationType.REFERENCES, False): _("Names"),
        (RelationType.IMPORTS, True): _("Imported by"),
        (RelationType.IMPORTS, False): _("Imports"),
        (RelationType.TESTS, True): _("Tested by"),
        (RelationType.TESTS, False): _("Tests"),
        (RelationType.DOCUMENTS, True): _("Described in"),
        (RelationType.DOCUMENTS, False): _("Describes"),
    }[group]


def place_text(relation: Relation) -> str:
    """The other document, with the line where the one that mentions says so."""
    other = safe_text(relation.other)
    if relation.line is None:
        return other
    if relation.incoming:
        return f"{other}:{relation.line}"
    return _("{what} (line {line})").format(what=other, line=relation.line)


def unlisted_text(listed: int, total: int) -> str:
    """How many relations there are besides those that are listed; nothing when there are none."""
    if total <= listed:
        return ""
    more = total - listed
    text = ngettext("{count} more relation is not listed", "{count} more relations are not listed", more)
    return text.format(count=f"{more:,}")


def backlinks_text(relations: Sequence[Relation], total: int, *, short: bool = False) -> str:
    """Who speaks of the document, as numbers, or as one when ``short``; nothing when nobody does.

    When some relations are not known, only how many there are: no part of them could be counted.
    """
    if total > len(relations):
        return ngettext("{count} relation", "{count} relations", total).format(count=f"{total:,}")
    texts = {
        RelationType.REFERENCES: _("named in {count}"),
        RelationType.IMPORTS: _("imported by {count}"),
        RelationType.TESTS: _("tested by {count}"),
        RelationType.DOCUMENTS: _("described in {count}"),
    }
    counts = {type_: len(rows) for (type_, incoming), rows in grouped(relations) if incoming}
    if short and counts:
        many = sum(counts.values())
        return ngettext("{count} backlink", "{count} backlinks", many).format(count=f"{many:,}")
    return _(", ").join(texts[type_].format(count=f"{count:,}") for type_, count in counts.items())
