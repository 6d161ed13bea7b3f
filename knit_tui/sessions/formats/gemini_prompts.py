"""What of a message in the Gemini API's shape a person wrote; Qwen Code, a fork, writes the same shape.

Content is a string or a list of parts. The program puts the files a person named with ``@``, notes
and the output of hooks behind the prompt, as parts of their own, and hands the model whole messages
in a person's name that none wrote. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from knit_tui.sessions.paths import scrub

SPACE = " \t\r\n\0"
SUMMARY = "<state_snapshot>"
_START = "--- Content from referenced files ---"
_END = "--- End of content ---"
_NAMED = re.compile(r"\s*Content from @?([^\n]+):\s*")
_NOTES = ("hook_context", "system_note", "system-reminder", "qwen:user-prompt-submit-context")
_STEERING = ("User steering update:\n<user_input>", "</user_input>")
_INJECTED = (
    "<session_context>",
    "<hook_context>",
    "<background_output>",
    "<scratchpad>",
    SUMMARY,
    "I ran the following shell command:\n```sh\n",
    "System: Potential loop detected.",
    "Here is the user's editor context as a JSON object",
    "Here is a summary of changes in the user's editor context",
    "Background execution update:\n<background_output>",
    "User has manually exited Plan Mode.",
    "Plan approved. Switching to ",
    "- **Workspace Directories:**",
    "This is the Gemini CLI. We are setting up the context for our chat.",
)
_NUDGE = "Please continue."


def parts(content: Any) -> list[dict[str, Any]]:
    """The parts of a message's content."""
    if isinstance(content, str):
        return [{"text": content}]
    if isinstance(content, dict):
        return [content]
    if not isinstance(content, list):
        return []
    return [{"text": p} if isinstance(p, str) else p for p in content if isinstance(p, (str, dict))]


def texts(content: Any) -> list[str]:
    """The texts of a message's content, without what the model thought."""
    found = (scrub(part.get("text")) for part in parts(content) if part.get("thought") is not True)
    return [text for text in found if text]


def responses(content: Any) -> list[dict[str, Any]]:
    """The results of calls in a message's content."""
    found = (part.get("functionResponse") for part in parts(content))
    return [response for response in found if isinstance(response, dict)]


def calls(content: Any) -> list[dict[str, Any]]:
    """The calls in a message's content."""
    found = (part.get("functionCall") for part in parts(content))
    return [call for call in found if isinstance(call, dict)]


def written(content: Any) -> tuple[str, list[str]]:
    """What a person wrote of this content, and the files whose content was put behind it."""
    kept: list[str] = []
    files: list[str] = []
    inside = False
    for text in texts(content):
        bare = text.strip(SPACE)
        if inside:
            inside = bare != _END
            named = _NAMED.fullmatch(text) if len(text) < 5000 else None
            if named:
                files.append(named.group(1))
        elif bare == _START:
            inside = True
        else:
            kept.append(_without_notes(_without_files(text)))
    return "\n".join(text for text in kept if text), files


def steering(content: Any) -> str:
    """What a person typed while calls ran; the program sends it with their results."""
    for text in texts(content):
        if text.startswith(_STEERING[0]):
            return text[len(_STEERING[0]) :].partition(_STEERING[1])[0].strip(SPACE)
    return ""


def typed(text: str) -> str:
    """``text`` when a person typed it to the Gemini CLI; ``""`` when its program made the message."""
    if text == _NUDGE or text.startswith(("/", "?", *_INJECTED)):
        return ""
    return text


def _without_files(text: str) -> str:
    start = text.find(_START)
    if start < 0 or (start > 0 and text[start - 1] != "\n"):
        return text
    end = text.rfind(_END)
    return text[:start] + (text[end + len(_END) :] if end > start else "")


def _without_notes(text: str) -> str:
    """``text`` without the notes at its start."""
    at = _skip_space(text, 0)
    while (tag := _note(text, at)) is not None:
        end = text.find(f"</{tag}>", at)
        if end < 0:
            return ""
        at = _skip_space(text, end + len(tag) + 3)
    return text[at:].rstrip(SPACE)


def _note(text: str, at: int) -> str | None:
    return next((tag for tag in _NOTES if text.startswith(f"<{tag}>", at)), None)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at


def joined(found: Iterable[str]) -> str:
    """The text of an answer from its parts, which may be cut anywhere."""
    return "".join(found).strip(SPACE)
