"""The cache by itself: what is stored comes back, or it is known that it does not."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from knit_tui.workspace.cache import LARGEST_NOTE, Block, Cache, Outdated, Unusable
from knit_tui.workspace.caches import cleared, info
from knit_tui.workspace.own import folder_name

Make = Callable[..., Cache]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "outer" / "caches"


@pytest.fixture
def make(tmp_path: Path, base: Path) -> Make:
    root = tmp_path / "ws"
    root.mkdir()

    def cache(fingerprint: str = "1", root: Path = root) -> Cache:
        return Cache(root, fingerprint, {"KNIT_CACHE_DIR": str(base)})

    return cache


def block(*numbers: int) -> Block:
    table = np.arange(6, dtype=np.int32).reshape(2, 3)
    return Block({"numbers": np.array(numbers, np.uint64), "table": table, "none": np.empty(0, np.uint8)})


def numbers(blocks: dict[str, Block] | None) -> dict[str, list[int]]:
    assert blocks is not None
    return {name: each.arrays["numbers"].tolist() for name, each in blocks.items()}


def files(cache: Cache) -> set[str]:
    return {path.name for path in cache.folder.iterdir()}


def test_what_is_saved_is_loaded(make: Make) -> None:
    assert make().load() is None
    assert make().save({"a": block(1, 2), "b": block(1 << 63)})
    blocks = make().load()
    assert numbers(blocks) == {"a": [1, 2], "b": [1 << 63]}
    assert blocks is not None
    assert blocks["a"].arrays["table"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert blocks["a"].arrays["none"].shape == (0,)
    assert not blocks["a"].arrays["numbers"].flags.writeable


def test_folders_are_for_the_user_alone_whatever_the_umask(make: Make, base: Path) -> None:
    before = os.umask(0o777)
    try:
        cache = make()
        cache.save({"a": block(1)})
    finally:
        os.umask(before)
    assert {place.stat().st_mode & 0o777 for place in (base.parent, base, cache.folder)} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in cache.folder.iterdir()} == {0o600}


def test_blocks_that_are_stored_are_not_written_again_and_old_ones_go(make: Make) -> None:
    cache = make()
    first, second = block(1), block(2)
    cache.save({"a": first, "b": second})
    kept = {path: path.stat().st_ino for path in cache.folder.glob("*.block")}
    cache.save({"a": first, "c": block(3)})
    left = {path: path.stat().st_ino for path in cache.folder.glob("*.block")}
    assert len(left) == 2
    assert len(kept.items() & left.items()) == 1
    assert numbers(make().load()) == {"a": [1], "c": [3]}


def test_what_was_loaded_is_not_written_again(make: Make) -> None:
    make().save({"a": block(1)})
    cache = make()
    blocks = cache.load()
    assert blocks is not None
    before = {path: path.stat().st_ino for path in cache.folder.glob("*.block")}
    cache.save({**blocks, "b": block(2)})
    assert before.items() <= {path: path.stat().st_ino for path in cache.folder.glob("*.block")}.items()


def test_damage_at_any_byte_of_any_file_is_noticed(make: Make) -> None:
    writer = make()
    writer.save({"a": block(1, 2, 3), "b": block(7)})
    writer.close()
    for path in writer.folder.iterdir():
        whole = path.read_bytes()
        for offset in range(len(whole)):
            for damaged in (
                whole[:offset],
                whole[:offset] + bytes([whole[offset] ^ 1 << offset % 8]) + whole[offset + 1 :],
            ):
                path.write_bytes(damaged)
                with pytest.raises(Outdated, match="damaged"):
                    make().load()
        path.write_bytes(whole)
    assert numbers(make().load()) == {"a": [1, 2, 3], "b": [7]}


def test_a_damaged_block_is_written_anew(make: Make) -> None:
    first = make()
    first.save({"a": block(1)})
    first.close()
    path = next(first.folder.glob("*.block"))
    path.write_bytes(bytes(path.stat().st_size))
    again = make()
    with pytest.raises(Outdated):
        again.load()
    again.save({"a": block(1)})
    assert numbers(make().load()) == {"a": [1]}


def test_a_block_that_is_gone_is_damage(make: Make) -> None:
    writer = make()
    writer.save({"a": block(1)})
    next(writer.folder.glob("*.block")).unlink()
    with pytest.raises(Outdated, match="damaged"):
        make().load()


def test_another_version_and_another_root_are_not_taken(make: Make, tmp_path: Path) -> None:
    writer = make()
    writer.save({"a": block(1)})
    with pytest.raises(Outdated, match="version"):
        make("2").load()
    other = make(root=tmp_path / "other")
    writer.folder.rename(other.folder)
    with pytest.raises(Outdated, match="foreign"):
        other.load()


def test_only_one_process_writes_and_all_read(make: Make) -> None:
    first, second = make(), make()
    assert first.save({"a": block(1)})
    assert not second.save({"a": block(2)})
    second.note("cursor", b"second")
    assert second.noted("cursor") == b""
    assert numbers(second.load()) == {"a": [1]}
    first.close()
    assert second.save({"a": block(2)})
    assert numbers(first.load()) == {"a": [2]}


def test_what_was_loaded_stays_readable_when_the_writer_replaces_it(make: Make) -> None:
    writer = make()
    writer.save({"a": block(5)})
    blocks = make().load()
    writer.save({"a": block(6)})
    assert numbers(blocks) == {"a": [5]}


def test_a_writer_whose_folder_was_cleared_begins_again(make: Make, base: Path) -> None:
    writer = make()
    mine = block(1)
    writer.save({"a": mine})
    assert cleared(base, None) == 1
    assert not writer.folder.exists()
    assert writer.save({"a": mine})
    assert numbers(make().load()) == {"a": [1]}
    assert not make().save({"a": block(2)})


def test_left_over_files_go_and_files_of_others_stay(make: Make) -> None:
    writer = make()
    writer.save({"a": block(1)})
    (writer.folder / "tmp-00ff").write_bytes(b"half")
    (writer.folder / "letter.txt").write_text("mine")
    writer.save({"a": block(2)})
    assert "tmp-00ff" not in files(writer)
    assert (writer.folder / "letter.txt").read_text() == "mine"


def test_notes_are_kept(make: Make) -> None:
    writer = make()
    writer.note("cursor", b"lost: there is no folder yet")
    writer.save({"a": block(1)})
    writer.note("cursor", b"a/b\xff")
    assert make().noted("cursor") == b"a/b\xff"
    (writer.folder / "note-cursor").write_bytes(bytes(LARGEST_NOTE + 1))
    assert make().noted("cursor") == b""


def damaged_base(base: Path, how: str) -> str:
    """Make the place of the caches unfit; what the reason must be."""
    base.parent.mkdir(exist_ok=True)
    if how == "file":
        base.write_text("")
        return "no-folder"
    if how == "dangling":
        base.symlink_to("/no/such/place")
        return "symlink"
    if how == "link":
        (base.parent / "elsewhere").mkdir()
        base.symlink_to(base.parent / "elsewhere")
        return "symlink"
    if how == "device":
        base.symlink_to("/dev/full")
        return "symlink"
    base.mkdir()
    base.chmod(0o777)
    return "shared"


@pytest.mark.parametrize("how", ["file", "dangling", "link", "device", "shared"])
def test_a_place_that_is_no_plain_folder_of_ones_own_is_left_alone(make: Make, base: Path, how: str) -> None:
    why = damaged_base(base, how)
    before = sorted(path for path in base.parent.rglob("*"))
    for work in (lambda: make().load(), lambda: make().save({"a": block(1)})):
        with pytest.raises(Unusable) as caught:
            work()
        assert (caught.value.path, caught.value.why) == (base, why)
    make().note("cursor", b"x")
    assert sorted(path for path in base.parent.rglob("*")) == before


def test_below_a_file_there_is_no_cache(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "1", {"KNIT_CACHE_DIR": "/dev/null/caches"})
    with pytest.raises(Unusable, match="Not a directory"):
        cache.save({"a": block(1)})


def test_nothing_is_written_into_the_workspace(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "1", {"HOME": str(tmp_path)})
    with pytest.raises(Unusable, match="inside"):
        cache.save({"a": block(1)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told(make: Make, base: Path) -> None:
    base.mkdir(mode=0o500)
    with pytest.raises(Unusable, match="Permission"):
        make().save({"a": block(1)})


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import numpy as np
from pathlib import Path
from knit_tui.workspace.cache import Block, Cache, Unusable
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
cache = Cache(Path(sys.argv[1]), "1")
try:
    cache.save({"a": Block({"numbers": np.arange(10_000)})})
except Unusable as error:
    print(error.why, sorted(path.name for path in cache.folder.glob("tmp-*")))
"""


def test_a_full_disk_is_told_and_what_was_there_stays(make: Make, tmp_path: Path, base: Path) -> None:
    writer = make()
    writer.save({"a": block(1)})
    writer.close()
    command = [sys.executable, "-c", FULL, str(tmp_path / "ws")]
    environ = {**os.environ, "KNIT_CACHE_DIR": str(base)}
    said = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60, check=False)
    assert said.stdout == "File too large []\n", said.stderr
    assert numbers(make().load()) == {"a": [1]}
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096


def test_info_and_clearing(make: Make, tmp_path: Path, base: Path) -> None:
    make().save({"a": block(1)})
    make(root=tmp_path / "other").save({"a": block(1)})
    (base / "keep").mkdir()
    (base / "keep" / "manifest").write_text("not ours")
    (base / "0123456789abcdef01234567").symlink_to(base / "keep")
    found = info(base)
    assert {each.root for each in found} == {str(tmp_path / "ws"), str(tmp_path / "other")}
    assert all(each.size > 0 for each in found)
    assert cleared(base, folder_name(tmp_path / "ws")) == 1
    assert [each.root for each in info(base)] == [str(tmp_path / "other")]
    assert cleared(base, None) == 1
    assert cleared(base, None) == 0
    assert sorted(path.name for path in base.iterdir()) == ["0123456789abcdef01234567", "keep"]
    assert info(tmp_path / "nowhere") == []
