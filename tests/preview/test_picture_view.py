"""A picture in the pane: drawn in half cells, made anew for another size, and never in the way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from rich.cells import cell_len
from rich.style import Style

from knit_tui.faces.tui.preview.document import Frame, Picture
from knit_tui.faces.tui.preview.raster import box_in, picture_strip
from knit_tui.model import Access, Kind
from tests.preview.bench import Bench, alive
from tests.preview.conftest import FakeChild, OpenBench

RED, BLUE, BLACK = (252, 0, 0), (0, 0, 252), (0, 0, 0)
HALVES = "▀▄ "


@pytest.fixture(autouse=True)
def full_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TEXTUAL_COLOR_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


async def show(b: Bench, rel: str) -> None:
    """Show a picture and wait until it is there."""
    await b.open(rel, kind=Kind.IMAGE, access=Access.NAME)


def drawn(b: Bench) -> tuple[int, int]:
    """Pixels of the picture on screen."""
    card = b.view.card
    assert card is not None and card.picture is not None, card
    return card.picture.drawn


def colours(b: Bench, y: int) -> list[Any]:
    """For each cell of a row its character and its two colours."""
    cells: list[Any] = []
    for segment in b.view.render_line(y):
        style = segment.style or Style()
        pair = tuple(c.triplet if c is not None else None for c in (style.color, style.bgcolor))
        cells += [(char, *pair) for char in segment.text]
    return cells


# Drawing


def picture(width: int, height: int, *pixels: tuple[int, int, int]) -> Picture:
    data = b"".join(map(bytes, pixels)) if pixels else bytes(range(256)) * (3 * width * height // 256 + 1)
    return Picture(
        Frame((width, height), BLACK), (width, height), (width, height), data[: 3 * width * height], 9
    )


def cells_of(given: Picture, width: int, height: int) -> list[list[tuple[str, Any, Any]]]:
    fill = Style.parse("white on #101010")
    rows = []
    for y in range(height):
        row: list[Any] = []
        for segment in picture_strip(given, y, width, height, fill):
            style = segment.style or Style()
            row += [(char, style.color, style.bgcolor) for char in segment.text]
        rows.append(row)
    return rows


def test_two_pixels_are_one_cell_and_the_ground_is_the_panes() -> None:
    ((one, two, three, four),) = cells_of(
        picture(4, 2, RED, RED, BLACK, BLACK, BLUE, BLACK, RED, BLACK), 4, 1
    )
    fill = Style.parse("white on #101010").bgcolor
    assert (one[0], tuple(one[1].triplet), tuple(one[2].triplet)) == ("▀", RED, BLUE)
    assert (two[0], tuple(two[1].triplet), two[2]) == ("▀", RED, fill)
    assert (three[0], tuple(three[1].triplet), three[2]) == ("▄", RED, fill)
    assert (four[0], four[2]) == (" ", fill)


def test_the_last_row_of_an_odd_number_is_half() -> None:
    rows = cells_of(picture(1, 3, RED, RED, RED), 1, 2)
    assert [row[0][0] for row in rows] == [" ", "▀"]
    assert tuple(rows[0][0][2].triplet) == RED and tuple(rows[1][0][1].triplet) == RED


def test_it_stands_in_the_middle() -> None:
    rows = cells_of(picture(2, 2, *[RED] * 4), 6, 3)
    assert [[cell[2] is not None and cell[2].triplet == RED for cell in row] for row in rows] == [
        [False] * 6,
        [False, False, True, True, False, False],
        [False] * 6,
    ]


def test_one_made_for_more_room_is_cut_at_the_right_and_at_the_bottom() -> None:
    ((cell,),) = cells_of(picture(2, 4, RED, BLUE, RED, BLUE, BLUE, BLUE, BLUE, BLUE), 1, 1)
    assert tuple(cell[2].triplet) == RED


@pytest.mark.parametrize("given", [picture(1, 1), picture(7, 5), picture(300, 2), picture(40, 90)])
def test_every_size_of_a_view_is_filled_exactly(given: Picture) -> None:
    fill = Style.parse("white on #101010")
    for width in [*range(61), 299, 300, 301]:
        for height in (1, 2, 3, 46, 60):
            for y in range(-1, height + 1):
                strip = picture_strip(given, y, width, height, fill)
                assert sum(cell_len(segment.text) for segment in strip) == strip.cell_length == width
                assert all(set(segment.text) <= set(HALVES) for segment in strip)


def test_a_picture_has_a_margin_where_there_is_room_and_none_where_there_is_not() -> None:
    assert box_in(80, 30) == (78, 56)
    assert box_in(19, 30) == (19, 60) and box_in(80, 7) == (80, 14)
    assert box_in(3, 30) is box_in(80, 1) is box_in(0, 0) is None


# In the pane


@pytest.fixture
def red(ws: Path) -> str:
    """A wide picture, red over blue."""
    image = Image.new("RGB", (400, 200), RED)
    image.paste(BLUE, (0, 100, 400, 200))
    image.save(ws / "red.png")
    return "red.png"


async def test_a_picture_fills_the_pane_and_the_title_says_what_it_is(bench: OpenBench, red: str) -> None:
    async with bench(size=(62, 34)) as b:
        await show(b, red)
        width, height = b.view.size
        assert drawn(b) == (width - 2, (width - 2) // 2)
        top = (height - -(-drawn(b)[1] // 2)) // 2
        assert colours(b, top - 1)[5][0] == " " and colours(b, top - 1)[5][2] != RED
        assert colours(b, top + 1)[5][2] == RED and colours(b, height - top - 2)[5][2] == BLUE
        assert b.title().startswith(" red.png ") and "400x200  " in b.title()


async def test_a_new_size_makes_it_anew_and_what_was_there_stays_until_then(
    bench: OpenBench, red: str
) -> None:
    async with bench(size=(62, 34)) as b:
        await show(b, red)
        before = drawn(b)
        cards = []
        watched = b.view.show_card

        def note(card: Any) -> None:
            cards.append(card)
            watched(card)

        b.view.show_card = note  # type: ignore[method-assign]
        for width, height in ((30, 20), (120, 40), (62, 12)):
            await b.resize(width, height)
            box = box_in(*b.view.size)
            await b.until(lambda box=box: b.view.card.picture.frame.box == box)  # type: ignore[union-attr]
            assert drawn(b) != before
            before = drawn(b)
        assert cards and all(card is not None and card.picture is not None for card in cards), "no flicker"


async def test_the_same_size_asks_for_nothing(bench: OpenBench, red: str, fake_child: FakeChild) -> None:
    command, log = fake_child(ANSWER)
    async with bench(size=(62, 34), picture_command=command) as b:
        await show(b, red)
        b.view.focus()
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.pilot.pause()
        b.view.notify_style_update()
        await b.pilot.pause()
        assert log.read_text().split() == ["started", "asked"]


ANSWER = """width, height = request["box"] or (1, 1)
    import base64
    send({"form": "PNG", "size": [8, 4], "moving": False, "cut": False, "drawn": [width, height],
          "pixels": base64.b64encode(bytes(3 * width * height)).decode()})"""


async def test_every_width_is_safe(bench: OpenBench, red: str, fake_child: FakeChild) -> None:
    command, _ = fake_child(ANSWER)
    async with bench(size=(300, 24), picture_command=command) as b:
        await show(b, red)
        for width in [*range(300, 0, -23), *range(12, 0, -1), 1, 40, 299]:
            await b.resize(width, 1 + width % 20)
            for y in range(b.view.size.height):
                assert b.view.render_line(y).cell_length == b.view.size.width
        await b.until(lambda: drawn(b)[0] == b.view.size.width - 2)


async def test_a_picture_asked_for_out_of_sight_comes_with_the_pane(bench: OpenBench, red: str) -> None:
    async with bench(size=(62, 34)) as b:
        b.pane.display = False
        await b.pilot.pause()
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.pilot.pause()
        assert b.pane.pictures.pid is None, "nothing is made that fits nowhere"
        b.pane.display = True
        await b.until(lambda: b.rel == red)
        assert drawn(b)[0] == b.view.size.width - 2


async def test_another_theme_shows_through(bench: OpenBench, ws: Path) -> None:
    Image.new("RGBA", (60, 60)).save(ws / "clear.png")
    async with bench(size=(62, 34)) as b:
        await show(b, "clear.png")
        card = b.view.card
        assert card is not None and card.picture is not None
        dark = card.picture.frame.ground
        b.app.theme = "textual-light"
        await b.until(lambda: b.view.card.picture.frame.ground != dark)  # type: ignore[union-attr]
        ground = b.view.rich_style.bgcolor
        assert {cell[2] for y in range(34) for cell in colours(b, min(y, b.view.size.height - 1))} == {
            ground.triplet if ground is not None else None
        }


async def test_a_changed_picture_is_shown_again(bench: OpenBench, red: str, ws: Path) -> None:
    async with bench(size=(62, 34)) as b:
        await show(b, red)
        Image.new("RGB", (10, 10), BLUE).save(ws / red)
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.until(lambda: drawn(b) == (10, 10))
        assert "10x10" in b.title()


async def test_a_slow_picture_keeps_no_other_file_from_coming(
    bench: OpenBench, red: str, ws: Path, fake_child: FakeChild
) -> None:
    (ws / "a.txt").write_text("content\n")
    command, log = fake_child("while True: pass")
    async with bench(size=(62, 20), picture_command=command, picture_limit=60) as b:
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.until(lambda: "asked" in log.read_text())
        await b.until(lambda: b.title().startswith(" red.png"))
        await b.open("a.txt")
        assert "content" in b.rows()[0]


async def test_one_that_hangs_is_ended_and_the_next_one_comes(
    bench: OpenBench, red: str, ws: Path, fake_child: FakeChild
) -> None:
    (ws / "next.png").write_bytes(b"x")
    body = ANSWER.replace("\n    ", "\n        ")
    command, log = fake_child(
        f"if len(open(LOG).read().split()) > 2:\n        {body}\n    else:\n        while True: pass"
    )
    program = Path(command[-1])
    program.write_text(f"LOG = {str(log)!r}\n" + program.read_text())
    async with bench(size=(62, 20), picture_command=command, picture_limit=0.3) as b:
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.until(lambda: b.pane.pictures.pid is not None)
        pid = b.pane.pictures.pid
        await b.until_screen_has("picture took too long")
        assert pid is not None and not alive(pid)
        await show(b, "next.png")
        assert drawn(b)[0] == b.view.size.width - 2


async def test_leaving_ends_the_process(bench: OpenBench, red: str, fake_child: FakeChild) -> None:
    command, log = fake_child("while True: pass")
    async with bench(size=(62, 20), picture_command=command, picture_limit=60) as b:
        b.pane.show(str(b.root), b.item(red, kind=Kind.IMAGE, access=Access.NAME))
        await b.until(lambda: "asked" in log.read_text())
        pid = b.pane.pictures.pid
    assert pid is not None and not alive(pid)


def _no_colour(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("NO_COLOR", "1")


def _sixteen_colours(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("COLORTERM", "")
    patch.setenv("TERM", "xterm")


def _ascii(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("knit_tui.faces.usage_words._ascii", True)


@pytest.mark.parametrize("poor", [_no_colour, _sixteen_colours, _ascii])
async def test_a_poor_terminal_gets_a_card(
    bench: OpenBench, red: str, monkeypatch: pytest.MonkeyPatch, poor: Callable[[pytest.MonkeyPatch], None]
) -> None:
    poor(monkeypatch)
    async with bench(size=(62, 20)) as b:
        await show(b, red)
        card = b.view.card
        assert card is not None and card.picture is None
        text = "\n".join(b.rows())
        assert "PNG image" in text and "400x200" in text


async def test_a_terminal_of_256_colours_gets_the_nearest_of_them(
    bench: OpenBench, ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "")
    Image.effect_noise((60, 60), 90).convert("RGB").save(ws / "noise.png")
    async with bench(size=(62, 34)) as b:
        await show(b, "noise.png")
        card = b.view.card
        assert card is not None and card.picture is not None and card.picture.frame.few
        assert len(set(card.picture.pixels)) <= 30


async def test_a_picture_of_no_use_is_a_card_that_says_why(bench: OpenBench, ws: Path) -> None:
    (ws / "a.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"x" * 900)
    (ws / "b.png").write_bytes(b"nonsense")
    async with bench(size=(62, 20)) as b:
        await show(b, "a.heic")
        assert "no preview of this kind of picture" in "\n".join(b.rows())
        await show(b, "b.png")
        assert "picture cannot be decoded" in "\n".join(b.rows())


async def test_a_drawing_that_is_text_is_shown_as_text(bench: OpenBench, ws: Path) -> None:
    (ws / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>\n')
    async with bench(size=(80, 20)) as b:
        await b.open("a.svg", kind=Kind.IMAGE, access=Access.NAME, language="xml")
        assert "<rect/>" in b.rows()[0]
        assert "SVG image" in b.title()
        assert b.pane.pictures.pid is None


async def test_moving_between_pictures_and_texts_leaves_nothing_of_either(
    bench: OpenBench, red: str, ws: Path
) -> None:
    (ws / "a.txt").write_text("content\n")
    async with bench(size=(62, 20)) as b:
        for _turn in range(3):
            await show(b, red)
            assert "content" not in "\n".join(b.rows()) and "400x200" in b.title()
            await b.open("a.txt")
            assert "▀" not in "\n".join(b.rows()) and "400x200" not in b.title()


PANEL_SCRIPT = """
import asyncio, sys
from pathlib import Path
from tests.preview.bench import Bench, PaneApp
from knit_tui.model import Access, Kind

async def main(root):
    async with PaneApp().run_test() as pilot:
        bench = Bench(root, pilot, [])
        await bench.open("red.png", kind=Kind.IMAGE, access=Access.NAME)
        assert bench.view.card.picture is not None

asyncio.run(main(Path(sys.argv[1])))
print(*sorted(name for name in sys.modules if name.split(".")[0] == "PIL"))
"""


def test_the_panel_never_loads_pillow(red: str, ws: Path) -> None:
    repository = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", PANEL_SCRIPT, str(ws)],
        cwd=repository,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == ""
