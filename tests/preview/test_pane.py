"""The pane: what is shown when, from which line, and what the keys do."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import MouseScrollDown

from knit_tui.faces.tui.preview.drawing import BAR
from knit_tui.model import Access, Kind
from tests.preview.bench import LINES, Bench, numbered, passage
from tests.preview.conftest import OpenBench


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
        assert b.title().endswith(" match 1/200  200 lines ")
        assert b.pane.line == 100


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


async def test_a_text_that_became_narrow_is_not_left_out_of_sight(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("-" * 500)
    async with bench(size=(60, 10)) as b:
        await b.open("a.txt")
        b.view.focus()
        await b.pilot.press("right", "right", "right")
        (ws / "a.txt").write_text("short\n")
        b.pane.reload()
        await b.until_screen_has("1 short ")


@pytest.mark.parametrize("presses", [("j", "down"), ("pagedown", "k"), ("G",), ("end", "up")])
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
        }
        assert b.view.top == expected[presses]
        await b.pilot.press("pageup", "pageup", "home")
        assert b.view.top == 0
        await b.pilot.press("end", "g")
        assert b.view.top == 0


async def test_passages_are_visited_in_turn_and_round(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(numbered())
    async with bench() as b:
        await b.open("a.txt", *(passage(start, start + 1) for start in (50, 100, 150)))
        third = b.view.size.height // 3
        seen = []
        for step in (1, 1, 1, -1):
            b.pane.next_match(step)
            await b.pilot.pause()
            seen.append((b.view.top + third + 1, b.title().split("match ")[1].split()[0]))
        assert seen == [(100, "2/3"), (150, "3/3"), (50, "1/3"), (150, "3/3")]
        b.pane.show(str(ws), b.item("a.txt"))
        await b.until(lambda: b.view.stop is None)
        b.pane.next_match(1)
        assert b.view.stop is None and "match" not in b.title()


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


async def test_the_panel_is_told_when_there_is_nothing_sideways(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("-" * 100)
    async with bench(size=(60, 10)) as b:
        await b.open("a.txt")
        assert [b.pane.scroll_columns(step) for step in (-1, 1, -1, -1)] == [False, True, True, False]


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


async def test_passages_of_an_older_text_do_no_harm(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text("one\ntwo\n")
    async with bench() as b:
        await b.open("a.txt", passage(900, 950, "two"), passage(2, 5000, "two"))
        assert b.view.top == 0
        b.pane.next_match(1)
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
