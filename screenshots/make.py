"""Make README's pictures: the panel on the demo workspace, at several widths, dark and light.

    python screenshots/make.py [--svg-only]

Writes PNG files beside this script. That needs the ``screenshots`` extra, libcairo, and the fonts DejaVu Sans
Mono and Noto Sans Mono CJK (Debian: libcairo2 fonts-dejavu-core fonts-noto-cjk).
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from knit_tui.demo import Demo
from knit_tui.engine.changes import Change, SessionChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.faces.safe import cells
from knit_tui.faces.tui.app import KnitApp
from knit_tui.model import Snapshot

HERE = Path(__file__).resolve().parent
LATIN = "DejaVu Sans Mono"
CHINESE = "Noto Sans Mono CJK SC"
CELL = 12.2
"""Width of a cell in the SVG."""
SCENES = (
    # name, columns, rows, theme, session records played, keys pressed
    ("panel-120", 120, 34, "knit-dark", 14, ()),
    ("panel-120-light", 120, 34, "knit-light", 14, ()),
    ("panel-chinese", 120, 34, "knit-dark", 99, ()),
    ("panel-80", 80, 34, "knit-dark", 99, ()),
    ("panel-44", 44, 30, "knit-dark", 14, ()),
)


class DirectHost:
    """An engine that answers in the caller's thread, so that a picture is of a known state."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._publish: Callable[[Snapshot], None] = lambda snapshot: None

    def start(self, publish: Callable[[Snapshot], None], failed: Callable[[str], None]) -> None:
        self._publish = publish
        publish(self._engine.settle())

    def send(self, change: Change) -> None:
        self._publish(self._engine.settle([change]))

    def stop(self) -> None:
        pass


async def picture(name: str, size: tuple[int, int], theme: str, records: int, keys: tuple[str, ...]) -> Path:
    """Play ``records`` records of the demo's session, press ``keys``, save the screen as SVG."""
    with Demo() as demo:
        for _ in range(records):
            demo.step()
        host = DirectHost(open_engine(demo.root, str(demo.session), home=demo.home))
        app = KnitApp(host, theme=theme)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            await pilot.press(*keys)
            await settled(pilot)
            host.send(SessionChanged())
            path = HERE / f"{name}.svg"
            path.write_text(app.export_screenshot(title="knit"), encoding="utf-8")
    return path


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the screen stays the same: the preview loads and colours arrive on their own."""
    last, same = "", 0
    for _ in range(300):
        await pilot.pause(0.02)
        now = pilot.app.export_screenshot()
        same = same + 1 if now == last else 0
        last = now
        if same == 25:
            return


def to_png(path: Path) -> None:
    """Draw the SVG with installed fonts: the web font it names is not on this machine.

    A cell is 12.2 wide. DejaVu Sans Mono fills it at size 20; a run with Chinese is drawn in a font whose
    characters are exactly one and two cells wide at twice the cell's width.
    """
    import cairosvg

    for font in (LATIN, CHINESE):
        found = subprocess.run(["fc-match", font], capture_output=True, text=True, check=True).stdout
        if "Mono" not in found:
            raise SystemExit(f"the font {font!r} is not installed; fc-match gives {found.strip()}")
    svg = re.sub(r"@font-face \{.*?\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    svg = re.sub(r"Fira Code", LATIN, svg)
    svg = re.sub(r"<text ([^>]*)>([^<]*)</text>", _with_font, svg)
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(path.with_suffix(".png")), scale=1.5)


def _with_font(match: re.Match[str]) -> str:
    attributes, text = match.groups()
    if cells(html.unescape(text)) == len(html.unescape(text)):
        return match.group()
    style = f'style="font-family: {CHINESE}; font-size: {2 * CELL}px"'
    return f"<text {attributes} {style}>{text}</text>"


def main() -> None:
    """Make every picture."""
    parser = argparse.ArgumentParser(description="Make README's pictures.")
    parser.add_argument("--svg-only", action="store_true", help="leave out the PNG files")
    options = parser.parse_args()
    for name, columns, rows, theme, records, keys in SCENES:
        path = asyncio.run(picture(name, (columns, rows), theme, records, keys))
        if not options.svg_only:
            to_png(path)
            path.unlink()
        print(name)


if __name__ == "__main__":
    main()
