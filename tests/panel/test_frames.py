"""What costs a frame is done once, and not at all for what is out of sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Size
from textual.screen import Screen
from textual.scroll_view import ScrollView

from knit_tui.faces.tui.scrolled import scroll_over
from knit_tui.faces.tui.widgets.peek import Peek
from tests.panel.sample import snapshot

Open = Callable[..., Any]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the costly things were done."""
    times: Counter[str] = Counter()

    def count(kind: type, name: str) -> None:
        whole = getattr(kind, name)

        def counting(self: Any, *args: Any, **named: Any) -> Any:
            times[name] += 1
            return whole(self, *args, **named)

        monkeypatch.setattr(kind, name, counting)

    count(Stylesheet, "reparse")
    count(DOMNode, "update_node_styles")
    count(Screen, "_refresh_layout")
    return times


async def test_a_start_and_a_new_form(open_panel: Open, counted: Counter[str]) -> None:
    async with open_panel(snapshot()) as panel:
        assert counted["reparse"] == 0, "the style sheet is read once"
        drawn = set(panel.results._component_styles)
        assert drawn and drawn < set(panel.results.COMPONENT_CLASSES), "only what is drawn is looked up"
        assert not panel.main.query_one(Peek)._component_styles
        with pytest.raises(KeyError):
            panel.results.get_component_rich_style("result-list--no-such-name")

        before = panel.host.attended
        await panel.press("down")
        assert panel.host.attended > before, "the engine knows that the user moves"

        counted.clear()
        await panel.pilot.resize_terminal(60, 24)
        await panel.wait(lambda: not panel.main.has_class("-beside"), "the other form")
        assert counted["update_node_styles"] == 1, "all classes change at once"

        panel.app.use_theme("knit-light")
        await panel.wait(lambda: counted["reparse"] == 1, "the other theme")


async def test_more_rows_out_of_sight_are_no_new_layout(open_panel: Open, counted: Counter[str]) -> None:
    async with open_panel(snapshot()) as panel:
        view = ScrollView()
        view.styles.height = 5
        await panel.main.mount(view)
        scroll_over(view, Size(1, 50))
        await panel.wait(lambda: view.show_vertical_scrollbar, "the scroll bar")
        await panel.pilot.pause()

        counted.clear()
        scroll_over(view, Size(1, 90))
        await panel.pilot.pause()
        assert view.max_scroll_y == 90 - view.size.height
        assert view.vertical_scrollbar.window_virtual_size == 90
        assert counted["_refresh_layout"] == 0

        scroll_over(view, Size(1, 2))
        await panel.wait(lambda: not view.show_vertical_scrollbar, "no scroll bar")
