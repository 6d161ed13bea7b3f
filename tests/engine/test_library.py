"""The library over the end of a process: what it keeps, what it believes, and what it looks at again."""

import os
import time
from pathlib import Path

import pytest

from knit_tui.engine import library as library_module
from knit_tui.engine import store as store_module
from knit_tui.engine.library import KEEP_LEAST, VERIFIED
from knit_tui.model import Outline, QueryTerm
from knit_tui.workspace.scan import Scanner
from tests.engine.desk import OLD, Desk, content, fresh, settle


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.tree()
    return made


def test_a_warm_start_reads_no_file_and_knows_the_same(desk: Desk) -> None:
    with desk.opened() as cold:
        assert len(desk.read) == 6
    with desk.opened() as warm:
        assert desk.read == []
        assert content(warm) == content(cold) == fresh(desk.root)
        assert warm.cards == cold.cards
        assert warm.notices == ()


def test_only_what_differs_is_read(desk: Desk) -> None:
    with desk.opened():
        pass
    desk.write("d0/note0.md", "changed")
    desk.write("new.md", "new")
    (desk.root / "d1/note1.md").unlink()
    (desk.root / "d2/note2.md").rename(desk.root / "d2/moved.md")
    with desk.opened() as warm:
        assert sorted(desk.read) == ["d0/note0.md", "d2/moved.md", "new.md"]
        assert content(warm) == fresh(desk.root)
    with desk.opened() as again:
        assert desk.read == []
        assert content(again) == fresh(desk.root)


def test_names_that_are_not_utf8_come_back(desk: Desk) -> None:
    (desk.root / os.fsdecode(b"caf\xe9.md")).write_text("# Coffee\n")
    with desk.opened():
        pass
    with desk.opened() as warm:
        assert os.fsdecode(b"caf\xe9.md") in warm.index.positions
        assert content(warm) == fresh(desk.root)


def test_a_touched_file_is_read_and_nothing_more(desk: Desk) -> None:
    with desk.opened() as library:
        before = library.index
        os.utime(desk.root / "d0/note0.md", ns=(OLD, OLD))
        settle(library, desk.root)
        assert desk.read.count("d0/note0.md") == 2
        assert library.index is before
    with desk.opened() as warm:
        assert desk.read == []
        assert content(warm) == fresh(desk.root)


def test_a_file_that_becomes_another_kind_is_indexed_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk.opened():
        pass
    from knit_tui.workspace import walk

    real = walk.classify
    monkeypatch.setattr(walk, "classify", lambda rel: real(rel.replace("load.py", "load.md")))
    with desk.opened() as warm:
        assert desk.read == ["src/load.py"]
        assert content(warm) == fresh(desk.root)


def test_what_still_waits_at_the_end_is_read_by_the_next_process(desk: Desk) -> None:
    with desk.opened() as library:
        desk.write("d0/note0.md", "changed")
        desk.write("new.md", "new")
        library.compare(Scanner(desk.root).scan())
        library.index_some(1)
        assert library.pending == 1
    with desk.opened() as warm:
        assert desk.read == ["d0/note0.md"]
        assert content(warm) == fresh(desk.root)


def test_documents_that_are_named_as_the_task_are_read_first(desk: Desk) -> None:
    library = desk.library()
    library.compare(Scanner(desk.root).scan())
    assert library.pending == 7
    library.prefer([QueryTerm("load", 2.0), QueryTerm("note3", 1.0)])
    while library.pending:
        library.index_some(1)
    assert set(desk.read[:2]) == {"src/load.py", "d0/note3.md"}
    assert desk.read[2:] == ["d1/note4.md", "d2/note2.md", "d1/note1.md", "d0/note0.md"]  # the newest first


def test_entries_of_an_earlier_process_are_there_before_the_scan(desk: Desk) -> None:
    with desk.opened() as cold:
        entries = dict(cold.entries)
    warm = desk.library()
    assert dict(warm.recall()) == entries
    scanned = Scanner(desk.root, warm.recall).scan()
    assert all(entry is warm.recall()[entry.rel] for entry in scanned.entries)


def test_a_file_changed_as_it_was_indexed_is_not_trusted(desk: Desk) -> None:
    moment = time.time_ns()
    desk.write("racy.md", "first", moment)
    with desk.opened():
        pass
    desk.write("racy.md", "other", moment)  # the same stamp
    with desk.opened() as warm:
        assert desk.read == ["racy.md"]
        assert warm.index.known(["other", "first"]) == [True, False]


def test_doubt_ends_when_the_stamp_can_be_trusted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = time.time_ns()
    desk.write("racy.md", "first", moment)
    with desk.opened() as library:
        library.tend()
        desk.write("racy.md", "other", moment)
        monkeypatch.setattr("knit_tui.engine.reading.time.time_ns", lambda: moment + 3_000_000_000)
        assert library.tend()
        assert library.index.known(["other"]) == [True]
        desk.read.clear()
        library.tend()
        assert desk.read == []
    with desk.opened():
        assert desk.read == []


@pytest.mark.parametrize("shift", [-3_600_000_000_000, 3_600_000_000_000])
def test_a_clock_that_is_set_does_not_matter(desk: Desk, shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    desk.write("note.md", "first", now)
    monkeypatch.setattr("knit_tui.engine.reading.time.time_ns", lambda: now + shift)
    with desk.opened():
        pass
    desk.write("note.md", "other", now + shift)
    with desk.opened() as warm:
        assert "note.md" in desk.read
        assert content(warm) == fresh(desk.root)


def silently(desk: Desk, rel: str, text: str) -> None:
    """Change a file in a way that its stamp does not show."""
    path = desk.root / rel
    before = path.stat()
    with path.open("r+") as file:
        file.write(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def test_verification_goes_on_where_the_last_process_stopped(desk: Desk) -> None:
    for number in range(3 * VERIFIED):
        desk.write(f"many/{number:03}.md", f"text{number}")
    verified: list[str] = []
    for _ in range(4):
        with desk.opened() as library:
            desk.read.clear()
            library.tend()
            assert len(desk.read) == VERIFIED
            verified += desk.read
    assert len(set(verified)) == 3 * VERIFIED + 6
    assert len(verified) == 4 * VERIFIED


def test_verification_mends_what_no_stamp_showed(desk: Desk) -> None:
    nothing = Outline("", "", ())
    with desk.opened():
        pass
    silently(desk, "d1/note1.md", "# Fitle")
    with desk.opened() as library:
        assert library.index.known(["fitle"]) == [False]
        shown = library._bodies[("d1/note1.md", library.entries["d1/note1.md"].stamp)] = ("# Title", nothing)
        library._body_size = len(shown[0])
        assert library.tend()
        body = library.body("d1/note1.md")
        assert body is not None and body[0].startswith("# Fitle")
        assert library._body_size == len(body[0])
        assert content(library) == fresh(desk.root)
    with desk.opened() as warm:
        assert content(warm) == fresh(desk.root)


def test_each_scan_is_followed_by_one_verification(desk: Desk) -> None:
    with desk.opened() as library:
        desk.read.clear()
        library.tend()
        assert len(desk.read) == 6  # fewer than it may
        library.tend()
        assert len(desk.read) == 6
        settle(library, desk.root)
        library.tend()
        assert len(desk.read) == 12


def test_damage_costs_a_notice_and_never_the_order(desk: Desk) -> None:
    with desk.opened():
        pass
    expected = fresh(desk.root)
    folder = next(desk.caches.iterdir())
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, whole in files.items():
        if name in ("lock", "note-cursor"):
            continue
        for offset in range(0, len(whole), 61):
            for damaged in (
                whole[:offset],
                whole[:offset] + bytes([whole[offset] ^ 64]) + whole[offset + 1 :],
            ):
                (folder / name).write_bytes(damaged)
                library = desk.library()
                settle(library, desk.root)
                assert content(library) == expected
                assert [notice.facts for notice in library.notices] == [(("why", "damaged"),)]
                library.close()
                with desk.opened() as warm:
                    assert warm.notices == ()
                    assert desk.read == []
                for path in folder.iterdir():
                    path.unlink()
                for each, data in files.items():
                    (folder / each).write_bytes(data)


def test_a_damaged_cursor_is_no_matter(desk: Desk) -> None:
    with desk.opened() as library:
        library.tend()
    (next(desk.caches.iterdir()) / "note-cursor").write_bytes(b"\xff\x00 \xfe")
    with desk.opened() as warm:
        desk.read.clear()
        warm.tend()
        assert len(desk.read) == 6
        assert warm.notices == ()


def test_the_cache_of_another_version_is_rebuilt_with_a_notice(desk: Desk) -> None:
    with desk.opened("1"):
        pass
    with desk.opened("2") as newer:
        assert [(n.code, n.facts) for n in newer.notices] == [("cache-rebuilt", (("why", "version"),))]
        assert content(newer) == fresh(desk.root)
    with desk.opened("2") as again:
        assert again.notices == ()
        assert desk.read == []


def test_two_processes_share_a_cache(desk: Desk) -> None:
    first, second = desk.library(), desk.library()
    for library in (first, second):
        settle(library, desk.root)
    first.tend()
    desk.write("new.md", "new")
    for library in (second, first):
        settle(library, desk.root)
        library.close()
    assert second.notices == first.notices == ()
    with desk.opened() as third:
        assert desk.read == []
        assert content(third) == fresh(desk.root)


def test_where_nothing_can_be_written_it_works_and_says_so_once(desk: Desk) -> None:
    desk.caches.write_text("a file")
    with desk.opened() as library:
        for number in range(KEEP_LEAST):
            desk.write(f"new{number}.md", "new")
        settle(library, desk.root)
        library.tend()
        assert desk.codes(library) == ["cache-off"]
        assert dict(library.notices[0].facts) == {"path": str(desk.caches), "why": "no-folder"}
        assert content(library) == fresh(desk.root)
    assert desk.codes(library) == ["cache-off"]


def test_small_changes_are_kept_together_and_only_they_are_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk.opened() as library:
        library.tend()
        assert not desk.caches.exists()  # few documents: at the end, or after a while
        monkeypatch.setattr(library_module, "KEEP_LEAST", 1)
        library.tend()
        large = max(desk.caches.rglob("*.block"), key=lambda path: path.stat().st_size)
        before = large.stat().st_ino
        desk.write("new.md", "new")
        settle(library, desk.root)
        library.tend()
        assert large.stat().st_ino == before
        assert len(list(desk.caches.rglob("*.block"))) == 3
    with desk.opened() as warm:
        assert desk.read == []
        assert content(warm) == fresh(desk.root)


def test_what_could_not_be_read_is_tried_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from knit_tui.workspace.text import Unreadable

    def failing(root: Path, rel: str) -> None:
        raise Unreadable("unreadable", "EIO")

    with monkeypatch.context() as broken:
        broken.setattr("tests.engine.desk.read_text", failing)
        with desk.opened() as library:
            assert library.unread == 6
    with desk.opened() as warm:
        assert len(desk.read) == 6
        assert warm.unread == 0
        assert content(warm) == fresh(desk.root)


def test_counts_follow_the_documents(desk: Desk) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n"
    desk.write("key.md", key)
    desk.write("long.md", "word " * 60_000)
    with desk.opened() as library:
        assert (library.cut, library.secret, library.unread) == (1, 1, 0)
    with desk.opened() as warm:
        assert (warm.cut, warm.secret, warm.unread) == (1, 1, 0)
        desk.write("key.md", "none")
        (desk.root / "long.md").unlink()
        settle(warm, desk.root)
        assert (warm.cut, warm.secret, warm.unread) == (0, 0, 0)


def test_the_fingerprint_follows_the_code_that_shapes_the_content(monkeypatch: pytest.MonkeyPatch) -> None:
    before = store_module.fingerprint.__wrapped__()
    assert before == store_module.fingerprint.__wrapped__()
    monkeypatch.setattr(store_module, "_SHAPING", store_module._SHAPING[:-1])
    assert before != store_module.fingerprint.__wrapped__()
    monkeypatch.setattr(store_module, "__version__", "other")
    assert before != store_module.fingerprint.__wrapped__()
