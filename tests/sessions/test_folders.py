"""Where logs are looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knit_tui.sessions.formats.claude_folders import ClaudeLocator, slugs
from knit_tui.sessions.formats.codex_folders import CodexLocator
from knit_tui.sessions.listing import entries, files, look
from tests.sessions.home import NOW, Home, age


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/home/dev/my_lamp.v2", {"-home-dev-my-lamp-v2", "-home-dev-my_lamp.v2"}),
        ("/home/dev/Lamp", {"-home-dev-lamp"}),
        ("C:\\dev\\lamp x", {"c--dev-lamp-x"}),
        ("/w/灯", {"-w--"}),
        ("/w/😀", {"-w---"}),
    ],
)
def test_slugs(path: str, slug: set[str]) -> None:
    assert slugs(path) == slug


def test_a_long_slug_is_cut_and_still_found(home: Home) -> None:
    root = home.root / ("deep" * 50) / ("deeper" * 20)
    root.mkdir(parents=True)
    slug = next(iter(slugs(str(root)))) + "-1k9x2"
    path = home.claude(root, folder=slug)
    candidate = home.finder(root=root).choose(NOW)
    assert candidate is not None and candidate.address.path == str(path)


@pytest.mark.parametrize("folder", ["", "OLD"])
def test_both_spellings_of_the_folder_are_looked_into(tmp_path: Path, folder: str) -> None:
    home = Home(tmp_path / "my_x.v2")
    old = str(home.root).replace("/", "-")
    path = home.claude(home.root, folder=old if folder else "")
    assert home.chosen() == str(path)


def test_the_config_folders_can_be_moved(home: Home, tmp_path: Path) -> None:
    moved = home.home / ".claude"
    path = home.claude(home.root)
    moved.rename(tmp_path / "elsewhere")
    assert home.chosen() is None
    new = str(tmp_path / "elsewhere" / path.relative_to(moved))
    assert home.chosen({"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}) == new
    codex = home.codex(home.root, seconds=1)
    (home.home / ".codex").rename(tmp_path / "there")
    chosen = home.chosen({"CODEX_HOME": str(tmp_path / "there")})
    assert chosen == str(tmp_path / "there" / codex.relative_to(home.home / ".codex"))


def test_a_folder_name_that_was_set(home: Home) -> None:
    path = home.claude(home.root, folder="my-own-name")
    assert home.chosen() is None
    assert home.chosen({"CLAUDE_CODE_PROJECT_DIR_NAME": "my-own-name"}) == str(path)


def test_new_folders_and_files_are_seen(home: Home) -> None:
    finder = home.finder()
    assert finder.choose(NOW) is None
    path = home.claude(home.root)
    finder.refresh(NOW)
    first = finder.choose(NOW)
    assert first is not None and first.address.path == str(path)
    path.unlink()
    finder.refresh(NOW)
    assert finder.choose(NOW) is None


def test_old_folders_of_codex_are_swept_once_a_minute(home: Home) -> None:
    locator = CodexLocator(home.home, {})
    old = home.codex(home.root, day="2025/01/02")
    gone = home.codex(home.root, day="2025/01/03", seconds=40 * 86400)
    assert [found.path for found in locator.logs((), NOW)] == [str(old)]
    late = home.codex(home.root, day="2025/01/04")
    assert [found.path for found in locator.logs((), NOW + 30)] == [str(old)]
    assert [found.path for found in locator.logs((), NOW + 61)] == [str(old), str(late)]
    age(gone, 0)
    assert [found.path for found in locator.logs((), NOW + 200)] == [str(old), str(gone), str(late)]


def test_a_clock_that_goes_back_sweeps_again(home: Home) -> None:
    locator = CodexLocator(home.home, {})
    list(locator.logs((), NOW))
    old = home.codex(home.root, day="2025/01/02")
    assert [found.path for found in locator.logs((), NOW - 5)] == [str(old)]


def test_listing_never_raises(tmp_path: Path) -> None:
    assert entries(str(tmp_path / "none")) == []
    assert entries("a\0b") == []
    assert look("a\0b") is None
    assert look(str(tmp_path)) is None
    (tmp_path / "x.jsonl").mkdir()
    assert list(files(str(tmp_path), ".jsonl")) == []
    assert list(ClaudeLocator(tmp_path, {}).logs(("/w",), NOW)) == []


def test_a_folder_made_within_one_tick_of_the_clock_is_found(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.claude(tmp_path / "elsewhere")
    projects = home.home / ".claude/projects"
    os.utime(projects, (NOW - 1, NOW - 1))
    locator = ClaudeLocator(home.home, {})
    assert list(locator.logs((str(home.root),), NOW)) == []
    path = home.claude(home.root)
    os.utime(projects, (NOW - 1, NOW - 1))
    assert [found.path for found in locator.logs((str(home.root),), NOW)] == [str(path)]
