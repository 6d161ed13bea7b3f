"""The panel: ranked documents beside an agent. Nothing here loads Textual until the panel runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knit_tui.faces.tui.terminal import terminal_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from knit_tui.config import Settings
    from knit_tui.faces.tui.messages import Host
    from knit_tui.model import Notice

__all__ = ["run_panel", "terminal_problem"]


def run_panel(
    host: Host, settings: Settings | None = None, notices: Callable[[], tuple[Notice, ...]] = tuple
) -> int:
    """Run the panel until the user leaves; returns the exit code."""
    from knit_tui.faces.tui.background import ask

    # Before the library is loaded: that takes longer than an answer.
    question = ask() if settings is None or settings.panel.theme == "auto" else None
    try:
        from knit_tui.faces.tui.app import run_panel as run

        return run(host, settings, notices, question)
    finally:
        if question is not None:
            question.close()
