"""One spelling for the paths of a log."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knit_tui.sessions.paths import LONGEST, Place, absolute, scrub

ROOT = "/home/dev/lamp"
PLACE = Place((ROOT, "/mnt/data/lamp"), home="/home/dev")


@pytest.mark.parametrize(
    ("base", "path", "expected"),
    [
        (ROOT, "/home/dev/lamp/docs/a.md", "docs/a.md"),
        (ROOT, "docs/a.md", "docs/a.md"),
        (ROOT, "./docs//x/../a.md", "docs/a.md"),
        (ROOT + "/src", "../docs/a.md", "docs/a.md"),
        ("/mnt/data/lamp/src", "b.py", "src/b.py"),
        (ROOT, "/home/dev/lamp", "."),
        (ROOT, "file:///home/dev/lamp/docs/%C3%A9.md", "docs/é.md"),
        (ROOT, "file://localhost/home/dev/lamp/a.md", "a.md"),
        (ROOT, "'docs/a b.md'", "docs/a b.md"),
        (ROOT, "~/lamp/a.md", "a.md"),
        (ROOT, "\\\\wsl$\\Ubuntu\\home\\dev\\lamp\\a.md", "a.md"),
        (ROOT, "\\\\wsl.localhost\\Ubuntu\\home\\dev\\lamp\\a.md", "a.md"),
        ("file:///home/dev/lamp/src", "b.py", "src/b.py"),
        # Outside: as the log has it.
        (ROOT, "/etc/hosts", "/etc/hosts"),
        (ROOT, "../other/a.md", "/home/dev/other/a.md"),
        (ROOT, "/home/dev/lamppost/a.md", "/home/dev/lamppost/a.md"),
        (None, "docs/a.md", "docs/a.md"),
        # No path at all.
        (ROOT, "", None),
        (ROOT, "  ", None),
        (ROOT, "\0/etc/passwd", None),
        (ROOT, "https://example.com/a.md", None),
        (ROOT, "a" * (LONGEST + 1), None),
    ],
)
def test_names(base: str | None, path: str, expected: str | None) -> None:
    assert PLACE.name(base, path) == expected


@pytest.mark.parametrize("root", ["C:\\work\\My Lamp", "/mnt/c/work/My Lamp"])
@pytest.mark.parametrize(
    "path", ["C:\\work\\My Lamp\\docs\\a.md", "c:/work/my lamp/docs/a.md", "/mnt/c/work/My Lamp/docs/a.md"]
)
def test_a_windows_folder_and_its_mount_are_one(root: str, path: str) -> None:
    assert Place((root,)).name(None, path) == "docs/a.md"


def test_a_relative_windows_path_is_read_from_a_windows_folder() -> None:
    place = Place(("C:\\work\\lamp",))
    assert place.name("C:\\work\\lamp\\src", "sub\\b.py") == "src/sub/b.py"
    assert place.name("\\\\?\\C:\\work\\lamp", "a.md") == "a.md"


def test_case_counts_only_where_it_does() -> None:
    assert Place((ROOT,)).name(None, "/home/dev/LAMP/a.md") == "/home/dev/LAMP/a.md"
    assert Place((ROOT,), fold=True).name(None, "/home/dev/LAMP/A.md") == "A.md"


def test_a_line_number_is_taken_off_only_when_that_names_a_file() -> None:
    files = {"a.md", "b:7"}
    place = Place((ROOT,), is_file=files.__contains__)
    assert place.name(ROOT, "a.md:12") == "a.md"
    assert place.name(ROOT, "a.md:12:3") == "a.md"
    assert place.name(ROOT, "b:7") == "b:7"
    assert place.name(ROOT, "gone.md:12") == "gone.md:12"


def test_a_root_workspace_holds_everything() -> None:
    assert Place(("/",)).name(None, "/etc/hosts") == "etc/hosts"


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_path_raises_or_leads_out(base: str, path: str) -> None:
    name = PLACE.name(base, path)
    if name is not None:
        name.encode()
    whole = PLACE.join(base, path)
    if whole is not None and PLACE.inside(whole) is not None:
        assert ".." not in whole.split("/")


def test_absolute_needs_a_leading_slash() -> None:
    assert absolute("a/b") is None
    assert absolute("//a///b/") == "/a/b"


def test_scrub() -> None:
    assert scrub("a\ud83cb") == "a?b"
    assert scrub("é") == "é"
    assert scrub(3) == scrub(None) == scrub(["a"]) == ""
