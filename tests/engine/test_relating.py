"""Relations in the rows: they fill free places and move no hit."""

from __future__ import annotations

from pathlib import Path

import pytest

from knit_tui.engine.changes import Exclude, WorkspaceChanged
from knit_tui.engine.relating import Relating
from knit_tui.model import Item, Provenance, Relation, RelationType, Tier
from knit_tui.organise.relations import Relations
from knit_tui.organise.tree import Tree
from tests.engine.bench import Workspace, items

FILES = {
    "src/backoff.py": "def exponential(attempt):\n    return 2**attempt\n",
    "src/client.py": "import json\n\nfrom src import backoff as wait\n",
    "tests/test_backoff.py": "from src import backoff\n",
    "docs/net.md": "# Network\n\nWaiting is in `src/backoff.py`.\n",
    "docs/other.md": "# Other\n\nNothing of it.\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    for rel, text in FILES.items():
        made.write(rel, text)
    return made


def rows(workspace: Workspace, text: str = "how does exponential grow") -> dict[str, Item]:
    return {item.rel: item for item in items(workspace.say(text))}


def test_what_the_first_document_is_related_to_takes_free_places(workspace: Workspace) -> None:
    found = rows(workspace)
    assert {rel: item.tier for rel, item in found.items()} == {
        "src/backoff.py": Tier.PRIMARY,
        "src/client.py": Tier.SUPPORTING,
        "tests/test_backoff.py": Tier.SUPPORTING,
        "docs/net.md": Tier.SUPPORTING,
    }
    assert [item.number for item in found.values()] == [1, 2, 3, 4]
    client = found["src/client.py"]
    assert client.provenance is Provenance.RELATION and client.reason is not None
    assert client.reason.relation == Relation(RelationType.IMPORTS, False, "src/backoff.py", 3)


def test_a_row_tells_its_relations_seen_from_it(workspace: Workspace) -> None:
    first = rows(workspace)["src/backoff.py"]
    assert first.related == len(first.relations) == 4
    assert set(first.relations) == {
        Relation(RelationType.IMPORTS, True, "src/client.py", 3),
        Relation(RelationType.IMPORTS, True, "tests/test_backoff.py", 1),
        Relation(RelationType.TESTS, True, "tests/test_backoff.py"),
        Relation(RelationType.DOCUMENTS, True, "docs/net.md", 3),
    }


def test_what_is_excluded_is_no_neighbour_and_in_no_relation(workspace: Workspace) -> None:
    rows(workspace)
    found = {item.rel: item for item in items(workspace.engine.settle([Exclude("src/client.py")]))}
    assert "src/client.py" not in found
    assert all(relation.other != "src/client.py" for item in found.values() for relation in item.relations)
    assert found["src/backoff.py"].related == 3


def test_a_new_line_moves_the_evidence(workspace: Workspace) -> None:
    rows(workspace)
    workspace.write("src/client.py", "\n\n\n\nfrom src import backoff\n")
    found = {item.rel: item for item in items(workspace.engine.settle([WorkspaceChanged()]))}
    assert Relation(RelationType.IMPORTS, True, "src/client.py", 5) in found["src/backoff.py"].relations


def test_relations_move_no_hit(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pack with and without them: the same hits in the same tiers, in the same order."""
    for number in range(12):
        workspace.write(f"src/more{number}.py", f"from src import backoff\n# retry policy {number}\n")
    text = "how do client, backoff and retry policy attempt exponential"
    with_them = rows(workspace, text)
    monkeypatch.setattr(Relating, "__call__", lambda *_: Relations(Tree(()), {}, {}))
    without = Workspace(workspace.root)
    assert [(rel, item.tier, item.number, item.reason) for rel, item in with_them.items()] == [
        (rel, item.tier, item.number, item.reason) for rel, item in rows(without, text).items()
    ]
    assert any(item.relations for item in with_them.values())


def test_nothing_is_resolved_anew_while_no_reference_changes(workspace: Workspace) -> None:
    relating = Relating()
    rows(workspace)
    library = workspace.engine._library
    first = relating(library.entries, library.cards)
    workspace.write("docs/other.md", "# Other\n\nStill nothing of it.\n")
    workspace.engine.settle([WorkspaceChanged()])
    assert relating(library.entries, library.cards) is first
    workspace.write("docs/other.md", "# Other\n\nSee [net](net.md).\n")
    workspace.engine.settle([WorkspaceChanged()])
    assert relating(library.entries, library.cards) is not first
