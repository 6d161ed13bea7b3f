"""What the preview's tests drive: an app with nothing but the pane, over a workspace of a few files."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.pilot import Pilot

from knit_tui.faces.tui.actions import bindings
from knit_tui.faces.tui.preview import PreviewPane
from knit_tui.faces.tui.preview.selecting import Extract
from knit_tui.faces.tui.registry import ACTIONS
from knit_tui.faces.tui.screens.moves import MOVES
from knit_tui.model import Access, Item, Kind, Passage, Text

PATIENCE = 20.0
"""Seconds a condition may take on a slow machine."""

FAKE_CHILD = """
import json, os, struct, sys, time
requests, replies = sys.stdin.buffer, sys.stdout.buffer

def send(message):
    body = json.dumps(message).encode()
    replies.write(struct.pack(">I", len(body)) + body)
    replies.flush()

def receive():
    head = requests.read(4)
    if len(head) < 4:
        sys.exit(0)
    return json.loads(requests.read(struct.unpack(">I", head)[0]))

def plain(request):
    return {{"runs": [[] for _ in request["lines"][request["skip"]:]]}}

def log(word):
    with open({log!r}, "a") as file:
        file.write(word + "\\n")

log("started")
send({{"ready": True}})
while True:
    request = receive()
    log("asked")
    {body}
"""


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


async def wait_for(pilot: Pilot[Any], condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Let the app run until ``condition`` holds."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "the condition never came true"
        await pilot.pause()


class PaneApp(App[None]):
    """Nothing but a preview, and the panel's keys of movement."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        action for action in ACTIONS if action.id.partition(".")[0] in ("move", "focus")
    )

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.settings = settings

    def compose(self) -> ComposeResult:
        yield PreviewPane(**self.settings)

    def action_move(self, where: str) -> None:
        MOVES[where][1](self.pane)

    def action_focus_next(self) -> None:
        self.pane.view.focus()

    def action_focus_list(self) -> None:
        self.pane.scroll_columns(-1)

    def action_focus_preview(self) -> None:
        self.pane.scroll_columns(1)

    @property
    def pane(self) -> PreviewPane:
        return self.query_one(PreviewPane)


class Bench:
    """A running app, its pane and the workspace it looks at."""

    def __init__(
        self, root: Path, pilot: Pilot[None], arrived: list[str], taken: list[Extract] | None = None
    ) -> None:
        self.root = root
        self.arrived = arrived
        """What threads have delivered, shown or not: files, and ``colours of`` first lines."""
        self.taken = [] if taken is None else taken
        """What the mouse has taken."""
        self.pilot = pilot
        app = pilot.app
        assert isinstance(app, PaneApp)
        self.app = app
        self.pane = app.pane
        self.view = app.pane.view

    def item(self, rel: str, *passages: Passage, **fields: Any) -> Item:
        """The item a scan would make of the file as it is now."""
        try:
            status = os.lstat(self.root / rel)
            size, mtime_ns = status.st_size, status.st_mtime_ns
        except OSError:
            size = mtime_ns = 0
        given = {"kind": Kind.CODE, "language": None, "access": Access.TEXT, "title": rel, "summary": ""}
        return Item(rel, size=size, mtime_ns=mtime_ns, passages=passages, **{**given, **fields})

    async def open(self, rel: str, *passages: Passage, **fields: Any) -> None:
        """Show a file and wait until it is there."""
        self.pane.show(str(self.root), self.item(rel, *passages, **fields))
        await self.until(lambda: self.rel == rel)

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal a size, and wait until the pane has it."""
        await self.pilot.resize_terminal(width, height)
        await self.until(lambda: self.pane.size == (width, height))

    async def until_title_has(self, words: str) -> None:
        await self.until(lambda: words in self.title())

    async def until_screen_has(self, words: str) -> None:
        await self.until(lambda: words in "\n".join(self.rows()))

    async def until(self, condition: Callable[[], object]) -> None:
        await wait_for(self.pilot, condition)

    @property
    def rel(self) -> str | None:
        """The file whose content is on screen."""
        shown = self.pane.shown
        return shown.rel if shown is not None else None

    def rows(self) -> list[str]:
        """The rows of the view as text."""
        return [self.view.render_line(y).text for y in range(self.view.size.height)]

    def title(self) -> str:
        return self.pane.query_one("PreviewTitle").render_line(0).text

    def settled(self) -> bool:
        """Whether the text in sight has its colours, or is known to get none."""
        colours = self.view._colours
        return colours is None or not any(job.first == 0 for job in colours.wanted(0, 0))

    def whole_tried(self) -> bool:
        """Whether the whole text has been highlighted at once, or that has failed."""
        colours = self.view._colours
        return colours is not None and colours.whole() is None

    def coloured(self) -> bool:
        """Whether any row in sight has more than one colour in its text."""
        for y in range(self.view.size.height):
            colours = {segment.style.color for segment in list(self.view.render_line(y))[2:] if segment.style}
            if len(colours) > 1:
                return True
        return False


def alive(pid: int) -> bool:
    """Whether the process is there, as a zombie too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
