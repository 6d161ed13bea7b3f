"""The palette offers everything by its name, finds it by words, and runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knit_tui.config.settings import LANGUAGES, THEMES
from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.actions import command
from knit_tui.faces.tui.commands import Command, choices, offered, remembered, search
from knit_tui.faces.tui.pieces import width_of
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.faces.tui.screens.main import MainScreen
from knit_tui.faces.tui.screens.palette import CommandList, PaletteScreen
from knit_tui.faces.tui.screens.reaching import markdown_link
from knit_tui.model import Tab
from tests.panel.sample import snapshot

Open = Callable[..., Any]
EVERY = offered(ACTIONS, {}, {})


@pytest.fixture(autouse=True)
def own_language_afterwards() -> Iterator[None]:
    yield
    use_language("en")


def found(text: str, recent: tuple[str, ...] = ()) -> list[str]:
    return [each.action.id for each in search(EVERY, text, recent)]


def test_every_action_and_every_value_is_offered_once_under_a_name_of_its_own() -> None:
    ids = [each.action.id for each in EVERY]
    wanted = {action.id for action in ACTIONS if action.group} - {"panel.commands"}
    wanted |= {f"theme.{name}" for name in THEMES} | {f"language.{name}" for name in LANGUAGES}
    assert len(ids) == len(set(ids)) and set(ids) == wanted | {"sort.relevance", "sort.newest"}
    names = [each.name for each in EVERY]
    assert len(names) == len(set(names))
    assert all(name.count(": ") == 1 and name == name.strip() for name in names)
    for action in choices():
        assert hasattr(MainScreen, f"action_{command(action.id).partition('(')[0]}")


def test_words_are_found_in_any_order_and_the_name_counts_most() -> None:
    assert found("dark sol") == found("SOL  dark") == ["theme.solarized-dark"]
    assert found("copy")[:3] == ["copy.path", "copy.line", "copy.absolute"]
    assert found("nord")[0] == "theme.nord"
    assert found("editor") == ["item.edit"]
    assert found("list")[0] == "focus.list"
    assert found("sort") == ["sort.relevance", "sort.newest", "view.sort"]
    assert found("zzz") == []
    assert all(found(each.name)[0] == each.action.id for each in EVERY), "a whole name finds itself"
    assert found("language.zh_CN".lower()) == ["language.zh_CN"]


@given(st.text(max_size=8))
def test_no_text_is_too_odd_to_search_for(text: str) -> None:
    assert set(found(text)) <= {each.action.id for each in EVERY}


@given(st.lists(st.sampled_from([each.action.id for each in EVERY]), max_size=12))
def test_what_was_used_last_comes_first(used: list[str]) -> None:
    recent: tuple[str, ...] = ()
    for action_id in used:
        recent = remembered(recent, action_id)
    assert recent == tuple(dict.fromkeys(reversed(used)))[:5]
    listed = found("", recent)
    assert tuple(listed[: len(recent)]) == recent
    assert listed[len(recent) :] == [each.action.id for each in EVERY if each.action.id not in recent]


@pytest.mark.parametrize("width", (0, 1, 2, 7, 20, 40, 77, 120, 300))
def test_rows_take_exactly_the_width(width: int) -> None:
    commands = [
        *offered(ACTIONS, {"tab.docs": "现在"}, {"item.pin": "没有文档" * 9}),
        Command(choices()[0], "名" * 200, "", "值"),
    ]
    rows = CommandList(commands)
    rows._rows = commands
    for index in range(len(commands)):
        (line,) = rows.row_lines(index, width, cursor=bool(index % 2))
        assert width_of(line) == width


@pytest.mark.parametrize(
    ("rel", "link"),
    (
        ("src/net/retry.py", "[retry.py](src/net/retry.py)"),
        ("docs/指南/a b(1).md", "[a b(1).md](docs/指南/a%20b%281%29.md)"),
        ("a[x](y).md", r"[a\[x\](y).md](a%5Bx%5D%28y%29.md)"),
        ("javascript:x", "[javascript:x](javascript%3Ax)"),
        ("__init__.py", r"[\_\_init\_\_.py](__init__.py)"),
    ),
)
def test_a_markdown_link_is_a_link_whatever_the_name(rel: str, link: str) -> None:
    assert markdown_link(rel) == link


# In the panel


async def open_palette(panel: Any, key: str = "colon") -> Any:
    await panel.press(key)
    await panel.wait(lambda: isinstance(panel.app.screen, PaletteScreen), "the palette")
    return panel.app.screen


async def choose(panel: Any, words: str) -> None:
    """Run what the words find first."""
    palette = await open_palette(panel)
    palette.query_one("LineInput").value = words
    await panel.wait(lambda: bool(palette.rows._terms), f"what {words} finds")
    await panel.press("enter")
    await panel.wait(lambda: panel.app.screen is panel.main, f"the end of {words}")


async def test_a_theme_is_shown_while_the_cursor_is_on_it(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        palette = await open_palette(panel, "ctrl+p")
        palette.query_one("LineInput").value = "theme nord"
        await panel.wait(lambda: panel.app.theme == "nord", "the theme")
        assert "theme: nord" in palette.rows.render_line(0).text
        await panel.press("escape")
        assert (panel.app.screen, panel.app.theme) == (panel.main, "knit-dark")
        palette = await open_palette(panel, "f2")
        palette.query_one("LineInput").value = "theme gruv"
        await panel.wait(lambda: panel.app.theme == "gruvbox", "the theme")
        palette.query_one("LineInput").value = "tab docs"
        await panel.wait(lambda: panel.app.theme == "knit-dark", "the theme before")
        await panel.press("ctrl+p")
        assert panel.app.screen is panel.main
        await choose(panel, "theme nord")
        assert panel.app.theme == "nord"
        assert "panel.theme in the settings" in panel.line("#title")
        palette = await open_palette(panel)
        assert palette.rows.command.action.id == "theme.nord"
        assert palette.rows.command.value == "now"


async def test_commands_run_and_those_that_would_do_nothing_say_why(open_panel: Open) -> None:
    async with open_panel(snapshot(undoable="")) as panel:
        await choose(panel, "sort newest")
        assert panel.main.state.by_time
        await choose(panel, "sort relevance")
        assert not panel.main.state.by_time
        await choose(panel, "media tab")
        assert panel.main.state.tab is Tab.MEDIA
        await choose(panel, "tab context")
        await choose(panel, "absolute")
        await panel.wait(lambda: "/home/mei/courier/docs/style.md" in panel.line("#title"), "the path")
        await choose(panel, "copy link")
        await panel.wait(lambda: "[style.md](docs/style.md)" in panel.line("#title"), "the link")
        await choose(panel, "language english")
        assert panel.main.language == "en"
        palette = await open_palette(panel)
        assert [row.action.id for row in palette.rows._rows[:3]] == [
            "language.en",
            "copy.link",
            "copy.absolute",
        ]
        palette.query_one("LineInput").value = "undo"
        await panel.wait(lambda: palette.rows.command.action.id == "edit.undo", "the command")
        assert "nothing to undo" in palette.rows.render_line(0).text
        await panel.press("enter")
        assert "nothing to undo" in palette.query_one("TitleLine").render_line(0).text
        await panel.press("down")
        assert "nothing to undo" not in palette.query_one("TitleLine").render_line(0).text
        await panel.publish(snapshot(2, undoable="pin a.md"))
        await panel.press("up", "enter")
        await panel.wait(lambda: panel.app.screen is panel.main, "the end of the palette")
        assert [type(change).__name__ for change in panel.host.sent] == ["Undo"]


@pytest.mark.parametrize("size", ((1, 1), (20, 6), (300, 80)))
async def test_the_palette_at_odd_sizes(open_panel: Open, size: tuple[int, int]) -> None:
    async with open_panel(snapshot(), size=size) as panel:
        palette = await open_palette(panel)
        palette.query_one("LineInput").value = "[/]\x1b]0;x\x07"
        await panel.pilot.pause()
        assert "\x1b" not in palette.query_one("LineInput").value
        palette.query_one("LineInput").value = ""
        await panel.press("down", "pagedown", "up")
        width = palette.rows.scrollable_content_region.width
        for y in range(palette.rows.size.height):
            assert palette.rows.render_line(y).cell_length == width
        await panel.press("escape")
        assert panel.app.screen is panel.main
