"""The engine: what each change does to the next snapshot."""

from pathlib import Path

from knit_tui.engine.changes import (
    Ask,
    Exclude,
    Pin,
    Redo,
    Restore,
    SessionChanged,
    Undo,
    Unpin,
    WorkspaceChanged,
)
from knit_tui.engine.engine import Engine
from knit_tui.model import Access, Mode, Notice, Reason, Tab, Tier
from knit_tui.sessions.events import AssistantText, Reset, UserMessage
from knit_tui.workspace.scan import Scanner
from tests.engine.bench import Workspace, items, paths, workspace

__all__ = ["workspace"]


def test_without_a_conversation_the_newest_come_first_and_it_says_so(workspace: Workspace) -> None:
    snapshot = workspace.engine.settle()
    view = snapshot.views[Tab.CONTEXT]
    assert view.mode is Mode.NEWEST
    assert paths(snapshot) == [
        "docs/图片排序.md", "docs/guide.md", "src/net/client.py", "src/net/retry.py", "docs/retry.md",
    ]  # fmt: skip
    assert "no-conversation" in [notice.code for notice in snapshot.notices]


def test_a_prompt_ranks_the_workspace_with_reasons_and_passages(workspace: Workspace) -> None:
    snapshot = workspace.say("How does the retry backoff use jitter?")
    first = items(snapshot)[0]
    assert first.rel in ("docs/retry.md", "src/net/retry.py")
    assert first.tier is Tier.PRIMARY
    assert first.number == 1
    assert first.reason is not None and "retry" in first.reason.terms + first.reason.also
    assert first.passages
    assert snapshot.query.task == "How does the retry backoff use jitter?"
    assert snapshot.complete
    assert "docs/guide.md" not in paths(snapshot)


def test_a_chinese_prompt_finds_the_chinese_document(workspace: Workspace) -> None:
    assert paths(workspace.say("图片排序"))[0] == "docs/图片排序.md"


def test_tabs_rank_their_own_pool(workspace: Workspace) -> None:
    snapshot = workspace.say("retry client flow")
    assert set(paths(snapshot, Tab.DOCS)) == {"docs/retry.md"}
    assert set(paths(snapshot, Tab.CODE)) == {"src/net/retry.py", "src/net/client.py"}
    assert paths(snapshot, Tab.MEDIA) == ["img/flow.png"]
    assert snapshot.views[Tab.DOCS].total == 3


def test_a_saved_created_renamed_or_deleted_file_moves_the_list(workspace: Workspace) -> None:
    workspace.say("quantum flux")
    assert paths(workspace.engine.settle()) == []
    workspace.write("docs/guide.md", "# Guide\n\nquantum flux\n")
    workspace.write("docs/new.md", "# Quantum flux\n")
    assert set(paths(workspace.engine.settle([WorkspaceChanged()]))) == {"docs/new.md", "docs/guide.md"}
    (workspace.root / "docs/new.md").rename(workspace.root / "docs/moved.md")
    assert set(paths(workspace.engine.settle([WorkspaceChanged()]))) == {"docs/moved.md", "docs/guide.md"}
    (workspace.root / "docs/moved.md").unlink()
    assert paths(workspace.engine.settle([WorkspaceChanged()])) == ["docs/guide.md"]


def test_what_changes_nothing_gives_the_same_snapshot_and_does_no_work(workspace: Workspace) -> None:
    snapshot = workspace.say("retry backoff")
    runs = [workspace.engine._keywords.runs, workspace.engine._query.runs, workspace.engine._views.runs]
    for change in (WorkspaceChanged(), SessionChanged(), Unpin("docs/guide.md"), Undo()):
        assert workspace.engine.apply([change]) is snapshot
    workspace.log.waiting = [AssistantText("a", "  ")]
    assert workspace.engine.apply([SessionChanged()]).views is snapshot.views
    assert workspace.engine._views.runs == runs[2]


def test_generations_count_up(workspace: Workspace) -> None:
    first = workspace.engine.settle()
    second = workspace.say("retry")
    assert second.generation > first.generation
    assert workspace.engine.apply([Pin("docs/guide.md")]).generation == second.generation + 1


def test_a_pinned_document_is_in_the_pack_whatever_the_task_is(workspace: Workspace) -> None:
    workspace.say("retry backoff")
    snapshot = workspace.engine.apply([Pin("docs/guide.md")])
    assert paths(snapshot)[0] == "docs/guide.md"
    assert items(snapshot)[0].tier is Tier.PINNED
    assert items(snapshot)[1].tier is Tier.PRIMARY
    assert paths(workspace.say("图片排序"))[0] == "docs/guide.md"


def test_pinning_the_primary_gives_its_place_to_the_next(workspace: Workspace) -> None:
    before = workspace.say("retry backoff")
    primary, following = [item.rel for item in items(before)[:2]]
    after = items(workspace.engine.apply([Pin(primary)]))
    assert [(item.rel, item.tier, item.number) for item in after[:2]] == [
        (primary, Tier.PINNED, None),
        (following, Tier.PRIMARY, 1),
    ]
    assert after[0].passages == items(before)[0].passages != ()
    assert after[0].reason == Reason("pinned") and after[0].hit == items(before)[0].hit


def test_a_pin_of_a_file_that_is_gone_says_so(workspace: Workspace) -> None:
    workspace.say("retry")
    workspace.engine.apply([Pin("docs/guide.md")])
    (workspace.root / "docs/guide.md").unlink()
    first = items(workspace.engine.settle([WorkspaceChanged()]))[0]
    assert (first.rel, first.missing) == ("docs/guide.md", True)


def test_an_excluded_document_takes_no_part(workspace: Workspace) -> None:
    before = workspace.say("retry backoff")
    after = workspace.engine.apply([Exclude("docs/retry.md")])
    view = after.views[Tab.CONTEXT]
    assert "docs/retry.md" not in paths(after)
    assert view.excluded == 1
    assert view.total == before.views[Tab.CONTEXT].total - 1
    assert items(workspace.engine.apply([Restore("docs/retry.md")])) == items(before)


def test_undo_and_redo(workspace: Workspace) -> None:
    before = workspace.say("retry backoff")
    after = workspace.engine.apply([Exclude("docs/retry.md")])
    assert after.undoable == "exclude docs/retry.md"
    assert items(workspace.engine.apply([Undo()])) == items(before)
    assert items(workspace.engine.apply([Redo()])) == items(after)


def test_a_typed_query_replaces_the_conversation_until_it_is_taken_back(workspace: Workspace) -> None:
    before = workspace.say("retry backoff")
    asked = workspace.engine.apply([Ask("自然顺序")])
    assert paths(asked) == ["docs/图片排序.md"]
    assert (asked.query.source, asked.query.task) == ("typed", "")
    assert paths(workspace.engine.apply([Ask(None)])) == paths(before)


def test_a_query_nothing_matches_names_its_terms(workspace: Workspace) -> None:
    snapshot = workspace.engine.settle([Ask("zeppelin")])
    assert [term.term for term in snapshot.query.terms] == ["zeppelin"]
    assert (snapshot.views[Tab.CONTEXT].mode, paths(snapshot)) == (Mode.RELEVANCE, [])


def test_a_query_of_grammar_only_ranks_nothing(workspace: Workspace) -> None:
    snapshot = workspace.engine.settle([Ask("what is the of")])
    assert snapshot.views[Tab.CONTEXT].mode is Mode.NEWEST
    assert "no-terms" in [notice.code for notice in snapshot.notices]


def test_limits_of_the_log_and_of_the_host_are_told(workspace: Workspace) -> None:
    workspace.log.notices = (Notice("session-old", (("hours", "14"),)),)
    snapshot = workspace.engine.apply([], (Notice("watch-polling", (("why", "limit"),)),))
    assert {"session-old", "watch-polling"} <= {notice.code for notice in snapshot.notices}


def test_another_session_forgets_the_first(workspace: Workspace) -> None:
    workspace.say("retry backoff")
    workspace.log.waiting = [Reset("session"), UserMessage("x", "图片排序")]
    snapshot = workspace.engine.settle([SessionChanged()])
    assert snapshot.query.task == "图片排序"
    assert paths(snapshot) == ["docs/图片排序.md"]


def test_a_workspace_that_vanishes_keeps_its_list_and_comes_back(workspace: Workspace) -> None:
    before = workspace.say("retry backoff")
    away = workspace.root.with_name("away")
    workspace.root.rename(away)
    gone = workspace.engine.settle([WorkspaceChanged()])
    assert not gone.present
    assert paths(gone) == paths(before)
    assert "gone" in [notice.code for notice in gone.notices]
    workspace.root.mkdir()
    workspace.write("back.md", "# retry is back\n")
    back = workspace.engine.settle([WorkspaceChanged()])
    assert back.present
    assert paths(back) == ["back.md"]


def test_a_large_workspace_fills_in_slices_and_says_it_is_partial(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    for i in range(12):
        workspace.write(f"d{i:02}.md", f"# Part {i}\n\n" + "needle words " * 19_000)
    workspace.log.say("needle")
    partial = workspace.engine.apply([])
    assert not partial.complete
    assert 0 < partial.indexed < partial.documents == 12
    assert "indexing" in [notice.code for notice in partial.notices]
    assert "d11.md" in paths(partial)
    whole = workspace.engine.settle()
    assert whole.complete
    assert len(paths(whole)) == 12


def test_a_new_task_while_the_index_fills_ranks_what_is_there(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    for i in range(40):
        workspace.write(f"d{i:02}.md", f"# Part {i}\n\n" + "needle thread " * 18_000)
    workspace.log.say("needle")
    workspace.engine.apply([])
    while workspace.engine.pending:
        workspace.log.say(f"thread {workspace.engine.pending}")
        assert paths(workspace.engine.apply([SessionChanged()]))
    assert len(paths(workspace.engine.settle([Ask("needle")]))) == 40


def test_a_long_file_is_searched_in_its_head_and_it_is_told(workspace: Workspace) -> None:
    workspace.write("long.md", "# Long\n" + "filler words\n" * 30_000 + "needle\n")
    snapshot = workspace.engine.settle([WorkspaceChanged(), Ask("needle")])
    assert paths(snapshot) == []
    assert ("truncated", (("count", "1"),)) in [(notice.code, notice.facts) for notice in snapshot.notices]


def test_a_private_key_in_a_plain_file_is_withheld_and_it_is_told(workspace: Workspace) -> None:
    armour = "-----{} OPENSSH PRIVATE KEY-----\n"
    workspace.write("notes.txt", armour.format("BEGIN") + "needle\n" + armour.format("END"))
    snapshot = workspace.engine.settle([WorkspaceChanged(), Ask("needle")])
    assert paths(snapshot) == []
    assert ("secret", (("count", "1"),)) in [(notice.code, notice.facts) for notice in snapshot.notices]
    [row] = [item for item in snapshot.views[Tab.DOCS].newest if item.rel == "notes.txt"]
    assert (row.access, row.summary) == (Access.WITHHELD, "")


def test_the_same_state_gives_the_same_order_whatever_came_before(
    workspace: Workspace, tmp_path: Path
) -> None:
    for i in range(30):
        workspace.write(f"docs/n{i}.md", f"# Note {i}\n\nretry {'backoff ' * (i % 4)}\n")
        workspace.engine.apply([WorkspaceChanged()])
    grown = workspace.say("retry backoff")
    fresh = Workspace(tmp_path)
    assert items(fresh.say("retry backoff")) == items(grown)


def test_only_the_tabs_that_are_asked_for_are_made(workspace: Workspace) -> None:
    whole = workspace.say("retry backoff")
    engine = Engine(workspace.root, Scanner(workspace.root).scan, workspace.log, tabs=(Tab.DOCS,))
    workspace.log.say("retry backoff")
    snapshot = engine.settle()
    assert list(snapshot.views) == [Tab.DOCS]
    assert paths(snapshot, Tab.DOCS) == paths(whole, Tab.DOCS)


def test_classic_orders_as_its_own_ranking_does(workspace: Workspace) -> None:
    engine = Engine(workspace.root, Scanner(workspace.root).scan, workspace.log, classic=True)
    workspace.log.say("how does the backoff policy work")
    snapshot = engine.settle()
    assert [term.term for term in snapshot.query.terms] == ["backoff", "policy", "work"]
    assert paths(snapshot) == ["docs/retry.md", "src/net/retry.py"]
    assert engine.apply([]) is snapshot
