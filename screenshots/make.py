"""Make README's pictures: the panel on the demo's workspace, at several widths, dark and light.

    python -m screenshots.make [NAME…]

Writes PNG files beside this script; ``screenshots/drawing.py`` says which fonts that needs.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from screenshots.drawing import draw, pen_of, save
from screenshots.stage import stage

HERE = Path(__file__).resolve().parent
FIRST, SECOND, LAST = 13, 23, 36
"""Records of the session up to the answer to each of its three prompts."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: how large and in which colours the panel is, and what happens before."""

    name: str
    size: tuple[int, int]
    steps: tuple[int | tuple[str, ...], ...]
    """In this order: so many records of the session played, or keys pressed."""
    theme: str = "knit-dark"
    language: str = "en"
    cell: int = 15
    """Width of a cell in pixels."""


SCENES = (
    Scene("panel-120", (120, 29), (FIRST,)),
    Scene("panel-120-light", (120, 29), (FIRST,), theme="knit-light"),
    Scene("panel-80", (80, 29), (FIRST,)),
    Scene("panel-44", (44, 29), (FIRST,)),
    Scene("panel-peek", (44, 29), (FIRST, ("j", "space"))),
    Scene("panel-usage", (200, 36), (4, ("a",), SECOND - 4), cell=10),
    Scene("panel-chinese", (120, 29), (LAST,), cell=14),
    Scene("panel-zh", (120, 29), (LAST,), language="zh_CN", cell=14),
)


async def play(scene: Scene) -> None:
    """Make one picture."""
    async with stage(scene.size, scene.theme, scene.language) as panel:
        for step in scene.steps:
            if isinstance(step, int):
                await panel.play(step)
            else:
                await panel.press(*step)
            lines = await panel.screen()
        save(draw(lines, pen_of(panel.app, scene.cell)), HERE / f"{scene.name}.png")


def main() -> None:
    """Make every picture, or those that are named."""
    for scene in SCENES:
        if not sys.argv[1:] or scene.name in sys.argv[1:]:
            asyncio.run(play(scene))
            print(scene.name)


if __name__ == "__main__":
    main()
