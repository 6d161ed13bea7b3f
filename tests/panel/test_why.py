"""Why a document is in the pack or not, in an overlay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from knit_tui.engine.changes import Exclude, Inspect, Pin, Restore, Undo, Unpin
from knit_tui.faces.tui.app import KnitApp
from knit_tui.faces.tui.evidence_rows import Destination
from knit_tui.faces.tui.screens.why import WhyScreen, matching
from knit_tui.model import Controls, Passage, Relation, RelationType, Tab
from tests.panel import sample, sample_why
from tests.panel.conftest import wait_for
from tests.panel.sample_why import GUIDE, NAMED, OUT, RETRY, USED, USES, inspected, snapshot
from tests.panel.test_pictures import Picture, compare, courier
from tests.panel.test_rows import HOSTILE, has_control

__all__ = ["courier"]

Open = Callable[..., Any]


def screen(panel: Any) -> WhyScreen:
    top = panel.app.screen
    assert isinstance(top, WhyScreen)
    return top


def lines(panel: Any) -> list[str]:
    """What the overlay says, without the blank end of each line."""
    rows = screen(panel).rows
    return [rows.render_line(y).text.rstrip() for y in range(rows.page)]


def keys(panel: Any) -> str:
    return str(screen(panel).query_one("KeyLine").render_line(0).text).strip()


async def ask(panel: Any, *moves: str, answer: Any = None, key: str = "w") -> None:
    """Open the overlay on the row that ``moves`` lead to, and let the engine answer."""
    await panel.press(*moves, key)
    await panel.wait(lambda: isinstance(panel.app.screen, WhyScreen), "the overlay")
    if answer is not None:
        await panel.publish(snapshot(panel.main.state.latest.generation + 1, inspection=answer))


async def closed(panel: Any) -> None:
    await panel.wait(lambda: panel.app.screen is panel.main, "the end of the overlay")


async def test_it_asks_says_and_asks_no_more(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down")
        assert panel.host.sent == [Inspect(RETRY.rel)]
        assert lines(panel)[:2] == ["▌ " + RETRY.rel, "  looking"]
        await panel.publish(snapshot(2, inspection=inspected()))
        told = lines(panel)
        assert told[1] == "  in the pack: number 1, Primary"
        assert told[2].split() == ["file", "name", "retry"]
        await panel.press("escape")
        await closed(panel)
        assert panel.host.sent == [Inspect(RETRY.rel), Inspect(None)]


async def test_those_who_mention_it_come_first(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        told = [line.strip(" ─") for line in lines(panel)]
        start = told.index("Named in 1")
        assert told[start : start + 12] == [
            "Named in 1",
            "docs/guide/retries.md:12",
            "Imported by 1",
            "src/courier/net/client.py:4",
            "Tested by 1",
            "tests/net/test_retry.py",
            "Described in 2",
            "docs/设计/队列.md:30",
            "a.md:7  excluded",
            "Imports 1",
            "src/courier/clock.py (line 3)",
            "",
        ]


async def test_b_begins_at_those_who_mention_it(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", key="b", answer=inspected())
        assert screen(panel).rows.row.text == "docs/guide/retries.md:12"
        await panel.publish(snapshot(3, inspection=replace(inspected(), cut_bytes=262_144)))
        assert "  searched in its first 256 KiB only" in lines(panel)
        assert screen(panel).rows.row.text == "docs/guide/retries.md:12"


@pytest.mark.parametrize(
    ("relation", "rel", "passages"),
    (
        (NAMED, NAMED.other, (Passage(10, 14, (), ""),)),
        (USED, USED.other, (Passage(2, 6, (), ""),)),
        (USES, RETRY.rel, (Passage(1, 5, (), ""),)),
        (OUT, "a.md", (Passage(5, 9, (), ""),)),
    ),
)
async def test_a_relation_opens_its_file_at_the_line(
    open_panel: Open, relation: Relation, rel: str, passages: tuple[Passage, ...]
) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        for _step in range(20):
            if relation.other in screen(panel).rows.row.text:
                break
            await panel.press("down")
        await panel.press("enter")
        await closed(panel)
        await panel.wait(lambda: panel.main.focused is panel.preview, "the preview")
        assert panel.preview.seen[-1].rel == rel
        assert panel.preview.seen[-1].passages == passages
        assert panel.host.sent[-1] == Inspect(None)


async def test_enter_on_the_document_reads_it(open_panel: Open) -> None:
    async with open_panel(snapshot(), size=(50, 20)) as panel:
        await ask(panel, "down", answer=inspected())
        await panel.press("enter")
        await closed(panel)
        assert panel.main.has_class("-reading")
        assert panel.preview.seen[-1] == RETRY


async def test_pin_exclude_and_undo_from_the_overlay(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        assert keys(panel) == "enter open  p pin  x exclude  / other path  esc close"
        await panel.press("p")
        assert panel.host.sent[-1] == Pin(RETRY.rel)
        assert "pinned retry.py, u undoes" in screen(panel).query_one("TitleLine").render_line(0).text
        pinned = Controls(("docs/style.md", RETRY.rel), ())
        await panel.publish(snapshot(3, controls=pinned, inspection=inspected(code="pinned")))
        assert "  in the pack: pinned by you" in lines(panel)
        assert "p unpin" in keys(panel)
        await panel.press("p")
        assert panel.host.sent[-1] == Unpin(RETRY.rel)
        await panel.press("x")
        assert panel.host.sent[-1] == Exclude(RETRY.rel)
        out = snapshot(
            4,
            items=tuple(item for item in sample_why.items() if item.rel != RETRY.rel),
            controls=Controls((), (RETRY.rel,)),
            inspection=replace(inspected(code="excluded"), item=None),
        )
        await panel.publish(out)
        assert "  left out by you (x restores)" in lines(panel)
        assert "x restore" in keys(panel)
        await panel.press("x", "u")
        assert panel.host.sent[-2:] == [Restore(RETRY.rel), Undo()]


async def test_another_path_is_typed_and_completed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        await panel.press("slash", *"clock")
        assert lines(panel)[0] == "▌ src/courier/clock.py"
        assert lines(panel)[1] == ""
        assert keys(panel) == "enter show  esc back"
        await panel.press("enter")
        assert panel.host.sent[-1] == Inspect("src/courier/clock.py")
        assert lines(panel)[:2] == ["▌ src/courier/clock.py", "  looking"]
        answer = inspected(sample_why.CLOCK, "no-hit", terms="retry, backoff")
        await panel.publish(snapshot(3, inspection=answer))
        assert lines(panel)[1] == "  not in the pack: it holds none of: retry, backoff"
        await panel.press("p")
        assert panel.host.sent[-1] == Pin("src/courier/clock.py")


async def test_letters_are_typed_and_arrows_choose_among_what_matches(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        await panel.press("slash", *"px", "backspace", "backspace", *"net")
        assert len([line for line in lines(panel) if line]) == 4
        assert not {Pin, Exclude} & set(map(type, panel.host.sent))
        second = lines(panel)[1].strip()
        await panel.press("down")
        await panel.publish(snapshot(3, inspection=inspected()))
        assert screen(panel).rows.row.text == second
        await panel.press("enter")
        assert panel.host.sent[-1] == Inspect(second)


async def test_a_path_that_no_view_has_is_asked_about_as_it_is_typed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        for typed, rel in (("./zzz/q", "zzz/q"), (sample.ROOT + "/zzz.py", "zzz.py")):
            await panel.press("slash")
            screen(panel).path.value = typed
            await panel.pilot.pause()
            assert "no document like that" in lines(panel)[0]
            await panel.press("enter")
            assert panel.host.sent[-1] == Inspect(rel)


async def test_esc_leaves_the_line_first_and_then_the_overlay(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        await panel.press("slash", *"zz", "escape")
        assert lines(panel)[0] == "▌ " + RETRY.rel
        assert screen(panel).path.value == ""
        await panel.press("escape")
        await closed(panel)


@pytest.mark.parametrize(("tab", "rel"), (("4", sample.PICTURES[0].rel), ("2", "docs/style.md")))
async def test_any_tab(open_panel: Open, tab: str, rel: str) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, tab)
        assert panel.host.sent == [Inspect(rel)]


async def test_by_time_and_with_a_filter(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "s", "slash", *"worker", "enter")
        assert panel.host.sent == [Inspect("src/courier/queue/worker.py")]


async def test_without_any_row_a_path_can_be_typed(open_panel: Open) -> None:
    async with open_panel(snapshot(items=())) as panel:
        await ask(panel)
        assert screen(panel).typing
        await panel.press(*"x.py", "enter")
        assert panel.host.sent == [Inspect("x.py")]
        await panel.press("escape")
        await closed(panel)
        assert panel.host.sent == [Inspect("x.py"), Inspect(None)]


async def test_it_says_how_many_relations_are_not_listed(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", "down", answer=inspected(GUIDE))
        assert "  40 more relations are not listed" in lines(panel)


async def test_a_document_that_went_meanwhile_is_said_to_be_gone(open_panel: Open) -> None:
    ghost = Relation(RelationType.IMPORTS, True, "src/ghost.py", 2)
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", key="b", answer=replace(inspected(), relations=(ghost,), related=1))
        await panel.press("enter")
        await closed(panel)
        assert "not among the files of the workspace: src/ghost.py" in panel.line("#title")


@pytest.mark.parametrize("size", ((300, 60), (120, 40), (80, 24), (40, 12), (20, 6), (3, 2), (1, 1)))
async def test_any_size_and_hostile_names(open_panel: Open, size: tuple[int, int]) -> None:
    relations = tuple(Relation(RelationType.IMPORTS, True, name or "x", 3) for name in HOSTILE)
    answer = replace(
        inspected(code="beaten", rank="34", matched="5900", places="9", last=HOSTILE[0]),
        relations=relations,
        related=len(relations),
    )
    async with open_panel(snapshot(), size=size) as panel:
        await ask(panel, "down", answer=answer)
        rows = screen(panel).rows
        for step in range(len(HOSTILE)):
            for y in range(rows.page):
                text = rows.render_line(y).text
                assert cell_len(text) == rows.scrollable_content_region.width
                assert not has_control(text)
            screen(panel).action_move(1)
            if step % 8 == 0:
                await panel.pilot.pause()


async def test_the_view_and_the_cursor_stay_while_nothing_differs(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", key="b", answer=inspected())
        rows = screen(panel).rows
        painted: list[Any] = []
        rows.refresh = lambda *regions, **how: painted.append(regions)  # type: ignore[method-assign]
        await panel.publish(snapshot(3, inspection=inspected()))
        assert not painted


def test_completion_finds_parts_and_prefers_names() -> None:
    paths = [(rel.lower(), rel) for rel in ("docs/a.md", "a/docs.md", "Docs", "src/x.py")]
    assert matching(paths, ("docs",)) == ["Docs", "a/docs.md", "docs/a.md"]
    assert matching(paths, ("docs", "a.")) == ["docs/a.md"]
    assert matching(paths, ("nothing",)) == []
    assert matching(paths, (), 2) == ["docs/a.md", "a/docs.md"]
    assert Destination("a").line is None


async def test_the_overlay_knows_every_document_of_every_view(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await ask(panel, "down", answer=inspected())
        known = [rel for _lower, rel in screen(panel)._documents()]
        shown = [item.rel for view in panel.main.state.latest.views.values() for item in view.newest]
        assert set(known) == {*shown, "a.md", "b.md"}
        assert len(known) == len(set(known))
        assert Tab.MEDIA in panel.main.state.latest.views


def test_how_it_looks(picture: Picture, courier: Path) -> None:
    async def answer(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KnitApp)
        facts = {"rank": "34", "matched": "59", "places": "9", "last": "docs/api.md"}
        coming = snapshot(2, root=str(courier), inspection=inspected(code="beaten", **facts))
        app._publish(coming)
        await wait_for(pilot, lambda: app.main.state.latest is coming, "the snapshot")

    assert compare(picture, snapshot(root=str(courier)), (80, 24), "down", "b", then=answer)
