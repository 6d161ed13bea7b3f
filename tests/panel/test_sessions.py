"""The list of sessions, from which the one to follow is chosen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from knit_tui.engine.changes import Follow
from knit_tui.faces.tui.screens.sessions import Choice, SessionList, SessionScreen
from knit_tui.faces.tui.widgets.one_line import OneLine
from knit_tui.model import SessionOffer, SessionStatus
from tests.panel.sample import HOUR, MINUTE, NOW, ROOT, SESSION, now, snapshot
from tests.panel.test_pictures import compare

Open = Callable[..., Any]
SECOND = 1_000_000_000


def offer(
    session_id: str, age: int = MINUTE, *, agent: str = "claude", followed: bool = False, **more: Any
) -> SessionOffer:
    base = SessionOffer(
        key=f"/home/mei/logs/{session_id}.jsonl",
        agent=agent,
        session_id=session_id,
        cwd=ROOT,
        match="same",
        how="directory",
        first="Add jitter to the HTTP retry backoff",
        last="and keep the cap at 30 seconds",
        prompted=(NOW - age) / SECOND,
        live=None,
        followed=followed,
    )
    return replace(base, **more)


OURS = offer("4f2a91c0-77aa", followed=True, live=True)
OTHER = offer(
    "0199ab77-1c2d", 3 * HOUR, agent="codex", cwd=f"{ROOT}/web", match="below", first="", last="红灯"
)
TREE = offer("ses_dd5d29", 30 * HOUR, agent="opencode", cwd="/home/mei/red", match="worktree", live=False)
EMPTY = offer("99bb", 0, first="", last="", how="hook")
OFFERS = (OURS, OTHER, TREE)
HOSTILE = (
    "dim\x1b[2J \x9b31m it\x07\r\nnow\u202etxt.exe\u2066 \x00\u200b\u2028 👩‍👩‍👧‍👦 ❄️ 漢" + "z\u0337" * 400
)


async def open_picker(panel: Any, key: str = "S") -> SessionList:
    await panel.press(key)
    await panel.wait(lambda: isinstance(panel.app.screen, SessionScreen), "the list of sessions")
    await panel.pilot.pause()
    rows: SessionList = panel.app.screen.rows
    return rows


async def closed(panel: Any) -> None:
    await panel.wait(lambda: panel.app.screen is panel.main, "the panel")


def lines(rows: SessionList) -> list[str]:
    return [rows.render_line(y).text for y in range(rows.page)]


async def test_it_lists_the_sessions_and_the_cursor_is_on_the_followed_one(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        rows = await open_picker(panel)
        assert [line.rstrip() for line in lines(rows)] == [
            "   automatic",
            "   the newest prompt written in this folder decides",
            "▌● claude 4f2a91c0  1m, running",
            "▌  “Add jitter to the HTTP retry back…” … “and keep the cap at 30 seconds”",
            f"   codex 0199ab77  3h, in {ROOT}/web",
            "   “红灯”",
            "   opencode ses_dd5d  1d, ended, in the worktree /home/mei/red",
            "   “Add jitter to the HTTP retry back…” … “and keep the cap at 30 seconds”",
        ]
        assert rows.choice == Choice(OURS.key)
        assert not panel.app.screen.query_one("#session-none").display
        assert panel.app.focused is rows


async def test_enter_follows_the_one_under_the_cursor(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        await open_picker(panel)
        await panel.press("down", "enter")
        await closed(panel)
        assert panel.host.sent == [Follow(OTHER.key)]


@pytest.mark.parametrize("keys", (("up",), ("pageup",), ("j", "k", "k", "k")))
async def test_the_first_row_lets_knit_choose(open_panel: Open, keys: Sequence[str]) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        await open_picker(panel)
        await panel.press(*keys, "enter")
        await closed(panel)
        assert panel.host.sent == [Follow(None)]


@pytest.mark.parametrize("key", ("escape", "q", "S"))
async def test_to_close_it_is_to_choose_nothing(open_panel: Open, key: str) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        await open_picker(panel)
        await panel.press("down", key)
        await closed(panel)
        assert panel.host.sent == []
        assert panel.app.focused is panel.results
        await open_picker(panel)
        await panel.press("enter")
        await closed(panel)
        assert panel.host.sent == [Follow(OURS.key)], "it opens anew"


async def test_two_clicks_follow(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        await open_picker(panel)
        await panel.pilot.click("#session-rows", offset=(6, 7))
        assert panel.app.screen.rows.choice == Choice(TREE.key)
        await panel.pilot.click("#session-rows", offset=(6, 4), times=2)
        await closed(panel)
        assert panel.host.sent == [Follow(OTHER.key)]


async def test_sessions_come_and_go_while_it_is_open(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS), rest=0.0) as panel:
        rows = await open_picker(panel)
        await panel.press("down")
        await panel.publish(snapshot(2, sessions=(EMPTY, *OFFERS)))
        assert "no prompt yet" in lines(rows)[3]
        assert "told by its hook" in lines(rows)[2]
        assert rows.choice == Choice(OTHER.key)
        await panel.publish(snapshot(3, sessions=(EMPTY, replace(OURS, followed=False), TREE)))
        assert rows.choice == Choice(None), "its session went, and none is followed"
        await panel.publish(snapshot(4, sessions=(EMPTY, *OFFERS)))
        assert rows.choice == Choice(None), "where the cursor was left"
        await panel.press("end", "down", "down", "down", "down", "enter")
        await closed(panel)
        assert panel.host.sent == [Follow(TREE.key)]


async def test_the_cursor_goes_to_the_followed_one_when_its_session_goes(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        rows = await open_picker(panel)
        await panel.press("down")
        await panel.publish(snapshot(2, sessions=(EMPTY, TREE, OURS)))
        assert rows.choice == Choice(OURS.key)


async def test_a_list_longer_than_the_screen(open_panel: Open) -> None:
    many = tuple(offer(f"{number:04}", number * MINUTE, followed=number == 40) for number in range(60))
    async with open_panel(snapshot(sessions=many), size=(80, 24), rest=0.0) as panel:
        rows = await open_picker(panel)
        assert rows.choice == Choice(many[40].key)
        assert rows.is_visible(rows.cursor), "the followed one is seen"
        await panel.press("down", "down")
        place = rows.line_of(rows.cursor) - rows.top
        newer = (EMPTY, *(offer(f"n{number}", 0) for number in range(9)), *many)
        await panel.publish(snapshot(2, sessions=newer))
        assert rows.choice == Choice(many[42].key)
        assert rows.line_of(rows.cursor) - rows.top == place, "nothing moves under the eyes"
        await panel.press(*["pagedown"] * 9)
        assert rows.choice == Choice(many[59].key)
        await panel.publish(snapshot(3, sessions=newer[:4]))
        assert rows.is_visible(rows.cursor)


async def test_where_there_is_no_session(open_panel: Open) -> None:
    async with open_panel(snapshot(session=SessionStatus("none", how="directory"))) as panel:
        rows = await open_picker(panel)
        nothing = panel.app.screen.query_one("#session-none")
        assert nothing.display
        assert "none yet: start your agent" in nothing.render_line(0).text
        assert rows.choice == Choice(None)
        await panel.publish(snapshot(2, sessions=OFFERS))
        assert not nothing.display
        assert rows.page == 8
        await panel.press("down", "enter")
        await closed(panel)
        assert panel.host.sent == [Follow(OURS.key)]


@pytest.mark.parametrize(
    "session", (SessionStatus("off"), SessionStatus("following", "claude", "s", "/x.jsonl", "option"))
)
async def test_where_the_option_left_no_choice_it_stays_closed(
    open_panel: Open, session: SessionStatus
) -> None:
    async with open_panel(snapshot(session=session)) as panel:
        await panel.press("S")
        await panel.wait(lambda: "--session" in panel.line("#title"), "the reason")
        assert panel.app.screen is panel.main


async def test_one_that_was_named_by_its_id_leaves_a_choice(open_panel: Open) -> None:
    named = replace(SESSION, how="option")
    async with open_panel(snapshot(session=named, sessions=OFFERS)) as panel:
        await open_picker(panel)


async def test_before_the_first_snapshot_it_stays_closed(open_panel: Open) -> None:
    async with open_panel() as panel:
        await panel.press("S")
        await panel.pilot.pause()
        assert panel.app.screen is panel.main


async def test_a_snapshot_in_the_moment_it_opens(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        panel.main.action_session_choose()
        panel.main.receive(snapshot(2, sessions=OFFERS[1:]))
        await panel.wait(lambda: isinstance(panel.app.screen, SessionScreen), "the list of sessions")
        await panel.pilot.pause()
        assert [row for row in panel.app.screen.rows._rows if row] == list(OFFERS[1:])


async def test_a_snapshot_in_the_moment_it_closes(open_panel: Open) -> None:
    async with open_panel(snapshot(sessions=OFFERS)) as panel:
        await open_picker(panel)
        screen = panel.app.screen
        screen.action_close()
        panel.main.receive(snapshot(2, sessions=OFFERS[1:]))
        await closed(panel)
        await panel.wait(lambda: not screen.is_attached, "its end")
        screen.show(OFFERS)
        assert panel.host.sent == []


WILD = (
    replace(OURS, session_id=HOSTILE, first=HOSTILE, last="x" * (1 << 20)),
    replace(OURS, key="agent", agent=HOSTILE),
    replace(OTHER, cwd=HOSTILE, last="漢" * 5000),
    replace(TREE, prompted=0.0),
    replace(EMPTY, prompted=4e9),
)


@pytest.mark.parametrize("width", range(81))
def test_rows_take_exactly_the_cells_there_are(width: int) -> None:
    rows = SessionList(now)
    rows._rows = [None, *OFFERS, *WILD]
    for index in range(len(rows._rows)):
        for cursor in (False, True):
            for line in rows.row_lines(index, width, cursor):
                strip = "".join(piece.text for piece in line)
                assert rows_width(line) == width, (index, strip)
                bad = {char for char in strip if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")}
                assert not bad, (index, bad)


def rows_width(line: Sequence[Any]) -> int:
    from knit_tui.faces.tui.pieces import width_of

    return width_of(line)


@pytest.mark.parametrize("size", ((1, 1), (5, 3), (41, 10), (300, 80)))
async def test_it_draws_at_any_size(open_panel: Open, size: tuple[int, int]) -> None:
    async with open_panel(snapshot(sessions=()), size=size, rest=0.0) as panel:
        rows = await open_picker(panel)
        for generation, sessions in enumerate((OFFERS, (), WILD, WILD[::-1]), 2):
            await panel.publish(snapshot(generation, sessions=sessions))
            await panel.press("down", "pagedown", "up")
            for widget in (rows, *panel.app.screen.query(OneLine)):
                width = widget.scrollable_content_region.width
                for y in range(widget.size.height):
                    strip = widget.render_line(y)
                    assert strip.cell_length == width, (widget, y)
                    assert sum(segment.cell_length for segment in strip) == width
        await panel.pilot.resize_terminal(60, 20)
        await panel.pilot.pause()
        await panel.press("enter")
        await closed(panel)


def test_how_it_looks(picture: Callable[..., bool]) -> None:
    shown = snapshot(1, (), sessions=(OURS, EMPTY, OTHER, TREE, replace(OTHER, key="x", first=HOSTILE)))
    assert compare(picture, shown, (90, 26), "S", "down")
