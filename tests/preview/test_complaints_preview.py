"""What readers of previews elsewhere complain about, each complaint as a test that it is not so here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseScrollDown, MouseScrollRight, MouseScrollUp
from textual.pilot import Pilot

from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.preview.document import Card, Frame, Picture
from knit_tui.faces.tui.preview.drawing import BAR
from knit_tui.faces.tui.preview.loader import READ_LIMIT
from knit_tui.faces.tui.services import Services
from knit_tui.model import Kind, Passage, Text
from tests.panel.machine import TMUX, Machine
from tests.panel.sample import FakeHost, item, now, snapshot
from tests.preview.bench import Bench, wait_for
from tests.preview.conftest import OpenBench
from tests.preview.test_hostile import assert_safe, whole_screen

HANGS_ITS_LEXER = ("word " * 80 + "\n") * 120
"""As Java: the pattern for a method tries every way to part a run of words, which takes minutes."""
SENTENCE = "A paragraph that is written as one line, as many people write them, because editors wrap. "


def a_passage(start: int, end: int, *terms: str) -> Passage:
    return Passage(start, end, terms, "")


def lines(count: int, **words: int) -> str:
    """Numbered lines; ``words`` stand in the lines of their numbers."""
    at = {number: word for word, number in words.items()}
    return "".join(f"line {number} {at.get(number, '')}\n" for number in range(1, count + 1))


def row_of(b: Bench, start: str) -> int:
    """The row in sight whose line number and text begin so."""
    return next(y for y, row in enumerate(b.rows()) if row[1:].lstrip().startswith(start))


# Where it opens


async def test_the_preview_opens_where_it_matches_not_at_the_top(bench: OpenBench, ws: Path) -> None:
    """The preview starts at the top of the file, or the line that matched is at the edge or out of sight."""
    (ws / "a.txt").write_text(lines(300, needle=135))
    async with bench(size=(60, 31)) as b:
        await b.open("a.txt", a_passage(130, 160, "needle"))
        assert row_of(b, "130 line 130") == 10, "the start of the passage, when the match is in sight then"
        (ws / "b.txt").write_text(lines(300, needle=158))
        await b.open("b.txt", a_passage(130, 160, "needle"))
        assert row_of(b, "158 line 158 needle") == 10, "else the match"
        b.pane.scroll_lines(-1000)
        assert b.rows()[0].startswith("    1 line 1"), "all the file can be seen"


async def test_every_match_is_visited(bench: OpenBench, ws: Path) -> None:
    """There is no way to the other matches, or only to those of the first few."""
    words = {"needle": 50, "Needle": 12, "needleOne": 55, "needle_two": 120}
    (ws / "a.txt").write_text(lines(200, **words))
    (ws / "plain.txt").write_text(lines(200, hay=150, Hay=20))
    async with bench(size=(60, 21)) as b:
        await b.open("a.txt", a_passage(48, 52, "needle"))
        seen = [(b.title().split()[0], b.title().split("match ")[1].split()[0], b.pane.line)]
        for step in (1, 1, 1, 1, -1):
            b.pane.next_match(step)
            await b.pilot.pause()
            seen.append((b.title().split()[0], b.title().split("match ")[1].split()[0], b.pane.line))
            assert b.rows()[20 // 3 if b.view.top else 11].startswith(BAR)
        assert seen == [
            ("a.txt:48-52", "1/4", 48),
            ("a.txt:55", "2/4", 55),
            ("a.txt:120", "3/4", 120),
            ("a.txt:12", "4/4", 12),
            ("a.txt:48-52", "1/4", 48),
            ("a.txt:12", "4/4", 12),
        ]
        # Also where it is beyond the edge, or far down in a wrapped line.
        for kind in (Kind.CODE, Kind.DOCS):
            (ws / f"long.{kind}").write_text("start\n" + SENTENCE * 20 + "needle\n" + "x\n" * 60)
            await b.open(f"long.{kind}", a_passage(1, 1, "needle"), kind=kind)
            b.pane.next_match(1)
            await b.until_screen_has("needle")
        # The words of a filter count as well, in a file without any passage too.
        b.pane.look_for(("hay",))
        await b.open("plain.txt")
        assert b.view.top == 0 and "2 matches" in b.title()
        b.pane.next_match(-1)
        await b.until_title_has("plain.txt:150")
        assert "match 2/2" in b.title()
        b.pane.look_for(())
        await b.until(lambda: "match" not in b.title())


async def test_the_place_in_a_file_is_kept_while_it_means_the_same(bench: OpenBench, ws: Path) -> None:
    """Coming back to a file, one starts again; or one lands where an older question had led."""
    for name in ("a.txt", "b.txt"):
        (ws / name).write_text(lines(300))
    async with bench() as b:
        await b.open("a.txt", a_passage(100, 110, "line"))
        b.pane.scroll_lines(30)
        top = b.view.top
        await b.open("b.txt")
        await b.open("a.txt", a_passage(100, 110, "line", "other"))
        assert b.view.top == top, "the same passage, though the words of the question are others"
        await b.open("b.txt")
        await b.open("a.txt", a_passage(200, 210, "line"))
        assert b.view.top == 199 - b.view.size.height // 3, "another passage, and nobody is reading"
        b.pane.next_match(1)
        await b.pilot.pause()
        there = b.title().split()[0]
        await b.open("b.txt")
        await b.open("a.txt", a_passage(200, 210, "line"))
        assert b.title().split()[0] == there, "the match one was at"


# What it shows


async def test_never_another_file_under_a_title(bench: OpenBench, ws: Path) -> None:
    """After a reload or a fast move the preview shows the file before; after an error, its remains."""
    bodies = {"a.txt": "content of a\n", "b.txt": "content of b\n"}
    broken: set[str] = set()

    def read(root: Path, rel: str, limit: int) -> Text:
        if rel in broken:
            raise PermissionError(13, "Permission denied")
        return Text(bodies[rel], "utf-8", len(bodies[rel]), len(bodies[rel]))

    async with bench(read=read) as b:
        for number in range(60):
            b.pane.show(str(ws), b.item(("a.txt", "b.txt")[number % 2]))
            if number % 7 == 0:
                await b.pilot.pause()
            title, text = b.title().split()[:1], "".join(b.rows()).split()[1:4]
            assert not title or not text or text[2] == title[0].removesuffix(".txt"), (title, text)
        await b.until(lambda: b.rel == "b.txt")
        bodies["b.txt"] = "edited content of b\n"
        b.pane.reload()
        await b.until_screen_has("edited content of b")
        broken.add("b.txt")
        b.pane.reload()
        await b.until_screen_has("cannot be read")
        assert "content of" not in "".join(b.rows()) and "b.txt" in b.title()


async def test_a_huge_file_costs_one_window_of_it(bench: OpenBench, ws: Path) -> None:
    """A huge file under the cursor freezes the program, or is shown in part without a word."""
    asked: list[int] = []

    def read(root: Path, rel: str, limit: int) -> Text:
        asked.append(limit)
        return Text("a line\n" * 70_000, "utf-8", 3 << 30, 7 * 70_000)

    async with bench(size=(100, 12), read=read) as b:
        await b.open("huge.log")
        assert asked == [READ_LIMIT] and READ_LIMIT <= 512 * 1024
        assert "first 479 KiB of 3.0 GiB" in b.title()
        b.pane.scroll_lines(10**9)
        assert b.rows()[-1].strip() == "3.0 GiB of this file not read"


async def test_what_is_no_text_is_named(bench: OpenBench, ws: Path) -> None:
    """A binary file fills the screen with noise."""
    (ws / "a.bin").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
    async with bench() as b:
        await b.open("a.bin")
        assert [row.strip() for row in b.rows() if row.strip()] == ["binary file: not shown", "10.0 KiB"]


async def test_a_lexer_that_hangs_costs_its_file_the_colours_once(bench: OpenBench, ws: Path) -> None:
    """One strange file and the highlighter takes the whole program with it, again at each visit."""
    (ws / "Words.java").write_text(HANGS_ITS_LEXER)
    (ws / "fine.py").write_text("def f(): pass\n")
    async with bench(limit=0.5) as b:
        await b.open("Words.java", language="java")
        assert "word word" in b.rows()[0], "the text is there meanwhile"
        await b.until(lambda: b.view.colours_failed)
        await b.until_title_has("no colours")
        await b.open("fine.py", language="python")
        await b.until(b.coloured)
        pid = b.view.highlighter.pid
        await b.open("Words.java", language="java")
        assert b.view.colours_failed and b.view.highlighter.pid == pid, "it is not tried again"
        assert "word word" in b.rows()[0]


@pytest.mark.parametrize("kind", [Kind.CODE, Kind.DOCS])
async def test_lines_of_any_length_and_letters_are_drawn(bench: OpenBench, ws: Path, kind: Kind) -> None:
    """A minified file, tabs, other line ends, or text that is not English breaks or overflows the view."""
    bodies = {
        "minified": ("var a=1,b=function(c){return c*2};" * 31_000).encode(),
        "tabs and line ends": b"\ta\t\tb\r\n" + b"x\ty" * 300 + b"\rlast",
        "invisible": "a\u200bb\u2060c \u00ad\u202eevil\u202c end\n".encode(),
        "right to left": ("مرحبا بالعالم שלום עולם " * 40).encode(),
        "wide": ("漢字 mixed ｱｲｳ 한국어 " * 60 + "\n").encode(),
        "emoji": ("👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🏴 " * 60).encode(),
        "brackets": b"[/] [red]x[/red] [@click=app.quit]y[/] [b + " * 30,
        "terminal": b"\x1b]52;c;Q0xJUA==\x07\x1b[2J\x9b31m" * 30,
    }
    async with bench(size=(40, 14)) as b:
        for name, body in bodies.items():
            (ws / name).write_bytes(body)
            await b.open(name, kind=kind, language="javascript" if name == "minified" else None)
            assert_safe(b, 40)
            b.pane.scroll_lines(10**9)
            assert_safe(b, 40)
            b.pane.scroll_columns(1)
            assert_safe(b, 40)


async def test_a_picture_leaves_nothing_behind(bench: OpenBench, ws: Path) -> None:
    """Pieces of a picture stay on the screen when the next file comes, in a multiplexer above all."""
    (ws / "a.txt").write_text("text\n" * 40)
    pixels = bytes(range(240)) * 2
    picture = Picture(Frame((20, 8)), (20, 8), (20, 8), pixels, 480)
    async with bench(size=(40, 14)) as b:
        b.view.show_card(Card("PNG image", (), picture))
        await b.pilot.pause()
        assert any("▀" in row for row in b.rows())
        assert_safe(b, 40)  # cells like all others: nothing that a terminal keeps beside its text
        await b.open("a.txt")
        assert all("▀" not in row and row[1:].split()[1] == "text" for row in b.rows())


# Long lines


async def test_long_lines_wrap_in_prose_and_are_reached_sideways_in_code(bench: OpenBench, ws: Path) -> None:
    """Half of a paragraph is beyond the edge; or code is torn to pieces; and no way to have it otherwise."""
    body = lines(20) + "  - " + SENTENCE * 4 + "\n" + lines(60)
    (ws / "a.md").write_text(body)
    (ws / "a.py").write_text(body)
    async with bench(size=(60, 22)) as b:
        await b.open("a.md", a_passage(21, 21, "editors"), kind=Kind.DOCS)
        first = row_of(b, "21   - A paragraph")
        rows = b.rows()[first : first + 8]
        assert all(row.startswith(BAR) for row in rows[:6]), "the band is on every part"
        assert rows[1][1:].startswith(" " * 9) and rows[1].split()[1][0].isalpha(), "no number, and indented"
        on_screen = " ".join(row[7:] for row in whole_screen(b)[first + 1 :]).split()
        assert on_screen[1 : 1 + 4 * len(SENTENCE.split())] == 4 * SENTENCE.split(), "up to the scroll bar"
        assert b.pane.line == 21
        (ws / "one.md").write_text("0123456789" * 40)
        await b.open("one.md", kind=Kind.DOCS)
        assert "".join(row[6:].strip() for row in whole_screen(b)[1:]) == "0123456789" * 40
        await b.open("a.py", a_passage(21, 21, "editors"))
        assert b.rows()[row_of(b, "21   - A paragraph") + 1].split()[0] == "22"
        # Sideways: with the wheel, and from outside.
        for event, seen in ((MouseScrollRight, False), (MouseScrollUp, True)):
            b.view.post_message(event(b.view, 20, 5, 0, 1, 0, True, False, False))
            await b.until(lambda seen=seen: ("A paragraph" in "".join(b.rows())) == seen)
        b.view.post_message(MouseScrollDown(b.view, 20, 5, 0, 1, 0, True, False, False))
        await b.until(lambda: "A paragraph" not in "".join(b.rows()))
        assert not b.view.scrolled, "up and down is another thing"


async def test_wrapping_and_a_new_size_leave_the_line_where_it_is(bench: OpenBench, ws: Path) -> None:
    """When lines are wrapped, or the window gets another size, one loses the place."""
    body = "".join(f"{number} {SENTENCE * (number % 3)}\n" for number in range(1, 400))
    for name in ("a.py", "b.py"):
        (ws / name).write_text(body)
    async with bench(size=(80, 20)) as b:
        await b.open("a.py")
        b.pane.scroll_lines(200)
        assert b.view.top == 200
        assert b.pane.toggle_wrap() == (False, True)
        await b.pilot.pause()
        assert b.view.top == 200 and b.rows()[0].split()[:2] == ["201", "201"]
        for size in ((50, 20), (120, 11), (30, 20), (6, 20), (80, 20)):
            await b.resize(*size)
            assert b.view.top == 200, size
            on_screen = " ".join(row[6:] for row in whole_screen(b)[1:]).split()
            expected = ["201", "202", *SENTENCE.split(), "203", *SENTENCE.split()]
            assert size[0] < 10 or on_screen[: len(expected)] == expected, size
        await b.open("b.py")
        assert not b.rows()[1].split()[0].isdigit(), "it is remembered, for code"
        await b.open("a.py")
        assert b.view.top == 200
        assert b.pane.toggle_wrap() == (False, False)
        await b.pilot.pause()
        assert b.view.top == 200 and b.rows()[1].split()[0] == "202"


# The panel around it


@asynccontextmanager
async def a_panel(root: Path, machine: Machine) -> AsyncIterator[tuple[Any, Pilot[Any]]]:
    items = [
        item("a.py", passages=[a_passage(40, 44, "needle")]),
        item("b.md", passages=[a_passage(2, 3, "needle")]),
    ]
    app = KnitApp(FakeHost(snapshot(1, items, root=str(root))), now=now, services=Services(machine))
    async with app.run_test(size=(120, 30)) as pilot:
        await wait_for(pilot, lambda: app.main.preview.shown is not None)
        yield app.main, pilot


async def test_what_is_read_can_be_taken_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mouse is taken, so that text cannot be selected; or it says "copied" and nothing is."""
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "a.py").write_text(lines(90, needle=42, Needle=70))
    (tmp_path / "b.md").write_text("one\ntwo needle\nthree\n")
    machine = Machine(("tmux",), TMUX)
    async with a_panel(tmp_path, machine) as (main, pilot):

        def said() -> str:
            return str(main.query_one("#title").render_line(0).text)

        def title() -> str:
            return str(main.preview.query_one("PreviewTitle").render_line(0).text)

        # From the list: the next match, and back.
        await pilot.press("n")
        await wait_for(pilot, lambda: "a.py:70" in title() and "match 2/2" in title())
        await pilot.press("N", "C")
        await wait_for(pilot, lambda: "copied by tmux: lines 40-44" in said())
        assert machine.fed == [b"line 40 \nline 41 \nline 42 needle\nline 43 \nline 44 "]
        # With the mouse: on release, and only the text.
        view = main.preview.view
        row = 40 - view.top - 1
        await pilot.mouse_down(view, offset=(6, row))
        await pilot.hover(view, offset=(9, row))
        await pilot.mouse_up(view, offset=(9, row))
        await wait_for(pilot, lambda: "copied by tmux: line" in said() and len(machine.fed) == 2)
        assert machine.fed[1] == b"line"
        # A document whose text is not in the preview.
        await pilot.press("h")
        await pilot.resize_terminal(40, 30)
        await pilot.press("down", "C")
        await wait_for(pilot, lambda: len(machine.fed) == 3)
        assert machine.fed[2] == b"two needle\nthree"
        # Long lines, with a word about what holds now.
        await pilot.resize_terminal(120, 30)
        await wait_for(pilot, lambda: "b.md" in title())
        await pilot.press("L")
        await wait_for(pilot, lambda: "long lines of documents end at the edge" in said())
        assert main._values("")["view.wrap"] == "off"
        # A filter's words are matches.
        await pilot.press("slash", "m", "d", "enter")
        await wait_for(pilot, lambda: main.preview.view.document.words == ("md",))
