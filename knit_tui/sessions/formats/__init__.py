"""The agents whose logs can be read. A further one is a module here and its line in `FORMATS`."""

from __future__ import annotations

from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import (
    aider,
    claude,
    codex,
    copilot,
    crush,
    cursor,
    dsh,
    events,
    gemini,
    goose,
    opencode,
    pi,
    qwen,
)

FORMATS: tuple[Format, ...] = (
    claude.FORMAT,
    codex.FORMAT,
    copilot.FORMAT,
    gemini.FORMAT,
    qwen.FORMAT,
    pi.FORMAT,
    dsh.FORMAT,
    opencode.FORMAT,
    crush.FORMAT,
    goose.FORMAT,
    cursor.FORMAT,
    aider.FORMAT,
    events.FORMAT,
)
