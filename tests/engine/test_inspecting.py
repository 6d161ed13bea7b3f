"""Why a document is in the pack or not: one small workspace for each answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from knit_tui.engine.changes import Exclude, Inspect, Pin, Restore, Unpin, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.library import Library
from knit_tui.engine.past import Past
from knit_tui.find.ranking import FIRST
from knit_tui.model import Inspection, Relation, RelationType, Scan, Tab, Tier
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.text import TEXT_LIMIT, Unreadable, read_text
from tests.engine.bench import Log, Workspace, paths, workspace
from tests.workspace.conftest import commit, plain_git, run_git

__all__ = ["plain_git", "workspace"]


def asked(workspace: Workspace, rel: str) -> Inspection:
    """What is told about ``rel``."""
    found = workspace.engine.settle([Inspect(rel)]).inspection
    assert found is not None
    assert found.rel == rel
    return found


def answer(workspace: Workspace, rel: str) -> tuple[str, dict[str, str]]:
    found = asked(workspace, rel)
    return found.code, dict(found.facts)


def test_nothing_is_told_unless_it_is_asked_for(workspace: Workspace) -> None:
    assert workspace.say("retry backoff").inspection is None
    assert asked(workspace, "docs/guide.md").code == "no-hit"
    assert workspace.engine.apply([Inspect(None)]).inspection is None


def test_in_the_pack(workspace: Workspace) -> None:
    first = workspace.say("retry backoff jitter").views[Tab.CONTEXT].items[0]
    found = asked(workspace, first.rel)
    assert (found.code, dict(found.facts)) == ("pack", {"tier": "primary", "number": "1"})
    assert found.item == first


def test_pinned(workspace: Workspace) -> None:
    workspace.engine.settle([Pin("docs/guide.md")])
    found = asked(workspace, "docs/guide.md")
    assert (found.code, found.facts) == ("pinned", ())
    assert found.item is not None and found.item.tier is Tier.PINNED


def test_pinned_and_gone(workspace: Workspace) -> None:
    workspace.engine.settle([Pin("docs/guide.md")])
    (workspace.root / "docs/guide.md").unlink()
    workspace.engine.settle([WorkspaceChanged()])
    assert answer(workspace, "docs/guide.md") == ("pinned", {"gone": "yes"})
    workspace.engine.settle([Unpin("docs/guide.md")])
    assert answer(workspace, "docs/guide.md") == ("missing", {})


def test_excluded_by_the_user(workspace: Workspace) -> None:
    workspace.say("retry backoff")
    workspace.engine.settle([Exclude("docs/retry.md")])
    found = asked(workspace, "docs/retry.md")
    assert (found.code, found.facts, found.item) == ("excluded", (), None)
    (workspace.root / "docs/retry.md").unlink()
    workspace.engine.settle([WorkspaceChanged()])
    assert answer(workspace, "docs/retry.md") == ("excluded", {"gone": "yes"})


def test_no_query(workspace: Workspace) -> None:
    assert answer(workspace, "docs/guide.md") == ("no-query", {})


def test_no_hit_names_what_was_looked_for(workspace: Workspace) -> None:
    query = workspace.say("retry backoff").query
    code, facts = answer(workspace, "docs/guide.md")
    assert code == "no-hit"
    assert facts["terms"].split(", ") == [term.term for term in query.terms]
    assert "backoff" in facts["terms"]


def test_beaten_says_its_place_and_the_last_of_the_pack(workspace: Workspace) -> None:
    for number in range(14):
        workspace.write(f"docs/part{number:02}.md", f"# Part {number}\n\n{'quantum ' * (15 - number)}\n")
    snapshot = workspace.say("quantum")
    order = paths(snapshot)
    assert len(order) == 14
    last = [item for item in snapshot.views[Tab.CONTEXT].items if item.number is not None][-1]
    outside = order[last.number or 0 :]
    for place, rel in enumerate(outside, (last.number or 0) + 1):
        found = asked(workspace, rel)
        assert found.code == "beaten"
        assert dict(found.facts) == {
            "rank": str(place),
            "matched": "14",
            "places": str(last.number),
            "last": last.rel,
        }
        assert found.item is not None and found.item.hit is not None


def test_beaten_counts_what_is_pinned_in_no_number(workspace: Workspace) -> None:
    for number in range(14):
        workspace.write(f"docs/part{number:02}.md", f"# Part {number}\n\n{'quantum ' * (15 - number)}\n")
    order = paths(workspace.say("quantum"))
    workspace.engine.settle([Pin(order[-1]), Pin("docs/guide.md")])
    facts = answer(workspace, order[-2])[1]
    assert (facts["rank"], facts["matched"]) == ("13", "13")


def test_weak_names_what_it_holds(workspace: Workspace) -> None:
    for number in range(FIRST + 10):
        workspace.write(f"docs/q{number:03}.md", f"# Quantum flux {number}\n\nquantum flux common\n")
    workspace.write("docs/one.md", "# One\n\n" + "filler " * 400 + "common\n")
    snapshot = workspace.say("the quantum flux of common things")
    assert "docs/one.md" not in paths(snapshot)
    assert answer(workspace, "docs/one.md") == ("weak", {"terms": "common"})


@pytest.mark.parametrize("name", (".env", "keys/id_rsa"))
def test_secret_by_its_name(workspace: Workspace, name: str) -> None:
    workspace.write(name, "retry=1\n")
    workspace.say("retry")
    assert answer(workspace, name) == ("secret", {})


def test_secret_by_what_it_holds(workspace: Workspace) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA\n" * 8 + "-----END RSA PRIVATE KEY-----\n"
    workspace.write("docs/deploy.md", f"# Deploy\n\n{key}")
    workspace.say("deploy")
    assert answer(workspace, "docs/deploy.md") == ("secret", {})


def test_generated(workspace: Workspace) -> None:
    workspace.write("web/package-lock.json", '{"retry": 1}\n')
    workspace.say("retry")
    assert answer(workspace, "web/package-lock.json") == ("generated", {})


def test_media_also_when_it_is_pinned(workspace: Workspace) -> None:
    workspace.say("flow")
    assert answer(workspace, "img/flow.png") == ("media", {})
    workspace.engine.settle([Pin("img/flow.png")])
    assert answer(workspace, "img/flow.png") == ("media", {"pinned": "yes"})


def test_skipped_because_it_is_binary_or_in_a_folder_that_is_left_out(workspace: Workspace) -> None:
    (workspace.root / "data.unknown").write_bytes(b"\0\1\2\3" * 100)
    workspace.write("node_modules/left/pad.js", "x\n")
    workspace.engine.settle([WorkspaceChanged()])
    assert answer(workspace, "data.unknown") == ("skipped", {"why": "binary", "where": "data.unknown"})
    assert answer(workspace, "node_modules/left/pad.js") == (
        "skipped",
        {"why": "folder", "where": "node_modules"},
    )


def test_skipped_because_a_link_leads_there(workspace: Workspace) -> None:
    (workspace.root / "elsewhere").symlink_to("docs")
    workspace.engine.settle([WorkspaceChanged()])
    assert answer(workspace, "elsewhere/guide.md") == (
        "skipped",
        {"why": "symlink", "where": "elsewhere"},
    )


@pytest.mark.usefixtures("plain_git")
def test_ignored_a_folder_and_missing(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    run_git(root, "init", "-q")
    commit(root, "begin", {".gitignore": "*.log\n", "docs/a.md": "# A\n"})
    (root / "run.log").write_text("retry\n")
    made = Workspace(root)
    made.say("retry")
    assert answer(made, "run.log") == ("ignored", {})
    assert answer(made, ".git/config") == ("ignored", {})
    assert answer(made, "docs") == ("folder", {})
    for rel in ("docs/b.md", "docs/a.md/b", "../ws/docs/a.md", "/etc/hosts", "", "a\0b", "a//b", "x" * 5000):
        assert answer(made, rel) == ("missing", {}), rel


def test_waiting_while_it_is_not_indexed_yet(workspace: Workspace) -> None:
    workspace.log.say("retry")
    big = "filler word\n" * (TEXT_LIMIT // 12)
    for number in range(12):
        workspace.write(f"docs/big{number}.md", big)
    snapshot = workspace.engine.apply([Inspect("docs/big0.md")])
    assert not snapshot.complete
    assert snapshot.inspection is not None
    assert snapshot.inspection.code == "waiting"
    seen = {snapshot.inspection.code}
    while workspace.engine.pending:
        inspection = workspace.engine.apply([]).inspection
        assert inspection is not None
        seen.add(inspection.code)
    assert seen <= {"waiting", "no-hit"}
    assert answer(workspace, "docs/big0.md")[0] == "no-hit"


def test_waiting_until_the_order_that_is_shown_knows_it(workspace: Workspace) -> None:
    workspace.log.say("quantum")
    for number in range(700):
        workspace.write(f"many/n{number}.md", "quantum\n")
    engine, library = workspace.engine, workspace.engine._library
    engine.apply([])
    before = set(library.cards)
    library._index_here(1)
    (rel,) = library.cards.keys() - before
    engine._inspected = rel
    assert engine.pending
    told = engine._snap(()).inspection
    assert told is not None and told.code == "waiting"
    assert answer(workspace, rel)[0] in ("pack", "beaten", "weak")


def test_indexed_is_told_even_when_no_row_looks_different(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write("b.py", "quantum\n")
    workspace.say("quantum")
    workspace.write("a.py", "pass\n")
    scan = Scanner(tmp_path)
    library = workspace.engine._library
    workspace.engine.apply([Inspect("a.py")])
    library.compare(scan.scan())
    assert library.pending
    held = workspace.engine._snap(()).inspection
    assert held is not None and held.code == "waiting"
    library.index_some()
    told = workspace.engine._snap(()).inspection
    assert told is not None and told.code == "no-hit"


def test_unreadable_says_why(workspace: Workspace) -> None:
    def read(rel: str) -> object:
        if rel == "docs/guide.md":
            raise Unreadable("unreadable", "EACCES")
        return read_text(workspace.root, rel)

    library = Library(read)  # type: ignore[arg-type]
    workspace.engine = Engine(workspace.root, Scanner(workspace.root).scan, workspace.log, library=library)
    workspace.write("docs/odd.md", "")
    (workspace.root / "docs/odd.md").write_bytes(b"\0\1\2\3" * 100)
    workspace.say("retry")
    assert answer(workspace, "docs/guide.md") == ("unreadable", {"why": "unreadable"})
    assert answer(workspace, "docs/odd.md") == ("unreadable", {"why": "binary"})


def test_how_much_of_a_long_file_is_searched(workspace: Workspace) -> None:
    workspace.write("docs/long.md", "# Long\n\n" + "quantum flux\n" * 40_000)
    workspace.say("quantum")
    assert asked(workspace, "docs/long.md").cut_bytes == TEXT_LIMIT
    assert asked(workspace, "docs/guide.md").cut_bytes == 0


def test_all_relations_also_of_what_is_in_no_pack(workspace: Workspace) -> None:
    workspace.write("docs/guide.md", "# Guide\n\nSee [the policy](retry.md) and [flow](../img/flow.png).\n")
    workspace.say("quantum")
    found = asked(workspace, "docs/retry.md")
    assert Relation(RelationType.REFERENCES, True, "docs/guide.md", 3) in found.relations
    assert found.related == len(found.relations)
    assert asked(workspace, "img/flow.png").related == 1
    assert asked(workspace, "no/such.md").relations == ()
    workspace.engine.settle([Exclude("docs/guide.md")])
    assert asked(workspace, "docs/retry.md").related == found.related  # a fact, whatever the user leaves out


def test_it_follows_every_change(workspace: Workspace) -> None:
    workspace.say("retry backoff")
    assert asked(workspace, "docs/guide.md").code == "no-hit"
    for change, code in (
        (Pin("docs/guide.md"), "pinned"),
        (Exclude("docs/guide.md"), "excluded"),
        (Restore("docs/guide.md"), "no-hit"),
    ):
        inspection = workspace.engine.apply([change]).inspection
        assert inspection is not None
        assert inspection.code == code
    workspace.write("docs/guide.md", "# Retry backoff\n")
    told = workspace.engine.settle([WorkspaceChanged()]).inspection
    assert told is not None and told.code == "pack"
    (workspace.root / "docs/guide.md").unlink()
    told = workspace.engine.settle([WorkspaceChanged()]).inspection
    assert told is not None and told.code == "missing"


def test_a_file_that_comes_to_be_ignored_and_a_root_that_cannot_be_read(tmp_path: Path) -> None:
    shut = Scan(str(tmp_path), True)
    engine = Engine(tmp_path, lambda: replace(shut), Log())
    told = engine.settle([Inspect("a.md")]).inspection
    assert told is not None and told.code == "missing"
    (tmp_path / "a.md").write_text("x")
    told = engine.settle([WorkspaceChanged()]).inspection
    assert told is not None and told.code == "ignored"


@pytest.mark.usefixtures("plain_git")
def test_what_takes_part_in_the_order(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    run_git(root, "init", "-q")
    commit(root, "begin", {"docs/a.md": "# A\n"})
    scan = Scanner(root).scan
    assert Engine(root, scan, Log()).settle().signals == ("words",)
    assert Engine(root, scan, Log(), past=Past(root)).settle().signals == ("words", "history")
    assert Engine(root, scan, Log(), past=Past(tmp_path)).settle().signals == ("words",)
    assert Engine(root, scan, Log(), classic=True).settle().signals == ("classic",)
