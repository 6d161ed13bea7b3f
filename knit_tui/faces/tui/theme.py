"""The two themes of knit, and the colours of the panel in any other theme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

from knit_tui.faces.tui.filters import MARK

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
        "knit-faint": "#737780",
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
        "knit-faint": "#7d8084",
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
AUTO = "auto"
"""The setting that leaves the choice to the terminal."""

TEXT, DIM = 4.5, 3.0
"""The least contrast of text, and of what may be dim, with every background it stands on."""
_QUIET = 1.3
"""The most contrast of the background of bars and dialogs with that of the list."""
_STEPS = 20


def chosen(name: str, *, dark: bool, colours: str | None) -> str:
    """The theme that the setting ``name`` stands for in a terminal.

    Args:
        name: A theme, or ``auto``.
        dark: Whether the terminal's background is dark.
        colours: What Rich says of the terminal: ``truecolor``, ``256``, ``standard``; None for none, and then
            every theme is the same.
    """
    if name != AUTO and colours is not None:
        return name
    # With 16 colours none of ours is to be had, and the nearest ones say nothing about contrast.
    own = "knit" if colours in ("truecolor", "256") else "ansi"
    return f"{own}-dark" if dark else f"{own}-light"


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours as WCAG 2 has it: 1 for the same, 21 for black and white."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def own_variables(theme: Theme, variables: Mapping[str, str]) -> dict[str, str]:
    """The panel's colours in ``theme``: those it has, and others made legible.

    A theme of knit says all of them. Any other one says what its colours are, and here they become
    lighter on a dark background, or darker on a light one, until they can be read on all of ours.

    Args:
        theme: The theme.
        variables: What it gives to a style sheet.
    """
    if theme in THEMES:
        return {}
    if theme.ansi:
        return _of_terminal(theme)
    base = {name: Color.parse(variables[name]) for name in _NAMES}
    ground, ink = base["background"], base["foreground"]
    panel = ground
    for step in range(_STEPS + 1):
        panel = ground.blend(base["panel"], 1 - step / _STEPS, alpha=1)
        if contrast(panel, ground) <= _QUIET:
            break
    cursor = panel.blend(ink, 0.1, alpha=1)
    grounds = [ground, panel, cursor]
    primary = _legible(base["primary"], grounds, TEXT, dark=theme.dark)
    grounds.append(ground.blend(primary, BAND, alpha=1))
    inks = {
        "foreground": (ink, TEXT),
        "secondary": (base["secondary"], TEXT),
        "accent": (base["accent"], TEXT),
        "warning": (base["warning"], TEXT),
        "error": (base["error"], TEXT),
        "knit-soft": (ink.blend(ground, 0.2, alpha=1), TEXT),
        "knit-dim": (ink.blend(ground, 0.35, alpha=1), TEXT),
        "knit-faint": (ink.blend(ground, 0.5, alpha=1), DIM),
    }
    out = {name: _legible(color, grounds, least, dark=theme.dark) for name, (color, least) in inks.items()}
    out |= {
        "primary": primary,
        "panel": panel,
        "knit-term": out["foreground"],
        "knit-rule": ground.blend(ink, 0.25, alpha=1),
        "knit-cursor": cursor,
        "knit-cursor-blur": panel,
        "scrollbar": ground.blend(ink, 0.22, alpha=1),
        "scrollbar-hover": ground.blend(ink, 0.35, alpha=1),
        "scrollbar-active": primary,
        "input-cursor-background": out["foreground"],
        "input-cursor-foreground": ground,
    }
    out |= {f"scrollbar-{part}": ground for part in _TROUGHS}
    return {name: color.hex for name, color in out.items()}


BAND = 0.13
"""How much of ``primary`` is in the background of a passage, as the preview's style sheet has it."""
_NAMES = ("background", "foreground", "panel", "primary", "secondary", "accent", "warning", "error")
_TROUGHS = ("background", "background-hover", "background-active", "corner-color")


def _legible(color: Color, grounds: Iterable[Color], least: float, *, dark: bool) -> Color:
    """``color``, or the nearest on its way to white or black that has the contrast with all ``grounds``."""
    grounds, end = tuple(grounds), WHITE if dark else BLACK
    for step in range(_STEPS + 1):
        nearer = color.blend(end, step / _STEPS, alpha=1)
        if all(contrast(nearer, ground) >= least for ground in grounds):
            return nearer
    return end


def _of_terminal(theme: Theme) -> dict[str, str]:
    """Colours that only have names: what they look like is the terminal's affair.

    So text is the terminal's own colour, and what is dim or under the cursor is so by weight: see
    `filters.Weights`. Dark blue on black and yellow on white are the pairs that most palettes fail.
    """
    plain = ("knit-soft", "knit-term", "knit-cursor-blur", "panel", "input-cursor-background")
    marked = ("knit-dim", "knit-faint", "knit-rule", "knit-cursor", "scrollbar")
    primary, secondary, accent, error = (
        ("ansi_bright_blue", "ansi_cyan", "ansi_yellow", "ansi_bright_red")
        if theme.dark
        else ("ansi_blue", "ansi_blue", "ansi_magenta", "ansi_red")
    )
    return {
        **dict.fromkeys((*plain, *(f"scrollbar-{part}" for part in _TROUGHS)), "ansi_default"),
        **dict.fromkeys(marked, MARK),
        **dict.fromkeys(("primary", "scrollbar-hover", "scrollbar-active"), primary),
        **dict.fromkeys(("accent", "warning"), accent),
        "secondary": secondary,
        "error": error,
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
    }
