"""Both themes are legible: text at least 4.5 to 1, dim text at least 3 to 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.color import Color

from knit_tui.faces.tui.theme import THEMES
from tests.panel.sample import NOTICES, PACK, PICTURES, SECRET, snapshot

Open = Callable[..., Any]
TEXT, DIM = 4.5, 3.0
# Rules carry no text, and bars, pins and marks are shapes.
SHAPES = set("─▌│ ")


def luminance(color: Color) -> float:
    def linear(part: int) -> float:
        value = part / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)


def contrast(first: Color, second: Color) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def strips(panel: Any) -> Any:
    for widget in (panel.results, *panel.main.query("OneLine")):
        for y in range(widget.size.height):
            yield widget, widget.render_line(y)


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_every_text_on_screen_is_legible(open_panel: Open, theme: str) -> None:
    items = (*PACK, *PICTURES, SECRET)
    async with open_panel(snapshot(1, items, notices=NOTICES), theme=theme, size=(120, 60)) as panel:
        dim = Color.parse(panel.app.theme_variables["knit-dim"])
        seen = set()
        for keys in ((), ("x",), ("slash", *"ret", "enter"), ("enter",)):
            await panel.press(*keys)
            for widget, strip in strips(panel):
                for text, style, _control in strip:
                    if not set(text) - SHAPES or style is None:
                        continue
                    fore, back = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
                    least = DIM if fore == dim else TEXT
                    assert contrast(fore, back) >= least, (widget, text, fore.hex, back.hex)
                    seen.add(fore.hex)
        assert len(seen) >= 5


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
def test_even_dim_text_is_nearly_text(theme: str) -> None:
    each = next(candidate for candidate in THEMES if candidate.name == theme)
    for ground in (
        each.background,
        each.panel,
        each.variables["knit-cursor"],
        each.variables["knit-cursor-blur"],
    ):
        assert ground is not None
        assert contrast(Color.parse(each.variables["knit-dim"]), Color.parse(ground)) >= DIM


@pytest.mark.parametrize("theme", ("nord", "gruvbox", "textual-light", "ansi-dark", "ansi-light", "dracula"))
async def test_the_panel_works_in_other_themes(open_panel: Open, theme: str) -> None:
    async with open_panel(snapshot(), theme=theme) as panel:
        assert panel.app.theme == theme
        assert panel.list_lines()[panel.cursor_row].startswith("▌*")


async def test_the_theme_can_change_while_the_panel_runs(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        before = panel.results.render_line(1)
        panel.app.theme = "knit-light"
        await panel.wait(lambda: panel.results.render_line(1) != before, "other colours")
