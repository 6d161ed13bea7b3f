"""Every theme is legible: what is written in the style sheets, on all that it may stand on, and on screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.css.model import SelectorType
from textual.css.stylesheet import Stylesheet
from textual.theme import BUILTIN_THEMES, Theme

from knit_tui.faces import usage_words
from knit_tui.faces.tui import app as panel_app
from knit_tui.faces.tui.filters import WEIGHTS
from knit_tui.faces.tui.preview.palette import TITLE_CSS, VIEW_CSS
from knit_tui.faces.tui.theme import BAND, DIM, TEXT, THEMES, chosen, contrast, own_variables
from tests.panel.sample import NOTICES, PACK, PICTURES, SECRET, snapshot

Open = Callable[..., Any]
ALL = {theme.name: theme for theme in (*THEMES, *BUILTIN_THEMES.values())}
OF_COLOUR = {name: theme for name, theme in ALL.items() if not theme.ansi}
# Rules carry no text, and bars, pins and marks are shapes.
SHAPES = set("─▌│▎ ")
SHAPE_CLASS = re.compile(r"--(?:bar(?:-\w+)?|rule|cursor\w*|cursor-blur|band|selection)$")
SYNTAX_DIM = {"preview--comment", "preview--fence", "preview--gutter"}
SHEET = Path(panel_app.__file__).with_name("app.tcss")


def variables(theme: Theme) -> dict[str, str]:
    given = theme.to_color_system().generate()
    return given | theme.variables | own_variables(theme, given)


def inks(theme: Theme) -> Iterator[tuple[str, Color]]:
    """The text colour of every component class of the style sheets, as it is in ``theme``."""
    sheet = Stylesheet(variables=variables(theme))
    sheet.add_source(VIEW_CSS + TITLE_CSS, is_default_css=True)
    sheet.read(SHEET)
    sheet.parse()
    state = {"dark" if theme.dark else "light", "focus"} | ({"ansi"} if theme.ansi else set())
    found: dict[str, tuple[Any, Color]] = {}
    for order, rule in enumerate(sheet.rules):
        for selectors in rule.selector_set:
            last = selectors.selectors[-1]
            wanted = set().union(*(each.pseudo_classes for each in selectors.selectors))
            if last.type is not SelectorType.CLASS or "--" not in last.name or not wanted <= state:
                continue
            rank = (not rule.is_default_rules, selectors.specificity, order)
            if rule.styles.has_rule("color") and rank > found.get(last.name, ((),))[0]:
                found[last.name] = rank, rule.styles.color
    for name, (_rank, color) in found.items():
        if not SHAPE_CLASS.search(name):
            yield name, color


def grounds(theme: Theme) -> dict[str, list[Color]]:
    """What the classes of the panel may stand on, and those of the preview."""
    names = ("background", "panel", "primary", "knit-cursor", "knit-cursor-blur")
    of = {name: Color.parse(variables(theme)[name]) for name in names}
    shares = (BAND, 0.25) if theme.dark else (0.09, 0.2)
    band, selection = (of["background"].blend(of["primary"], share, alpha=1) for share in shares)
    lists = [of[name] for name in names if name != "primary"]
    preview = [of["background"], band, *([selection] if theme in THEMES else [])]
    return {"": lists, "preview": preview, "preview-title": [of["panel"]]}


@pytest.mark.parametrize("name", OF_COLOUR)
def test_every_component_is_legible_on_all_it_may_stand_on(name: str) -> None:
    theme = ALL[name]
    of, standing = variables(theme), grounds(theme)
    dim = {Color.parse(of[each]) for each in ("knit-dim", "knit-faint")}
    # The syntax has one set of colours for all dark themes, and one for all light ones.
    syntax = TEXT if theme in THEMES else DIM
    seen = set()
    for component, color in inks(theme):
        place = component.partition("--")[0]
        least = DIM if color in dim or component in SYNTAX_DIM else syntax if place == "preview" else TEXT
        on = standing["preview"][:1] if component == "preview--gutter" else standing.get(place, standing[""])
        for ground in on:
            found = contrast(ground.blend(color, color.a, alpha=1), ground)
            assert found >= least, (component, color.hex, ground.hex, found)
        seen.add(place)
    assert seen >= {"bar", "result-list", "lens", "action-list", "fact-list", "session-list", "preview"}


def test_a_theme_of_others_keeps_what_is_legible() -> None:
    kept = BUILTIN_THEMES["nord"].to_color_system().generate()
    ours = own_variables(BUILTIN_THEMES["nord"], kept)
    assert ours["foreground"] == kept["foreground"] and ours["panel"] != kept["panel"]
    assert own_variables(THEMES[0], kept) == {}
    knit = {key for key in THEMES[0].variables if key.startswith("knit-")}
    for theme in BUILTIN_THEMES.values():
        assert knit <= set(own_variables(theme, theme.to_color_system().generate())), theme.name
    assert knit <= set(THEMES[1].variables)


def test_which_theme_is_chosen() -> None:
    terminals = (("truecolor", "knit"), ("256", "knit"), ("standard", "ansi"), (None, "ansi"))
    for colours, own in terminals:
        assert chosen("auto", dark=True, colours=colours) == f"{own}-dark"
        assert chosen("auto", dark=False, colours=colours) == f"{own}-light"
    assert chosen("nord", dark=False, colours="standard") == "nord"
    assert chosen("nord", dark=False, colours=None) == "ansi-light"


# On screen


def strips(panel: Any) -> Iterator[tuple[Any, list[Segment]]]:
    for widget in (panel.results, *panel.main.query("OneLine")):
        for y in range(widget.size.height):
            yield widget, list(widget.render_line(y))


def screen(panel: Any) -> list[Segment]:
    """All that is on screen as the terminal gets it."""
    return [segment for strip in panel.app.screen._compositor.render_strips() for segment in strip]


def styles(panel: Any, text: str) -> list[Style]:
    """How ``text`` is written, wherever it is on screen."""
    return [style for shown, style, _control in screen(panel) if text in shown and style is not None]


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
                    assert style.color is not None and style.bgcolor is not None
                    fore, back = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
                    least = DIM if fore == dim else TEXT
                    assert contrast(fore, back) >= least, (widget, text, fore.hex, back.hex)
                    seen.add(fore.hex)
        assert len(seen) >= 5


async def test_the_theme_can_change_while_the_panel_runs(open_panel: Open) -> None:
    async with open_panel(snapshot(), theme="auto") as panel:
        assert panel.app.theme in ("knit-dark", "ansi-dark")
        for theme in ("knit-light", "nord", "ansi-dark"):
            before = panel.results.render_line(1)
            panel.app.use_theme(theme)
            await panel.wait(lambda: panel.results.render_line(1) != before, "other colours")  # noqa: B023
            assert panel.list_lines()[panel.cursor_row].startswith("▌*")
        panel.app.use_theme("no such theme")
        assert panel.app.theme == "knit-dark"


def colours(panel: Any) -> set[str]:
    """The kinds of colour that reach the terminal."""
    found = set()
    for _text, style, _control in screen(panel):
        for color in (style.color, style.bgcolor) if style is not None else ():
            if color is not None:
                found.add(
                    "default" if color.is_default else "named" if color.is_system_defined else color.name
                )
    return found


async def test_the_terminal_s_own_colours_are_all_there_is(open_panel: Open) -> None:
    async with open_panel(snapshot(notices=NOTICES), theme="ansi-light") as panel:
        assert colours(panel) == {"default", "named"}
        panel.app.use_theme("ansi-dark")
        for keys in (("down",), ("question_mark",), ("escape", "w"), ("escape", "slash", *"re", "enter")):
            await panel.press(*keys)
            assert colours(panel) == {"default", "named"}, keys
        # What is under the cursor is reversed without patches of colour, and what is dim is dim by weight.
        row = [style for style in styles(panel, "") if style.reverse]
        assert len(row) > 4
        assert all(style.color is not None and style.color.is_default and not style.dim for style in row)
        assert any(style.dim for style in styles(panel, "docs/guide"))
        assert all(style.reverse for style in styles(panel, " Context"))


async def test_without_colours_weight_says_the_same(
    open_panel: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_panel(snapshot(), theme="nord") as panel:
        assert any(style.bold for style in styles(panel, "*"))
        await panel.press("slash", *"retry", "enter", "down")
        assert colours(panel) == {"default"}
        assert any(style.underline for style in styles(panel, "retry"))
        assert all(style.reverse and style.bold for style in styles(panel, " Context"))
        under = "".join(text for text, style, _ in screen(panel) if style and style.reverse)
        assert panel.rel.rpartition("/")[2] in under
        await panel.press("question_mark")
        assert colours(panel) == {"default"}
        assert any(style.reverse for style in styles(panel, ""))


def test_weights_leave_other_colours_alone() -> None:
    segments = [Segment("a", Style(color="red")), Segment("b"), Segment("c", Style(color="bright_black"))]
    assert WEIGHTS.apply(segments, Color(0, 0, 0))[:2] == segments[:2]
    assert WEIGHTS.apply(segments[2:], Color(0, 0, 0))[0].style == Style(color="default", dim=True)


# ASCII


@pytest.fixture
def ascii_signs() -> Iterator[None]:
    before = usage_words.in_ascii()
    usage_words.use_ascii(True)
    yield
    usage_words.use_ascii(before)


async def test_the_panel_s_own_signs_have_ascii_forms(open_panel: Open, ascii_signs: None) -> None:
    from tests.panel.sample_usage import usage

    items = [each for each in PACK if each.rel.isascii()]
    tracked = snapshot(1, items, usage=usage(), notices=NOTICES)
    walk = (
        (),
        ("a",),
        ("escape", "i"),
        ("question_mark",),
        ("escape", "w"),
        ("escape", "S"),
        ("escape", "X"),
    )
    async with open_panel(tracked, size=(80, 30)) as panel:
        for keys in (*walk, ("escape", "slash", *"re"), ("escape", "colon")):
            await panel.press(*keys)
            text = "".join(text for text, _style, _control in screen(panel))
            # One name in the sample has Chinese letters, and these stay.
            assert not [char for char in text if not char.isascii() and not char.isalpha()], keys
            assert keys or ("|" in text and "--" in text)
