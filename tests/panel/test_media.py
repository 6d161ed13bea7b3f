"""The rows of pictures and films: what they are, how many bytes, and how large once that is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len

from knit_tui.faces.tui.widgets.rows import Look, item_lines
from knit_tui.faces.wording import reason_text
from knit_tui.model import Item, Kind, Mode, Reason, Tab
from tests.panel import sample
from tests.panel.sample import NOW, item

FLOW, FILM = sample.PICTURES


def second_line(each: Item, width: int = 80, pixels: tuple[int, int] | None = None, **look: Any) -> str:
    lines = item_lines(each, Look(width, NOW, pixels=pixels, **look), pinned=False, out=False)
    return "".join(piece.text for piece in lines[1])


def test_a_row_says_kind_bytes_why_and_how_large() -> None:
    assert FLOW.reason is not None
    said = f"PNG image, 47.1 KiB, {reason_text(FLOW.reason)}"
    assert second_line(FLOW).strip() == said
    assert second_line(FLOW, pixels=(1280, 720)).strip() == f"{said}, 1280x720"
    assert second_line(FILM).strip() == "MP4 video, 7.0 MiB"


@pytest.mark.parametrize("width", range(201))
def test_a_size_that_comes_late_moves_nothing(width: int) -> None:
    usage: dict[str, Any] = {}
    for each in (FLOW, FILM, item("a.png", reason=Reason("filename", ("重试",)))):
        for tracked in (None, usage):
            before = item_lines(each, Look(width, NOW, usage=tracked), pinned=False, out=False)
            after = item_lines(
                each, Look(width, NOW, usage=tracked, pixels=(9999, 1)), pinned=False, out=False
            )
            for old, new in zip(before, after, strict=True):
                texts = ["".join(piece.text for piece in line) for line in (old, new)]
                assert cell_len(texts[1]) == max(0, width - 1)
                said = texts[0].rstrip()
                if texts[1] != texts[0]:
                    assert texts[1].startswith(said + ", 9999x1"), "whole, and behind all else"


def pictures(count: int) -> tuple[Item, ...]:
    return tuple(item(f"shots/{number:05}.png", size=2048 + number) for number in range(count))


def only_media(items: tuple[Item, ...]) -> Any:
    given = sample.snapshot()
    views = {**given.views, Tab.MEDIA: sample.view(Tab.MEDIA, items, mode=Mode.NEWEST)}
    return sample.snapshot(views=views)


class Asked:
    """Stands in for what measures."""

    def __init__(self, panel: Any) -> None:
        self.items: list[str] = []
        self.calls = 0
        panel.preview.measure = self.take

    def take(self, root: str, items: Any) -> None:
        self.calls += 1
        self.items += [each.rel for each in items]


async def test_only_rows_in_sight_are_measured(open_panel: Callable[..., Any]) -> None:
    items = pictures(20_000)
    async with open_panel(only_media(items)) as panel:
        asked = Asked(panel)
        await panel.press("4")
        await panel.wait(lambda: asked.items, "a question")
        rows = panel.results.page // 2 + 1
        assert 0 < len(set(asked.items)) <= rows
        await panel.press("G")
        await panel.wait(lambda: items[-1].rel in asked.items, "the last one")
        assert len(set(asked.items)) <= 2 * rows + 2


async def test_what_becomes_known_shows_where_it_belongs_and_is_not_asked_again(
    open_panel: Callable[..., Any],
) -> None:
    items = pictures(5)
    async with open_panel(only_media(items)) as panel:
        asked = Asked(panel)
        await panel.press("4")
        await panel.wait(lambda: len(set(asked.items)) == 5, "all in sight")
        before = panel.list_lines()
        for number, each in enumerate(items):
            panel.preview.sizes.put(each, (number + 1, 7) if number else None)
        panel.preview.post_message(type(panel.preview).Measured())
        await panel.wait(lambda: "5x7" in "\n".join(panel.list_lines()), "the sizes")
        after = panel.list_lines()
        assert [new.startswith(old.rstrip()) for old, new in zip(before, after, strict=True)] == [True] * len(
            after
        )
        assert sum("x7" in line for line in after) == 4
        calls = asked.calls
        await panel.press("down", "up", "3", "4")
        assert asked.calls == calls


async def test_films_and_drawings_are_not_measured(open_panel: Callable[..., Any]) -> None:
    drawing = Item(
        **{**{name: getattr(FLOW, name) for name in FLOW.__slots__}, "rel": "a.svg", "language": "xml"}
    )
    async with open_panel(only_media((FILM, drawing, FLOW))) as panel:
        asked = Asked(panel)
        await panel.press("4")
        await panel.wait(lambda: asked.items, "a question")
        assert set(asked.items) == {FLOW.rel}
        assert drawing.kind is Kind.IMAGE
