"""How the preview looks: component classes and their default styles.

Hue never stands alone: keywords are bold, comments italic, headings bold, terms underlined. Syntax
colours are fixed for dark and for light backgrounds, and named for the terminal's own, of which yellow
and cyan are not for a light background and blue not for a dark one; everything else comes from the theme.
"""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget

from knit_tui.faces.tui.preview.child import GROUPS

PREFIX = "preview--"

VIEW_CLASSES = frozenset(
    PREFIX + name
    for name in (
        *GROUPS,
        "gutter",
        "gutter-band",
        "band",
        "bar",
        "bar-current",
        "term",
        "selection",
        "note",
        "headline",
    )
)

VIEW_CSS = """
PreviewView {
    width: 1fr;
    height: 1fr;
    overflow-x: hidden;
    overflow-y: auto;
    scrollbar-size-vertical: 1;
    scrollbar-gutter: stable;

    & > .preview--gutter { color: $foreground 48%; }
    & > .preview--gutter-band { color: $foreground 85%; }
    & > .preview--band { background: $primary 13%; }
    & > .preview--selection { background: $primary 25%; }
    & > .preview--bar { color: $primary 45%; }
    & > .preview--bar-current { color: $primary 75%; }
    &:focus > .preview--bar-current { color: $primary; }
    & > .preview--term { text-style: bold underline; }
    & > .preview--note { color: $foreground 76%; text-style: italic; }
    & > .preview--headline { text-style: bold; }

    & > .preview--comment { text-style: italic; }
    & > .preview--keyword { text-style: bold; }
    & > .preview--heading { text-style: bold; }
    & > .preview--strong { text-style: bold; }
    & > .preview--emphasis { text-style: italic; }

    &:dark {
        & > .preview--term { color: #f2cc60; }
        & > .preview--comment { color: #949ca7; }
        & > .preview--keyword { color: #c3a6ff; }
        & > .preview--string { color: #a5d6a7; }
        & > .preview--escape { color: #7fdbca; }
        & > .preview--number { color: #f0b27a; }
        & > .preview--function { color: #82b8ff; }
        & > .preview--type { color: #78d5e3; }
        & > .preview--attribute { color: #a9c7e8; }
        & > .preview--meta { color: #dba8cf; }
        & > .preview--operator { color: #a3abb8; }
        & > .preview--heading { color: #82b8ff; }
        & > .preview--fence { color: #8d96a1; }
        & > .preview--added { color: #82b8ff; }
        & > .preview--removed { color: #f0b27a; }
    }

    &:light {
        & > .preview--band { background: $primary 9%; }
        & > .preview--selection { background: $primary 20%; }
        & > .preview--gutter { color: $foreground 58%; }
        & > .preview--term { color: #7a4100; }
        & > .preview--comment { color: #515963; }
        & > .preview--keyword { color: #6230b0; }
        & > .preview--string { color: #1d6130; }
        & > .preview--escape { color: #005a5f; }
        & > .preview--number { color: #803d00; }
        & > .preview--function { color: #0b4fb3; }
        & > .preview--type { color: #00596c; }
        & > .preview--attribute { color: #2f4f78; }
        & > .preview--meta { color: #84266f; }
        & > .preview--operator { color: #4b525c; }
        & > .preview--heading { color: #0b4fb3; }
        & > .preview--fence { color: #515963; }
        & > .preview--added { color: #0b4fb3; }
        & > .preview--removed { color: #803d00; }
    }

    &:ansi {
        & > .preview--gutter { color: ansi_bright_black; }
        & > .preview--gutter-band { color: ansi_default; text-style: bold; }
        & > .preview--band { background: ansi_default; }
        & > .preview--selection { background: ansi_default; text-style: reverse; }
        & > .preview--bar { color: ansi_blue; }
        & > .preview--bar-current { color: ansi_bright_blue; }
        & > .preview--note { color: ansi_bright_black; }
        & > .preview--term { color: ansi_default; text-style: bold underline; }
        & > .preview--comment { color: ansi_default; text-style: dim italic; }
        & > .preview--keyword { color: ansi_magenta; }
        & > .preview--string { color: ansi_green; }
        & > .preview--escape { color: ansi_cyan; }
        & > .preview--number { color: ansi_yellow; }
        & > .preview--function { color: ansi_blue; }
        & > .preview--type { color: ansi_cyan; }
        & > .preview--attribute { color: ansi_default; }
        & > .preview--meta { color: ansi_magenta; }
        & > .preview--operator { color: ansi_default; }
        & > .preview--heading { color: ansi_blue; }
        & > .preview--fence { color: ansi_default; text-style: dim; }
        & > .preview--added { color: ansi_blue; }
        & > .preview--removed { color: ansi_yellow; }
        &:dark > .preview--function, &:dark > .preview--heading { color: ansi_bright_blue; }
        &:light > .preview--escape, &:light > .preview--type { color: ansi_blue; }
        &:light > .preview--number, &:light > .preview--removed { color: ansi_magenta; }
    }

    &:nocolor {
        & > .preview--gutter { text-style: dim; }
        & > .preview--selection { text-style: reverse; }
        & > .preview--comment { text-style: dim italic; }
        & > .preview--fence { text-style: dim; }
        & > .preview--note { text-style: dim; }
        & > .preview--term { text-style: bold underline; }
    }
}
"""

TITLE_CLASSES = frozenset({"preview-title--path", "preview-title--span", "preview-title--facts"})

TITLE_CSS = """
PreviewTitle {
    height: 1;
    background: $panel;
    color: $foreground;
    & > .preview-title--path { color: $foreground 85%; }
    & > .preview-title--span { color: $foreground 65%; }
    & > .preview-title--facts { color: $foreground 65%; }
    &:ansi > .preview-title--span, &:ansi > .preview-title--facts { color: ansi_bright_black; }
    &.-focus > .preview-title--path { color: $foreground; text-style: bold; }
}
"""


class Inks:
    """The Rich styles of a widget's component classes, looked up once until the theme changes."""

    def __init__(self, widget: Widget, prefix: str) -> None:
        self._widget = widget
        self._prefix = prefix
        self._inks: dict[str, Style] = {}
        self._styles: dict[tuple[str, tuple[str, ...]], Style] = {}

    def clear(self) -> None:
        self._inks.clear()
        self._styles.clear()

    def style(self, *names: str, ground: str = "") -> Style:
        """The inks of ``names``, later ones over earlier ones, on the widget's ground or a component's."""
        key = (ground, names)
        style = self._styles.get(key)
        if style is None:
            style = self._widget.rich_style
            if ground:
                own = self._component(ground)
                style += Style(bgcolor=own.bgcolor, reverse=own.reverse or None)
            for name in names:
                style += self._ink(name)
            self._styles[key] = style
        return style

    def _ink(self, name: str) -> Style:
        """Colour and weight of a component, without a background."""
        ink = self._inks.get(name)
        if ink is None:
            own = self._component(name, partial=True)
            ink = own.without_color
            if own.color is not None:
                # Not the component's own colour: that one does not know what it is blended with.
                ink += Style(color=self._component(name).color)
            self._inks[name] = ink
        return ink

    def _component(self, name: str, *, partial: bool = False) -> Style:
        return self._widget.get_component_rich_style(self._prefix + name, partial=partial)
