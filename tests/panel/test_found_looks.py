"""What a demanding user found wrong with what is on screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from knit_tui.faces.tui.empty import empty_text
from knit_tui.faces.tui.filters import SIGNS
from knit_tui.faces.tui.widgets.dialog_lines import KeyLine
from knit_tui.model import Access, Mode, Query, SessionStatus, Tab, View
from tests.panel.sample import item, snapshot

Open = Callable[..., Any]


async def test_a_dialog_in_the_terminals_colours_stands_over_the_panel_and_has_an_edge(
    open_panel: Open,
) -> None:
    async with open_panel(snapshot(), theme="ansi-dark") as panel:
        await panel.press("X")
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", panel.app.export_screenshot())
        drawn = "".join(texts)
        assert "Primary" in drawn, "the panel behind it"
        assert "┌" in drawn and "┌" in SIGNS
        await panel.press("X", "S")  # the list of sessions closes by a click on its key too
        line = panel.app.screen.query_one(KeyLine)
        await panel.pilot.click(line, offset=(line.render_line(0).text.index("close"), 0))
        await panel.wait(lambda: panel.app.screen is panel.main, "the end of the dialog")


def test_an_empty_tab_says_where_the_files_are() -> None:
    pictures = tuple(item(f"{name}.png") for name in "abc")
    media = View(Tab.MEDIA, Mode.NEWEST, pictures, total=3)
    views = {Tab.CONTEXT: View(Tab.CONTEXT, Mode.NEWEST), Tab.MEDIA: media}
    nothing = snapshot(query=Query(), views=views)
    said = empty_text(nothing, Tab.CONTEXT, by_time=False, filter="", failure="")
    assert "3 files in media: press 4." in said


async def test_a_title_without_room_for_all_of_the_session_names_it(open_panel: Open) -> None:
    chosen = SessionStatus("following", "claude", "4f2a91c0-1", how="chosen", others=3)
    async with open_panel(snapshot(session=chosen), size=(120, 30)) as panel:
        assert panel.line("#title").rstrip().endswith("claude session 4f2a91c0")
        await panel.pilot.resize_terminal(170, 30)
        await panel.wait(lambda: panel.line("#title").rstrip().endswith("(chosen), 3 more here"), "the rest")


async def test_the_source_map_of_a_script_is_found_beside_it(open_panel: Open) -> None:
    items = (item("web/app.js"), item("web/app.js.map", access=Access.GENERATED), item("web/other.js"))
    async with open_panel(snapshot(items=items)) as panel:
        await panel.wait(lambda: panel.main.preview.mapped, "the preview of the script")
        await panel.main.run_action("inspect_map")
        assert panel.results.item.rel == "web/app.js.map"
        await panel.press("down")
        await panel.main.run_action("inspect_map")
        assert "there is no source map beside it" in panel.line("#title")
