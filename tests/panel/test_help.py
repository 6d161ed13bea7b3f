"""The help lists every action, finds it by word or key, and runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knit_tui.engine.changes import Unpin
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.faces.tui.screens.help import HelpScreen
from knit_tui.model import Tab
from tests.panel.sample import snapshot

Open = Callable[..., Any]


async def open_help(panel: Any, key: str = "question_mark") -> Any:
    await panel.press(key)
    await panel.wait(lambda: isinstance(panel.app.screen, HelpScreen), "the help")
    return panel.app.screen.rows


@pytest.mark.parametrize("key", ("question_mark", "f1"))
async def test_help_lists_every_action_and_closes(open_panel: Open, key: str) -> None:
    async with open_panel(snapshot()) as panel:
        actions = await open_help(panel, key)
        listed = [row.id for row in actions._rows if not isinstance(row, str)]
        assert sorted(listed) == sorted(action.id for action in ACTIONS if action.group)
        await panel.press("escape")
        await panel.wait(lambda: panel.app.screen is panel.main, "the panel")
        assert panel.app.focused is panel.results


@pytest.mark.parametrize(
    ("words", "found"),
    (
        ("pictures", ["tab.media"]),
        ("pin take", ["item.pin", "edit.undo"]),
        ("CTRL+D", ["scroll.half_down"]),
        ("panel pin", []),
        ("zzz", []),
    ),
)
async def test_help_is_searched_by_help_label_and_key(open_panel: Open, words: str, found: list[str]) -> None:
    async with open_panel(snapshot()) as panel:
        actions = await open_help(panel)
        panel.app.screen.query_one("LineInput").value = words
        await panel.wait(
            lambda: [row.id for row in actions._rows if not isinstance(row, str)] == found,
            f"{words} to find {found}",
        )
        if not found:
            assert "No action like that" in actions.render_line(0).text


async def test_a_key_that_is_typed_leads_to_its_action(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        actions = await open_help(panel)
        for key, action_id in (("x", "item.exclude"), ("X", "excluded.show"), ("?", "panel.help")):
            panel.app.screen.query_one("LineInput").value = key
            await panel.wait(lambda id=action_id: actions.action.id == id, f"{action_id} by {key}")
            assert actions.is_visible(actions.cursor)


async def test_the_foot_says_where_keys_are_set_and_its_keys_can_be_clicked(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_help(panel)
        assert "knit config" in panel.app.screen.query_one("NoteLine").render_line(0).text
        keys = panel.app.screen.query_one("KeyLine")
        await panel.press(*"pictures")
        await panel.pilot.click(keys, offset=(keys.render_line(0).text.index("run it"), 0))
        await panel.wait(lambda: panel.main.state.tab is Tab.MEDIA, "the tab")
        await open_help(panel)
        keys = panel.app.screen.query_one("KeyLine")
        await panel.pilot.click(keys, offset=(keys.render_line(0).text.index("close"), 0))
        await panel.wait(lambda: panel.app.screen is panel.main, "the panel")


async def test_enter_runs_what_is_under_the_cursor(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_help(panel)
        await panel.press(*"pictures", "enter")
        await panel.wait(lambda: panel.main.state.tab is Tab.MEDIA, "the tab")
        assert panel.app.screen is panel.main


async def test_arrows_choose_and_the_wheel_of_groups_is_skipped(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        actions = await open_help(panel)
        first = actions.action
        await panel.press("down", "down", "up")
        assert actions.action is not first
        await panel.press("pagedown", "pageup", "up", "up", "up")
        assert actions.action is first


async def test_a_double_click_runs(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_help(panel)
        await panel.press(*"pin the")
        await panel.pilot.click("#help-actions", offset=(6, 1), times=2)
        await panel.wait(lambda: bool(panel.host.sent), "the pin")
        assert panel.host.sent == [Unpin("docs/style.md")]


async def test_snapshots_arrive_under_the_help(open_panel: Open) -> None:
    async with open_panel(snapshot(), rest=0.0) as panel:
        await open_help(panel)
        await panel.publish(snapshot(2, ()))
        await panel.press("escape")
        assert len(panel.results.listing.items) == 0


@pytest.mark.parametrize("size", ((1, 1), (3, 3), (20, 6), (300, 80)))
async def test_help_at_odd_sizes(open_panel: Open, size: tuple[int, int]) -> None:
    async with open_panel(snapshot(), size=size) as panel:
        actions = await open_help(panel)
        await panel.press("down", "p", "pagedown")
        width = actions.scrollable_content_region.width
        for y in range(actions.size.height):
            assert actions.render_line(y).cell_length == width
