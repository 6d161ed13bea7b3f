"""The sessions of a workspace and the events of a log, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from knit_tui.faces.i18n import _, ngettext
from knit_tui.faces.safe import pad, safe_text
from knit_tui.faces.session_words import offer_facts, prompts_text
from knit_tui.model import SessionOffer
from knit_tui.sessions.events import (
    AssistantText,
    Compacted,
    EditDone,
    Event,
    ReadDone,
    Reset,
    Rewind,
    SessionInfo,
    UserMessage,
)
from knit_tui.sessions.events_of import Decoded

SCHEMA = 1
_NAME = 11
"""Cells of the kind of an event."""


def sessions_text(offers: Iterable[SessionOffer], now_ns: int) -> str:
    """Two lines a session: who and when, and what it is about; the followed one is marked."""
    lines = []
    for offer in offers:
        mark = "●" if offer.followed else " "
        head = f"{mark} {safe_text(offer.agent):<8} {safe_text(offer.session_id)}"
        lines += [f"{head}  {_(', ').join(offer_facts(offer, now_ns))}", f"  {'':<8} {prompts_text(offer)}"]
    return "".join(f"{line}\n" for line in lines)


def sessions_json(root: str, offers: Iterable[SessionOffer]) -> str:
    """One object; times in seconds since the epoch."""
    rows = [
        {
            "agent": offer.agent,
            "session_id": offer.session_id,
            "log": _printable(offer.key),
            "cwd": _printable(offer.cwd),
            "where": offer.match,
            "how": offer.how,
            "first_prompt": offer.first,
            "last_prompt": offer.last,
            "prompted": offer.prompted,
            "running": offer.live,
            "followed": offer.followed,
        }
        for offer in offers
    ]
    return _dump({"schema": SCHEMA, "workspace": _printable(root), "sessions": rows})


def events_text(decoded: Decoded) -> str:
    """One line an event, then what could not be used."""
    lines = [f"{decoded.agent} {safe_text(decoded.session_id)} {safe_text(decoded.cwd)}"]
    lines += [_event_line(event) for event in decoded.events]
    lines.append(
        _("{unknown} records of a kind not known, {damaged} damaged lines").format(
            unknown=decoded.unknown, damaged=decoded.damaged
        )
    )
    return "".join(f"{line}\n" for line in lines)


def _event_line(event: Event) -> str:
    name, text = _told(event)
    return (pad(name, _NAME) + text).rstrip()


def _told(event: Event) -> tuple[str, str]:
    if isinstance(event, UserMessage):
        return _("user"), safe_text(event.text)
    if isinstance(event, AssistantText):
        return _("assistant"), safe_text(event.text)
    if isinstance(event, ReadDone):
        return _("read"), safe_text(event.path) + _marks(_certainty(event.certainty), event.ok, event.by)
    if isinstance(event, EditDone):
        return _("edit"), safe_text(event.path) + _marks("", event.ok, event.by)
    if isinstance(event, Rewind):
        text = ngettext("{count} turn", "{count} turns", event.turns or 0).format(count=event.turns)
        return _("rewind"), text if event.turns else _("to {id}").format(id=safe_text(event.keep_until_id))
    if isinstance(event, SessionInfo):
        return _("session"), f"{safe_text(event.session_id)}  {safe_text(event.cwd)}"
    if isinstance(event, Reset):
        return _("reset"), event.reason
    return _("compacted"), ""


def _certainty(certainty: str) -> str:
    return {
        "confirmed": _("confirmed"),
        "inferred": _("inferred"),
        "mention": _("mention"),
        "attempted": _("attempted"),
    }[certainty]


def _marks(certainty: str, ok: bool, actor: str) -> str:
    marks = [certainty, "" if ok else _("failed"), "" if actor == "main" else _("by subagent")]
    told = _(", ").join(filter(None, marks))
    return f"  ({told})" if told else ""


def events_json(decoded: Decoded) -> str:
    """One object with every event, in the order of the log."""
    return _dump(
        {
            "schema": SCHEMA,
            "agent": decoded.agent,
            "session_id": decoded.session_id,
            "cwd": _printable(decoded.cwd),
            "events": [_event(event) for event in decoded.events],
            "unknown": decoded.unknown,
            "damaged": decoded.damaged,
        }
    )


def _event(event: Event) -> dict[str, Any]:
    if isinstance(event, UserMessage):
        return {"type": "user", "text": event.text}
    if isinstance(event, AssistantText):
        return {"type": "assistant", "text": event.text}
    if isinstance(event, ReadDone):
        told = {"type": "read", "path": event.path, "ok": event.ok}
        return told | {"certainty": event.certainty, "by": event.by}
    if isinstance(event, EditDone):
        return {"type": "edit", "path": event.path, "ok": event.ok, "by": event.by}
    if isinstance(event, Rewind):
        return {"type": "rewind", "keep_until_id": event.keep_until_id, "turns": event.turns}
    if isinstance(event, SessionInfo):
        told = {"type": "session", "session_id": event.session_id, "cwd": event.cwd}
        return told | {"version": event.version}
    if isinstance(event, Reset):
        return {"type": "reset", "reason": event.reason}
    assert isinstance(event, Compacted)
    return {"type": "compacted"}


def _dump(value: dict[str, Any]) -> str:
    # ASCII escapes: no text of a log can act on a terminal, whatever encoding it has.
    return json.dumps(value, ensure_ascii=True, indent=1) + "\n"


def _printable(text: str) -> str:
    """``text`` as JSON can hold it: bytes that are no UTF-8 become replacement characters."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text
