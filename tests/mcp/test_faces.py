"""One pack, three faces: what the panel draws, what the command prints and what the tool answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from knit_tui.engine.changes import Ask, Change, Exclude, Pin, SessionChanged, Undo, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.host import open_engine
from knit_tui.faces.i18n import use_language
from knit_tui.faces.tui.listing import Finder, Heading, build
from knit_tui.faces.tui.widgets.rows import fact
from knit_tui.model import Tab, Tier
from tests.mcp.agent import SESSION, Agent, ask, item, paths

Told = list[tuple[str, str, int | None, str]]
"""Path, tier, number and reason of each document of the pack."""
TIERS = ("pinned", "primary", "supporting", "related")


@pytest.fixture
def talking(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The agent is asked about the dimmer, and this process keeps the user's choices where it does."""
    for name in ("KNIT_CACHE_DIR", "KNIT_STATE_DIR"):
        monkeypatch.setenv(name, agent.environment()[name])
    agent.prompts("make the dimmer dim slower")
    return agent


@pytest.fixture
def engine(talking: Agent) -> Iterator[Engine]:
    """The engine of a panel over the session of the agent."""
    use_language("en")
    one = open_engine(talking.root, SESSION, home=talking.home)
    yield one
    one.close()


def of_panel(engine: Engine, *changes: Change) -> Told:
    """What stands in the rows of the tab Context, under the headings they stand under."""
    snapshot = engine.settle([WorkspaceChanged(), SessionChanged(), *changes])
    told: Told = []
    tier = Tier.OTHER
    for row in build(snapshot.views[Tab.CONTEXT], by_time=False, finder=Finder()).rows:
        if isinstance(row, Heading):
            tier = row.tier
        elif tier is not Tier.OTHER:
            assert row.tier is tier
            told.append((row.rel, tier.value, row.number, fact(row)))
    return told


def of_command(agent: Agent, *words: str) -> Told:
    said = json.loads(agent.knit("--session", SESSION, *words, "--format", "json").stdout)
    rows = [row for row in said["items"] if row["tier"] in TIERS]
    return [(row["path"], row["tier"], row["number"], row["reason"]["text"]) for row in rows]


async def of_tool(client: Client, **arguments: Any) -> Told:
    result = await ask(client, **arguments)
    rows = [(tier, item(result, path)) for tier in TIERS for path in paths(result, tier)]
    return [(row["path"], tier, row.get("number"), row["why"]) for tier, row in rows]


async def test_the_three_show_the_same_and_a_pin_or_an_exclusion_reaches_all_at_once(
    talking: Agent, engine: Engine
) -> None:
    steps: list[tuple[Change, ...]] = [
        (),
        (Pin("docs/wiring.md"),),
        (Exclude("src/dimmer.py"),),
        (Undo(), Undo()),
    ]
    seen: list[Told] = []
    async with talking.client() as client:
        for changes in steps:
            panel = of_panel(engine, *changes)
            assert panel == of_command(talking, "pack") == await of_tool(client), changes
            seen.append(panel)
    bare, pinned, excluded, undone = seen
    assert ("src/dimmer.py", "primary", 1) in [row[:3] for row in bare]
    assert pinned[0] == ("docs/wiring.md", "pinned", None, "pinned by you")
    assert "src/dimmer.py" not in [row[0] for row in excluded]
    assert undone == bare


async def test_the_three_find_the_same_for_a_query(talking: Agent, engine: Engine) -> None:
    query = "which cable dims the lamp"
    async with talking.client() as client:
        tool = await of_tool(client, query=query)
    assert len(tool) > 2
    assert of_panel(engine, Ask(query)) == of_command(talking, "--query", query) == tool
