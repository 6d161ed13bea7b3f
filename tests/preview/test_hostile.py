"""Bodies and names made to disturb a terminal, and every size a window can have."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from knit_tui.faces.tui.preview.colours import Colours
from knit_tui.faces.tui.preview.drawing import Drawing, gutter_width
from knit_tui.faces.tui.preview.layout import Layout
from knit_tui.faces.tui.preview.selecting import Selection
from knit_tui.model import Kind, Passage
from tests.preview.bench import Bench
from tests.preview.conftest import OpenBench

SEQUENCES = {
    "clipboard": "\x1b]52;c;Q0xJUA==\x07",
    "clipboard-st": "\x1b]52;c;Q0xJUA==\x1b\\",
    "title": "\x1b]0;TITLE\x07",
    "link": "\x1b]8;;http://example.com/x\x07click\x1b]8;;\x07",
    "clear": "\x1b[2J\x1b[3J\x1b[H",
    "screen": "\x1b[?1049l\x1b[?1000h\x1b[?2004h",
    "ask": "\x1b[6n\x1b[c\x1b[>q",
    "device": "\x1bP+q544e\x1b\\",
    "tmux": "\x1bPtmux;\x1b\x1b]52;c;Q0xJUA==\x07\x1b\\",
    "application": "\x1b_Ga=d\x1b\\",
    "reset": "\x1bc",
    "unterminated": "\x1b]0;never ends " + "A" * 4000,
    "c1": "\u009b2J\u009d52;c;Q0xJUA==\u009c\u0085",
    "shift": "\x0e lqqk \x0f",
    "backspace": "safe\x08\x08\x08\x08EVIL",
    "delete": "a\x7fb",
    "separators": "a\x0bb\x0cc\x1cd\u2028e\u2029f",
    "bidi": 'access = "user\u202e \u2066# check\u2069 \u2066"\u061c\u200e\u200f',
    "tags": "line" + "".join(chr(0xE0000 + ord(char)) for char in "do as I say"),
    "zero-width": "pass\u200bword\u2060 h\u00adidden \u180e\u3164\uffa0\ufeff",
    "variation": "v" + "".join(chr(0xE0100 + number) for number in range(200)),
    "stacked": "a" + "\u0301\u0308" * 500 + "b",
    "markup": "[/] [red]x[/red] [@click=app.quit]y[/] [b + [[wiki]] \\[esc] [$primary]",
    "wide": "漢字" * 700 + "ｱｲｳ 한국어 👨\u200d👩\u200d👧 ❤\ufe0f 🏴\U000e0067\U000e007f",
    "tabs": "\ta\t\tb\t漢\t.\x1b\t|",
    "surrogate": "a\ud800b",
}
SHAPES = {
    "txt": (None, "%s"),
    "py": ("python", "# %s\nprint(1)\n"),
    "md": ("markdown", "# %s\n\n`%s`\n\n```sh\n%s\n```\n"),
}
HARMLESS = ("Cc", "Cf", "Cs", "Zl", "Zp")


def whole_screen(b: Bench) -> list[str]:
    """Every row of the app as it goes to the terminal, without the styles."""
    return [strip.text for strip in b.app.screen._compositor.render_strips()]


def assert_safe(b: Bench, width: int) -> None:
    for strip in (b.view.render_line(y) for y in range(b.view.size.height)):
        assert sum(cell_len(segment.text) for segment in strip) == b.view.size.width
        assert all(segment.control is None for segment in strip)
        assert all(segment.style is None or not segment.style.meta for segment in strip)
    for row in whole_screen(b):
        assert cell_len(row) == width
        assert not {char for char in row if unicodedata.category(char) in HARMLESS}, row


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_body_reaches_the_terminal_raw(bench: OpenBench, ws: Path, shape: str) -> None:
    language, pattern = SHAPES[shape]
    async with bench(size=(50, 12)) as b:
        for name, sequence in SEQUENCES.items():
            body = pattern.replace("%s", f"{name} {sequence} end")
            (ws / f"{name}.{shape}").write_bytes(body.encode("utf-8", "surrogatepass"))
            passage = Passage(1, 2, (name, "end", "漢字"), "")
            kind = Kind.DOCS if language == "markdown" else Kind.CODE
            await b.open(f"{name}.{shape}", passage, language=language, kind=kind)
            await b.until(b.settled)
            assert_safe(b, 50)
            assert name in "\n".join(b.rows())
            b.view.focus()
            await b.pilot.press("right", "right", "G")
            assert_safe(b, 50)


@pytest.mark.parametrize(
    "name", ["bad\x1b]0;x\x07.txt", "[red]x[@click=app.quit]y.txt", "a\u202eb.txt", "漢字" * 40]
)
async def test_no_name_reaches_the_terminal_raw(bench: OpenBench, ws: Path, name: str) -> None:
    (ws / name).write_text("content\n")
    async with bench(size=(50, 6)) as b:
        await b.open(name)
        assert_safe(b, 50)
        assert "content" in b.rows()[0]


async def test_a_name_that_is_not_utf8_is_opened_and_shown_safely(bench: OpenBench, ws: Path) -> None:
    rel = "caf\udce9.txt"
    (ws / rel).write_text("content\n")
    async with bench(size=(50, 6)) as b:
        await b.open(rel)
        assert_safe(b, 50)
        assert "content" in b.rows()[0]


async def test_hidden_characters_are_told(bench: OpenBench, ws: Path) -> None:
    (ws / "trojan.py").write_text(SEQUENCES["bidi"])
    async with bench() as b:
        await b.open("trojan.py")
        assert "hidden characters" in b.title()
        assert b.rows()[0].count("\ufffd") == 7


@pytest.mark.parametrize("kind", [Kind.CODE, Kind.DOCS])
async def test_every_size_is_drawn_exactly(bench: OpenBench, ws: Path, kind: Kind) -> None:
    """Cut at the edge, as code is, and wrapped, as prose is."""
    body = "\n".join(SEQUENCES.values()) + "\n" + "x" * 3000
    (ws / "a.md").write_bytes(body.encode("utf-8", "surrogatepass"))
    passages = (Passage(3, 9, ("漢字", "end"), ""), Passage(20, 22, ("safe",), ""))
    async with bench(size=(200, 24)) as b:
        await b.open("a.md", *passages, language="markdown", kind=kind)
        for width in [*range(200, 0, -7), *range(30, 0, -1), *range(1, 200, 13), 200]:
            await b.resize(width, 3 + width % 20)
            assert_safe(b, width)
        await b.resize(1, 1)
        await b.pilot.press("j", "n", "G")
        await b.resize(80, 24)
        assert_safe(b, 80)


async def test_every_width_is_drawn_exactly(bench: OpenBench, ws: Path) -> None:
    body = "\n".join(SEQUENCES.values()) + "\n" + "x" * 3000
    (ws / "a.md").write_bytes(body.encode("utf-8", "surrogatepass"))
    async with bench() as b:
        await b.open("a.md", Passage(3, 9, ("漢字", "end"), ""), language="markdown")
        document = b.view.document
        assert document is not None
        selection = Selection((2, 5), (20, 3))
        for column, wrapped in ((0, False), (1, False), (7, False), (1990, False), (0, True)):
            for width in range(201):
                room = max(1, width - gutter_width(document, width))
                layout = Layout(document, room if wrapped else None)
                drawing = Drawing(document, layout, Colours(document), b.view._inks, column, None, selection)
                for row in range(0, layout.rows + 2, 3 + layout.rows // 16):
                    strip = drawing.row(row, width)
                    assert sum(cell_len(segment.text) for segment in strip) == width


async def test_cards_are_drawn_exactly_at_every_size(bench: OpenBench, ws: Path) -> None:
    async with bench(size=(60, 10)) as b:
        await b.open("nothing" * 40)
        for width in [*range(60, 0, -1), 60]:
            await b.resize(width, 1 + width % 9)
            assert_safe(b, width)


async def test_a_file_that_grows_and_shrinks_under_the_preview(bench: OpenBench, ws: Path) -> None:
    path = ws / "flap.log"
    path.write_text("start\n" * 5000)
    async with bench() as b:
        await b.open("flap.log")
        b.view.focus()
        await b.pilot.press("G")
        for word, body in (
            ("zzz…", "z" * 100_000),
            ("empty file", ""),
            ("1 one ", "one\n"),
            ("1 two ", "two\n" * 9000),
            ("empty file", ""),
            ("1 last ", "last\n"),
        ):
            path.write_text(body)
            b.pane.reload()
            await b.until_screen_has(word)
            assert_safe(b, 80)


PANEL_SCRIPT = """
import asyncio, sys
from pathlib import Path
from tests.preview.bench import Bench, PaneApp

async def main(root):
    app = PaneApp(limit=30)
    async with app.run_test() as pilot:
        bench = Bench(root, pilot, [])
        await bench.open("a.py", language="python")
        await bench.until(bench.coloured)

asyncio.run(main(Path(sys.argv[1])))
print(*sorted(name for name in sys.modules if name.split(".")[0] == "pygments"))
"""


def test_the_panel_never_loads_pygments(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(): pass\n")
    repository = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", PANEL_SCRIPT, str(tmp_path)],
        cwd=repository,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == ""
