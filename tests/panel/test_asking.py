"""A task that the user types: the line for it, what is sent, what the panel says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual import events

from knit_tui.engine.changes import Ask, Change, SessionChanged, Track
from knit_tui.engine.engine import Engine
from knit_tui.faces.tui.empty import waiting_text
from knit_tui.faces.tui.state import PanelState, Verdict
from knit_tui.faces.tui.widgets.task_bar import LONGEST, TaskInput
from knit_tui.faces.tui.widgets.title_bar import Standing, TitleBar
from knit_tui.model import Mode, Notice, Query, QueryTerm, SessionStatus, Snapshot, Tab
from knit_tui.sessions.events import SessionInfo
from knit_tui.workspace.scan import Scanner
from tests.engine.bench import Log
from tests.panel.sample import GUIDE, OTHERS, PACK, RETRY, SESSION, snapshot, views

Open = Callable[..., Any]
OTHER = (GUIDE, RETRY, *OTHERS)


def typed(text: str, generation: int = 2, items: Any = OTHER, **changes: Any) -> Snapshot:
    """What the engine publishes for a typed task."""
    query = Query((QueryTerm("retry", 1.0),), "typed", typed=text)
    return snapshot(generation, items, query=query, **changes)


def said(panel: Any) -> str:
    """What stands in the line of the task."""
    return str(panel.main.task_bar.input.value)


def asking(panel: Any) -> bool:
    bar = panel.main.task_bar
    return bool(bar.display and not panel.main.query_one("#tabs").display and panel.app.focused is bar.input)


async def ask(panel: Any, text: str) -> None:
    """Type a task and give it."""
    await panel.press("t")
    panel.main.task_bar.input.value = text
    await panel.press("enter")
    await panel.wait(lambda: panel.app.focused is panel.results, "the end of the line")


async def test_a_task_is_typed_ranked_for_changed_and_dropped(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "down", "t")
        await panel.wait(lambda: asking(panel), "the line")
        assert "enter rank for it" in panel.line("#hints") and "esc back" in panel.line("#hints")
        # What is a key elsewhere is typed here.
        await panel.press("q", "space", "T", "1")
        assert said(panel) == "q T1" and panel.host.sent == []
        panel.main.task_bar.input.value = "  retry guide "
        await panel.press("enter")
        await panel.wait(lambda: panel.host.sent == [Ask("retry guide")], "the question")
        assert not panel.main.task_bar.display and panel.main.query_one("#tabs").display
        assert panel.app.focused is panel.results
        assert "the agent's tool" in panel.line("#title")
        # The answer is shown at once, although the user has just moved, and from its top.
        await panel.publish(typed("retry guide"))
        assert panel.main.state.shown is panel.main.state.latest
        assert (panel.rel, panel.cursor_row) == (GUIDE.rel, 1)
        panel.main._hush()
        assert panel.line("#title").startswith(' your task: "retry guide"')
        assert "back to the session: T" in panel.line("#title")
        # It stands in the line when that is opened again; the same task asks nothing.
        await panel.press("t")
        assert said(panel) == "retry guide"
        await panel.press("enter")
        await panel.wait(lambda: not panel.main.task_bar.display, "the end of the line")
        assert panel.host.sent == [Ask("retry guide")]
        # An empty line goes back to the session.
        await panel.press("t", "ctrl+u", "enter")
        await panel.wait(lambda: panel.host.sent[1:] == [Ask(None)], "the way back")
        assert "following the session again" in panel.line("#title")
        await panel.publish(snapshot(3))
        assert panel.rel == PACK[0].rel and panel.main.state.shown is panel.main.state.latest


async def test_the_key_that_drops_it(open_panel: Open) -> None:
    async with open_panel(snapshot(session=SessionStatus("none"))) as panel:
        await panel.press("T")
        assert "no task was typed" in panel.line("#title") and panel.host.sent == []
        await ask(panel, "guide")
        await panel.publish(typed("guide", session=SessionStatus("none")))
        panel.main._hush()
        await panel.pilot.click("#title", offset=(panel.line("#title").index("drop it: T"), 0))
        assert panel.host.sent == [Ask("guide"), Ask(None)]
        assert "the typed task is dropped" in panel.line("#title")
        await panel.press("T")  # it is dropped already
        assert panel.host.sent[2:] == []


async def test_leaving_the_line_changes_nothing_and_loses_nothing(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down")
        panel.main.query_one("#filter-input").value = "re"
        await panel.wait(lambda: panel.main.state.filter == "re", "the filter")
        row, title = panel.rel, panel.line("#title")
        for leave in ("escape", "tab"):
            await panel.press("t", "a")
            assert asking(panel)
            await panel.press(leave)
            await panel.wait(lambda: panel.app.focused is panel.results, "the list")
            assert not panel.main.task_bar.display
        await panel.press("t", "d")
        await panel.pilot.click("ResultList", offset=(5, 1))
        await panel.wait(lambda: not panel.main.task_bar.display, "the end of the line")
        await panel.press("up", "t")
        assert said(panel) == ""
        await panel.press("up")
        assert said(panel) == "d"
        await panel.press("up")
        assert said(panel) == "a"
        await panel.press("escape")
        assert panel.host.sent == [] and panel.line("#title") == title
        assert panel.main.state.filter == "re" and panel.rel == row


async def test_keys_of_a_fast_typist_go_where_they_should(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.main.run_action("task_ask")
        assert panel.app.focused is panel.main.task_bar.input
        await panel.main.run_action("panel_back")
        assert panel.app.focused is panel.results


async def test_many_lines_are_one_and_nothing_in_them_is_a_command(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("t", "a", "b", "left")
        line = panel.main.task_bar.input
        line.post_message(events.Paste("one\n\ttwo  \r\n\x1b]2;x\x07 [/red]\n"))
        await panel.wait(lambda: "two" in said(panel), "the text")
        assert said(panel) == "aone two ␛]2;x␇ [/red]b"
        await panel.press("ctrl+u")
        line.value = ""
        line.post_message(events.Paste("wort " * 4000))
        await panel.wait(lambda: "full: 8,000 characters" in panel.line("#task-cut"), "the limit")
        assert len(said(panel)) == LONGEST
        await panel.press("backspace")
        await panel.wait(lambda: not panel.line("#task-cut").strip(), "no limit")
        for width, height in ((40, 20), (9, 5), (1, 1), (300, 3), (120, 40)):
            await panel.pilot.resize_terminal(width, height)
            assert len(said(panel)) == LONGEST - 1 and asking(panel)
        await panel.press("enter")
        await panel.wait(lambda: bool(panel.host.sent), "the question")
        text = panel.host.sent[0].text
        assert len(text) == LONGEST - 1
        await panel.publish(typed(text))
        panel.main._hush()
        title = panel.line("#title")
        assert len(title) == 120 and title.startswith(' your task: "wort wort') and '…"' in title


async def test_the_order_waits_while_a_task_is_typed(open_panel: Open) -> None:
    async with open_panel(snapshot(), rest=60.0) as panel:
        panel.main._touched = float("-inf")
        await panel.press("t", "a")
        await panel.publish(snapshot(2, OTHER))
        assert panel.main.state.holding and panel.rel == PACK[0].rel
        # The answer overtakes what waits.
        await panel.press("enter")
        await panel.wait(lambda: panel.host.sent == [Ask("a")], "the question")
        await panel.publish(typed("a", 3))
        assert not panel.main.state.holding and panel.rel == GUIDE.rel


async def test_newest_first_gives_way_to_the_task(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("s")
        await ask(panel, "guide")
        await panel.publish(typed("guide"))
        assert not panel.main.state.by_time and panel.rel == GUIDE.rel


# Without a panel


def test_which_snapshot_is_the_answer() -> None:
    state = PanelState()
    state.offer(snapshot(), busy=False)
    assert state.ask("b") and state.task == "b" and not state.ask("b")
    # One that was on its way when the user asked is not, and is held back as ever.
    assert state.offer(snapshot(2, OTHER), busy=True) is Verdict.HELD
    assert state.offer(typed("a", 3), busy=True) is not Verdict.ANSWERED
    assert state.offer(typed("b", 4), busy=True) is Verdict.ANSWERED
    assert state.offer(typed("b", 5, PACK), busy=True) is Verdict.HELD
    assert state.ask("") and state.offer(snapshot(6), busy=True) is Verdict.ANSWERED
    assert state.task == "" and not state.ask("")


def test_the_history_of_a_line() -> None:
    line = TaskInput()
    texts: list[str] = []
    line._put = texts.append  # type: ignore[method-assign,assignment]
    for text in ("one", "", "two", "one"):
        line.keep(text)
    line.begin("new")
    for step in (-1, -1, -1, 1, 1, 1):
        line.action_recall(step)
    assert texts == ["new", "one", "two", "one", line.value]


@pytest.mark.parametrize("width", (1, 9, 20, 40, 60, 80, 120, 300))
def test_the_title_says_whose_task_it_is(width: int) -> None:
    bar = TitleBar()
    shot = typed("add jitter \x1b[31m to [/] the 重试 backoff\nand more " * 9)
    bar._standing = Standing(shot, shot.views[Tab.CONTEXT])
    text = "".join(piece.text for piece in bar.pieces(width))
    assert "\x1b" not in text and "\n" not in text
    assert ("your task: " in text) == (width >= 40)
    assert ("yours: " in text) == (width == 20)
    assert (("back to the session: T" if width >= 60 else "drop it: T") in text) == (width >= 40)


def test_what_there_is_to_do_without_a_task() -> None:
    start = "Waiting for a task. Press t to enter one"
    assert waiting_text(SessionStatus("none")) == f"{start}, or start your agent here."
    assert waiting_text(SessionStatus("off")) == f"{start}."
    assert waiting_text(SESSION).startswith(f"{start}, or ")
    assert waiting_text(SessionStatus("missing", path="x\x1b")) == "session file is missing: x␛"
    state = PanelState()
    lost = snapshot(views=views(PACK, mode=Mode.NEWEST), query=Query(), session=SessionStatus("none"))
    state.offer(lost, busy=False)
    assert state.session_trouble() == f"{start}, or start your agent here."
    # A typed task that says nothing has a notice of its own.
    query = Query(source="typed", typed="what is the")
    state.offer(replace(lost, generation=2, query=query, notices=(Notice("no-terms"),)), busy=False)
    assert state.session_trouble() == ""
    state.offer(snapshot(3), busy=False)
    assert state.session_trouble() == ""


# With the engine


@pytest.mark.parametrize("classic", (False, True))
def test_the_engine_ranks_for_it_and_goes_on_with_the_session(tmp_path: Path, classic: bool) -> None:
    for name, text in (("retry.md", "# Retry\n\nbackoff"), ("guide.md", "# Guide\n\nfirst steps")):
        (tmp_path / name).write_text(text)
    log = Log()
    log.waiting = [SessionInfo("claude", "s1", "/ws")]
    log.say("retry backoff")
    engine = Engine(tmp_path, Scanner(tmp_path).scan, log, classic=classic)

    def told(*changes: Change) -> tuple[str, str, list[str], int]:
        shot = engine.settle([SessionChanged(), *changes])
        assert shot.usage is not None
        return (
            shot.query.typed,
            shot.query.task,
            [i.rel for i in shot.views[Tab.CONTEXT].items],
            shot.usage.epoch,
        )

    assert told(Track(True)) == ("", "retry backoff", ["retry.md"], 1)
    assert told(Ask("the guide")) == ("the guide", "", ["guide.md"], 1)
    # The session goes on meanwhile, and nothing of that is lost.
    log.say("guide, first steps")
    assert told()[0] == "the guide" and told()[3] == 1
    assert told(Ask(None)) == ("", "guide, first steps", ["guide.md", "retry.md"], 2)
