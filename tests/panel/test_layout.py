"""The panel at every size, and what leaves it when there is little room."""

from __future__ import annotations

import gc
import gettext
from collections.abc import Callable
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.widget import Widget

from knit_tui.faces import i18n
from tests.panel.sample import NOTICES, PACK, PICTURES, SECRET, item, numbered, snapshot
from tests.panel.test_rows import HOSTILE, has_control, hostile_item

Open = Callable[..., Any]


async def resize(panel: Any, width: int, height: int) -> None:
    driver = panel.app._driver
    driver._size = (width, height)
    size = Size(width, height)
    panel.app.post_message(events.Resize(size, size))

    def laid_out() -> bool:
        bars = [widget.region for widget in panel.main.children if widget.display]
        return bool(panel.app.size == size == panel.main.size and max(bar.bottom for bar in bars) >= height)

    await panel.wait(laid_out, f"{width}x{height}")
    await panel.pilot.pause()


def check_lines(panel: Any) -> None:
    """Every visible line of every widget of ours has exactly the cells of the widget."""
    for widget in (panel.results, *panel.main.query("OneLine")):
        if not widget.display or not widget.region:
            continue
        width = widget.scrollable_content_region.width
        for y in range(widget.size.height):
            strip = widget.render_line(y)
            assert strip.cell_length == width, (widget, y)
            assert sum(segment.cell_length for segment in strip) == width
            assert not has_control(strip.text)


async def test_hostile_names_at_narrow_widths(open_panel: Open) -> None:
    names = tuple(hostile_item(name) for name in HOSTILE)
    hostile = snapshot(1, names, root="/tmp/\x1b[31m\u202e", notices=NOTICES)
    async with open_panel(hostile, size=(60, 60)) as panel:
        for width in (60, 59, 45, 38, 37, 30, 24, 20, 19, *range(12, 0, -1)):
            await resize(panel, width, 60)
            check_lines(panel)


class Wide(gettext.NullTranslations):
    """A language in which every word is wide."""

    def gettext(self, message: str) -> str:
        return f"测试{message}。"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid2)


async def test_a_language_of_wide_letters(open_panel: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_catalogue", Wide())
    items = (*PACK, *PICTURES, SECRET)
    async with open_panel(snapshot(1, items, notices=NOTICES), size=(140, 30)) as panel:
        assert "测试filter" in panel.line("#hints")
        for keys in ((), ("s",), ("slash", "r", "enter"), ("p",), ("4",)):
            await panel.press(*keys)
            for width in (140, 99, 59, 30, 11, 1):
                await resize(panel, width, 30)
                check_lines(panel)


@pytest.mark.parametrize("size", ((1, 1), (300, 1), (5, 5)))
async def test_tiny_terminals_take_every_key(open_panel: Open, size: tuple[int, int]) -> None:
    async with open_panel(snapshot(notices=NOTICES), size=size) as panel:
        await panel.press(
            "down", "G", "g", "pagedown", "2", "s", "slash", "a", "escape", "escape", "enter", "escape"
        )
        await panel.press("f1", "r", "escape", "right_curly_bracket", "p", "x")
        check_lines(panel)


@pytest.mark.parametrize(
    ("size", "shape"),
    (
        ((59, 40), "list"),
        ((60, 40), "stacked"),
        ((99, 40), "stacked"),
        ((100, 40), "beside"),
        ((100, 17), "beside"),
        ((80, 17), "list"),
    ),
)
async def test_the_shape_follows_the_size(open_panel: Open, size: tuple[int, int], shape: str) -> None:
    async with open_panel(snapshot(), size=size) as panel:
        results, preview = panel.results.region, panel.preview.region
        if shape == "list":
            assert not panel.preview.display
            assert results.width == size[0]
        elif shape == "stacked":
            assert preview.y == results.bottom and preview.width == results.width == size[0]
        else:
            assert preview.x == results.right + 1 and preview.y == results.y


async def test_in_a_narrow_panel_enter_swaps_and_escape_swaps_back(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(40, 24)) as panel:
        await panel.press("down", "enter")
        await panel.wait(lambda: panel.app.focused is panel.preview, "the preview")
        assert panel.preview.display and not panel.results.display
        await panel.wait(lambda: panel.preview.seen[-1:] == [PACK[1]], "the file")
        await panel.press("escape")
        await panel.wait(lambda: panel.app.focused is panel.results, "the list")
        assert panel.results.display and not panel.preview.display
        assert panel.rel == PACK[1].rel and panel.results.is_visible(panel.results.cursor)


async def test_a_hidden_preview_reads_no_file(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(40, 24)) as panel:
        await panel.press("down", "down")
        await panel.wait(lambda: panel.main._preview_timer is None, "the delay of the preview")
        assert panel.preview.seen == []


async def test_reading_goes_on_when_the_panel_gets_narrow(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        await panel.press("down", "enter")
        await resize(panel, 40, 40)
        assert panel.preview.display and not panel.results.display
        await resize(panel, 120, 40)
        assert panel.preview.display and panel.results.display
        assert panel.rel == PACK[1].rel


async def test_the_title_keeps_the_task_and_lets_facts_go(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(200, 40)) as panel:
        line = panel.line("#title")
        assert line.startswith(' "Add jitter to the HTTP retry backoff, and keep the cap at 30 seconds"')
        assert line.rstrip().endswith("12 of 1,204 files, 2 excluded   claude session 4f2a91c0")
        await resize(panel, 80, 40)
        assert "12 of 1,204 files" in panel.line("#title") and "session" not in panel.line("#title")
        await resize(panel, 40, 40)
        assert panel.line("#title").startswith(' "Add jitter') and "12/1,204" in panel.line("#title")
        assert '…"' in panel.line("#title")
        await resize(panel, 12, 40)
        assert panel.line("#title").startswith(' "Add')


async def test_the_hints_leave_from_the_right_and_help_stays(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(100, 40)) as panel:
        for width in (100, 60, 40, 24, 12, 6, 3):
            await resize(panel, width, 40)
            assert "?" in panel.line("#hints"), width
        await resize(panel, 40, 40)
        assert "enter open" in panel.line("#hints")


async def test_tabs_give_up_counts_before_names(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(100, 40)) as panel:
        await panel.press("2")
        await resize(panel, 34, 40)
        assert panel.line("#tabs").split() == ["Context", "Docs", "Code", "Media"]
        await resize(panel, 12, 40)
        assert panel.line("#tabs").strip() == "Docs"


async def test_focus_changes_leave_nothing_behind(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:

        def count() -> int:
            gc.collect()
            return sum(isinstance(each, Widget) for each in gc.get_objects())

        before = count()
        for _round in range(30):
            panel.app.post_message(events.AppBlur())
            panel.app.post_message(events.AppFocus())
        await panel.pilot.pause()
        await panel.wait(lambda: panel.app.focused is panel.results, "the focus")
        assert count() <= before


async def test_no_color_still_shows_cursor_pins_and_tab(
    open_panel: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_panel(snapshot()) as panel:
        cursor = panel.results.render_line(panel.cursor_row)
        assert cursor.text.startswith("▌*")
        assert all(segment.style.reverse for segment in cursor if segment.style and segment.text.strip("▌"))
        active = [
            segment for segment in panel.main.query_one("#tabs").render_line(0) if "Context" in segment.text
        ]
        assert active[0].style.reverse and active[0].style.bold


async def test_ten_thousand_rows_lay_out_only_what_is_seen(open_panel: Open) -> None:
    async with open_panel(snapshot(1, numbered(10_000)), size=(120, 40)) as panel:
        await panel.press("G")
        assert panel.rel == numbered(1, first=9_999)[0].rel
        assert len(panel.results._strips) < 100


async def test_a_scrollbar_that_appears_stands_where_the_view_is(open_panel: Open) -> None:
    items = numbered(100)
    async with open_panel(snapshot(1, items[:2]), size=(80, 30), rest=0.0) as panel:
        await panel.press("down")
        await panel.publish(snapshot(2, (*items[2:90], *items[:2], *items[90:])))
        await panel.wait(lambda: panel.results.show_vertical_scrollbar, "the scrollbar")
        await panel.pilot.pause()
        assert panel.results.top > 0
        assert panel.results.vertical_scrollbar.position == panel.results.top


async def test_an_odd_name_is_followed_by_its_exact_path(open_panel: Open) -> None:
    names = (item("a/\udcff.md"), item("a/\udcfe.md"))
    async with open_panel(snapshot(1, names), rest=0.0) as panel:
        await panel.press("down", "p")
        assert panel.host.sent[0].rel == "a/\udcfe.md"
        await panel.publish(snapshot(2, names[::-1]))
        assert panel.rel == "a/\udcfe.md"
