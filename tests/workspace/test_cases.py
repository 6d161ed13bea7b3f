"""The scan of the hostile cases, checked against what each says must come out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from knit_tui.model import Access, Skip
from knit_tui.workspace.scan import Scanner
from tests.workspace.conftest import reasons, rels, scan, skipped


def test_case_special(case: Callable[[str], Path]) -> None:
    assert rels(scan(case("01") / "ws")) == ["module.py/inner.py", "ok.txt"]


def test_case_loops(case: Callable[[str], Path]) -> None:
    found = scan(case("02") / "ws")
    assert rels(found) == ["a/real.txt", "chain60", "maze/l18/end.txt"]
    assert set(skipped(found).values()) == {"symlink"}


def test_case_escape(case: Callable[[str], Path]) -> None:
    assert rels(scan(case("03") / "ws")) == ["inside.txt"]


def test_case_hostile_names(case: Callable[[str], Path]) -> None:
    folder = case("04")
    present = json.loads((folder / "oracle.json").read_text())["present"]
    assert set(rels(scan(folder / "ws"))) == {os.path.normpath(rel) for rel in present}


def test_case_names_that_are_not_utf8(case: Callable[[str], Path]) -> None:
    folder = case("09")
    present = json.loads((folder / "oracle.json").read_text())["present_bytes_hex"]
    assert {os.fsencode(rel).hex() for rel in rels(scan(folder / "ws"))} == set(present)


def test_case_twins(case: Callable[[str], Path]) -> None:
    folder = case("10")
    assert rels(scan(folder / "ws")) == sorted(json.loads((folder / "oracle.json").read_text())["present"])


def test_case_ignore_semantics(case: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = case("13")
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    for root, oracle in (("ws", "oracle-tracked-or-unignored.z"), ("ws/pkg/sub", "oracle-sub.z")):
        expected = {os.fsdecode(name) for name in (folder / oracle).read_bytes().split(b"\0") if name}
        assert set(rels(scan(folder / root))) == expected


def test_case_ignore_semantics_without_git(
    case: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = case("13")
    monkeypatch.setenv("PATH", "/nonexistent")
    tracked = {"build/keep/k.txt", "tracked-ignored/t.txt"}
    unknown = {
        "top.globalignored",
        "anchored-global.txt",
        "pkg/anchored-global.txt",
    }  # of the user's own file
    for root, oracle in (("ws", "oracle-tracked-or-unignored.z"), ("ws/pkg/sub", "oracle-sub.z")):
        expected = {os.fsdecode(name) for name in (folder / oracle).read_bytes().split(b"\0") if name}
        pruned = {rel for rel in expected if "node_modules" in rel}
        assert set(rels(scan(folder / root))) - unknown == expected - tracked - unknown - pruned


def test_case_hostile_ignore_files(case: Callable[[str], Path]) -> None:
    scanner = Scanner(case("14") / "ws")
    for _ in range(2):
        found = scanner.scan()
        assert "control.md" in rels(found)
        assert reasons(found) == ["blocked ."]
        bad = {skip.rel: skip.detail for skip in found.skips if skip.reason == "ignore-file"}
        assert bad.keys() == {f"p{number}/.gitignore" for number in (2, 3, 4, 5, 6, 7)}
        assert (bad["p4/.gitignore"], bad["p5/.gitignore"]) == ("fifo", "symlink")


def test_case_worktrees_and_submodules(case: Callable[[str], Path]) -> None:
    folder = case("15")
    found = scan(folder / "ws")
    assert rels(found) == [
        "broken/b.py", "main/.gitmodules", "main/m.py", "main/nested/n.py", "main/vendor/lib/lib.py",
        "wt/.gitmodules", "wt/dirty.py", "wt/m.py",
    ]  # fmt: skip
    assert found.skips == (Skip("bare.git", "repository", "git's own folder"),)
    assert dict(found.notices[0].facts) == {"why": "broken", "folder": "broken", "folders": "3"}
    for name in ("main", "wt", "main/vendor/lib", "broken", "loop", "redirect", "garbage", "cw", "bare.git"):
        assert "CANARY15" not in str(scan(folder / "ws" / name))


def test_case_deep_and_wide(case: Callable[[str], Path]) -> None:
    found = scan(case("23") / "ws")
    bottom = next(rel for rel in rels(found) if rel.endswith("bottom.txt"))
    assert bottom == "ddddddddd/" * 1200 + "bottom.txt"
    assert "near.txt" in rels(found)
    assert len(found.entries) > 30_000


def test_case_secrets_are_named_and_withheld(case: Callable[[str], Path]) -> None:
    found = scan(case("30") / "ws")
    withheld = {entry.rel for entry in found.entries if entry.access is Access.WITHHELD}
    assert {entry.rel for entry in found.entries} - withheld == {
        ".env.example",
        "code.py",
        "innocent-name.txt",
    }
