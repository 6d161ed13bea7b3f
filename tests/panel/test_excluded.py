"""What is left out, and pins whose files are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rich.cells import cell_len

from knit_tui.engine.changes import Redo, Restore, Undo, Unpin
from knit_tui.faces.tui.screens.excluded import ExcludedScreen
from knit_tui.model import Controls, Item, Tier
from tests.panel import sample
from tests.panel.sample import snapshot

Open = Callable[..., Any]
GONE: Item = sample.item("docs/gone.md", Tier.PINNED, pinned=True, missing=True)
CONTROLS = Controls(("docs/gone.md", "docs/style.md"), ("a.md", "src/deep/b.md"))


def both() -> Any:
    return snapshot(items=(GONE, *sample.PACK), controls=CONTROLS)


def screen(panel: Any) -> ExcludedScreen:
    top = panel.app.screen
    assert isinstance(top, ExcludedScreen)
    return top


def lines(panel: Any) -> list[str]:
    rows = screen(panel).rows
    return [rows.render_line(y).text.rstrip(" ─") for y in range(rows.page)]


def keys(panel: Any) -> str:
    return str(screen(panel).query_one("KeyLine").render_line(0).text).strip()


async def show(panel: Any) -> None:
    await panel.press("X")
    await panel.wait(lambda: isinstance(panel.app.screen, ExcludedScreen), "the overlay")
    await panel.pilot.pause()


async def test_it_lists_the_newest_first_and_then_pins_that_are_gone(open_panel: Open) -> None:
    async with open_panel(both()) as panel:
        await show(panel)
        assert lines(panel) == [
            "▌ b.md  src/deep",
            "  a.md",
            " Pinned, no such file now 1",
            "  gone.md  docs",
        ]
        assert keys(panel) == "enter restore  A restore all  u undo  esc close"


async def test_enter_restores_one_and_the_cursor_goes_on(open_panel: Open) -> None:
    async with open_panel(both()) as panel:
        await show(panel)
        await panel.press("enter")
        assert panel.host.sent == [Restore("src/deep/b.md")]
        assert "b.md is back" in screen(panel).query_one("TitleLine").render_line(0).text
        left = replace(CONTROLS, excluded=("a.md",))
        await panel.publish(snapshot(2, items=(GONE, *sample.PACK), controls=left))
        assert lines(panel)[0] == "▌ a.md"
        await panel.press("enter")
        assert panel.host.sent[-1] == Restore("a.md")


async def test_a_pin_that_is_gone_is_taken_off(open_panel: Open) -> None:
    async with open_panel(both()) as panel:
        await show(panel)
        await panel.press("down", "down")
        assert keys(panel).startswith("enter unpin")
        await panel.press("enter")
        assert panel.host.sent == [Unpin("docs/gone.md")]


async def test_all_at_once_undo_and_redo(open_panel: Open) -> None:
    async with open_panel(both()) as panel:
        await show(panel)
        await panel.press("A")
        assert panel.host.sent == [Restore("a.md"), Restore("src/deep/b.md")]
        assert "2 documents are back" in screen(panel).query_one("TitleLine").render_line(0).text
        nothing = snapshot(2, controls=Controls(), undoable="restore src/deep/b.md")
        await panel.publish(nothing)
        assert "Nothing is excluded" in lines(panel)[0]
        assert keys(panel) == "u undo  esc close"
        await panel.press("enter", "A", "u", "U")
        assert panel.host.sent[2:] == [Undo(), Redo()]
        await panel.publish(snapshot(3, controls=Controls((), ("a.md",))))
        assert lines(panel) == ["▌ a.md"]
        await panel.press("escape")
        await panel.wait(lambda: panel.app.screen is panel.main, "the list")


async def test_the_counts_in_the_title_lead_to_it(open_panel: Open) -> None:
    async with open_panel(both()) as panel:
        text = panel.line("#title")
        await panel.pilot.click("#title", offset=(text.index("2 excluded") + 2, 0))
        await panel.wait(lambda: isinstance(panel.app.screen, ExcludedScreen), "the overlay")


async def test_without_exclusions_the_counts_lead_nowhere(open_panel: Open) -> None:
    async with open_panel(snapshot(views={}, items=sample.PACK)) as panel:
        text = panel.line("#title")
        await panel.pilot.click("#title", offset=(text.index("file"), 0))
        await panel.pilot.pause()
        assert panel.app.screen is panel.main


async def test_any_width_and_hostile_names(open_panel: Open) -> None:
    names = ("bad\x1b]0;x\x07.md", "a" * 300 + "/b.md", "d/[red]x[/red].md", "漢" * 200 + ".md", "\udcff.md")
    for width in (1, 2, 12, 40, 200):
        async with open_panel(snapshot(controls=Controls((), names)), size=(width, 12)) as panel:
            await show(panel)
            rows = screen(panel).rows
            for y in range(rows.page):
                text = rows.render_line(y).text
                assert cell_len(text) == rows.scrollable_content_region.width
                assert "\x1b" not in text
