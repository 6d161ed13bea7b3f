"""The engine in its thread, over a real folder, a real watcher and a real log."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from knit_tui.engine import host as host_module
from knit_tui.engine.changes import Exclude, Pin, Undo
from knit_tui.engine.host import Host
from knit_tui.engine.store import Store, fingerprint
from knit_tui.model import Snapshot, Tab
from knit_tui.workspace.cache import Cache
from knit_tui.workspace.keeping import Keeping

LIMIT = 30.0


class Screen:
    """A face that keeps what it is told and can wait for it."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.failures: list[str] = []
        self._news = threading.Condition()

    def publish(self, snapshot: Snapshot) -> None:
        with self._news:
            self.snapshots.append(snapshot)
            self._news.notify_all()

    def failed(self, why: str) -> None:
        with self._news:
            self.failures.append(why)
            self._news.notify_all()

    def wait(self, predicate: Callable[[], bool], what: str) -> None:
        with self._news:
            assert self._news.wait_for(predicate, LIMIT), f"never came: {what}"

    def paths(self) -> list[str]:
        return [item.rel for item in self.snapshots[-1].views[Tab.CONTEXT].items] if self.snapshots else []

    def wait_for_paths(self, *paths: str) -> None:
        self.wait(lambda: self.paths()[: len(paths)] == list(paths), f"{paths}")


class Desk:
    """A folder, a log and a running host."""

    def __init__(self, base: Path) -> None:
        self.root = base / "ws"
        self.root.mkdir()
        self.log = base / "log.jsonl"
        self.screen = Screen()
        self.host = Host(self.root, session=str(self.log), home=base)

    def start(self) -> None:
        self.host.start(self.screen.publish, self.screen.failed)
        self.screen.wait(lambda: bool(self.screen.snapshots), "a first snapshot")

    def say(self, text: str) -> None:
        record = {
            "type": "user", "uuid": f"u-{text}", "parentUuid": None, "isSidechain": False,
            "cwd": str(self.root), "sessionId": "s1", "version": "2.1.0",
            "message": {"role": "user", "content": text},
        }  # fmt: skip
        with self.log.open("a") as log:
            log.write(json.dumps(record) + "\n")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    (made.root / "retry.md").write_text("# Retry\n\nbackoff\n")
    (made.root / "loader.py").write_text("def load():\n    pass\n")
    made.say("how does the loader work")
    yield made
    made.host.stop()


def test_a_new_line_of_the_log_moves_the_list(desk: Desk) -> None:
    desk.start()
    desk.screen.wait_for_paths("loader.py")
    desk.say("now fix the retry backoff")
    desk.screen.wait_for_paths("retry.md")
    assert desk.screen.snapshots[-1].query.task == "now fix the retry backoff"


def test_saved_created_renamed_and_deleted_files_move_the_list(desk: Desk) -> None:
    desk.start()
    desk.screen.wait_for_paths("loader.py")
    (desk.root / "new_loader.md").write_text("# The loader\n\nloader loader\n")
    desk.screen.wait(lambda: "new_loader.md" in desk.screen.paths(), "the created file")
    (desk.root / "new_loader.md").rename(desk.root / "loader_guide.md")
    desk.screen.wait(lambda: "loader_guide.md" in desk.screen.paths(), "the renamed file")
    assert "new_loader.md" not in desk.screen.paths()
    (desk.root / "loader_guide.md").unlink()
    desk.screen.wait(lambda: "loader_guide.md" not in desk.screen.paths(), "the deleted file to go")
    (desk.root / "retry.md").write_text("# Retry\n\nthe loader retries\n")
    desk.screen.wait(lambda: "retry.md" in desk.screen.paths(), "the saved file")


def test_what_the_user_does_is_answered(desk: Desk) -> None:
    desk.start()
    desk.screen.wait_for_paths("loader.py")
    desk.host.send(Pin("retry.md"))
    desk.screen.wait_for_paths("retry.md", "loader.py")
    desk.host.send(Exclude("loader.py"))
    desk.screen.wait(lambda: desk.screen.paths() == ["retry.md"], "the exclusion")
    desk.host.send(Undo())
    desk.host.send(Undo())
    desk.screen.wait_for_paths("loader.py")


def test_nothing_new_publishes_nothing(desk: Desk) -> None:
    desk.start()
    desk.screen.wait_for_paths("loader.py")
    desk.host.send(Undo())  # nothing to undo; that the next act is answered shows this one was taken
    desk.host.send(Pin("retry.md"))
    desk.screen.wait_for_paths("retry.md")
    generations = [snapshot.generation for snapshot in desk.screen.snapshots]
    assert generations == sorted(set(generations))


def test_a_fault_is_told_and_the_engine_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "_RETRY_SECONDS", 0.05)
    desk.start()
    desk.screen.wait_for_paths("loader.py")
    from knit_tui.engine.engine import Engine

    real = Engine.apply
    broken = threading.Event()

    def failing(*args: object, **kwargs: object) -> Snapshot:
        if not broken.is_set():
            broken.set()
            raise KeyError("a fault")
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "apply", failing)
    desk.screen.wait(lambda: desk.screen.failures == ["KeyError: 'a fault'"], "the failure")
    desk.say("retry backoff")
    desk.screen.wait_for_paths("retry.md")


def test_stop_ends_the_thread_even_in_the_middle_of_long_work(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for i in range(300):
        (desk.root / f"n{i}.md").write_text("words of a note\n" * 2_000)
    desk.start()
    desk.host.stop()
    assert not desk.host._thread.is_alive()


def test_what_the_user_set_last_is_kept_however_soon_he_leaves(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", str(tmp_path / "state"))

    def leave(_snapshot: Snapshot) -> None:
        desk.host.send(Pin("retry.md"))
        desk.host.stop()

    desk.host.start(leave, desk.screen.failed)
    desk.host._thread.join(LIMIT)
    kept = Keeping(desk.root).changed()
    assert kept is not None and kept.controls.pinned == ("retry.md",)


def test_what_was_indexed_is_kept_when_the_host_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIT_CACHE_DIR", str(tmp_path / "caches"))
    desk = Desk(tmp_path)
    for i in range(300):
        (desk.root / f"n{i}.md").write_text("words of a note\n")
    desk.start()
    desk.screen.wait(lambda: desk.screen.snapshots[-1].indexed > 3, "some documents")
    desk.host.stop()
    memory = Store(Cache(desk.root, fingerprint())).recall()
    assert memory is not None
    assert len(memory.entries) >= desk.screen.snapshots[-1].indexed
