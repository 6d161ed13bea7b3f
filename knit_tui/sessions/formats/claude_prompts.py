"""What of a Claude Code user record a person wrote.

A record of type ``user`` is also how the program hands the model reminders, command output, hook
output, notifications and summaries. Each block of text is judged by itself: wrappers are taken off,
and what remains counts unless it begins as injected text does. Linear in the text.
"""

from __future__ import annotations

from typing import Any

from knit_tui.sessions.paths import scrub

_REMINDER = ("<system-reminder>", "</system-reminder>")
_LEADING = ("ide_opened_file", "ide_selection", "ide_diagnostics", "user-prompt-submit-hook")
INTERRUPTED = "[Request interrupted by user"
SUMMARY = "This session is being continued from a previous conversation"
_INJECTED = (
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<user-prompt-submit-hook>",
    "Caveat:",
    "Stop hook feedback:",
    INTERRUPTED,
    SUMMARY,
)
_COMMAND = ("<command-name>", "<command-message>", "<command-args>")
_SPACE = " \t\r\n\0"


def blocks(content: Any, kind: str) -> list[dict[str, Any]]:
    """The blocks of one type in a message's content."""
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") == kind]


def texts(content: Any) -> list[str]:
    """The texts of a message's content, which is one string or a list of blocks."""
    if isinstance(content, str):
        return [scrub(content)]
    return [scrub(block.get("text")) for block in blocks(content, "text")]


def written(content: Any) -> str:
    """What a person wrote of this content; ``""`` when nothing."""
    parts = [part for part in map(_written, texts(content)) if part]
    return "\n".join(parts)


def _written(text: str) -> str:
    text = _without(text, *_REMINDER).strip(_SPACE)
    while (tag := _leading_tag(text)) is not None:
        text = _without(text, f"<{tag}>", f"</{tag}>", only_first=True).strip(_SPACE)
    if text.startswith(_COMMAND):
        return _between(text, "<command-args>", "</command-args>").strip(_SPACE)
    return "" if text.startswith(_INJECTED) else text


def _leading_tag(text: str) -> str | None:
    return next((tag for tag in _LEADING if text.startswith(f"<{tag}>")), None)


def _without(text: str, opening: str, closing: str, only_first: bool = False) -> str:
    """``text`` without the spans from ``opening`` to ``closing``; an unclosed one goes to the end."""
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        kept.append(text[at:start])
        end = text.find(closing, start)
        at = len(text) if end < 0 else end + len(closing)
        if only_first:
            break
    kept.append(text[at:])
    return "".join(kept)


def _between(text: str, opening: str, closing: str) -> str:
    start = text.find(opening)
    if start < 0:
        return ""
    start += len(opening)
    end = text.find(closing, start)
    return text[start:] if end < 0 else text[start:end]
