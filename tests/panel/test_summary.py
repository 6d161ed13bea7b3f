"""The line that says where the documents went: its numbers add up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from knit_tui.engine.changes import Change, Exclude, Pin, Restore, Unpin, WorkspaceChanged
from knit_tui.faces.summary_words import Summary, signals_text, summary_groups, summary_of
from knit_tui.faces.tui.widgets.summary_bar import SummaryBar
from knit_tui.model import Mode, Snapshot, Tab, Tier
from tests.engine.bench import Workspace, workspace
from tests.panel import sample
from tests.panel.sample_why import snapshot

__all__ = ["workspace"]

Open = Callable[..., Any]
LINE = (
    " collected 1,206 · excluded 2 · candidates 1,204  │  "
    "words + history · relations 47 · pinned 1  │  in pack 5"
)


def shown(panel: Any) -> bool:
    return bool(panel.main.query_one(SummaryBar).display)


async def test_it_is_there_when_it_is_asked_for(open_panel: Open) -> None:
    async with open_panel(snapshot(signals=("words", "history")), size=(120, 40)) as panel:
        assert not shown(panel)
        await panel.press("I")
        assert panel.line("#summary").rstrip() == LINE
        await panel.publish(snapshot(2, signals=("words", "history")))
        assert shown(panel)
        await panel.press("I")
        assert not shown(panel)


async def test_it_follows_the_tab_and_the_pins(open_panel: Open) -> None:
    async with open_panel(snapshot()) as panel:
        await panel.press("I", "2")
        assert panel.line("#summary").startswith(" collected 211 · excluded 0 · candidates 211  │")
        assert panel.line("#summary").rstrip().endswith("in pack 2")
        await panel.press("4")
        assert panel.line("#summary").rstrip().endswith("pinned 0  │  in pack 0")
        await panel.publish(sample.snapshot(2, items=sample.PACK[1:]))
        await panel.press("1")
        assert "pinned 0" in panel.line("#summary")


async def test_without_an_order_it_says_so(open_panel: Open) -> None:
    lost = snapshot(views=sample.views(sample.PACK[:1], mode=Mode.NEWEST))
    async with open_panel(lost) as panel:
        await panel.press("I")
        assert panel.line("#summary").rstrip().endswith("candidates 1,204  │  newest first · pinned 1")


async def test_before_the_first_snapshot_and_without_a_workspace_there_is_none(open_panel: Open) -> None:
    async with open_panel(None) as panel:
        assert not shown(panel)
        await panel.publish(snapshot(1, present=False, views={}, items=()))
        assert not shown(panel)


def test_every_width_keeps_whole_groups() -> None:
    bar = SummaryBar()
    bar._summary = summary_of(snapshot(), snapshot().views[Tab.CONTEXT])
    groups = summary_groups(bar._summary)
    for width in range(301):
        text = "".join(piece.text for piece in bar.pieces(width))
        assert cell_len(text) <= max(width, 1)
        for group in groups[1:]:
            assert (group in text) == (f" {group}" in text)
    assert all(group in text for group in groups)


@pytest.mark.parametrize(
    ("signals", "text"),
    ((("words",), "words"), (("words", "history"), "words + history"), (("classic",), "classic")),
)
def test_what_takes_part_in_words(signals: tuple[str, ...], text: str) -> None:
    assert signals_text(signals) == text


def adds_up(told: Snapshot) -> Summary:
    """The facts of the context tab, after checking them and those of every other tab."""
    for view in told.views.values():
        facts = summary_of(told, view)
        assert facts.collected == facts.excluded + facts.candidates
        assert facts.candidates == len(view.newest)
        if facts.ranked:
            tiers = [item for item in view.items if item.tier not in (Tier.OTHER, Tier.PINNED)]
            assert facts.packed == len(tiers)
            others = sum(item.tier is Tier.OTHER for item in view.items)
            assert facts.packed + facts.pinned + others == len(view.items)
        assert facts.relations >= sum(len(item.relations) for item in view.items if item.number)
    return summary_of(told, told.views[Tab.CONTEXT])


RELS = (
    "docs/retry.md",
    "src/net/retry.py",
    "src/net/client.py",
    "docs/guide.md",
    "docs/图片排序.md",
    "img/flow.png",
)
ACTS = st.lists(
    st.builds(
        lambda act, rel: act(rel), st.sampled_from((Pin, Unpin, Exclude, Restore)), st.sampled_from(RELS)
    ),
    max_size=12,
)


@settings(max_examples=30, deadline=None)
@given(acts=ACTS, words=st.sampled_from(("", "retry backoff", "flow guide retry", "nothing quux")))
def test_the_numbers_add_up_whatever_the_user_does(
    tmp_path_factory: pytest.TempPathFactory, acts: list[Change], words: str
) -> None:
    made = Workspace(tmp_path_factory.mktemp("ws"))
    for rel in RELS:
        made.write(rel, f"# Retry backoff\n\nflow {rel}\n")
    before = adds_up(made.say(words) if words else made.engine.settle())
    told = made.engine.settle(acts)
    after = adds_up(told)
    assert after.collected == before.collected == len(RELS) - 1
    held = set(told.controls.excluded) - {"img/flow.png"}
    assert after.excluded == len(held)
    assert after.pinned == len([rel for rel in told.controls.pinned if rel != "img/flow.png"])


def test_a_pin_that_is_gone_is_pinned_and_no_candidate(workspace: Workspace) -> None:
    workspace.say("retry")
    workspace.engine.settle([Pin("docs/guide.md")])
    Path(workspace.root / "docs/guide.md").unlink()
    told = workspace.engine.settle([WorkspaceChanged()])
    facts = summary_of(told, told.views[Tab.CONTEXT])
    assert (facts.pinned, facts.candidates, facts.collected) == (1, 4, 4)
