"""Every key does what the registry says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from knit_tui.engine.changes import Exclude, Pin, Redo, Restore, Undo, Unpin, WorkspaceChanged
from knit_tui.model import Controls, Mode, Tab
from tests.panel.sample import PACK, PINNED, QUERY, RETRY, item, numbered, snapshot, views

Open = Callable[..., Any]


async def test_moving_by_one(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        assert panel.rel == "docs/style.md"
        for keys, rel in (
            (("down",), "src/courier/net/retry.py"),
            (("j", "j"), "tests/net/test_retry.py"),
            (("up",), "docs/guide/retries.md"),
            (("k", "k", "k"), "docs/style.md"),
        ):
            await panel.press(*keys)
            assert panel.rel == rel


async def test_moving_by_pages_and_to_the_ends(open_panel: Open) -> None:
    items = numbered(100)
    async with open_panel(snapshot(1, items), size=(80, 30)) as panel:
        seen = [panel.results.cursor]
        for key in ("pagedown", "pagedown", "pageup"):
            await panel.press(key)
            seen.append(panel.results.cursor)
            assert panel.results.is_visible(panel.results.cursor)
        assert seen[0] < seen[1] < seen[2] > seen[3] > seen[0]
        for bottom, top in (("G", "g"), ("end", "home")):
            await panel.press(bottom)
            assert panel.rel == items[-1].rel
            assert panel.results.is_visible(panel.results.cursor)
            await panel.press(top)
            assert panel.rel == items[0].rel
            assert panel.results.top == 0


async def test_moving_by_tiers(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        names = []
        for key in (
            "right_curly_bracket",
            "shift+down",
            "right_curly_bracket",
            "left_curly_bracket",
            "shift+up",
        ):
            await panel.press(key)
            names.append(panel.rel.rpartition("/")[2])
        assert names == ["retry.py", "retries.md", "client.py", "retries.md", "retry.py"]


async def test_the_cursor_stops_at_the_ends(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("up", "pageup", "left_curly_bracket")
        assert panel.rel == "docs/style.md"
        await panel.press("G", "down", "pagedown", "right_curly_bracket")
        assert panel.rel == "docs/设计/队列.md"


async def test_tabs(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        for key, tab in (
            ("2", Tab.DOCS),
            ("3", Tab.CODE),
            ("4", Tab.MEDIA),
            ("1", Tab.CONTEXT),
            ("left_square_bracket", Tab.MEDIA),
            ("right_square_bracket", Tab.CONTEXT),
            ("right_square_bracket", Tab.DOCS),
            ("shift+left", Tab.CONTEXT),
            ("shift+right", Tab.DOCS),
        ):
            await panel.press(key)
            assert panel.main.state.tab is tab
        assert panel.rel == "docs/style.md"


async def test_each_tab_remembers_the_item(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "down")
        row = panel.cursor_row
        await panel.press("3", "down", "1")
        assert (panel.rel, panel.cursor_row) == ("docs/guide/retries.md", row)
        await panel.press("3")
        assert panel.rel == "tests/net/test_retry.py"


async def test_sort(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("s")
        assert panel.rel == "src/courier/net/retry.py"
        assert "sort newest" in panel.line("#tabs")
        await panel.press("s")
        assert panel.rel == "docs/style.md"
        assert "sort relevance" in panel.line("#tabs")


async def test_relevance_says_what_it_goes_by_where_there_is_room(open_panel: Open) -> None:
    query = replace(QUERY, topic=("retry", "[b]重试[/b]\x1b"))
    async with open_panel(snapshot(query=query)) as panel:
        assert "sort by retry, [b]重试[/b]" in panel.line("#tabs")
        await panel.press("s")
        assert "sort newest" in panel.line("#tabs")
    async with open_panel(snapshot(query=query), size=(60, 24)) as panel:
        assert "by retry" not in panel.line("#tabs")


async def test_there_is_nothing_to_sort_without_a_query(open_panel: Open) -> None:
    async with open_panel(snapshot(views=views(PACK, mode=Mode.NEWEST))) as panel:
        await panel.press("s")
        assert not panel.main.state.by_time
        assert "newest first" in panel.line("#tabs")
        assert "sort" not in panel.line("#hints")


async def test_focus_moves_between_list_and_preview(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        for there, back in (
            ("enter", "escape"),
            ("l", "h"),
            ("right", "left"),
            ("tab", "shift+tab"),
            ("shift+tab", "tab"),
        ):
            await panel.press(there)
            assert panel.app.focused is panel.preview, there
            assert "back" in panel.line("#hints")
            await panel.press(back)
            assert panel.app.focused is panel.results, back


async def test_the_preview_follows_the_cursor(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down")
        await panel.wait(lambda: panel.preview.seen[-1:] == [RETRY], "the preview of retry.py")
        await panel.press("down", "down", "down", "up", "up", "up", "up")
        await panel.wait(lambda: panel.preview.seen[-1:] == [PINNED], "the preview of style.md")


async def test_a_burst_of_moves_loads_few_previews(open_panel: Open) -> None:
    async with open_panel(snapshot(1, numbered(400))) as panel:
        await panel.wait(lambda: bool(panel.preview.seen), "the first preview")
        before = len(panel.preview.seen)
        for _step in range(40):
            panel.main.action_move("down")
        await panel.wait(lambda: panel.preview.seen[-1].rel == panel.rel, "the last preview")
        assert len(panel.preview.seen) - before <= 2


async def test_the_preview_is_scrolled_from_the_list(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down")
        for key, asked in (
            ("J", ("lines", 3)),
            ("K", ("lines", -3)),
            ("d", ("half", 1)),
            ("ctrl+d", ("half", 1)),
            ("D", ("half", -1)),
            ("ctrl+u", ("half", -1)),
            ("n", ("passage", 1)),
            ("N", ("passage", -1)),
        ):
            panel.preview.asked.clear()
            await panel.press(key)
            assert panel.preview.asked == [asked]
            assert panel.app.focused is panel.results


async def test_keys_of_movement_go_to_the_preview_that_has_the_focus(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("enter")
        for key, asked in (
            ("j", ("lines", 1)),
            ("up", ("lines", -1)),
            ("pagedown", ("page", 1)),
            ("pageup", ("page", -1)),
            ("G", ("lines", 10**9)),
            ("home", ("lines", -(10**9))),
        ):
            panel.preview.asked.clear()
            await panel.press(key)
            assert panel.preview.asked == [asked]
            assert panel.rel == "docs/style.md"


async def test_pin_and_unpin(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "p")
        assert panel.host.sent == [Pin("src/courier/net/retry.py")]
        assert "pinned retry.py, u undoes" in panel.line("#title")
        line = panel.list_lines()[panel.cursor_row]
        assert line.startswith("▌*1 retry.py")
        await panel.press("p")
        assert panel.host.sent[-1] == Unpin("src/courier/net/retry.py")
        await panel.press("up", "p", "p")
        assert panel.host.sent[-2:] == [Unpin("docs/style.md"), Pin("docs/style.md")]


async def test_exclude_and_take_it_back(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "x")
        assert panel.host.sent == [Exclude("src/courier/net/retry.py")]
        assert "excluded retry.py, u undoes" in panel.line("#title")
        assert panel.list_lines()[panel.cursor_row].startswith("▌-1 retry.py")
        await panel.press("x")
        assert panel.host.sent[-1] == Restore("src/courier/net/retry.py")
        assert panel.list_lines()[panel.cursor_row].startswith("▌ 1 retry.py")


async def test_the_answer_to_an_exclusion_comes_at_once_and_the_cursor_goes_to_the_neighbour(
    open_panel: Open,
) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "x")
        rest = [each for each in PACK if each is not RETRY]
        await panel.publish(snapshot(2, rest, controls=Controls(excluded=(RETRY.rel,))))
        assert not panel.main.state.holding
        assert panel.rel == "docs/guide/retries.md"


async def test_undo_and_redo(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        assert "u undo" in panel.line("#hints")
        await panel.press("u", "U")
        assert panel.host.sent == [Undo(), Redo()]


async def test_undo_says_what_it_took_back(open_panel: Open) -> None:
    async with open_panel(snapshot(undoable="exclude docs/some where/b.md")) as panel:
        await panel.press("u")
        assert "undone: exclude b.md, U does it again" in panel.line("#title")


async def test_nothing_to_undo(open_panel: Open) -> None:
    async with open_panel(snapshot(undoable="")) as panel:
        assert "undo" not in panel.line("#hints")
        await panel.press("u")
        assert panel.host.sent == []
        assert "nothing to undo" in panel.line("#title")


async def test_refresh_looks_at_the_files_again(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("r")
        assert panel.host.sent == [WorkspaceChanged()]
        assert "looking at the files again" in panel.line("#title")


@pytest.mark.parametrize("key", ("q", "ctrl+c"))
async def test_quit(open_panel: Open, key: str) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press(key)
        await panel.wait(lambda: not panel.app.is_running or panel.app._exit, "the end")
    assert panel.host.stopped == 1


async def test_ctrl_c_quits_from_filter_and_help(open_panel: Open) -> None:
    for opener in ("slash", "f1"):
        async with open_panel(snapshot()) as panel:
            await panel.press(opener, "ctrl+c")
            await panel.wait(lambda panel=panel: panel.app._exit, "the end")


# The mouse


async def test_a_click_selects_and_a_second_one_opens(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.pilot.click("#results", offset=(8, 4))
        assert panel.rel == "src/courier/net/retry.py"
        assert panel.app.focused is panel.results
        await panel.pilot.click("#results", offset=(8, 4), times=2)
        await panel.wait(lambda: panel.app.focused is panel.preview, "the preview")


async def test_a_click_on_a_heading_or_below_the_rows_does_nothing(open_panel: Open) -> None:
    async with open_panel(snapshot(1, PACK[:2])) as panel:
        await panel.press("down")
        for y in (0, 3, 12):
            await panel.pilot.click("#results", offset=(8, y))
            assert panel.rel == "src/courier/net/retry.py"


async def test_the_wheel_moves_the_view_and_not_the_cursor(open_panel: Open) -> None:
    async with open_panel(snapshot(1, numbered(100)), size=(80, 30)) as panel:
        await panel.pilot._post_mouse_events([_wheel_down()], "#results")
        await panel.wait(lambda: panel.results.top > 0, "a scrolled list")
        assert panel.rel == numbered(1)[0].rel


def _wheel_down() -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_tabs_sort_and_hints_can_be_clicked(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.pilot.click("#tabs", offset=(panel.line("#tabs").index("Code"), 0))
        assert panel.main.state.tab is Tab.CODE
        await panel.pilot.click("#tabs", offset=(panel.line("#tabs").index("relevance"), 0))
        assert panel.main.state.by_time
        await panel.pilot.click("#hints", offset=(panel.line("#hints").index("pin"), 0))
        assert panel.host.sent == [Pin("src/courier/net/retry.py")]
        await panel.pilot.click("#hints", offset=(panel.line("#hints").index("filter"), 0))
        await panel.wait(lambda: panel.main.query_one("LineInput").has_focus, "the filter")
        await panel.pilot.click("#hints", offset=(panel.line("#hints").index("keep"), 0))
        await panel.wait(lambda: panel.app.focused is panel.results, "the list")


# Names from outside in messages


async def test_names_in_messages_are_text(open_panel: Open) -> None:
    hostile = item("[/red]\x1b]0;x\x07[@click=app.quit]a[/].py")
    async with open_panel(snapshot(1, (hostile,), undoable="pin [/]\x1b")) as panel:
        for key in ("p", "x", "u"):
            await panel.press(key)
            assert "\x1b" not in panel.line("#title")
        await panel.publish(snapshot(2, (replace(hostile, pinned=True),)))
        assert panel.rel == hostile.rel
