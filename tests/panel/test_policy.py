"""New orders never take from the user what they look at."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from knit_tui.model import Item, Tier
from tests.panel.sample import SECOND, numbered, snapshot

Open = Callable[..., Any]
RERANKS = 50


def shuffled(items: tuple[Item, ...], seed: int, drop: int = 0) -> tuple[Item, ...]:
    """The same items in another order, without ``drop`` of them, tiers given anew."""
    order = list(items)
    random.Random(seed).shuffle(order)
    order = order[drop:]
    tiers = [Tier.PRIMARY, *[Tier.SUPPORTING] * 3, *[Tier.RELATED] * 5]
    return tuple(
        replace(
            each,
            tier=tiers[place] if place < len(tiers) else Tier.OTHER,
            number=place + 1 if place < len(tiers) else None,
        )
        for place, each in enumerate(order)
    )


def watch_painting(panel: Any) -> list[int]:
    """The screen lines of the list that are painted from now on."""
    painted: list[int] = []
    original = panel.results.render_line

    def watched(y: int) -> Any:
        painted.append(y)
        return original(y)

    panel.results.render_line = watched
    return painted


def picture_of(panel: Any) -> tuple[Any, ...]:
    return (panel.rel, panel.cursor_row, panel.results.top, panel.list_lines())


async def test_nothing_moves_while_the_user_moves(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=60.0) as panel:
        for generation in range(2, 2 + RERANKS):
            await panel.move("down" if generation % 3 else "up")
            before = picture_of(panel)
            await panel.publish(snapshot(generation, shuffled(items, generation)))
            assert picture_of(panel) == before
            assert panel.main.state.holding


async def test_nothing_moves_while_the_preview_has_the_focus(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.press("down", "down", "enter")
        before = picture_of(panel)
        for generation in range(2, 2 + RERANKS):
            await panel.publish(snapshot(generation, shuffled(items, generation)))
            assert picture_of(panel) == before
        await panel.press("escape")
        await panel.wait(lambda: not panel.main.state.holding, "the release of the held order")
        assert panel.rel == before[0]


async def test_the_cursor_follows_its_item_and_keeps_its_line(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.move("down", 12)
        rel, row = panel.rel, panel.cursor_row
        for generation in range(2, 2 + RERANKS):
            await panel.publish(snapshot(generation, shuffled(items, generation)))
            assert panel.rel == rel
            at_end = panel.results.top == panel.results.line_count - panel.results.page
            assert panel.cursor_row == row or panel.results.top == 0 or at_end
            assert panel.results.is_visible(panel.results.cursor)
            row = panel.cursor_row


async def test_a_view_scrolled_away_from_the_cursor_keeps_its_first_item(open_panel: Open) -> None:
    items = numbered(80)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.press("down")
        panel.results.scroll_to(y=70, animate=False)
        await panel.pilot.pause()
        top_row = panel.results.row_at(panel.results.top)
        anchor = panel.results.listing.rows[top_row + 1].rel
        row = panel.results.line_of(top_row + 1) - panel.results.top
        for generation in range(2, 2 + RERANKS):
            moved = (
                items[generation % 7 + 40],
                *[each for each in items if each is not items[generation % 7 + 40]],
            )
            await panel.publish(snapshot(generation, tuple(replace(each, passages=()) for each in moved)))
            index = next(
                i for i, each in enumerate(panel.results.listing.rows) if getattr(each, "rel", "") == anchor
            )
            if panel.results.top != panel.results.line_count - panel.results.page:
                assert panel.results.line_of(index) - panel.results.top == row
            assert panel.rel == items[1].rel


async def test_a_list_nobody_touched_shows_its_top(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        for generation in range(2, 6):
            order = shuffled(items, generation)
            await panel.publish(snapshot(generation, order))
            assert panel.rel == order[0].rel
            assert panel.results.top == 0


async def test_g_lets_the_list_show_its_top_again(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.press("down", "down", "g")
        order = shuffled(items, 3)
        await panel.publish(snapshot(2, order))
        assert panel.rel == order[0].rel


async def test_a_vanished_item_leaves_the_cursor_to_its_neighbour(open_panel: Open) -> None:
    items = numbered(20)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        await panel.move("down", 10)
        assert panel.rel == items[10].rel
        await panel.publish(snapshot(2, tuple(each for i, each in enumerate(items) if i not in (10, 11, 12))))
        assert panel.rel == items[9].rel
        await panel.publish(snapshot(3, (*items[:5], *items[13:])))
        assert panel.rel == items[13].rel
        await panel.publish(snapshot(4, ()))
        assert panel.rel == ""
        await panel.publish(snapshot(5, items))
        assert panel.rel == items[0].rel


async def test_a_held_order_is_told_and_r_applies_it(open_panel: Open) -> None:
    items = numbered(30)
    async with open_panel(snapshot(1, items), rest=60.0) as panel:
        await panel.press("down")
        await panel.publish(snapshot(2, items[:-3]))
        assert "3 changes: r" in panel.line("#title")
        await panel.press("r")
        assert not panel.main.state.holding
        assert "changes" not in panel.line("#title")
        assert panel.host.sent == []
        assert len(panel.results.listing.items) == 27


async def test_a_click_on_the_held_changes_applies_them(open_panel: Open) -> None:
    items = numbered(30)
    async with open_panel(snapshot(1, items), rest=60.0) as panel:
        await panel.press("down")
        await panel.publish(snapshot(2, items[:-1]))
        await panel.pilot.click("#title", offset=(panel.line("#title").index("1 change"), 0))
        assert len(panel.results.listing.items) == 29


async def test_a_held_order_is_applied_when_the_user_rests(open_panel: Open) -> None:
    items = numbered(30)
    async with open_panel(snapshot(1, items), rest=0.2) as panel:
        await panel.press("down")
        await panel.publish(snapshot(2, items[:-1]))
        await panel.wait(lambda: not panel.main.state.holding, "the release")
        assert len(panel.results.listing.items) == 29
        assert panel.rel == items[1].rel


async def test_pins_and_times_are_shown_in_place_while_the_order_waits(open_panel: Open) -> None:
    items = numbered(30)
    async with open_panel(snapshot(1, items), rest=60.0) as panel:
        await panel.press("down")
        fresh = replace(items[2], pinned=True, mtime_ns=items[0].mtime_ns - 7 * 60 * SECOND)
        await panel.publish(snapshot(2, (items[1], items[0], fresh, *items[3:])))
        assert panel.main.state.holding
        line = next(line for line in panel.list_lines() if "file00002" in line)
        assert line.startswith(" *3 ") and line.rstrip().endswith("7m")


async def test_another_tab_or_filter_applies_what_is_held(open_panel: Open) -> None:
    items = numbered(30)
    async with open_panel(snapshot(1, items), rest=60.0) as panel:
        await panel.press("down")
        await panel.publish(snapshot(2, items[:-1]))
        await panel.press("3")
        assert not panel.main.state.holding
        assert len(panel.results.listing.items) == 29
        await panel.press("down")
        await panel.publish(snapshot(3, items[:-2]))
        assert panel.main.state.holding
        await panel.press("slash", "f")
        assert not panel.main.state.holding


async def test_an_equal_order_paints_no_line(open_panel: Open) -> None:
    items = numbered(60)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        painted = watch_painting(panel)
        await panel.publish(snapshot(2, tuple(replace(each) for each in items)))
        assert painted == []
        await panel.publish(snapshot(3, (replace(items[0], pinned=True), *items[1:])))
        assert painted == [1]


async def test_ages_go_on_and_paint_only_what_changed(open_panel: Open) -> None:
    items = numbered(20)
    async with open_panel(snapshot(1, items), rest=0.0) as panel:
        assert panel.list_lines()[1].rstrip().endswith("now")
        painted = watch_painting(panel)
        panel.results.tick()
        await panel.pilot.pause()
        assert painted == []
        later = panel.results._now() + 125 * SECOND
        panel.results._now = lambda: later
        panel.results.tick()
        await panel.pilot.pause()
        assert 1 in painted and 2 not in painted
        assert panel.list_lines()[1].rstrip().endswith("2m")


async def test_snapshots_from_a_thread_and_out_of_order(open_panel: Open) -> None:
    from threading import Thread

    async with open_panel(snapshot(1, numbered(5)), rest=0.0) as panel:

        def publish() -> None:
            for generation in (5, 3, 9, 7, 2):
                panel.host.publish(snapshot(generation, numbered(generation)))

        thread = Thread(target=publish)
        thread.start()
        thread.join()
        await panel.wait(lambda: len(panel.results.listing.items) == 9, "generation 9")
        await panel.pilot.pause()
        assert panel.main.state.latest.generation == 9
