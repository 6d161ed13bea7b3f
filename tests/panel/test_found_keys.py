"""Keys in a burst, in the wrong place, and chosen by the user; each test is for something that went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from textual import events
from textual.keys import _character_to_key

from knit_tui.engine.changes import Exclude, Undo, Unpin
from knit_tui.faces.tui.actions import use_actions
from knit_tui.faces.tui.evidence_rows import evidence_rows
from knit_tui.faces.tui.messages import EngineFailed, SnapshotReady
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.faces.tui.screens.excluded import ExcludedScreen
from knit_tui.faces.tui.screens.help import HelpScreen
from knit_tui.faces.tui.screens.palette import PaletteScreen
from knit_tui.faces.tui.screens.sessions import SessionScreen
from knit_tui.faces.tui.screens.why import WhyScreen
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine
from knit_tui.faces.tui.widgets.title_bar import held_text, undone_text
from knit_tui.model import SessionStatus
from tests.panel.sample import QUERY, item, snapshot
from tests.panel.sample_usage import usage
from tests.panel.test_keymap import bind

Open = Callable[..., Any]


@pytest.fixture(autouse=True)
def own_keys_afterwards() -> Iterator[None]:
    yield
    use_actions(ACTIONS)


def rebind(**keys: str) -> None:
    """Give actions one key each; ``item_pin`` is ``item.pin``."""
    use_actions(tuple(bind({name.replace("_", ".", 1): (key,) for name, key in keys.items()})[0].values()))


async def burst(panel: Any, text: str) -> None:
    """Keys that arrive all at once, as over a slow line."""
    for character in text:
        named = {"\r": "enter"}.get(character)
        key = events.Key(named or _character_to_key(character), None if named else character)
        panel.app.post_message(key)
    await panel.pilot.pause()


async def test_what_is_typed_behind_a_key_goes_where_the_key_led(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await burst(panel, "/auth")
        await panel.wait(lambda: panel.main.state.filter == "auth", "the filter")
        await panel.press("escape", "escape")
        await burst(panel, "thow\r")
        await panel.wait(lambda: panel.main.state.task == "how", "the task")
        assert panel.main.state.filter == "" and panel.app.focused is panel.results
        await burst(panel, ":pin")
        await panel.wait(lambda: isinstance(panel.app.screen, PaletteScreen), "the palette")
        await panel.wait(lambda: panel.app.screen.query_one("LineInput").value == "pin", "what was typed")
        assert [type(change).__name__ for change in panel.host.sent] == ["Ask"]


async def test_a_filter_that_lost_the_focus_is_kept_and_closed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", "r", "e")
        await panel.pilot.click("#results", offset=(5, 1))
        await panel.wait(lambda: not panel.main.has_class("-filtering"), "the line to close")
        assert (panel.main.state.filter, panel.app.focused) == ("re", panel.results)
        panel.main.query_one("#filter-input").focus()  # by no key of ours
        await panel.pilot.pause()
        await panel.press("escape", "escape")
        assert (panel.main.state.filter, panel.app.focused) == ("", panel.results)


async def test_a_key_that_does_nothing_says_why(open_panel: Open) -> None:
    async with open_panel(snapshot(items=(), session=SessionStatus("off"))) as panel:
        for key, why in (
            ("a", "no session is followed"),
            ("n", "no document is chosen"),
            ("p", "no document is chosen"),
            ("space", "no document is chosen"),
            ("U", "nothing to redo"),
            ("L", "there is no text in the preview"),
        ):
            await panel.press(key)
            assert why in panel.line("#title"), key
        await panel.press("H")
        await panel.press("H")
        assert "hidden" not in panel.line("#title"), "the header is there"


async def test_dialogs_go_by_the_keys_of_the_panel(open_panel: Open) -> None:
    rebind(
        session_choose="f5",
        excluded_show="f6",
        inspect_open="f7",
        panel_help="f8",
        move_down="n",
        item_pin="f9",
        item_exclude="f10",
        edit_undo="f11",
        panel_quit="Q",
    )
    async with open_panel(snapshot()) as panel:
        for key, screen, close in (
            ("f5", SessionScreen, "f5"),
            ("f6", ExcludedScreen, "Q"),
            ("f7", WhyScreen, "f7"),
            ("f8", HelpScreen, "f8"),
        ):
            await panel.press(key)
            await panel.wait(lambda screen=screen: isinstance(panel.app.screen, screen), key)
            if screen is WhyScreen:
                await panel.press("q", "w", "p", "f9", "f10", "f11")
                assert [type(change) for change in panel.host.sent[1:]] == [Unpin, Exclude, Undo]
                keys = panel.app.screen.query_one(KeyLine).render_line(0).text
                assert "f9 unpin" in keys and "f10 exclude" in keys
            assert isinstance(panel.app.screen, screen), "keys that were given away close nothing"
            await panel.press(close)
            assert panel.app.screen is panel.main
        await panel.press("n")
        assert panel.results.cursor > 1, "and the list moves by the key that the dialogs move by"


async def test_a_preview_with_the_focus_has_the_keys_of_the_panel(open_panel: Open) -> None:
    rebind(move_down="f5", item_pin="j")
    async with open_panel(snapshot()) as panel:
        await panel.press("enter", "f5")
        assert panel.preview.asked == [("lines", 1)]
        await panel.press("j")
        assert len(panel.host.sent) == 1 and panel.preview.asked == [("lines", 1)]


def test_texts_name_the_keys_that_work() -> None:
    rebind(edit_redo="f5", view_refresh="f6", inspect_open="f7")
    assert (held_text(0), held_text(3)) == ("new order: f6", "3 changes: f6")
    assert undone_text("pin a/b.md") == "undone: pin b.md, f5 does it again"
    assert (
        evidence_rows(item("a.md"), whole=False)[-1].text == "nothing speaks for it; f7 tells where it stands"
    )


async def test_a_snapshot_at_the_very_end_does_no_harm(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        pass
    panel.app._receive(SnapshotReady(snapshot(2)))
    panel.app._fail(EngineFailed("too late"))


async def test_a_task_can_be_typed_before_anything_is_found(open_panel: Open) -> None:
    async with open_panel() as panel:
        await burst(panel, "tfix it\r")
        await panel.wait(lambda: [type(each).__name__ for each in panel.host.sent] == ["Ask"], "the task")
        typed = replace(QUERY, typed="fix it")
        await panel.publish(snapshot(query=typed))
        await panel.press("down")
        await panel.publish(snapshot(2, query=typed))
        assert panel.results.cursor > 1, "it was answered once"


async def test_hints_are_of_what_the_cursor_is_on(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a", "tab", "tab")
        assert panel.main.in_lens and "e edit" not in panel.line("#hints"), "a tier is no document"
        await panel.press("G")
        await panel.wait(lambda: "e edit" in panel.line("#hints"), "the hints of a document")
