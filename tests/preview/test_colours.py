"""Colours in the panel: they arrive later, change nothing else, and their failure costs only them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from textual.color import Color

from knit_tui.faces.tui.preview.child import GROUPS
from knit_tui.faces.tui.preview.document import CHUNK
from knit_tui.faces.tui.theme import THEMES
from knit_tui.model import Passage
from tests.preview.bench import Bench, alive
from tests.preview.conftest import FakeChild, OpenBench

CODE = 'def f(x: int) -> str:\n    return "s"\n\n\n'
BY_NAME = """name = request["lines"][0]
    if "hang" in name:
        while True: pass
    if "die" in name:
        os._exit(1)
    send({"runs": [[0, len(line), 1] if line else [] for line in request["lines"][request["skip"]:]]})"""


def colours_of_row(b: Bench, y: int) -> list[tuple[str, str]]:
    """Text and colour of the segments of a row, after the line number."""
    segments = list(b.view.render_line(y))[2:]
    return [(s.text, s.style.color.name) for s in segments if s.style and s.style.color and s.text.strip()]


async def test_colours_come_and_leave_the_text_as_it_is(bench: OpenBench, ws: Path) -> None:
    (ws / "a.py").write_text(CODE)
    async with bench() as b:
        await b.open("a.py", language="python")
        before = b.rows()
        await b.until(b.coloured)
        assert b.rows() == before
        words = dict(colours_of_row(b, 0))
        assert len({words["def"], words["f"], words["int"]}) == 3


async def test_a_text_without_a_language_asks_nobody(bench: OpenBench, ws: Path) -> None:
    (ws / "a.txt").write_text(CODE)
    async with bench() as b:
        await b.open("a.txt")
        assert b.view.highlighter.pid is None and "no colours" not in b.title()


async def test_lines_far_down_are_coloured_when_they_come_into_sight(bench: OpenBench, ws: Path) -> None:
    (ws / "a.py").write_text(CODE * 500)
    async with bench() as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        b.view.focus()
        await b.pilot.press("G")
        await b.until(b.coloured)


async def test_a_string_opened_far_above_gets_its_colour_after_a_rest(bench: OpenBench, ws: Path) -> None:
    lines = ['text = """', *["def f(): pass"] * (4 * CHUNK), '"""']
    (ws / "a.py").write_text("\n".join(lines))
    async with bench() as b:
        await b.open("a.py", Passage(3 * CHUNK, 3 * CHUNK, (), ""), language="python")
        await b.until(lambda: len(set(colours_of_row(b, 10))) == 1)
        assert colours_of_row(b, 10)[0][0] == "def f(): pass"


async def test_late_colours_of_another_file_never_show(
    bench: OpenBench, ws: Path, fake_child: FakeChild, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command, log = fake_child(f"open({str(gate)!r}).read()\n    " + BY_NAME)
    (ws / "a.py").write_text("first\n")
    (ws / "b.txt").write_text("other\n")
    async with bench(command=command) as b:
        await b.open("a.py", language="python")
        await b.until(lambda: "asked" in log.read_text())
        await b.open("b.txt")
        gate.write_text("go")
        await b.until(lambda: "colours of first" in b.arrived)
        await b.pilot.pause()
        assert not b.coloured() and "other" in b.rows()[0]


async def test_a_changed_file_keeps_the_colours_of_its_lines(
    bench: OpenBench, ws: Path, fake_child: FakeChild
) -> None:
    command, _ = fake_child(BY_NAME)
    (ws / "a.py").write_text("one\ntwo\n")
    async with bench(command=command) as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        keyword = colours_of_row(b, 0)[0][1]
        (ws / "a.py").write_text("hang\none\ntwo\n")
        b.pane.show(str(ws), b.item("a.py", language="python"))
        await b.until(lambda: "hang" in b.rows()[0])
        assert colours_of_row(b, 1) == [("one", keyword)]
        assert colours_of_row(b, 0)[0][1] != keyword


async def test_new_passages_alone_need_no_new_colours(
    bench: OpenBench, ws: Path, fake_child: FakeChild
) -> None:
    command, log = fake_child(BY_NAME)
    (ws / "a.py").write_text("one\ntwo\n")
    async with bench(command=command) as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        for line in (1, 2):
            b.pane.show(str(ws), b.item("a.py", Passage(line, line, ("one",), ""), language="python"))
            await b.until_title_has(f":{line} ")
            assert b.coloured()
        assert log.read_text().split().count("asked") == 1


async def test_a_lexer_that_hangs_costs_its_file_the_colours_and_nothing_else(
    bench: OpenBench, ws: Path, fake_child: FakeChild
) -> None:
    command, log = fake_child(BY_NAME)
    (ws / "bad.py").write_text("hang\n" * 300)
    (ws / "good.py").write_text("fine\n" * 300)
    async with bench(command=command, limit=0.3) as b:
        await b.open("bad.py", language="python")
        await b.until(lambda: "no colours" in b.title())
        assert not b.coloured() and "hang" in b.rows()[0]
        await b.pilot.press("tab", "G", "g")
        await b.open("good.py", language="python")
        await b.until(b.coloured)
        assert "no colours" not in b.title()
        asked = log.read_text().count("asked")
        (ws / "bad.py").write_text("hang again\n")
        await b.open("bad.py", language="python")
        await b.pilot.press("G")
        assert "no colours" in b.title()
        assert log.read_text().count("started") == 2
        assert log.read_text().count("asked") - asked <= 2, "only the file that went well was asked about"


async def test_a_text_too_slow_as_a_whole_keeps_its_windows(
    bench: OpenBench, ws: Path, fake_child: FakeChild
) -> None:
    slow = "if len(request['lines']) > 200:\n        while True: pass\n    " + BY_NAME
    command, log = fake_child(slow)
    (ws / "a.py").write_text("fine\n" * 300)
    async with bench(command=command, limit=0.3) as b:
        await b.open("a.py", language="python")
        await b.until(lambda: b.whole_tried() and log.read_text().count("started") == 1)
        assert b.coloured() and "no colours" not in b.title()
        await b.pilot.press("G")
        await b.until(b.coloured)
        assert log.read_text().count("started") == 2


@pytest.mark.parametrize("command", [["/nonexistent/python"], ["/bin/false"]])
async def test_without_a_process_the_text_is_plain_and_says_so(
    bench: OpenBench, ws: Path, command: list[str]
) -> None:
    (ws / "a.py").write_text(CODE)
    async with bench(command=command) as b:
        await b.open("a.py", language="python")
        await b.until(lambda: "no colours" in b.title())
        assert "def f" in b.rows()[0]


async def test_the_death_of_the_process_is_not_noticed(bench: OpenBench, ws: Path) -> None:
    for name in ("a.py", "b.py"):
        (ws / name).write_text(CODE)
    async with bench() as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        pid = b.view.highlighter.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        await b.open("b.py", language="python")
        await b.until(b.coloured)
        assert b.view.highlighter.pid != pid and not alive(pid)


@pytest.mark.parametrize("hangs", [False, True])
async def test_nothing_is_left_when_the_pane_goes(
    bench: OpenBench, ws: Path, fake_child: FakeChild, hangs: bool
) -> None:
    command, log = fake_child(BY_NAME)
    (ws / "a.py").write_text("hang\n" if hangs else "fine\n")
    async with bench(command=command) as b:
        await b.open("a.py", language="python")
        await b.until(lambda: "asked" in log.read_text())
        pid = b.view.highlighter.pid
        assert pid is not None and alive(pid)
        await b.pane.remove()
        assert not alive(pid)


async def test_nothing_is_left_when_the_app_ends(bench: OpenBench, ws: Path) -> None:
    (ws / "a.py").write_text(CODE)
    async with bench() as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        pid = b.view.highlighter.pid
        assert pid is not None
    assert not alive(pid)


THEME_NAMES = [*(theme.name for theme in THEMES), "textual-dark", "textual-light"]


@pytest.mark.parametrize("theme", THEME_NAMES)
async def test_every_colour_can_be_read(bench: OpenBench, theme: str) -> None:
    async with bench() as b:
        for own in THEMES:
            b.app.register_theme(own)
        b.app.theme = theme
        await b.pilot.pause()
        inks = b.view._inks
        for name, least in {
            **dict.fromkeys((*GROUPS, "term", "note", "headline"), 4.5),
            "gutter": 3.0,
        }.items():
            for ground in ("", "band", *(() if name == "gutter" else ("selection",))):
                style = inks.style(name, ground=ground)
                assert style.color is not None and style.bgcolor is not None
                ratio = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
                assert ratio >= (least if ground != "selection" else 3.0), (name, ground, round(ratio, 2))


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: Color) -> float:
    parts = [part / 255 for part in (color.r, color.g, color.b)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


async def test_a_new_theme_repaints(bench: OpenBench, ws: Path) -> None:
    (ws / "a.py").write_text(CODE)
    async with bench() as b:
        await b.open("a.py", language="python")
        await b.until(b.coloured)
        before = colours_of_row(b, 0)
        b.app.theme = "textual-light"
        await b.until(lambda: colours_of_row(b, 0) != before)
        assert [text for text, _ in colours_of_row(b, 0)] == [text for text, _ in before]


async def test_without_colour_weight_says_enough(
    bench: OpenBench, ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    (ws / "a.py").write_text("def retry():  # why\n")
    async with bench() as b:
        await b.open("a.py", Passage(1, 1, ("retry",), ""), language="python")
        await b.until(b.settled)
        styles = {s.text: s.style for s in b.view.render_line(0) if s.style}
        assert styles["def"].bold and not styles["def"].underline
        assert styles["retry"].underline and styles["retry"].bold
        assert styles["# why"].italic and styles["# why"].dim
        assert b.rows()[0].startswith("▎")
