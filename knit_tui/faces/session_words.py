"""The agent's session in words: which one is followed, which others there are."""

from __future__ import annotations

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import safe_text, shorten
from knit_tui.faces.wording import age_text
from knit_tui.model import SessionOffer, SessionStatus

_PROMPT_WIDTH = 76


def session_text(status: SessionStatus, *, short: bool = False) -> str:
    """One line for the session that is followed, or why none is; ``short`` only names it."""
    if status.state == "following":
        text = _("{agent} session {id}").format(
            agent=safe_text(status.agent), id=safe_text(status.session_id)[:8]
        )
        if short:
            return text
        how = how_text(status.how)
        if how:
            text = _("{text} ({more})").format(text=text, more=how)
        if status.damaged:
            lines = ngettext("{count} damaged line skipped", "{count} damaged lines skipped", status.damaged)
            text += _(", ") + lines.format(count=status.damaged)
        if status.others:
            text += _(", ") + _("{count} more here").format(count=status.others)
        return text
    texts = {
        "off": _("session off"),
        "none": _("no session found"),
        "missing": _("session file is missing: {path}"),
        "unreadable": _("session file cannot be read: {path}"),
        "not-a-log": _("not a session log: {path}"),
        "no-such-session": _("no session {path} in this folder (knit sessions lists them)"),
    }
    return texts.get(status.state, status.state).format(path=safe_text(status.path))


def how_text(how: str) -> str:
    """How a session was found, where that is worth a word; else an empty text."""
    return {
        "option": _("as asked"),
        "chosen": _("chosen"),
        "environment": _("the one knit runs in"),
        "hook": _("told by its hook"),
    }.get(how, "")


def match_text(offer: SessionOffer) -> str:
    """Where its agent runs, when that is not this very folder."""
    return {
        "below": _("in {folder}"),
        "above": _("in {folder}, above"),
        "worktree": _("in the worktree {folder}"),
    }.get(offer.match, "").format(folder=safe_text(offer.cwd))


def offer_facts(offer: SessionOffer, now_ns: int) -> list[str]:
    """What is known of a session, each in a few words: age, whether its agent runs, where, how found."""
    facts = [age_text(int(offer.prompted * 1e9), now_ns)]
    if offer.live is not None:
        facts.append(_("running") if offer.live else _("ended"))
    return facts + [text for text in (match_text(offer), how_text(offer.how)) if text]


def prompts_text(offer: SessionOffer) -> str:
    """The first and the newest prompt, in quotation marks."""
    first, last = (safe_text(" ".join(text.split())) for text in (offer.first, offer.last))
    if not last:
        return _("no prompt yet")
    half = _PROMPT_WIDTH // 2 - 4
    if not first or first == last:
        return f"“{shorten(last, _PROMPT_WIDTH - 2)}”"
    return f"“{shorten(first, half)}” … “{shorten(last, half)}”"
