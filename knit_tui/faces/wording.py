"""Codes and facts of a Snapshot as short plain sentences, translated; no markup, already safe."""

from __future__ import annotations

from collections.abc import Iterable

from knit_tui.faces.i18n import _, ngettext, pgettext
from knit_tui.faces.relation_words import relation_text
from knit_tui.faces.safe import safe_text, shorten
from knit_tui.find.terms import is_cjk
from knit_tui.model import (
    Commit,
    Field,
    Item,
    Kind,
    Lead,
    Notice,
    Query,
    Reason,
    Tier,
    Wish,
)

_SHOWN_TERMS = 4
_SUBJECT_WIDTH = 60


def reason_text(reason: Reason) -> str:
    """One line that says which fact brought a document here."""
    text = _fact(reason)
    if reason.also:
        text += _("; also: {terms}").format(terms=_term_list(reason.also))
    return text


def _fact(reason: Reason) -> str:
    if reason.code in ("edited", "read"):
        return _use_text(reason.code == "edited", reason.prompts_ago)
    if reason.code == "commit" and reason.commit is not None:
        return commit_text(reason.commit)
    if reason.relation is not None:
        return relation_text(reason.relation)
    text = {
        "defines": _("defines: {terms}"),
        "title": _("title: {terms}"),
        "filename": _("file name: {terms}"),
        "symbols": _("defines: {terms}"),
        "headings": _("heading: {terms}"),
        "summary": _("summary: {terms}"),
        "path": _("folder: {terms}"),
        "body": _("text: {terms}"),
        "named": _("named in the conversation"),
        "pinned": _("pinned by you"),
        "related": _("related to the first"),
    }.get(reason.code, reason.code)
    return text.format(terms=_term_list(reason.terms))


def _use_text(edited: bool, prompts_ago: int) -> str:
    if prompts_ago == 0:
        return (
            _("edited by the agent since your prompt") if edited else _("read by the agent since your prompt")
        )
    if edited:
        text = ngettext(
            "edited by the agent {count} prompt ago", "edited by the agent {count} prompts ago", prompts_ago
        )
    else:
        text = ngettext(
            "read by the agent {count} prompt ago", "read by the agent {count} prompts ago", prompts_ago
        )
    return text.format(count=prompts_ago)


def commit_text(commit: Commit) -> str:
    """A commit as the fact that it changed a document."""
    subject = shorten(safe_text(commit.subject), _SUBJECT_WIDTH)
    return _("changed in {commit} “{subject}”").format(commit=commit.id[:7], subject=subject)


def wordlike(terms: tuple[str, ...]) -> tuple[str, ...]:
    """``terms`` without the Chinese pairs and triples that overlap others and read worse.

    A triple that stands alone is a word of three characters and hides its pairs. A longer run is told by
    its pairs, less those that straddle two others: 图片排序 gives 图片 and 排序, not 片排.
    """
    grams = {term for term in terms if len(term) in (2, 3) and is_cjk(term)}
    triples = {gram for gram in grams if len(gram) == 3}
    alone = {
        triple
        for triple in triples
        if not any(triple[1:] == other[:2] or triple[:2] == other[1:] for other in triples - {triple})
    }
    inside = {pair for triple in alone for pair in (triple[:2], triple[1:])}
    pairs = {gram for gram in grams if len(gram) == 2} - inside
    starts, ends = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
    straddling = {pair for pair in pairs if pair[0] in ends and pair[1] in starts}
    hidden = inside | straddling
    for triple in triples - alone:
        if triple[:2] in pairs or triple[1:] in pairs:
            hidden.add(triple)
    return tuple(term for term in terms if term not in hidden) or terms


def listed(words: Iterable[str]) -> str:
    """Words of documents and people, one beside the other."""
    return pgettext("between words", ", ").join(map(safe_text, words))


def _term_list(terms: tuple[str, ...]) -> str:
    terms = wordlike(terms)
    shown = listed(terms[:_SHOWN_TERMS])
    more = len(terms) - _SHOWN_TERMS
    return shown + " +" + str(more) if more > 0 else shown


def wish_text(wish: Wish) -> str:
    """What is asked for, and so what comes first."""
    return {
        Wish.CHANGE: _("a change: source and its tests"),
        Wish.TESTS: _("tests"),
        Wish.DOCUMENTS: _("documentation"),
        Wish.UNDERSTANDING: _("how something works: source"),
        Wish.CHANGELOG: _("the changelog"),
    }[wish]


def looked_for(query: Query) -> list[str]:
    """The terms of a query, heaviest first, each with the other forms that count too."""
    found = []
    for term in query.terms:
        text = safe_text(term.term)
        if term.forms:
            text += " (" + ", ".join(safe_text(form) for form in term.forms) + ")"
        found.append(text)
    return found


def evidence(item: Item) -> list[tuple[str, str]]:
    """Everything that speaks for a document, each as a name and its facts; none of it is a number."""
    hit = item.hit
    if hit is None:
        return []
    names = {
        Field.TITLE: _("title"),
        Field.NAME: _("file name"),
        Field.HEADINGS: _("defines") if item.kind is Kind.CODE else _("headings"),
        Field.SUMMARY: _("summary"),
        Field.DIRECTORY: _("folder"),
        Field.BODY: _("text"),
    }
    lines = []
    for field, name in names.items():
        words = tuple(term.word for term in hit.terms if field in term.fields)
        if words:
            lines.append((name, listed(wordlike(words))))
    if hit.defines:
        lines.append((_("defines by name"), listed(hit.defines)))
    if hit.commit is not None:
        lines.append((_("history"), commit_text(hit.commit)))
    if hit.use is not None:
        lines.append((_("session"), _use_text(hit.use.edited, hit.use.prompts_ago)))
    if hit.named:
        lines.append((_("session"), _("named in the conversation")))
    lines.append((_("counts most"), _lead_text(hit.lead)))
    return lines


def _lead_text(lead: Lead) -> str:
    return {
        Lead.TERMS: _("the words"),
        Lead.HISTORY: _("the history"),
        Lead.USE: _("the agent's use"),
        Lead.MENTION: _("the mention"),
    }[lead]


def topic_text(query: Query) -> str:
    """What the query is about in the words of the person who wrote it; empty when nothing tells."""
    return listed(query.topic)


def tier_text(tier: Tier) -> str:
    """The heading of a tier."""
    return {
        Tier.PINNED: _("Pinned"),
        Tier.PRIMARY: _("Primary"),
        Tier.SUPPORTING: _("Supporting"),
        Tier.RELATED: _("Related"),
        Tier.OTHER: _("Other matches"),
    }[tier]


def notice_text(notice: Notice) -> str:
    """One line for a limit, fallback or fault that bites now."""
    facts = {key: safe_text(value) for key, value in notice.facts}
    count = int(facts.get("count", "0"))
    texts = {
        "gone": _("workspace is gone: {root}"),
        "git-fallback": _("git could not list the files ({why}); read the folder instead"),
        "watch-polling": _("watching is off ({why}); looking every few seconds"),
        "truncated": ngettext(
            "{count} long file is searched in its first 256 KiB only",
            "{count} long files are searched in their first 256 KiB only",
            count,
        ),
        "secret": ngettext(
            "{count} file holds a private key: named, never shown",
            "{count} files hold a private key: named, never shown",
            count,
        ),
        "unreadable": ngettext("{count} file could not be read", "{count} files could not be read", count),
        "root-ignored": _("this folder is ignored by its own repository; read by itself"),
        "indexing": _("indexing {done} of {total}"),
        "no-conversation": _("not enough conversation yet: newest first"),
        "no-terms": _("nothing to search for in these words: newest first"),
        "unsaved": _("what you set lasts for this session only: {why}"),
        "state-unused": _("the file with your pins could not be used ({why}); the next change sets it aside"),
        "usage-partial": ngettext(
            "{count} read or edit is too long ago to be counted",
            "{count} reads and edits are too long ago to be counted",
            count,
        ),
        "full-pinned": _("{count} documents are pinned, more cannot be: unpin one first"),
        "full-excluded": _("{count} documents are excluded, more cannot be: restore one first"),
        "session-partial": _("the first {megabytes} MB of the session log were not read"),
        "session-long-lines": ngettext(
            "{count} line of the session log is too long and was passed over",
            "{count} lines of the session log are too long and were passed over",
            count,
        ),
        "session-old": _("the session was last written {hours} h ago"),
        "cache-off": _("the index is kept in memory only: {path}: {why}"),
        "cache-rebuilt": _("the stored index is {why}; everything was read again"),
        "builder-died": _("a helper process died; indexing goes on without it"),
        "history": _("git gave no history ({why}); the order does without it"),
        "history-cut": ngettext(
            "of the history {count} commit was read ({why})",
            "of the history {count} commits were read ({why})",
            count,
        ),
        "failed": _("error in the engine: {why}"),
        "settings": "{why}",
    }
    text = texts.get(notice.code)
    if text is None:
        return safe_text(notice.code)
    if "why" in facts:
        facts["why"] = _why_text(facts["why"])
    if "bytes" in facts:
        facts["megabytes"] = str(max(1, round(int(facts["bytes"]) / 1e6)))
    return text.format_map(facts)


def _why_text(why: str) -> str:
    """A cause by its code; a cause that has no code says itself."""
    texts = {
        "missing": _("git is not installed"),
        "refused": _("git does not trust this folder"),
        "broken": _("the repository is damaged"),
        "timeout": _("git took too long"),
        "output": _("git gave too much"),
        "blocked": _("an ignore file is no file"),
        "network": _("this is a network folder"),
        "folders": _("too many folders"),
        "limit": _("the system's limit of watches is reached"),
        "names": _("some folder names cannot be watched"),
        "error": _("the system refused"),
        "home": _("there is no home folder"),
        "inside": _("it lies in the workspace"),
        "symlink": _("it is a link"),
        "no-folder": _("it is no folder"),
        "owner": _("it belongs to someone else"),
        "shared": _("others may write there"),
        "busy": _("another knit holds it"),
        "unreadable": _("it cannot be read"),
        "damaged": _("damaged"),
        "foreign": _("of another folder"),
        "version": _("of another version"),
    }
    return texts.get(why, why)


def age_text(mtime_ns: int, now_ns: int) -> str:
    """How long ago, in the largest whole unit: ``now``, ``2m``, ``3h``, ``5d``, ``7mo``, ``2y``."""
    seconds = max(0, now_ns - mtime_ns) // 1_000_000_000
    for limit, unit, text in (
        (60, 1, _("now")),
        (3600, 60, _("{n}m")),
        (86_400, 3600, _("{n}h")),
        (86_400 * 30, 86_400, _("{n}d")),
        (86_400 * 365, 86_400 * 30, _("{n}mo")),
    ):
        if seconds < limit:
            return text.format(n=seconds // unit)
    return _("{n}y").format(n=seconds // (86_400 * 365))


def size_text(size: int) -> str:
    """Bytes in the largest binary unit with a whole part: ``17 bytes``, ``512 KiB``, ``3.0 MiB``."""
    if size < 1024:
        return ngettext("{count} byte", "{count} bytes", size).format(count=size)
    amount = float(size)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        amount /= 1024
        if amount < 1023.95 or unit == "TiB":
            break
    whole = amount >= 100 or (unit == "KiB" and size % 1024 == 0)
    return f"{amount:.0f} {unit}" if whole else f"{amount:.1f} {unit}"
