"""The pane: what is shown when, from which line, and what the keys do."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.events import MouseScrollDown

from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.preview.view import BAR
from knit_tui.model import Access, Item, Kind, Passage, Text
from knit_tui.workspace.text import Unreadable
from tests.preview.bench import Bench, PaneApp
from tests.preview.conftest import OpenBench

LINES = 200


def numbered(count: int = LINES, word: str = "line") -> str:
    return "".join(f"{word} {number}\n" for number in range(1, count + 1))


def passage(start: int, end: int, *terms: str) -> Passage:
    return Passage(start, end, terms, "")


def text(body: str) -> Text:
    return Text(body, "utf-8", len(body), len(body))


class Gate:
    """A reader that lets each file through when the test says so."""

    def __init__(self, *held: str) -> None:
        self.events = {rel: threading.Event() for rel in held}
        self.asked: list[str] = []

    def __call__(self, root: Path, rel: str, limit: int) -> Text:
        self.asked.append(rel)
        if rel in self.events:
            assert self.events[rel].wait(30)
        return text(f"content of {rel}\n")


def banded(b: Bench) -> list[int]:
    """Numbers of the lines in sight that have a bar."""
    return [int(row[1:].split()[0]) for row in b.rows() if row.startswith(BAR)]


async def test_a_file_opens_at_its_first_passage_a_third_of_the_way_down(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", passage(100, 103, "line"), passage(150, 151, "line"))
        assert b.view.size.height == 30
        assert b.view.top == 99 - 10
        assert b.rows()[10].startswith(f"{BAR} 100 line 100")
        assert banded(b) == [100, 101, 102, 103]
        assert b.title().startswith(" a.txt:100-103 ")
        assert b.title().endswith(" passage 1/2  200 lines ")
        assert b.pane.line == 100


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


async def test_a_file_without_passages_opens_at_the_top(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt")
        assert b.view.top == 0 and b.pane.line == 1
        assert b.title().startswith(" a.txt ") and banded(b) == []


async def test_matched_terms_are_underlined_in_every_line_in_sight(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one Retry\n\nno match\n\tmaxRetry\n")
    async with bench() as b:
        await b.open("a.txt", passage(1, 1, "retry"))
        marked = [
            (y, segment.text)
            for y in range(4)
            for segment in b.view.render_line(y)
            if segment.style is not None and segment.style.underline
        ]
        assert marked == [(0, "Retry"), (3, "Retry")]


async def test_the_band_has_a_background_over_the_whole_row(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one\ntwo\n")
    async with bench() as b:
        await b.open("a.txt", passage(2, 2, "two"))
        plain, band = (
            {segment.style.bgcolor for segment in b.view.render_line(y) if segment.style} for y in (0, 1)
        )
        assert len(plain) == len(band) == 1 and plain != band


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


async def test_new_passages_do_not_move_the_text_later_either(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", passage(100, 101, "line"))
        b.pane.show(str(ws), b.item("a.txt", passage(20, 21, "line")))
        await b.until_title_has("a.txt:20-21")
        assert b.view.top == 89
        await b.resize(60, 21)
        assert b.view.top == 89


async def test_a_text_that_became_narrow_is_not_left_out_of_sight(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("-" * 500)
    async with bench(size=(60, 10)) as b:
        await b.open("a.txt")
        b.view.focus()
        await b.pilot.press("right", "right", "right")
        (ws / "a.txt").write_text("short\n")
        b.pane.reload()
        await b.until_screen_has("1 short ")


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


@pytest.mark.parametrize("presses", [("j", "down"), ("pagedown", "k"), ("G",), ("end", "up"), ("n",)])
async def test_keys_move_the_focused_content(bench: OpenBench, ws: Path, presses: tuple[str, ...]) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", passage(1, 2, "line"), passage(120, 121, "line"))
        b.view.focus()
        height = b.view.size.height
        await b.pilot.press(*presses)
        expected = {
            ("j", "down"): 2,
            ("pagedown", "k"): height - 2,
            ("G",): LINES - height,
            ("end", "up"): LINES - height - 1,
            ("n",): 119 - height // 3,
        }
        assert b.view.top == expected[presses]
        await b.pilot.press("pageup", "pageup", "home")
        assert b.view.top == 0
        await b.pilot.press("end", "g")
        assert b.view.top == 0


async def test_passages_are_visited_in_turn_and_round(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", *(passage(start, start + 1, "line") for start in (50, 100, 150)))
        third = b.view.size.height // 3
        seen = []
        for step in (1, 1, 1, -1):
            b.pane.next_passage(step)
            await b.pilot.pause()
            seen.append((b.view.top + third + 1, b.title().split("passage ")[1].split()[0]))
        assert seen == [(100, "2/3"), (150, "3/3"), (50, "1/3"), (150, "3/3")]
        await b.pilot.press("tab", "N")
        assert b.view.passage == 1
        b.pane.show(str(ws), b.item("a.txt"))
        await b.until(lambda: b.view.passage is None)
        b.pane.next_passage(1)
        assert b.view.passage is None and "passage" not in b.title()


async def test_half_pages_and_lines_from_outside(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        b.pane.scroll_lines(3)
        b.pane.scroll_half_page(1)
        await b.open("a.txt")
        b.pane.scroll_half_page(1)
        assert b.view.top == b.view.size.height // 2
        b.pane.scroll_lines(-3)
        assert b.view.top == b.view.size.height // 2 - 3
        b.pane.scroll_half_page(-1)
        assert b.view.top == 0
        assert b.pane.line == 1


async def test_long_lines_are_reached_sideways(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("start " + "-" * 100 + " end\nshort\n")
    async with bench(size=(60, 10)) as b:
        await b.open("a.txt")
        b.view.focus()
        assert "start" in b.rows()[0] and "end" not in b.rows()[0]
        await b.pilot.press(*["right"] * 20)
        assert b.rows()[0].endswith("- end ") or b.rows()[0].rstrip().endswith("- end")
        assert b.rows()[0].startswith("    1 "), "the line number stays"
        await b.pilot.press(*["left"] * 20)
        assert "start" in b.rows()[0]


async def test_left_at_the_left_edge_belongs_to_the_panel(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("-" * 100)
    async with bench(size=(60, 10)) as b:
        left = []
        b.app.bind("left", "away")
        b.app.action_away = lambda: left.append(1)  # type: ignore[attr-defined]
        await b.open("a.txt")
        b.view.focus()
        await b.pilot.press("right", "left")
        assert left == []
        await b.pilot.press("left")
        assert left == [1]


async def test_a_cut_line_says_so_at_the_cut_and_at_the_edge(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("x" * 5000 + "\nshort\n")
    async with bench(size=(200, 10)) as b:
        await b.open("a.txt")
        assert b.rows()[0].rstrip().endswith("x…")
        assert "…" not in b.rows()[1]
        b.view.focus()
        await b.pilot.press(*["right"] * 40)
        assert b.rows()[0].rstrip().endswith("x … 3,000 more characters")


async def test_the_end_of_what_was_read_is_told(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(("y" * 99 + "\n") * 10_486)
    async with bench() as b:
        await b.open("a.txt")
        assert b.title().endswith(" first 512 KiB of 1.0 MiB ")
        await b.pilot.press("tab", "G")
        assert b.rows()[-1].strip() == "512 KiB of this file not read"
        assert b.rows()[-2].strip()


@pytest.mark.parametrize(
    ("rel", "fields", "words"),
    [
        (".env", {"access": Access.WITHHELD}, "looks like a secret: content withheld"),
        ("blob", {}, "binary file: not shown"),
        ("flow.png", {"kind": Kind.IMAGE, "access": Access.NAME}, "PNG image"),
        ("nothing", {}, "no such file now"),
        ("pinned", {"missing": True}, "no such file now"),
        ("empty", {}, "empty file"),
    ],
)
async def test_cards_stand_where_there_is_no_text(
    bench: OpenBench, ws: Path, rel: str, fields: dict[str, object], words: str
) -> None:
    (ws / "before.txt").write_text(numbered())
    (ws / "empty").touch()
    (ws / ".env").write_text("TOKEN=1")
    (ws / "flow.png").write_bytes(b"\x89PNG")
    (ws / "blob").write_bytes(b"\x7fELF\0\0")
    async with bench() as b:
        await b.open("before.txt", passage(150, 151, "line"))
        await b.open(rel, **fields)
        screen = "\n".join(b.rows())
        assert words in screen and "line" not in screen and "TOKEN" not in screen
        assert b.title().strip() == rel
        b.view.focus()
        await b.pilot.press("j", "G", "n", "pagedown", "left", "right")
        assert words in "\n".join(b.rows())
        assert b.pane.line is None
        await b.open("before.txt")
        assert "line 1 " in b.rows()[0]


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


async def test_generated_files_are_shown_and_called_so(bench: OpenBench, ws: Path) -> None:
    (ws / "uv.lock").write_text("version = 1\n")
    async with bench() as b:
        await b.open("uv.lock", access=Access.GENERATED, language="toml")
        assert "version = 1" in b.rows()[0] and " generated " in b.title()


async def test_a_hidden_preview_is_in_place_when_it_appears(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        b.pane.display = False
        await b.pilot.pause()
        await b.open("a.txt", passage(100, 101, "line"))
        b.pane.display = True
        await b.until(lambda: b.view.size.height == 30)
        await b.until(lambda: b.view.top == 89)
        await b.pilot.resize_terminal(60, 16)
        await b.until(lambda: b.view.top == 99 - 5)
        b.pane.scroll_lines(1)
        await b.pilot.resize_terminal(60, 31)
        await b.until(lambda: b.view.size.height == 30)
        assert b.view.top == 95


@pytest.mark.parametrize("move", ["wheel", "bar"])
async def test_what_the_mouse_moved_stays_on_resize(bench: OpenBench, ws: Path, move: str) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", passage(100, 101, "line"))
        if move == "wheel":
            b.view.post_message(MouseScrollDown(b.view, 5, 5, 0, 1, 0, False, False, False))
        else:
            await b.pilot.click(b.view, offset=(59, 29))
        await b.until(lambda: b.view.top != 89)
        top = b.view.top
        await b.pilot.resize_terminal(60, 21)
        await b.until(lambda: b.view.size.height == 20)
        assert b.view.top == top


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


async def test_passages_of_an_older_text_do_no_harm(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one\ntwo\n")
    async with bench() as b:
        await b.open("a.txt", passage(900, 950, "two"), passage(2, 5000, "two"))
        assert b.view.top == 0
        b.pane.next_passage(1)
        await b.pilot.pause()
        assert banded(b) == [2]


async def test_focus_shows_in_the_title(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one\n")
    async with bench() as b:
        await b.open("a.txt")
        title = b.pane.query_one("PreviewTitle")

        def bold() -> bool:
            return any(
                s.style is not None and s.style.bold and "a.txt" in s.text for s in title.render_line(0)
            )

        b.app.set_focus(None)
        await b.until(lambda: not bold())
        b.view.focus()
        await b.until(bold)
