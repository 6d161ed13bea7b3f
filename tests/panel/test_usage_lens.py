"""The usage lens in the panel: on and off, more and less, and where its lines lead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from knit_tui.engine.changes import Exclude, Pin, Track
from knit_tui.faces.tui.usage_rows import Shape
from knit_tui.faces.usage_lines import Line, Section
from knit_tui.model import Mode, SessionStatus, Status, Tab, Tier, Usage
from tests.panel import sample
from tests.panel.sample import CLIENT, GUIDE, OTHERS, PACK, RETRY, SECOND, TEST, item, snapshot, views
from tests.panel.sample_usage import FAR, LIMITED, OUT, read, usage, used
from tests.panel.test_layout import check_lines, resize
from tests.panel.test_rows import HOSTILE
from tests.panel.test_usage_lines import hostile_usage

Open = Callable[..., Any]
SIZES = ((1, 1), (5, 5), (20, 12), (40, 18), (40, 24), (80, 24), (120, 40), (159, 30), (160, 18), (300, 60))


def lens(panel: Any) -> Any:
    return panel.main.lens


def line(panel: Any) -> str:
    return str(panel.line("#lens-line")).strip()


def rows(panel: Any) -> list[str]:
    """The visible lines below the first one."""
    found = lens(panel).rows
    return [found.render_line(y).text.rstrip() for y in range(found.size.height)] if found.display else []


def marks(panel: Any) -> str:
    return "\n".join(panel.list_lines())


async def go_to(panel: Any, wanted: Callable[[Line], bool]) -> None:
    """Put the focus into the lens and the cursor on a line."""
    panel.main.focus_lens()
    await panel.wait(lambda: panel.main.in_lens, "the focus")
    found = lens(panel).rows
    index = next(i for i, row in enumerate(found._rows) if row is not None and wanted(row))
    found.select(index)


# On and off.


async def test_off_says_how_to_turn_it_on_where_there_is_room(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(80, 24)) as panel:
        assert line(panel) == "usage off: a counts what the agent reads"
        body = panel.main.query_one("#body").region
        assert panel.results.size.height + panel.preview.size.height == body.height - 1
        await resize(panel, 80, 23)
        assert not lens(panel).display
        assert "unread" not in marks(panel)


async def test_without_a_snapshot_or_a_session_there_is_no_line(open_panel: Open) -> None:
    async with open_panel(None, size=(80, 24)) as panel:
        assert not lens(panel).display
    async with open_panel(snapshot(session=SessionStatus("off")), size=(80, 24)) as panel:
        assert not lens(panel).display


async def test_a_turns_it_on_then_shows_more_and_less(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(120, 40)) as panel:
        await panel.press("a")
        assert panel.host.sent == [Track(True)]
        assert line(panel).startswith("Usage  …") and "A stops" in panel.line("#title")
        await panel.publish(snapshot(2, usage=usage()))
        assert line(panel).startswith("Usage  pack 3 · 10 reads (1 inferred, 1 by a subagent), 3 outside")
        assert lens(panel).shape is Shape.PANEL and lens(panel).region.height == 10
        assert rows(panel)[0].startswith(" Pinned") and "2 / 3" in rows(panel)[2]
        await panel.press("a")
        assert line(panel).startswith("Usage  pack 3 · 10 reads, 3 outside · 2 changes")
        assert lens(panel).region.height == 1
        await panel.press("a")
        assert lens(panel).region.height == 10
        assert panel.host.sent == [Track(True)], "showing less is not turning it off"


async def test_capital_a_turns_it_off(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        assert (lens(panel).shape, panel.host.sent) == (Shape.LINE, []), "one line at the start"
        await panel.press("a", "A")
        assert panel.host.sent == [] and "A again does it" in panel.line("#title")
        await panel.press("A")
        assert panel.host.sent == [Track(False)]
        assert line(panel).startswith("usage off")
        assert "forgotten" in panel.line("#title") and "◉" not in marks(panel)
        # A snapshot that was on its way does not turn it on again.
        await panel.publish(snapshot(2, usage=usage()))
        assert line(panel).startswith("usage off")
        await panel.publish(snapshot(3))
        await panel.publish(snapshot(4, usage=usage()))
        assert line(panel).startswith("Usage"), "another process turned it on"
        await panel.publish(snapshot(5))
        await panel.press("A")
        assert panel.host.sent == [Track(False)]
        assert "nothing is counted" in panel.line("#title")


async def test_nothing_read_yet_is_said(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=Usage(session="s", epoch=1))) as panel:
        assert line(panel).startswith("Usage  pack 1 · nothing read yet")
        await panel.press("a")
        assert lens(panel).region.height == 1, "no list without lines"
        await panel.publish(snapshot(2, usage=Usage(session="s"), complete=False))
        assert "counting begins when the files are indexed" in line(panel)


# Room.


@pytest.mark.parametrize(
    ("size", "shape", "height"),
    (
        ((120, 11), Shape.HIDDEN, 0),
        ((120, 12), Shape.LINE, 1),
        ((120, 17), Shape.LINE, 1),
        ((120, 18), Shape.PANEL, 6),
        ((40, 24), Shape.PANEL, 8),
        ((159, 40), Shape.PANEL, 10),
        ((160, 40), Shape.COLUMN, -1),
    ),
)
async def test_the_lens_takes_the_room_it_may(
    open_panel: Open, size: tuple[int, int], shape: Shape, height: int
) -> None:
    async with open_panel(snapshot(usage=usage()), size=size) as panel:
        await panel.press("a")
        assert lens(panel).shape is shape
        body = panel.main.query_one("#body").region
        if shape is Shape.COLUMN:
            assert (lens(panel).region.right, lens(panel).region.height) == (size[0], body.height)
            assert panel.preview.region.right <= lens(panel).region.x
        else:
            assert lens(panel).region.height == height
            assert not height or lens(panel).region.bottom == body.bottom
        if shape is Shape.LINE:
            assert "a pane of 18 lines" in panel.line("#title") or size[1] == 12


async def test_every_size_and_back_draws_exact_lines(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=LIMITED), size=(200, 50)) as panel:
        await panel.press("a")
        for width, height in (*SIZES, *reversed(SIZES)):
            await resize(panel, width, height)
            check_lines(panel)
            check_list(panel)
        assert lens(panel).shape is Shape.HIDDEN
        await resize(panel, 200, 50)
        assert lens(panel).shape is Shape.COLUMN


def check_list(panel: Any) -> None:
    found = lens(panel).rows
    if found.display and found.region:
        for y in range(found.size.height):
            assert found.render_line(y).cell_length == found.scrollable_content_region.width


@pytest.mark.parametrize("name", HOSTILE[::3], ids=lambda name: ascii(name)[:24])
async def test_hostile_names(open_panel: Open, name: str) -> None:
    async with open_panel(snapshot(usage=hostile_usage(name)), size=(80, 24)) as panel:
        await panel.press("a", "tab", "tab", "down", "enter", "down", "p")
        for width in (80, 41, 17, 2):
            await resize(panel, width, 24)
            check_list(panel)


# Drawing.


async def test_only_what_differs_is_painted(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage()), size=(120, 40), rest=0.0) as panel:
        await panel.press("a")
        found = lens(panel).rows
        painted: list[int] = []
        refresh = found.refresh

        def watch(*regions: Any, **options: Any) -> Any:
            painted.extend(region.y for region in regions)
            return refresh(*regions, **options)

        found.refresh = watch
        await panel.publish(snapshot(2, usage=replace(usage(), task="another")))
        assert painted == []
        later = replace(usage().documents[RETRY.rel].last_read, at=sample.NOW)  # type: ignore[type-var]
        await panel.publish(snapshot(3, usage=usage(recent=later)))
        assert painted == [4]
        assert "just now" in rows(panel)[4]


async def test_after_a_resize_what_is_painted_has_the_new_width(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage()), size=(200, 50)) as panel:
        await panel.press("a")
        for width in (120, 161, 80):
            await resize(panel, width, 50)
            for found in (panel.results, lens(panel).rows):
                now = found.scrollable_content_region.width
                assert [found._drawn[y].cell_length for y in range(found.page)] == [now] * found.page


async def test_times_go_on(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        assert "2m ago" in rows(panel)[4]
        lens(panel)._now = lambda: sample.NOW + 3600 * SECOND
        lens(panel).tick()
        assert "1h ago" in rows(panel)[4]


async def test_marks_appear_while_the_order_waits(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage()), size=(120, 60)) as panel:
        await panel.press("down")
        assert "◉ read 2m x3" in marks(panel) and "∆ updated" in marks(panel)
        changed = used(GUIDE.rel, Status.READ, reads=[read(GUIDE.rel, 30, 0)])
        await panel.publish(snapshot(2, (*PACK[::-1], *OTHERS), usage=usage([changed])))
        assert panel.main.state.holding
        assert "◉ read now" in marks(panel) and "∆ updated" not in marks(panel)


# Focus and movement.


async def test_tab_goes_round_through_the_lens(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        for where in ("preview", "lens", "results"):
            await panel.press("tab")
            focused = {"preview": panel.preview, "lens": lens(panel).rows, "results": panel.results}[where]
            assert panel.app.focused is focused, where
        await panel.press("tab", "tab")
        assert "usage off" in panel.line("#hints") and "pin" not in panel.line("#hints")
        await panel.press("escape")
        assert panel.app.focused is panel.results
        await panel.press("a", "tab", "tab")
        assert panel.app.focused is panel.results, "a lens without a list takes no focus"


async def test_movement_is_in_the_lens_while_it_has_the_focus(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a", "tab", "tab")
        before = panel.rel
        seen = []
        for key in (
            "down",
            "j",
            "k",
            "right_curly_bracket",
            "G",
            "g",
            "left_curly_bracket",
            "pagedown",
            "up",
        ):
            await panel.press(key)
            seen.append(lens(panel).rows.cursor)
        assert panel.rel == before
        assert seen[:3] == [1, 2, 1]
        assert seen[4] == len(lens(panel).rows._rows) - 1 and seen[5:7] == [0, 0]
        await panel.press("a")
        assert panel.app.focused is panel.results, "the list of the lens is gone"


async def test_the_cursor_stays_with_its_document(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage()), rest=0.0) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.section is Section.OUTSIDE and row.rel == FAR)
        more = (
            *usage().documents.values(),
            used("new.py", Status.READ, reads=[read("new.py", 40, 0)], outside=1),
        )
        await panel.publish(snapshot(2, usage=usage(more)))
        assert lens(panel).rows.line.rel == FAR
        await panel.publish(snapshot(3, usage=usage(more, outside=())))
        assert lens(panel).rows.line is not None, "a near line, when its own is gone"


# Where lines lead.


async def test_a_document_in_the_list_is_selected_there(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.section is Section.MOVED and row.rel == CLIENT.rel)
        await panel.press("enter")
        assert panel.app.focused is panel.results
        assert panel.rel == CLIENT.rel
        await panel.wait(lambda: panel.preview.seen[-1:] == [CLIENT], "its preview")


async def test_a_click_leads_too(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        assert "retry.py" in rows(panel)[4]
        await panel.pilot.click("#lens-list", offset=(20, 4))
        assert (panel.rel, panel.app.focused) == (RETRY.rel, panel.results)
        await panel.pilot.click("#lens-line", offset=(20, 0))
        assert lens(panel).shape is Shape.LINE


async def test_a_document_that_is_not_in_the_list_opens_in_the_preview(open_panel: Open) -> None:
    config = item(OUT)
    first = snapshot(usage=usage())
    context = first.views[Tab.CONTEXT]
    pool = {**first.views, Tab.CONTEXT: replace(context, newest=(*context.newest, config))}
    async with open_panel(replace(first, views=pool), rest=0.0) as panel:
        await panel.press("a", "down", "down")
        before = panel.rel
        await go_to(panel, lambda row: row.rel == OUT)
        await panel.press("enter")
        assert panel.app.focused is panel.preview
        assert panel.preview.seen[-1] is config
        # Keys act on what is read, and a new snapshot does not take it away.
        await panel.press("p")
        assert panel.host.sent == [Pin(OUT)]
        newer = replace(config, mtime_ns=sample.NOW)
        pool = {**pool, Tab.CONTEXT: replace(context, newest=(*context.newest, newer))}
        await panel.publish(replace(first, generation=2, views=pool))
        assert panel.preview.seen[-1] is newer
        await panel.press("escape")
        assert panel.rel == before
        await panel.wait(lambda: panel.preview.seen[-1].rel == before, "the preview of the list")
        await panel.press("x")
        assert panel.host.sent[-1] == Exclude(before)


async def test_what_is_no_file_of_the_workspace_says_so(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.rel == OUT)
        await panel.press("enter")
        assert f"not among the files of the workspace: {OUT}" in panel.line("#title")
        assert panel.main.in_lens
        await panel.press("p")
        assert panel.host.sent == []


async def test_a_tier_is_shown_in_the_context(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("3", "s", "a")
        await go_to(panel, lambda row: row.tier is Tier.SUPPORTING)
        await panel.press("enter")
        assert (panel.main.state.tab, panel.main.state.by_time) == (Tab.CONTEXT, False)
        assert (panel.rel, panel.app.focused) == (GUIDE.rel, panel.results)
        await panel.press("slash", *"worker", "enter")
        await go_to(panel, lambda row: row.tier is Tier.RELATED)
        await panel.press("enter")
        assert "nothing of it is in the list: Related" in panel.line("#title")


async def test_pinning_in_the_lens_pins_its_document(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage())) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.section is Section.EDITED)
        await panel.press("p")
        assert panel.host.sent == [Pin(TEST.rel)]
        await go_to(panel, lambda row: row.tier is Tier.RELATED)
        await panel.press("p")
        assert panel.host.sent == [Pin(TEST.rel)]


async def test_the_rest_of_a_section_opens(open_panel: Open) -> None:
    documents = [
        used(f"o{number}", Status.READ, reads=[read(f"o{number}", number, SECOND)], outside=1)
        for number in range(20)
    ]
    async with open_panel(snapshot(usage=usage(documents)), size=(200, 50)) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.more == 10)
        await panel.press("enter")
        assert panel.main.in_lens
        assert sum(row.section is Section.OUTSIDE for row in lens(panel).rows._rows if row) == 20


async def test_in_a_narrow_panel_a_line_leads_out_of_the_lens(open_panel: Open) -> None:
    async with open_panel(snapshot(usage=usage()), size=(40, 24)) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.rel == RETRY.rel)
        await panel.press("enter")
        assert panel.results.display and panel.rel == RETRY.rel
    first = snapshot(usage=usage(), views=views((), mode=Mode.NEWEST))
    context = replace(first.views[Tab.CONTEXT], newest=(RETRY,))
    async with open_panel(replace(first, views={Tab.CONTEXT: context}), size=(40, 24)) as panel:
        await panel.press("a")
        await go_to(panel, lambda row: row.rel == RETRY.rel)
        await panel.press("enter")
        assert panel.preview.display and not panel.results.display
        await panel.press("escape")
        assert panel.results.display
