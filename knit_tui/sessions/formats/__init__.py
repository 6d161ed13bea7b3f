"""The agents whose logs can be read. A further one is a module here and its line in `FORMATS`."""

from __future__ import annotations

from knit_tui.sessions.format import Format
from knit_tui.sessions.formats import aider, claude, codex, copilot, cursor, dsh, events, gemini, pi, qwen

FORMATS: tuple[Format, ...] = (
    claude.FORMAT,
    codex.FORMAT,
    copilot.FORMAT,
    gemini.FORMAT,
    qwen.FORMAT,
    pi.FORMAT,
    dsh.FORMAT,
    cursor.FORMAT,
    aider.FORMAT,
    events.FORMAT,
)
