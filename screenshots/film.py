"""Make README's film: an agent's session goes on, and the panel beside it follows.

    python -m screenshots.film

Writes ``demo.gif`` beside this script; ``screenshots/drawing.py`` says which fonts that needs. The panel is
the real one; the pane of the agent beside it is drawn from the demo's session, record by record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from knit_tui.demo import steps
from knit_tui.faces.tui.cells import wrap
from screenshots.drawing import Line, draw, pen_of
from screenshots.stage import Stage, stage

HERE = Path(__file__).resolve().parent
AGENT, PANEL, ROWS, CELL = 38, 64, 36, 8
"""Columns of the two panes, their rows, and pixels of a cell."""
TYPED, TYPING = 3, 0.25
"""Frames in which a prompt is typed, and how long each of them is."""
COLOURS = 64
BLANK: Line = [Segment(" " * AGENT)]


class Film:
    """The frames so far, and where the session is."""

    def __init__(self, panel: Stage) -> None:
        self._panel = panel
        self._colours = panel.app.theme_variables
        self._records = [step.record for step in steps()]
        self._at = 0
        self._said: list[Line] = []
        self.frames: list[Image.Image] = []
        self.seconds: list[float] = []

    async def show(self, seconds: float, typed: str = "") -> None:
        """A frame of how it is now, while ``typed`` stands in the agent's input line."""
        panel = await self._panel.screen()
        rule = Segment("│", Style(color=self._colours["knit-rule"]))
        lines = [[*left, rule, *right] for left, right in zip(self._agent(typed), panel, strict=True)]
        self.frames.append(draw(lines, pen_of(self._panel.app, CELL)))
        self.seconds.append(seconds)
        self._panel.seconds += seconds

    async def press(self, key: str, seconds: float) -> None:
        """The user presses a key in the panel."""
        await self._panel.press(key)
        await self.show(seconds)

    async def prompt(self, seconds: float) -> None:
        """The user types the next prompt and sends it."""
        text = next(filter(None, map(prompt_of, self._records[self._at :])))
        for part in range(1, TYPED + 1):
            await self.show(TYPING, text[: len(text) * part // TYPED])
        await self.go_on(lambda record: bool(prompt_of(record)), seconds)

    async def read(self, seconds: float) -> None:
        """The agent goes on until it has the next result of a call."""
        await self.go_on(lambda record: not prompt_of(record) and record["type"] == "user", seconds)

    async def go_on(self, until: Any, seconds: float) -> None:
        first = self._at
        for record in self._records[first:]:
            self._at += 1
            self._said += self._told(record)
            if until(record):
                break
        await self._panel.play(self._at - first)
        await self.show(seconds)

    def _told(self, record: Mapping[str, Any]) -> list[Line]:
        """What a terminal shows of a record."""
        if prompt_of(record):
            return [BLANK, *lines_of(prompt_of(record), Style(bold=True), "> ")]
        out = []
        for block in record["message"]["content"] if record["type"] == "assistant" else ():
            if block["type"] == "text":
                out += [BLANK, *lines_of(block["text"])]
            else:
                path = block["input"]["file_path"].removeprefix("{{root}}/")
                out += lines_of(f"{block['name']} {path}", Style(color=self._colours["knit-dim"]), "● ")
        return out

    def _agent(self, typed: str) -> list[Line]:
        """The agent's pane: the end of what was said, and the input line."""
        title = [Segment(" your agent".ljust(AGENT), Style(bgcolor=self._colours["panel"]))]
        rule = [Segment("─" * AGENT, Style(color=self._colours["knit-rule"]))]
        below = [rule, *lines_of(f"{typed}▌", Style(bold=True), "> ")]
        room = ROWS - 1 - len(below)
        return [title, *self._said[-room:], *[BLANK] * (room - len(self._said)), *below]


def lines_of(text: str, style: Style | None = None, mark: str = "") -> list[Line]:
    """``text`` in lines as wide as the agent's pane, with ``mark`` before it."""
    room = AGENT - 2 - len(mark)
    texts = [
        (mark if number == 0 else " " * len(mark)) + line for number, line in enumerate(wrap(text, room))
    ]
    return [[Segment(f" {line}{' ' * (AGENT - 1 - cell_len(line))}", style)] for line in texts]


def prompt_of(record: Mapping[str, Any]) -> str:
    """The words of a record that is a prompt."""
    said = record["message"]["content"] if record["type"] == "user" else ""
    return said if isinstance(said, str) else ""


async def play() -> Film:
    """The story."""
    async with stage((PANEL, ROWS)) as panel:
        film = Film(panel)
        await panel.screen()
        await panel.press("a", "a")
        await film.show(1.0)
        await film.prompt(2.0)
        await film.read(1.0)
        await film.read(0.7)
        await film.press("j", 0.5)
        await film.press("j", 0.8)
        await film.press("g", 0.5)
        await film.prompt(2.4)
        await film.read(0.7)
        await film.read(1.0)
        await film.press("space", 2.0)
        await film.press("space", 0.5)
        await film.prompt(1.8)
        await film.read(0.5)
        await film.read(0.5)
        await film.read(2.2)
    return film


def save(film: Film, path: Path) -> None:
    """Write the frames with one palette for all of them."""
    width, height = film.frames[0].size
    sheet = Image.new("RGB", (width, height * len(film.frames)))
    for number, frame in enumerate(film.frames):
        sheet.paste(frame, (0, number * height))
    palette = sheet.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in film.frames]
    durations = [round(seconds * 1000) for seconds in film.seconds]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)


def main() -> None:
    """Make the film."""
    film = asyncio.run(play())
    path = HERE / "demo.gif"
    save(film, path)
    print(f"{path.name}: {len(film.frames)} frames, {sum(film.seconds):.1f} s, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
