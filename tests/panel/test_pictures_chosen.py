"""How the panel looks when the user asks for something: pictures in the folder ``snapshots``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from knit_tui.faces import usage_words
from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.app import KnitApp
from tests.panel import sample
from tests.panel.conftest import wait_for
from tests.panel.test_pictures import Picture, compare, courier

__all__ = ["courier"]


@pytest.fixture
def ascii_signs() -> Iterator[None]:
    usage_words.use_ascii(True)
    yield
    usage_words.use_ascii(False)


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh_CN")
    yield
    use_language("en")


def test_palette(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (120, 40), "colon")


def test_a_theme_before_it_is_chosen(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (100, 30), "colon", *"gruvbox")


def test_peek(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "down", "space")


def test_a_task_while_it_is_typed(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "t", *"retry after 503")


def test_what_a_new_pack_changed(picture: Picture, courier: Path) -> None:
    async def act(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KnitApp)
        slots = [each for each in sample.PACK if each.number]
        order = (slots[0], slots[2], slots[1], *slots[3:-1], sample.OTHERS[0])
        pack = [replace(each, tier=at.tier, number=at.number) for each, at in zip(order, slots, strict=True)]
        coming = sample.snapshot(2, (sample.PINNED, *pack, *sample.OTHERS[1:]), root=str(courier))
        app._publish(coming)
        await wait_for(pilot, lambda: app.main.state.shown is coming, "the new order")

    assert compare(picture, sample.snapshot(root=str(courier)), (120, 40), then=act)


def test_newcomers(picture: Picture, courier: Path) -> None:
    async def act(pilot: Pilot[Any]) -> None:
        await pilot.app.main.run_action("panel_hints")  # type: ignore[attr-defined]

    assert compare(picture, sample.snapshot(root=str(courier)), (100, 30), then=act)


def test_compact_rows_without_a_header(picture: Picture, courier: Path) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (120, 24), "c", "H")


def test_long_lines_wrapped_in_a_narrow_panel(picture: Picture, courier: Path) -> None:
    keys = ("down", "enter", "L")
    assert compare(picture, sample.snapshot(root=str(courier)), (40, 24), *keys)


def test_ascii(picture: Picture, courier: Path, ascii_signs: None) -> None:
    tracked = sample.snapshot(root=str(courier))
    assert compare(picture, tracked, (80, 24), "down")


@pytest.mark.parametrize("theme", ("ansi-dark", "ansi-light", "gruvbox", "textual-light"))
def test_theme(picture: Picture, courier: Path, theme: str) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (100, 30), "down", theme=theme)


def test_in_chinese(picture: Picture, courier: Path, chinese: None) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (100, 30), "down")


def test_help_in_chinese(picture: Picture, courier: Path, chinese: None) -> None:
    assert compare(picture, sample.snapshot(root=str(courier)), (80, 24), "question_mark")
