"""The file that holds what the user set: shared, whole or not at all, nothing thrown away."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knit_tui.model import Controls
from knit_tui.workspace import keeping
from knit_tui.workspace.keeping import Keeping, Kept, Unsaved


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def pinned(*rels: str) -> Any:
    return lambda kept: replace(kept, controls=Controls((*kept.controls.pinned, *rels)))


def the_file(state: Path) -> Path:
    (found,) = (state / "workspaces").glob("*.json")
    return found


def test_nothing_is_kept_before_something_is_set(root: Path, state: Path) -> None:
    place = Keeping(root, state)
    assert place.changed() is None
    assert not state.exists()


def test_what_was_set_is_there_for_the_next_process(root: Path, state: Path) -> None:
    kept = Kept(Controls(("docs/a.md", "图片.md", "caf\udce9.md"), ("old.md",)), tracking=True)
    assert Keeping(root, state).change(lambda _: kept) == kept
    assert Keeping(root, state).changed() == kept


def test_only_its_user_can_read_it(root: Path, state: Path) -> None:
    Keeping(root, state).change(pinned("a"))
    assert stat.S_IMODE(the_file(state).stat().st_mode) == 0o600
    assert stat.S_IMODE(the_file(state).parent.stat().st_mode) == 0o700


def test_a_change_is_seen_once(root: Path, state: Path) -> None:
    mine, theirs = Keeping(root, state), Keeping(root, state)
    mine.change(pinned("a"))
    assert mine.changed() is None, "its own change is no news"
    assert theirs.changed() == Kept(Controls(("a",)))
    assert theirs.changed() is None


def test_two_processes_add_to_what_the_other_did(root: Path, state: Path) -> None:
    first, second = Keeping(root, state), Keeping(root, state)
    first.change(pinned("a"))
    second.change(pinned("b"))
    assert first.change(pinned("c")).controls.pinned == ("a", "b", "c")


def test_many_processes_at_once_lose_nothing(root: Path, state: Path) -> None:
    code = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from knit_tui.model import Controls; from knit_tui.workspace.keeping import Keeping\n"
        "place = Keeping(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "for number in range(10):\n"
        "    rel = f'{sys.argv[3]}-{number}'\n"
        "    place.change(lambda k: replace(k, controls=Controls((*k.controls.pinned, rel))))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(root), str(state), name]) for name in "abcd"]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    kept = Keeping(root, state).changed()
    assert kept is not None and len(set(kept.controls.pinned)) == 40


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        (b"", "damaged"),
        (b"{", "damaged"),
        (b"[]", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b'{"format": 99}', "version"),
        (b'{"format": 1, "root": "/elsewhere", "pinned": ["x"]}', "foreign"),
        (b" " * (keeping.LARGEST + 1), "damaged"),
    ],
)
def test_a_file_that_cannot_be_used_is_set_aside_by_the_next_change(
    root: Path, state: Path, content: bytes, trouble: str
) -> None:
    Keeping(root, state).change(pinned("a"))
    file = the_file(state)
    file.write_bytes(content)
    place = Keeping(root, state)
    assert place.changed() == Kept()
    assert place.trouble == trouble
    assert file.read_bytes() == content, "reading it changes nothing"
    assert place.change(pinned("b")) == Kept(Controls(("b",)))
    assert place.trouble == ""
    assert Path(f"{file}.{trouble}").read_bytes() == content


@pytest.mark.parametrize(
    "rel", ["../x", "/etc/passwd", "a/../../x", "", "a//b", ".", "a\0b", "x" * 5000, 7, None, ["a"]]
)
def test_no_path_in_the_file_leads_out_of_the_workspace(root: Path, state: Path, rel: object) -> None:
    Keeping(root, state).change(pinned("a"))
    said = json.loads(the_file(state).read_text())
    the_file(state).write_text(json.dumps(said | {"pinned": [rel, "a", "a"], "excluded": "x"}))
    assert Keeping(root, state).changed() == Kept(Controls(("a",)))


def test_what_is_pinned_is_not_excluded_too(root: Path, state: Path) -> None:
    Keeping(root, state).change(pinned("a"))
    said = json.loads(the_file(state).read_text())
    the_file(state).write_text(json.dumps(said | {"excluded": ["a", "b"], "tracking": "yes"}))
    assert Keeping(root, state).changed() == Kept(Controls(("a",), ("b",)), tracking=False)


def test_a_place_that_cannot_be_written_says_why(root: Path, state: Path) -> None:
    state.write_text("a file where the folder should be")
    with pytest.raises(Unsaved, match=r"ot a directory|File exists"):
        Keeping(root, state).change(pinned("a"))


def test_no_folder_at_all(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIT_STATE_DIR", "off")
    place = Keeping(root)
    assert place.changed() is None
    with pytest.raises(Unsaved, match="off"):
        place.change(pinned("a"))


def test_a_writer_that_does_not_end_is_not_waited_for_long(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    monkeypatch.setattr(keeping, "_PATIENCE", 0.05)
    Keeping(root, state).change(pinned("a"))
    with open(f"{the_file(state)}.lock", "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Unsaved, match="busy"):
            Keeping(root, state).change(pinned("b"))
    assert Keeping(root, state).change(pinned("b")).controls.pinned == ("a", "b")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_of_ours_is_not_read(root: Path, state: Path, tmp_path: Path, kind: str) -> None:
    Keeping(root, state).change(pinned("a"))
    file = the_file(state)
    file.unlink()
    if kind == "link":
        (tmp_path / "else.json").write_text("{}")
        file.symlink_to(tmp_path / "else.json")
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.mkdir()
    place = Keeping(root, state)
    assert place.changed() == Kept()
    assert place.trouble in ("damaged", "unreadable")
