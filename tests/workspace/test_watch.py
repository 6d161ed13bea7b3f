from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from knit_tui.workspace import notify, watch
from knit_tui.workspace.scan import Scanner
from knit_tui.workspace.watch import Watcher, file_system
from tests.workspace.conftest import wait_for, write

watchfiles = pytest.importorskip("watchfiles")


class Hints:
    """Counts hints; waits for one more than there were."""

    def __init__(self) -> None:
        self.count = 0
        self._more = threading.Condition()

    def __call__(self) -> None:
        with self._more:
            self.count += 1
            self._more.notify_all()

    def after(self, action: Callable[[], object], seconds: float = 10.0) -> bool:
        """Whether a hint follows what is done."""
        with self._more:
            seen = self.count
        action()
        with self._more:
            return self._more.wait_for(lambda: self.count > seen, seconds)


@pytest.fixture
def hints() -> Hints:
    return Hints()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "ws", {"a.txt": "a", "sub/b.txt": "b"})


@pytest.fixture
def watcher(root: Path, hints: Hints) -> Iterator[Watcher]:
    made = Watcher(root, hints)
    assert hints.after(made.start)
    assert hints.after(lambda: made.watch(("", "sub")))
    yield made
    made.stop()
    assert not made._thread.is_alive()


def test_a_hint_follows_every_kind_of_change(watcher: Watcher, hints: Hints, root: Path) -> None:
    assert hints.after(lambda: (root / "a.txt").write_text("new"))
    assert hints.after(lambda: (root / "sub/c.txt").write_text("c"))
    assert hints.after(lambda: (root / "sub/c.txt").rename(root / "sub/d.txt"))
    assert hints.after(lambda: (root / "sub/d.txt").unlink())
    assert hints.after(lambda: (root / "new").mkdir())
    assert watcher.notice is None


def test_an_atomic_save_is_noticed_again_and_again(watcher: Watcher, hints: Hints, root: Path) -> None:
    for _ in range(3):
        (root / "sub/b.tmp").write_text("x")
        assert hints.after(lambda: os.replace(root / "sub/b.tmp", root / "sub/b.txt"))


def test_looking_does_not_count_as_a_change(watcher: Watcher, hints: Hints, root: Path) -> None:
    before = hints.count
    scanner = Scanner(root)
    for _ in range(5):
        scanner.scan()
        (root / "a.txt").read_text()
    events = notify.Events()
    events.arrange(frozenset({str(root)}))
    scanner.scan()
    assert not events.poll()
    events.close()
    assert hints.count == before


def test_the_same_folders_again_are_no_reason_to_look_again(
    watcher: Watcher, hints: Hints, root: Path
) -> None:
    wanted = watcher._wanted
    watcher.watch(["sub", ""])
    assert watcher._wanted is wanted
    assert hints.after(lambda: watcher.watch(("",)))


def test_a_new_folder_is_watched_and_one_that_is_not_wanted_no_more_is_not(
    watcher: Watcher, hints: Hints, root: Path
) -> None:
    (root / "new").mkdir()
    assert hints.after(lambda: watcher.watch(("", "new")))
    assert hints.after(lambda: (root / "new/x.txt").write_text("x"))
    events = notify.Events()
    events.arrange(frozenset({str(root), str(root / "sub")}))
    events.arrange(frozenset({str(root)}))
    (root / "sub/b.txt").write_text("changed")
    (root / "marker").write_text("x")
    seen: set[str] = set()
    assert wait_for(lambda: str(root / "marker") in seen | events.poll() or bool(seen.update(events.poll())))
    assert str(root / "sub/b.txt") not in seen
    events.close()


def test_a_folder_that_is_made_again_is_watched_again(watcher: Watcher, hints: Hints, root: Path) -> None:
    def make_again() -> None:
        shutil.rmtree(root / "sub")
        write(root, {"sub/inner/c.txt": "c"})

    assert hints.after(make_again)
    assert wait_for(lambda: hints.after(lambda: (root / "sub/d.txt").write_text("d"), 0.5))


@pytest.mark.parametrize("group", [1, 1_000])
def test_a_moved_folder_takes_no_watch_along(root: Path, monkeypatch: pytest.MonkeyPatch, group: int) -> None:
    monkeypatch.setattr(notify, "GROUP", group)
    write(root, {"sub/deep/x.txt": ""})
    wanted = frozenset({str(root), str(root / "sub"), str(root / "sub/deep")})
    events = notify.Events()
    events.arrange(wanted)
    (root / "sub").rename(root / "moved")
    assert wait_for(lambda: str(root / "sub") in events.poll())
    write(root, {"sub/deep/x.txt": ""})
    events.arrange(wanted)
    (root / "sub/deep/y.txt").write_text("y")
    seen: set[str] = set()
    assert wait_for(lambda: seen.update(events.poll()) or str(root / "sub/deep/y.txt") in seen)
    events.close()


def test_a_workspace_that_goes_and_comes_back(watcher: Watcher, hints: Hints, root: Path) -> None:
    away = root.parent / "away"
    assert hints.after(lambda: root.rename(away))
    assert hints.after(lambda: away.rename(root))
    assert wait_for(lambda: hints.after(lambda: (root / "sub/b.txt").write_text("b2"), 0.5))
    assert hints.after(lambda: shutil.rmtree(root))
    assert hints.after(lambda: root.write_text("a file in its place"))
    root.unlink()
    assert hints.after(lambda: write(root, {"new.txt": "x"}))
    assert wait_for(lambda: hints.after(lambda: (root / "more.txt").write_text("x"), 0.5))


def test_a_workspace_whose_parent_is_moved_and_comes_back(tmp_path: Path, hints: Hints) -> None:
    root = write(tmp_path / "parent/ws", {"a.txt": "a"})
    watcher = Watcher(root, hints)
    watcher.start()
    try:
        assert hints.after(lambda: watcher.watch(("", "sub")))
        assert hints.after(lambda: (tmp_path / "parent").rename(tmp_path / "away"))
        assert hints.after(lambda: (tmp_path / "away").rename(tmp_path / "parent"))
        assert wait_for(lambda: hints.after(lambda: (root / "a.txt").write_text("a2"), 0.5))
    finally:
        watcher.stop()


def test_what_happens_beside_the_workspace_is_none_of_it() -> None:
    assert watch._is_inside("/a/ws", "/a/ws")
    assert watch._is_inside("/a/ws/x", "/a/ws")
    assert not watch._is_inside("/a/ws2", "/a/ws")
    assert not watch._is_inside("/a", "/a/ws")
    assert watch._is_inside("/x", "/")


def test_a_root_behind_a_link_is_watched(tmp_path: Path, root: Path, hints: Hints) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links/ws").symlink_to(root)
    watcher = Watcher(tmp_path / "links/ws", hints)
    watcher.start()
    try:
        assert hints.after(lambda: watcher.watch(("", "sub")))
        assert hints.after(lambda: (root / "sub/b.txt").write_text("b2"))
    finally:
        watcher.stop()


def test_a_file_name_that_is_not_utf8_ends_nothing(watcher: Watcher, hints: Hints, root: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.txt")
    assert hints.after(lambda: (root / "sub" / odd).write_text("x"))
    assert wait_for(lambda: hints.after(lambda: (root / "sub/b.txt").write_text("b2"), 0.5))
    assert watcher.notice is None


def test_a_folder_whose_name_cannot_be_watched_is_polled(
    watcher: Watcher, hints: Hints, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.1)
    odd = os.fsdecode(b"caf\xe9")
    (root / odd).mkdir()
    watcher.watch(("", odd))
    assert wait_for(lambda: watcher.notice is not None)
    assert watcher.notice is not None
    assert dict(watcher.notice.facts) == {"why": "names", "folders": "1"}
    assert hints.after(lambda: None)
    watcher.watch(("",))
    assert wait_for(lambda: watcher.notice is None)


@pytest.mark.parametrize(
    "error",
    [
        OSError("OS file watch limit reached. about [...]"),
        OSError(28, "No space left on device"),
        RuntimeError("Error creating recommended watcher: Too many open files (os error 24)"),
    ],
)
def test_without_watches_it_polls_and_says_so_and_comes_back(
    root: Path, hints: Hints, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    from watchfiles import _rust_notify

    class Refusing:
        def __init__(self, *arguments: object) -> None:
            raise error

    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "RETRY_SECONDS", 0.3)
    with monkeypatch.context() as refusing:
        refusing.setattr(_rust_notify, "RustNotify", Refusing)
        watcher = Watcher(root, hints)
        watcher.watch(("", "sub"))
        assert hints.after(watcher.start)
        assert watcher.notice is not None
        assert (watcher.notice.code, watcher.notice.facts) == ("watch-polling", (("why", "limit"),))
        assert hints.after(lambda: None)
    assert wait_for(lambda: watcher.notice is None)
    assert hints.after(lambda: (root / "sub/b.txt").write_text("b2"))
    watcher.stop()


@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_the_real_limits_of_the_system(root: Path, limit: str) -> None:
    program = f"""
import sys, threading
from pathlib import Path
from knit_tui.workspace.watch import Watcher
with open("/proc/sys/user/{limit}", "w") as file:
    file.write("0")
hinted = threading.Event()
watcher = Watcher(Path(sys.argv[1]), hinted.set)
watcher.start()
assert hinted.wait(10)
print(watcher.notice.facts)
watcher.stop()
"""
    said = subprocess.run(
        ["unshare", "-Ur", sys.executable, "-c", program, str(root)], capture_output=True, text=True
    )
    if "unshare" in said.stderr or "/proc/sys/user" in said.stderr:
        pytest.skip(f"no limits of our own to be had here: {said.stderr.strip()[-100:]}")
    assert said.stdout.strip() == "(('why', 'limit'),)"


def test_too_many_folders_are_polled(root: Path, hints: Hints, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "FOLDER_LIMIT", 1)
    watcher = Watcher(root, hints)
    watcher.watch(("", "sub"))
    assert hints.after(watcher.start)
    assert watcher.notice is not None
    assert dict(watcher.notice.facts) == {"why": "folders"}
    watcher.watch(("",))
    assert wait_for(lambda: watcher.notice is None)
    watcher.stop()


def test_a_network_file_system_is_polled(root: Path, hints: Hints, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "file_system", lambda path: "nfs4")
    watcher = Watcher(root, hints)
    assert hints.after(watcher.start)
    assert watcher.notice is not None
    assert dict(watcher.notice.facts) == {"why": "network"}
    assert hints.after(lambda: None)
    watcher.stop()
    assert not watcher._thread.is_alive()


def test_a_hint_comes_now_and_then_without_any_event(
    root: Path, hints: Hints, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RECONCILE_SECONDS", 0.2)
    watcher = Watcher(root, hints)
    watcher.start()
    for _ in range(3):
        assert hints.after(lambda: None)
    watcher.stop()


def test_the_file_system_of_a_path(tmp_path: Path) -> None:
    table = write(
        tmp_path,
        {
            "mounts": "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
            "30 21 0:40 / /mnt/my\\040share rw shared:1 - nfs4 server:/x rw\n"
            "31 21 0:41 / /mnt/my\\040share/local rw - btrfs /dev/sdb rw\n"
            "nonsense\n"
        },
    )
    mounts = str(table / "mounts")
    assert file_system("/home/x", mounts) == "ext4"
    assert file_system("/mnt/my share/a", mounts) == "nfs4"
    assert file_system("/mnt/my share/local/b", mounts) == "btrfs"
    assert file_system("/mnt/my shared", mounts) == "ext4"
    assert file_system("/x", str(tmp_path / "none")) == ""


def test_folders_come_in_groups(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "GROUP", 3)
    folders = {f"d{number}" for number in range(10)}
    for folder in folders:
        (root / folder).mkdir()
    events = notify.Events()
    assert events.arrange(frozenset(str(root / folder) for folder in folders)) == 0
    assert len(events._groups) == 4
    for folder in sorted(folders):
        (root / folder / "x").write_text("x")
        seen: set[str] = set()
        assert wait_for(
            lambda seen=seen, folder=folder: seen.update(events.poll()) or str(root / folder / "x") in seen
        )
    events.arrange(frozenset())
    assert events._groups == []
    events.close()


def test_what_is_no_folder_is_not_watched(root: Path) -> None:
    (root / "link").symlink_to("sub")
    events = notify.Events()
    wanted = {str(root / name) for name in ("link", "a.txt", "nothing", "n" * 300)}
    assert events.arrange(frozenset(wanted | {str(root / ("d/" * 2500 + "x"))})) == 1
    assert events._groups == []
    events.close()
