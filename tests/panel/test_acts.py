"""What pins, exclusions, undo and redo say of themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knit_tui.engine.changes import Exclude, Pin, Redo, Restore, Undo
from knit_tui.faces.tui.screens.acts import redone_text
from knit_tui.model import Controls
from tests.panel.sample import CLIENT, PACK, RETRY, snapshot

Open = Callable[..., Any]


@pytest.mark.parametrize(
    ("redoable", "text"),
    (
        ("pin docs/a b.md", "done again: pin a b.md"),
        ("unpin a.md", "done again: unpin a.md"),
        ("exclude x/\x1b]0;x\x07.md", "done again: exclude ␛]0;x␇.md"),
        ("restore [b].md", "done again: restore [b].md"),
        ("", "done again"),
    ),
)
def test_a_redo_says_what_it_did(redoable: str, text: str) -> None:
    assert redone_text(redoable) == text


async def test_redo_tells_and_sends(open_panel: Open) -> None:
    async with open_panel(snapshot(redoable="pin src/courier/net/retry.py")) as panel:
        await panel.press("U")
        assert panel.host.sent == [Redo()]
        assert "done again: pin retry.py" in panel.line("#title")


async def test_nothing_to_redo_says_so_and_sends_nothing(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("U")
        assert panel.host.sent == []
        assert "nothing to redo" in panel.line("#title")


async def test_what_is_not_answered_yet_is_not_named_wrongly(open_panel: Open) -> None:
    async with open_panel(snapshot(undoable="exclude b.md", redoable="pin old.md")) as panel:
        await panel.press("down", "p", "u")
        assert panel.host.sent == [Pin(RETRY.rel), Undo()]
        assert "undone, U does it again" in panel.line("#title")
        await panel.press("U")
        assert panel.host.sent[-1] == Redo()
        assert "done again" in panel.line("#title")
        assert "old.md" not in panel.line("#title")
        await panel.publish(snapshot(2, controls=Controls(("docs/style.md", RETRY.rel)), redoable=""))
        await panel.press("U")
        assert "nothing to redo" in panel.line("#title")


async def test_x_lets_a_left_out_document_in_again_while_it_is_read(open_panel: Open) -> None:
    left = tuple(each for each in PACK if each.rel != CLIENT.rel)
    async with open_panel(snapshot(items=left, controls=Controls((), (CLIENT.rel,)))) as panel:
        await panel.press("w")
        panel.app.screen.path.value = "client"
        await panel.press("slash", "enter", "enter")
        await panel.wait(lambda: panel.app.screen is panel.main, "the preview")
        assert panel.preview.seen[-1].rel == CLIENT.rel
        await panel.press("x")
        assert panel.host.sent[-1] == Restore(CLIENT.rel)
        await panel.press("x")
        assert panel.host.sent[-1] == Exclude(CLIENT.rel)
