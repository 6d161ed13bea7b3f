"""What people complain about in panels that refresh by themselves: places, frames and choices get lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual._compositor import ChopsUpdate

from knit_tui.engine.changes import Exclude, Pin, Restore, Undo, Unpin
from knit_tui.faces.tui.actions import command, key_of
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.arrivals import NO_NEWS
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.model import Access, Item, Kind, Passage, Reason, Tab, Tier
from tests.panel import sample
from tests.panel.conftest import Panel, wait_for
from tests.panel.sample import numbered, snapshot
from tests.panel.test_policy import RERANKS, shuffled

Open = Callable[..., Any]


class Frames:
    """What is written to the terminal, frame by frame, from now on."""

    def __init__(self, panel: Panel) -> None:
        self.whole = 0
        """How many write the screen from scratch."""
        self.of_list: list[dict[int, str]] = []
        """The lines of the list, with their text, that each of the others writes."""
        self._panel = panel
        self._display = panel.app._display
        panel.app._display = self._record  # type: ignore[method-assign]

    def _record(self, screen: Any, update: Any) -> None:
        if update is not None and not self._panel.app._batch_count:
            if isinstance(update, ChopsUpdate):
                self._take(update)
            else:
                self.whole += 1
        self._display(screen, update)

    def _take(self, update: ChopsUpdate) -> None:
        place = self._panel.results.scrollable_content_region
        lines: dict[int, str] = {}
        for y, start, end in update.spans:
            if place.y <= y < place.bottom and start < place.right and end > place.x:
                text = "".join(strip.text for strip in update.chops[y].values() if strip is not None)
                lines[y - place.y] = text[: place.width]
        if lines:
            self.of_list.append(lines)


async def test_a_new_order_is_one_frame_of_the_lines_that_differ(open_panel: Open) -> None:
    items = numbered(60, passages=False)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.move("down", 5)
        frames = Frames(panel)
        for generation in range(2, 12):
            before = panel.list_lines()
            frames.of_list.clear()
            await panel.publish(snapshot(generation, shuffled(items, generation)))
            await panel.wait(lambda: bool(frames.of_list), "a frame")
            after = panel.list_lines()
            assert frames.whole == 0 and len(frames.of_list) == 1
            (written,) = frames.of_list
            assert set(written) == {y for y, line in enumerate(after) if line != before[y]}
            assert all(text.strip() for text in written.values())


async def test_fifty_orders_leave_a_scrolled_preview_and_the_cursor_alone(tmp_path: Path) -> None:
    items = numbered(30, passages=False)
    for each in items:
        path = tmp_path / each.rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{each.rel} line {number}\n" for number in range(400)))
    passage = Passage(200, 202, ("line",), "line 200")
    items = tuple(replace(each, passages=(passage,), size=9000) for each in items)
    host = sample.FakeHost(snapshot(1, items, root=str(tmp_path)))
    app = KnitApp(host, now=sample.now, rest=0.0)
    async with app.run_test(size=(120, 40)) as pilot:
        panel = Panel(app, host, pilot)
        await panel.wait(lambda: panel.main.state.latest is not None, "the first snapshot")
        await panel.move("down", 4)
        rel = panel.rel
        view = panel.preview.view

        def loaded() -> bool:
            return any(rel in view.render_line(y).text for y in range(min(3, view.size.height)))

        await panel.wait(loaded, "the document")
        await panel.press("J", "J")
        place = (panel.cursor_row, view.scroll_y, view.render_line(0).text)
        assert view.scroll_y > 100

        async def rerank(generation: int) -> None:
            order = shuffled(items, generation)
            await panel.publish(snapshot(generation, order, root=str(tmp_path)))

        for generation in range(2, 2 + RERANKS):
            await rerank(generation)
            assert panel.rel == rel and not panel.main.state.holding
            assert (view.scroll_y, view.render_line(0).text) == place[1:]
        panel.results.tell(NO_NEWS)
        panel.main.state.newsroom.clear()
        await panel.press("enter", "j")
        reading = (panel.rel, panel.cursor_row, view.scroll_y, panel.list_lines())
        for generation in range(100, 100 + RERANKS):
            await rerank(generation)
            assert reading == (panel.rel, panel.cursor_row, view.scroll_y, panel.list_lines())
            assert panel.main.state.holding
        await panel.press("escape")
        await wait_for(pilot, lambda: not panel.main.state.holding, "the release")
        assert (panel.rel, view.scroll_y) == (rel, reading[2])


def _row(number: int) -> Item:
    tier = Tier.RELATED if number < 5 else Tier.OTHER
    place = number + 1 if number < 5 else None
    rel = f"src/part{number % 97}/file_{number}.py"
    reason = Reason("body", ("retry",))
    return Item(
        rel, Kind.CODE, "python", Access.TEXT, "", "", 9, number, tier=tier, number=place, reason=reason
    )


async def test_a_hundred_thousand_rows_cost_what_is_seen(open_panel: Open) -> None:
    items = tuple(_row(number) for number in range(100_000))
    views = sample.views(items[:1])
    views[Tab.CONTEXT] = replace(sample.view(Tab.CONTEXT, ()), items=items, newest=items, matched=len(items))
    async with open_panel(snapshot(1, views=views), rest=0.0) as panel:
        laid_out: list[int] = []
        row_lines = panel.results.row_lines

        def counting(index: int, width: int, cursor: bool) -> Any:
            laid_out.append(index)
            return row_lines(index, width, cursor)

        panel.results.row_lines = counting
        seen = panel.results.page
        for key in ("down", "pagedown", "G", "up", "shift+up"):
            laid_out.clear()
            await panel.press(key)
            assert len(laid_out) <= 2 * seen, key
        await panel.press("G")
        assert panel.rel == items[-1].rel and panel.results.is_visible(panel.results.cursor)
        laid_out.clear()
        moved = (items[-1], *items[:-1])
        views = {**views, Tab.CONTEXT: replace(views[Tab.CONTEXT], items=moved)}
        await panel.publish(snapshot(2, views=views))
        assert panel.rel == items[-1].rel
        assert len(laid_out) <= 2 * seen


async def test_the_sort_is_remembered_and_one_key_toggles_it(open_panel: Open) -> None:
    async with open_panel(snapshot(1), rest=0.0) as panel:
        by_relevance = panel.list_lines()
        await panel.press("s")
        assert "sort newest" in panel.line("#tabs")
        by_time = panel.list_lines()
        assert by_time != by_relevance
        for tab in ("2", "3", "1"):
            await panel.press(tab)
            assert "sort newest" in panel.line("#tabs")
        await panel.publish(snapshot(2))
        assert panel.list_lines() == by_time
        await panel.press("slash", "r", "escape", "escape", "s")
        assert "sort" in panel.line("#tabs") and "sort newest" not in panel.line("#tabs")
        assert panel.list_lines() == by_relevance


_CONTROLS = (Pin, Unpin, Exclude, Restore)
_LEAVING = {"panel.quit", "panel.suspend", "edit.undo", "edit.redo"}


async def test_no_act_on_documents_is_beyond_undo_whatever_has_the_focus(open_panel: Open) -> None:
    async with open_panel(snapshot(1)) as panel:
        acting = set()
        for focus in (panel.main.action_focus_list, panel.main.action_focus_preview):
            for action in ACTIONS:
                if action.id in _LEAVING:
                    continue
                focus()
                panel.host.sent.clear()
                await panel.main.run_action(command(action.id))
                sent = [change for change in panel.host.sent if isinstance(change, _CONTROLS)]
                if panel.app.screen is not panel.main:
                    await panel.press("escape")
                    await panel.wait(lambda: panel.app.screen is panel.main, f"the end of {action.id}")
                if not sent:
                    continue
                acting.add(action.id)
                assert len(sent) == 1 and f"{key_of('edit.undo')} undoes" in panel.main._message
                await panel.main.run_action(command("edit.undo"))
                assert panel.host.sent[-1] == Undo()
        assert acting == {"item.pin", "item.exclude"}
