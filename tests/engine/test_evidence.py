"""What the session and the history do to the snapshots of an engine."""

from pathlib import Path

import pytest

from knit_tui.engine.changes import Ask, Exclude, Restore, SessionChanged, WorkspaceChanged
from knit_tui.engine.engine import Engine
from knit_tui.engine.past import Past
from knit_tui.model import Access, Reason, Tab, Use
from knit_tui.sessions.events import EditDone, ReadDone, Reset
from knit_tui.workspace.scan import Scanner
from tests.engine.bench import Workspace, items, paths, workspace
from tests.workspace.conftest import plain_git, run_git

__all__ = ["plain_git", "workspace"]


def test_what_the_agent_used_is_shown_with_that_reason(workspace: Workspace) -> None:
    workspace.say("retry backoff")
    workspace.log.waiting = [
        ReadDone("docs/guide.md", True, "confirmed"),
        EditDone("src/net/client.py", True),
    ]
    used = {item.rel: item for item in items(workspace.engine.settle([SessionChanged()]))}
    assert used["src/net/client.py"].reason == Reason("edited", also=("retry",), prompts_ago=0)
    assert used["docs/guide.md"].reason == Reason("read", prompts_ago=0)
    later = {item.rel: item for item in items(workspace.say("the jitter of retry"))}
    assert later["docs/guide.md"].reason == Reason("read", prompts_ago=1)
    hit = later["src/net/client.py"].hit
    assert hit is not None
    assert hit.use == Use(True, 1)


def test_what_is_named_is_shown_with_that_reason(workspace: Workspace) -> None:
    found = {item.rel: item for item in items(workspace.say("retry as in ./docs/guide.md"))}
    assert found["docs/guide.md"].reason is not None
    assert found["docs/guide.md"].hit is not None
    assert found["docs/guide.md"].hit.named
    assert "docs/guide.md" not in paths(workspace.engine.apply([Exclude("docs/guide.md")]))


def test_a_typed_query_knows_nothing_of_the_session(workspace: Workspace) -> None:
    workspace.say("look at docs/guide.md")
    workspace.log.waiting = [EditDone("src/net/client.py", True)]
    asked = items(workspace.engine.settle([SessionChanged(), Ask("jitter")]))
    assert [item.rel for item in asked] == ["docs/retry.md"]
    assert [(item.hit.use, item.hit.named) for item in asked if item.hit] == [(None, False)]
    back = {item.rel: item.hit for item in items(workspace.engine.apply([Ask(None)]))}
    assert back["src/net/client.py"] is not None
    assert back["src/net/client.py"].use == Use(True, 0)


def test_what_the_session_used_outside_the_workspace_or_of_files_that_are_gone_is_ignored(
    workspace: Workspace,
) -> None:
    before = items(workspace.say("retry backoff"))
    workspace.log.waiting = [
        EditDone("/etc/hosts", True),
        EditDone("../x", True),
        EditDone("docs/gone.md", True),
    ]
    assert items(workspace.engine.settle([SessionChanged()])) == before


def test_another_session_forgets_what_the_first_used(workspace: Workspace) -> None:
    workspace.log.waiting = [EditDone("docs/guide.md", True), Reset("session")]
    assert "docs/guide.md" not in paths(workspace.say("retry"))


class Repository(Workspace):
    """A workspace with a history."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        run_git(root, "init", "-q")
        self.engine = Engine(root, Scanner(root).scan, self.log, past=Past(root))

    def commit(self, subject: str) -> None:
        run_git(self.root, "add", "-A")
        run_git(self.root, "commit", "-q", "-m", subject)


@pytest.fixture
def repository(tmp_path: Path, plain_git: None) -> Repository:
    return Repository(tmp_path)


def test_commits_like_the_query_bring_their_files(repository: Repository) -> None:
    repository.write("src/old.py", "x1 = 1\n")
    repository.commit("speed up the zeppelin")
    repository.write("src/other.py", "y1 = 1\n")
    repository.commit("something else")
    [item] = items(repository.engine.settle([Ask("zeppelin")]))
    assert item.rel == "src/old.py"
    assert item.reason is not None
    assert (item.reason.code, item.reason.commit) == ("commit", item.hit and item.hit.commit)
    assert item.reason.commit is not None
    assert item.reason.commit.subject == "speed up the zeppelin"


def test_an_excluded_document_takes_no_part_in_the_history_either(repository: Repository) -> None:
    repository.write("src/old.py", "x1 = 1\n")
    repository.write("src/new.py", "y1 = 1\n")
    repository.commit("speed up the zeppelin")
    snapshot = repository.engine.settle([Ask("zeppelin"), Exclude("src/old.py")])
    assert paths(snapshot) == ["src/new.py"]
    assert paths(snapshot, Tab.DOCS) == []


def test_what_is_excluded_moves_nothing(repository: Repository) -> None:
    repository.write("src/old.py", "x1 = 1\n")
    repository.write("src/new.py", "y1 = 1\n")
    repository.commit("speed up the zeppelin")
    repository.write("src/zeppelin.py", "zeppelin = 1\n")
    excluded = repository.engine.settle([Ask("zeppelin"), Exclude("src/old.py")])
    (repository.root / "src/old.py").unlink()
    gone = repository.engine.settle([Restore("src/old.py"), WorkspaceChanged()])
    assert paths(gone) == ["src/zeppelin.py", "src/new.py"]
    assert items(excluded) == items(gone)


def test_a_changelog_that_changes_with_everything_gets_no_votes(repository: Repository) -> None:
    repository.write("CHANGELOG.md", "# Changelog\n")
    repository.write("src/old.py", "x1 = 1\n")
    repository.commit("speed up the zeppelin")
    assert paths(repository.engine.settle([Ask("zeppelin")])) == ["src/old.py"]
    assert set(paths(repository.engine.settle([Ask("zeppelin changelog")]))) == {"src/old.py", "CHANGELOG.md"}
    [changelog] = [item for item in items(repository.engine.settle()) if item.rel == "CHANGELOG.md"]
    assert changelog.hit is not None
    assert changelog.hit.commit is not None


def test_a_new_commit_is_read_when_there_is_time(repository: Repository) -> None:
    repository.write("src/old.py", "x1 = 1\n")
    repository.commit("first")
    assert paths(repository.engine.settle([Ask("zeppelin")])) == []
    run_git(repository.root, "commit", "-q", "--amend", "-m", "zeppelin")
    assert paths(repository.engine.apply([WorkspaceChanged()])) == []
    assert repository.engine.tend()
    assert paths(repository.engine.apply([])) == ["src/old.py"]
    assert not repository.engine.tend()


def test_a_repository_without_a_document_left_answers(repository: Repository) -> None:
    repository.write("src/old.py", "x1 = 1\n")
    repository.commit("speed up the zeppelin")
    (repository.root / "src/old.py").unlink()
    snapshot = repository.engine.settle([Ask("zeppelin")])
    assert [paths(snapshot, tab) for tab in Tab] == [[], [], [], []]


def test_a_history_whose_words_are_all_of_files_that_are_gone(repository: Repository) -> None:
    repository.write("gone.py", "x1 = 1\n")
    repository.commit("speed up the zeppelin")
    (repository.root / "gone.py").unlink()
    repository.write("src/old.py", "zeppelin = 1\n")
    run_git(repository.root, "add", "src")
    repository.commit("...")
    assert paths(repository.engine.settle([Ask("zeppelin")])) == ["src/old.py"]


def test_a_file_that_looks_like_a_secret_never_comes_up(repository: Repository) -> None:
    repository.write("keys/.env", "zeppelin=1\n")
    repository.write("src/old.py", "x1 = 1\n")
    repository.commit("zeppelin")
    repository.log.waiting = [EditDone("keys/.env", True)]
    snapshot = repository.say("zeppelin in keys/.env")
    assert [item.access for tab in Tab for item in snapshot.views[tab].newest if item.rel == "keys/.env"] == [
        Access.WITHHELD
    ]
    assert paths(snapshot) == ["src/old.py"]
    assert not [tab for tab in Tab if "keys/.env" in paths(snapshot, tab)]
