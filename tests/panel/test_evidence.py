"""Why a row is there, told under the row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from knit_tui.engine.changes import Exclude, Pin
from knit_tui.faces.relation_words import relation_text
from knit_tui.faces.tui.evidence_rows import (
    Destination,
    EvidenceRow,
    evidence_line,
    evidence_rows,
    said_at,
    with_evidence,
)
from knit_tui.faces.tui.pieces import width_of
from knit_tui.faces.wording import evidence
from knit_tui.model import Item, Mode, Passage, Relation, RelationType, Tab, Tier
from tests.panel import sample, sample_why
from tests.panel.sample_why import DESCRIBED, GUIDE, NAMED, RETRY, TESTED, USED, USES, snapshot
from tests.panel.test_pictures import Picture, compare, courier
from tests.panel.test_rows import HOSTILE, has_control

__all__ = ["courier"]

Open = Callable[..., Any]


def texts(panel: Any) -> list[str]:
    """The lines under rows, as the list has them."""
    return [row.text for row in panel.results._rows if isinstance(row, EvidenceRow)]


async def open_retry(panel: Any) -> None:
    await panel.press("down", "i")
    assert panel.rel == RETRY.rel


async def to_line(panel: Any, wanted: str) -> None:
    """Move down to the line that holds ``wanted``."""
    for _line in range(40):
        row = panel.results.evidence
        if row is not None and wanted in row.text:
            return
        await panel.move("down")
    raise AssertionError(wanted)


async def test_i_opens_and_closes_all_that_speaks_for_a_row(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        before = panel.list_lines()
        await open_retry(panel)
        lines = [line[:60] for line in panel.list_lines()]
        facts = [text for _name, text in evidence(RETRY)]
        assert len(facts) == 8
        assert texts(panel)[: len(facts)] == [fact.replace("\x1b", "") for fact in facts]
        assert any("│ history" in line and "changed in a1b2c3d" in line for line in lines)
        assert any("│ session" in line and "edited by the agent" in line for line in lines)
        await panel.press("i")
        assert texts(panel) == []
        await panel.press("up")
        assert panel.list_lines() == before


async def test_three_relations_then_all_of_them(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        told = texts(panel)[len(evidence(RETRY)) :]
        assert told == [*(relation_text(each) for each in (NAMED, USED, USES)), "3 more relations"]
        await to_line(panel, "3 more relations")
        at = panel.results.cursor
        await panel.press("enter")
        told = texts(panel)[len(evidence(RETRY)) :]
        assert told == [relation_text(each) for each in sample_why.RELATIONS]
        assert panel.results.cursor == at
        assert panel.results.evidence.relation == TESTED


async def test_what_is_not_known_of_all_relations_is_said(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("down", "down", "i")
        assert texts(panel)[-1] == "40 more relations: w lists them"
        await to_line(panel, "40 more")
        await panel.press("enter")
        await panel.wait(lambda: type(panel.app.screen).__name__ == "WhyScreen", "the overlay")


@pytest.mark.parametrize(
    ("relation", "rel", "line"),
    (
        (NAMED, NAMED.other, 12),
        (USED, USED.other, 4),
        (USES, RETRY.rel, 3),
        (TESTED, TESTED.other, None),
    ),
)
async def test_a_relation_leads_to_where_it_is_said(
    open_panel: Open, relation: Relation, rel: str, line: int | None
) -> None:
    assert said_at(RETRY.rel, relation) == Destination(rel, line)
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        if relation is TESTED:
            await to_line(panel, "3 more")
            await panel.press("enter")
        await to_line(panel, relation_text(relation))
        await panel.press("enter")
        seen = panel.preview.seen[-1]
        assert seen.rel == rel
        if line is not None:
            assert seen.passages == (Passage(max(1, line - 2), line + 2, (), ""),)
        else:
            assert seen.passages == sample.TEST.passages
        assert panel.main.focused is panel.preview
        await panel.press("escape")
        assert panel.main.focused is panel.results
        assert panel.preview.seen[-1].rel == RETRY.rel
        assert panel.preview.seen[-1].passages == RETRY.passages
        assert panel.results.evidence.relation == relation


async def test_where_a_line_led_stays_through_new_snapshots(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        await to_line(panel, relation_text(USED))
        await panel.press("enter")
        fresh = replace(sample.CLIENT, mtime_ns=sample.CLIENT.mtime_ns + 1)
        rows = tuple(fresh if item.rel == fresh.rel else item for item in sample_why.items())
        await panel.publish(snapshot(2, items=rows))
        seen = panel.preview.seen[-1]
        assert (seen.rel, seen.mtime_ns) == (fresh.rel, fresh.mtime_ns)
        assert [passage.start for passage in seen.passages] == [2]


async def test_lines_of_one_document_are_not_marked_in_the_next(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        await to_line(panel, relation_text(USED))
        await panel.press("enter")
        panel.main._go_to_document(sample.PICTURES[0].rel)
        panel.main._show_preview()
        assert panel.preview.seen[-1] == sample.PICTURES[0]


async def test_open_rows_stay_open_through_new_orders_and_the_cursor_stays_on_its_line(
    open_panel: Open,
) -> None:
    async with open_panel(snapshot(), rest=0.0) as panel:
        await open_retry(panel)
        await to_line(panel, relation_text(USES))
        await panel.press("g", "down", "down")
        while panel.results.evidence is not None:
            await panel.move("down")
        await panel.press("i")
        assert {row.item.rel for row in panel.results._rows if isinstance(row, EvidenceRow)} == {
            RETRY.rel,
            GUIDE.rel,
        }
        await panel.press("g")
        await to_line(panel, relation_text(USES))
        row = panel.cursor_row
        first, second, *rest = sample_why.items()[1:]
        await panel.publish(snapshot(2, items=(second, first, *rest)))
        await panel.wait(lambda: panel.results.listing.items[0].rel == GUIDE.rel, "the new order")
        assert panel.results.evidence.relation == USES
        assert panel.results.evidence.item is first
        assert panel.cursor_row == row
        await panel.publish(snapshot(3, items=(second, *rest)))
        await panel.wait(lambda: len(panel.results.listing.items) == len(rest) + 1, "the next order")
        assert {row.item.rel for row in panel.results._rows if isinstance(row, EvidenceRow)} == {GUIDE.rel}


async def test_a_line_whose_fact_is_gone_gives_the_cursor_to_its_row(open_panel: Open) -> None:
    async with open_panel(snapshot(), rest=0.0) as panel:
        await open_retry(panel)
        await to_line(panel, relation_text(USED))
        bare = replace(RETRY, relations=(NAMED,), related=1)
        rows = tuple(bare if item.rel == bare.rel else item for item in sample_why.items())
        await panel.publish(snapshot(2, items=rows))
        await panel.wait(lambda: panel.results.item is bare, "the new facts")
        assert panel.results.evidence is None


async def test_keys_on_a_line_act_on_its_document(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        await panel.press("down", "down", "p", "x")
        assert panel.host.sent == [Pin(RETRY.rel), Exclude(RETRY.rel)]
        assert panel.preview.seen[-1].rel == RETRY.rel
        await panel.press("enter")
        assert panel.main.focused is panel.preview


async def test_tiers_and_tabs_with_open_rows(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        await panel.press("right_curly_bracket")
        assert panel.rel == GUIDE.rel
        await panel.press("left_curly_bracket")
        assert panel.rel == RETRY.rel
        await panel.press("3")
        assert panel.main.state.tab is Tab.CODE
        assert len(texts(panel)) == len(evidence(RETRY)) + 4
        await panel.press("s", "1")
        assert panel.main.state.by_time
        assert texts(panel)


async def test_closing_from_a_line_goes_back_to_its_row(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await open_retry(panel)
        row = panel.cursor_row
        await to_line(panel, relation_text(USED))
        await panel.press("i")
        assert (panel.rel, panel.results.evidence) == (RETRY.rel, None)
        assert panel.cursor_row == row


async def test_what_opens_below_the_view_comes_into_sight(open_panel: Open) -> None:
    last = replace(RETRY, tier=Tier.RELATED, number=9)
    rows = (
        *(item for item in sample_why.items() if item.rel != last.rel and item.tier is not Tier.OTHER),
        last,
    )
    async with open_panel(snapshot(items=rows), size=(120, 26)) as panel:
        await panel.press("G", "i")
        assert panel.rel == last.rel
        lines = panel.list_lines()
        assert any("retry.py" in line for line in lines)
        assert "3 more relations" in lines[-1]
    async with open_panel(snapshot(items=rows), size=(120, 12)) as panel:
        await panel.press("G", "i")
        assert panel.results.is_visible(panel.results.cursor)
        assert "retry.py" in panel.list_lines()[0]


async def test_a_row_that_nothing_speaks_for(open_panel: Open) -> None:
    rows = (replace(sample.CLIENT, reason=None, number=None),)
    lost = snapshot(items=rows, views=sample.views(rows, mode=Mode.NEWEST))
    async with open_panel(lost) as panel:
        await panel.press("i")
        assert texts(panel) == ["nothing speaks for it; w tells where it stands"]


def test_nothing_open_costs_nothing() -> None:
    rows = sample_why.items()
    assert with_evidence(rows, {}) is rows
    assert with_evidence(rows, {"elsewhere": True}) is rows


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_hostile_words_fill_every_width_exactly(name: str) -> None:
    relation = Relation(RelationType.IMPORTS, True, name or "x", 7)
    term = replace(sample_why.HIT.terms[0], word=name or "x")
    hit = replace(sample_why.HIT, terms=(term,), defines=(name or "x",))
    each: Item = replace(RETRY, hit=hit, relations=(relation,) * 5, related=90)
    for whole in (False, True):
        for row in evidence_rows(each, whole=whole):
            for width in (*range(60), 120, 300):
                line = evidence_line(row, width, 3)
                text = "".join(piece.text for piece in line)
                assert cell_len(text) == width == width_of(line), (width, text)
                assert not has_control(text)


def test_names_stand_in_a_column_where_there_is_room() -> None:
    rows = evidence_rows(RETRY, whole=False)
    wide = ["".join(piece.text for piece in evidence_line(row, 60, 2)) for row in rows]
    assert wide[0].startswith("  │ file name       retry")
    narrow = "".join(piece.text for piece in evidence_line(rows[0], 24, 2))
    assert narrow.startswith("  │ file name: retry")
    assert DESCRIBED.other in wide[-1] or "3 more relations" in wide[-1]


def test_how_it_looks(picture: Picture, courier: Path) -> None:
    shown = snapshot(root=str(courier), signals=("words", "history"))
    assert compare(picture, shown, (120, 40), "down", "i", *["down"] * 9)
