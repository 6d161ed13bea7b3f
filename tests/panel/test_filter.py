"""What is typed into the filter narrows the list, and is only text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knit_tui.faces.wording import reason_text
from tests.panel.sample import RETRY, snapshot

Open = Callable[..., Any]


async def test_filter_narrows_while_it_is_typed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"Net")
        assert [row.rel for row in panel.results.listing.items] == [
            "src/courier/net/retry.py",
            "tests/net/test_retry.py",
            "src/courier/net/client.py",
            "src/courier/net/README.md",
        ]
        assert "4 of 12" in panel.line("#filter-found")
        await panel.press("space", *"cli")
        assert [row.rel for row in panel.results.listing.items] == ["src/courier/net/client.py"]


async def test_letters_type_and_arrows_move_while_a_filter_is_typed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"pqxu1", "backspace", "backspace", "backspace", "backspace", "backspace")
        assert panel.host.sent == []
        await panel.press(*"retr", "down", "down", "up")
        assert panel.rel == "docs/guide/retries.md"


async def test_enter_keeps_the_filter_as_a_chip(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"net", "enter")
        assert panel.app.focused is panel.results
        assert "/net 4 of 12" in panel.line("#tabs")
        await panel.press("down", "slash")
        assert panel.main.query_one("LineInput").value == "net"
        await panel.press("enter", "escape")
        assert panel.main.state.filter == ""
        assert "/net" not in panel.line("#tabs")
        assert panel.rel == "tests/net/test_retry.py"


async def test_escape_clears_and_then_leaves(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"net", "escape")
        assert panel.main.query_one("LineInput").has_focus
        assert len(panel.results.listing.items) == 12
        await panel.press("escape")
        assert panel.app.focused is panel.results


async def test_matches_are_underlined(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash", *"retr", "enter")
        marked = {
            segment.text
            for y in range(panel.results.page)
            for segment in panel.results.render_line(y)
            if segment.style is not None and segment.style.underline
        }
        assert marked == {"retr", "Retr"}
        said = [
            y
            for y in range(panel.results.page)
            if RETRY.reason and reason_text(RETRY.reason) in panel.results.render_line(y).text
        ]
        assert said
        assert not any(
            part.style and part.style.underline for y in said for part in panel.results.render_line(y)
        )


async def test_a_filter_is_only_text(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("slash")
        panel.main.query_one("LineInput").value = "\x1b[2J[/]\u202e"
        await panel.wait(lambda: bool(panel.main.state.filter), "the filter")
        text = panel.line("#tabs") + "".join(panel.list_lines()) + panel.main.query_one("LineInput").value
        assert "\x1b" not in text and "\u202e" not in text
