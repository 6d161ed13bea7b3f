"""The whole window of tmux for the pane that the panel runs in."""

from __future__ import annotations

from knit_tui.faces.i18n import _
from knit_tui.faces.tui.services.programs import Programs, Refused


def has_pane(programs: Programs) -> bool:
    """Whether the panel runs in a pane of tmux."""
    return bool(programs.environ.get("TMUX") and programs.environ.get("TMUX_PANE"))


def toggle(programs: Programs) -> bool:
    """Let the pane fill its window, or take that back; whether there are other panes in it.

    Raises:
        Refused: tmux is not found, or does not do it.
    """
    tmux = programs.find("tmux")
    if tmux is None:
        raise Refused(_("no such program: {name}").format(name="tmux"))
    own = programs.environ["TMUX_PANE"]
    ask = ("display-message", "-p", "-t", own, "#{window_panes}")
    done = programs.run((tmux, "resize-pane", "-Z", "-t", own, ";", *ask), answer=True)
    if not done.well:
        raise Refused(_("tmux does not let this pane fill the window"))
    return done.output.strip() != b"1"
