"""The two themes of knit, and the colours of the panel in any other theme."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

# Backgrounds keep their hue below what makes a terminal of 256 colours take them for a colour.
DARK = Theme(
    name="knit-dark",
    dark=True,
    primary="#84b6f4",
    secondary="#9aa7bd",
    accent="#e3b567",
    warning="#e3b567",
    error="#f39a94",
    success="#84b6f4",
    foreground="#d7dbe2",
    background="#16181c",
    surface="#16181c",
    panel="#1e2127",
    variables={
        "knit-dim": "#929bab",
        "knit-soft": "#b4bbc7",
        "knit-rule": "#3d424b",
        "knit-cursor": "#2f343d",
        "knit-cursor-blur": "#25282e",
        "knit-term": "#d7dbe2",
        "scrollbar": "#383c44",
        "scrollbar-hover": "#4c515b",
        "scrollbar-active": "#84b6f4",
        "scrollbar-background": "#16181c",
        "scrollbar-background-hover": "#16181c",
        "scrollbar-background-active": "#16181c",
        "scrollbar-corner-color": "#16181c",
        "input-cursor-background": "#d7dbe2",
        "input-cursor-foreground": "#16181c",
    },
)

LIGHT = Theme(
    name="knit-light",
    dark=False,
    primary="#0b58a8",
    secondary="#4d5a70",
    accent="#875100",
    warning="#875100",
    error="#ac2a20",
    success="#0b58a8",
    foreground="#23272e",
    background="#fbfbf9",
    surface="#fbfbf9",
    panel="#efeeea",
    variables={
        "knit-dim": "#646b77",
        "knit-soft": "#434a55",
        "knit-rule": "#cbccc9",
        "knit-cursor": "#dce7f4",
        "knit-cursor-blur": "#ecebe7",
        "knit-term": "#23272e",
        "scrollbar": "#c6c8c6",
        "scrollbar-hover": "#a5a8a8",
        "scrollbar-active": "#0b58a8",
        "scrollbar-background": "#fbfbf9",
        "scrollbar-background-hover": "#fbfbf9",
        "scrollbar-background-active": "#fbfbf9",
        "scrollbar-corner-color": "#fbfbf9",
        "input-cursor-background": "#23272e",
        "input-cursor-foreground": "#fbfbf9",
    },
)

THEMES = (DARK, LIGHT)


def own_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """The panel's variables derived from those of a theme that does not know them."""
    return {
        "knit-dim": variables["text-muted"],
        "knit-soft": variables["foreground"],
        "knit-rule": variables["foreground-muted"],
        "knit-cursor": variables["block-hover-background"],
        "knit-cursor-blur": variables["panel"],
        "knit-term": variables["foreground"],
    }
