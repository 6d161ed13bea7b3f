"""How the panel looks, as pictures in the folder ``snapshots``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from textual.pilot import Pilot

from knit_tui.faces.tui.app import KnitApp
from knit_tui.model import Mode, Notice, Query, SessionStatus, Snapshot, Tier
from tests.panel import sample, sample_usage
from tests.panel.conftest import wait_for

Picture = Callable[..., bool]
Act = Callable[[Any], Awaitable[None]]

RETRY = '''"""Waiting between attempts, so that a thousand clients do not come back at once."""

from __future__ import annotations

import random
from collections.abc import Iterator

CAP = 30.0
"""Seconds: no wait is longer."""


def backoff(attempt: int, base: float = 0.5) -> float:
    """Exponential backoff with full jitter.

    Args:
        attempt: 0 for the first retry.
        base: Seconds the first wait is at most.
    """
    cap = min(CAP, base * 2**attempt)
    return random.uniform(0, cap)


def waits(total: int) -> Iterator[float]:
    for attempt in range(total):
        yield backoff(attempt)


class Retry:
    """How often a request is sent again."""

    def __init__(self, total: int = 3) -> None:
        self.total = total

    def allows(self, attempt: int, status: int) -> bool:
        return attempt < self.total and status in (429, 503)
'''
CHINESE = """# 网络请求的重试与退避

## 为什么要加随机抖动

如果所有客户端在同一时刻 retry，服务器会再次过载。
每次 retry 之前等待的时间按指数增长，并加上随机抖动，
这样请求会均匀地分布在一段时间里。

上限是 30 秒。
"""


@pytest.fixture
def courier(tmp_path: Path) -> Path:
    """The files of the sample that pictures open."""
    root = tmp_path / "courier"
    texts = {
        sample.PINNED.rel: "# How we write code\n\nShort functions, plain words.\n",
        sample.RETRY.rel: RETRY,
        sample.CHINESE.rel: CHINESE,
    }
    for rel, text in texts.items():
        path = root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def compare(
    picture: Picture,
    snapshot: Snapshot | None,
    size: tuple[int, int],
    *keys: str,
    theme: str = "knit-dark",
    then: Act | None = None,
) -> bool:
    """Whether the panel looks as it did, after ``keys`` and ``then``."""
    host = sample.FakeHost(snapshot)
    app = KnitApp(host, now=sample.now, rest=60.0, theme=theme)

    async def before(pilot: Pilot[Any]) -> None:
        await wait_for(pilot, lambda: host.started == 1, "the engine")
        await wait_for(pilot, lambda: app.main.state.latest is snapshot, "the snapshot")
        await pilot.press(*keys)
        if then is not None:
            await then(pilot)
        await wait_for(pilot, lambda: settled(app), "the preview")

    return picture(app, terminal_size=size, run_before=before)


def settled(app: KnitApp) -> bool:
    """Whether the preview shows the item under the cursor, with its colours, or has nothing to show."""
    pane, item = app.main.preview, app.main.results.item
    if app.main._preview_timer is not None:
        return False
    if item is None or not pane.display:
        return True
    if pane.shown is None or pane.shown.rel != item.rel:
        return False
    colours = pane.view._colours
    return colours is None or colours.failed or not (colours.wanted(0, 0) or colours.whole())


def a_flow() -> Image.Image:
    """Two boxes and a way from one to the other, on nothing: fewer pixels than a preview has."""
    image = Image.new("RGBA", (44, 24))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 2, 13, 21), 3, "#84b6f4")
    draw.rounded_rectangle((30, 2, 43, 21), 3, "#e3b567", "#fbfbf9")
    draw.line((16, 11, 27, 11), "#d7dbe2", 2)
    draw.polygon(((25, 7), (29, 11), (25, 16)), "#d7dbe2")
    return image


SIZES = ((40, 24), (80, 24), (120, 40), (200, 50))


@pytest.mark.parametrize("theme", ("knit-dark", "knit-light"))
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_panel(picture: Picture, courier: Path, size: tuple[int, int], theme: str) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), size, "down", theme=theme)


def test_reading_in_a_narrow_panel(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (40, 24), *["down"] * 4, "enter")


def test_reading_beside_the_list(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (120, 40), "down", "enter")


def test_by_time(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "s")


def test_media(picture: Picture, courier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    path = courier / sample.PICTURES[0].rel
    path.parent.mkdir(parents=True)
    a_flow().save(path)

    async def measured(pilot: Pilot[Any]) -> None:
        main = pilot.app.main  # type: ignore[attr-defined]
        await wait_for(pilot, lambda: sample.PICTURES[0] in main.preview.sizes, "its size")

    assert compare(picture, sample.snapshot(root=str(courier)), (130, 30), "4", then=measured)


def test_filter_while_typed(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (100, 30), "slash", *"net retr")


def test_filter_kept(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "slash", *"retr", "enter")


@pytest.mark.parametrize("theme", ("knit-dark", "knit-light"))
def test_help(picture: Picture, courier: Path, theme: str) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (120, 40), "question_mark", theme=theme)


def test_help_searched_in_a_narrow_panel(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (40, 24), "question_mark", *"preview")


def test_pinned_held_partial_and_noticed(picture: Picture, courier: Path) -> None:
    async def act(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KnitApp)
        coming = sample.snapshot(
            2,
            (*sample.PACK[2:], *sample.OTHERS),
            root=str(courier),
            complete=False,
            indexed=340,
            notices=sample.NOTICES,
        )
        app._publish(coming)
        await wait_for(pilot, lambda: app.main.state.latest is coming, "the snapshot")

    assert compare(
        picture, sample.snapshot(root=str(courier)), (120, 40), "down", "down", "x", "down", "p", then=act
    )


def test_scanning(picture: Picture) -> None:
    assert compare(picture, None, (80, 24))


def test_no_match(picture: Picture) -> None:
    assert compare(picture, sample.snapshot(1, ()), (80, 24))


def test_no_files(picture: Picture) -> None:
    assert compare(picture, sample.snapshot(1, (), views={}, query=Query()), (80, 24))


def test_no_session(picture: Picture, courier: Path) -> None:
    items = [
        replace(each, tier=each.tier if each.pinned else Tier.OTHER, number=None, reason=None, passages=())
        for each in (sample.PINNED, sample.RETRY, sample.CLIENT, sample.SECRET, sample.LOCK, sample.CHINESE)
    ]
    lost = sample.snapshot(
        items=items,
        root=str(courier),
        query=Query(),
        views=sample.views(items, mode=Mode.NEWEST),
        session=SessionStatus("none"),
        notices=(Notice("no-conversation"),),
    )
    assert compare(picture, lost, (80, 24), "down")


def test_workspace_gone(picture: Picture, courier: Path) -> None:
    async def act(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KnitApp)
        gone = sample.snapshot(2, (), present=False, views={})
        app._publish(gone)
        await wait_for(pilot, lambda: app.main.state.latest is gone, "the snapshot")

    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "down", then=act)


def test_engine_failed(picture: Picture, courier: Path) -> None:
    async def act(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KnitApp)
        app._failed("no space left on device")
        await wait_for(pilot, lambda: bool(app.main.state.failure), "the failure")

    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "down", then=act)


def test_no_color(picture: Picture, courier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "down")


def test_chinese(picture: Picture, courier: Path) -> None:
    items = (sample.CHINESE, *sample.OTHERS)
    assert compare(picture, sample.snapshot(items=items, root=str(courier)), (100, 30))


@pytest.mark.parametrize("size", ((120, 40), (200, 50)), ids=lambda size: f"{size[0]}x{size[1]}")
def test_usage_lens(picture: Picture, courier: Path, size: tuple[int, int]) -> None:
    tracked = sample.snapshot(root=str(courier), usage=sample_usage.usage())
    assert compare(picture, tracked, size, "a", "down")
