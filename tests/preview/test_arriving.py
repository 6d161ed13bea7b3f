"""What is shown while files come, change, fail and go."""

from __future__ import annotations

import threading
from pathlib import Path

from textual.app import ComposeResult

from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.model import Access, Item, Kind, Text
from knit_tui.workspace.text import Unreadable
from tests.preview.bench import Bench, Gate, PaneApp, numbered, passage, text
from tests.preview.conftest import OpenBench


async def test_it_can_be_told_what_to_show_before_it_is_there(ws: Path) -> None:
    (ws / "a.txt").write_text("content\n")

    class Early(PaneApp):
        def compose(self) -> ComposeResult:
            pane = PreviewPane()
            pane.show(str(ws), an_item)
            yield pane

    an_item = Item("a.txt", Kind.DOCS, None, Access.TEXT, "", "", 8, 1)
    async with Early().run_test() as pilot:
        b = Bench(ws, pilot, [])
        await b.until(lambda: b.rel == "a.txt")
        assert "content" in b.rows()[0]


async def test_a_late_load_of_another_file_never_shows(bench: OpenBench, ws: Path) -> None:
    gate = Gate("slow.txt")
    async with bench(read=gate) as b:
        b.pane.show(str(ws), b.item("slow.txt"))
        await b.until(lambda: "slow.txt" in gate.asked)
        await b.open("quick.txt")
        gate.events["slow.txt"].set()
        await b.until(lambda: "slow.txt" in b.arrived)
        await b.pilot.pause()
        assert b.rel == "quick.txt"
        assert "content of quick.txt" in b.rows()[0]


async def test_going_back_before_the_other_file_came_keeps_what_is_there(bench: OpenBench, ws: Path) -> None:
    gate = Gate("slow.txt")
    async with bench(read=gate) as b:
        await b.open("quick.txt")
        b.pane.show(str(ws), b.item("slow.txt"))
        await b.until(lambda: "slow.txt" in gate.asked)
        b.pane.show(str(ws), b.item("quick.txt"))
        gate.events["slow.txt"].set()
        await b.until(lambda: "slow.txt" in b.arrived)
        await b.pilot.pause()
        assert b.rel == "quick.txt" and gate.asked.count("quick.txt") == 1


async def test_a_file_that_takes_long_does_not_leave_another_ones_content(bench: OpenBench, ws: Path) -> None:
    gate = Gate("slow.txt")
    async with bench(read=gate) as b:
        await b.open("quick.txt")
        b.pane.show(str(ws), b.item("slow.txt"))
        await b.until(lambda: b.rel is None)
        assert "".join(b.rows()).strip() == ""
        assert b.title().strip() == "slow.txt"
        gate.events["slow.txt"].set()
        await b.until(lambda: b.rel == "slow.txt")
        assert "content of slow.txt" in b.rows()[0]


async def test_a_busy_workspace_does_not_keep_a_slow_file_from_coming(bench: OpenBench, ws: Path) -> None:
    gate = Gate("slow.txt")
    async with bench(read=gate) as b:
        for _ in range(20):
            b.pane.show(str(ws), b.item("slow.txt"))
            await b.pilot.pause()
        gate.events["slow.txt"].set()
        await b.until(lambda: b.rel == "slow.txt")
        assert gate.asked == ["slow.txt"]


async def test_an_older_load_of_the_same_file_does_not_replace_a_newer_one(
    bench: OpenBench, ws: Path
) -> None:
    (ws / "a.txt").write_text("x\n")
    first, asked = threading.Event(), []

    def read(root: Path, rel: str, limit: int) -> Text:
        asked.append(rel)
        if len(asked) == 1:
            assert first.wait(30)
            return text("old\n")
        return text("new\n")

    async with bench(read=read) as b:
        b.pane.show(str(ws), b.item("a.txt"))
        await b.until(lambda: asked)
        b.pane.show(str(ws), b.item("a.txt", passage(1, 1, "x")))
        await b.until(lambda: b.rel == "a.txt")
        first.set()
        await b.until(lambda: len(b.arrived) == 2)
        await b.pilot.pause()
        assert "new" in b.rows()[0]


async def test_a_changed_file_is_shown_again_from_the_same_line(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", passage(100, 103, "line"))
        b.pane.scroll_lines(7)
        top = b.view.top
        (ws / "a.txt").write_text(numbered(word="changed"))
        b.pane.show(str(ws), b.item("a.txt", passage(20, 22, "changed")))
        await b.until(lambda: "changed" in b.rows()[0])
        assert b.view.top == top
        assert b.title().startswith(" a.txt:20-22 ")
        (ws / "a.txt").write_text(numbered(30, "short"))
        b.pane.show(str(ws), b.item("a.txt"))
        await b.until(lambda: "short" in b.rows()[0])
        assert b.view.top == 30 - b.view.size.height


async def test_new_passages_move_the_text_only_while_nobody_reads(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        b.app.set_focus(None)
        await b.open("a.txt")
        b.pane.show(str(ws), b.item("a.txt", passage(100, 101, "line")))
        await b.until_title_has("a.txt:100-101")
        assert b.view.top == 89
        b.pane.show(str(ws), b.item("a.txt", passage(150, 151, "line")))
        await b.until_title_has("a.txt:150-151")
        assert b.view.top == 139
        b.view.focus()
        b.pane.show(str(ws), b.item("a.txt", passage(20, 21, "line")))
        await b.until_title_has("a.txt:20-21")
        assert b.view.top == 139
        await b.resize(60, 21)
        assert b.view.top == 139, "later neither"


async def test_the_place_in_a_file_is_remembered(bench: OpenBench, ws: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (ws / name).write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", passage(100, 101, "line"))
        b.pane.scroll_lines(11)
        top = b.view.top
        await b.open("b.txt")
        assert b.view.top == 0
        await b.open("a.txt", passage(100, 101, "line"))
        assert b.view.top == top
        await b.open("b.txt")
        await b.open("a.txt", passage(40, 41, "line"))
        assert b.view.top == 39 - b.view.size.height // 3


async def test_an_error_on_reload_leaves_nothing_stale(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("old content\n")
    fail: list[Exception] = []

    def read(root: Path, rel: str, limit: int) -> Text:
        if fail:
            raise fail[0]
        return text((root / rel).read_text())

    async with bench(read=read) as b:
        await b.open("a.txt")
        for error in (Unreadable("gone", ""), PermissionError(13, "Permission denied"), RuntimeError()):
            fail[:] = [error]
            b.pane.reload()
            await b.until(lambda: b.view.card is not None)
            assert "old content" not in "\n".join(b.rows())
            fail.clear()
            b.pane.reload()
            await b.until(lambda: b.view.document is not None)
            assert "old content" in b.rows()[0]


async def test_no_item_shows_no_file(bench: OpenBench, ws: Path) -> None:
    gate = Gate("slow.txt")
    async with bench(read=gate) as b:
        await b.open("quick.txt")
        b.pane.show(str(ws), b.item("slow.txt"))
        await b.until(lambda: "slow.txt" in gate.asked)
        b.pane.show(str(ws), None)
        await b.pilot.pause()
        assert "no file selected" in "\n".join(b.rows()) and b.title().strip() == ""
        gate.events["slow.txt"].set()
        await b.until(lambda: "slow.txt" in b.arrived)
        await b.pilot.pause()
        assert b.rel is None
        b.pane.show(str(ws), b.item("quick.txt"))
        await b.until(lambda: b.rel == "quick.txt")


async def test_fifty_snapshots_leave_a_scrolled_preview_where_it_is(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", passage(100, 101, "line"))
        b.pane.scroll_lines(-40)
        top = b.view.top
        for number in range(50):
            b.pane.show(str(ws), b.item("a.txt", passage(10 + number, 11 + number, "line")))
            await b.pilot.pause()
        await b.until(lambda: b.title().startswith(" a.txt:59-60 "))
        assert b.view.top == top
